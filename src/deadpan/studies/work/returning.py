"""Items that a later stage sends back: those who answered an earlier one answer anew, with what was
said of it, then those of the stages between, and who sent it back looks again."""

from __future__ import annotations

from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from deadpan.core.study.stages import Stage
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import AnswerRow, PersonRow, ProgressRow, TaskRow
from deadpan.studies.work.answering import DONE, answers_of, release_claim
from deadpan.studies.work.settling import Decision, state_by

MOST_RETURNS = 3
"""How often an item is sent back; then it is the lead's."""


def retire(
    session: Session,
    study: OpenStudy,
    item: int,
    stage: str,
    kinds: tuple[str, ...],
    open_only: bool = False,
) -> None:
    """Takes tasks out of the count, such that new ones of their kind can be begun."""
    query = select(TaskRow).where(
        TaskRow.item == item, TaskRow.stage == stage, TaskRow.kind.in_(kinds)
    )
    for task in session.scalars(query.order_by(TaskRow.id)):
        if task.state == "open" or (not open_only and task.state in DONE):
            task.state, task.ended_at = "released", study.now()
            if task.kind == "answer":
                release_claim(session, task)
            elif task.kind != "review":
                task.subject = task.id  # no two tasks of a person about an item are the same
    session.flush()


def later_stages(
    session: Session, study: OpenStudy, item: int, stage: str
) -> list[tuple[ProgressRow, bool]]:
    """How far an item is in the stages after one, each with whether people have begun it there."""
    names = [one.name for one in study.study.stages]
    later = names[names.index(stage) + 1 :] if stage in names else []
    begun = (
        select(TaskRow.id)
        .where(TaskRow.item == ProgressRow.item, TaskRow.stage == ProgressRow.stage)
        .exists()
    )
    query = select(ProgressRow, begun).where(ProgressRow.item == item, ProgressRow.stage.in_(later))
    return [(row, bool(is_begun)) for row, is_begun in session.execute(query)]


def was_returned_enough(session: Session, progress: ProgressRow) -> bool:
    """Whether an item was sent back from a stage as often as it may."""
    query = select(TaskRow.round).where(
        TaskRow.item == progress.item, TaskRow.stage == progress.stage, TaskRow.kind == "answer"
    )
    return max(session.scalars(query), default=1) > MOST_RETURNS


def stage_returned_to(study: OpenStudy, stage: str, decision: Decision) -> Stage | None:
    """The stage that a decision sends an item back to: the one that its verdict names, else the one
    before; None where it does not, and from the first."""
    if decision.state != "returned":
        return None
    rule = study.stage(stage).settling
    named = rule.returned_to.get(str(decision.result.get(rule.verdict or "")))
    return study.stage(named) if named else study.stage_before(stage)


def return_facts(
    session: Session, study: OpenStudy, progress: ProgressRow, to: Stage | None
) -> dict[str, JsonValue]:
    """What the audit trail keeps of a return: where to, by which verdict, the tasks whose answers
    say so, and the last answer that anybody had given before."""
    stage = study.stage(progress.stage)
    query = select(TaskRow).where(
        TaskRow.item == progress.item,
        TaskRow.stage == progress.stage,
        TaskRow.kind.in_(("answer", "discuss", "third")),
        TaskRow.state.in_(DONE),
    )
    final = {task.person: task.id for task in session.scalars(query.order_by(TaskRow.id))}
    tasks: list[JsonValue] = [
        task
        for task in final.values()
        if state_by(stage.settling, stage.completed(answers_of(session, task))) == "returned"
    ]
    return {
        "to": to.name if to else "",
        "verdict": progress.result.get(stage.settling.verdict or ""),
        "tasks": tasks,
        "answers": session.scalar(select(func.max(AnswerRow.id))),
    }


def send_back(session: Session, study: OpenStudy, progress: ProgressRow, to: Stage) -> None:
    """Opens an item again in an earlier stage, for those who answered it there; what the stages
    between settled counts no more."""
    names = [stage.name for stage in study.study.stages]
    for name in names[names.index(to.name) + 1 : names.index(progress.stage)]:
        if (between := _progress(session, progress.item, name)) is not None:
            between.state, between.reason, between.result = "returned", progress.reason, {}
            between.at = study.now()
    _reopen(session, study, progress.item, to, progress.reason)


def begin_again(session: Session, study: OpenStudy, item: int, stage: Stage) -> bool:
    """Whether an item had been in a stage and was sent back, from there or past it: then it is open
    there again, for the same people. Who sent it back knows what they said; others are told."""
    found = _progress(session, item, stage.name)
    if found is None:
        return False
    is_between = found.state == "returned" and not found.result
    _reopen(session, study, item, stage, found.reason if is_between else "")
    return True


def _progress(session: Session, item: int, stage: str) -> ProgressRow | None:
    query = select(ProgressRow).where(ProgressRow.item == item, ProgressRow.stage == stage)
    return session.scalars(query.with_for_update()).first()


def _reopen(session: Session, study: OpenStudy, item: int, stage: Stage, words: str) -> None:
    """Everybody's own answers about an item are open again, as they were; who is gone is replaced,
    and what was talked over or resolved by a third person counts no more."""
    retire(session, study, item, stage.name, ("discuss", "third", "review"))
    query = (
        select(TaskRow, PersonRow)
        .join(PersonRow, PersonRow.id == TaskRow.person)
        .where(TaskRow.item == item, TaskRow.stage == stage.name, TaskRow.kind == "answer")
        .order_by(TaskRow.id)
    )
    for task, person in session.execute(query):
        if task.state not in DONE:
            continue
        if person.withdrew_at is None and person.revoked_at is None:
            task.state, task.note = "open", words
            task.round += 1
        else:
            task.state = "released"
            release_claim(session, task)
    progress = _progress(session, item, stage.name)
    if progress is not None:
        progress.state, progress.reason, progress.result = "open", "", {}
        progress.at = study.now()
    session.flush()
