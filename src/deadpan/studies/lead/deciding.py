"""What a lead decides: about items that others cannot settle, about people, about the study."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from deadpan.base.printable import without_controls
from deadpan.core.study.files import study_text
from deadpan.core.study.specification import Study
from deadpan.core.study.words import Words
from deadpan.studies.storage.opened import CLOSED, NotAllowed, OpenStudy
from deadpan.studies.storage.tables import (
    ItemRow,
    PersonRow,
    ProgressRow,
    SettingRow,
    SpecificationRow,
    TaskRow,
)
from deadpan.studies.work.answering import DONE, answers_of
from deadpan.studies.work.leaving_out import leave_out_everybody
from deadpan.studies.work.returning import later_stages, retire
from deadpan.studies.work.settling import Decision, by_verdict
from deadpan.studies.work.transitions import apply_decision, lock_batch, lock_progress, may_settle

LONGEST_REASON, LONGEST_GUIDELINES = 2_000, 60_000
DECIDED = ("settled", "discarded", "returned", "disputed")
"""The states in which nothing happens to an item by itself any more."""


def settle_by_lead(
    session: Session, study: OpenStudy, lead: PersonRow, item: int, stage: str, task: int
) -> None:
    """Settles an item with somebody's answers, whatever others said; a verdict that discards it or
    sends it back does that."""
    progress = _held(session, item, stage)
    chosen = session.get(TaskRow, task)
    fits = chosen is not None and (chosen.item, chosen.stage) == (item, stage)
    counts = fits and chosen is not None and chosen.state in DONE and chosen.kind != "review"
    if chosen is None or not counts or progress.state == "settled":
        raise NotAllowed("settle_with")
    asked = study.stage(stage)
    result = asked.completed(answers_of(session, chosen.id))
    decision = by_verdict(asked, result, [result])
    if decision.state == progress.state:
        raise NotAllowed("settle_with")
    _decide(session, study, lead, progress, decision, {"task": task})


def discard_by_lead(
    session: Session, study: OpenStudy, lead: PersonRow, item: int, stage: str, reason: str
) -> None:
    """Takes an item out of the study, and says why."""
    progress = _held(session, item, stage)
    words = _worded(reason)
    if not words or progress.state == "discarded":
        raise NotAllowed("discard_reason")
    _require_last(session, study, item, stage)
    decision = Decision("discarded", reason=words)
    _decide(session, study, lead, progress, decision, {"reason": words})


def reopen(
    session: Session, study: OpenStudy, lead: PersonRow, item: int, stage: str, note: str
) -> None:
    """Gives an item back to those who answered or skipped it, with what they should look at; what
    was discussed or decided by a third person counts no more. An item in which nobody is left to
    do so, and one on which the next stage is built, raises."""
    progress = _held(session, item, stage)
    words = _worded(note)
    if not words:
        raise NotAllowed("reopen_reason")
    _require_last(session, study, item, stage)
    retire(session, study, item, stage, ("discuss", "third"))
    given = _give_back(session, progress, words)
    if not given:
        raise NotAllowed("nobody_left")
    progress.state, progress.result, progress.reason = "open", {}, ""
    progress.at = study.now()
    study.forget(item)
    study.note(session, lead, "reopened", item=item, stage=stage, note=words, people=given)


def _held(session: Session, item: int, stage: str) -> ProgressRow:
    """How far an item is; the batch is held first, as everywhere."""
    row = session.get(ItemRow, item)
    lock_batch(session, row.batch if row else None)
    progress = lock_progress(session, item, stage)
    if progress is None:
        raise NotAllowed("no_item")
    return progress


def _worded(text: str) -> str:
    return without_controls(text).strip()[:LONGEST_REASON]


def _decide(
    session: Session,
    study: OpenStudy,
    lead: PersonRow,
    progress: ProgressRow,
    decision: Decision,
    about: Mapping[str, JsonValue],
) -> None:
    """Ends what is open about an item, and lets its batch go on without it."""
    kinds = ("answer", "discuss", "third", "review")
    retire(session, study, progress.item, progress.stage, kinds, open_only=True)
    apply_decision(session, study, progress, decision, by=lead, about=about)
    session.flush()
    batch = lock_batch(session, session.get_one(ItemRow, progress.item).batch)
    if batch is not None:
        may_settle(session, study, batch)


def _require_last(session: Session, study: OpenStudy, item: int, stage: str) -> None:
    """Raises where the next stage is being answered; one that nobody has begun is taken back."""
    for row, is_begun in later_stages(session, study, item, stage):
        if is_begun:
            raise NotAllowed("next_stage_begun")
        session.delete(row)
    session.flush()


def _give_back(session: Session, progress: ProgressRow, words: str) -> list[int]:
    """The people whose tasks about an item are open again: who answered it, or skipped it, and is
    still there."""
    query = (
        select(TaskRow)
        .join(PersonRow, PersonRow.id == TaskRow.person)
        .where(
            TaskRow.item == progress.item,
            TaskRow.stage == progress.stage,
            TaskRow.kind == "answer",
            TaskRow.state.in_((*DONE, "skipped")),
            PersonRow.withdrew_at.is_(None),
            PersonRow.revoked_at.is_(None),
        )
    )
    found = []
    for task in session.scalars(query.order_by(TaskRow.id)):
        if task.state == "skipped":
            progress.claims += 1
        task.state, task.note = "open", words
        found.append(task.person)
    return found


def let_pass(session: Session, study: OpenStudy, lead: PersonRow, person: PersonRow) -> None:
    """Lets somebody begin who did not pass the practice."""
    if person.role != "rater" or person.practised_at is not None or study.study.practice is None:
        raise NotAllowed("no_practice")
    person.practised_at = study.now()
    query = select(TaskRow).where(
        TaskRow.person == person.id, TaskRow.kind == "practice", TaskRow.state == "open"
    )
    for task in session.scalars(query):
        task.state, task.ended_at = "released", study.now()
    study.note(session, lead, "let pass", who=person.id)


def close_or_open(session: Session, study: OpenStudy, closed: bool, by: PersonRow | None) -> None:
    """Closes a study, so that nobody can answer any more; or opens it again."""
    row = session.get(SettingRow, CLOSED)
    session.info[CLOSED] = closed
    if closed and row is None:
        session.add(SettingRow(name=CLOSED, value=str(study.now())))
        study.note(session, by, "closed")
    elif not closed and row is not None:
        session.delete(row)
        study.note(session, by, "opened")
        session.flush()
        leave_out_everybody(session, study)


def with_guidelines(study: Study, words: Mapping[str, Words]) -> Study:
    """The study with other guidelines, by stage and without a name its own, in some languages; none
    in those in which nothing is said. Too long ones raise, and the same ones."""

    def told(before: Words, name: str) -> dict[str, Words]:
        said = words.get(name, {}).items()
        after = dict(before) | {code: without_controls(text).strip() for code, text in said}
        return {"guidelines": {code: text for code, text in after.items() if text}}

    stages = tuple(
        stage.model_copy(update=told(stage.guidelines, stage.name)) for stage in study.stages
    )
    changed = study.model_copy(update={**told(study.guidelines, ""), "stages": stages})
    everything = [changed.guidelines, *(stage.guidelines for stage in stages)]
    if any(len(text) > LONGEST_GUIDELINES for own in everything for text in own.values()):
        raise NotAllowed("guidelines_long", most=LONGEST_GUIDELINES)
    if changed == study:
        raise NotAllowed("guidelines_same")
    return changed


def add_version(session: Session, study: OpenStudy, changed: Study, by: PersonRow | None) -> int:
    """The number under which a changed study is kept as its new version."""
    newest = session.scalar(select(func.max(SpecificationRow.version))) or 0
    text, now = study_text(changed), study.now()
    session.add(SpecificationRow(version=newest + 1, text=text, at=now))
    study.note(session, by, "changed", version=newest + 1)
    return newest + 1
