"""What stands beside a task's questions: what others answered and said, where it may be seen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.questions import Language
from deadpan.core.study.specification import Question, Stage
from deadpan.core.study.words import in_language
from deadpan.studies.pages.showing import Message, ShownAnswers, ShownReview
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import MessageRow, PersonRow, ProgressRow, ReviewRow, TaskRow
from deadpan.studies.work.adjudicating import review_of
from deadpan.studies.work.advancing import tasks_of
from deadpan.studies.work.answer_text import answer_text, letter
from deadpan.studies.work.answering import answers_of
from deadpan.studies.work.discussing import said_apart


def _in_words(
    stage: Stage,
    answers: Mapping[str, JsonValue],
    language: Language,
    order: Sequence[int],
) -> list[tuple[str, str]]:
    return [
        (in_language(one.title, language), answer_text(one, answers.get(one.name), language, order))
        for one in stage.questions
        if one.name in answers
    ]


def earlier_answers(
    session: Session, study: OpenStudy, task: TaskRow, stage: Stage, language: Language
) -> list[ShownAnswers]:
    """What earlier stages settled about the item."""
    found = []
    for name in stage.builds_on:
        query = select(ProgressRow).where(ProgressRow.item == task.item, ProgressRow.stage == name)
        row = session.scalars(query).first()
        if row is not None:
            before = study.stage(name)
            words = _in_words(before, row.result, language, ())
            found.append(ShownAnswers(in_language(before.title, language), words))
    return found


def others_answers(
    session: Session,
    task: TaskRow,
    stage: Stage,
    language: Language,
    order: Sequence[int],
) -> list[ShownAnswers]:
    """Answers that may be seen beside one's own: in a discussion everybody's, of a review its
    subject's, and what others said before a third person where the study shows that."""
    if task.kind == "review":
        own = answers_of(session, task.subject)
        return [ShownAnswers("A", _in_words(stage, stage.completed(own), language, order))]
    if task.kind == "discuss":
        tasks = tasks_of(session, task.item, stage, "discuss", done=False)
    elif task.kind == "third" and stage.settling.third_sees:
        tasks = tasks_of(session, task.item, stage, "answer")
    else:
        return []
    tasks.sort(key=lambda one: (one.person != task.person, one.id))
    answers = [stage.completed(answers_of(session, one.id)) for one in tasks]
    asked = [one for one in stage.questions if any(one.name in own for own in answers)]
    differs = [
        one.compared
        and any(not _same(one, answers[0].get(one.name), own.get(one.name)) for own in answers[1:])
        for one in asked
    ]
    return [
        ShownAnswers(
            _named(at, one.person == task.person, len(tasks)),
            [
                (
                    in_language(question.title, language),
                    answer_text(question, own.get(question.name), language, order),
                )
                for question in asked
            ],
            differs,
        )
        for at, (one, own) in enumerate(zip(tasks, answers, strict=True))
    ]


def _same(question: Question, first: JsonValue, second: JsonValue) -> bool:
    if first is None or second is None:
        return first is second
    return question.agree(first, second)


def _named(place: int, is_own: bool, people: int) -> str:
    if is_own:
        return "you"
    return "other" if people == 2 else letter(place)


def apart_said(session: Session, task: TaskRow, stage: Stage) -> Literal["", "you", "other"]:
    """Who has said that they cannot agree; of several the others, as one knows what one said."""
    if task.kind != "discuss":
        return ""
    apart = [one for one in tasks_of(session, task.item, stage, "discuss") if said_apart(one)]
    if any(one.person != task.person for one in apart):
        return "other"
    return "you" if apart else ""


def discussion(session: Session, task: TaskRow, person: PersonRow) -> list[Message]:
    query = select(MessageRow).where(
        MessageRow.item == task.item, MessageRow.stage == task.stage, MessageRow.model == ""
    )
    return [
        Message("you" if one.person == person.id else "other", one.text, _clock(one.at))
        for one in session.scalars(query.order_by(MessageRow.id))
    ]


def opinions_given(session: Session, task: TaskRow, person: PersonRow) -> list[Message]:
    """What a model said when this person asked; others asked for themselves."""
    query = select(MessageRow).where(
        MessageRow.item == task.item,
        MessageRow.stage == task.stage,
        MessageRow.model != "",
        MessageRow.person == person.id,
    )
    return [
        Message("model", _unsigned(one.text, one.model), _clock(one.at))
        for one in session.scalars(query.order_by(MessageRow.id))
    ]


def _unsigned(text: str, model: str) -> str:
    """What a model said without its own name: that may be the sealed name of a draft's author."""
    bare = model.rpartition("/")[2]
    names = "|".join(re.escape(name) for name in (model, bare) if name)
    return re.sub(rf"(?i)(?<!\w)(?:{names})(?!\w)", "…", text)


def _clock(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def uploads_reviewed(
    session: Session, task: TaskRow, stage: Stage, language: Language
) -> list[tuple[str, str]]:
    """The pictures that a reviewed task was answered with: the question, and the address."""
    asked = [one for one in stage.questions if one.kind == "upload"]
    if task.kind != "review" or not asked:
        return []
    given = answers_of(session, task.subject)
    return [
        (in_language(one.title, language), f"/t/{task.token}/upload/{one.name}")
        for one in asked
        if one.name in given
    ]


def shown_review(
    session: Session, study: OpenStudy, task: TaskRow, language: Language
) -> ShownReview | None:
    """What a reviewer ticks, or what was ticked of one's own words."""
    subject = session.get_one(TaskRow, task.subject) if task.kind == "review" else task
    review = review_of(study, subject)
    if task.kind == "discuss" or (task.kind != "review" and review is None and not task.note):
        return None
    query = select(ReviewRow).where(ReviewRow.task == subject.id).order_by(ReviewRow.id.desc())
    last = session.scalars(query.limit(1)).first()
    if task.kind != "review" and last is None:
        if not task.note:
            return None
        return ShownReview("", (), 0, task.note, accepted=False)
    is_new = task.kind == "review" and task.state == "open"
    decided = None if is_new or last is None else last
    ticked = decided.points if decided else []
    text = answers_of(session, subject.id).get(review.question) if review else None
    asked = study.stage(subject.stage).question(review.question) if review else None
    return ShownReview(
        question=in_language(asked.title, language) if asked else "",
        points=[
            (in_language(one, language), at in ticked)
            for at, one in enumerate(review.points if review else ())
        ],
        needed=review.needed if review else 0,
        comment=decided.comment if decided else "",
        text=str(text or ""),
        accepted=decided.accepted if decided else None,
    )
