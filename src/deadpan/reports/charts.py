"""A section's plots: the overview, and those its benchmark asks for."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import altair as alt

from deadpan.core.plots import (
    AnyPlot,
    BarsPlot,
    MatrixPlot,
    OptionMap,
    PlotSpec,
    RadarPlot,
    ScatterPlot,
    SharesPlot,
    SpreadPlot,
)
from deadpan.core.score import select
from deadpan.core.units import natural
from deadpan.reports.bars import bars, shares
from deadpan.reports.comparable import compared_scores
from deadpan.reports.maps import matrices, option_map
from deadpan.reports.plot import Plot, chart_of, finished, short_names, slug, tooltip
from deadpan.reports.points import Point, group_value, plot_points, published_of, shaded
from deadpan.reports.radar import radar
from deadpan.reports.scatter import scatter
from deadpan.reports.section import Section, distinct
from deadpan.reports.spread import spread
from deadpan.reports.text import one_line
from deadpan.reports.theme import COLOURS, GREY


def plots(section: Section) -> list[Plot]:
    """The overview, then one plot for each the benchmark asks for that has scores."""
    made = [
        overview(section),
        *(drawn(section, wanted) for wanted in section.benchmark.report.plots),
    ]
    return [plot for plot in made if plot is not None]


def drawn(section: Section, wanted: AnyPlot) -> Plot | None:
    """The plot a benchmark asks for; None where its scores are absent."""
    match wanted:
        case ScatterPlot():
            return scatter(section, wanted)
        case SharesPlot():
            return shares(section, wanted)
        case MatrixPlot():
            return matrices(section, wanted)
        case OptionMap():
            return option_map(section, wanted)
        case SpreadPlot():
            return spread(section, wanted)
        case BarsPlot():
            return bars(section, wanted)
        case RadarPlot():
            return radar(section, wanted)
        case PlotSpec():
            return grouped(section, wanted)


def overview(section: Section) -> Plot | None:
    """A heat map of each task's first metric by model, shaded from worst to best per column."""
    tasks = [spec for spec in section.benchmark.tasks if spec.metrics]
    titles = _stacked([one_line(spec.title) for spec in tasks])
    scores, _, over = compared_scores(
        section, [(spec.name, spec.metrics[0].name) for spec in tasks]
    )
    points: list[Point] = []
    for spec, title in zip(tasks, titles, strict=True):
        metric = spec.metrics[0]
        found = select(scores, task=spec.name, metric=metric.name, group="all")
        ours = [score for score in found if score.model != section.benchmark.report.pooled]
        if any(score.value is not None for score in ours):
            theirs = published_of(section, spec.name, metric.name, "all")
            points += shaded(plot_points(ours, theirs, metric), title, metric)
    if not points:
        return None
    order = sorted(points, key=lambda point: point["kind"] == "published")
    short = short_names((str(point["row"]) for point in order), 34)
    points = [{**point, "row": short[str(point["row"])]} for point in points]
    names = list(short.values())
    columns = distinct(str(point["column"]) for point in points)
    chart = _heat_map(points, names, columns)
    return Plot(
        "overview",
        "Overview",
        "The first metric of each task. Shade runs from the worst to the "
        "best value of its column; it does not compare columns."
        + (f" Our values are {over}." if over else ""),
        finished(chart, "Overview"),
        narrowest=200 + 96 * len(columns),
    )


def grouped(section: Section, wanted: PlotSpec) -> Plot | None:
    """A metric along a group key: lines where the groups are numbers, dots where they are names."""
    prefix = f"{wanted.group_key}="
    ours = [
        score
        for score in section.scores
        if (score.task, score.metric) == (wanted.task, wanted.metric)
        and group_value(score.group, prefix)
        and score.value is not None
    ]
    if not ours:
        return None
    metric = section.metric(wanted.metric)
    points = plot_points(ours, published_of(section, wanted.task, wanted.metric, prefix), metric)
    groups = sorted(distinct(str(point["group"]) for point in points), key=natural)
    numeric = all(group[:1].isdigit() for group in groups)
    axis = one_line(f"{section.task_title(wanted.task)} · {section.metric(wanted.metric).title}")
    if numeric:
        chart = _lines(points, groups, axis, one_line(wanted.group_key))
    else:
        chart = _dots(points, groups, axis)
    title = one_line(wanted.title)
    name = slug(wanted.task, wanted.metric, wanted.group_key)
    published = any(point["kind"] == "published" for point in points)
    hollow = " Hollow marks are published values." if published else ""
    better = " Lower is better." if section.metric(wanted.metric).is_lower_better else ""
    return Plot(
        name,
        title,
        f"{axis}.{better}{hollow}",
        finished(chart, title),
    )


def _stacked(titles: Sequence[str]) -> list[str]:
    """The titles broken into as many lines each, so that their last lines stand level."""
    lines = [textwrap.wrap(title, 14) for title in titles]
    tallest = max((len(part) for part in lines), default=0)
    # An empty line would take no room in an SVG text; a zero-width space does.
    return ["\n".join(["\u200b"] * (tallest - len(part)) + part) for part in lines]


