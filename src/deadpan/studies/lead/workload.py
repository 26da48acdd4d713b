"""What people have done and what is left to do: the counts that a lead's pages are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.specification import Stage
from deadpan.core.study.words import Words
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import ItemRow, PersonRow, ProgressRow, TaskRow
from deadpan.studies.work.answering import DONE


class Work(NamedTuple):
    """A task as far as it is counted, and the item it is about."""

    task: int
    item: int
    key: str
    of: str
    """main, practice or check"""
    stage: str
    person: int
    kind: str
    state: str
    note: str
    ended_at: float | None
    seconds: float | None

    @property
    def is_answer(self) -> bool:
        """Whether it is somebody's own answer about an item of the study."""
        return self.of == "main" and self.kind == "answer" and self.state in DONE


class Place(NamedTuple):
    """An item in a stage, and who may answer it."""

    item: int
    stage: str
    state: str
    language: str
    team: int | None


@dataclass(frozen=True)
class Workload:
    """Everything that was done so far."""

    work: Sequence[Work]
    places: Sequence[Place]
    people: Sequence[PersonRow]
    items: int
    """How many there are without practice and checks."""

    @classmethod
    def of(cls, session: Session, item: int | None = None) -> Workload:
        """Read from the database: of everything, or of one item."""
        tasks = select(
            *(TaskRow.id, TaskRow.item, ItemRow.key, ItemRow.kind, TaskRow.stage, TaskRow.person),
            *(TaskRow.kind, TaskRow.state, TaskRow.note, TaskRow.ended_at, TaskRow.seconds),
        ).join(ItemRow, ItemRow.id == TaskRow.item)
        places = select(
            ProgressRow.item, ProgressRow.stage, ProgressRow.state, ItemRow.language, ItemRow.team
        ).join(ItemRow, ItemRow.id == ProgressRow.item)
        if item is not None:
            tasks, places = tasks.where(TaskRow.item == item), places.where(ItemRow.id == item)
        found = [Place(*row) for row in session.execute(places.order_by(ProgressRow.id))]
        return cls(
            [Work(*row) for row in session.execute(tasks.order_by(TaskRow.id))],
            found,
            list(session.scalars(select(PersonRow).order_by(PersonRow.id))),
            len({place.item for place in found}),
        )


@dataclass(frozen=True)
class StageProgress:
    """How far a stage is: its items by state, and its answers. Items that are open are `untouched`,
    `begun` or `answered` by all who have to; `later` are those that are not there yet."""

    name: str
    title: Words
    states: Mapping[str, int]
    given: int
    needed: int

    @property
    def items(self) -> int:
        return sum(self.states.values())


def stage_progress(study: OpenStudy, load: Workload) -> list[StageProgress]:
    """Every stage's progress, in their order."""
    done, left = _answers_by_place(load), remaining_by_stage(study, load)
    found = []
    for at, stage in enumerate(study.study.stages):
        own = [place for place in load.places if place.stage == stage.name]
        states: Counter[str] = Counter()
        for place in own:
            given = done[place.item, place.stage]
            states[_openness(stage, given) if place.state == "open" else place.state] += 1
        states["later"] = max(0, load.items - _gone_before(study, load, at) - len(own))
        total = sum(done[place.item, place.stage] for place in own)
        found.append(StageProgress(stage.name, stage.title, states, total, total + left[at]))
    return found


def _openness(stage: Stage, answers: int) -> str:
    """How far an item is that is open."""
    if not answers:
        return "untouched"
    return "answered" if stage.people and answers >= stage.people else "begun"


def _answers_by_place(load: Workload) -> Counter[tuple[int, str]]:
    return Counter((one.item, one.stage) for one in load.work if one.is_answer)


def _gone_before(study: OpenStudy, load: Workload, at: int) -> int:
    """How many items earlier stages took out."""
    before = {stage.name for stage in study.study.stages[:at]}
    return sum(
        place.stage in before and place.state in ("discarded", "returned") for place in load.places
    )


def remaining_by_stage(study: OpenStudy, load: Workload) -> list[int]:
    """How many answers each stage still lacks, those of items that are not there yet among them."""
    done = _answers_by_place(load)
    found = []
    for at, stage in enumerate(study.study.stages):
        own = [place for place in load.places if place.stage == stage.name]
        if stage.people is None:
            found.append(_remaining_of_all(study, load, stage, own))
            continue
        later = max(0, load.items - _gone_before(study, load, at) - len(own))
        lacking = (
            max(0, stage.people - done[place.item, place.stage])
            for place in own
            if place.state == "open"
        )
        found.append(sum(lacking) + stage.people * later)
    return found


def _remaining_of_all(
    study: OpenStudy, load: Workload, stage: Stage, places: Sequence[Place]
) -> int:
    """What is left where everybody answers everything."""
    had = {
        (one.item, one.person)
        for one in load.work
        if one.stage == stage.name and one.kind == "answer" and one.state != "open"
    }
    return sum(
        (place.item, person.id) not in had
        for place in places
        if place.state == "open"
        for person in load.people
        if may_answer(study, stage, place, person)
    )


def may_answer(study: OpenStudy, stage: Stage, place: Place, person: PersonRow) -> bool:
    """Whether somebody may be given an item, apart from what they have answered already."""
    if person.role != stage.role or person.revoked_at or person.withdrew_at:
        return False
    is_theirs = stage.others or place.team in (None, person.team)
    reads = not study.study.by_language or not person.languages
    return is_theirs and (reads or place.language in person.languages)


def stuck_items(study: OpenStudy, load: Workload) -> set[tuple[int, str]]:
    """The items, with the stage, that nobody can answer any more who has not skipped them."""
    had: dict[tuple[int, str], set[int]] = {}
    touched: dict[int, set[int]] = {}
    held: Counter[tuple[int, str]] = Counter()
    passed_over: set[tuple[int, str]] = set()
    for one in load.work:
        touched.setdefault(one.item, set()).add(one.person)
        if one.of != "main" or one.kind != "answer":
            continue
        key = (one.item, one.stage)
        had.setdefault(key, set()).add(one.person)
        if one.state in (*DONE, "open"):
            held[key] += 1
        else:
            passed_over.add(key)
    found = set()
    for place in load.places:
        key = (place.item, place.stage)
        stage = study.study.stage(place.stage)
        if key not in passed_over or place.state != "open" or stage is None or not stage.people:
            continue
        gone = touched[place.item] if stage.others else had[key]
        fresh = sum(
            person.id not in gone and may_answer(study, stage, place, person)
            for person in load.people
        )
        if held[key] + fresh < stage.people:
            found.add(key)
    return found


def answered_at(work: Iterable[Work]) -> list[float]:
    """When answers were submitted."""
    return [one.ended_at for one in work if one.is_answer and one.ended_at is not None]
