"""What looks like a slip in how a benchmark of another package measures or groups: a warning, each
said once. Our own are held by tests, and their statistics may leave out what is 0."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Any

import polars as pl

from deadpan.base.errors import meant
from deadpan.benchmarks import BUILT_IN
from deadpan.core.answers import ATTRIBUTE
from deadpan.core.benchmark import Benchmark
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Array, Sums
from deadpan.core.outcomes import OUTCOMES
from deadpan.core.score import Score

_logger = logging.getLogger("deadpan")


def warn_of_slips(
    benchmark: Benchmark[Any], rows: pl.DataFrame, measured: Iterable[Measurement | Score]
) -> None:
    """Warns of metrics that nothing was scored by and of groups that no question is in."""
    if benchmark.name in BUILT_IN:
        return
    for one in measured:
        if isinstance(one, Measurement) and one.group == ALL and one.given and not one.parts:
            for slip in _slips_of(benchmark, one):
                _warn(f"metric {one.metric.name} of {benchmark.name}/{one.task}: {slip}")
    for slip in _unknown_groups(benchmark, rows):
        _warn(f"{benchmark.name} groups by {slip}")


@cache
def _warn(line: str) -> None:
    _logger.warning("%s", line)


def _slips_of(benchmark: Benchmark[Any], one: Measurement) -> Iterator[str]:
    metric = one.metric
    if metric.statistics is None or metric.value is None:
        return
    keys, matrix, lines = one.stacked
    answered = int((one.units.endings == OUTCOMES.index("answered")).sum())
    if not answered:
        return
    if not (lines >= 0).any():
        waits = any(spec.judge_optional for spec in benchmark.tasks if spec.name == one.task)
        if benchmark.adds_up and not waits:
            yield f"no answer gave it anything to score, though {answered} were read"
        return
    watched = _Watched(keys, matrix)
    metric.values(watched)
    given = {key if isinstance(key, str) else key[0] for key in keys}
    if given and watched.wanted and given.isdisjoint(watched.wanted):
        wanted, unused = ", ".join(sorted(watched.wanted)), ", ".join(sorted(given))
        yield (
            f"no answer gave it {wanted}, which its value is made of; its statistics give "
            f"{unused}, which are not used"
        )


class _Watched(Sums):
    """Sums that know which statistics were wanted of them."""

    @cached_property
    def wanted(self) -> set[str]:
        return set()

    def __getitem__(self, name: str) -> Array:
        self.wanted.add(name)
        return super().__getitem__(name)

    def by_label(self, name: str) -> Array:
        self.wanted.add(name)
        return super().by_label(name)

    def of_label(self, label: str) -> Sums:
        self.wanted.update(key[0] for key in self.keys if isinstance(key, tuple))
        return super().of_label(label)


def _unknown_groups(benchmark: Benchmark[Any], rows: pl.DataFrame) -> Iterator[str]:
    """The groups whose attribute no question has, once all tasks were asked."""
    if {spec.name for spec in benchmark.tasks} - {*rows["task"].unique()}:
        return
    columns = [name for name in rows.columns if name.startswith(ATTRIBUTE)]
    known = [
        name.removeprefix(ATTRIBUTE) for name in columns if rows[name].null_count() < len(rows)
    ]
    for group in benchmark.groups:
        name = group.attribute or group.key
        if name not in ("language", *known):
            expected = ", ".join([*known, "language"])
            yield f"{name}, an attribute that no question has; expected one of {expected}" + meant(
                name, known
            )
