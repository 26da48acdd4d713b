"""A section's plots: the overview, and those its benchmark asks for."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

import altair as alt

from deadpan.core import plots as wanted_plots
from deadpan.core.metric import Metric
from deadpan.core.published import HUMAN
from deadpan.core.score import Score
from deadpan.core.units import natural
from deadpan.reports import plot
from deadpan.reports.bars import draw_bars, draw_shares, draw_spread
from deadpan.reports.comparing import compared_scores
from deadpan.reports.interval_points import draw_intervals
from deadpan.reports.maps import draw_matrices, draw_option_map
from deadpan.reports.metric_bars import draw_metrics
from deadpan.reports.radar import draw_radar
from deadpan.reports.scatter import draw_scatter
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import LANGUAGES, counts, number, one_line
from deadpan.reports.theme import COLOURS, GREY, HUMAN_SHAPE, INK, LOOKS, SHAPES
from deadpan.reports.variants import draw_variance, draw_variants


def plots(section: Section) -> list[plot.Plot]:
    """The overview, then one plot for each the benchmark asks for that has scores."""
    made = [
        draw_overview(section),
        *(draw_plot(section, one) for one in section.benchmark.report.plots),
        *(draw_plot(section, plot) for one in section.additions for plot in one.plots),
    ]
    return [one for one in made if one is not None]


def draw_plot(section: Section, wanted: wanted_plots.AnyPlot) -> plot.Plot | None:
    """The plot a benchmark asks for; None where its scores are absent."""
    return _DRAW[type(wanted)](section, wanted)


def draw_overview(section: Section) -> plot.Plot | None:
    """A heat map of each task's first metric by model, shaded from worst to best per column."""
    tasks = [spec for spec in section.benchmark.tasks if spec.metrics]
    firsts = [(spec.name, spec.metrics[0].name) for spec in tasks]
    scores, _, over = compared_scores(section, firsts)
    tested = [score for score in scores if score.model not in section.pooled]
    lines = [textwrap.wrap(one_line(spec.title), 14) for spec in tasks]
    tallest = max(map(len, lines), default=0)
    points: list[plot.Mark] = []
    for spec, title in zip(tasks, lines, strict=True):
        metric = spec.metrics[0]
        if ours := plot.scored_values(replace(section, scores=tested), spec.name, metric.name):
            theirs = plot.published_values(section, spec.name, metric.name)
            # Titles are as tall as each other, so that their last lines stand level. An empty line
            # would take no room in an SVG text; a zero-width space does.
            heading = "\n".join(["\u200b"] * (tallest - len(title)) + title)
            points += _shade(_points(ours, theirs, metric), heading, metric)
    if not points:
        return None
    order = sorted(points, key=lambda point: point["kind"] == "published")
    short = plot.short_names((str(point["row"]) for point in order), 34)
    points = [{**point, "row": short[str(point["row"])]} for point in points]
    rows, columns = list(short.values()), distinct(str(point["column"]) for point in points)
    caption = (
        "The first metric of each task. Shade runs from the worst to the best value of its column; "
        "it does not compare columns."
    )
    captions = [caption, f"Our values are {over}." if over else ""]
    layers = _heat_map(points, rows, columns)
    wide = 130 + 92 * len(columns)
    return plot.of_layers("Overview", ["overview"], captions, layers, 34 * len(rows), wide)


def group_label(group: str) -> str:
    """The value of a `key=value` group as an axis names it."""
    key, _, value = group.partition("=")
    known = LANGUAGES if key == "language" else {}
    return one_line(known.get(value, value.replace("_", " ")))


def _points(
    ours: Sequence[tuple[str, Score, float]],
    theirs: Sequence[dict[str, Any]],
    metric: Metric,
    labels: Mapping[str, str] | None = None,
) -> list[plot.Mark]:
    """Our scores and the published ones in one form; groups may have labels of their own."""
    made = [("ours", f.model, f.group, value, counts(f)) for _, f, value in ours]
    made += [("published", r["model"], r["group"], r["value"], r["note"]) for r in theirs]
    return [
        {
            "model": one_line(model),
            "group": one_line((labels or {}).get(group) or group_label(group)),
            "value": value,
            "score": number(value, metric.decimals),
            "kind": kind,
            "counts": note,
            "row": one_line(model) + " · published" * (kind == "published"),
        }
        for kind, model, group, value, note in made
    ]


def _shade(points: plot.Marks, title: str, metric: Metric) -> list[plot.Mark]:
    """The points with the place of each value between the worst and the best of its column."""
    values = [float(point["value"]) for point in points]
    low, high = min(values), max(values)
    shades = [0.5 if high == low else (value - low) / (high - low) for value in values]
    if metric.is_lower_better:
        shades = [1 - shade for shade in shades]
    column = title + "\n" + metric.title + metric.mark
    task = one_line(column.replace("\u200b", ""))
    return [
        {**point, "column": column, "task": task, "shade": shade}
        for point, shade in zip(points, shades, strict=True)
    ]


def _heat_map(points: plot.Marks, rows: list[str], columns: list[str]) -> plot.Layers:
    lines = max(column.count("\n") for column in columns)
    look = LOOKS["overview_column"]
    top = alt.Axis(labelExpr=plot.LINES, labelPadding=8 + 16 * lines, **look)
    left = alt.Axis(grid=False, labelLimit=250)
    narrow, wide = alt.Scale(paddingInner=0.03), alt.Scale(paddingInner=0.1)
    base = plot.chart_of(points).encode(
        x=alt.X("column:N", sort=columns, title=None, axis=top, scale=narrow),
        y=alt.Y("row:N", sort=rows, title=None, axis=left, scale=wide),
        tooltip=plot.tooltip("model", "task", "score", "counts"),
    )
    shades = alt.Scale(domain=[0, 1], range=[0.07, 0.55])
    cells = base.mark_rect(cornerRadius=4, color=COLOURS[0])
    return [
        cells.encode(opacity=alt.Opacity("shade:Q", legend=None, scale=shades)),
        base.mark_text(fontSize=12.5, color=INK).encode(text="score:N"),
    ]


