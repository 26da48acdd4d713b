"""What stands beside a task's questions: what others answered and said, where it may be seen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal, get_args

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.questions import Language
from deadpan.core.study.items import Part
from deadpan.core.study.stages import Question, Stage
from deadpan.core.study.words import Words, in_language
from deadpan.studies.pages.view_models import Message, ShownAnswers, ShownReview
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import MessageRow, PersonRow, ProgressRow, TaskRow
from deadpan.studies.work.adjudicating import review_of
from deadpan.studies.work.answering import SENT_BACK, answers_of
from deadpan.studies.work.discussing import numbers, said_apart
from deadpan.studies.work.practising import last_review
from deadpan.studies.work.transitions import tasks_of


def _in_words(
    stage: Stage,
    answers: Mapping[str, JsonValue],
    language: Language,
    order: Sequence[int],
) -> list[tuple[str, str]]:
    return [
        (in_language(one.title, language), one.in_words(answers.get(one.name), language, order))
        for one in stage.questions
        if one.name in answers
    ]


def earlier_answers(
    session: Session,
    study: OpenStudy,
    task: TaskRow,
    stage: Stage,
    language: Language,
    order: Sequence[int],
) -> list[ShownAnswers]:
    """What earlier stages settled about the item; in practice, where nothing is settled, what is
    known of it."""
    item = study.item(session, task.item, stage.name)
    found = []
    for name in stage.builds_on:
        before = study.stage(name)
        title = in_language(before.title, language)
        settled = _settled(session, task, name)
        if settled is not None:
            found.append(ShownAnswers(title, _in_words(before, settled, language, order)))
        elif item.kind == "practice":
            words = _in_words(before, item.gold, language, order)
            about = in_language(item.stage_feedback.get(name, {}), language)
            found.append(ShownAnswers(title, words, about=about))
    return found


def _settled(session: Session, task: TaskRow, stage: str) -> Mapping[str, JsonValue] | None:
    """What a stage settled about the item of a task; None where it has not come so far."""
    query = select(ProgressRow).where(ProgressRow.item == task.item, ProgressRow.stage == stage)
    row = session.scalars(query).first()
    return None if row is None else row.result


def corrected_parts(
    session: Session, study: OpenStudy, task: TaskRow, stage: Stage, parts: Sequence[Part]
) -> list[Part]:
    """The parts with those that an earlier stage has corrected as it settled them."""
    found = {part.name: part for part in parts}
    for before in map(study.stage, stage.builds_on):
        settled = _settled(session, task, before.name) or {}
        for question in before.questions:
            part, value = found.get(question.corrects or ""), settled.get(question.name)
            if part is not None and part.kind == "text" and value is not None:
                found[part.name] = _corrected(part, question, value)
    return list(found.values())


def _corrected(part: Part, question: Question, value: JsonValue) -> Part:
    """A text as it was corrected, under what the question calls it."""
    words: Words = {code: question.in_words(value, code, ()) for code in get_args(Language)}
    is_same = len(set(words.values())) == 1
    said = {"text": words["en"], "texts": {}} if is_same else {"text": "", "texts": words}
    return part.model_copy(update={"title": question.title, **said})


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
        return [ShownAnswers("1", _in_words(stage, stage.completed(own), language, order))]
    if task.kind == "discuss":
        tasks = tasks_of(session, task.item, stage, "discuss", done=False)
    elif task.kind == "third" and stage.settling.third_sees:
        tasks = tasks_of(session, task.item, stage, "answer")
    else:
        return []
    called = {one.person: str(at) for at, one in enumerate(tasks, 1)}
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
            _named(task, one.person, called),
            [
                (
                    in_language(question.title, language),
                    question.in_words(own.get(question.name), language, order),
                )
                for question in asked
            ],
            differs,
            number=called[one.person] if len(tasks) > 2 else "",
        )
        for one, own in zip(tasks, answers, strict=True)
    ]


def _same(question: Question, first: JsonValue, second: JsonValue) -> bool:
    if first is None or second is None:
        return first is second
    return question.agree(first, second)


def _named(task: TaskRow, person: int, called: Mapping[int, str]) -> str:
    """What the page of a task calls somebody: of several each has a number."""
    if person == task.person:
        return "you"
    return "other" if task.kind == "discuss" and len(called) == 2 else called.get(person, "other")


def apart_said(session: Session, task: TaskRow, stage: Stage) -> Literal["", "you", "other"]:
    """Who has said that they cannot agree; of several the others, as one knows what one said."""
    if task.kind != "discuss":
        return ""
    apart = [one for one in tasks_of(session, task.item, stage, "discuss") if said_apart(one)]
    if any(one.person != task.person for one in apart):
        return "other"
    return "you" if apart else ""


def discussion(session: Session, task: TaskRow, person: PersonRow, stage: Stage) -> list[Message]:
    """What was said in a discussion; the third person, too, sees it where the study shows them what
    others answered."""
    if task.kind != "discuss" and not (task.kind == "third" and stage.settling.third_sees):
        return []
    query = select(MessageRow).where(
        MessageRow.item == task.item, MessageRow.stage == task.stage, MessageRow.model == ""
    )
    if task.kind == "third":
        own = tasks_of(session, task.item, stage, "answer")
        called = {one.person: str(at) for at, one in enumerate(own, 1)}
    else:
        called = numbers(session, task, stage)
    return [
        Message(_named(task, one.person, called), one.text, _clock(one.at))
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
    asked = [one for one in stage.questions if one.uploads]
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
    is_checked = review is not None or task.kind in ("review", "practice")
    if task.kind == "discuss" or not (is_checked or task.note):
        return None
    last = last_review(session, subject.id)
    if task.kind != "review" and last is None:
        said = "" if task.note == SENT_BACK else task.note
        return ShownReview("", (), 0, said, accepted=False) if task.note else None
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
