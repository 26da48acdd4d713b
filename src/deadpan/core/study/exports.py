"""What comes out of a study: what each person said, and what was settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Question, Study


@dataclass(frozen=True)
class Said:
    """One person's answer to one question about one item. `kind` is `answer`, or `discuss` for what
    somebody said in the end of a discussion, or `third`; `unit` tells apart items of one key."""

    unit: int
    item: StudyItem
    stage: str
    question: Question
    person: str
    role: str
    kind: str
    value: JsonValue
    batch: str = ""
    origin: str = "person"
    shown: tuple[int, ...] = ()
    """The order in which outputs stood on the page."""


@dataclass(frozen=True)
class SettledItem:
    """What became of an item in a stage."""

    unit: int
    item: StudyItem
    stage: str
    state: str
    result: Mapping[str, JsonValue]
    reason: str


@dataclass(frozen=True)
class Spent:
    """A task that is done, and how long it took."""

    unit: int
    item: str
    stage: str
    person: str
    kind: str
    state: str
    seconds: float | None
    reason: str = ""


@dataclass(frozen=True)
class Recruited:
    """Somebody whom a recruiting platform sent: the code they were given, and what the link said of
    them."""

    person: str
    code: str
    parameters: Mapping[str, str]


@dataclass(frozen=True)
class StudyExport:
    """Everything that came out of a study, people under names of their own choosing or numbers."""

    study: Study
    version: int
    said: Sequence[Said]
    settled: Sequence[SettledItem]
    spent: Sequence[Spent]
    checks: Sequence[tuple[str, str, bool]]
    """Person, question and whether it was right, of hidden checks."""
    recruited: Sequence[Recruited] = ()
    """Empty where people's names are not asked for."""

    @property
    def independent(self) -> list[Said]:
        """What people said by themselves: agreement is measured on that."""
        return [one for one in self.said if one.kind == "answer"]
