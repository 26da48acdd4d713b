"""One labelled point for each model, placed by two metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import altair as alt

from deadpan.core.metric import Metric
from deadpan.core.plots import ScatterPlot
from deadpan.core.score import select
from deadpan.reports import plot
from deadpan.reports.comparing import compared_scores
from deadpan.reports.section import Section
from deadpan.reports.text import counts, number, one_line
from deadpan.reports.theme import COLOURS, INK

WIDTH, HEIGHT = 640, 400
_MARGIN, _LEAST = 0.08, 0.25
"""Shares: of what is shown around the points, and of a metric's range that an axis has at least."""
_CHARACTER, _WIDE_CHARACTER, _LINE, _DOT = 6.6, 12.0, 14.0, 6.0

Align = Literal["left", "right", "center"]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Place(NamedTuple):
    """How far a label stands from its point, in pixels, and which side of it faces the point."""

    dx: float
    dy: float
    align: Align


_PLACES = (
    Place(9, 0, "left"),
    Place(-9, 0, "right"),
    Place(0, -13, "center"),
    Place(0, 13, "center"),
    *(
        Place(side * 7, dy, "left" if side > 0 else "right")
        for dy in (-12, 12, -24, 24, -36, 36)
        for side in (1, -1)
    ),
)


def draw_scatter(section: Section, wanted: ScatterPlot) -> plot.Plot | None:
    """The plot of the models that have both metrics, over the items that all of them have answered
    where there are such scores; None where no model of this run has."""
    asked, (scores, pairs, over) = section, compared_scores(section, [wanted.x, wanted.y])
    if pairs == {wanted.x, wanted.y}:
        asked = replace(section, scores=scores)
    up = {score.model: (score, value) for _, score, value in plot.scored_values(asked, *wanted.y)}
    marks: list[plot.Mark] = [
        {"model": model, "x": value, "y": up[model][1], "counts": counts(up[model][0])}
        for model, value in (
            (score.model, x) for _, score, x in plot.scored_values(asked, *wanted.x)
        )
        if model in up
    ]
    if not marks:
        return None
    printed = {row["model"]: row["value"] for row in plot.published_values(section, *wanted.x)}
    theirs: list[plot.Mark] = [
        {
            "model": row["model"],
            "x": printed[row["model"]],
            "y": row["value"],
            "counts": row["note"],
            "published": 1.0,
        }
        for row in plot.published_values(section, *wanted.y)
        if row["model"] in printed
    ]
    said = "" if asked is section else f"Our values are {over}."
    captions = [wanted.caption, said, "Hollow marks are published values." if theirs else ""]
    layers = _layers(section, wanted, [*marks, *theirs])
    return plot.of_layers(wanted.title, [*wanted.x, wanted.y[1]], captions, layers, HEIGHT, WIDTH)


