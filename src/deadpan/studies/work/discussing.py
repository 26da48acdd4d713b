"""What those do who talk an item over: write, take an answer over, say that they cannot agree."""

from __future__ import annotations

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.base.printable import without_controls
from deadpan.core.study.stages import Stage
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import EventRow, MessageRow, PersonRow, TaskRow
from deadpan.studies.work.answering import (
    answers_of,
    finish,
    keep_value,
    require_not_closed,
    require_open,
)
from deadpan.studies.work.transitions import MOST_TURNS, end_discussion, lock_progress, tasks_of

CANNOT_AGREE = "cannot agree"
"""The note of a discussion's task whose person has said so, until somebody answers anew."""
MOST_CHARACTERS = 4_000
"""Of a message."""
_REMEMBERED = 100
"""How many of a person's last messages a repeated request is known among."""


def say(
    session: Session, study: OpenStudy, person: PersonRow, task: TaskRow, text: str, key: str = ""
) -> None:
    """Adds to a discussion that goes on; the same request a second time adds nothing."""
    words = without_controls(text).strip()
    if task.kind != "discuss" or not words:
        raise NotAllowed("no_talk")
    if len(words) > MOST_CHARACTERS:
        raise NotAllowed("message_long", most=MOST_CHARACTERS)
    require_not_closed(session, study)
    progress = lock_progress(session, task.item, task.stage)
    if progress is None or progress.state != "discussing":
        raise NotAllowed("discussion_over")
    if _is_said(session, person, task, words, key):
        return
    about = {"item": task.item, "stage": task.stage, "person": person.id}
    session.add(MessageRow(**about, text=words, at=study.now(), model=""))
    study.note(session, person, "said", talk=task.id, key=key)


def _is_said(session: Session, person: PersonRow, task: TaskRow, words: str, key: str) -> bool:
    """Whether somebody has said this already: by the same request, or as the last that was said."""
    here = select(MessageRow).where(
        MessageRow.item == task.item, MessageRow.stage == task.stage, MessageRow.model == ""
    )
    last = session.scalars(here.order_by(MessageRow.id.desc()).limit(1)).first()
    if last is not None and (last.person, last.text) == (person.id, words):
        return True
    own = select(EventRow.about).where(EventRow.person == person.id, EventRow.what == "said")
    latest = session.scalars(own.order_by(EventRow.id.desc()).limit(_REMEMBERED))
    return bool(key) and any(one.get("key") == key for one in latest)


def numbers(session: Session, task: TaskRow, stage: Stage) -> dict[int, str]:
    """The number by which everybody in a discussion knows a person; outputs have letters."""
    talking = tasks_of(session, task.item, stage, "discuss", done=False)
    return {one.person: str(at) for at, one in enumerate(talking, 1)}


def adopt(
    session: Session, study: OpenStudy, task: TaskRow, name: str, key: str, whose: str = ""
) -> JsonValue:
    """Takes the answer of the other, or of one of the others by their number, for one's own;
    nothing where there is none. A picture that another sent is not taken: it would be shown as
    one's own."""
    stage = study.stage(task.stage)
    question = stage.question(name)
    if task.kind != "discuss" or question is None or question.uploads:
        raise NotAllowed("no_taking_over")
    require_open(session, study, task)
    called = numbers(session, task, stage)
    others = [
        one
        for one in tasks_of(session, task.item, stage, "discuss", done=False)
        if one.id != task.id and whose in ("", called[one.person])
    ]
    if len(others) != 1:
        raise NotAllowed("no_taking_over")
    value = answers_of(session, others[0].id).get(name)
    keep_value(session, study, task, question, value, key, "adopted")
    return value


def cannot_agree(session: Session, study: OpenStudy, person: PersonRow, task: TaskRow) -> bool:
    """Says that one cannot agree, which takes a turn; whether all who are still there have said so,
    and the discussion is over by that."""
    if task.kind != "discuss":
        raise NotAllowed("no_disagreeing")
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
        one.state = "open"
    return False


def said_apart(task: TaskRow) -> bool:
    """Whether the person of a discussion's task has said that they cannot agree."""
    return task.kind == "discuss" and task.note == CANNOT_AGREE


def _is_there(session: Session, task: TaskRow) -> bool:
    person = session.get_one(PersonRow, task.person)
    return person.withdrew_at is None and person.revoked_at is None
