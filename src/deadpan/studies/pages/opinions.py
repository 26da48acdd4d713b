"""Second opinions: what a model says of a task when its person asks. Each asking is kept, with what
came of it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.questions import Language
from deadpan.core.study.words import in_language
from deadpan.engine.requests import Request, Sampling
from deadpan.studies.models.prompting import (
    Material,
    answered_questions,
    listed,
    material,
    request_of,
)
from deadpan.studies.pages.other_answers import earlier_answers
from deadpan.studies.pages.task_pages import parts_shown
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import EventRow, MessageRow, PersonRow, TaskRow
from deadpan.studies.work.answering import WORKED, find_task, history, with_draft
from deadpan.studies.work.revisions import over

ASKED, GIVEN, NOT_GIVEN = "opinion asked", "opinion given", "no opinion"
"""What the audit trail calls them."""
PAUSE_SECONDS = 60
"""How long a task has to wait for its next opinion."""


class TooSoon(NotAllowed):
    """A model was asked about this task just now."""


@dataclass(frozen=True)
class Asking:
    """A task that somebody wants an opinion on: what the model is told of it."""

    task: int
    language: Language
    """Of the item."""
    shown: Material
    about: str
    earlier: str
    answers: str

    def request(self, study: OpenStudy, label: str, sampling: Sampling) -> Request:
        """What is asked. Opens the pictures; one that is missing raises."""
        values = {"task": self.about, "earlier": self.earlier, "answers": self.answers}
        about = (study.folder, self.shown, self.language, values, sampling)
        return request_of("opinion", label, *about)


def begin_asking(session: Session, study: OpenStudy, person: PersonRow, token: str) -> Asking:
    """A person's own task as a model is told of it; the asking is noted. One that is not open, or
    whose stage has no opinions, raises; and TooSoon where one was asked for within a minute."""
    found = find_task(session, person, token)
    # Held until this session ends: of two requests at once, one finds the other's note.
    task = session.get_one(TaskRow, found.id, with_for_update=True, populate_existing=True)
    stage = study.stage(task.stage)
    if not stage.has_opinions(task.kind) or task.kind not in WORKED:
        raise NotAllowed("no_opinion")
    if task.state != "open" or study.is_closed(session):
        raise over(session, task)
    _require_pause(session, study, task)
    study.note(session, person, ASKED, task=task.id)
    return _asking(session, study, task)


def _require_pause(session: Session, study: OpenStudy, task: TaskRow) -> None:
    since = study.now() - PAUSE_SECONDS
    query = select(EventRow).where(
        EventRow.person == task.person, EventRow.what == ASKED, EventRow.at > since
    )
    if any(row.about.get("task") == task.id for row in session.scalars(query)):
        raise TooSoon("asked_just_now")


def _asking(session: Session, study: OpenStudy, task: TaskRow) -> Asking:
    parts, order, item = parts_shown(session, study, task)
    stage, language = study.stage(task.stage), item.language
    values = with_draft(study, task, item, history(session, task.id))
    settled = earlier_answers(session, study, task, stage, language, order)
    about = (in_language(words, language) for words in (stage.title, stage.about))
    return Asking(
        task=task.id,
        language=language,
        shown=material(item, parts, order),
        about="\n".join(filter(None, about)),
        earlier=listed([pair for one in settled for pair in one.answers], language),
        answers=answered_questions(stage, item, values, order),
    )


def keep_opinion(session: Session, study: OpenStudy, number: int, model: str, text: str) -> None:
    """Adds what a model said about a task. The same once more is noted, and not shown twice."""
    task = session.get_one(TaskRow, number)
    own = (
        MessageRow.item == task.item,
        MessageRow.stage == task.stage,
        MessageRow.person == task.person,
        MessageRow.model != "",
    )
    last = session.scalars(select(MessageRow).where(*own).order_by(MessageRow.id.desc())).first()
    if last is None or (last.model, last.text) != (model, text):
        last = MessageRow(
            item=task.item,
            stage=task.stage,
            person=task.person,
            model=model,
            text=text,
            at=study.now(),
        )
        session.add(last)
        session.flush()
    study.note(session, task.person, GIVEN, task=task.id, message=last.id, model=model)


def keep_failure(
    session: Session, study: OpenStudy, number: int, model: str, problem: str, why: str
) -> None:
    """Notes that a model said nothing, and why."""
    task = session.get_one(TaskRow, number)
    about = {"task": task.id, "model": model, "problem": problem, "why": why[:500]}
    study.note(session, task.person, NOT_GIVEN, **about)
