"""What a person does with a task: answers, takes back, submits, skips. Every answer is kept as it
comes in; the last one to a question holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.base.printable import without_controls
from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import Question
from deadpan.core.study.words import WrongAnswer
from deadpan.studies.storage.opened import NotAllowed, OpenStudy, new_token
from deadpan.studies.storage.tables import AnswerRow, PersonRow, ProgressRow, TaskRow
from deadpan.studies.work.outputs import outputs_in_order
from deadpan.studies.work.revisions import may_change, over, require_as_seen
from deadpan.studies.work.timing import resume, stop_clock

_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,32}")
SKIPPED = ("answer", "practice", "third")
"""Those that can be skipped: in a discussion others wait."""
DONE = ("submitted", "accepted")
LEFT_OUT = "left out"
"""The state of an answer that was done, of somebody whose answers are left out."""
WORKED = ("answer", "practice", "discuss", "third")
"""The kinds of tasks in which questions are answered."""
SENT_BACK = "sent back"
"""The note of a task that a reviewer sent back without a word."""


def find_task(session: Session, person: PersonRow, token: str) -> TaskRow:
    """A person's own task; any other raises, whether it is there or not."""
    query = select(TaskRow).where(TaskRow.token == token, TaskRow.person == person.id)
    # Not every database takes every text to look for.
    task = session.scalars(query).first() if _TOKEN.fullmatch(token) else None
    if task is None:
        raise NotAllowed("no_task")
    return task


def begin_task(
    session: Session,
    study: OpenStudy,
    person: PersonRow,
    item: int,
    stage: str,
    kind: str = "answer",
    turn: int = 1,
    subject: int = 0,
) -> TaskRow | None:
    """A new task; None where the person has it already."""
    row = {
        "token": new_token(),
        "item": item,
        "stage": stage,
        "person": person.id,
        "kind": kind,
        "round": turn,
        "subject": subject,
        "state": "open",
        "opened_at": study.now(),
    }
    begun = study.database.insert(TaskRow).values(row).on_conflict_do_nothing()
    found: TaskRow | None = session.scalars(begun.returning(TaskRow)).first()
    return found


def history(session: Session, task: int) -> list[AnswerRow]:
    """All answers of a task in the order in which they came."""
    query = select(AnswerRow).where(AnswerRow.task == task).order_by(AnswerRow.id)
    return list(session.scalars(query))


def last_answers(rows: Sequence[AnswerRow]) -> dict[str, JsonValue]:
    """The answers that hold; questions whose answer was taken back are left out."""
    found = {row.question: row.value for row in rows}
    return {name: value for name, value in found.items() if value is not None}


def answers_of(session: Session, task: int) -> dict[str, JsonValue]:
    """The answers of a task that hold."""
    return last_answers(history(session, task))


def with_draft(
    study: OpenStudy, task: TaskRow, item: StudyItem, rows: Sequence[AnswerRow]
) -> dict[str, JsonValue]:
    """A person's answers over those that the item brought; what was taken out stays out."""
    touched = {row.question for row in rows}
    drafted = study.stage(task.stage).drafted and task.kind == "answer"
    draft = item.draft if drafted else {}
    kept = {name: value for name, value in draft.items() if name not in touched}
    return {**kept, **last_answers(rows)}


def save_answer(
    session: Session,
    study: OpenStudy,
    person: PersonRow,
    token: str,
    name: str,
    values: Sequence[str],
    key: str,
    origin: str = "person",
    seen: str = "",
) -> JsonValue:
    """The answer to a question as it is kept. The same request a second time changes nothing; a
    wrong answer raises WrongAnswer, a task that is not open NotAllowed, or not as it was `seen`."""
    task = find_task(session, person, token)
    require_as_seen(session, task, seen)
    item = study.item(session, task.item, task.stage)
    question = study.stage(task.stage).question(name)
    if question is None or task.kind not in WORKED:
        raise NotAllowed("no_question")
    require_open(session, study, task)
    given = cleaned(question.from_form(values))
    if question.uploads and given is not None:
        # Whoever knows the checksum of a file could have it shown to themselves.
        raise WrongAnswer("upload")
    if question.chooses:
        given = _unshuffled(session, study, task, item, given)
    value = question.read(given, item)
    keep_value(session, study, task, question, value, key, origin)
    return value


def keep_value(
    session: Session,
    study: OpenStudy,
    task: TaskRow,
    question: Question,
    value: JsonValue,
    key: str,
    origin: str,
    undoes: int | None = None,
) -> None:
    """Adds an answer, unless it is there already: the same request may come twice, at once too."""
    query = select(AnswerRow.value).where(
        AnswerRow.task == task.id, AnswerRow.question == question.name
    )
    last = session.execute(query.order_by(AnswerRow.id.desc()).limit(1)).first()
    if undoes is None and last is not None and last.value == value:
        return
    row = {
        "task": task.id,
        "question": question.name,
        "value": value,
        "origin": origin,
        "undoes": undoes,
        "version": study.version,
        "key": key,
        "at": study.now(),
    }
    session.execute(study.database.insert(AnswerRow).values(row).on_conflict_do_nothing())


