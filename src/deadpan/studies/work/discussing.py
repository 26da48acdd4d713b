"""What people do in a discussion: they talk, and take over each other's answers."""

from __future__ import annotations

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.base.printable import without_controls
from deadpan.core.study.arranging import Upload
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import EventRow, MessageRow, PersonRow, TaskRow
from deadpan.studies.work.advancing import lock_progress, tasks_of
from deadpan.studies.work.answering import (
    answers_of,
    keep_value,
    require_not_closed,
    require_open,
)

_REMEMBERED = 100
"""How many of a person's last messages a repeated request is known among."""


def say(
    session: Session, study: OpenStudy, person: PersonRow, task: TaskRow, text: str, key: str = ""
) -> None:
    """Adds to a discussion that goes on; the same request a second time adds nothing."""
    words = without_controls(text).strip()[:4_000]
    if task.kind != "discuss" or not words:
        raise NotAllowed("nothing to say here", "此处不能发言")
    require_not_closed(session, study)
    progress = lock_progress(session, task.item, task.stage)
    if progress is None or progress.state != "discussing":
        raise NotAllowed("this discussion is over", "此讨论已结束")
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


def adopt(session: Session, study: OpenStudy, task: TaskRow, name: str, key: str) -> JsonValue:
    """Takes the other's answer to a question for one's own; nothing where there is none. A picture
    that another sent is not taken: it would be shown as one's own."""
    stage = study.stage(task.stage)
    question = stage.question(name)
    if task.kind != "discuss" or question is None or isinstance(question, Upload):
        raise NotAllowed("nothing to take over here", "此处没有可采用的答案")
    require_open(session, study, task)
    others = [
        one
        for one in tasks_of(session, task.item, stage, "discuss", done=False)
        if one.id != task.id
    ]
    values = [answers_of(session, one.id).get(name) for one in others]
    value = next((one for one in values if one is not None), None)
    keep_value(session, study, task, question, value, key, "adopted")
    return value
