"""How long people work on a task: from when they are shown it until they are done, and anew each
time that it comes back to them. While others have it, its clock stands."""

from __future__ import annotations

from itertools import pairwise

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import AnswerRow, MessageRow, TaskRow

_LONGEST_PAUSE, _LONGEST_WAIT = 300, 60
"""Seconds without a deed that still count as work: by oneself, and in a discussion, where people
wait for each other."""


def start_clock(study: OpenStudy, task: TaskRow) -> None:
    """Its person is shown a task: where the clock stands, it runs from now on. Of one that is done
    that counts only once they change it."""
    if task.ended_at is not None:
        task.opened_at = study.now()
        task.ended_at = None if task.state == "open" else task.ended_at


def resume(study: OpenStudy, task: TaskRow) -> None:
    """Its person goes on with a task: the clock runs since they were shown it, or from now on where
    they were not."""
    if task.ended_at is not None:
        was_shown = task.opened_at > task.ended_at
        task.opened_at, task.ended_at = task.opened_at if was_shown else study.now(), None


def stop_clock(session: Session, study: OpenStudy, task: TaskRow) -> None:
    """Its person is done: what they worked is added to what they worked before."""
    now = study.now()
    task.seconds = (task.seconds or 0.0) + _worked(task, [*_deeds(session, task), now])
    task.ended_at = now


def stop_for(session: Session, study: OpenStudy, task: TaskRow) -> None:
    """Others ended a discussion: its person worked until they last did something."""
    if task.ended_at is None and (worked := _worked(task, _deeds(session, task))):
        task.seconds = (task.seconds or 0.0) + worked
    task.ended_at = study.now()


def _worked(task: TaskRow, moments: list[float]) -> float:
    longest = _LONGEST_WAIT if task.kind == "discuss" else _LONGEST_PAUSE
    pauses = (after - before for before, after in pairwise([task.opened_at, *sorted(moments)]))
    return sum(min(max(0.0, pause), longest) for pause in pauses)


def _deeds(session: Session, task: TaskRow) -> list[float]:
    """When a person answered, or said something in a discussion, since they were shown a task."""
    answered = select(AnswerRow.at).where(AnswerRow.task == task.id, AnswerRow.at >= task.opened_at)
    moments = list(session.scalars(answered))
    if task.kind == "discuss":
        said = select(MessageRow.at).where(
            MessageRow.item == task.item,
            MessageRow.stage == task.stage,
            MessageRow.person == task.person,
            MessageRow.at >= task.opened_at,
        )
        moments += session.scalars(said)
    return moments
