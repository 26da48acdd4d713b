"""Measurements of shards of items, put together: what each item adds is kept, its texts are not.

All that is known of an item, by all models and tasks, is in one shard. The sums are those of the
whole table then, and so are groups, counts and intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.core.answers import AnswerKey
from deadpan.core.measurement import Measurement, over_tasks
from deadpan.core.metric import KeptStatistics
from deadpan.core.score import Score
from deadpan.core.units import Units

Key = tuple[str, str, str, str, str]
"""Model, task, metric, what it has values for each of, and what all units are called."""
_Marks = npt.NDArray[np.bool_] | None


class DoesNotAddUp(ValueError):
    """What was measured on shards is not what is measured on the whole: that has to be read."""


@dataclass
class _Parts:
    """One metric's measurements of all shards so far."""

    last: Measurement
    units: list[Units] = field(default_factory=list)
    statistics: list[KeptStatistics] = field(default_factory=list)
    marks: list[tuple[_Marks, _Marks]] = field(default_factory=list)


class MeasuredShards:
    """Takes up what was measured on one shard after the other; `joined` is all of it."""

    def __init__(self) -> None:
        self._found: dict[Key, _Parts] = {}
        self._measured: dict[tuple[str, str], list[tuple[Key, str]]] = {}

    def add(self, measured: Iterable[Measurement | Score]) -> None:
        """Takes up a shard; raises where its measurements are not those of the other shards."""
        asked: dict[tuple[str, str], list[tuple[Key, str]]] = {}
        items: dict[AnswerKey, AnswerKey] = {}
        kept: dict[int, tuple[Any, Any]] = {}  # by id, with what has it, so that it stays alive
        for one in measured:
            if isinstance(one, Score) or one.draws is not None:
                raise DoesNotAddUp(f"{one.metric} is no sum over items")
            key = _key(one)
            asked.setdefault(key[:2], []).append((key, one.signature))
            own = self._found.setdefault(key, _Parts(one))
            if own.last.given != one.given:
                raise DoesNotAddUp(f"{one.metric.name} is measured in some shards only")
            if one.parts:
                own.last = one
                continue
            if id(one.units) not in kept:
                kept[id(one.units)] = one.units, _kept_units(one.units, items)
            if id(one.statistics) not in kept:
                kept[id(one.statistics)] = one.statistics, KeptStatistics.of(one.statistics)
            own.units.append(kept[id(one.units)][1])
            own.statistics.append(kept[id(one.statistics)][1])
            own.marks.append((one.left_out, one.silent))
            own.last = replace(one, units=_NOTHING, statistics=(), left_out=None, silent=None)
        for about, found in asked.items():
            if len(set(found)) < len(found) or self._measured.setdefault(about, found) != found:
                raise DoesNotAddUp(f"{'/'.join(about)} is measured otherwise in some shards")

    def joined(self, models: Sequence[str]) -> list[Measurement]:
        """What was measured on all shards together, models in this order."""
        shared: dict[tuple[int, ...], Any] = {}
        found: dict[Key, Measurement] = {}
        for key, own in self._found.items():
            if not own.last.parts:
                found[key] = _joined(own, shared)
        for key, own in self._found.items():
            if own.last.parts:
                parts = [found[_key(part)] for part in own.last.parts]
                whole = over_tasks(own.last.metric, parts, own.last.signature, own.last.task)
                found[key] = replace(whole, group=own.last.group)
        places = {model: place for place, model in enumerate(models)}
        ordered = sorted(self._found, key=lambda key: places[key[0]])
        return [found[key] for key in ordered]


_NOTHING = Units((), (), ())


def _key(one: Measurement) -> Key:
    return one.model, one.task, one.metric.name, one.metric.each, one.group


def _kept_units(units: Units, items: dict[AnswerKey, AnswerKey]) -> Units:
    """The units with one name for each item and epoch, whoever was asked about it."""
    return replace(units, keys=tuple(items.setdefault(key, key) for key in units.keys))


def _joined(own: _Parts, shared: dict[tuple[int, ...], Any]) -> Measurement:
    """One metric over all shards; what metrics shared in every shard they share."""
    of_units, of_statistics = (tuple(map(id, chunks)) for chunks in (own.units, own.statistics))
    if of_units not in shared:
        shared[of_units] = _joined_units(own.units)
    if of_statistics not in shared:
        shared[of_statistics] = KeptStatistics.joined(own.statistics)
    left_out, silent = (_joined_marks(marks) for marks in zip(*own.marks, strict=True))
    return replace(
        own.last,
        units=shared[of_units],
        statistics=shared[of_statistics],
        left_out=left_out,
        silent=silent,
    )


def _joined_units(parts: Sequence[Units]) -> Units:
    alike: dict[tuple[str, ...], tuple[str, ...]] = {}
    starts = np.cumsum([0, *(len(one.keys) for one in parts)]).tolist()
    return Units(
        tuple(chain.from_iterable(one.keys for one in parts)),
        tuple(chain.from_iterable(one.outcomes for one in parts)),
        tuple(alike.setdefault(groups, groups) for one in parts for groups in one.groups),
        max((one.by for one in parts), key=len),
        frozenset(start + at for start, one in zip(starts, parts, strict=False) for at in one.read),
    )


def _joined_marks(marks: Sequence[_Marks]) -> _Marks:
    given = [one for one in marks if one is not None]
    if given and len(given) < len(marks):
        raise DoesNotAddUp("units are marked in some shards only")
    return np.concatenate(given) if given else None
