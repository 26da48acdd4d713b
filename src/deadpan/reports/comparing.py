"""Models compared on the items that all of them have answered, and how a report says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from deadpan.core.score import Score
from deadpan.core.signature import parse_signature
from deadpan.reports.section import Section
from deadpan.reports.text import one_line

Pair = tuple[str, str]
"""Task and metric."""


def compared_scores(
    section: Section, wanted: Sequence[Pair]
) -> tuple[list[Score], frozenset[Pair], str]:
    """The scores with the overall ones of `wanted` pairs over the items that all models have
    answered, where there are such and more than one model; which pairs those are; and a line that
    says so."""
    scores, group = list(section.scores), section.benchmark.report.comparable
    shared = [f for f in scores if f.group == group != "" and (f.task, f.metric) in wanted]
    if len({score.model for score in shared}) < 2:
        return scores, frozenset(), ""
    pairs = frozenset((f.task, f.metric) for f in shared)
    kept = [
        f.model_copy(update={"group": "all"}) if f.group == group else f
        for f in scores
        if (f.task, f.metric) not in pairs or f.group != "all"
    ]
    return kept, pairs, _compared_over(section, shared)


def _compared_over(section: Section, shared: Iterable[Score]) -> str:
    """On how many items scores are compared: one number where one set is behind all of them, else
    how many there are in each task, and in all tasks of a score that is over several."""
    noun = section.benchmark.report.comparable.partition("=")[0]
    known = [spec.name for spec in section.benchmark.tasks]
    items = {(f.task, f.metric): _items_behind(section, f) for f in shared}
    of_task = {task: n for task in known for (one, _), n in items.items() if one == task}
    of_several = {name: n for (task, name), n in items.items() if task not in known}
    numbers = set(items.values())
    # Where all tasks have no fewer than each of them has, these are the same items.
    if len(numbers) == 1 and (len(of_task) < 2 or of_several):
        return f"over the {numbers.pop():,} {noun} that all models have answered"
    said = [*_in_tasks(section, of_task)]
    said += [
        f"{n:,} in all tasks of {one_line(section.metric(name).title)}"
        for name, n in of_several.items()
    ]
    return f"over the {noun} that all models have answered: {', '.join(said)}"


def _in_tasks(section: Section, numbers: Mapping[str, int]) -> list[str]:
    if len(numbers) > 1 and len(set(numbers.values())) == 1:
        return [f"{next(iter(numbers.values())):,} in each task"]
    return [f"{n:,} in {one_line(section.task_title(task))}" for task, n in numbers.items()]


def _items_behind(section: Section, score: Score) -> int:
    """How many items a shared score is over: as many as were counted for its task, else by the
    questions behind it."""
    count = section.benchmark.report.comparable_count
    for one in section.scores:
        if (one.task, one.metric) == (score.task, count) and one.value is not None:
            return int(one.value)
    with suppress(ValueError):
        return score.n // parse_signature(score.signature).epochs
    return score.n
