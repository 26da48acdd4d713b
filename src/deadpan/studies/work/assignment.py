"""What a person does next: what was begun or sent back, then what is new. Orders are each person's
own, and drawn at random."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import BigInteger, and_, case, cast, exists, false, or_, select, true, update
from sqlalchemy.orm import Session

from deadpan.core.study.stages import Stage
from deadpan.studies.storage.opened import OpenStudy, count, languages_read
from deadpan.studies.storage.tables import (
    BatchRow,
    ItemRow,
    PersonRow,
    ProgressRow,
    TaskRow,
)
from deadpan.studies.work.adjudicating import next_to_judge
from deadpan.studies.work.answering import DONE, begin_task, release_claim
from deadpan.studies.work.practising import practise

_AHEAD = 50
"""How many items are looked up at once."""
_PRIME = 2**31 - 1


@dataclass(frozen=True)
class Next:
    """What comes next for a person: a task; something to agree to first; or nothing, for now or for
    good. Who is `done` has answered what they were asked to, who is left `nothing` has not."""

    state: Literal["task", "consent", "waiting", "failed", "done", "nothing", "closed"]
    task: TaskRow | None = None


class Queues:
    """The next items of each person and stage, looked up a few at a time. They are hints: what was
    taken meanwhile is passed over."""

    def __init__(self) -> None:
        self._ids: dict[tuple[int, str], deque[int]] = {}

    def of(self, person: int, stage: str) -> deque[int]:
        return self._ids.setdefault((person, stage), deque())


def next_task(session: Session, study: OpenStudy, person: PersonRow, queues: Queues) -> Next:
    """What comes next for a person."""
    if study.is_closed(session):
        return Next("closed")
    if study.study.consent and person.consented_at is None:
        return Next("consent")
    practised = practise(session, study, person)
    if practised.state != "passed":
        return Next(practised.state, practised.task)
    if begun := _begun(session, person):
        return Next("task", begun)
    if person.role == "adjudicator" and (found := next_to_judge(session, study, person)):
        return Next("task", found)
    if _has_done_enough(session, study, person):
        return Next("done")
    if due := _due_check(session, study, person):
        return Next("task", due)
    for stage in study.study.stages:
        if stage.role == person.role and (new := _claim(session, study, person, stage, queues)):
            return Next("task", new)
    # Those whom a platform sent do not wait for others: they go back, with their code if they
    # earned it. Who skipped everything, or came when all was taken, has not.
    if person.outside is not None:
        return Next("done" if _has_earned(session, study, person) else "nothing")
    return Next("waiting" if _may_come(session, study, person) else "done")


def _has_done_enough(session: Session, study: OpenStudy, person: PersonRow) -> bool:
    """Whether somebody whom a platform sent has answered as many items as they were asked to."""
    recruiting = study.study.recruiting
    if recruiting is None or recruiting.items is None or person.outside is None:
        return False
    return _answered(session, person) >= recruiting.items


def _has_earned(session: Session, study: OpenStudy, person: PersonRow) -> bool:
    """Whether somebody for whom nothing is left has answered what they were asked to: where no
    number was named, anything."""
    recruiting = study.study.recruiting
    asked = (recruiting.items if recruiting else None) or 1
    return _answered(session, person) >= asked


def _answered(session: Session, person: PersonRow, stage: str | None = None) -> int:
    """How many items a person has answered, in a stage or in all, checks aside."""
    own = select(TaskRow.id).join(ItemRow, ItemRow.id == TaskRow.item)
    mine = own.where(TaskRow.person == person.id, TaskRow.kind == "answer")
    if stage is not None:
        mine = mine.where(TaskRow.stage == stage)
    return count(session, mine.where(ItemRow.kind == "main", TaskRow.state.in_(DONE)))


def _begun(session: Session, person: PersonRow) -> TaskRow | None:
    """What was begun: first what was sent back, then discussions."""
    order = case((TaskRow.note != "", 0), (TaskRow.kind == "discuss", 1), else_=2)
    query = select(TaskRow).where(
        TaskRow.person == person.id, TaskRow.state == "open", TaskRow.kind != "practice"
    )
    return session.scalars(query.order_by(order, TaskRow.id).limit(1)).first()


def _claim(
    session: Session, study: OpenStudy, person: PersonRow, stage: Stage, queues: Queues
) -> TaskRow | None:
    """A new item of a stage for a person; None where there is none."""
    queue = queues.of(person.id, stage.name)
    for _ in range(3):  # what is there, what is looked up, what is taken from somebody
        while queue:
            if task := _take(session, study, person, stage, queue.popleft()):
                return task
        queue.extend(_candidates(session, study, person, stage))
        if not queue and not _release_stale(session, study, stage):
            return None
    return None


def _take(
    session: Session, study: OpenStudy, person: PersonRow, stage: Stage, item: int
) -> TaskRow | None:
    """An item for a person, unless enough others have it by now."""
    claim = (
        update(ProgressRow)
        .where(
            ProgressRow.item == item, ProgressRow.stage == stage.name, ProgressRow.state == "open"
        )
        .values(claims=ProgressRow.claims + 1)
        .execution_options(synchronize_session=False)
    )
    if stage.people is not None:
        claim = claim.where(ProgressRow.claims < stage.people)
    if not session.connection().execute(claim).rowcount:
        return None
    task = begin_task(session, study, person, item, stage.name)
    if task is None:
        undone = update(ProgressRow).where(
            ProgressRow.item == item, ProgressRow.stage == stage.name
        )
        session.connection().execute(undone.values(claims=ProgressRow.claims - 1))
    return task


def _candidates(session: Session, study: OpenStudy, person: PersonRow, stage: Stage) -> list[int]:
    """The next items that a person may have, those first that others have begun, else in an order
    of the person's own."""
    drawn = study.draw("items", person.id, stage.name)
    # Places are random already: other places for everybody, without all of them being read.
    drawn_place = (cast(ItemRow.place, BigInteger) + 1) * drawn.randrange(1, _PRIME) % _PRIME
    own_place = drawn_place * drawn_place % _PRIME
    query = (
        select(ItemRow.id)
        .join(ProgressRow, ProgressRow.item == ItemRow.id)
        .outerjoin(BatchRow, BatchRow.id == ItemRow.batch)
        .where(
            ProgressRow.stage == stage.name,
            ProgressRow.state == "open",
            ItemRow.kind == "main",
            or_(ItemRow.batch.is_(None), BatchRow.state.in_(("open", "accepted"))),
            or_(
                ItemRow.team.is_(None),
                ItemRow.team == person.team,
                true() if stage.others else false(),
            ),
            ~exists().where(
                TaskRow.item == ItemRow.id,
                TaskRow.person == person.id,
                or_(
                    TaskRow.stage == stage.name,
                    TaskRow.kind == "third",
                    true() if stage.others else false(),
                ),
            ),
        )
    )
    if stage.people is not None:
        query = query.where(ProgressRow.claims < stage.people)
    if (languages := languages_read(study, person)) is not None:
        query = query.where(ItemRow.language.in_(languages))
    begun_first = [ProgressRow.claims.desc()] if stage.people is not None else []
    return list(session.scalars(query.order_by(*begun_first, own_place, ItemRow.id).limit(_AHEAD)))


