"""Practice before a study: sessions of items with known answers, each tried a few times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Stage
from deadpan.studies.storage.opened import OpenStudy, new_token
from deadpan.studies.storage.tables import ItemRow, PersonRow, ReviewRow, TaskRow
from deadpan.studies.work.answering import answers_of


@dataclass(frozen=True)
class Practised:
    """Where a person stands: has a task to do, waits for somebody to look, has passed or failed."""

    state: Literal["task", "waiting", "passed", "failed"]
    task: TaskRow | None = None


def practise(session: Session, study: OpenStudy, person: PersonRow) -> Practised:
    """The next step of a person's practice; a study without practice is passed."""
    step = _next_step(session, study, person)
    if step.state == "passed" and step.is_new:
        person.practised_at = study.now()
        study.note(session, person, "practised", items=step.items)
    if not step.begins:
        return Practised(step.state, step.task)
    stage = study.study.stages[0]
    begun = [_begin(session, study, person, one, stage, step.turn) for one in step.begins]
    return Practised("task", begun[0])


def practice_state(
    session: Session, study: OpenStudy, person: PersonRow
) -> Literal["task", "waiting", "passed", "failed"]:
    """Where a person stands, of which nothing is changed by looking."""
    return _next_step(session, study, person).state


@dataclass(frozen=True)
class _Step:
    """What comes next in practice: a task that is open, or items to begin in a round."""

    state: Literal["task", "waiting", "passed", "failed"]
    task: TaskRow | None = None
    begins: Sequence[int] = ()
    turn: int = 1
    is_new: bool = False
    """Whether it was not known before that it is passed."""
    items: int = 0


def _next_step(session: Session, study: OpenStudy, person: PersonRow) -> _Step:
    practice = study.study.practice
    if practice is None or person.role != "rater" or person.practised_at is not None:
        return _Step("passed")
    items = practice_items(session, study, person)
    own = _own_tasks(session, person)
    for items_of_session in _divided(items, practice.sessions):
        step = _session_step(session, study, items_of_session, own)
        if step.state != "passed":
            return step
    return _Step("passed", is_new=True, items=len(items))


def practice_items(session: Session, study: OpenStudy, person: PersonRow) -> list[ItemRow]:
    """The items that a person practises on."""
    query = select(ItemRow).where(ItemRow.kind == "practice").order_by(ItemRow.id)
    return [
        item
        for item in session.scalars(query)
        if not study.study.by_language or not person.languages or item.language in person.languages
    ]


def rightness(
    stage: Stage, item: StudyItem, answers: dict[str, JsonValue]
) -> list[tuple[str, bool]]:
    """Of each question with a known answer whether it was answered so."""
    said = stage.completed(answers)
    return [
        (one.name, one.name in said and one.agree(said[one.name], item.gold[one.name]))
        for one in stage.questions
        if item.gold.get(one.name) is not None
    ]


def _divided(items: Sequence[ItemRow], sessions: int) -> list[Sequence[ItemRow]]:
    """The items in so many parts of nearly one size; empty ones are left out."""
    ends = [round(at * len(items) / sessions) for at in range(sessions + 1)]
    parts = [items[ends[at] : ends[at + 1]] for at in range(sessions)]
    return [part for part in parts if part]


def _own_tasks(session: Session, person: PersonRow) -> list[TaskRow]:
    query = select(TaskRow).where(TaskRow.person == person.id, TaskRow.kind == "practice")
    return list(session.scalars(query.order_by(TaskRow.id)))


def _session_step(
    session: Session, study: OpenStudy, items: Sequence[ItemRow], own: Sequence[TaskRow]
) -> _Step:
    practice, stage = study.study.practice, study.study.stages[0]
    assert practice is not None
    ids = [item.id for item in items]
    mine = [task for task in own if task.item in ids]
    turn = max((task.round for task in mine), default=1)
    now = {task.item: task for task in mine if task.round == turn}
    wanted = ids if turn == 1 or not practice.by_person else list(now)
    for number in wanted:
        if number not in now:
            return _Step("task", begins=[number], turn=turn)
        if now[number].state == "open":
            return _Step("task", now[number])
    done = [task for task in now.values() if task.state != "skipped"]
    again: list[int] | None
    if not done:
        again = ids  # who skips everything has not practised
    elif practice.by_person:
        again = _sent_back(session, done)
        if again is None:
            return _Step("waiting")
    else:
        marks = [
            right
            for task in done
            for _, right in rightness(
                stage, study.item(session, task.item, stage.name), answers_of(session, task.id)
            )
        ]
        passed = not marks or sum(marks) / len(marks) >= practice.pass_mark
        again = [] if passed else ids
    if not again:
        return _Step("passed")
    if turn >= practice.rounds:
        return _Step("failed")
    return _Step("task", begins=again if practice.by_person else again[:1], turn=turn + 1)


def _sent_back(session: Session, tasks: Sequence[TaskRow]) -> list[int] | None:
    """The items that have to be done again; None while somebody has to look at one."""
    again = []
    for task in tasks:
        query = select(ReviewRow).where(ReviewRow.task == task.id).order_by(ReviewRow.id.desc())
        review = session.scalars(query.limit(1)).first()
        if review is None:
            return None
        if not review.accepted:
            again.append(task.item)
    return again


def _begin(
    session: Session, study: OpenStudy, person: PersonRow, item: int, stage: Stage, turn: int
) -> TaskRow:
    task = TaskRow(
        token=new_token(),
        item=item,
        stage=stage.name,
        person=person.id,
        kind="practice",
        round=turn,
        state="open",
        opened_at=study.now(),
    )
    session.add(task)
    session.flush()
    return task
