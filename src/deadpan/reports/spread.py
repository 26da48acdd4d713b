"""How a metric spreads over models: a point a model for each group, and a mark at their mean."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from statistics import fmean

import altair as alt

from deadpan.core.plots import SpreadPlot
from deadpan.core.units import natural
from deadpan.reports.plot import Mark, Plot, chart_of, finished, sentences, slug, tooltip, zero_line
from deadpan.reports.points import group_value
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import NOTHING, counts, number, one_line
from deadpan.reports.theme import COLOURS

HEIGHT = 340
_CLOSE = 9 / HEIGHT
"""Points nearer than this share of the axis would cover each other."""
_ROOM, _LINE = 104, 14
"""The least pixels that a group has, and how many characters of its label fit into them."""
_STEP = 0.09
"""How far apart such points are set, as a share of a series' room."""


def spread(section: Section, wanted: SpreadPlot) -> Plot | None:
    """Points beside each other where they would overlap; None where there is no score."""
    labels = {value: _lines(label) for value, label in wanted.labels}
    marks = [
        mark
        for heading, task in wanted.series
        for mark in _points(section, wanted, one_line(heading), task, labels)
    ]
    if not marks:
        return None
    values = [float(mark["value"]) for mark in marks]
    metric = section.metric(wanted.metric)
    places = metric.decimals
    span = max(max(values), 0.0) - min(min(values), 0.0) or 1.0
    series = distinct(str(mark["series"]) for mark in marks)
    present = {str(mark["group"]) for mark in marks}
    known = [label for label in labels.values() if label in present]
    groups = known + sorted(present - set(known), key=natural)
    points: list[Mark] = []
    means: list[Mark] = []
    for group in groups:
        for index, heading in enumerate(series):
            own = [m for m in marks if (m["group"], m["series"]) == (group, heading)]
            if own:
                centre = (index + 0.5) / len(series)
                points += _side_by_side(own, centre, 1 / len(series), span, places)
                means.append(_mean(own, centre, places))
    title = one_line(wanted.title)
    axis = one_line(metric.title)
    return Plot(
        slug(wanted.metric, wanted.group_key, *(task for _, task in wanted.series)),
        title,
        sentences(wanted.caption, "A point is a model; a bar marks the mean over models."),
        finished(_chart(points, means, groups, series, axis), title),
        narrowest=max(420, _ROOM * len(groups)),
    )


def _lines(label: str) -> str:
    """A group's label in lines that fit beside those of its neighbours."""
    return "\n".join(textwrap.wrap(one_line(label), _LINE)) or NOTHING


def _points(
    section: Section, wanted: SpreadPlot, heading: str, task: str, labels: Mapping[str, str]
) -> list[Mark]:
    prefix = f"{wanted.group_key}="
    return [
        {
            "model": one_line(score.model),
            "series": heading,
            "group": labels.get(value, _lines(value)),
            "value": score.value,
            "counts": counts(score),
        }
        for score in section.scores
        if (score.task, score.metric) == (task, wanted.metric)
        and score.value is not None
        and (value := group_value(score.group, prefix))
    ]


def _side_by_side(
    marks: Sequence[Mark], centre: float, room: float, span: float, places: int
) -> list[Mark]:
    """The points of one column from low to high, each beside those it would cover."""
    placed: list[Mark] = []
    for mark in sorted(marks, key=lambda m: (float(m["value"]), str(m["model"]))):
        value = float(mark["value"])
        near = {p["side"] for p in placed if value - float(p["value"]) < _CLOSE * span}
        sides = [0, *(sign * step for step in range(1, len(marks) + 1) for sign in (1, -1))]
        side = next(side for side in sides if side not in near)
        at = centre + room * max(-0.46, min(0.46, side * _STEP))
        score = number(value, places)
        placed.append({**mark, "side": side, "at": at, "score": score})
    return placed


def _mean(marks: Sequence[Mark], centre: float, places: int) -> Mark:
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


def _chart(
    points: Sequence[Mark],
    means: Sequence[Mark],
    groups: Sequence[str],
    series: Sequence[str],
    axis: str,
) -> alt.LayerChart:
    # Zeros alone would leave the axis with one tick in its middle.
    scale = alt.Scale() if any(point["value"] for point in points) else alt.Scale(domain=[0, 1])
    where = {
        "x": alt.X(
            "group:N",
            sort=list(groups),
            title=None,
            axis=alt.Axis(
                labelAngle=0, grid=False, labelLimit=140, labelExpr="split(datum.value, '\\n')"
            ),
            scale=alt.Scale(paddingInner=0.15),
        ),
        "xOffset": alt.XOffset("at:Q", scale=alt.Scale(domain=[0, 1])),
        "y": alt.Y("value:Q", title=axis, scale=scale, axis=alt.Axis(tickCount=6)),
        "color": alt.Color(
            "series:N",
            sort=list(series),
            scale=alt.Scale(
                domain=list(series), range=[COLOURS[i % len(COLOURS)] for i in range(len(series))]
            ),
            legend=alt.Legend(title=None) if len(series) > 1 else None,
        ),
        "tooltip": tooltip("model", "series", "group", "score", "counts"),
    }
    pick = alt.selection_point(fields=["series"], bind="legend")
    faded = alt.condition(pick, alt.value(0.7), alt.value(0.1))
    dots = chart_of(points).mark_point(filled=True, size=58).encode(opacity=faded, **where)
    bars = chart_of(means).mark_tick(thickness=3, size=34, orient="horizontal").encode(**where)
    layers = [zero_line("y"), dots.add_params(pick), bars]
    return alt.LayerChart(layer=layers).properties(height=HEIGHT)
