"""Answers that are left out. Where an item lacks somebody by that it is open for others, as if that
person had never answered, unless others have built on it or somebody decided it by hand."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from deadpan.core.study.stages import Stage
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import (
    BatchRow,
    EventRow,
    ItemRow,
    PersonRow,
    ProgressRow,
    TaskRow,
)
from deadpan.studies.work.answering import DONE, LEFT_OUT, release_claim
from deadpan.studies.work.practising import last_review
from deadpan.studies.work.returning import later_stages, retire
from deadpan.studies.work.transitions import advance, lock_batch, lock_progress, tasks_of

Place = tuple[int, str]
"""An item and a stage."""
_GONE = ("discarded", "returned")
_DECIDED = ("settled", "disputed", "discarded", "discussing", "third", "returned", "reopened")


def leave_out(session: Session, study: OpenStudy, person: PersonRow) -> None:
    """Takes somebody's answers out of the count, and opens what lacks people by that."""
    by_lead = decided_by_lead(session)
    for task in _own_tasks(session, person, (*DONE, LEFT_OUT)):
        batch = lock_batch(session, session.get_one(ItemRow, task.item).batch)
        progress = lock_progress(session, task.item, task.stage)
        if task.state != LEFT_OUT:
            task.state = LEFT_OUT
            if task.kind == "answer":
                release_claim(session, task)
            session.flush()
        stage = study.study.stage(task.stage)
        if stage is None or stage.people is None or progress is None:
            continue
        is_decided = (task.item, task.stage) in by_lead
        if not is_decided and _may_open(session, study, task, stage, progress):
            _open_again(session, study, task, stage, progress)
        if batch is not None and batch.state == "answered" and progress.state == "open":
            _wait_for_more(session, stage, batch, progress)


def count_again(session: Session, study: OpenStudy, person: PersonRow) -> None:
    """Counts answers that were left out; an item that somebody else has answered meanwhile has one
    more than it wants."""
    for task in _own_tasks(session, person, (LEFT_OUT,)):
        review = last_review(session, task.id)
        is_accepted = review is not None and review.accepted and review.at >= (task.ended_at or 0)
        task.state = "accepted" if is_accepted else "submitted"
        lock_batch(session, session.get_one(ItemRow, task.item).batch)
        progress = lock_progress(session, task.item, task.stage)
        if progress is not None and task.kind == "answer":
            progress.claims += 1
        session.flush()
        if study.study.stage(task.stage) is not None:
            advance(session, study, task.item, task.stage)


def leave_out_everybody(session: Session, study: OpenStudy) -> None:
    """Opens what lacks people since somebody's answers were left out while the study was closed."""
    for person in session.scalars(select(PersonRow).where(PersonRow.left_out)).all():
        leave_out(session, study, person)


def items_lacking(session: Session, study: OpenStudy) -> int:
    """How many items have fewer answers than they want, in a stage, as some are left out."""
    own = select(TaskRow.item, TaskRow.stage, func.count()).join(
        PersonRow, PersonRow.id == TaskRow.person
    )
    answers = own.where(TaskRow.kind == "answer", TaskRow.state.in_((*DONE, LEFT_OUT)))
    by_place = answers.group_by(TaskRow.item, TaskRow.stage)
    theirs = session.execute(by_place.where(PersonRow.left_out))
    touched = {(item, stage) for item, stage, _ in theirs}
    if not touched:
        return 0
    there = select(ProgressRow.item, ProgressRow.stage).where(ProgressRow.state.not_in(_GONE))
    found = touched & {(item, stage) for item, stage in session.execute(there)}
    counting = session.execute(by_place.where(~PersonRow.left_out))
    given = {(item, stage): many for item, stage, many in counting}
    wanted = {stage.name: stage.people or 0 for stage in study.study.stages}
    lacking = {key for key in found if given.get(key, 0) < wanted.get(key[1], 0)}
    return len({item for item, _ in lacking - decided_by_lead(session)})


def decided_by_lead(session: Session) -> set[Place]:
    """What a lead decided, and no rule later on."""
    found: dict[Place, bool] = {}
    query = select(EventRow.person, EventRow.what, EventRow.about)
    decided = query.where(EventRow.what.in_(_DECIDED)).order_by(EventRow.id)
    for person, what, about in session.execute(decided):
        if "item" in about:
            found[about["item"], about["stage"]] = person is not None and what != "reopened"
    return {place for place, is_lead in found.items() if is_lead}


def _own_tasks(session: Session, person: PersonRow, states: tuple[str, ...]) -> list[TaskRow]:
    """What somebody answered about items of the study."""
    query = (
        select(TaskRow)
        .join(ItemRow, ItemRow.id == TaskRow.item)
        .where(
            TaskRow.person == person.id,
            TaskRow.kind.in_(("answer", "third")),
            TaskRow.state.in_(states),
            ItemRow.kind == "main",
        )
    )
    return list(session.scalars(query.order_by(TaskRow.item, TaskRow.id)))


def _may_open(
    session: Session, study: OpenStudy, task: TaskRow, stage: Stage, progress: ProgressRow
) -> bool:
    """Whether an item can be as if somebody had never answered: nobody's later work is lost by
    that. Of what nobody's answer is left nothing is settled, whatever came after."""
    if progress.state in ("open", "returned"):
        return False
    place = (task.item, task.stage)
    own, thirds = (tasks_of(session, task.item, stage, kind) for kind in ("answer", "third"))
    if progress.state == "settled" and not own and not thirds:
        return True
    is_enough = task.kind == "answer" and stage.people is not None and len(own) >= stage.people
    if is_enough or any(begun for _, begun in later_stages(session, study, *place)):
        return False
    if task.kind == "third":
        return True
    if study.is_closed(session):
        return False
    return progress.state == "discussing" or not _others_resolve(session, task)


def _others_resolve(session: Session, task: TaskRow) -> bool:
    """Whether somebody whose answers count has talked an item over, or is its third person."""
    query = (
        select(TaskRow.id)
        .join(PersonRow, PersonRow.id == TaskRow.person)
        .where(
            TaskRow.item == task.item,
            TaskRow.stage == task.stage,
            TaskRow.kind.in_(("discuss", "third")),
            TaskRow.state.in_(("open", *DONE)),
            ~PersonRow.left_out,
        )
    )
    return session.scalar(query.limit(1)) is not None


def _open_again(
    session: Session, study: OpenStudy, task: TaskRow, stage: Stage, progress: ProgressRow
) -> None:
    """Has somebody else answer: by themselves, or as the third person where that is all there
    lacks."""
    for row, is_begun in later_stages(session, study, task.item, task.stage):
        if not is_begun:
            session.delete(row)
    own = tasks_of(session, task.item, stage, "answer")
    is_third = task.kind == "third" and len(own) >= (stage.people or 0)
    if not is_third:
        retire(session, study, task.item, task.stage, ("discuss",))
    progress.state, progress.result, progress.reason = "third" if is_third else "open", {}, ""
    progress.at = study.now()
    study.forget(task.item)
    study.note(session, None, "reopened", item=task.item, stage=task.stage, left_out=task.person)
    session.flush()
    if is_third:
        advance(session, study, task.item, task.stage)


def _wait_for_more(session: Session, stage: Stage, batch: BatchRow, progress: ProgressRow) -> None:
    """Opens a batch again in which an item lacks answers, before a lead has accepted it."""
    if len(tasks_of(session, progress.item, stage, "answer")) < (stage.people or 0):
        batch.state, batch.checked = "open", []