def _release_stale(session: Session, study: OpenStudy, stage: Stage) -> bool:
    """Whether an item could be taken from somebody who began it long ago, or is gone."""
    if stage.people is None:
        return False
    before = study.now() - study.study.claim_hours * 3600
    query = (
        select(TaskRow)
        .join(PersonRow, PersonRow.id == TaskRow.person)
        .where(
            TaskRow.stage == stage.name,
            TaskRow.kind == "answer",
            TaskRow.state == "open",
            TaskRow.note == "",
            or_(
                TaskRow.opened_at < before,
                PersonRow.withdrew_at.is_not(None),
                PersonRow.revoked_at.is_not(None),
            ),
        )
    )
    # In one order, and without waiting for somebody who does the same.
    ordered = query.order_by(TaskRow.item, TaskRow.id)
    stale = list(session.scalars(ordered.with_for_update(of=TaskRow, skip_locked=True)))
    for task in stale:
        task.state, task.ended_at = "released", study.now()
        release_claim(session, task)
        study.note(session, task.person, "released", task=task.id)
    session.flush()
    return bool(stale)


def _due_check(session: Session, study: OpenStudy, person: PersonRow) -> TaskRow | None:
    """A hidden check: one in each run of as many items as the study says, at a place of the
    person's own in it, so that nobody can count where it comes."""
    every = study.study.checks_every
    if every is None or person.role != "rater":
        return None
    own = select(TaskRow.id).join(ItemRow, ItemRow.id == TaskRow.item)
    mine = own.where(TaskRow.person == person.id, TaskRow.kind == "answer")
    given = count(session, mine.where(ItemRow.kind == "check"))
    place = study.draw("place of check", person.id, given).randint(1, every)
    first = study.study.stages[0].name  # among whose items it does not stand out
    if _answered(session, person, first) < given * every + place:
        return None
    query = select(ItemRow.id).where(
        ItemRow.kind == "check",
        ~exists().where(TaskRow.item == ItemRow.id, TaskRow.person == person.id),
    )
    if (languages := languages_read(study, person)) is not None:
        query = query.where(ItemRow.language.in_(languages))
    left = sorted(session.scalars(query))
    if not left:
        return None
    chosen = study.draw("check", person.id, given).choice(left)
    return begin_task(session, study, person, chosen, first)


def _may_come(session: Session, study: OpenStudy, person: PersonRow) -> bool:
    """Whether something may still come to a person, once others are done."""
    if person.role == "adjudicator":
        open_states = ("open", "discussing", "third")
        return count(session, select(ProgressRow.id).where(ProgressRow.state.in_(open_states))) > 0
    later = select(ProgressRow.id).join(ItemRow, ItemRow.id == ProgressRow.item)
    mine = later.where(
        ProgressRow.state.in_(("open", "discussing")),
        or_(ItemRow.team.is_(None), ItemRow.team == person.team),
    )
    if all(stage.people is None for stage in study.study.stages):
        return False
    if (last := _last_of_all(study)) is not None:  # what they had there never comes back to them
        had = exists().where(
            TaskRow.item == ProgressRow.item,
            TaskRow.person == person.id,
            TaskRow.stage == last,
        )
        mine = mine.where(~and_(ProgressRow.stage == last, had))
    return count(session, mine.where(ItemRow.kind == "main")) > 0


def _last_of_all(study: OpenStudy) -> str | None:
    """The last stage of a study in which nothing is discussed, reviewed, sent back or checked in
    batches; None of other studies."""
    stages = study.study.stages
    ends = all(one.settling.rule == "independent" and one.review is None for one in stages)
    return stages[-1].name if ends and study.study.batches is None else None
