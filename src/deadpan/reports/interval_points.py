"""Scores with their intervals as points on lines, row by row."""

from __future__ import annotations

import altair as alt

from deadpan.core.plots import IntervalsPlot
from deadpan.reports import plot
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import counts, number, one_line
from deadpan.reports.theme import COLOURS, GREY, INK

_LINE, _GAP = 21, 16
"""Pixels of a point's line, and between rows."""
_COLOURS = (GREY, "#e0672f", "#2f7de1")
"""The last series, which the others lead to, in the strongest colour."""


def draw_intervals(section: Section, wanted: IntervalsPlot) -> plot.Plot | None:
    """A point and a line from end to end of its interval for each row and series; None where there
    is no score."""
    found = [
        (heading, group, score, value)
        for heading, metric in wanted.series
        for group, score, value in plot.scored_values(
            section, wanted.task, metric, wanted.group_key
        )
    ]
    if not found:
        return None
    metric = section.metric(wanted.series[0][1])
    names = plot.short_names(score.model for _, _, score, _ in found)
    marks: list[plot.Mark] = []
    for heading, group, score, value in found:
        low = value if score.low is None else score.low
        high = value if score.high is None else score.high
        known = "" if score.low is None else f", {number(low, metric.decimals)} to "
        ends = known and known + number(high, metric.decimals)
        marks.append(
            {
                "row": one_line(group) if wanted.group_key else names[score.model],
                "model": one_line(score.model),
                "series": one_line(heading),
                "value": value,
                "low": low,
                "high": high,
                "score": number(value, metric.decimals),
                "interval": number(value, metric.decimals) + ends,
                "counts": counts(score),
            }
        )
    rows = distinct(str(mark["row"]) for mark in marks)
    series = distinct(str(mark["series"]) for mark in marks)
    height = (_LINE * len(series) + _GAP) * len(rows)
    span = _span(marks, wanted.ends)
    layers = _layers(marks, rows, series, one_line(wanted.axis or metric.title), span)
    file = ["intervals", wanted.task, wanted.group_key, *(name for _, name in wanted.series)]
    return plot.of_layers(wanted.title, file, [wanted.caption], layers, height)


def _span(marks: plot.Marks, ends: tuple[float, float] | None) -> list[float]:
    """From the least to the most that is drawn, with room for the numbers."""
    low = min(float(mark["low"]) for mark in marks)
    high = max(float(mark["high"]) for mark in marks)
    if ends:
        low, high = min(low, ends[0]), max(high, ends[1])
    room = 0.06 * (high - low) or 0.5
    return [low - room * (not ends or low < ends[0]), high + room * 1.8]


def _layers(
    marks: plot.Marks, rows: list[str], series: list[str], title: str, span: list[float]
) -> plot.Layers:
    scale = alt.Scale(domain=span, nice=False, zero=False)
    pick, faded = plot.legend_pick("series", 1.0, 0.2)
    beside = alt.YOffset("series:N", sort=series, scale=alt.Scale(domain=series, paddingInner=0.2))
    place = alt.Scale(domain=rows, paddingInner=0.18, paddingOuter=0.06)
    y = alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(grid=False), scale=place)
    colours = _COLOURS[-len(series) :] if len(series) <= len(_COLOURS) else COLOURS
    base = plot.chart_of(marks).encode(
        y=y,
        yOffset=beside,
        color=plot.series_colour("series", series, alt.Legend(title=None), colours),
        opacity=faded,
        tooltip=plot.tooltip("row", "series", "interval", "counts", row="of"),
    )
    axis = alt.X("low:Q", title=title, scale=scale, axis=alt.Axis(tickCount=6))
    lines = base.mark_rule(strokeWidth=2.4).encode(x=axis, x2="high:Q")
    dots = base.mark_point(filled=True, size=85, opacity=1).encode(x="value:Q")
    texts = base.mark_text(fontSize=11, align="left", dx=7, color=INK).encode(
        x="high:Q", text="score:N", color=alt.value(INK)
    )
    return [lines.add_params(pick), dots, texts]
