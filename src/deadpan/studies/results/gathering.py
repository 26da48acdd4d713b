"""Everything that came out of a study, read from its database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.arranging import Best
from deadpan.core.study.exports import (
    Checked,
    KeptMedia,
    Recruited,
    Said,
    SettledItem,
    Spent,
    StudyExport,
)
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Stage
from deadpan.studies.storage.media import media_path
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import (
    AnswerRow,
    BatchRow,
    EventRow,
    ItemRow,
    MediaRow,
    PersonRow,
    ProgressRow,
    TaskRow,
)
from deadpan.studies.work.answering import DONE
from deadpan.studies.work.practising import rightness

_COUNTED = ("answer", "discuss", "third")
_ENDINGS = {"audio/mpeg": "mp3", "audio/mp4": "m4a"}
"""Of files that do not end as their type does."""
_Place = tuple[int, str, str]
"""An item, a stage and a question."""
_NAMED = 16
"""How many digits of a checksum name a file."""


def gather(study: OpenStudy, names: bool = False) -> StudyExport:
    """What came out so far. People are numbered in the order in which they were invited, unless
    their `names` are asked for; who withdrew and wants to be left out is left out."""
    with study.database.read() as session:
        known = _Known.of(session, names)
        answers, origins = _answers(session)
        rows = session.scalars(select(TaskRow).order_by(TaskRow.id)).all()
        counted = [row for row in rows if row.kind in _COUNTED]
        tasks = [row for row in counted if row.person in known.people]
        said: list[Said] = []
        checks: list[Checked] = []
        waiting = 0
        for task in (one for one in tasks if one.state in DONE):
            stage, item = study.study.stage(task.stage), study.item(session, task.item, task.stage)
            if stage is None or not _counts(stage, task):
                waiting += stage is not None
                continue
            own = answers.get(task.id, {})
            if known.items[task.item].kind == "check":
                who = known.names[task.person]
                marks = rightness(stage, item, own)
                checks += [Checked(who, item.key, name, right) for name, right in marks]
            else:
                said += _said(study, known, task, stage, item, own, origins)
        spent = [known.spent(one) for one in tasks if one.state in (*DONE, "skipped")]
        settled, files = _settled(session, study), _files(session, study)
    theirs = {
        (row.item, row.stage, name): value
        for row in counted
        if row.person not in known.people
        for name, value in answers.get(row.id, {}).items()
    }
    if theirs:
        settled = list(_without(settled, theirs, said))
    facts = (study.study, study.version, said, settled, spent, checks)
    recruited = known.recruited if names else ()
    return StudyExport(*facts, recruited=recruited, waiting=waiting, files=files)


@dataclass(frozen=True)
class _Known:
    """The people, items and batches of a study, by number."""

    people: Mapping[int, PersonRow]
    names: Mapping[int, str]
    items: Mapping[int, ItemRow]
    batches: Mapping[int, str]

    @classmethod
    def of(cls, session: Session, names: bool) -> _Known:
        everybody = {row.id: row for row in session.scalars(select(PersonRow))}
        people = {number: row for number, row in everybody.items() if not row.left_out}
        items = {row.id: row for row in session.scalars(select(ItemRow))}
        batches = {row.id: batch_name(row) for row in session.scalars(select(BatchRow))}
        return cls(people, people_named(everybody, names), items, batches)

    @property
    def recruited(self) -> list[Recruited]:
        """Those whom a recruiting platform sent."""
        came = [row for row in self.people.values() if row.outside is not None]
        return [Recruited(self.names[row.id], row.code, row.parameters) for row in came]

    def spent(self, task: TaskRow) -> Spent:
        """How long a task took."""
        item = self.items[task.item]
        return Spent(
            unit=task.item,
            item=item.key,
            stage=task.stage,
            person=self.names[task.person],
            kind="check" if item.kind == "check" else task.kind,
            state=task.state,
            seconds=task.seconds,
            reason=task.note if task.state == "skipped" else "",
        )


def batch_name(row: BatchRow) -> str:
    """What a batch is called in files: `team 1 batch 2`."""
    return f"team {row.team} batch {row.number}"


def _said(
    study: OpenStudy,
    known: _Known,
    task: TaskRow,
    stage: Stage,
    item: StudyItem,
    own: Mapping[str, JsonValue],
    origins: Mapping[tuple[int, str], str],
) -> Iterator[Said]:
    """What somebody said in a task, question by question."""
    completed = stage.completed(own)
    for question in stage.questions:
        if question.name not in completed:
            continue
        chooses = isinstance(question, Best)
        yield Said(
            unit=task.item,
            item=item,
            stage=stage.name,
            question=question,
            person=known.names[task.person],
            role=known.people[task.person].role,
            kind=task.kind,
            value=completed[question.name],
            batch=known.batches.get(known.items[task.item].batch or 0, ""),
            origin=origins.get((task.id, question.name), "person"),
            shown=tuple(study.outputs_shown(task.person, task.item, item)) if chooses else (),
        )


def _counts(stage: Stage, task: TaskRow) -> bool:
    """Whether a task is accepted, where somebody has to."""
    return not (stage.review and task.kind == "answer") or task.state == "accepted"


def people_named(people: Mapping[int, PersonRow], names: bool) -> dict[int, str]:
    """What everybody is called: rater-1, adjudicator-1, by role; or by their names."""
    if names:
        return {number: row.name for number, row in people.items()}
    counts: dict[str, int] = {}
    found = {}
    for number in sorted(people):
        role = people[number].role
        counts[role] = counts.get(role, 0) + 1
        found[number] = f"{role}-{counts[role]}"
    return found


def _answers(
    session: Session,
) -> tuple[dict[int, dict[str, JsonValue]], dict[tuple[int, str], str]]:
    """The answers of every task that hold, and where each came from."""
    values: dict[int, dict[str, JsonValue]] = {}
    origins: dict[tuple[int, str], str] = {}
    query = select(AnswerRow.task, AnswerRow.question, AnswerRow.value, AnswerRow.origin)
    for task, question, value, origin in session.execute(query.order_by(AnswerRow.id)):
        own = values.setdefault(task, {})
        origins[task, question] = origin
        if value is None:
            own.pop(question, None)
        else:
            own[question] = value
    return values, origins


def _settled(session: Session, study: OpenStudy) -> list[SettledItem]:
    query = select(ProgressRow).order_by(ProgressRow.item, ProgressRow.id)
    by_lead = _settled_by_lead(session)
    return [
        SettledItem(
            unit=row.item,
            item=study.item(session, row.item, row.stage),
            stage=row.stage,
            state=row.state,
            result=row.result,
            reason=row.reason,
            by_lead=(row.item, row.stage) in by_lead,
        )
        for row in session.scalars(query)
    ]


def _without(
    settled: Sequence[SettledItem], theirs: Mapping[_Place, JsonValue], said: Sequence[Said]
) -> Iterator[SettledItem]:
    """What was settled without the words of those who are left out, unless others say the same."""
    others: dict[_Place, list[JsonValue]] = {}
    for one in said:
        others.setdefault((one.unit, one.stage, one.question.name), []).append(one.value)
    for became in settled:
        kept = {
            name: value
            for name, value in became.result.items()
            if theirs.get(place := (became.unit, became.stage, name)) != value
            or value in others.get(place, ())
        }
        yield replace(became, result=kept)


def _settled_by_lead(session: Session) -> set[tuple[int, str]]:
    """Item and stage of what a lead settled, and no rule later on."""
    found: dict[tuple[int, str], bool] = {}
    query = select(EventRow.person, EventRow.about).where(EventRow.what == "settled")
    for person, about in session.execute(query.order_by(EventRow.id)):
        found[about["item"], about["stage"]] = person is not None
    return {place for place, is_lead in found.items() if is_lead}


def _files(session: Session, study: OpenStudy) -> dict[str, KeptMedia]:
    """The files of a study, each under a name with an ending that tells its type."""
    found = {}
    for checksum, type_ in session.execute(select(MediaRow.checksum, MediaRow.type)):
        ending = _ENDINGS.get(type_) or type_.rpartition("/")[2]
        name = f"{checksum[:_NAMED]}.{ending}"
        found[checksum] = KeptMedia(media_path(study.folder, checksum), name)
    return found
