"""What becomes of an item when somebody is done with it: settled, discussed, shown to a third
person, discarded; and of batches, which a lead accepts or returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from deadpan.base.printable import without_controls
from deadpan.core.study.stages import Stage
from deadpan.studies.storage.opened import NotAllowed, OpenStudy, new_token
from deadpan.studies.storage.tables import (
    BatchRow,
    ItemRow,
    PersonRow,
    ProgressRow,
    TaskRow,
)
from deadpan.studies.work.answering import (
    DONE,
    WORKED,
    answers_of,
    carry_answers,
    finish,
    missing_answers,
)
from deadpan.studies.work.drawn_panels import number_panels
from deadpan.studies.work.returning import (
    begin_again,
    return_facts,
    send_back,
    stage_returned_to,
    was_returned_enough,
)
from deadpan.studies.work.settling import Decision, Heard, differing, settle
from deadpan.studies.work.timing import resume, stop_for

MOST_TURNS = 3
"""How often each of two may come back to a discussion."""


def submit(session: Session, study: OpenStudy, person: PersonRow, task: TaskRow) -> list[str]:
    """Ends a task; the questions that lack an answer, where it cannot end yet. One that ended
    already stays as it is."""
    if task.state in DONE:
        return []
    if task.state != "open" or task.kind not in WORKED or study.is_closed(session):
        raise NotAllowed("task_over")
    if missing := missing_answers(session, study, task):
        return missing
    resume(study, task)
    finish(session, study, task)
    study.note(session, person, "submitted", task=task.id, kind=task.kind)
    session.flush()
    if task.kind == "discuss":
        _take_turn(session, study, task)
    elif task.kind == "third" or (task.kind == "answer" and not study.stage(task.stage).review):
        advance(session, study, task.item, task.stage)
    return []


def advance(session: Session, study: OpenStudy, item: int, stage_name: str) -> None:
    """Decides about an item once everybody has answered who had to."""
    stage, row = study.stage(stage_name), session.get_one(ItemRow, item)
    # Batch before item, as where a batch is accepted: nobody waits for another who waits for them.
    batch = lock_batch(session, row.batch)
    progress = lock_progress(session, item, stage_name)
    if progress is None or progress.state not in ("open", "third", "discussing"):
        return
    tasks = tasks_of(session, item, stage, "answer")
    if stage.people is None or len(tasks) < stage.people:
        return
    if batch is not None and not may_settle(session, study, batch):
        return
    thirds = [
        stage.completed(answers_of(session, one.id))
        for one in tasks_of(session, item, stage, "third")
    ]
    discussed = bool(tasks_of(session, item, stage, "discuss"))
    own = _final_answers(session, stage, item, tasks)
    apply_decision(session, study, progress, settle(stage, Heard(own, thirds, discussed)), tasks)


def lock_batch(session: Session, batch: int | None) -> BatchRow | None:
    """A batch, held until this session ends; None where there is none."""
    if batch is None:
        return None
    return session.get(BatchRow, batch, with_for_update=True, populate_existing=True)


def lock_progress(session: Session, item: int, stage: str) -> ProgressRow | None:
    """How far an item is, held until this session ends."""
    query = select(ProgressRow).where(ProgressRow.item == item, ProgressRow.stage == stage)
    return session.scalars(
        query.with_for_update().execution_options(populate_existing=True)
    ).first()


def tasks_of(
    session: Session, item: int, stage: Stage, kind: str, done: bool = True
) -> list[TaskRow]:
    """The tasks of a kind about an item that are done, and accepted where somebody has to."""
    query = select(TaskRow).where(
        TaskRow.item == item, TaskRow.stage == stage.name, TaskRow.kind == kind
    )
    states = ("accepted",) if stage.review and kind == "answer" else DONE
    wanted = states if done else ("open", *DONE)
    return [one for one in session.scalars(query.order_by(TaskRow.id)) if one.state in wanted]


def _final_answers(
    session: Session, stage: Stage, item: int, tasks: Sequence[TaskRow]
) -> list[dict[str, JsonValue]]:
    """What each person answered in the end: in a discussion, where there was one."""
    talked = {one.person: one for one in tasks_of(session, item, stage, "discuss", done=False)}
    return [
        stage.completed(answers_of(session, talked.get(task.person, task).id)) for task in tasks
    ]


def apply_decision(
    session: Session,
    study: OpenStudy,
    progress: ProgressRow,
    decision: Decision,
    tasks: Sequence[TaskRow] = (),
    by: PersonRow | None = None,
    about: Mapping[str, JsonValue] | None = None,
) -> None:
    """Does with an item what was decided, by a rule or `by` a lead: on to the next stage, or into a
    discussion of the tasks. `about` goes into the audit trail."""
    before = stage_returned_to(study, progress.stage, decision)
    if before is not None and was_returned_enough(session, progress):
        decision = replace(decision, state="disputed")
    progress.state, progress.reason = decision.state, decision.reason
    progress.result, progress.at = dict(decision.result), study.now()
    facts = {"item": progress.item, "stage": progress.stage, **(about or {})}
    if decision.state == "returned":
        facts |= return_facts(session, study, progress, before)
    study.note(session, by, decision.state, **facts)
    if decision.state == "settled" and (after := study.next_stage(progress.stage)):
        number_panels(session, study, progress, after)
        begin_stage(session, study, progress.item, after)
    if decision.state == "returned" and before:
        send_back(session, study, progress, before)
    if decision.state == "discussing":
        for task in tasks:
            _open_discussion(session, study, task)


def begin_stage(session: Session, study: OpenStudy, item: int, stage: Stage) -> None:
    """Lets an item into a stage, or in again where it was sent back from there."""
    if begin_again(session, study, item, stage):
        return
    session.add(
        ProgressRow(item=item, stage=stage.name, state="open", result={}, at=study.now(), claims=0)
    )


def _open_discussion(session: Session, study: OpenStudy, task: TaskRow) -> None:
    """A task to talk it over, which begins with the answers that were given."""
    now = study.now()
    opened = TaskRow(
        token=new_token(),
        item=task.item,
        stage=task.stage,
        person=task.person,
        kind="discuss",
        state="open",
        opened_at=now,
        ended_at=now,
    )
    session.add(opened)
    session.flush()
    carry_answers(session, study, task, opened)


def _take_turn(session: Session, study: OpenStudy, task: TaskRow) -> None:
    """After one's turn in a discussion: settled where all say the same, else the others' turn."""
    stage = study.stage(task.stage)
    lock_progress(session, task.item, task.stage)
    everybody = tasks_of(session, task.item, stage, "discuss", done=False)
    answers = [stage.completed(answers_of(session, one.id)) for one in everybody]
    others = [one for one in everybody if one.id != task.id]
    if not differing(stage, answers):
        _end_for_all(session, study, others)
        advance(session, study, task.item, task.stage)
        return
    task.round += 1
    if task.round > MOST_TURNS and all(one.round > MOST_TURNS for one in others):
        end_discussion(session, study, task)
        return
    for one in others:
        one.state, one.note = "open", ""


def end_discussion(session: Session, study: OpenStudy, task: TaskRow) -> None:
    """Nobody gives way: on to what the study says of that."""
    stage = study.stage(task.stage)
    _end_for_all(session, study, tasks_of(session, task.item, stage, "discuss", done=False))
    session.flush()
    advance(session, study, task.item, task.stage)


def _end_for_all(session: Session, study: OpenStudy, tasks: Sequence[TaskRow]) -> None:
    """Ends a discussion for those who are still at it."""
    for task in tasks:
        if task.state == "open":
            stop_for(session, study, task)
            task.state = "submitted"


def may_settle(session: Session, study: OpenStudy, batch: BatchRow) -> bool:
    """Whether the batch of an item is accepted; else it waits for the rest, and for the lead."""
    if batch.state == "open" and not _unfinished(session, study, batch):
        items = sorted(session.scalars(_undecided(study, batch)))
        size = min(study.study.batches.checked if study.study.batches else 0, len(items))
        batch.checked = sorted(study.draw("batch", batch.id).sample(items, size))
        batch.state = "answered"
        study.note(session, None, "batch answered", batch=batch.id)
        if not size:
            accept_batch(session, study, None, batch.id)
    return batch.state == "accepted"


def _undecided(study: OpenStudy, batch: BatchRow) -> Select[int]:
    """The items of a batch that are open yet: a lead may have settled or discarded some."""
    return (
        select(ItemRow.id)
        .join(ProgressRow, ProgressRow.item == ItemRow.id)
        .where(
            ItemRow.batch == batch.id,
            ProgressRow.stage == study.study.stages[0].name,
            ProgressRow.state == "open",
        )
    )


def _unfinished(session: Session, study: OpenStudy, batch: BatchRow) -> bool:
    """Whether an item of a batch still lacks answers."""
    stage = study.study.stages[0]
    done = (
        select(func.count())
        .select_from(TaskRow)
        .where(
            TaskRow.item == ItemRow.id,
            TaskRow.stage == stage.name,
            TaskRow.kind == "answer",
            TaskRow.state.in_(DONE),
        )
        .scalar_subquery()
    )
    lacking = _undecided(study, batch).where(done < (stage.people or 1))
    return session.scalars(lacking.limit(1)).first() is not None


def accept_batch(session: Session, study: OpenStudy, person: PersonRow | None, batch: int) -> None:
    """Accepts a batch: its items are settled, and the team's next one is released."""
    row = lock_batch(session, batch)
    if row is None or row.state != "answered":
        raise NotAllowed("batch_not_ready")
    row.state = "accepted"
    study.note(session, person, "batch accepted", batch=batch)
    after = session.scalars(
        select(BatchRow).where(BatchRow.team == row.team, BatchRow.number == row.number + 1)
    ).first()
    if after is not None and after.state == "waiting":
        after.state = "open"
    session.flush()
    items = select(ItemRow.id).where(ItemRow.batch == batch).order_by(ItemRow.id)
    for item in session.scalars(items).all():
        advance(session, study, item, study.study.stages[0].name)


def return_batch(
    session: Session,
    study: OpenStudy,
    person: PersonRow,
    batch: int,
    note: str,
    items: Sequence[int] = (),
) -> None:
    """Gives a batch, or some items of it, back to those who annotated it, with what is wrong."""
    row = lock_batch(session, batch)
    words = without_controls(note).strip()[:2_000]
    if row is None or row.state != "answered" or not words:
        raise NotAllowed("batch_reason")
    own = session.scalars(_undecided(study, row)).all()
    wanted = [item for item in own if item in items] or list(own)
    for item in wanted:
        for task in tasks_of(session, item, study.study.stages[0], "answer"):
            task.state, task.note = "open", words
    row.state, row.checked = "open", []
    study.note(session, person, "batch returned", batch=batch, items=wanted, note=words)
