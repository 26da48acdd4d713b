"""Batches as a lead sees them: which are to be checked, and what was answered about the items that
were drawn from one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from deadpan.core.questions import Language
from deadpan.studies.lead.item import Content, names_of, shown_content
from deadpan.studies.lead.item_answers import SideBySide, side_by_side
from deadpan.studies.lead.items import find_item
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import (
    BatchRow,
    EventRow,
    ItemRow,
    PersonRow,
    ProgressRow,
    TaskRow,
)
from deadpan.studies.work.answering import DONE

_LARGEST = 2**31


@dataclass(frozen=True)
class ListedBatch:
    """A batch in the list of them: how many answers it has, of how many."""

    id: int
    team: int
    number: int
    state: str
    items: int
    answers: int
    needed: int


@dataclass(frozen=True)
class CheckedItem:
    """An item that was drawn, with what was answered about it."""

    id: int
    key: str
    language: str
    content: Content
    answers: SideBySide


@dataclass(frozen=True)
class BatchPage:
    """A batch, with the items to look at where it is to be checked; and how often it was returned,
    with what was said."""

    batch: ListedBatch
    checked: Sequence[CheckedItem]
    returned: Sequence[tuple[float, str, str]]
    """When, by whom, and why."""


def list_batches(session: Session, study: OpenStudy) -> list[ListedBatch]:
    """All batches, team by team."""
    stage = study.study.stages[0]
    done = (
        select(TaskRow.item, func.count().label("answers"))
        .where(TaskRow.stage == stage.name, TaskRow.kind == "answer", TaskRow.state.in_(DONE))
        .group_by(TaskRow.item)
        .subquery()
    )
    counts = (
        select(ItemRow.batch, func.count(), func.coalesce(func.sum(done.c.answers), 0))
        .join(ProgressRow, (ProgressRow.item == ItemRow.id) & (ProgressRow.stage == stage.name))
        .outerjoin(done, done.c.item == ItemRow.id)
        .where(ItemRow.batch.is_not(None), ProgressRow.state != "discarded")
        .group_by(ItemRow.batch)
    )
    found = {batch: (items, answers) for batch, items, answers in session.execute(counts)}
    rows = session.scalars(select(BatchRow).order_by(BatchRow.team, BatchRow.number))
    return [_listed(row, *found.get(row.id, (0, 0)), stage.people or 1) for row in rows]


def _listed(row: BatchRow, items: int, answers: int, people: int) -> ListedBatch:
    needed = items * people
    shown = (row.id, row.team, row.number, row.state, items)
    return ListedBatch(*shown, min(int(answers), needed), needed)


def batch_page(
    session: Session, study: OpenStudy, lead: PersonRow, number: int, language: Language
) -> BatchPage:
    """A batch; one that is not there raises."""
    row = session.get(BatchRow, number) if 0 < number < _LARGEST else None
    if row is None:
        raise NotAllowed("no_batch")
    listed = next(one for one in list_batches(session, study) if one.id == row.id)
    drawn = row.checked if row.state == "answered" else []
    checked = [_checked(session, study, lead, int(item), language) for item in drawn]
    return BatchPage(listed, checked, _returned(session, row.id))


def _checked(
    session: Session, study: OpenStudy, lead: PersonRow, number: int, language: Language
) -> CheckedItem:
    row, stage = find_item(session, number), study.study.stages[0]
    content = shown_content(session, study, lead, row, language)
    asked = study.study.batches.questions if study.study.batches else ()
    shown = (names_of(session), language, content.order, asked)
    answers = side_by_side(session, stage, row.id, *shown)
    return CheckedItem(row.id, row.key, row.language, content, answers)


def _returned(session: Session, batch: int) -> list[tuple[float, str, str]]:
    names = names_of(session)
    query = select(EventRow).where(
        EventRow.what == "batch returned", EventRow.about["batch"].as_integer() == batch
    )
    return [
        (one.at, names.get(one.person or 0, ""), str(one.about.get("note", "")))
        for one in session.scalars(query.order_by(EventRow.id.desc()))
    ]
