"""Bars with a row for each model: parts of a whole, and scores side by side."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from deadpan.core.plots import BarsPlot, SharesPlot
from deadpan.core.score import select
from deadpan.reports.plot import (
    Mark,
    Plot,
    chart_of,
    finished,
    sentences,
    short_names,
    slug,
    tooltip,
    zero_line,
)
from deadpan.reports.points import group_value
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import counts, number, one_line
from deadpan.reports.theme import COLOURS, INK, PARTS

ROW = 30
_BAR = 17
_TELLING = 0.05
"""A part smaller than this has no room for its number."""


def shares(section: Section, wanted: SharesPlot) -> Plot | None:
    """Stacked bars of each model's parts; None where no model has any."""
    labels = {value: one_line(label) for value, label in wanted.order}
    names = short_names(section.models)
    marks: list[Mark] = []
    for model in section.models:
        marks += _parts(section, wanted, model, names[model])
    if not marks:
        return None
    title = one_line(wanted.title)
    return Plot(
        slug(wanted.task, wanted.metric, wanted.group_key),
        title,
        sentences(wanted.caption),
        finished(_stacked(marks, list(labels.values())), title),
    )


def _parts(section: Section, wanted: SharesPlot, model: str, row: str) -> list[Mark]:
    """A model's parts from first to last with where they begin and end."""
    prefix = f"{wanted.group_key}="
    found = {
        group_value(score.group, prefix): score
        for score in select(section.scores, task=wanted.task, metric=wanted.metric, model=model)
    }
    marks: list[Mark] = []
    start = 0.0
    for value, label in wanted.order:
        score = found.get(value)
        if score is None or score.value is None:
            continue
        percent = f"{100 * score.value:.0f}%"
        marks.append(
            {
                "row": row,
                "model": one_line(model),
                "part": one_line(label),
                "start": start,
                "end": start + score.value,
                "middle": start + score.value / 2,
                "score": percent,
                "printed": percent if score.value >= _TELLING else "",
                "counts": counts(score),
            }
        )
        start += score.value
    return marks


def _stacked(marks: Sequence[Mark], parts: Sequence[str]) -> alt.LayerChart:
    rows = distinct(str(mark["row"]) for mark in marks)
    pick = alt.selection_point(fields=["part"], bind="legend")
    base = chart_of(marks).encode(
        y=_rows(rows),
        tooltip=tooltip("model", "part", "score", "counts", score="share"),
    )
    bars = base.mark_bar(height=_BAR + 5, stroke=None).encode(
        x=alt.X(
            "start:Q",
            title=None,
            scale=alt.Scale(domain=[0, 1], nice=False),
            axis=alt.Axis(format="%", tickCount=5, grid=False),
        ),
        x2="end:Q",
        color=_series(parts, PARTS),
        opacity=alt.condition(pick, alt.value(0.62), alt.value(0.12)),
    )
    texts = base.mark_text(fontSize=11.5, color=INK).encode(x="middle:Q", text="printed:N")
    height = ROW * len(rows)
    return alt.LayerChart(layer=[bars.add_params(pick), texts]).properties(height=height)


def bars(section: Section, wanted: BarsPlot) -> Plot | None:
    """A bar for each model and series; None where no model has a score."""
    names = short_names(section.models)
    found = [
        (one_line(heading), score, score.value)
        for heading, task in wanted.series
        for score in select(section.scores, task=task, metric=wanted.metric, group="all")
        if score.value is not None
    ]
    if not found:
        return None
    metric = section.metric(wanted.metric)
    marks: list[Mark] = [
        {
            "row": names[score.model],
            "model": one_line(score.model),
            "series": heading,
            "value": value,
            "score": number(value, metric.decimals),
            "counts": counts(score),
        }
        for heading, score, value in found
    ]
    rows = [names[m] for m in section.models if any(f.model == m for _, f, _ in found)]
    better = "Lower is better." if metric.is_lower_better else ""
    title = one_line(wanted.title)
    return Plot(
        slug(wanted.metric, *(task for _, task in wanted.series)),
        title,
        sentences(wanted.caption, better),
        finished(_grouped(marks, rows, one_line(metric.title)), title),
    )


def _grouped(marks: Sequence[Mark], rows: Sequence[str], axis: str) -> alt.LayerChart:
    series = distinct(str(mark["series"]) for mark in marks)
    pick = alt.selection_point(fields=["series"], bind="legend")
    base = chart_of(marks).encode(
        y=_rows(rows),
        yOffset=alt.YOffset("series:N", sort=series, scale=alt.Scale(domain=series)),
        x=alt.X("value:Q", title=axis, scale=_with_room(marks), axis=alt.Axis(tickCount=6)),
        tooltip=tooltip("model", "series", "score", "counts"),
    )
    drawn = base.mark_bar(cornerRadiusEnd=2).encode(
        color=_series(series, COLOURS),
        opacity=alt.condition(pick, alt.value(0.85), alt.value(0.15)),
    )
    texts = base.mark_text(
        fontSize=11,
        color=INK,
        align=alt.ExprRef("datum.value < 0 ? 'right' : 'left'"),
        dx=alt.ExprRef("datum.value < 0 ? -5 : 5"),
    ).encode(text="score:N")
    negative = any(float(mark["value"]) < 0 for mark in marks)
    layers = [drawn.add_params(pick), texts, *([zero_line("x")] if negative else [])]
    height = (_BAR * len(series) + 10) * len(rows)
    return alt.LayerChart(layer=layers).properties(height=height)


def _with_room(marks: Sequence[Mark]) -> alt.Scale:
    """From zero to the largest value, and to the least below zero, with room for the numbers."""
    values = [0.0, *(float(mark["value"]) for mark in marks)]
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 1.0
    return alt.Scale(domain=[low - room * (low < 0), high + room * (high > 0)], nice=False)


def _rows(rows: Sequence[str]) -> alt.Y:
    return alt.Y(
        "row:N",
        sort=list(rows),
        title=None,
        axis=alt.Axis(grid=False),
        scale=alt.Scale(domain=list(rows), paddingInner=0.22, paddingOuter=0.1),
    )


def _series(names: Sequence[str], colours: Sequence[str]) -> alt.Color:
    field = "part:N" if colours is PARTS else "series:N"
    palette = [colours[i % len(colours)] for i in range(len(names))]
    return alt.Color(
        field,
        sort=list(names),
        scale=alt.Scale(domain=list(names), range=palette),
        legend=alt.Legend(title=None, symbolType="square"),
    )
