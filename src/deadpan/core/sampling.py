"""A stratified random sample of a benchmark's items, the same on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Dataset, RecordT
from deadpan.core.question_variants import worded_questions
from deadpan.core.questions import Language, Question
from deadpan.core.selection import select_questions
from deadpan.core.units import GroupBy

Stratum = tuple[object, ...]
"""What an item is drawn by, what matters most first."""
_MOST_GROUPS = 12
"""An attribute of more values than that is none to draw by."""


class ItemStratum(NamedTuple):
    """What an item of a benchmark is drawn by."""

    tasks: tuple[str, ...]
    """Those that ask about it."""
    language: Language
    group: object


@dataclass(frozen=True)
class Sample:
    """How many items of each benchmark are drawn, and by which seed."""

    size: int
    """How many items of each benchmark."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, least in (("sample", self.size, 1), ("sample seed", self.seed, 0)):
            if value < least:
                raise DeadpanError(f"{name} is {value}; expected at least {least}")

    def __str__(self) -> str:
        return f"{self.size}@{self.seed}"

    def of(
        self,
        benchmark: Benchmark[RecordT],
        dataset: Dataset[RecordT],
        exclude: Sequence[str] = (),
        languages: Collection[str] = (),
    ) -> frozenset[str] | None:
        """The items that are drawn, whichever tasks are asked about them; None where that is all of
        them. What is excluded, in none of the `languages` where some are named, or cannot be shown
        in any task, is not drawn."""
        strata = strata_of(benchmark, dataset, exclude, languages)
        return draw(strata, self) if self.size < len(strata) else None


def draw(strata: Mapping[str, Stratum], sample: Sample) -> frozenset[str]:
    """So many of the items, or all where there are fewer."""
    return frozenset(drawing_order(strata, sample.seed)[: sample.size])


def drawing_order(strata: Mapping[str, Stratum], seed: int) -> list[str]:
    """The items in an order of which every beginning is a sample, so that a larger one holds the
    smaller. What strata are told apart by first has its share first, then the next within that;
    the rest is chance, which follows from seed and names alone."""
    by_chance = sorted(strata, key=lambda item: (_chance(seed, item), item))
    return _in_turn(by_chance, strata, seed, 0)


def _chance(seed: int, *words: object) -> float:
    """A number from 0 to 1 that follows from seed and words alone."""
    text = ":".join(map(str, ("sample", seed, *words)))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def _in_turn(
    items: Sequence[str], strata: Mapping[str, Stratum], seed: int, depth: int
) -> list[str]:
    """The items of each part at even distances, so that each beginning holds of a part its share.
    Where its first item stands is chance, else the same rounding would leave out small parts, or
    take them, whatever the seed; the parts' first items stand at even distances too."""
    parts: dict[object, list[str]] = {}
    for item in items:
        if depth == len(strata[item]):
            return list(items)
        parts.setdefault(strata[item][depth], []).append(item)
    shuffled = sorted(parts.values(), key=lambda part: _chance(seed, "part", depth, min(part)))
    start = _chance(seed, "start", depth, min(items, default=""))
    seats = [
        ((place + (turn + start) / len(parts)) / len(part), turn, item)
        for turn, part in enumerate(shuffled)
        for place, item in enumerate(_in_turn(part, strata, seed, depth + 1))
    ]
    return [item for *_, item in sorted(seats)]


def strata_of(
    benchmark: Benchmark[RecordT],
    dataset: Dataset[RecordT],
    exclude: Sequence[str] = (),
    languages: Collection[str] = (),
) -> dict[str, ItemStratum]:
    """The stratum of each item that can be asked about, in the languages that are named: which
    tasks ask about it, its language, and the first of the benchmark's groups that is neither its
    language nor a matter of many."""
    firsts: dict[str, Question] = {}
    tasks: dict[str, tuple[str, ...]] = {}
    unshown: set[str] = set()
    missing = benchmark.missing_tasks(dataset)
    for spec in (one for one in benchmark.tasks if one.name not in missing):
        every = worded_questions(benchmark, dataset, spec.name, benchmark.prompts(spec.name))
        selection = select_questions(benchmark, every, exclude, shown=True)
        unshown |= selection.unshown.keys()
        for question in selection.questions:
            firsts.setdefault(question.item, question)
            tasks[question.item] = (*tasks.get(question.item, ()), spec.name)
    able = {
        item: question
        for item, question in firsts.items()
        if item not in unshown and (not languages or question.language in languages)
    }
    group = _grouping(benchmark.groups, able.values())
    return {
        item: ItemStratum(tasks[item], question.language, group.hashed(question) if group else None)
        for item, question in able.items()
    }


def _grouping(groups: Sequence[GroupBy], questions: Collection[Question]) -> GroupBy | None:
    """The first group that tells items apart into a few."""
    for group in groups:
        if group.several or (group.attribute or group.key) == "language":
            continue
        if 1 < len({group.hashed(question) for question in questions}) <= _MOST_GROUPS:
            return group
    return None