def label_places(
    points: Sequence[tuple[float, float]], labels: Sequence[str], width: float, height: float
) -> list[Place]:
    """A place for each label of points given in pixels: the first free one, else the freest."""
    dots = [(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in points]
    taken: list[Box] = []
    found: list[Place] = []
    for i, (point, label) in enumerate(zip(points, labels, strict=True)):
        others = [*dots[:i], *dots[i + 1 :], *taken]
        boxes = {place: _box(point, label, place) for place in _PLACES}
        covered = {
            place: sum(_overlap(box, other) for other in others)
            + 3 * (_overlap(box, box) - _overlap(box, (0, 0, width, height)))
            for place, box in boxes.items()
        }
        best = min(_PLACES, key=covered.__getitem__)
        taken.append(boxes[best])
        found.append(best)
    return found


def _overlap(one: Box, other: Box) -> float:
    """The area both cover."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def _box(point: tuple[float, float], label: str, place: Place) -> Box:
    wide = sum(_WIDE_CHARACTER if ord(letter) > 0x2E7F else _CHARACTER for letter in label)
    x, y = point[0] + place.dx, point[1] + place.dy
    left = x - {"left": 0.0, "right": wide, "center": wide / 2}[place.align]
    return left, y - _LINE / 2, left + wide, y + _LINE / 2


def _domain(marks: plot.Marks, axis: str, zero: str, metric: Metric) -> tuple[float, float]:
    """The range of the values, and of zero where it is marked, with a margin around it that does
    not go beyond what shares and percentages can be; at least a quarter of the metric's range, so
    that small differences look small."""
    values = [float(mark[axis]) for mark in marks] + [0.0] * (zero in (axis, "both"))
    low, high = min(values), max(values)
    ends = metric.range or ((0.0, 100.0) if metric.unit == "percent" else None)
    if ends:
        bottom, top = min(low, ends[0]), max(high, ends[1])
        lack = max(0.0, _LEAST * (ends[1] - ends[0]) - (high - low)) / 2
        low, high = max(low - lack, bottom), min(high + lack, top)
    room = (high - low) * _MARGIN or abs(high) * 0.5 or 0.5
    if low < 0:
        return low - room, high + room
    most = next((bound for bound in (1.0, 100.0) if high <= bound), high + room)
    return max(low - room, 0.0), min(high + room, most)


def _label(
    marks: plot.Marks, spans: dict[str, tuple[float, float]], digits: dict[str, int]
) -> list[plot.Mark]:
    """The marks with their label and its place, worked out for the narrowest plot."""
    short = plot.short_names(str(mark["model"]) for mark in marks)

    def share(mark: plot.Mark, axis: str) -> float:
        low, high = spans[axis]
        return (float(mark[axis]) - low) / (high - low)

    pixels = [(share(m, "x") * (WIDTH - 80), (1 - share(m, "y")) * HEIGHT) for m in marks]
    labels = [short[str(mark["model"])] for mark in marks]
    places = label_places(pixels, labels, WIDTH - 80, HEIGHT)
    return [
        {
            **mark,
            "model": one_line(str(mark["model"])),
            "label": label,
            "across": number(float(mark["x"]), digits["x"]),
            "up": number(float(mark["y"]), digits["y"]),
            **place._asdict(),
        }
        for mark, label, place in zip(marks, labels, places, strict=True)
    ]


def _axis_title(section: Section, wanted: ScatterPlot, part: int) -> str:
    """What the axis measures: the metric, with its task where the axes are of two, or its share."""
    task, metric = (wanted.x, wanted.y)[part]
    name = section.metric(metric).title
    if wanted.shares is not None:
        found = select(section.scores, task=task, metric=wanted.shares[part], group="all")
        known = [score.value for score in found if score.value is not None]
        return f"{name} ({100 * known[0]:.0f}% of variance)" if known else name
    return f"{section.task_title(task)} · {name}" if wanted.x[0] != wanted.y[0] else name


def _layers(section: Section, wanted: ScatterPlot, found: plot.Marks) -> plot.Layers:
    measured = {"x": section.metric(wanted.x[1]), "y": section.metric(wanted.y[1])}
    spans = {axis: _domain(found, axis, wanted.zero, metric) for axis, metric in measured.items()}
    marks = _label(found, spans, {axis: metric.decimals for axis, metric in measured.items()})
    x, y = (one_line(_axis_title(section, wanted, part)) for part in (0, 1))
    scales = {a: alt.Scale(domain=list(span), nice=False, zero=False) for a, span in spans.items()}
    where: dict[str, Any] = {
        "x": alt.X("x:Q", title=x, scale=scales["x"], axis=alt.Axis(tickCount=6)),
        "y": alt.Y("y:Q", title=y, scale=scales["y"], axis=alt.Axis(tickCount=5)),
        "tooltip": plot.tooltip("model", "across", "up", "counts", across=x, up=y),
    }
    layers = [plot.zero_line(axis) for axis in ("x", "y") if wanted.zero in (axis, "both")]
    ours = plot.chart_of([mark for mark in marks if "published" not in mark])
    filled = ours.mark_point(filled=True, size=95, color=COLOURS[0], opacity=1)
    layers.append(filled.encode(**where))
    if theirs := [mark for mark in marks if "published" in mark]:
        layers.append(plot.hollow_points(theirs, 70).encode(**where))
    place: dict[str, Any] = {name: alt.ExprRef(f"datum.{name}") for name in Place._fields}
    texts = plot.chart_of(marks).mark_text(fontSize=12, color=INK, baseline="middle", **place)
    return [*layers, texts.encode(text="label:N", **where)]
