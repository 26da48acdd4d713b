"""The outputs of an item on the page of a task: whether they stand there, and in which order."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import Stage
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import AnswerRow, TaskRow

_EVERYBODY = 0
"""Nobody's number: in this order people see outputs who speak to each other of A and B."""


def outputs_in_order(
    session: Session, study: OpenStudy, task: TaskRow, item: StudyItem
) -> list[int]:
    """The places of the outputs that the page of a task shows, in its order."""
    stage = study.stage(task.stage)
    before = [study.stage(name) for name in stage.builds_on]
    if not (stage.shows_outputs(item) or any(one.chooses for one in before)):
        return []
    whose = whose_order(session, task, stage)
    return study.outputs_shown(whose, task.item, item, _choices_left(session, task, stage))


def whose_order(session: Session, task: TaskRow, stage: Stage) -> int:
    """In whose order outputs stand: in their own for who answers alone, and for who reviews that;
    in one order for those who discuss, and for the third person who reads what they said."""
    if task.kind == "review" and task.subject:
        return session.get_one(TaskRow, task.subject).person
    is_shared = task.kind == "discuss" or (task.kind == "third" and stage.settling.third_sees)
    return _EVERYBODY if is_shared else task.person


def _choices_left(session: Session, task: TaskRow, stage: Stage) -> list[int] | None:
    """The outputs among which a third person chooses: those that others chose; None for all, as
    where one chose and the other said that none is better."""
    if task.kind != "third" or not stage.settling.third_chooses_among_theirs:
        return None
    best = [one.name for one in stage.questions if one.chooses]
    said = select(AnswerRow).join(TaskRow, TaskRow.id == AnswerRow.task)
    theirs = said.where(
        TaskRow.item == task.item,
        TaskRow.stage == task.stage,
        TaskRow.kind == "answer",
        TaskRow.state.in_(("submitted", "accepted")),
        AnswerRow.question.in_(best),
    )
    last = {
        (one.task, one.question): one.value
        for one in session.scalars(theirs.order_by(AnswerRow.id))
    }
    chosen = {value for value in last.values() if isinstance(value, int)}
    return sorted(chosen) if len(chosen) > 1 else None
