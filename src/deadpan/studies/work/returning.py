"""Items that a later stage sends back: those who answered the stage before answer anew, with what
was said of it, and who sent it back looks again."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.specification import Stage
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import PersonRow, ProgressRow, TaskRow
from deadpan.studies.work.answering import DONE, release_claim

MOST_RETURNS = 3
"""How often an item is sent back; then it is the lead's."""


def retire(
    session: Session,
    study: OpenStudy,
    item: int,
    stage: str,
    kinds: tuple[str, ...],
    open_only: bool = False,
) -> None:
    """Takes tasks out of the count, such that new ones of their kind can be begun."""
    query = select(TaskRow).where(
        TaskRow.item == item, TaskRow.stage == stage, TaskRow.kind.in_(kinds)
    )
    for task in session.scalars(query.order_by(TaskRow.id)):
        if task.state == "open" or (not open_only and task.state in DONE):
            task.state, task.ended_at = "released", study.now()
            if task.kind == "answer":
                release_claim(session, task)
            elif task.kind != "review":
                task.subject = task.id  # no two tasks of a person about an item are the same
    session.flush()


def was_returned_enough(session: Session, progress: ProgressRow) -> bool:
    """Whether an item was sent back from a stage as often as it may."""
    query = select(TaskRow.round).where(
        TaskRow.item == progress.item, TaskRow.stage == progress.stage, TaskRow.kind == "answer"
    )
    return max(session.scalars(query), default=1) > MOST_RETURNS


def send_back(session: Session, study: OpenStudy, item: int, before: Stage, words: str) -> None:
    """Opens an item again in the stage before, for those who answered it there."""
    _reopen(session, study, item, before, words)


def begin_again(session: Session, study: OpenStudy, item: int, stage: Stage) -> bool:
    """Whether an item had been in a stage, which sent it back: then it is open there again, for the
    same people."""
    found = _progress(session, item, stage.name)
    if found is None:
        return False
    _reopen(session, study, item, stage, "")
    return True


def _progress(session: Session, item: int, stage: str) -> ProgressRow | None:
    query = select(ProgressRow).where(ProgressRow.item == item, ProgressRow.stage == stage)
    return session.scalars(query.with_for_update()).first()


def _reopen(session: Session, study: OpenStudy, item: int, stage: Stage, words: str) -> None:
    """Everybody's own answers about an item are open again, as they were; who is gone is replaced,
    and what was talked over or resolved by a third person counts no more."""
    retire(session, study, item, stage.name, ("discuss", "third", "review"))
    query = (
        select(TaskRow, PersonRow)
        .join(PersonRow, PersonRow.id == TaskRow.person)
        .where(TaskRow.item == item, TaskRow.stage == stage.name, TaskRow.kind == "answer")
        .order_by(TaskRow.id)
    )
    for task, person in session.execute(query):
        if task.state not in DONE:
            continue
        if person.withdrew_at is None and person.revoked_at is None:
            task.state, task.ended_at, task.note = "open", None, words
            task.round += 1
        else:
            task.state = "released"
            release_claim(session, task)
    progress = _progress(session, item, stage.name)
    if progress is not None:
        progress.state, progress.reason, progress.result = "open", "", {}
        progress.at = study.now()
    session.flush()
