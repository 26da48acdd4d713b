"""What people have done and what is left to do: the counts that a lead's pages are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.stages import Stage
from deadpan.core.study.words import Words
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import ItemRow, PersonRow, ProgressRow, TaskRow
from deadpan.studies.work.answering import DONE, LEFT_OUT
from deadpan.studies.work.practising import practice_state


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
    def is_done(self) -> bool:
        """Whether its person is done with it, though it may not count."""
        return self.state in (*DONE, LEFT_OUT)

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
    failed: frozenset[int]
    """Who failed practice, and is given nothing."""

    @classmethod
    def of(cls, session: Session, study: OpenStudy, item: int | None = None) -> Workload:
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
        people = list(session.scalars(select(PersonRow).order_by(PersonRow.id)))
        return cls(
            [Work(*row) for row in session.execute(tasks.order_by(TaskRow.id))],
            found,
            people,
            len({place.item for place in found}),
            frozenset(
                one.id for one in people if practice_state(session, study, one)[0] == "failed"
            ),
        )

    def may_answer(self, study: OpenStudy, stage: Stage, place: Place, person: PersonRow) -> bool:
        """Whether somebody may be given an item, apart from what they have answered already."""
        if person.role != stage.role or person.revoked_at or person.withdrew_at:
            return False
        is_theirs = stage.others or place.team in (None, person.team)
        reads = not study.study.by_language or not person.languages
        can_read = reads or place.language in person.languages
        return is_theirs and can_read and person.id not in self.failed


@dataclass(frozen=True)
class StageProgress:
    """How far a stage is: its items by state, and its answers. Items that are open are `untouched`,
    `begun` or `answered` by all who have to; `later` are those that are not there yet."""

    name: str
    title: Words
    states: Mapping[str, int]
    given: int
    needed: int
    settles: bool = True
    """Whether answers are settled; ratings stand by themselves."""

    @property
    def done(self) -> int:
        """How many items are settled, or answered by all who have to where nothing is settled."""
        answered = 0 if self.settles else self.states.get("answered", 0)
        return self.states.get("settled", 0) + answered

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
        unanswered = _unanswered(study, load, stage, own, done)
        for place in own:
            given, lacks = done[place.item, place.stage], place in unanswered
            states[_openness(given, lacks) if place.state == "open" else place.state] += 1
        states["later"] = max(0, load.items - _gone_before(study, load, at) - len(own))
        total = sum(done[place.item, place.stage] for place in own)
        settles = stage.settling.rule != "independent"
        needed = total + left[at]
        found.append(StageProgress(stage.name, stage.title, states, total, needed, settles))
    return found


def _openness(answers: int, lacks: bool) -> str:
    """How far an item is that is open."""
    if not answers:
        return "untouched"
    return "begun" if lacks else "answered"


def _unanswered(
    study: OpenStudy,
    load: Workload,
    stage: Stage,
    places: Sequence[Place],
    done: Mapping[tuple[int, str], int],
) -> set[Place]:
    """Where somebody still has to answer."""
    if stage.people is None:
        return {place for place, _ in _still_to_come(study, load, stage, places)}
    return {place for place in places if done[place.item, place.stage] < stage.people}


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
            found.append(len(_still_to_come(study, load, stage, own)))
            continue
        later = max(0, load.items - _gone_before(study, load, at) - len(own))
        lacking = (
            max(0, stage.people - done[place.item, place.stage])
            for place in own
            if place.state == "open"
        )
        found.append(sum(lacking) + stage.people * later)
    return found


def _still_to_come(
    study: OpenStudy, load: Workload, stage: Stage, places: Sequence[Place]
) -> list[tuple[Place, int]]:
    """Where everybody answers everything: open items, each with somebody who has not had it."""
    had = {
        (one.item, one.person)
        for one in load.work
        if one.stage == stage.name and one.kind == "answer" and one.state != "open"
    }
    return [
        (place, person.id)
        for place in places
        if place.state == "open"
        for person in load.people
        if (place.item, person.id) not in had and load.may_answer(study, stage, place, person)
    ]


def answered_at(work: Iterable[Work]) -> list[float]:
    """When answers were submitted."""
    return [one.ended_at for one in work if one.is_answer and one.ended_at is not None]
