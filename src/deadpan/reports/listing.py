"""Every overall score by task, models side by side; scores by group go to plots, CSV and JSON."""

from __future__ import annotations

from dataclasses import dataclass

from deadpan.core.score import Score
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import NOTHING, counts, number, one_line


@dataclass(frozen=True)
class Listing:
    """The overall scores of one task, models by metrics, each with the counts behind it;
    `grouped` counts the scores by group, which are not listed."""

    title: str
    metrics: list[tuple[str, bool]]
    """(name, whether lower is better)"""
    rows: list[tuple[str, list[tuple[str, str]]]]
    grouped: int


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
    metrics = distinct(metric for _, metric in overall)
    known = {metric: section.metric(metric) for metric in metrics}
    rows = [
        (
            one_line(model),
            [_cell(overall.get((model, metric)), known[metric].decimals) for metric in metrics],
        )
        for model in distinct(model for model, _ in overall)
    ]
    return Listing(
        one_line(section.task_title(task)),
        [(one_line(metric.title), metric.is_lower_better) for metric in known.values()],
        rows,
        sum(score.group != "all" for score in own),
    )


def _cell(score: Score | None, places: int) -> tuple[str, str]:
    if score is None:
        return NOTHING, ""
    return number(score.value, places), counts(score)
