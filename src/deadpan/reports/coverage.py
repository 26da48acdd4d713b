"""How the questions ended: counts per model and task, and their totals."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from deadpan.core.outcomes import OUTCOMES, Coverage
from deadpan.reports.section import Section
from deadpan.reports.text import one_line


@dataclass(frozen=True)
class CoverageRow:
    """The counts of one model and task; a task of None is the model's total."""

    model: str
    task: str | None
    coverage: Coverage

    @property
    def counts(self) -> list[tuple[str, int]]:
        """The outcomes in their fixed order with their counts."""
        return [(name, getattr(self.coverage, name)) for name in OUTCOMES]

    @property
    def bar(self) -> list[tuple[str, int, str]]:
        """The outcomes that occurred: name, count and share of the whole as a CSS width."""
        total = self.coverage.total
        return [
            (name, count, f"{100 * count / total:.4f}%") for name, count in self.counts if count
        ]


@dataclass(frozen=True)
class CoverageTable:
    """Totals per model, counts per model and task, and the sum over everything."""

    by_model: list[CoverageRow]
    by_task: list[tuple[str, list[CoverageRow]]]
    total: CoverageRow


def coverage_table(section: Section) -> CoverageTable:
    """The section's coverage; the rows add up to the totals."""
    table = section.table
    by_model: list[CoverageRow] = []
    by_task: list[tuple[str, list[CoverageRow]]] = []
    for model in dict.fromkeys(table["model"].to_list()):
        own = table.filter(pl.col("model") == model)
        by_model.append(CoverageRow(one_line(model), None, Coverage.of(own["outcome"])))
        parts = [(task, own.filter(pl.col("task") == task)["outcome"]) for task in section.tasks]
        by_task.append(
            (
                one_line(model),
                [
                    CoverageRow(
                        one_line(model), one_line(section.task_title(task)), Coverage.of(outcomes)
                    )
                    for task, outcomes in parts
                    if len(outcomes)
                ],
            )
        )
    return CoverageTable(
        by_model, by_task, CoverageRow("All models", None, Coverage.of(table["outcome"]))
    )
