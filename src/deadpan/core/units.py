"""What is counted and resampled: items and epochs, how each ended, and the groups it is in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deadpan.core.answers import Answer, AnswerKey
from deadpan.core.contamination import RECITED
from deadpan.core.outcomes import OUTCOMES, Outcome
from deadpan.core.questions import Question

Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class GroupBy:
    """A group that scores are given for: its key, the attribute that its values come from, and
    their order where it is not the natural one."""

    key: str
    attribute: str = ""
    order: tuple[str, ...] = ()
    nothing: tuple[str, ...] = ()
    """Values that stand for no group."""
    several: bool = False
    """Whether an answer may be in several: a list, or joined by `+` in older tables."""

    def hashed(self, answer: Answer | Question) -> object:
        """The value that the groups come from, to look them up by; of a question, that of the
        answers to it."""
        name = self.attribute or self.key
        value = answer.language if name == "language" else answer.attributes.get(name)
        return tuple(value) if isinstance(value, list) else value

    def of(self, answer: Answer) -> Iterator[str]:
        """The groups that an answer is in."""
        value = self.hashed(answer)
        if self.several and isinstance(value, str):
            value = value.split("+")
        for one in value if isinstance(value, tuple | list) else [value]:
            if one is not None and one != "" and one not in self.nothing:
                yield f"{self.key}={one}"

    def place(self, group: str) -> tuple[int, tuple[tuple[int, float, str], ...]]:
        """A sort key of this key's groups."""
        value = group.partition("=")[2]
        known = self.order.index(value) if value in self.order else len(self.order)
        return known, natural(value)


def natural(text: str) -> tuple[tuple[int, float, str], ...]:
    """A sort key that puts 2 before 10 and 5 before 5+."""
    parts = re.split(r"(\d+(?:\.\d+)?)", text)
    return tuple(
        (0, float(part), "") if index % 2 else (1, 0.0, part.casefold())
        for index, part in enumerate(parts)
        if part
    )


@dataclass(frozen=True, eq=False)
class Units:
    """What is counted and resampled: items and epochs, how each ended, and the groups it is in.
    The metrics of a task share them."""

    keys: tuple[AnswerKey, ...]
    outcomes: tuple[Outcome, ...]
    groups: tuple[tuple[str, ...], ...]
    by: tuple[GroupBy, ...] = ()
    read: frozenset[int] = frozenset()
    """The places of those that a model had to read."""

    @classmethod
    def of(cls, answers: Iterable[Answer], by: Sequence[GroupBy]) -> Units:
        """Those of a task's answers; where items are tagged as recited, that is a group too."""
        own = list(answers)
        if by and any(answer.attributes.get(RECITED) for answer in own):
            by = (*by, GroupBy(RECITED, order=("no", "yes")))
        # Few answers differ in what they are grouped by: each combination is worked out once.
        known: dict[tuple[object, ...], tuple[str, ...]] = {}
        groups = []
        for answer in own:
            values = tuple(one.hashed(answer) for one in by)
            if values not in known:
                known[values] = tuple(group for one in by for group in one.of(answer))
            groups.append(known[values])
        return cls(
            tuple(answer.key for answer in own),
            tuple(answer.outcome for answer in own),
            tuple(groups),
            tuple(by),
            frozenset(place for place, answer in enumerate(own) if answer.is_read),
        )

    @cached_property
    def endings(self) -> npt.NDArray[np.int8]:
        """Each outcome as its place in OUTCOMES."""
        codes = {name: code for code, name in enumerate(OUTCOMES)}
        return np.array([codes[name] for name in self.outcomes], np.int8)

    @cached_property
    def members(self) -> dict[str, Places]:
        """The places of each group's units, groups in order."""
        alike: dict[tuple[str, ...], int] = {}
        kinds = np.array([alike.setdefault(groups, len(alike)) for groups in self.groups], np.intp)
        found: dict[str, list[int]] = {}
        for groups, kind in alike.items():
            for group in groups:
                found.setdefault(group, []).append(kind)
        return {
            group: np.flatnonzero(np.isin(kinds, found[group]))
            for one in self.by
            for group in sorted(
                (name for name in found if name.partition("=")[0] == one.key), key=one.place
            )
        }


def comparable_items(items_per_model: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The items that every model has, possibly none; no models raises."""
    if not items_per_model:
        raise ValueError("no models to compare")
    return frozenset.intersection(*map(frozenset, items_per_model.values()))
