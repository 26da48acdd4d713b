"""The items of a study as a lead looks through them: by state, by stage, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from deadpan.core.study.words import Words
from deadpan.studies.storage.opened import NotAllowed, OpenStudy, count
from deadpan.studies.storage.tables import BatchRow, ItemRow, ProgressRow, TaskRow
from deadpan.studies.work.answering import DONE
from deadpan.web.paging import Page

APART = ("discussing", "third", "disputed")
"""The states of items on which people disagree, and nothing is decided yet."""
ANY_APART = "apart"
"""What a list calls all of them."""
STATES = (ANY_APART, "disputed", "discussing", "third", "open", "settled", "returned", "discarded")
_LARGEST = 2**31


@dataclass(frozen=True)
class Wanted:
    """Which items are listed: in a state and a stage, with words in their names; all where nothing
    is said."""

    state: str = ""
    stage: str = ""
    words: str = ""


@dataclass(frozen=True)
class ListedItem:
    """An item in a stage, in a list of them."""

    id: int
    key: str
    language: str
    team: int | None
    batch: tuple[int, int] | None
    """Its batch: by number in the database, and as people count it."""
    stage: Words
    state: str
    reason: str
    answers: int
    needed: int | None
    at: float


def list_items(
    session: Session, study: OpenStudy, wanted: Wanted, number: int
) -> tuple[list[ListedItem], Page]:
    """A page of the items that are wanted: what was changed last comes first."""
    matching = _conditions(wanted)
    every = select(ProgressRow.id).join(ItemRow, ItemRow.id == ProgressRow.item)
    page = Page(number, count(session, every.where(*matching)))
    query = (
        select(ProgressRow, ItemRow, BatchRow)
        .join(ItemRow, ItemRow.id == ProgressRow.item)
        .outerjoin(BatchRow, BatchRow.id == ItemRow.batch)
        .where(*matching)
        .order_by(ProgressRow.at.desc(), ItemRow.place, ProgressRow.id)
    )
    rows = session.execute(query.offset(page.start).limit(page.size)).all()
    done = _answers_given(session, [item.id for _, item, _ in rows])
    found = []
    for progress, item, batch in rows:
        stage = study.study.stage(progress.stage)
        found.append(
            ListedItem(
                id=item.id,
                key=item.key,
                language=item.language,
                team=item.team,
                batch=(batch.id, batch.number) if batch else None,
                stage=stage.title if stage else {"en": progress.stage},
                state=progress.state,
                reason=progress.reason,
                answers=done.get((item.id, progress.stage), 0),
                needed=stage.people if stage else None,
                at=progress.at,
            )
        )
    return found, page


def _conditions(wanted: Wanted) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.state == ANY_APART:
        found.append(ProgressRow.state.in_(APART))
    elif wanted.state in STATES:
        found.append(ProgressRow.state == wanted.state)
    if wanted.stage:
        found.append(ProgressRow.stage == wanted.stage)
    if wanted.words:
        found.append(ItemRow.key.icontains(wanted.words, autoescape=True))
    return found


def _answers_given(session: Session, items: Sequence[int]) -> dict[tuple[int, str], int]:
    query = select(TaskRow.item, TaskRow.stage, func.count()).where(
        TaskRow.item.in_(items), TaskRow.kind == "answer", TaskRow.state.in_(DONE)
    )
    rows = session.execute(query.group_by(TaskRow.item, TaskRow.stage))
    return {(item, stage): answers for item, stage, answers in rows}


def find_item(session: Session, number: int) -> ItemRow:
    """An item by its number; one that is not there raises."""
    row = session.get(ItemRow, number) if 0 < number < _LARGEST else None
    if row is None:
        raise NotAllowed("no_item")
    return row