def draw_groups(section: Section, wanted: wanted_plots.PlotSpec) -> plot.Plot | None:
    """A metric along a group key: lines where the groups are numbers, dots where they are names."""
    asked = (wanted.task, wanted.metric, wanted.group_key)
    if not (ours := plot.scored_values(section, *asked)):
        return None
    metric, theirs = section.metric(wanted.metric), plot.published_values(section, *asked)
    labels = {f"{wanted.group_key}={value}": label for value, label in wanted.labels}
    points = _points(ours, theirs, metric, labels)
    axis = one_line(f"{section.task_title(wanted.task)} · {metric.title}")
    ends = wanted.ends or metric.range
    order = [one_line(label) for label in labels.values()]
    layers, height = _by_group(points, axis, one_line(wanted.group_key), ends, order)
    better = "Lower is better." if metric.is_lower_better else ""
    hollow = "Hollow marks are published values." if theirs else ""
    captions = [wanted.caption or f"{axis}.", better, hollow]
    return plot.of_layers(wanted.title, asked, captions, layers, height)


def _range_of(metric: Metric, points: plot.Marks) -> tuple[float, float] | None:
    """A metric's range; from zero where it may be below and no value is."""
    if metric.range and metric.range[0] < 0 <= min(float(point["value"]) for point in points):
        return 0.0, metric.range[1]
    return metric.range


def _axis_of(values: Sequence[float], ends: tuple[float, float] | None) -> alt.Scale:
    """From end to end where the values lie between; from 0 to 1 for fractions, from 0 for other
    positive values, else what fits."""
    low, high = min(values), max(values)
    if ends and ends[0] <= low and high <= ends[1]:
        return alt.Scale(domain=list(ends), nice=False)
    return alt.Scale(domain=[0, 1]) if low >= 0 and high <= 1 else alt.Scale(zero=low >= 0)


def shapes_of(names: Sequence[str]) -> list[str]:
    """A shape for each published model; people have one of their own."""
    others = cycle(SHAPES)
    return [HUMAN_SHAPE if name == HUMAN else next(others) for name in names]


def _by_group(
    points: plot.Marks,
    axis: str,
    key: str,
    ends: tuple[float, float] | None,
    order: Sequence[str],
) -> tuple[plot.Layers, int]:
    """The layers of a plot by group, and its height."""
    ours, theirs = ([p for p in points if p["kind"] == kind] for kind in ("ours", "published"))
    present = distinct(str(point["group"]) for point in points)
    rest = sorted((one for one in present if one not in order), key=natural)
    groups = [*(one for one in order if one in present), *rest]
    models, papers = (distinct(str(point["model"]) for point in part) for part in (ours, theirs))
    scale = _axis_of([float(point["value"]) for point in points], ends)
    has_numbers = all(group[:1].isdigit() for group in groups)
    pick, faded = plot.legend_pick("model", 1.0 if has_numbers else 0.9, 0.15)
    colour = plot.series_colour("model", models, alt.Legend(title="Here"))
    base = plot.chart_of(ours).encode(color=colour, opacity=faded)
    where: dict[str, Any]
    if has_numbers:
        names = alt.Axis(labelAngle=0, grid=False)
        where = {
            "x": alt.X("group:O", sort=groups, title=key, axis=names),
            "y": alt.Y("value:Q", title=axis, scale=scale, axis=alt.Axis(tickCount=5)),
        }
        layers = [base.mark_line(strokeWidth=2).encode(**where)]
        dots, height = base.mark_point(filled=True, size=70), 300
    else:
        room = alt.Scale(paddingInner=0.55, paddingOuter=0.3)
        where = {
            "y": alt.Y("group:N", sort=groups, title=None, axis=alt.Axis(grid=True), scale=room),
            "x": alt.X("value:Q", title=axis, scale=scale, axis=alt.Axis(tickCount=6)),
        }
        layers, height = [], max(36, 8 * len(models)) * len(groups)
        beside = alt.YOffset("model:N", sort=models)
        dots = base.mark_point(filled=True, size=120).encode(yOffset=beside)
    where["tooltip"] = plot.tooltip("model", "group", "score", "counts")
    layers.append(dots.encode(**where).add_params(pick))
    if theirs:
        legend = alt.Legend(title="Published", symbolStrokeColor=GREY)
        marks = alt.Scale(domain=papers, range=shapes_of(papers))
        shape = alt.Shape("model:N", sort=papers, scale=marks, legend=legend)
        layers.append(plot.hollow_points(theirs, 55).encode(shape=shape, **where))
    return layers, height


_DRAW: dict[type, Callable[[Section, Any], plot.Plot | None]] = {
    wanted_plots.PlotSpec: draw_groups,
    wanted_plots.ScatterPlot: draw_scatter,
    wanted_plots.SharesPlot: draw_shares,
    wanted_plots.MatrixPlot: draw_matrices,
    wanted_plots.OptionMap: draw_option_map,
    wanted_plots.SpreadPlot: draw_spread,
    wanted_plots.BarsPlot: draw_bars,
    wanted_plots.MetricsPlot: draw_metrics,
    wanted_plots.RadarPlot: draw_radar,
    wanted_plots.VariantsPlot: draw_variants,
    wanted_plots.VariancePlot: draw_variance,
    wanted_plots.IntervalsPlot: draw_intervals,
}
