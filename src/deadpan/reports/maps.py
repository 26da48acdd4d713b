"""Heat maps in panels: matrices of options, and models by options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import altair as alt

from deadpan.core.plots import MatrixPlot, OptionMap
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
from deadpan.reports.theme import DIVERGING, INK, SEQUENTIAL

CELL, ROW = 38, 34
MOST_COLUMNS = 3
_LETTER = 6.1
_LABEL = 200
_LINE = 18
"""A label of more characters goes into two lines."""
_SHORT = 3
_LINES = "split(datum.value, '\\n')"
_CENTRED = {"condition": {"test": "indexof(datum.value, '\\n') > 0", "value": -6}, "value": 0}
"""A label of two lines hangs from its first unless it is moved up by half a line."""

Labels = Sequence[tuple[str, str]]
Values = Mapping[tuple[str, str], Mapping[str, float]]
"""(row, column) → model → value."""


@dataclass(frozen=True)
class Panel:
    """One heat map; `diverging` shades both ways from zero."""

    heading: str
    marks: Sequence[Mark]
    rows: Sequence[str]
    columns: Sequence[str]
    diverging: bool

    @property
    def width(self) -> int:
        """Pixels for the row labels and the cells."""
        longest = max(len(line) for row in self.rows for line in row.split("\n"))
        return min(_LABEL, round(_LETTER * longest) + 10) + CELL * len(self.columns)


def matrices(section: Section, wanted: MatrixPlot) -> Plot | None:
    """A matrix a panel, its cells the mean over models; panels without scores are left out."""
    minus = wanted.minus or (None,) * len(wanted.panels)
    rows, columns = _axes(wanted.labels)
    panels: list[Panel] = []
    models: set[str] = set()
    for (heading, task, metric), other in zip(wanted.panels, minus, strict=True):
        values = _crossed(section, task, metric)
        if other is not None:
            values = _less(values, _crossed(section, *other))
        if marks := _means(values, rows, columns):
            models |= {one_line(model) for cell in values.values() for model in cell}
            diverging = wanted.diverging or other is not None
            names = list(rows.values()), list(columns.values())
            panels.append(Panel(one_line(heading), marks, *names, diverging))
    over = f"Mean over {len(models)} models." if len(models) > 1 else f"Model: {''.join(models)}."
    name = slug("matrix", *wanted.panels[0][1:], wanted.title)
    return _plot(wanted.title, sentences(wanted.caption, over), name, panels)


def option_map(section: Section, wanted: OptionMap) -> Plot | None:
    """Models by options around zero, a panel for each task that has scores."""
    prefix = f"{wanted.group_key}="
    short = short_names(section.models)
    panels: list[Panel] = []
    for (heading, task), labels in zip(wanted.panels, wanted.labels, strict=True):
        names = {value: _broken(label) for value, label in labels}
        marks: list[Mark] = [
            {
                "model": one_line(score.model),
                "row": short[score.model],
                "column": names[value],
                "value": score.value,
                "counts": counts(score),
            }
            for score in section.scores
            if (score.task, score.metric) == (task, wanted.metric)
            and (value := group_value(score.group, prefix)) in names
            and score.value is not None
        ]
        if marks:
            rows = distinct(str(mark["row"]) for mark in marks)
            panels.append(Panel(one_line(heading), marks, rows, list(names.values()), True))
    name = slug(wanted.metric, wanted.group_key, *(task for _, task in wanted.panels))
    return _plot(wanted.title, sentences(wanted.caption), name, panels)


def _axes(labels: Labels) -> tuple[dict[str, str], dict[str, str]]:
    """Row and column labels by group value: letters stand alone over the columns."""
    plain = {value: _broken(label) for value, label in labels}
    if all(len(value) <= _SHORT for value in plain):
        rows = {value: value if label == value else f"{value} {label}" for value, label in labels}
        return {value: _broken(label) for value, label in rows.items()}, {v: v for v in plain}
    return plain, plain


def _broken(label: str) -> str:
    """The label in one line, or where it is long in two of about the same length."""
    words = one_line(label).split(" ")
    if len(" ".join(words)) <= _LINE or len(words) == 1:
        return " ".join(words)
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return "\n".join(min(cuts, key=lambda lines: max(map(len, lines))))


def _crossed(section: Section, task: str, metric: str) -> dict[tuple[str, str], dict[str, float]]:
    """The scores of groups `row=…,column=…` by cell and model."""
    cells: dict[tuple[str, str], dict[str, float]] = {}
    for score in section.scores:
        if (score.task, score.metric) != (task, metric) or score.value is None:
            continue
        row, comma, column = score.group.partition(",column=")
        if comma and row.startswith("row="):
            cell = cells.setdefault((row.removeprefix("row="), column), {})
            cell[score.model] = score.value
    return cells


def _less(values: Values, other: Values) -> dict[tuple[str, str], dict[str, float]]:
    """Differences, of the cells and models that both have."""
    differences = {
        key: {m: v - other[key][m] for m, v in cell.items() if m in other[key]}
        for key, cell in values.items()
        if key in other
    }
    return {key: cell for key, cell in differences.items() if cell}


def _means(values: Values, rows: Mapping[str, str], columns: Mapping[str, str]) -> list[Mark]:
    return [
        {
            "row": rows[row],
            "column": columns[column],
            "value": fmean(cell.values()),
            "counts": f"{len(cell)} model{'s' if len(cell) > 1 else ''}",
        }
        for (row, column), cell in values.items()
        if row in rows and column in columns
    ]


def _plot(title: str, caption: str, name: str, panels: Sequence[Panel]) -> Plot | None:
    """The panels side by side, those of a kind shaded alike; None where there is none."""
    if not panels:
        return None
    values = [float(mark["value"]) for panel in panels for mark in panel.marks]
    places = 0 if all(value == int(value) for value in values) and max(values) > 1 else 2
    kinds = [panel.diverging for panel in panels]
    charts = [
        _chart(panel, _colour(panels, panel.diverging, told=kinds.index(kind) == i), places)
        for i, (panel, kind) in enumerate(zip(panels, kinds, strict=True))
    ]
    widest = max(panel.width for panel in panels) + SPACING
    heading = one_line(title)
    spec = finished_panels(charts, heading, min(len(charts), MOST_COLUMNS))
    return Plot(name, heading, caption, spec, narrowest=widest, panel=widest)


def _colour(panels: Sequence[Panel], diverging: bool, told: bool) -> alt.Color:
    """Shades from nothing to the largest value of the panels of a kind, or both ways from zero and
    as far each way; `told` in a legend."""
    alike = [panel for panel in panels if panel.diverging == diverging]
    most = max(abs(float(mark["value"])) for panel in alike for mark in panel.marks) or 1.0
    domain = [-most, -most / 1000, most / 1000, most] if diverging else [0, most]
    legend = alt.Legend(
        title=None,
        orient="bottom",
        gradientLength=150,
        gradientThickness=8,
        values=[-most, 0, most] if diverging else [0, most],
        format=".2f",
    )
    return alt.Color(
        "value:Q",
        scale=alt.Scale(domain=domain, range=list(DIVERGING if diverging else SEQUENTIAL)),
        legend=legend if told else None,
    )


def _chart(panel: Panel, colour: alt.Color, places: int) -> alt.LayerChart:
    letters = all(len(column) <= _SHORT for column in panel.columns)
    marks = [{**mark, "score": number(float(mark["value"]), places)} for mark in panel.marks]
    told = "model" if any("model" in mark for mark in marks) else "row"
    lines: dict[str, Any] = {"labelExpr": _LINES, "labelLimit": _LABEL, "grid": False}
    base = chart_of(marks).encode(
        x=alt.X(
            "column:N",
            title=None,
            axis=alt.Axis(
                orient="top" if letters else "bottom",
                labelAngle=0 if letters else -42,
                labelAlign="center" if letters else "right",
                labelBaseline="bottom" if letters else "middle",
                labelFontSize=12 if letters else 11,
                labelLineHeight=11,
                **lines,
            ),
            scale=alt.Scale(domain=list(panel.columns), paddingInner=0.05),
        ),
        y=alt.Y(
            "row:N",
            title=None,
            axis=alt.Axis(labelLineHeight=13, labelOffset=_CENTRED, **lines),
            scale=alt.Scale(domain=list(panel.rows), paddingInner=0.08),
        ),
        tooltip=tooltip(told, "column", "score", "counts", row="row"),
    )
    cells = base.mark_rect(cornerRadius=3).encode(color=colour)
    texts = base.mark_text(fontSize=11, color=INK).encode(text="score:N")
    return alt.LayerChart(layer=[cells, texts]).properties(
        title=alt.TitleParams(panel.heading, fontSize=13, fontWeight=600, offset=10),
        width=CELL * len(panel.columns),
        height=ROW * len(panel.rows),
    )
