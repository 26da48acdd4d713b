"""What looks like a slip in how a benchmark of another package measures or groups: a warning, each
said once. Our own are held by tests, and their statistics may leave out what is 0."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache, cached_property
from typing import Any

import polars as pl

from deadpan.base.errors import meant
from deadpan.benchmarks import BUILT_IN
from deadpan.core.answers import ATTRIBUTE
from deadpan.core.benchmark import Benchmark
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Array, Sums, mean, percent, total
from deadpan.core.outcomes import OUTCOMES
from deadpan.core.score import Score

_logger = logging.getLogger("deadpan")
_SHORTEST = 3
"""Names of fewer letters are alike by chance."""
_ALIKE = 0.8


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
    lacking, unused = sorted(watched.wanted - given), sorted(given - watched.wanted)
    what = "no answer gave it {}, which its value is made of"
    if given and "sum" not in given and metric.value in (mean, percent, total):
        others = f"; its statistics give {', '.join(unused)}, which are not used" if unused else ""
        yield what.format(", ".join(lacking)) + others
        return
    for name in lacking:
        if other := _resembling(name, unused):
            yield (
                f"{what.format(name)}; did you mean {other}, which its statistics give and it does "
                "not use?"
            )


def _resembling(name: str, others: Iterable[str]) -> str | None:
    """The one of the others that a name is a slip for. Sums that are rarely added may have no
    answer, and one letter in the place of another tells such apart: `tp_en` and `fp_en`."""
    able = [
        one
        for one in others
        if min(len(one), len(name)) >= _SHORTEST
        and (len(one) != len(name) or sorted(one) == sorted(name))
    ]
    return next(iter(get_close_matches(name, able, 1, cutoff=_ALIKE)), None)


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
    """The groups whose attribute no question here has, once all tasks were asked, though one is
    called nearly so: others that the data has may have it."""
    if {spec.name for spec in benchmark.tasks} - {*rows["task"].unique()}:
        return
    columns = [name for name in rows.columns if name.startswith(ATTRIBUTE)]
    known = [
        name.removeprefix(ATTRIBUTE) for name in columns if rows[name].null_count() < len(rows)
    ]
    for group in benchmark.groups:
        name = group.attribute or group.key
        if name not in ("language", *known) and (hint := meant(name, known)):
            expected = ", ".join([*known, "language"])
            yield f"{name}, an attribute that no question has; expected one of {expected}{hint}"
