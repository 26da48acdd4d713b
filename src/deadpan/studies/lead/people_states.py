"""Where everybody who takes part stands: what they did, how long it took, how well it went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from deadpan.core.study.words import Words
from deadpan.studies.lead.live_agreement import Agreement
from deadpan.studies.lead.pace import DAY, Times, is_too_fast, times_of
from deadpan.studies.lead.workload import Work, Workload
from deadpan.studies.results.answer_times import Timed, answer_seconds
from deadpan.studies.results.status import person_state
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import AnswerRow, EventRow, PersonRow, TaskRow
from deadpan.studies.work.practising import PracticeStep, practice_state

_IDLE_DAYS = 3


@dataclass(frozen=True)
class PersonState:
    """Where somebody stands."""

    id: int
    name: str
    role: str
    team: int | None
    languages: Sequence[str]
    step: str
    """invited, joined, consented, practised, withdrew or revoked"""
    is_left_out: bool
    """Whether their answers are."""
    practice: PracticeStep
    practised: Words
    """The stage that they practise, where the study has several to practise."""
    done: int
    open: int
    skipped: int
    last_active: float | None
    times: Times | None
    fast: int
    """How many answers came too fast."""
    is_fast: bool
    """Whether half of them did."""
    checks: int
    checks_failed: int
    """Answers to hidden checks, and how many of them were wrong."""
    agreement: float | None
    """The share of answers that agree with another's."""
    is_idle: bool
    """Whether they have something to do and were not seen for some days, or never came."""

    @property
    def is_gone(self) -> bool:
        return self.step in ("withdrew", "revoked")


def people_states(
    session: Session, study: OpenStudy, load: Workload, agreement: Agreement
) -> list[PersonState]:
    """Everybody's state, in the order in which they were invited."""
    by_person, usual = _by_person(load.work), usual_seconds(load.work)
    seen, alike = _last_seen(session), agreement.with_others
    checked = Counter(one.person for one in agreement.export.checks)
    failed = Counter(one.person for one in agreement.export.checks if not one.right)
    is_closed = study.is_closed(session)
    found = []
    for person in load.people:
        own = by_person.get(person.id, [])
        ratios = _ratios(own, usual)
        last = seen.get(person.id)
        practice, stage = practice_state(session, study, person)
        found.append(
            PersonState(
                id=person.id,
                name=person.name,
                role=person.role,
                team=person.team,
                languages=list(person.languages),
                step=person_state(person),
                is_left_out=person.left_out,
                practice=practice,
                practised=stage.title if stage and len(study.study.practised) > 1 else {},
                done=sum(one.is_done and one.kind != "practice" for one in own),
                open=sum(one.state == "open" and one.kind != "practice" for one in own),
                skipped=sum(one.state == "skipped" for one in own),
                last_active=last,
                times=times_of(seconds_of(own)),
                fast=sum(is_too_fast(ratio, 1) for ratio in ratios),
                is_fast=bool(ratios) and is_too_fast(median(ratios), 1),
                checks=checked[person.name],
                checks_failed=failed[person.name],
                agreement=alike[person.name][0] if person.name in alike else None,
                is_idle=not is_closed and _is_idle(study, person, last),
            )
        )
    return found


def _by_person(work: Sequence[Work]) -> dict[int, list[Work]]:
    found: dict[int, list[Work]] = {}
    for one in work:
        found.setdefault(one.person, []).append(one)
    return found


def seconds_of(work: Sequence[Work]) -> list[float]:
    """How long answers took, those that are left out among them."""
    return answer_seconds(
        Timed("check" if one.of == "check" else one.kind, one.state, one.seconds) for one in work
    )


def usual_seconds(work: Sequence[Work]) -> dict[str, float]:
    """What an answer usually takes in each stage."""
    by_stage: dict[str, list[float]] = {}
    for one in work:
        if one.is_answer and one.seconds is not None:
            by_stage.setdefault(one.stage, []).append(one.seconds)
    return {stage: median(seconds) for stage, seconds in by_stage.items()}


def _ratios(work: Sequence[Work], usual: Mapping[str, float]) -> list[float]:
    """How long answers took, in times of what is usual in their stage."""
    return [
        one.seconds / usual[one.stage]
        for one in work
        if one.is_answer and one.seconds is not None and usual[one.stage] > 0
    ]


def _last_seen(session: Session) -> dict[int, float]:
    """When people last answered or did anything else."""
    did = select(EventRow.person, func.max(EventRow.at)).where(EventRow.person.is_not(None))
    said = select(TaskRow.person, func.max(AnswerRow.at)).join(
        AnswerRow, AnswerRow.task == TaskRow.id
    )
    found: dict[int, float] = {}
    rows = [
        *session.execute(did.group_by(EventRow.person)),
        *session.execute(said.group_by(TaskRow.person)),
    ]
    for person, at in rows:
        found[person] = max(at, found.get(person, at))
    return found


def _is_idle(study: OpenStudy, person: PersonRow, last: float | None) -> bool:
    if person.role == "lead" or person.revoked_at or person.withdrew_at:
        return False
    return study.now() - (last or person.invited_at) > _IDLE_DAYS * DAY
