"""How far a study is, in numbers: for `deadpan study status`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from sqlalchemy import func, select

from deadpan.studies.storage.opened import OpenStudy, count
from deadpan.studies.storage.tables import AnswerRow, ItemRow, PersonRow, ProgressRow, TaskRow
from deadpan.studies.work.answering import DONE


@dataclass(frozen=True)
class PersonStatus:
    """One person: how many tasks are done, open and skipped, and how long one takes."""

    name: str
    role: str
    team: int | None
    state: str
    done: int
    open: int
    skipped: int
    seconds: float | None


@dataclass(frozen=True)
class StudyStatus:
    """A study: how many items it has, what state they are in by stage, and its people."""

    items: int
    stages: Mapping[str, Mapping[str, int]]
    people: tuple[PersonStatus, ...]
    answers: int
    """How many answers to items were submitted, as a lead's page counts them."""
    saved: int
    """How often an answer to a question was saved or changed, in practice and discussions too."""
    is_closed: bool


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
        tasks = list(session.scalars(select(TaskRow)))
        people = tuple(
            _person(row, [one for one in tasks if one.person == row.id])
            for row in session.scalars(select(PersonRow).order_by(PersonRow.id))
        )
        own = (TaskRow.kind == "answer", TaskRow.state.in_(DONE), ItemRow.kind == "main")
        given = select(TaskRow.id).join(ItemRow, ItemRow.id == TaskRow.item).where(*own)
        answers, saved = count(session, given), count(session, select(AnswerRow.id))
        return StudyStatus(items or 0, stages, people, answers, saved, study.is_closed(session))


def _person(row: PersonRow, tasks: list[TaskRow]) -> PersonStatus:
    counted = [one for one in tasks if one.kind != "practice"]
    seconds = [one.seconds for one in counted if one.seconds is not None and one.state in DONE]
    return PersonStatus(
        name=row.name,
        role=row.role,
        team=row.team,
        state=person_state(row),
        done=sum(one.state in DONE for one in counted),
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
