"""What a lead sees of a study at a glance. It is read at most every few seconds, however many look,
and takes a small part of the time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from statistics import fmean
from threading import Lock

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.exports import StudyExport
from deadpan.core.study.words import Words
from deadpan.studies.lead.items import APART
from deadpan.studies.lead.live_agreement import Agreement, QuestionAgreement
from deadpan.studies.lead.pace import Forecast, Times, by_day, forecast, last_days, times_of
from deadpan.studies.lead.people_states import PersonState, people_states, seconds_of
from deadpan.studies.lead.staffing import Key, Lack, lacking_people, lacks
from deadpan.studies.lead.workload import (
    StageProgress,
    Work,
    Workload,
    answered_at,
    stage_progress,
)
from deadpan.studies.results.export_rows import choice_rows, rating_rows
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import BatchRow
from deadpan.studies.work.leaving_out import items_lacking

_FRESH_SECONDS, _LARGEST_SHARE = 15.0, 0.1
"""How long a look holds, and the part of the time that looking may take."""
_DAYS_SHOWN = 30
_MOST_SKIPPED = 50


@dataclass(frozen=True)
class Skipped:
    """An item that somebody passed over."""

    item: int
    key: str
    stage: str
    person: str
    reason: str
    at: float | None
    lacking: int
    """How many more are needed than are left who could answer it."""
    everybody: str
    """The names of all who passed over it."""


@dataclass(frozen=True)
class SourceTally:
    """How an output's source fared: the mean of what was said of it to a question, or the share of
    times that it was chosen."""

    question: Words
    source: str
    mean: float
    n: int


@dataclass(frozen=True)
class Dashboard:
    """A study at a glance."""

    at: float
    is_closed: bool
    stages: Sequence[StageProgress]
    days: Sequence[tuple[date, int]]
    answered: int
    remaining: int
    forecast: Forecast | None
    agreements: Sequence[QuestionAgreement]
    people: Sequence[PersonState]
    times: Times | None
    skipped: Sequence[Skipped]
    more_skipped: int
    stuck: Sequence[Skipped]
    lacks: Sequence[Lack]
    """Whom to invite, as there are too few for items that nobody skipped."""
    batches: Mapping[str, int]
    """How many are in which state."""
    lacking: int
    """Items that lack people because answers were left out."""
    to_review: int
    """Tasks that are done, and count once a reviewer has accepted them."""
    tallies: Sequence[SourceTally]
    """Empty while the study is open: who made an output is sealed until then."""

    def items_in(self, *states: str) -> int:
        """How many items are in these states, over all stages."""
        return sum(stage.states.get(state, 0) for stage in self.stages for state in states)

    @property
    def apart(self) -> int:
        return self.items_in(*APART)

    @property
    def to_let_pass(self) -> list[PersonState]:
        """Who did not pass the practice."""
        return [one for one in self.people if one.practice == "failed" and not one.is_gone]

    @property
    def idle(self) -> list[PersonState]:
        """Who was not seen for some days, but for those who wait to be let in."""
        return [one for one in self.people if one.is_idle and one.practice != "failed"]

    @property
    def workers(self) -> list[PersonState]:
        """Who has done something that is counted."""
        return [one for one in self.people if one.done or one.skipped or one.checks]


def dashboard(session: Session, study: OpenStudy, agreement: Agreement) -> Dashboard:
    """The study as it is now, with how far people agreed the last time that was looked up."""
    load, now = Workload.of(session, study), study.now()
    answered = by_day(answered_at(load.work))
    moment = datetime.fromtimestamp(now, UTC)
    stages = stage_progress(study, load)
    remaining = sum(stage.needed - stage.given for stage in stages)
    closed = study.is_closed(session)
    lacking = lacking_people(study, load)
    skipped = _skipped(load, lacking)
    passed = {(one.item, one.stage) for one in skipped}
    unasked = {key: more for key, more in lacking.items() if key not in passed}
    return Dashboard(
        at=now,
        is_closed=closed,
        stages=stages,
        days=last_days(answered, moment.date(), _DAYS_SHOWN),
        answered=sum(answered.values()),
        remaining=remaining,
        forecast=None if closed else forecast(remaining, answered, moment),
        agreements=agreement.questions,
        people=people_states(session, study, load, agreement),
        times=times_of(seconds_of([one for one in load.work if one.is_answer])),
        skipped=skipped[:_MOST_SKIPPED],
        more_skipped=max(0, len(skipped) - _MOST_SKIPPED),
        stuck=() if closed else _first_of_each([one for one in skipped if one.lacking]),
        lacks=() if closed else lacks(study, load, unasked),
        batches=Counter(session.scalars(select(BatchRow.state))),
        lacking=items_lacking(session, study),
        to_review=agreement.export.waiting,
        tallies=_tallies(agreement.export) if closed else (),
    )


def _skipped(load: Workload, lacking: Mapping[Key, int]) -> list[Skipped]:
    """What was passed over, the newest first; what nobody is left for before the rest."""
    names = {person.id: person.name for person in load.people}
    passed = [one for one in load.work if one.state == "skipped" and one.of == "main"]
    who: dict[Key, list[str]] = {}
    for one in passed:
        who.setdefault((one.item, one.stage), []).append(names[one.person])

    def told(one: Work) -> Skipped:
        key, person = (one.item, one.stage), names[one.person]
        about = (lacking.get(key, 0), ", ".join(who[key]))
        return Skipped(one.item, one.key, one.stage, person, one.note, one.ended_at, *about)

    found = [told(one) for one in passed]
    return sorted(found, key=lambda one: (not one.lacking, -(one.at or 0)))


def _first_of_each(skipped: Sequence[Skipped]) -> list[Skipped]:
    """One for each item and stage."""
    return list({(one.item, one.stage): one for one in skipped}.values())


def _tallies(export: StudyExport) -> list[SourceTally]:
    """Means of ratings and shares of choices, by question and source, the highest first."""
    titles = {one.name: one.title for stage in export.study.stages for one in stage.questions}
    values: dict[tuple[str, str], list[float]] = {}
    for rating in rating_rows(export):
        if rating.rating is not None:
            values.setdefault((rating.metric, rating.model), []).append(rating.rating)
    for choice in choice_rows(export):
        for source in (choice.left, choice.right):
            own = 0.5 if choice.chosen is None else float(choice.chosen == source)
            values.setdefault((choice.question or "", source), []).append(own)
    means = {key: fmean(own) for key, own in values.items()}
    names = list(titles)
    order = sorted(values, key=lambda key: (names.index(key[0]), -means[key], key[1]))
    return [
        SourceTally(titles[name], source, means[name, source], len(values[name, source]))
        for name, source in order
    ]


class Dashboards:
    """The dashboard of an open study, kept for some seconds. How far people agree is kept apart:
    little of what a lead does changes it."""

    def __init__(self, study: OpenStudy, clock: Callable[[], float] = time.monotonic) -> None:
        self._study, self._clock, self._lock = study, clock, Lock()
        self._agreement: Agreement | None = None
        self._found: Dashboard | None = None
        self._until = 0.0

    def now(self) -> Dashboard:
        """The study at a glance, as of a few seconds ago at most."""
        with self._lock:
            began = self._clock()
            if self._agreement is None or began >= self._until:
                self._agreement = Agreement.of(gather(self._study, names=True))
                self._found = self._look(self._agreement)
                took = self._clock() - began
                self._until = began + max(_FRESH_SECONDS, took / _LARGEST_SHARE)
            elif self._found is None:
                self._found = self._look(self._agreement)
            return self._found

    def forget(self, answers: bool = False) -> None:
        """Has it read anew, as the lead changed something; `answers` where other ones count now."""
        with self._lock:
            self._found = None
            self._agreement = None if answers else self._agreement

    def _look(self, agreement: Agreement) -> Dashboard:
        with self._study.database.read() as session:
            return dashboard(session, self._study, agreement)
