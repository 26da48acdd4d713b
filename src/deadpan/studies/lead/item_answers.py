"""Everybody's answers about an item, side by side and with their names: for a lead's eyes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.questions import Language
from deadpan.core.study.stages import Question, Stage
from deadpan.core.study.words import Words
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import MediaRow, TaskRow
from deadpan.studies.work.answering import DONE, LEFT_OUT, answers_of, history, last_answers
from deadpan.studies.work.settling import differing

_KINDS = ("answer", "discuss", "third", "practice")
_WITH_ANSWERS = (*DONE, LEFT_OUT, "open")


@dataclass(frozen=True)
class Said:
    """An answer in words, None where there is none; whether it was suggested, and accepted as it
    was; and where the picture is that somebody sent."""

    text: str | None
    was_draft: bool = False
    address: str = ""


@dataclass(frozen=True)
class Answerer:
    """Somebody's column of answers; `kind` and `state` are those of the task."""

    task: int
    name: str
    kind: str
    state: str
    seconds: float | None
    note: str
    said: Sequence[Said]

    @property
    def is_done(self) -> bool:
        return self.state in DONE


@dataclass(frozen=True)
class SideBySide:
    """Questions with everybody's answers: titles, each with whether answers differ that have to be
    the same."""

    questions: Sequence[tuple[Words, bool]]
    people: Sequence[Answerer]

    @property
    def differs(self) -> bool:
        return any(differs for _, differs in self.questions)


def side_by_side(
    session: Session,
    stage: Stage,
    item: int,
    names: Mapping[int, str],
    language: Language,
    order: Sequence[int],
    questions: Sequence[str] = (),
) -> SideBySide:
    """What everybody answered about an item in a stage, to some questions, or to all where none is
    named. `order` is that of outputs on the page."""
    asked = [one for one in stage.questions if not questions or one.name in questions]
    query = select(TaskRow).where(
        TaskRow.item == item, TaskRow.stage == stage.name, TaskRow.kind.in_(_KINDS)
    )
    tasks = [one for one in session.scalars(query.order_by(TaskRow.id)) if one.state != "released"]
    own: list[dict[str, JsonValue]] = []
    people = []
    for task in tasks:
        rows = history(session, task.id) if task.state in _WITH_ANSWERS else []
        answers = stage.completed(last_answers(rows))
        drafts = {row.question: row.origin == "draft" for row in rows}
        if task.kind == "answer" and task.state in DONE:
            own.append(answers)
        said = [
            Said(
                in_words(one, answers, language, order),
                drafts.get(one.name, False),
                _address(task, one) if one.name in answers else "",
            )
            for one in asked
        ]
        facts = (task.kind, task.state, task.seconds, task.note)
        people.append(Answerer(task.id, names[task.person], *facts, said))
    apart = set(differing(stage, own))
    return SideBySide([(one.title, one.name in apart) for one in asked], people)


def _address(task: TaskRow, question: Question) -> str:
    """Where a picture is that somebody sent; nothing where the answer is none."""
    return f"/lead/upload/{task.id}/{question.name}" if question.uploads else ""


def sent_picture(session: Session, study: OpenStudy, number: int, name: str) -> MediaRow:
    """The picture that somebody sent in a task as the answer to a question; none raises."""
    task = session.get(TaskRow, number)
    stage = study.study.stage(task.stage) if task is not None else None
    question = stage.question(name) if stage is not None else None
    row = None
    if task is not None and question is not None and question.uploads:
        row = session.get(MediaRow, str(answers_of(session, task.id).get(name)))
    if row is None:
        raise NotAllowed("no_picture")
    return row


def in_words(
    question: Question, answers: Mapping[str, JsonValue], language: Language, order: Sequence[int]
) -> str | None:
    """The answer to a question in words; None for none."""
    if question.name not in answers:
        return None
    return question.in_words(answers[question.name], language, order)
