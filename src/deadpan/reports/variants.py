"""What scores need and what they hang on: questions asked with less, and sources of variance."""

from __future__ import annotations

from typing import Any

import altair as alt

from deadpan.core.metric import Metric
from deadpan.core.plots import VariancePlot, VariantsPlot
from deadpan.core.score import Score, select
from deadpan.core.signature import parse_signature
from deadpan.reports import plot
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import counts, number, one_line
from deadpan.reports.theme import COLOURS, GREY, INK, LOOKS, PARTS

_ROW, _WIDTH, _BAR = 34, 470, 22
_LINE, _LEAST_BAND = 11, 34
"""Pixels of a way's line, and the least of a task's band."""
_TWO_LINES: dict[str, Any] = {"labelBaseline": "middle", "labelOffset": -7}
_FULL, _CHANCE = "in full", "chance"
_RED = "#d6246e"
"""Seen on light and dark pages."""
_LEAST = 0.06
"""A share smaller than this has no room for its number."""


Asked = dict[tuple[str, str, str, str], Score]
"""By model, way, task and metric."""


def draw_variants(section: Section, wanted: VariantsPlot) -> plot.Plot | None:
    """A panel for each model that was asked in full and otherwise; None where there is none."""
    found = _asked(section, wanted)
    varied = {model for model, way, *_ in found if way}
    models = [one for one in distinct(model for model, *_ in found) if one in varied]
    panels = [(model, _points(section, wanted, model, found)) for model in models]
    panels = [(model, marks) for model, marks in panels if marks]
    if not panels:
        return None
    names = plot.short_names(model for model, _ in panels)
    charts = [
        _panel(names[model], marks, wanted.ways, at == 0)
        for at, (model, marks) in enumerate(panels)
    ]
    note = "Scores along the range of their metrics, the better end right, with 95 % intervals."
    file = ["variants", section.benchmark.name]
    return plot.of_panels(wanted.title, file, [note, wanted.caption], charts, _WIDTH + 190)


def _asked(section: Section, wanted: VariantsPlot) -> Asked:
    """The overall scores by whom and how they were asked, as their signatures tell; a model's name
    is that without the way in brackets."""
    found: Asked = {}
    for score in select(section.scores, group="all"):
        way = parse_signature(score.signature).way if score.signature else ""
        if score.value is not None and way in ("", *wanted.ways):
            model = score.model.replace(f" ({way})", "", 1) if way else score.model
            found[model, way, score.task, score.metric] = score
    return found


def _points(section: Section, wanted: VariantsPlot, model: str, found: Asked) -> list[plot.Mark]:
    chance = {(task, metric): value for task, metric, value in wanted.chance}
    marks: list[plot.Mark] = []
    for heading, task, metrics in wanted.rows:
        name = next((one for one in metrics if (model, "", task, one) in found), None)
        metric = section.metric(name) if name else None
        if name is None or metric is None or metric.range is None:
            continue
        row = f"{one_line(heading)}\n{one_line(metric.title)}{' ↓' * metric.is_lower_better}"
        if (task, name) in chance:
            guessed = chance[task, name]
            marks.append(_mark(row, _CHANCE, guessed, metric, "what guessing gets", None))
        for way in ("", *wanted.ways):
            score = found.get((model, way, task, name))
            if score is not None and score.value is not None:
                known = score.low is not None and score.high is not None
                ends = (score.low, score.high) if known else None
                told = (score.value, metric, counts(score), ends)
                marks.append(_mark(row, way or _FULL, *told))  # type: ignore[arg-type]
    return marks


def _mark(
    row: str, way: str, value: float, metric: Metric, told: str, ends: tuple[float, float] | None
) -> plot.Mark:
    low, high = metric.range or (0.0, 1.0)

    def place(at: float) -> float:
        share = (at - low) / (high - low)
        return 1 - share if metric.is_lower_better else share

    between = sorted(map(place, ends)) if ends else [place(value)] * 2
    return {
        "row": row,
        "way": one_line(way),
        "place": place(value),
        "from": between[0],
        "to": between[1],
        "score": number(value, metric.decimals),
        "counts": told,
    }


