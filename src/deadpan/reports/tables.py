"""A report's tables beside those of the paper: how questions ended, what they cost, every score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from deadpan.core.outcomes import OUTCOMES, READ, Coverage
from deadpan.core.score import Score
from deadpan.core.usage import HOW_TO_PRICE, Usage, cost_text, totals, usage_of
from deadpan.reports.marking import brief_notes, partial_in, unmarked
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import NOTHING, counts, number, one_line


@dataclass(frozen=True)
class CoverageRow:
    """The counts of one model and task; a task of None is the model's total."""

    model: str
    task: str | None
    coverage: Coverage

    @property
    def counts(self) -> list[tuple[str, int]]:
        """The outcomes with their counts, in the order of their columns."""
        return [(name, getattr(self.coverage, name)) for name in COLUMN_TITLES]

    @property
    def cells(self) -> list[tuple[str, int]]:
        """The same as a table says it: what could be read is answered, judged or not, and those
        that were not judged are among them."""
        return [
            (name, self.coverage.read if name == "answered" else count)
            for name, count in self.counts
        ]

    @property
    def numbers(self) -> list[str]:
        """The number of questions and the counts, as printed under `COVERAGE_HEAD`."""
        return [str(self.coverage.total), *(str(count) for _, count in self.cells)]


COLUMN_TITLES = {"answered": "Answered", "judge_failed": "of them not judged"} | {
    name: name.replace("_", " ").capitalize() for name in OUTCOMES if name not in READ
}
"""What heads each outcome's column."""
COVERAGE_HEAD = ("Model", "Task", "Questions", *COLUMN_TITLES.values())


@dataclass(frozen=True)
class CoverageTable:
    """Totals per model, counts per model and task, and the sum over everything."""

    by_model: list[CoverageRow]
    by_task: list[tuple[str, list[CoverageRow]]]
    total: CoverageRow

    @property
    def in_order(self) -> list[CoverageRow]:
        """Each model's tasks with its total, and last the sum."""
        models = zip(self.by_task, self.by_model, strict=True)
        return [*(row for (_, tasks), own in models for row in (*tasks, own)), self.total]


def coverage_table(section: Section) -> CoverageTable:
    """The section's coverage; the rows add up to the totals."""
    by_model: list[CoverageRow] = []
    by_task: list[tuple[str, list[CoverageRow]]] = []
    for model, own in section.table.group_by("model", maintain_order=True):
        name = one_line(str(model[0]))
        by_model.append(CoverageRow(name, None, Coverage.of(own["outcome"])))
        parts = [(task, own.filter(pl.col("task") == task)["outcome"]) for task in section.tasks]
        rows = [
            CoverageRow(name, one_line(section.task_title(task)), Coverage.of(outcomes))
            for task, outcomes in parts
            if len(outcomes)
        ]
        by_task.append((name, rows))
    total = CoverageRow("All models", None, Coverage.of(section.table["outcome"]))
    return CoverageTable(by_model, by_task, total)


@dataclass(frozen=True)
class CostRow:
    """One line: tokens are those of the calls that reported them, `reported` says how many did."""

    name: str
    task: str
    calls: str
    reported: str
    read: str
    written: str
    cost: str


@dataclass(frozen=True)
class CostTable:
    """Lines per role in all and by task, and how to name a price where one is missing."""

    roles: list[tuple[str, list[CostRow]]]
    by_task: list[tuple[str, list[CostRow]]]
    missing: str


def cost_table(section: Section) -> CostTable:
    """What the section's results used and cost, tested models and judges apart."""
    used = usage_of(section.table, section.prices)
    missing = "" if all(usage.priced for usage in used) else HOW_TO_PRICE
    return CostTable(_by_role(section, totals(used)), _by_role(section, used), missing)


_ROLES = (("Tested models", "model"), ("Judges", "judge"), ("Readers", "reader"))


def _by_role(section: Section, used: Sequence[Usage]) -> list[tuple[str, list[CostRow]]]:
    names = distinct(usage.name for usage in used)
    ordered = sorted(used, key=lambda usage: names.index(usage.name))
    made = [
        (title, [_cost_row(section, usage) for usage in ordered if usage.role == role])
        for title, role in _ROLES
    ]
    return [(title, rows) for title, rows in made if rows]


def _cost_row(section: Section, usage: Usage) -> CostRow:
    return CostRow(
        name=one_line(usage.name),
        task=one_line(section.task_title(usage.task)) if usage.task else "",
        calls=f"{usage.calls:,}",
        reported=f"told by {usage.known:,}" if 0 < usage.known < usage.calls else "",
        read=f"{usage.input_tokens:,}" if usage.known else NOTHING,
        written=f"{usage.output_tokens:,}" if usage.known else NOTHING,
        cost=cost_text(usage),
    )


@dataclass(frozen=True)
class Listing:
    """The overall scores of one task, models by metrics, each with the counts behind it;
    `grouped` counts the scores by group, which are not listed."""

    title: str
    metrics: list[tuple[str, bool]]
    """(name, whether lower is better)"""
    rows: list[tuple[str, list[tuple[str, str]]]]
    grouped: int
    notes: list[str]
    """What has to be known of its models."""


def listings(section: Section) -> list[Listing]:
    """One listing for each task that has an overall score, in the benchmark's order."""
    known = [spec.name for spec in section.benchmark.tasks]
    tasks = distinct(score.task for score in section.scores)
    tasks.sort(key=lambda task: known.index(task) if task in known else len(known))
    made = [_listing(section, task) for task in tasks]
    return [listing for listing in made if listing.metrics]


def _listing(section: Section, task: str) -> Listing:
    own = [score for score in section.scores if score.task == task]
    overall = {(f.model, f.metric): f for f in own if f.group == "all"}
    metrics = [section.metric(name) for name in distinct(metric for _, metric in overall)]

    def cell(score: Score | None, decimals: int) -> tuple[str, str]:
        return (number(score.value, decimals), counts(score)) if score else (NOTHING, "")

    partial = partial_in(section, {task})
    rows = [
        (
            one_line(model if model in partial else unmarked(model)),
            [cell(overall.get((model, m.name)), m.decimals) for m in metrics],
        )
        for model in distinct(model for model, _ in overall)
    ]
    names = [
        (one_line(metric.title) + metric.unit_mark, metric.is_lower_better) for metric in metrics
    ]
    grouped = sum(score.group != "all" for score in own)
    notes = brief_notes(section, {task}, {model for model, _ in overall})
    title = one_line(section.task_title(task))
    return Listing(title, names, rows, grouped, [one_line(note) for note in notes])
