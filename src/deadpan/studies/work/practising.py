"""Practice before a study: stage by stage, sessions of items with known answers, each tried a few
times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Practice
from deadpan.core.study.stages import Stage
from deadpan.studies.storage.opened import OpenStudy, new_token
from deadpan.studies.storage.tables import ItemRow, PersonRow, ReviewRow, TaskRow
from deadpan.studies.work.answering import SENT_BACK, answers_of, carry_answers

PracticeStep = Literal["", "begun", "waiting", "passed", "failed"]
"""Empty where there is none to do, or none was begun."""


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
    begun = [_begin(session, study, person, one, step) for one in step.begins]
    return Practised("task", begun[0])


def practice_state(
    session: Session, study: OpenStudy, person: PersonRow
) -> tuple[PracticeStep, Stage | None]:
    """Where a person stands, and in which stage, of which nothing is changed by looking."""
    if study.study.practice is None or person.role != "rater":
        return "", None
    if person.practised_at is not None:
        return "passed", None
    if not _own_tasks(session, person):
        return "", None
    step = _next_step(session, study, person)
    return "begun" if step.state == "task" else step.state, step.stage


@dataclass(frozen=True)
class _Step:
    """What comes next in practice: a task that is open, or items to begin in a round."""

    state: Literal["task", "waiting", "passed", "failed"]
    stage: Stage | None = None
    """The one that is practised; None once all are passed."""
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
    everything = _own_tasks(session, person)
    for stage in study.study.practised:
        own = [task for task in everything if task.stage == stage.name]
        for items_of_session in _divided(items, practice.sessions):
            step = _session_step(session, study, practice, stage, items_of_session, own)
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
    stage: Stage, item: StudyItem, answers: Mapping[str, JsonValue]
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
    session: Session,
    study: OpenStudy,
    practice: Practice,
    stage: Stage,
    items: Sequence[ItemRow],
    own: Sequence[TaskRow],
) -> _Step:
    """What comes next in a session of a stage; `own` are the person's tasks of that stage."""
    ids = [item.id for item in items]
    mine = [task for task in own if task.item in ids]
    turn = max((task.round for task in mine), default=1)
    now = {task.item: task for task in mine if task.round == turn}
    wanted = ids if turn == 1 or not practice.by_person else list(now)
    for number in wanted:
        if number not in now:
            return _Step("task", stage, begins=[number], turn=turn)
        if now[number].state == "open":
            return _Step("task", stage, now[number])
    done = [task for task in now.values() if task.state != "skipped"]
    again: list[int] | None
    if not done:
        again = ids  # who skips everything has not practised
    elif practice.by_person:
        again = _sent_back(session, done)
        if again is None:
            return _Step("waiting", stage)
    else:
        marks = _marks(session, study, stage, done)
        again = [] if _is_enough(practice, sum(marks), len(marks)) else ids
    if not again:
        return _Step("passed")
    if turn >= practice.rounds:
        return _Step("failed", stage)
    begins = again if practice.by_person else again[:1]
    return _Step("task", stage, begins=begins, turn=turn + 1)


def _marks(
    session: Session, study: OpenStudy, stage: Stage, tasks: Sequence[TaskRow]
) -> list[bool]:
    """Of every answer to a question of which it is known whether it was right."""
    return [
        right
        for task in tasks
        for _, right in rightness(
            stage, study.item(session, task.item, stage.name), answers_of(session, task.id)
        )
    ]


def _is_enough(practice: Practice, right: int, of: int) -> bool:
    return not of or right / of >= practice.pass_mark


@dataclass(frozen=True)
class RoundBefore:
    """How the round before went, which was not passed; all are 0 where every item was skipped."""

    right: int
    needed: int
    of: int


def round_before(session: Session, study: OpenStudy, task: TaskRow) -> RoundBefore | None:
    """How the round before that of a practice task went; None in the first, and where somebody has
    looked at it and says so."""
    practice = study.study.practice
    if practice is None or task.kind != "practice" or task.round == 1:
        return None
    person, stage = session.get_one(PersonRow, task.person), study.stage(task.stage)
    divided = _divided(practice_items(session, study, person), practice.sessions)
    parts = ([item.id for item in part] for part in divided)
    ids = next((part for part in parts if task.item in part), [])
    before = [
        one
        for one in _own_tasks(session, person)
        if (one.stage, one.round) == (task.stage, task.round - 1) and one.item in ids
    ]
    done = [one for one in before if one.state != "skipped"]
    if done and practice.by_person:
        return None
    marks = _marks(session, study, stage, done)
    enough = (right for right in range(len(marks) + 1) if _is_enough(practice, right, len(marks)))
    return RoundBefore(sum(marks), next(enough), len(marks))


def _sent_back(session: Session, tasks: Sequence[TaskRow]) -> list[int] | None:
    """The items that have to be done again; None while somebody has to look at one."""
    again = []
    for task in tasks:
        review = last_review(session, task.id)
        if review is None:
            return None
        if not review.accepted:
            again.append(task.item)
    return again


def last_review(session: Session, task: int) -> ReviewRow | None:
    """What was last decided about a task; None where nothing was."""
    query = select(ReviewRow).where(ReviewRow.task == task).order_by(ReviewRow.id.desc())
    return session.scalars(query.limit(1)).first()


def _begin(
    session: Session, study: OpenStudy, person: PersonRow, item: int, step: _Step
) -> TaskRow:
    """A practice task. One that a person sent back begins with what was answered before, and what
    was said of that."""
    assert step.stage is not None
    stage = step.stage.name
    query = select(TaskRow).where(
        TaskRow.item == item,
        TaskRow.stage == stage,
        TaskRow.person == person.id,
        TaskRow.kind == "practice",
        TaskRow.round == step.turn - 1,
    )
    before = session.scalars(query).first()
    review = last_review(session, before.id) if before else None
    now = study.now()
    task = TaskRow(
        token=new_token(),
        item=item,
        stage=stage,
        person=person.id,
        kind="practice",
        round=step.turn,
        state="open",
        note=(review.comment or SENT_BACK) if review else "",
        opened_at=now,
        ended_at=now,
    )
    session.add(task)
    session.flush()
    if before is not None and review is not None:
        carry_answers(session, study, before, task)
    return task
