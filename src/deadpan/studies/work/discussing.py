"""What those do who talk an item over: write, take an answer over, say that they cannot agree."""

from __future__ import annotations

from pydantic import JsonValue
from sqlalchemy.orm import Session

from deadpan.base.printable import without_controls
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import MessageRow, PersonRow, TaskRow
from deadpan.studies.work.advancing import MOST_TURNS, end_discussion, lock_progress, tasks_of
from deadpan.studies.work.answering import answers_of, finish, keep_value, require_open

CANNOT_AGREE = "cannot agree"
"""The note of a discussion's task whose person has said so, until somebody answers anew."""


def say(session: Session, study: OpenStudy, person: PersonRow, task: TaskRow, text: str) -> None:
    """Adds to a discussion."""
    words = without_controls(text).strip()[:4_000]
    if task.kind != "discuss" or not words:
        raise NotAllowed("nothing to say here", "此处不能发言")
    session.add(
        MessageRow(
            item=task.item, stage=task.stage, person=person.id, text=words, at=study.now(), model=""
        )
    )


def adopt(session: Session, study: OpenStudy, task: TaskRow, name: str, key: str) -> JsonValue:
    """Takes the other's answer to a question for one's own; nothing where there is none."""
    stage = study.stage(task.stage)
    question = stage.question(name)
    if task.kind != "discuss" or task.state != "open" or question is None:
        raise NotAllowed("nothing to take over here", "此处没有可采用的答案")
    others = [
        one
        for one in tasks_of(session, task.item, stage, "discuss", done=False)
        if one.id != task.id
    ]
    values = [answers_of(session, one.id).get(name) for one in others]
    value = next((one for one in values if one is not None), None)
    keep_value(session, study, task, question, value, key, "adopted")
    return value


def cannot_agree(session: Session, study: OpenStudy, person: PersonRow, task: TaskRow) -> bool:
    """Says that one cannot agree, which takes a turn; whether all who are still there have said so,
    and the discussion is over by that."""
    if task.kind != "discuss":
        raise NotAllowed("nothing to disagree on here", "此处没有可讨论的内容")
    require_open(session, study, task)
    lock_progress(session, task.item, task.stage)
    finish(session, study, task)
    task.note = CANNOT_AGREE
    task.round += 1
    study.note(session, person, CANNOT_AGREE, task=task.id)
    stage = study.stage(task.stage)
    everybody = tasks_of(session, task.item, stage, "discuss", done=False)
    undecided = [one for one in everybody if not said_apart(one) and _is_there(session, one)]
    if not undecided or all(one.round > MOST_TURNS for one in everybody):
        end_discussion(session, study, task)
        return True
    for one in undecided:
        one.state, one.ended_at = "open", None
    return False


def said_apart(task: TaskRow) -> bool:
    """Whether the person of a discussion's task has said that they cannot agree."""
    return task.kind == "discuss" and task.note == CANNOT_AGREE


def _is_there(session: Session, task: TaskRow) -> bool:
    person = session.get_one(PersonRow, task.person)
    return person.withdrew_at is None and person.revoked_at is None
