"""The figures as plain rows: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from deadpan.base.errors import InputError
from deadpan.base.printable import in_cell
from deadpan.core.score import Figure, figures_json
from deadpan.reports.section import Section

COLUMNS = (
    "benchmark",
    "model",
    "task",
    "metric",
    "group",
    "value",
    "n",
    "invalid",
    "truncated",
    "refused",
    "unscored",
    "signature",
)


def csv_report(sections: Sequence[Section]) -> str:
    """One line per figure; an empty value means that nothing was scored."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for section in sections:
        writer.writerows(_cells(section.benchmark.name, figure) for figure in section.figures)
    return buffer.getvalue()


def json_report(sections: Sequence[Section]) -> str:
    """The document of the one section, or the list of the documents of several."""
    try:
        return figures_json({section.benchmark.name: section.figures for section in sections})
    except ValueError as error:
        names = ", ".join(section.benchmark.name for section in sections)
        raise InputError(names, f"signature: {error}", "Score the results again.") from error


def _cells(benchmark: str, figure: Figure) -> list[str | float | int]:
    texts = [benchmark, figure.model, figure.task, figure.metric, figure.group]
    value = "" if figure.value is None else figure.value
    return [
        *(in_cell(text) for text in texts),
        value,
        figure.n,
        figure.invalid,
        figure.truncated,
        figure.refused,
        figure.unscored,
        in_cell(figure.signature),
    ]
