"""The scores as plain rows: CSV for spreadsheets, JSON for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from deadpan.base.errors import InputError
from deadpan.base.printable import in_cell
from deadpan.core.score import Score, scores_json
from deadpan.reports.section import Section

COLUMNS = (
    "benchmark",
    "model",
    "task",
    "metric",
    "group",
    "value",
    "better",
    "unit",
    "n",
    "invalid",
    "truncated",
    "refused",
    "unscored",
    "signature",
)


def csv_report(sections: Sequence[Section]) -> str:
    """One line per score; an empty value means that nothing was scored."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for section in sections:
        writer.writerows(_cells(section, score) for score in section.scores)
    return buffer.getvalue()


def json_report(sections: Sequence[Section]) -> str:
    """The document of the one section, or the list of the documents of several."""
    try:
        return scores_json(
            {section.benchmark.name: section.scores for section in sections},
            {section.benchmark.name: section.metric for section in sections}.__getitem__,
        )
    except ValueError as error:
        names = ", ".join(section.benchmark.name for section in sections)
        raise InputError(names, f"signature: {error}", "Score the results again.") from error


def _cells(section: Section, score: Score) -> list[str | float | int]:
    metric = section.metric(score.metric)
    texts = [section.benchmark.name, score.model, score.task, score.metric, score.group]
    value = "" if score.value is None else score.value
    return [
        *(in_cell(text) for text in texts),
        value,
        metric.better,
        metric.unit,
        score.n,
        score.invalid,
        score.truncated,
        score.refused,
        score.unscored,
        in_cell(score.signature),
    ]
