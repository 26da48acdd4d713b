"""A small radar for each model: one metric around a circle, an axis for each group."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import get_args

import altair as alt

from deadpan.core.metric import Metric
from deadpan.core.plots import RadarPlot
from deadpan.core.score import Score, select
from deadpan.core.units import natural
from deadpan.reports.labels import Align
from deadpan.reports.plot import (
    SPACING,
    Mark,
    Plot,
    chart_of,
    finished_panels,
    sentences,
    short_names,
    slug,
    tooltip,
)
from deadpan.reports.points import group_value
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import counts, number, one_line
from deadpan.reports.theme import COLOURS, GREY

RADIUS = 74
"""Pixels from the centre to the outermost ring."""
MOST_COLUMNS = 3
_RINGS = (25, 50, 75, 100)
_TOLD = (50, 100)
"""The rings that say their value."""
_ROOM, _ABOVE, _BELOW = 74, 34, 24
"""Pixels beside, above and below the outermost ring, for the labels."""
_GAP = 9
_LINE, _CLOSE = 14, 11
"""A label's most characters in a line, and its lines' height in pixels."""
_WIDTH, _HEIGHT = 2 * (RADIUS + _ROOM), 2 * RADIUS + _ABOVE + _BELOW
_FEWEST = 3
"""Axes below which there is no area to see."""


@dataclass(frozen=True)
class Axis:
    """A group, its label, and where its axis points, clockwise from the top."""

    group: str
    label: str
    angle: float

    @property
    def lines(self) -> str:
        """The label in at most two lines, the rest left out; after a slash it may break."""
        wide = any(ord(letter) > 0x2E7F for letter in self.label)
        most = _LINE // 2 if wide else _LINE
        parted = self.label.replace("/", "/ ")
        lines = textwrap.wrap(parted, most, max_lines=2, placeholder="…")
        return "\n".join(line.replace("/ ", "/") for line in lines)

    def at(self, share: float, beyond: float = 0.0) -> dict[str, float]:
        """The place at a share of the radius, and so many pixels beyond it, from the centre."""
        reach = share * RADIUS + beyond
        return {"x": reach * sin(self.angle), "y": reach * cos(self.angle)}


def radar(section: Section, wanted: RadarPlot) -> Plot | None:
    """A panel for each model that has a score, with a gap where it has none on an axis; None where
    no model has any, or below three axes. Values are per cent, drawn from 0 to 100."""
    found = select(section.scores, task=wanted.task, metric=wanted.metric)
    scores = {(f.model, f.group): f for f in found if f.value is not None}
    axes = _axes(wanted, [group for _, group in scores])
    models = distinct(model for model, group in scores if group != "all")
    models = [m for m in models if any((m, axis.group) in scores for axis in axes)]
    tested = [m for m in models if m != section.benchmark.report.pooled]
    models = tested if len(tested) == 1 else models
    if not models or len(axes) < _FEWEST:
        return None
    short = short_names(models)
    metric = section.metric(wanted.metric)
    panels = [_panel(short[model], model, axes, scores, metric) for model in models]
    title, wide = one_line(wanted.title), _WIDTH + SPACING
    rings = f"Rings at {', '.join(map(str, _RINGS[:-1]))} and {_RINGS[-1]}; all panels alike."
    return Plot(
        slug("radar", wanted.task, wanted.metric, *wanted.groups),
        title,
        sentences(wanted.caption, rings),
        finished_panels(panels, title, min(len(panels), MOST_COLUMNS)),
        narrowest=wide,
        panel=wide,
    )


def _axes(wanted: RadarPlot, present: Sequence[str]) -> list[Axis]:
    """The labelled groups in order, then others of the group keys that have scores."""
    keys = {f"{key}=": None for key in wanted.groups}
    values = {group: v for group in present for key in keys if (v := group_value(group, key))}
    labels = {group: label for group, label in wanted.labels if group in values}
    others = sorted(values.keys() - labels.keys(), key=natural)
    labels |= {group: values[group].replace("_", " ") for group in others}
    return [
        Axis(group, one_line(label), 2 * pi * index / len(labels))
        for index, (group, label) in enumerate(labels.items())
    ]


def _panel(
    name: str,
    model: str,
    axes: Sequence[Axis],
    scores: Mapping[tuple[str, str], Score],
    metric: Metric,
) -> alt.LayerChart:
    marks = [_mark(axis, index, scores.get((model, axis.group))) for index, axis in enumerate(axes)]
    own = _runs([mark for mark in marks if mark is not None], len(axes))
    whole = scores.get((model, "all"))
    over = "" if whole is None or whole.value is None else number(whole.value, metric.decimals)
    layers = [_web(axes), _spokes(axes), *_shape(own, len(own) == len(axes)), _ring_values(axes)]
    return alt.LayerChart(layer=[*layers, *_labels(axes)]).properties(
        title=alt.TitleParams(
            name,
            subtitle=f"{metric.title} {over}" if over else "\u200b",
            subtitleColor=GREY,
            subtitleFontSize=11,
            fontSize=13,
            fontWeight=600,
            anchor="middle",
            offset=4,
        ),
        width=_WIDTH,
        height=_HEIGHT,
    )


def _mark(axis: Axis, index: int, score: Score | None) -> dict[str, str | float] | None:
    if score is None or score.value is None:
        return None
    return {
        "model": one_line(score.model),
        "group": axis.label,
        "score": number(score.value, 2),
        "counts": counts(score),
        "order": index,
        **axis.at(min(100.0, max(0.0, score.value)) / 100),
    }


def _runs(marks: Sequence[Mark], axes: int) -> list[Mark]:
    """The marks, each with the run of neighbouring axes it belongs to, across the top as well."""
    orders = [int(mark["order"]) for mark in marks]
    if len(orders) == axes:
        return [{**mark, "run": 0} for mark in marks]
    starts = [order for order in orders if (order - 1) % axes not in orders]
    runs: list[Mark] = []
    for mark, order in zip(marks, orders, strict=True):
        start = min(starts, key=lambda start: (order - start) % axes)
        runs.append({**mark, "run": start, "order": (order - start) % axes})
    return runs


_X = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-_WIDTH / 2, _WIDTH / 2]))
_Y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-RADIUS - _BELOW, RADIUS + _ABOVE]))


def _web(axes: Sequence[Axis]) -> alt.Chart:
    rows: list[Mark] = [
        {"ring": ring, "order": index, **axis.at(ring / 100)}
        for ring in _RINGS
        for index, axis in enumerate(axes)
    ]
    web: alt.Chart = chart_of(rows).mark_line(
        interpolate="linear-closed", color=GREY, strokeWidth=1, opacity=0.35
    )
    return web.encode(x=_X, y=_Y, detail="ring:N", order="order:Q")


def _spokes(axes: Sequence[Axis]) -> alt.Chart:
    rows: list[Mark] = [
        {"spoke": index, "order": end, **axis.at(float(end))}
        for index, axis in enumerate(axes)
        for end in (0, 1)
    ]
    spokes: alt.Chart = chart_of(rows).mark_line(color=GREY, strokeWidth=1, opacity=0.25)
    return spokes.encode(x=_X, y=_Y, detail="spoke:N", order="order:Q")


def _shape(marks: Sequence[Mark], closed: bool) -> list[alt.Chart]:
    """The outline, filled only where no axis is missing, and a point on each axis."""
    colour = COLOURS[0]
    base = chart_of(marks).encode(x=_X, y=_Y)
    line = base.mark_line(interpolate="linear", color=colour, strokeWidth=2)
    if closed:
        line = base.mark_line(
            interpolate="linear-closed", color=colour, strokeWidth=2, fill=colour, fillOpacity=0.22
        )
    dots = base.mark_point(filled=True, size=24, color=colour, opacity=1)
    return [
        line.encode(detail="run:N", order="order:Q"),
        dots.encode(tooltip=tooltip("model", "group", "score", "counts")),
    ]


def _ring_values(axes: Sequence[Axis]) -> alt.Chart:
    """The values of some rings, half-way between the first axis and the second."""
    between = Axis("", "", pi / len(axes))
    flat = cos(pi / len(axes))
    rows: list[Mark] = [{"ring": str(r), **between.at(flat * r / 100)} for r in _TOLD]
    texts: alt.Chart = chart_of(rows).mark_text(fontSize=9, color=GREY, opacity=0.9)
    return texts.encode(x=_X, y=_Y, text="ring:N")


def _labels(axes: Sequence[Axis]) -> list[alt.Chart]:
    """The axes' labels outside the outermost ring, each turned towards it."""
    layers = []
    for align in get_args(Align):
        rows = [_label(axis) for axis in axes if _side(axis) == align]
        if rows:
            texts = chart_of(rows).mark_text(
                align=align, fontSize=10, lineHeight=_CLOSE, lineBreak="\n", baseline="middle"
            )
            layers.append(texts.encode(x=_X, y=_Y, text="label:N"))
    return layers


def _side(axis: Axis) -> Align:
    across = sin(axis.angle)
    return "center" if abs(across) < 0.15 else "left" if across > 0 else "right"


def _label(axis: Axis) -> Mark:
    """A label and its place; text of two lines hangs from its first, so that goes up by half."""
    lines = axis.lines
    more = lines.count("\n")
    place = axis.at(1.0, _GAP)
    tall = (more + 1) * _CLOSE
    lift = more * _CLOSE / 2 + cos(axis.angle) * (tall - _CLOSE) / 2
    return {"label": lines, "x": place["x"], "y": place["y"] + lift}
