"""What comes out of a study: what each person said, and what was settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

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
    """What the next stage, and the benchmark's own files, go on with: of questions that are not
    compared the first annotator's answer. Gold is only what `studies.results.gold` makes of it."""
    reason: str
    by_lead: bool = False


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
class Checked:
    """An answer to a hidden check, and whether it was right."""

    person: str
    item: str
    question: str
    right: bool


@dataclass(frozen=True)
class Recruited:
    """Somebody whom a recruiting platform sent: the code they were given, and what the link said of
    them."""

    person: str
    code: str
    parameters: Mapping[str, str]


@dataclass(frozen=True)
class KeptMedia:
    """A file that the study keeps: where it lies, and a name for it that tells its type."""

    path: Path
    name: str


@dataclass(frozen=True)
class StudyExport:
    """Everything that came out of a study, people under names of their own choosing or numbers."""

    study: Study
    version: int
    said: Sequence[Said]
    settled: Sequence[SettledItem]
    spent: Sequence[Spent]
    checks: Sequence[Checked]
    recruited: Sequence[Recruited] = ()
    """Empty where people's names are not asked for."""
    waiting: int = 0
    """Tasks that are done, and count once a reviewer has accepted them."""
    files: Mapping[str, KeptMedia] = field(default_factory=dict)
    """The pictures, videos and sounds of items, by the names that their parts have for them."""

    @property
    def independent(self) -> list[Said]:
        """What people said by themselves: agreement is measured on that."""
        return [one for one in self.said if one.kind == "answer"]
