"""One labelled point for each model, placed by two metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt

from deadpan.core.plots import ScatterPlot
from deadpan.core.score import select
from deadpan.reports.labels import label_places
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
from deadpan.reports.points import published_of
from deadpan.reports.section import Section
from deadpan.reports.text import counts, number, one_line
from deadpan.reports.theme import COLOURS, GREY, INK

WIDTH, HEIGHT = 640, 400
_MARGIN = 0.08

Measure = tuple[str, str]
"""(task, metric)"""


def scatter(section: Section, wanted: ScatterPlot) -> Plot | None:
    """The plot of the models that have both metrics; None where no model of this run has."""
    ours, theirs = _ours(section, wanted), _published(section, wanted)
    if not ours:
        return None
    digits = {axis: section.metric(name).decimals for axis, (_, name) in _axes(wanted).items()}
    marks = _placed([*ours, *theirs], wanted.zero, digits)
    title = one_line(wanted.title)
    hollow = "Hollow marks are published values." if theirs else ""
    return Plot(
        slug(wanted.x[0], wanted.x[1], wanted.y[1]),
        title,
        sentences(wanted.caption, hollow),
        finished(_chart(section, wanted, marks), title),
        narrowest=WIDTH,
    )


def _axes(wanted: ScatterPlot) -> dict[str, Measure]:
    return {"x": wanted.x, "y": wanted.y}


def _values(section: Section, measure: Measure) -> dict[str, tuple[float, str]]:
    """Each model's value of a measure, and the counts behind it."""
    task, metric = measure
    return {
        score.model: (score.value, counts(score))
        for score in select(section.scores, task=task, metric=metric, group="all")
        if score.value is not None
    }


def _ours(section: Section, wanted: ScatterPlot) -> list[Mark]:
    across, up = _values(section, wanted.x), _values(section, wanted.y)
    return [
        {"model": model, "x": across[model][0], "y": up[model][0], "counts": up[model][1]}
        for model in across
        if model in up
    ]


def _published(section: Section, wanted: ScatterPlot) -> list[Mark]:
    """The published models that have both metrics."""
    across, up = (published_of(section, *measure, "all") for measure in (wanted.x, wanted.y))
    if across.is_empty() or up.is_empty():
        return []
    rows = up.join(across, on="model", how="inner", suffix="_x", maintain_order="left")
    return [
        {
            "model": row["model"],
            "x": row["value_x"],
            "y": row["value"],
            "counts": f"published, table {row['table']}",
            "published": 1.0,
        }
        for row in rows.iter_rows(named=True)
    ]


def _domain(marks: Sequence[Mark], axis: str, zero: str) -> tuple[float, float]:
    """The range of the values, and of zero where it is marked, with a margin around it that does
    not go beyond what shares and percentages can be."""
    values = [float(mark[axis]) for mark in marks] + [0.0] * (zero in (axis, "both"))
    low, high = min(values), max(values)
    room = (high - low) * _MARGIN or abs(high) * 0.5 or 0.5
    if low < 0:
        return low - room, high + room
    most = next((bound for bound in (1.0, 100.0) if high <= bound), high + room)
    return max(low - room, 0.0), min(high + room, most)


def _placed(
    marks: Sequence[Mark], zero: str, digits: Mapping[str, int]
) -> list[dict[str, str | float]]:
    """The marks with their label and its place, worked out for the narrowest plot."""
    names = short_names(str(mark["model"]) for mark in marks)
    spans = {axis: _domain(marks, axis, zero) for axis in ("x", "y")}

    def share(mark: Mark, key: str) -> float:
        low, high = spans[key]
        return (float(mark[key]) - low) / (high - low)

    pixels = [(share(m, "x") * (WIDTH - 80), (1 - share(m, "y")) * HEIGHT) for m in marks]
    labels = [names[str(mark["model"])] for mark in marks]
    places = label_places(pixels, labels, WIDTH - 80, HEIGHT)
    return [
        {
            **mark,
            "model": one_line(str(mark["model"])),
            "label": label,
            "across": number(float(mark["x"]), digits["x"]),
            "up": number(float(mark["y"]), digits["y"]),
            "dx": place.dx,
            "dy": place.dy,
            "align": place.align,
        }
        for mark, label, place in zip(marks, labels, places, strict=True)
    ]


def _axis_title(section: Section, wanted: ScatterPlot, measure: Measure, part: int) -> str:
    """What the axis measures: the metric, with its task where the axes are of two, or its share."""
    task, metric = measure
    if wanted.shares is not None:
        found = select(section.scores, task=task, metric=wanted.shares[part], group="all")
        known = [score.value for score in found if score.value is not None]
        share = f" ({100 * known[0]:.0f}% of variance)" if known else ""
        return f"{section.metric(metric).title}{share}"
    name = section.metric(metric).title
    return f"{section.task_title(task)} · {name}" if wanted.x[0] != wanted.y[0] else name


def _chart(
    section: Section, wanted: ScatterPlot, marks: Sequence[Mapping[str, str | float]]
) -> alt.LayerChart:
    titles = {
        axis: one_line(_axis_title(section, wanted, measure, part))
        for part, (axis, measure) in enumerate((("x", wanted.x), ("y", wanted.y)))
    }

    def scale(axis: str) -> alt.Scale:
        return alt.Scale(domain=list(_domain(marks, axis, wanted.zero)), nice=False, zero=False)

    where = {
        "x": alt.X("x:Q", title=titles["x"], scale=scale("x"), axis=alt.Axis(tickCount=6)),
        "y": alt.Y("y:Q", title=titles["y"], scale=scale("y"), axis=alt.Axis(tickCount=5)),
        "tooltip": tooltip("model", "across", "up", "counts", across=titles["x"], up=titles["y"]),
    }
    layers = [zero_line(axis) for axis in ("x", "y") if wanted.zero in (axis, "both")]
    ours = [mark for mark in marks if "published" not in mark]
    filled = chart_of(ours).mark_point(filled=True, size=95, color=COLOURS[0], opacity=1)
    layers.append(filled.encode(**where))
    if theirs := [mark for mark in marks if "published" in mark]:
        hollow = chart_of(theirs).mark_point(filled=False, size=70, strokeWidth=1.4, color=GREY)
        layers.append(hollow.encode(**where))
    texts = chart_of(marks).mark_text(
        fontSize=12,
        color=INK,
        baseline="middle",
        dx=alt.ExprRef("datum.dx"),
        dy=alt.ExprRef("datum.dy"),
        align=alt.ExprRef("datum.align"),
    )
    layers.append(texts.encode(text="label:N", **where))
    return alt.LayerChart(layer=layers).properties(height=HEIGHT)
