"""Labels: which type each case has, and by whom: people's file, the outcome, or a model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from pydantic import BaseModel, model_validator

from deadpan.base.errors import InputError
from deadpan.base.files import is_there
from deadpan.base.rows import Placed, placed_rows, write_rows
from deadpan.core.signature import checksum
from deadpan.failures.cases import Case, CaseT, Key
from deadpan.failures.criteria import NEW, Criteria, FailureTypes, ProposedType
from deadpan.pipeline.judgements import usable_judgement

if TYPE_CHECKING:
    from deadpan.engine.asker import AskerEvents
    from deadpan.engine.reading import JudgedAnswer
    from deadpan.engine.task_questions import RunSettings

By = Literal["people", "outcome", "judge"]
Status = Literal["labelled", "new", "judge_failed"]
OTHER_TABLE = "Give the table and the --wrong that the rows were drawn with, or draw them again."
_FILL = "Fill it in, or delete the line."
LABELLING = "failures"  # what the labelling judge's answers go by, in a benchmark's place
NOT_ASKED = "the judge was not asked"


class Sampled(Case):
    """A case for people to label: they fill `type`, and may leave a note."""

    type: str | None = None
    note: str = ""


class Label(Case):
    """A labelled case. After the audit, `was` is what the model had said where people looked."""

    status: Status
    type: str | None = None
    by: By
    judge: str | None = None
    reason: str | None = None
    new_type: ProposedType | None = None
    audited: bool = False
    was: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.type is not None) != (self.status == "labelled"):
            raise ValueError(f"status {self.status} does not go with type {self.type}")
        if (self.new_type is not None) != (self.status == "new"):
            raise ValueError(f"status {self.status} does not go with new_type {self.new_type}")
        if self.audited != (self.was is not None) or (self.audited and self.by != "judge"):
            raise ValueError(f"audited {self.audited} does not go with was {self.was}")
        return self


class Proposal(ProposedType):
    """A type that the model proposed, in its first wording, and in how many cases."""

    count: int


def label_of(case: Case, **label: object) -> Label:
    """The case with what its label says."""
    return Label.model_validate({**case.model_dump(include=set(Case.model_fields)), **label})


def people_labels(path: Path, cases: Sequence[Case], criteria: Criteria) -> dict[Key, Label]:
    """The labels of people's file; a row that is not theirs to give, or changed, or empty, raises.
    A line that people deleted is no error: its case is labelled with the rest."""
    known = {case.key: case for case in cases}
    labels: dict[Key, Label] = {}
    for placed in placed_rows(path, Sampled, lambda row: row.key):
        case = same_case(placed, known)
        if case.outcome == "refused":
            what = f"{case.item} was refused: it is {criteria.refused} by its outcome"
            raise InputError(placed.where, what, "Delete the line.")
        kind = known_type(placed.row.type, criteria, f"{placed.where} type")
        labels[case.key] = label_of(case, status="labelled", type=kind, by="people")
    return labels


def same_case(placed: Placed[CaseT], known: Mapping[Key, CaseT | Case]) -> Case:
    """The known case of a row; one of another table, unknown, or changed by hand, raises."""
    row, tables = placed.row, {case.table for case in known.values()}
    if row.table not in tables:
        what = f"got {row.table}; these cases are {', '.join(sorted(tables))}"
        raise InputError(f"{placed.where} table", what, OTHER_TABLE)
    case = known.get(row.key)
    if case is None:
        what = f"{row.model} has no failure at {row.task} {row.item}, epoch {row.epoch}"
        raise InputError(placed.where, what, "Delete the line, or draw the rows again.")
    for name in (name for name in Case.model_fields if name != "picture"):
        if getattr(row, name) != getattr(case, name):
            what = "was changed; only the empty fields are to be filled"
            raise InputError(f"{placed.where} {name}", what, "Put the old text back.")
    return case


def known_type(given: str | None, criteria: Criteria, where: str) -> str:
    """The type as given, once it is known to be one; empty and unknown ones raise."""
    kind = (given or "").strip()
    if not kind:
        raise InputError(where, "is empty", _FILL)
    if kind not in criteria.names:
        known = f"expected one of {', '.join(criteria.names)}"
        fix = "Correct it, or add the type to the criteria (deadpan failures criteria)."
        raise InputError(where, f'got "{kind}"; {known}', fix)
    return kind


def read_labels(path: Path, criteria: Criteria) -> list[Label]:
    """The labels of a file; an unknown type, or rows of two tables, raises."""
    placed = placed_rows(path, Label, lambda row: row.key)
    for one in placed:
        if one.row.table != placed[0].row.table:
            what = f"got {one.row.table}; the first line has {placed[0].row.table}"
            raise InputError(f"{one.where} table", what, "Keep the labels of one table in a file.")
        for name in ("type", "was"):
            if (kind := getattr(one.row, name)) is not None:
                known_type(kind, criteria, f"{one.where} {name}")
    return [one.row for one in placed]


def proposals(labels: Iterable[Label]) -> list[Proposal]:
    """The new types the model proposed, those of most cases first."""
    found: dict[str, list[ProposedType]] = {}
    for label in labels:
        if label.new_type is not None:
            found.setdefault(label.new_type.name.casefold(), []).append(label.new_type)
    made = [Proposal(**same[0].model_dump(), count=len(same)) for same in found.values()]
    return sorted(made, key=lambda one: (-one.count, one.name))


def write_unless_filled(path: Path, rows: Sequence[BaseModel], field: str) -> None:
    """Writes rows for people to fill; a file that they began to fill is never overwritten."""
    begun = is_there(path) and path.stat().st_size
    for placed in placed_rows(path, type(rows[0]), BaseModel.model_dump_json) if begun else ():
        if getattr(placed.row, field) is not None:
            what = f"{field} is filled in here already"
            raise InputError(placed.where, what, "Choose another --out, or move the file away.")
    write_rows(path, rows)


def could_not_be_asked(label: Label) -> bool:
    """Whether the call failed that was to give the label, not what it replied."""
    return (label.reason or "").startswith((NOT_ASKED, "the judge could not be asked"))


def statuses(labels: Collection[Label]) -> dict[str, int]:
    """How many labels came about how: by people, by outcome, by the model, new, or not at all."""
    ways: list[str] = [label.by if label.status == "labelled" else label.status for label in labels]
    return {way: ways.count(way) for way in ("people", "outcome", "judge", NEW, "judge_failed")}


def label_cases(
    cases: Sequence[Case],
    people: Mapping[Key, Label],
    judge: FailureTypes,
    model: str,
    settings: RunSettings,
    events: AskerEvents | None = None,
) -> list[Label]:
    """Every case with its label: people's, a refusal's, or the model's, whose replies are kept. A
    reply that breaks the judge's rules three times, or a call that fails, is `judge_failed`."""
    from deadpan.engine.judging import JudgeJob, JudgeRequest, judge_answers
    from deadpan.engine.reading import judged_tasks

    groups: dict[tuple[str, str], list[JudgeRequest]] = {}
    for case in cases:
        if case.key not in people and case.outcome != "refused":
            request = JudgeRequest(case.item, case.epoch, judge.brief(case))
            groups.setdefault((f"{case.benchmark}_{case.task}", case.model), []).append(request)
    jobs = [JudgeJob(LABELLING, *group, judge, asked) for group, asked in groups.items()]
    found = {
        (task.task, task.model, entry.item, entry.epoch, entry.answer): entry
        for task in judged_tasks(judge_answers(jobs, model, settings, events))
        for entry in task.answers
    }
    labels = []
    for case in cases:
        task, answer = f"{case.benchmark}_{case.task}", checksum(judge.brief(case).answer)
        entry = found.get((task, case.model, case.item, case.epoch, answer))
        labels.append(people.get(case.key) or _label(case, judge, model, entry))
    return labels


def _label(case: Case, judge: FailureTypes, model: str, entry: JudgedAnswer | None) -> Label:
    if case.outcome == "refused":
        return label_of(case, status="labelled", type=judge.criteria.refused, by="outcome")
    judgement, why = usable_judgement(judge, entry) if entry else (None, NOT_ASKED)
    about = {"by": "judge", "judge": f"{model}@{judge.identity}"}
    if judgement is None:
        return label_of(case, **about, status="judge_failed", reason=why)
    is_new = judgement.parts["type"] == NEW
    found = {**judgement.parts, "type": None} if is_new else judgement.parts
    return label_of(case, **about, **found, status="new" if is_new else "labelled")
