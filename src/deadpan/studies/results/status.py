"""How far a study is, in numbers: for `deadpan study status`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from deadpan.studies.results.answer_times import Timed, answer_seconds
from deadpan.studies.storage.opened import OpenStudy, count
from deadpan.studies.storage.tables import AnswerRow, ItemRow, PersonRow, ProgressRow, TaskRow
from deadpan.studies.work.answering import DONE, LEFT_OUT
from deadpan.studies.work.leaving_out import items_lacking
from deadpan.studies.work.practising import practice_state


@dataclass(frozen=True)
class PersonStatus:
    """One person: how many tasks are done, open and skipped."""

    name: str
    role: str
    team: int | None
    state: str
    practice: str
    """What they do of the practice, and in which stage: begun, waiting or failed; else empty."""
    done: int
    open: int
    skipped: int
    seconds: float | None
    """The median of what their own answers took."""


@dataclass(frozen=True)
class StudyStatus:
    """A study: how many items it has, what state they are in by stage, and its people."""

    items: int
    stages: Mapping[str, Mapping[str, int]]
    people: tuple[PersonStatus, ...]
    answers: int
    """How many answers to items were submitted, as a lead's page counts them."""
    waiting: int
    """How many of them wait for a reviewer, and do not count before."""
    lacking: int
    """How many items lack people because answers were left out."""
    saved: int
    """How often an answer to a question was saved or changed, in practice and discussions too."""
    is_closed: bool

    @property
    def sent_away(self) -> int:
        """How many items the first stage returned: no earlier one is there to make them anew."""
        return next(iter(self.stages.values()), {}).get("returned", 0)


def study_status(study: OpenStudy) -> StudyStatus:
    """How far a study is."""
    with study.database.read() as session:
        items = session.scalar(
            select(func.count()).select_from(ItemRow).where(ItemRow.kind == "main")
        )
        query = select(ProgressRow.stage, ProgressRow.state, func.count())
        rows = session.execute(query.group_by(ProgressRow.stage, ProgressRow.state))
        stages: dict[str, dict[str, int]] = {stage.name: {} for stage in study.study.stages}
        for stage, state, many in rows:
            stages.setdefault(stage, {})[state] = many
        tasks = _counted(session)
        people = tuple(
            _person(
                row, [one for one in tasks if one.person == row.id], _practice(session, study, row)
            )
            for row in session.scalars(select(PersonRow).order_by(PersonRow.id))
        )
        own = (TaskRow.kind == "answer", TaskRow.state.in_(DONE), ItemRow.kind == "main")
        given = select(TaskRow.id).join(ItemRow, ItemRow.id == TaskRow.item).where(*own)
        reviewed = [stage.name for stage in study.study.stages if stage.review]
        waits = (TaskRow.stage.in_(reviewed), TaskRow.state == "submitted")
        waiting, lacking = count(session, given.where(*waits)), items_lacking(session, study)
        counts = (count(session, given), waiting, lacking)
        saved, is_closed = count(session, select(AnswerRow.id)), study.is_closed(session)
        return StudyStatus(items or 0, stages, people, *counts, saved, is_closed)


def _practice(session: Session, study: OpenStudy, row: PersonRow) -> str:
    state, stage = practice_state(session, study, row)
    return f"{state} {stage.name}" if stage else ""


class _Counted(NamedTuple):
    """A task as far as it is counted, and the kind of its item."""

    person: int
    of: str
    kind: str
    state: str
    seconds: float | None

    @property
    def timed(self) -> Timed:
        kind = "check" if self.of == "check" else self.kind
        return Timed(kind, self.state, self.seconds)


def _counted(session: Session) -> list[_Counted]:
    own = select(TaskRow.person, ItemRow.kind, TaskRow.kind, TaskRow.state, TaskRow.seconds)
    rows = session.execute(own.join(ItemRow, ItemRow.id == TaskRow.item))
    return [_Counted(*row) for row in rows]


def _person(row: PersonRow, tasks: Sequence[_Counted], practice: str) -> PersonStatus:
    counted = [one for one in tasks if one.kind != "practice"]
    seconds = answer_seconds(one.timed for one in counted)
    return PersonStatus(
        name=row.name,
        role=row.role,
        team=row.team,
        state=person_state(row),
        practice=practice,
        done=sum(one.state in (*DONE, LEFT_OUT) for one in counted),
        open=sum(one.state == "open" for one in counted),
        skipped=sum(one.state == "skipped" for one in counted),
        seconds=median(seconds) if seconds else None,
    )


def person_state(row: PersonRow) -> str:
    """Where somebody stands: invited, joined, consented, practised, withdrew, revoked."""
    for state in ("revoked", "withdrew", "practised", "consented", "joined"):
        if getattr(row, f"{state}_at") is not None:
            return state
    return "invited"
