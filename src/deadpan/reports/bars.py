"""Scores beside each other: parts of a whole, bars, and how models spread over groups."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import product
from statistics import fmean

import altair as alt

from deadpan.core.plots import BarsPlot, SharesPlot, SpreadPlot
from deadpan.core.units import natural
from deadpan.reports import plot
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import NOTHING, counts, number, one_line
from deadpan.reports.theme import COLOURS, INK, PARTS, RANKS

_ROW, _BAR = 30, 17
_LEAST = 0.05
"""A part smaller than this has no room for its number."""
_SPREAD = 340
_NEAR = 9 / _SPREAD
"""Points nearer than this share of the axis would cover each other."""
_ROOM, _LETTERS = 104, 14
"""The least pixels that a group has, and how many characters of its label fit into them."""
_STEP = 0.09
"""How far apart such points are set, as a share of a series' room."""
_SQUARES = alt.Legend(title=None, symbolType="square")
_LEGEND = 500
"""The pixels that a legend of one line may have; a letter has about 7, and a square with its space
40."""


def draw_shares(section: Section, wanted: SharesPlot) -> plot.Plot | None:
    """Stacked bars of each model's parts, from first to last; None where no model has any."""
    names = plot.short_names(section.models)
    asked = (wanted.task, wanted.metric, wanted.group_key)
    found = {
        (f.model, value): (f, share) for value, f, share in plot.scored_values(section, *asked)
    }
    marks: list[plot.Mark] = []
    for model in section.models:
        start = 0.0
        for value, label in wanted.order:
            if (model, value) in found:
                score, share = found[model, value]
                marks.append(
                    {
                        "row": names[model],
                        "model": one_line(model),
                        "part": one_line(label),
                        "start": start,
                        "end": start + share,
                        "middle": start + share / 2,
                        "score": f"{100 * share:.0f}%",
                        "printed": f"{100 * share:.0f}%" if share >= _LEAST else "",
                        "counts": counts(score),
                    }
                )
                start += share
    if not marks:
        return None
    rows = distinct(str(mark["row"]) for mark in marks)
    parts = [one_line(label) for _, label in wanted.order]
    layers = _stack(marks, rows, parts, RANKS if wanted.ranked else PARTS)
    return plot.of_layers(wanted.title, asked, [wanted.caption], layers, _ROW * len(rows))


def _stack(
    marks: plot.Marks, rows: list[str], parts: list[str], colours: Sequence[str]
) -> plot.Layers:
    pick, faded = plot.legend_pick("part", 0.62, 0.12)
    tip = plot.tooltip("model", "part", "score", "counts", score="share")
    base = plot.chart_of(marks).encode(y=_rows(rows), tooltip=tip)
    axis, scale = (
        alt.Axis(format="%", tickCount=5, grid=False),
        alt.Scale(domain=[0, 1], nice=False),
    )
    bars = base.mark_bar(height=_BAR + 5, stroke=None).encode(
        x=alt.X("start:Q", title=None, scale=scale, axis=axis),
        x2="end:Q",
        color=plot.series_colour("part", parts, _legend(parts), colours),
        opacity=faded,
    )
    texts = base.mark_text(fontSize=11.5, color=INK).encode(x="middle:Q", text="printed:N")
    return [bars.add_params(pick), texts]