def carry_answers(session: Session, study: OpenStudy, before: TaskRow, task: TaskRow) -> None:
    """Begins a task with the answers of another."""
    stage = study.stage(task.stage)
    for name, value in answers_of(session, before.id).items():
        if (question := stage.question(name)) is not None:
            keep_value(session, study, task, question, value, f"carried:{name}", "carried")


def require_not_closed(session: Session, study: OpenStudy) -> None:
    """Raises where the study is closed."""
    if study.is_closed(session):
        raise NotAllowed("study_closed")


def require_open(session: Session, study: OpenStudy, task: TaskRow) -> None:
    """Raises where a task cannot be worked on; one that is done, and that nobody builds on yet, is
    open again."""
    require_not_closed(session, study)
    resume(study, task)
    if task.state == "open":
        return
    query = select(ProgressRow).where(
        ProgressRow.item == task.item, ProgressRow.stage == task.stage
    )
    progress = session.scalars(query.with_for_update()).first()
    if not may_change(session, task, progress):
        raise over(session, task)
    if task.state == "skipped" and progress is not None:
        people = study.stage(task.stage).people
        if people is not None and progress.claims >= people:
            raise NotAllowed("taken_over")
        progress.claims += 1
    task.state = "open"
    if task.kind == "discuss":
        task.note = ""  # who answers anew may agree after all
    study.note(session, task.person, "reopened", task=task.id)


def undo(session: Session, study: OpenStudy, person: PersonRow, token: str, key: str) -> str | None:
    """Takes back the last answer that still stands, and returns its question; None where there is
    none."""
    task = find_task(session, person, token)
    require_open(session, study, task)
    rows = history(session, task.id)
    if any(row.key == key for row in rows):
        return None
    undone = {row.undoes for row in rows if row.undoes is not None}
    standing = [row for row in rows if row.undoes is None and row.id not in undone]
    own = [row for row in standing if row.origin in ("person", "adopted")]
    if not own:
        return None
    last = own[-1]
    before = [row for row in standing if row.question == last.question and row.id < last.id]
    question = study.stage(task.stage).question(last.question)
    if question is None:
        return None
    value = before[-1].value if before else None
    keep_value(session, study, task, question, value, key, "undone", undoes=last.id)
    return last.question


def missing_answers(session: Session, study: OpenStudy, task: TaskRow) -> list[str]:
    """The questions that a task still lacks an answer to."""
    item = study.item(session, task.item, task.stage)
    own = with_draft(study, task, item, history(session, task.id))
    return study.stage(task.stage).missing(own)


def finish(session: Session, study: OpenStudy, task: TaskRow) -> None:
    """Ends a task with the answers it has; drafts that nobody changed are accepted by that."""
    item, stage = study.item(session, task.item, task.stage), study.stage(task.stage)
    rows = history(session, task.id)
    own = last_answers(rows)
    for name, value in with_draft(study, task, item, rows).items():
        question = stage.question(name)
        if question is not None and name not in own:
            keep_value(session, study, task, question, value, f"draft:{name}", "draft")
    stop_clock(session, study, task)
    task.state, task.note = "submitted", ""


def skip(session: Session, study: OpenStudy, person: PersonRow, token: str, reason: str) -> None:
    """Passes over an item, which somebody else may then get."""
    task = find_task(session, person, token)
    require_open(session, study, task)
    if not study.study.skipping or task.kind not in SKIPPED:
        raise NotAllowed("no_skipping")
    task.state, task.note, task.ended_at = "skipped", without_controls(reason)[:500], study.now()
    if task.kind == "answer":
        release_claim(session, task)
    study.note(session, person, "skipped", task=task.id, reason=task.note)


def release_claim(session: Session, task: TaskRow) -> None:
    """Lets somebody else have the item."""
    query = select(ProgressRow).where(
        ProgressRow.item == task.item, ProgressRow.stage == task.stage
    )
    progress = session.scalars(query.with_for_update()).first()
    if progress is not None and progress.claims > 0:
        progress.claims -= 1


def _unshuffled(
    session: Session, study: OpenStudy, task: TaskRow, item: StudyItem, given: JsonValue
) -> JsonValue:
    """The output that was chosen by its place on the page."""
    if not isinstance(given, int):
        return given
    shown = outputs_in_order(session, study, task, item)
    if not 0 <= given < len(shown):
        raise WrongAnswer("choose_output")
    return shown[given]


def cleaned(value: JsonValue) -> JsonValue:
    """A value without control characters and broken halves of characters, which no database and no
    file can hold."""
    if isinstance(value, str):
        return without_controls(value)
    if isinstance(value, list):
        return [cleaned(one) for one in value]
    if isinstance(value, dict):
        return {str(cleaned(name)): cleaned(one) for name, one in value.items()}
    return value