def _panel(title: str, marks: plot.Marks, ways: tuple[str, ...], is_first: bool) -> alt.LayerChart:
    """A band for each task, in it a line for each way; the full score and chance cross the band."""
    rows = distinct(str(mark["row"]) for mark in marks)
    order = list(map(one_line, ways))
    band = max(_LEAST_BAND, _LINE * len(order) + 8)
    scale = alt.Scale(domain=rows, paddingInner=0.16, paddingOuter=0.08)
    axis = alt.Axis(grid=False, labelExpr=plot.LINES, labelLimit=230, domain=False, **_TWO_LINES)
    where: dict[str, Any] = {
        "y": alt.Y("row:N", sort=rows, title=None, axis=axis, scale=scale),
        "tooltip": plot.tooltip("way", "score", "counts"),
    }
    ticks = alt.Axis(format="%", tickCount=5)
    along = alt.X(
        "place:Q", title=None, scale=alt.Scale(domain=[0, 1], nice=False, clamp=True), axis=ticks
    )
    beside = alt.YOffset("way:N", sort=order, scale=alt.Scale(domain=order))
    legend = alt.Legend(title=None, symbolSize=90) if is_first else None
    colour = plot.series_colour("way", order, legend, COLOURS)
    own = plot.chart_of([mark for mark in marks if mark["way"] in order])
    spans = own.mark_rule(strokeWidth=1.6).encode(
        **where,
        x=alt.X("from:Q", title=None),
        x2="to:Q",
        yOffset=beside,
        color=colour,
    )
    dots = own.mark_point(filled=True, size=70).encode(
        **where, x=along, yOffset=beside, color=colour, opacity=alt.value(0.95)
    )
    layers = [
        _line(marks, _CHANCE, GREY, where, along, band),
        _line(marks, _FULL, _RED, where, along, band),
        spans,
        dots,
    ]
    guessed = any(mark["way"] == _CHANCE for mark in marks)
    lines = f"red line: {_FULL}" + (f"; grey line: {_CHANCE}" if guessed else "")
    return alt.LayerChart(layer=layers).properties(
        title=alt.TitleParams(title, subtitle=lines, **LOOKS["panel_title"]),
        width=_WIDTH,
        height=band * len(rows),
    )


def _line(
    marks: plot.Marks, way: str, colour: str, where: dict[str, Any], along: alt.X, band: int
) -> alt.Chart:
    own = plot.chart_of([mark for mark in marks if mark["way"] == way])
    line: alt.Chart = own.mark_tick(color=colour, thickness=2.5, size=band * 0.86, opacity=1)
    return line.encode(**where, x=along)


def draw_variance(section: Section, wanted: VariancePlot) -> plot.Plot | None:
    """Stacked shares of variance by source, a row for each model and task; None without any."""
    found = [
        (score, group, score.value)
        for score in section.scores
        if score.metric == wanted.metric
        and (group := plot.group_value(score.group, "source")) in wanted.sources
        and score.value is not None
    ]
    if not found:
        return None
    titles = {spec.name: spec.title for spec in section.benchmark.tasks}
    several = len({score.model for score, *_ in found}) > 1
    marks: list[plot.Mark] = []
    ends: dict[str, float] = {}
    for source in wanted.sources:
        for score, group, share in found:
            if group != source:
                continue
            task = one_line(titles.get(score.task, score.task))
            row = f"{task}\n{one_line(score.model)}" if several else task
            start = ends.get(row, 0.0)
            ends[row] = start + share
            printed = f"{100 * share:.0f}%"
            marks.append(
                {
                    "row": row,
                    "source": source,
                    "start": start,
                    "end": start + share,
                    "middle": start + share / 2,
                    "score": printed,
                    "printed": printed if share >= _LEAST else "",
                }
            )
    rows = distinct(str(mark["row"]) for mark in marks)
    present = [one for one in wanted.sources if any(mark["source"] == one for mark in marks)]
    file = [wanted.metric, section.benchmark.name]
    tall = (_ROW + 10 * several) * len(rows)
    return plot.of_layers(wanted.title, file, [wanted.caption], _stack(marks, rows, present), tall)


def _stack(marks: plot.Marks, rows: list[str], sources: list[str]) -> plot.Layers:
    pick, faded = plot.legend_pick("source", 0.62, 0.12)
    axis = alt.Axis(grid=False, labelExpr=plot.LINES, labelLimit=240)
    scale = alt.Scale(domain=rows, paddingInner=0.22, paddingOuter=0.1)
    base = plot.chart_of(marks).encode(
        y=alt.Y("row:N", sort=rows, title=None, axis=axis, scale=scale),
        tooltip=plot.tooltip("row", "source", "score", row="task", score="share of variance"),
    )
    legend = alt.Legend(title=None, symbolType="square")
    bars = base.mark_bar(height=_BAR, stroke=None).encode(
        x=alt.X(
            "start:Q",
            title=None,
            scale=alt.Scale(domain=[0, 1], nice=False),
            axis=alt.Axis(format="%", tickCount=5, grid=False),
        ),
        x2="end:Q",
        color=plot.series_colour("source", sources, legend, PARTS),
        opacity=faded,
    )
    texts = base.mark_text(fontSize=11.5, color=INK).encode(x="middle:Q", text="printed:N")
    return [bars.add_params(pick), texts]
