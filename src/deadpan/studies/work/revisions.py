"""What somebody may still change of what they did: as long as nobody builds on it."""

from __future__ import annotations

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import EventRow, ProgressRow, TaskRow

_ITS_PROGRESS = and_(ProgressRow.item == TaskRow.item, ProgressRow.stage == TaskRow.stage)
_LOOKED_AT = 10


class SubmittedAlready(NotAllowed):
    """Somebody goes on with a task that they have submitted, in another page maybe."""


def over(session: Session, task: TaskRow) -> NotAllowed:
    """What is said to somebody who goes on with a task that is over."""
    if is_own_end(session, task):
        return SubmittedAlready("task_submitted")
    return NotAllowed("task_over")


def require_as_seen(session: Session, task: TaskRow, seen: str) -> None:
    """Raises where a page shows a task as open that is done by now: what was submitted is changed
    by those alone who see that it was. A page that does not say what it shows passes."""
    if seen == "open" and task.state in ("submitted", "accepted", "skipped"):
        raise over(session, task)


def is_own_end(session: Session, task: TaskRow) -> bool:
    """Whether a task is done by its own person: a discussion may have been ended by others."""
    if task.state not in ("submitted", "accepted"):
        return False
    own = select(EventRow.id).where(
        EventRow.person == task.person,
        EventRow.what == "submitted",
        EventRow.about["task"].as_integer() == task.id,
    )
    return task.kind != "discuss" or session.scalar(own.limit(1)) is not None


def may_change(session: Session, task: TaskRow, progress: ProgressRow | None) -> bool:
    """Whether somebody may go back to what they submitted or skipped: while the item is still open,
    or talked over. A hidden check is never settled, and would stand out by that: it goes with what
    its person answered before it."""
    if task.kind == "discuss":
        is_open = progress is not None and progress.state == "discussing"
        return is_open and task.state == "submitted"
    if task.kind != "answer" or task.state not in ("submitted", "skipped"):
        return False
    if progress is not None:
        return progress.state == "open"
    query = (
        select(ProgressRow.state)
        .join(TaskRow, _ITS_PROGRESS)
        .where(TaskRow.person == task.person, TaskRow.kind == "answer", TaskRow.id < task.id)
        .order_by(TaskRow.id.desc())
    )
    return session.scalar(query.limit(1)) in (None, "open")


def has_ended(session: Session, study: OpenStudy, task: TaskRow) -> bool:
    """Whether nothing of a task can be answered or changed any more."""
    if study.is_closed(session):
        return True
    query = select(ProgressRow).where(
        ProgressRow.item == task.item, ProgressRow.stage == task.stage
    )
    return task.state != "open" and not may_change(session, task, session.scalars(query).first())


def task_before(session: Session, task: TaskRow) -> TaskRow | None:
    """What the person did before a task and can still change; None where there is nothing."""
    query = (
        select(TaskRow, ProgressRow)
        .outerjoin(ProgressRow, _ITS_PROGRESS)
        .where(
            TaskRow.person == task.person,
            TaskRow.kind == "answer",
            TaskRow.state == "submitted",
            or_(ProgressRow.id.is_(None), ProgressRow.state == "open"),
            TaskRow.id != task.id,
        )
        .order_by(TaskRow.ended_at.desc())
    )
    for before, progress in session.execute(query.limit(_LOOKED_AT)):
        if may_change(session, before, progress):
            found: TaskRow = before
            return found
    return None
