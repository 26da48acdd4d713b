"""What later stages sent back: each return, and which answers had been given before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.exports import Returned
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import AnswerRow, EventRow, ItemRow, TaskRow
from deadpan.studies.work.answering import last_answers
from deadpan.studies.work.settling import reason_of


@dataclass(frozen=True)
class Return:
    """A return as the audit trail has it: `tasks` are those whose answers say so, `answers` is the
    number of the last answer before, `lead` who decided it where that is a lead."""

    item: int
    stage: str
    to: str
    verdict: str
    tasks: Sequence[int]
    answers: int
    lead: int | None

    def covers(self, task: TaskRow, stages: Sequence[str]) -> bool:
        """Whether a task is done anew by it: one of the stages from where the item goes back to up
        to the one that sent it."""
        known = task.item == self.item and {self.to, self.stage, task.stage} <= set(stages)
        places = [stages.index(name) for name in (self.to, task.stage, self.stage) if known]
        return known and places == sorted(places)


def kept_returns(session: Session) -> list[Return]:
    """Every return, from the first on; not those of a version that kept nothing of them."""
    query = select(EventRow).where(EventRow.what == "returned").order_by(EventRow.id)
    return [
        Return(
            item=one.about["item"],
            stage=one.about["stage"],
            to=one.about["to"],
            verdict=str(one.about["verdict"]),
            tasks=one.about["tasks"],
            answers=one.about["answers"] or 0,
            lead=one.person,
        )
        for one in session.scalars(query)
        if "answers" in one.about
    ]


def answered_before(
    session: Session, study: OpenStudy, tasks: Iterable[TaskRow], returns: Sequence[Return]
) -> dict[int, int]:
    """By task that was sent back and done anew the number of the last answer that may have been
    given in it before the first return: what somebody changed until then counts, and so does what a
    reviewer had them change."""
    stages = [stage.name for stage in study.study.stages]
    by_item: dict[int, list[Return]] = {}
    for one in returns:
        by_item.setdefault(one.item, []).append(one)
    found = {}
    for task in tasks:
        if task.kind != "answer" or task.round == 1:
            continue
        query = select(AnswerRow.id).where(AnswerRow.task == task.id).order_by(AnswerRow.id)
        began = session.scalar(query.limit(1))
        for one in by_item.get(task.item, ()):
            # Who answers for somebody who is gone began after a return.
            if one.covers(task, stages) and began is not None and began <= one.answers:
                found[task.id] = one.answers
                break
    return found


def returned_items(
    session: Session,
    study: OpenStudy,
    returns: Iterable[Return],
    items: Mapping[int, ItemRow],
    names: Mapping[int, str],
) -> Iterator[Returned]:
    """Each return with the names of those who wanted it, or of the lead who decided it, and their
    reasons; those whose answers are left out have no name here, and what only they said is not
    there."""
    rounds: dict[tuple[int, str], int] = {}
    for one in returns:
        turn = rounds[one.item, one.stage] = rounds.get((one.item, one.stage), 0) + 1
        people, reasons = [], []
        for task in (session.get_one(TaskRow, number) for number in one.tasks):
            if task.person in names:
                people.append(names[task.person])
                reasons.append(_reason(session, study, task, one))
        if not people:
            continue
        yield Returned(
            unit=one.item,
            item=items[one.item].key,
            stage=one.stage,
            to=one.to,
            by=[lead] if (lead := names.get(one.lead or 0)) else people,
            verdict=one.verdict,
            reason="; ".join(dict.fromkeys(filter(None, reasons))),
            round=turn,
        )


def _reason(session: Session, study: OpenStudy, task: TaskRow, one: Return) -> str:
    """What somebody had written when the item was sent back."""
    query = select(AnswerRow).where(AnswerRow.task == task.id, AnswerRow.id <= one.answers)
    answers = last_answers(session.scalars(query.order_by(AnswerRow.id)).all())
    stage = study.study.stage(task.stage)
    return reason_of(stage, stage.completed(answers)) if stage else ""
