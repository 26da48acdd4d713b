"""Everything that came out of a study, read from its database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.exports import (
    Checked,
    Opinion,
    Remark,
    Reviewed,
    Said,
    SettledItem,
    StudyExport,
)
from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import Stage
from deadpan.studies.results.kept_files import kept_files
from deadpan.studies.results.known import Known
from deadpan.studies.results.returned import (
    Return,
    answered_before,
    kept_returns,
    returned_items,
)
from deadpan.studies.results.withdrawn import Place, without_words_of
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import (
    AnswerRow,
    EventRow,
    MessageRow,
    ProgressRow,
    ReviewRow,
    TaskRow,
)
from deadpan.studies.work.answering import DONE
from deadpan.studies.work.discussing import CANNOT_AGREE
from deadpan.studies.work.leaving_out import decided_by_lead
from deadpan.studies.work.outputs import whose_order
from deadpan.studies.work.practising import rightness

_COUNTED = ("answer", "discuss", "third")


def gather(study: OpenStudy, names: bool = False) -> StudyExport:
    """What came out so far. People are numbered in the order in which they were invited, unless
    their `names` are asked for; who withdrew and wants to be left out is left out."""
    with study.database.read() as session:
        known = Known.of(session, names)
        answers, origins = _answers(session)
        rows = session.scalars(select(TaskRow).order_by(TaskRow.id)).all()
        counted = [row for row in rows if row.kind in _COUNTED]
        tasks = [row for row in counted if row.person in known.people]
        said, checks, waiting = _heard(session, study, known, tasks, answers, origins)
        returns = kept_returns(session)
        first = _said_first(session, study, known, tasks, returns)
        own = {number: known.names[number] for number in known.people}
        returned = list(returned_items(session, study, returns, known.items, own))
        turns = _turns_taken(session)
        spent = [known.spent(one, turns) for one in tasks if one.state in (*DONE, "skipped")]
        settled, files = _settled(session, study), kept_files(session, study)
        remarks, reviews = list(_remarks(session, known)), list(_reviews(session, known))
        opinions = list(_opinions(session, known))
    if theirs := _left_out(counted, known, answers):
        settled = list(without_words_of(study.study, settled, theirs, said))
    facts = (study.study, study.version, said, settled, spent, checks)
    recruited = known.recruited if names else ()
    return StudyExport(
        *facts,
        recruited=recruited,
        waiting=waiting,
        remarks=remarks,
        reviews=reviews,
        opinions=opinions,
        returns=returned,
        first=first,
        files=files,
    )


def _turns_taken(session: Session) -> set[int]:
    """The tasks that their people submitted, or said in that they cannot agree."""
    query = select(EventRow.about).where(EventRow.what.in_(("submitted", CANNOT_AGREE)))
    return {about["task"] for about in session.scalars(query)}


def _heard(
    session: Session,
    study: OpenStudy,
    known: Known,
    tasks: Sequence[TaskRow],
    answers: Mapping[int, Mapping[str, JsonValue]],
    origins: Mapping[tuple[int, str], str],
) -> tuple[list[Said], list[Checked], int]:
    """What people said about items, and to hidden checks; and how many tasks wait for a
    reviewer."""
    said: list[Said] = []
    checks: list[Checked] = []
    waiting = 0
    for task in (one for one in tasks if one.state in DONE):
        stage, item = study.study.stage(task.stage), study.item(session, task.item, task.stage)
        is_check = known.items[task.item].kind == "check"  # which nobody reviews
        if stage is None or not (is_check or _counts(stage, task)):
            waiting += stage is not None
            continue
        own = answers.get(task.id, {})
        if is_check:
            who = known.names[task.person]
            checks += [Checked(who, item.key, *mark) for mark in rightness(stage, item, own)]
        else:
            order = study.outputs_shown(whose_order(session, task, stage), task.item, item)
            said += _said(known, task, stage, item, own, origins, order)
    return said, checks, waiting


def _said_first(
    session: Session,
    study: OpenStudy,
    known: Known,
    tasks: Sequence[TaskRow],
    returns: Sequence[Return],
) -> list[Said]:
    """What people had said before a later stage sent an item back, where they are done with it
    again."""
    until = answered_before(session, study, tasks, returns)
    if not until:
        return []
    own = [task for task in tasks if task.id in until]
    return _heard(session, study, known, own, *_answers(session, until))[0]


def _left_out(
    tasks: Sequence[TaskRow], known: Known, answers: Mapping[int, Mapping[str, JsonValue]]
) -> dict[Place, list[JsonValue]]:
    """What those answered whose answers are left out."""
    found: dict[Place, list[JsonValue]] = {}
    for task in (one for one in tasks if one.person not in known.people):
        for name, value in answers.get(task.id, {}).items():
            found.setdefault((task.item, task.stage, name), []).append(value)
    return found


def _said(
    known: Known,
    task: TaskRow,
    stage: Stage,
    item: StudyItem,
    own: Mapping[str, JsonValue],
    origins: Mapping[tuple[int, str], str],
    order: Sequence[int],
) -> Iterator[Said]:
    """What somebody said in a task, question by question; of outputs that they did not see they
    said nothing."""
    completed = stage.completed(own)
    if not stage.shows_outputs(item):
        item = item.model_copy(update={"outputs": ()})
    for question in stage.questions:
        if question.name not in completed:
            continue
        yield Said(
            unit=task.item,
            item=item,
            stage=stage.name,
            question=question,
            person=known.names[task.person],
            role=known.people[task.person].role,
            kind=task.kind,
            value=completed[question.name],
            batch=known.batches.get(known.items[task.item].batch or 0, ""),
            origin=origins.get((task.id, question.name), "person"),
            shown=tuple(order) if question.chooses else (),
        )


def _counts(stage: Stage, task: TaskRow) -> bool:
    """Whether a task is accepted, where somebody has to."""
    return not (stage.review and task.kind == "answer") or task.state == "accepted"


def _answers(
    session: Session, until: Mapping[int, int] | None = None
) -> tuple[dict[int, dict[str, JsonValue]], dict[tuple[int, str], str]]:
    """The answers of every task that hold, and where each came from; with `until`, those that held
    after an answer of that number, of the tasks that it names."""
    values: dict[int, dict[str, JsonValue]] = {}
    origins: dict[tuple[int, str], str] = {}
    columns = (AnswerRow.id, AnswerRow.task, AnswerRow.question, AnswerRow.value, AnswerRow.origin)
    for number, task, question, value, origin in session.execute(
        select(*columns).order_by(AnswerRow.id)
    ):
        if until is not None and number > until.get(task, 0):
            continue
        own = values.setdefault(task, {})
        origins[task, question] = origin
        if value is None:
            own.pop(question, None)
        else:
            own[question] = value
    return values, origins


def _remarks(session: Session, known: Known) -> Iterator[Remark]:
    """What people wrote in discussions, without those who are left out."""
    query = select(MessageRow).where(MessageRow.model == "").order_by(MessageRow.id)
    for row in session.scalars(query):
        if row.person in known.people:
            yield Remark(row.item, row.stage, known.names[row.person], row.text)


def _reviews(session: Session, known: Known) -> Iterator[Reviewed]:
    """What reviewers said, without those who are left out."""
    query = select(ReviewRow, TaskRow).join(TaskRow, TaskRow.id == ReviewRow.task)
    for row, task in session.execute(query.order_by(ReviewRow.id)):
        if row.person in known.people and task.person in known.people:
            item, whose = known.items[task.item], known.names[task.person]
            about = (item.id, item.key, task.stage, task.kind, whose)
            said = (known.names[row.person], row.points, row.accepted, row.comment)
            yield Reviewed(*about, *said)


def _opinions(session: Session, known: Known) -> Iterator[Opinion]:
    """What models said to those who are not left out."""
    query = select(MessageRow).where(MessageRow.model != "").order_by(MessageRow.id)
    for row in session.scalars(query):
        if row.person in known.people:
            item = known.items[row.item]
            who = known.names[row.person]
            yield Opinion(item.id, item.key, row.stage, who, row.model, row.text)


def _settled(session: Session, study: OpenStudy) -> list[SettledItem]:
    query = select(ProgressRow).order_by(ProgressRow.item, ProgressRow.id)
    by_lead = decided_by_lead(session)
    return [
        SettledItem(
            unit=row.item,
            item=study.item(session, row.item, row.stage),
            stage=row.stage,
            state=row.state,
            result=row.result,
            reason=row.reason,
            by_lead=(row.item, row.stage) in by_lead,
        )
        for row in session.scalars(query)
    ]
