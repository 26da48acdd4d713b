"""Heat maps in panels: matrices of options, and models by options."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import altair as alt

from deadpan.core.plots import MatrixPlot, OptionMap
from deadpan.core.score import select
from deadpan.reports import plot
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import counts, number, one_line
from deadpan.reports.theme import DIVERGING, INK, LOOKS, SEQUENTIAL

CELL, ROW = 38, 34
_LETTER, _LABEL, _SHORT = 6.1, 200, 3
"""A letter's width and a label's longest, in pixels, and the most letters of a short label."""
_LINE = 18
"""A label of more characters goes into two lines."""

Cells = dict[tuple[str, str], dict[str, float]]
"""(row, column) → model → value."""


@dataclass(frozen=True)
class Panel:
    """One heat map; `diverging` shades both ways from zero."""

    heading: str
    marks: plot.Marks
    rows: list[str]
    columns: list[str]
    diverging: bool

    @property
    def width(self) -> int:
        """Pixels for the row labels and the cells."""
        longest = max(len(line) for row in self.rows for line in row.split("\n"))
        return min(_LABEL, round(_LETTER * longest) + 10) + CELL * len(self.columns)


def draw_matrices(section: Section, wanted: MatrixPlot) -> plot.Plot | None:
    """A matrix a panel, its cells the mean over models; panels without scores are left out."""
    minus = wanted.minus or (None,) * len(wanted.panels)
    rows = {value: _break(label) for value, label in wanted.labels}
    columns = {value: _break(label) for value, label in wanted.across or wanted.labels}
    panels: list[Panel] = []
    models: set[str] = set()
    for (heading, task, metric), other in zip(wanted.panels, minus, strict=True):
        values = _cells(section, task, metric)
        if other is not None:
            base = _cells(section, *other)
            values = {
                cell: {m: v - base[cell][m] for m, v in own.items() if m in base.get(cell, {})}
                for cell, own in values.items()
            }
        models |= {model for own in values.values() for model in own}
        diverging = wanted.diverging or other is not None
        for title, parts in _titled(section, heading, values, wanted.each_model):
            marks: list[plot.Mark] = [
                {
                    "row": rows[row],
                    "column": columns[column],
                    "value": fmean(own.values()),
                    "counts": f"{len(own)} model{'s' if len(own) > 1 else ''}",
                }
                for (row, column), own in parts.items()
                if row in rows and column in columns and own
            ]
            if marks:
                names = list(rows.values()), list(columns.values())
                panels.append(Panel(title, marks, *names, diverging))
    over = _over(models, wanted.each_model)
    file = ["matrix", *wanted.panels[0][1:], wanted.title]
    return _draw(wanted.title, file, [wanted.caption, over], panels)


def _titled(
    section: Section, heading: str, values: Cells, each_model: bool
) -> Iterator[tuple[str, Cells]]:
    """The cells under their heading, or those of each model under its name, all models together
    last where there are several."""
    if not each_model:
        yield one_line(heading), values
        return
    present = {model for own in values.values() for model in own}
    pooled = section.benchmark.report.pooled
    models = [model for model in section.models if model in present]
    models += [pooled] if pooled in present and len(models) > 1 else []
    short = plot.short_names(models)
    for model in models:
        cells = {cell: {model: own[model]} for cell, own in values.items() if model in own}
        yield short[model], cells


def _over(models: Collection[str], each_model: bool) -> str:
    """What the cells are the mean of."""
    if each_model:
        return ""
    if len(models) == 1:
        return f"Model: {one_line(*models)}."
    return f"Mean over {len(models)} models."


def draw_option_map(section: Section, wanted: OptionMap) -> plot.Plot | None:
    """Models by options around zero, a panel for each task that has scores."""
    short = plot.short_names(section.models)
    panels: list[Panel] = []
    for (heading, task), labels in zip(wanted.panels, wanted.labels, strict=True):
        names = {value: _break(label) for value, label in labels}
        marks: list[plot.Mark] = [
            {
                "model": one_line(score.model),
                "row": short[score.model],
                "column": names[option],
                "value": value,
                "counts": counts(score),
            }
            for option, score, value in plot.scored_values(
                section, task, wanted.metric, wanted.group_key
            )
            if option in names
        ]
        if marks:
            rows = distinct(str(mark["row"]) for mark in marks)
            panels.append(Panel(one_line(heading), marks, rows, list(names.values()), True))
    file = [wanted.metric, wanted.group_key, *(task for _, task in wanted.panels)]
    return _draw(wanted.title, file, [wanted.caption], panels)


def _break(label: str) -> str:
    """The label in one line, or where it is long in two of about the same length; a slash stays at
    the end of its line."""
    words = re.split(r" (?!/)", one_line(label))
    if len(" ".join(words)) <= _LINE or len(words) == 1:
        return " ".join(words)
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return "\n".join(min(cuts, key=lambda lines: max(map(len, lines))))


def _cells(section: Section, task: str, metric: str) -> Cells:
    """The scores of groups `row=…,column=…`."""
    cells: Cells = {}
    for score in select(section.scores, task=task, metric=metric):
        row, comma, column = score.group.partition(",column=")
        if score.value is not None and comma and row.startswith("row="):
            own = cells.setdefault((row.removeprefix("row="), column), {})
            own[score.model] = score.value
    return cells


def _draw(
    title: str, names: Sequence[str], captions: Sequence[str], panels: Sequence[Panel]
) -> plot.Plot | None:
    """The panels side by side, those of a kind shaded alike; None where there is none."""
    if not panels:
        return None
    values = [float(mark["value"]) for panel in panels for mark in panel.marks]
    places = 0 if all(value == int(value) for value in values) and max(values) > 1 else 2
    kinds = [panel.diverging for panel in panels]
    charts = [
        _chart(panel, _colour(panels, panel.diverging, kinds.index(panel.diverging) == i), places)
        for i, panel in enumerate(panels)
    ]
    return plot.of_panels(title, names, captions, charts, max(panel.width for panel in panels))


def _colour(panels: Sequence[Panel], diverging: bool, has_legend: bool) -> alt.Color:
    """Shades from nothing to the largest value of the panels of a kind, or both ways from zero and
    as far each way."""
    alike = [panel for panel in panels if panel.diverging == diverging]
    most = max(abs(float(mark["value"])) for panel in alike for mark in panel.marks) or 1.0
    domain = [-most, -most / 1000, most / 1000, most] if diverging else [0, most]
    scale = alt.Scale(domain=domain, range=list(DIVERGING if diverging else SEQUENTIAL))
    ticks = [-most, 0, most] if diverging else [0, most]
    legend = alt.Legend(values=ticks, **LOOKS["gradient"])
    return alt.Color("value:Q", scale=scale, legend=legend if has_legend else None)


def _chart(panel: Panel, colour: alt.Color, places: int) -> alt.LayerChart:
    marks = [{**mark, "score": number(float(mark["value"]), places)} for mark in panel.marks]
    row = "model" if any("model" in mark for mark in marks) else "row"
    lines: dict[str, Any] = dict(labelExpr=plot.LINES, labelLimit=_LABEL, grid=False)
    has_letters = all(len(column) <= _SHORT for column in panel.columns)
    look = LOOKS["letters_above" if has_letters else "names_below"]
    across = alt.Axis(labelLineHeight=11, **lines, **look)
    down = alt.Axis(**lines, **LOOKS["row_names"])
    wide = alt.Scale(domain=panel.columns, paddingInner=0.05)
    high = alt.Scale(domain=panel.rows, paddingInner=0.08)
    base = plot.chart_of(marks).encode(
        x=alt.X("column:N", title=None, axis=across, scale=wide),
        y=alt.Y("row:N", title=None, axis=down, scale=high),
        tooltip=plot.tooltip(row, "column", "score", "counts", row="row"),
    )
    cells = base.mark_rect(cornerRadius=3).encode(color=colour)
    texts = base.mark_text(fontSize=11, color=INK).encode(text="score:N")
    return alt.LayerChart(layer=[cells, texts]).properties(
        title=alt.TitleParams(panel.heading, **LOOKS["panel_title"]),
        width=CELL * len(panel.columns),
        height=ROW * len(panel.rows),
    )
