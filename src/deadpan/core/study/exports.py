"""What comes out of a study: what each person said, and what was settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pydantic import JsonValue

from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question


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
    compared the first annotator's answer, or the third person's where they decided. Gold is only
    what `studies.results.gold` makes of it."""
    reason: str
    by_lead: bool = False


@dataclass(frozen=True)
class Remark:
    """What somebody wrote about an item in a discussion."""

    unit: int
    stage: str
    person: str
    text: str


@dataclass(frozen=True)
class Reviewed:
    """What a reviewer said of somebody's words, or of their practice: which points they ticked, and
    whether that was enough."""

    unit: int
    item: str
    stage: str
    kind: str
    person: str
    reviewer: str
    points: Sequence[int]
    accepted: bool
    comment: str


@dataclass(frozen=True)
class Returned:
    """An item that a stage sent back: by whom, to which stage (none from the first), by which
    verdict, and why; `round` says for the how manieth time."""

    unit: int
    item: str
    stage: str
    to: str
    by: Sequence[str]
    verdict: str
    reason: str
    round: int


@dataclass(frozen=True)
class Opinion:
    """What a model said when somebody asked it about an item."""

    unit: int
    item: str
    stage: str
    person: str
    model: str
    text: str


@dataclass(frozen=True)
class Spent:
    """A task that is done, and how long it took."""

    unit: int
    item: str
    stage: str
    person: str
    kind: str
    state: str
    """submitted, accepted, skipped; ended where others ended a discussion without a turn of its
    person."""
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
    remarks: Sequence[Remark] = ()
    reviews: Sequence[Reviewed] = ()
    opinions: Sequence[Opinion] = ()
    returns: Sequence[Returned] = ()
    first: Sequence[Said] = ()
    """What was said, before a later stage sent the item back, in tasks that were done anew after
    it; `said` has what was said then."""
    files: Mapping[str, KeptMedia] = field(default_factory=dict)
    """The pictures, videos and sounds of items, by the names that their parts have for them."""

    @cached_property
    def at_first(self) -> Sequence[Said]:
        """All that was said, of items that a later stage sent back what was said before."""
        if not self.first:
            return self.said
        before: dict[tuple[int, str, str], list[Said]] = {}
        for one in self.first:
            before.setdefault((one.unit, one.stage, one.person), []).append(one)
        found: list[Said] = []
        put: set[tuple[int, str, str]] = set()
        for one in self.said:
            whose = (one.unit, one.stage, one.person)
            if one.kind != "answer" or whose not in before:
                found.append(one)
            elif whose not in put:
                put.add(whose)
                found += before[whose]
        return found

    @property
    def independent(self) -> list[Said]:
        """What people said by themselves, before anybody sent it back: agreement is measured on
        that."""
        return [one for one in self.at_first if one.kind == "answer"]

    @cached_property
    def unit_names(self) -> Mapping[int, str]:
        """What each item is called in files, by its unit: its key, with whose output is looked at
        where it is one, and with the sources of all where several items of the key show several."""
        items = {one.unit: one.item for one in self.said}
        items |= {one.unit: one.item for one in self.settled}
        many = Counter(item.key for item in items.values())
        return {unit: _unit_name(item, many[item.key] > 1) for unit, item in items.items()}


def _unit_name(item: StudyItem, is_one_of_several: bool) -> str:
    sources = sorted(output.source for output in item.outputs)
    if len(sources) == 1 or (sources and is_one_of_several):
        return f"{item.key} / {' + '.join(sources)}"
    return item.key