def _legend(parts: Sequence[str]) -> alt.Legend:
    """A legend in one line where there is room for it, else in lines that are about as long."""
    wide = sum(40 + 7 * len(part) for part in parts)
    lines = -(-wide // _LEGEND)
    return alt.Legend(title=None, symbolType="square", columns=-(-len(parts) // lines))


def draw_bars(section: Section, wanted: BarsPlot) -> plot.Plot | None:
    """A bar for each model and series; None where no model has a score."""
    found = [
        (heading if key == "" else f"{key} {group}", score, value)
        for heading, task in wanted.series
        for key in dict.fromkeys(("", wanted.group_key))
        for group, score, value in plot.scored_values(section, task, wanted.metric, key)
    ]
    if not found:
        return None
    present = distinct(score.model for _, score, _ in found)
    others = [model for model in present if model not in section.models]
    rated = [*(model for model in section.models if model in present), *others]
    names, metric = plot.short_names(rated), section.metric(wanted.metric)
    marks: list[plot.Mark] = [
        {
            "row": names[score.model],
            "model": one_line(score.model),
            "series": one_line(series),
            "value": value,
            "score": number(value, metric.decimals),
            "counts": counts(score),
        }
        for series, score, value in found
    ]
    rows = list(names.values())
    series = distinct(str(mark["series"]) for mark in marks)
    layers = _group(marks, rows, series, one_line(metric.title))
    captions = [wanted.caption, "Lower is better." if metric.is_lower_better else ""]
    file = [wanted.metric, *(task for _, task in wanted.series)]
    return plot.of_layers(
        wanted.title, file, captions, layers, (_BAR * len(series) + 10) * len(rows)
    )


def _group(marks: plot.Marks, rows: list[str], series: list[str], axis: str) -> plot.Layers:
    # From zero to the largest value, and to the least below zero, with room for the numbers.
    values = [0.0, *(float(mark["value"]) for mark in marks)]
    low, high = min(values), max(values)
    if low == high:  # zeros alone
        high = 1.0
    room = 0.16 * (high - low)
    ends = alt.Scale(domain=[low - room * (low < 0), high + room * (high > 0)], nice=False)
    pick, faded = plot.legend_pick("series", 0.85, 0.15)
    base = plot.chart_of(marks).encode(
        y=_rows(rows),
        yOffset=alt.YOffset("series:N", sort=series, scale=alt.Scale(domain=series)),
        x=alt.X("value:Q", title=axis, scale=ends, axis=alt.Axis(tickCount=6)),
        tooltip=plot.tooltip("model", "series", "score", "counts"),
    )
    colour = plot.series_colour("series", series, _SQUARES, COLOURS)
    bars = base.mark_bar(cornerRadiusEnd=2).encode(color=colour, opacity=faded)
    side = alt.ExprRef("datum.value < 0 ? 'right' : 'left'")
    apart = alt.ExprRef("datum.value < 0 ? -5 : 5")
    texts = base.mark_text(fontSize=11, color=INK, align=side, dx=apart).encode(text="score:N")
    return [bars.add_params(pick), texts, *([plot.zero_line("x")] if low < 0 else [])]


def _rows(rows: list[str]) -> alt.Y:
    scale = alt.Scale(domain=rows, paddingInner=0.22, paddingOuter=0.1)
    return alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(grid=False), scale=scale)


def draw_spread(section: Section, wanted: SpreadPlot) -> plot.Plot | None:
    """Points beside each other where they would overlap; None where there is no score."""
    labels = {value: _wrap(label) for value, label in wanted.labels}
    marks: list[plot.Mark] = [
        {
            "model": one_line(score.model),
            "series": one_line(heading),
            "group": labels.get(group, _wrap(group)),
            "value": value,
            "counts": counts(score),
        }
        for heading, task in wanted.series
        for group, score, value in plot.scored_values(
            section, task, wanted.metric, wanted.group_key
        )
    ]
    if not marks:
        return None
    metric = section.metric(wanted.metric)
    values = [0.0, *(float(mark["value"]) for mark in marks)]
    span = max(values) - min(values) or 1.0
    series = distinct(str(mark["series"]) for mark in marks)
    present = {str(mark["group"]) for mark in marks}
    known = [label for label in labels.values() if label in present]
    groups = known + sorted(present - set(known), key=natural)
    points: list[plot.Mark] = []
    means: list[plot.Mark] = []
    for group, (index, heading) in product(groups, enumerate(series)):
        if own := [m for m in marks if (m["group"], m["series"]) == (group, heading)]:
            centre = (index + 0.5) / len(series)
            points += _side_by_side(own, centre, 1 / len(series), span, metric.decimals)
            means.append(_mean(own, centre, metric.decimals))
    return plot.of_layers(
        wanted.title,
        [wanted.metric, wanted.group_key, *(task for _, task in wanted.series)],
        [wanted.caption, "A point is a model; a bar marks the mean over models."],
        _points_and_means(points, means, groups, series, one_line(metric.title)),
        _SPREAD,
        narrowest=max(plot.NARROWEST, _ROOM * len(groups)),
    )


def _wrap(label: str) -> str:
    """A group's label in lines that fit beside those of its neighbours."""
    return "\n".join(textwrap.wrap(one_line(label), _LETTERS)) or NOTHING


def _side_by_side(
    marks: plot.Marks, centre: float, room: float, span: float, places: int
) -> list[plot.Mark]:
    """The points of one column from low to high, each beside those it would cover."""
    placed: list[plot.Mark] = []
    for mark in sorted(marks, key=lambda m: (float(m["value"]), str(m["model"]))):
        value = float(mark["value"])
        near = {p["side"] for p in placed if value - float(p["value"]) < _NEAR * span}
        sides = [0, *(sign * step for step in range(1, len(marks) + 1) for sign in (1, -1))]
        side = next(side for side in sides if side not in near)
        at = centre + room * max(-0.46, min(0.46, side * _STEP))
        placed.append({**mark, "side": side, "at": at, "score": number(value, places)})
    return placed


def _mean(marks: plot.Marks, centre: float, places: int) -> plot.Mark:
    mean = fmean(float(mark["value"]) for mark in marks)
    return {
        "model": f"mean of {len(marks)}",
        "series": marks[0]["series"],
        "group": marks[0]["group"],
        "value": mean,
        "score": number(mean, places),
        "counts": f"{len(marks)} models",
        "at": centre,
    }


def _points_and_means(
    points: plot.Marks, means: plot.Marks, groups: list[str], series: list[str], axis: str
) -> plot.Layers:
    # Zeros alone would leave the axis with one tick in its middle.
    scale = alt.Scale() if any(point["value"] for point in points) else alt.Scale(domain=[0, 1])
    names = alt.Axis(labelAngle=0, grid=False, labelLimit=140, labelExpr=plot.LINES)
    room = alt.Scale(paddingInner=0.15)
    legend = alt.Legend(title=None) if len(series) > 1 else None
    where = {
        "x": alt.X("group:N", sort=groups, title=None, axis=names, scale=room),
        "xOffset": alt.XOffset("at:Q", scale=alt.Scale(domain=[0, 1])),
        "y": alt.Y("value:Q", title=axis, scale=scale, axis=alt.Axis(tickCount=6)),
        "color": plot.series_colour("series", series, legend),
        "tooltip": plot.tooltip("model", "series", "group", "score", "counts"),
    }
    pick, faded = plot.legend_pick("series", 0.7, 0.1)
    dots = plot.chart_of(points).mark_point(filled=True, size=58).encode(opacity=faded, **where)
    bars = plot.chart_of(means).mark_tick(thickness=3, size=34, orient="horizontal").encode(**where)
    return [plot.zero_line("y"), dots.add_params(pick), bars]
