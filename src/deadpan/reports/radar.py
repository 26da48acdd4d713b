"""A small radar for each model: one metric around a circle, an axis for each group."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any, get_args

import altair as alt

from deadpan.core.metric import Metric
from deadpan.core.plots import RadarPlot
from deadpan.core.score import Score, select
from deadpan.core.units import natural
from deadpan.reports import plot
from deadpan.reports.scatter import Align
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import counts, number, one_line
from deadpan.reports.theme import COLOURS, LOOKS

RADIUS = 74
"""Pixels from the centre to the outermost ring."""
_RINGS = (25, 50, 75, 100)
_NUMBERED = (50, 100)
"""The rings that say their value."""
_ROOM, _ABOVE, _BELOW = 74, 34, 24
"""Pixels beside, above and below the outermost ring, for the labels."""
_GAP = 9
_LINE, _CLOSE = 14, LOOKS["radar_label"]["lineHeight"]
"""A label's most characters in a line, and its lines' height in pixels."""
_WIDTH, _HEIGHT = 2 * (RADIUS + _ROOM), 2 * RADIUS + _ABOVE + _BELOW
_FEWEST = 3
"""Axes below which there is no area to see."""

Scores = Mapping[tuple[str, str], Score]
"""By model and group, those that have a value."""


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


def draw_radar(section: Section, wanted: RadarPlot) -> plot.Plot | None:
    """A panel for each model that has a score, with a gap where it has none on an axis; None where
    no model has any, or below three axes. Values are per cent, drawn from 0 to 100."""
    found = select(section.scores, task=wanted.task, metric=wanted.metric)
    scores = {(f.model, f.group): f for f in found if f.value is not None}
    axes = _axes(wanted, [group for _, group in scores])
    models = distinct(model for model, group in scores if group != "all")
    models = [m for m in models if any((m, axis.group) in scores for axis in axes)]
    tested = [m for m in models if m not in section.pooled]
    models = tested if len(tested) == 1 else models
    if not models or len(axes) < _FEWEST:
        return None
    short = plot.short_names(models)
    metric = section.metric(wanted.metric)
    panels = [_panel(short[model], model, axes, scores, metric) for model in models]
    rings = f"Rings at {', '.join(map(str, _RINGS[:-1]))} and {_RINGS[-1]}; all panels alike."
    file = ["radar", wanted.task, wanted.metric, *wanted.groups]
    return plot.of_panels(wanted.title, file, [wanted.caption, rings], panels, _WIDTH)


def _axes(wanted: RadarPlot, present: Sequence[str]) -> list[Axis]:
    """The labelled groups in order, then others of the group keys that have scores."""
    keys = wanted.groups
    values = {group: v for group in present for key in keys if (v := plot.group_value(group, key))}
    labels = {group: label for group, label in wanted.labels if group in values}
    others = sorted(values.keys() - labels.keys(), key=natural)
    labels |= {group: values[group].replace("_", " ") for group in others}
    return [
        Axis(group, one_line(label), 2 * pi * index / len(labels))
        for index, (group, label) in enumerate(labels.items())
    ]


def _panel(
    name: str, model: str, axes: Sequence[Axis], scores: Scores, metric: Metric
) -> alt.LayerChart:
    marks: list[plot.Mark] = []
    for index, axis in enumerate(axes):
        if (score := scores.get((model, axis.group))) and score.value is not None:
            place = axis.at(min(100.0, max(0.0, score.value)) / 100)
            printed = {"score": number(score.value, 2), "counts": counts(score)}
            named = {"model": one_line(model), "group": axis.label}
            marks.append({**named, **printed, "order": index, **place})
    whole = scores.get((model, "all"))
    over = f"{metric.title} {number(whole.value, metric.decimals)}" if whole else "\u200b"
    layers = [*_web(axes), *_shape(_runs(marks, len(axes)), len(axes)), *_texts(axes)]
    title = alt.TitleParams(name, subtitle=over, **LOOKS["radar_title"])
    return alt.LayerChart(layer=layers).properties(title=title, width=_WIDTH, height=_HEIGHT)


def _runs(marks: plot.Marks, axes: int) -> list[plot.Mark]:
    """The marks, each with the run of neighbouring axes it belongs to, across the top as well."""
    orders = [int(mark["order"]) for mark in marks]
    if len(orders) == axes:
        return [{**mark, "run": 0} for mark in marks]
    starts = [order for order in orders if (order - 1) % axes not in orders]
    runs: list[plot.Mark] = []
    for mark, order in zip(marks, orders, strict=True):
        start = min(starts, key=lambda start: (order - start) % axes)
        runs.append({**mark, "run": start, "order": (order - start) % axes})
    return runs


_X = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-_WIDTH / 2, _WIDTH / 2]))
_Y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-RADIUS - _BELOW, RADIUS + _ABOVE]))


def _place(rows: plot.Marks) -> alt.Chart:
    chart: alt.Chart = plot.chart_of(rows).encode(x=_X, y=_Y)
    return chart


def _web(axes: Sequence[Axis]) -> plot.Layers:
    """The rings and the spokes."""
    rings: list[plot.Mark] = [
        {"ring": ring, "order": index, **axis.at(ring / 100)}
        for ring in _RINGS
        for index, axis in enumerate(axes)
    ]
    spokes: list[plot.Mark] = [
        {"spoke": index, "order": end, **axis.at(float(end))}
        for index, axis in enumerate(axes)
        for end in (0, 1)
    ]
    web = _place(rings).mark_line(**LOOKS["radar_ring"])
    lines = _place(spokes).mark_line(**LOOKS["radar_spoke"])
    order = {"order": "order:Q"}
    return [web.encode(detail="ring:N", **order), lines.encode(detail="spoke:N", **order)]


def _shape(marks: plot.Marks, axes: int) -> plot.Layers:
    """The outline, filled only where no axis is missing, and a point on each axis."""
    colour = COLOURS[0]
    look: dict[str, Any] = {"interpolate": "linear", "color": colour, "strokeWidth": 2}
    if len(marks) == axes:
        look |= {"interpolate": "linear-closed", "fill": colour, "fillOpacity": 0.22}
    dots = _place(marks).mark_point(filled=True, size=24, color=colour, opacity=1)
    return [
        _place(marks).mark_line(**look).encode(detail="run:N", order="order:Q"),
        dots.encode(tooltip=plot.tooltip("model", "group", "score", "counts")),
    ]


def _texts(axes: Sequence[Axis]) -> plot.Layers:
    """The values of some rings, half-way between the first axis and the second; and the labels
    outside the outermost ring, each turned towards it."""
    between, flat = Axis("", "", pi / len(axes)), cos(pi / len(axes))
    rows: list[plot.Mark] = [{"ring": str(r), **between.at(flat * r / 100)} for r in _NUMBERED]
    values = _place(rows).mark_text(**LOOKS["radar_value"])
    layers = [values.encode(text="ring:N")]
    for align in get_args(Align):
        if labels := [_label(axis) for axis in axes if _side(axis) == align]:
            texts = _place(labels).mark_text(align=align, **LOOKS["radar_label"])
            layers.append(texts.encode(text="label:N"))
    return layers


def _side(axis: Axis) -> Align:
    across = sin(axis.angle)
    return "center" if abs(across) < 0.15 else "left" if across > 0 else "right"


def _label(axis: Axis) -> plot.Mark:
    """A label and its place; text of two lines hangs from its first, so that goes up by half."""
    more = axis.lines.count("\n")
    place = axis.at(1.0, _GAP)
    lift = more * _CLOSE / 2 + cos(axis.angle) * more * _CLOSE / 2
    return {"label": axis.lines, "x": place["x"], "y": place["y"] + lift}