def _heat_map(
    points: Sequence[Point], rows: Sequence[str], columns: Sequence[str]
) -> alt.LayerChart:
    lines = max(column.count("\n") for column in columns)
    base = chart_of(points).encode(
        x=alt.X(
            "column:N",
            sort=list(columns),
            title=None,
            axis=alt.Axis(
                orient="top",
                labelAngle=0,
                grid=False,
                labelExpr="split(datum.value, '\\n')",
                labelPadding=8 + 16 * lines,
                labelLineHeight=16,
                labelLimit=150,
            ),
            scale=alt.Scale(paddingInner=0.03),
        ),
        y=alt.Y(
            "row:N",
            sort=list(rows),
            title=None,
            axis=alt.Axis(grid=False, labelLimit=250),
            scale=alt.Scale(paddingInner=0.1),
        ),
        tooltip=tooltip("model", "task", "score", "counts"),
    )
    cells = base.mark_rect(cornerRadius=4, color=COLOURS[0]).encode(
        opacity=alt.Opacity(
            "shade:Q",
            legend=None,
            scale=alt.Scale(domain=[0, 1], range=[0.07, 0.55]),
        )
    )
    texts = base.mark_text(fontSize=12.5, color="#1d2026").encode(text="score:N")
    return alt.LayerChart(layer=[cells, texts]).properties(height=34 * len(rows))


def _marks(points: Sequence[Point]) -> tuple[alt.Chart, alt.Chart, alt.Color]:
    """The chart of our points, the chart of published ones, and the colours of our models."""
    ours = [point for point in points if point["kind"] == "ours"]
    theirs = [point for point in points if point["kind"] == "published"]
    models = distinct(str(point["model"]) for point in ours)
    palette = [COLOURS[i % len(COLOURS)] for i in range(len(models))]
    colour = alt.Color(
        "model:N",
        sort=models,
        scale=alt.Scale(domain=models, range=palette),
        legend=alt.Legend(title="This run"),
    )
    return chart_of(ours), chart_of(theirs), colour


def _hollow(chart: alt.Chart, points: Sequence[Point], **where: Any) -> alt.Chart:
    names = distinct(str(point["model"]) for point in points if point["kind"] == "published")
    hollow: alt.Chart = chart.mark_point(filled=False, size=55, strokeWidth=1.4, color=GREY).encode(
        shape=alt.Shape(
            "model:N",
            sort=names,
            scale=alt.Scale(domain=names),
            legend=alt.Legend(
                title="Published",
                symbolStrokeColor=GREY,
            ),
        ),
        tooltip=tooltip("model", "group", "score", "counts"),
        **where,
    )
    return hollow


def _scale(points: Sequence[Point]) -> alt.Scale:
    """From 0 to 1 for fractions, from 0 for other positive values, else what fits."""
    values = [float(point["value"]) for point in points]
    if min(values) >= 0 and max(values) <= 1:
        return alt.Scale(domain=[0, 1])
    return alt.Scale(zero=min(values) >= 0)


def _lines(points: Sequence[Point], groups: Sequence[str], axis: str, key: str) -> alt.LayerChart:
    ours, theirs, colour = _marks(points)
    where = {
        "x": alt.X(
            "group:O", sort=list(groups), title=key, axis=alt.Axis(labelAngle=0, grid=False)
        ),
        "y": alt.Y("value:Q", title=axis, scale=_scale(points), axis=alt.Axis(tickCount=5)),
    }
    pick = alt.selection_point(fields=["model"], bind="legend")
    faded = alt.condition(pick, alt.value(1.0), alt.value(0.15))
    line = ours.mark_line(strokeWidth=2).encode(color=colour, opacity=faded, **where)
    dots = ours.mark_point(filled=True, size=70).encode(
        color=colour, opacity=faded, tooltip=tooltip("model", "group", "score", "counts"), **where
    )
    hollow = _hollow(theirs, points, **where)
    return _layered(points, hollow, line, dots.add_params(pick)).properties(height=300)


def _dots(points: Sequence[Point], groups: Sequence[str], axis: str) -> alt.LayerChart:
    ours, theirs, colour = _marks(points)
    where = {
        "y": alt.Y(
            "group:N",
            sort=list(groups),
            title=None,
            axis=alt.Axis(grid=True),
            scale=alt.Scale(paddingInner=0.55, paddingOuter=0.3),
        ),
        "x": alt.X("value:Q", title=axis, scale=_scale(points), axis=alt.Axis(tickCount=6)),
    }
    pick = alt.selection_point(fields=["model"], bind="legend")
    models = distinct(str(point["model"]) for point in points if point["kind"] == "ours")
    dots = (
        ours.mark_point(filled=True, size=120)
        .encode(
            yOffset=alt.YOffset("model:N", sort=models),
            color=colour,
            opacity=alt.condition(pick, alt.value(0.9), alt.value(0.15)),
            tooltip=tooltip("model", "group", "score", "counts"),
            **where,
        )
        .add_params(pick)
    )
    height = max(36, 8 * len(models)) * len(groups)
    return _layered(points, _hollow(theirs, points, **where), dots).properties(height=height)


def _layered(points: Sequence[Point], hollow: alt.Chart, *ours: alt.Chart) -> alt.LayerChart:
    published = any(point["kind"] == "published" for point in points)
    return alt.LayerChart(layer=[*ours, *([hollow] if published else [])])
