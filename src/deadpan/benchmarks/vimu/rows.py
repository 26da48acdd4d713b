"""ViMU's JSONL files → checked rows, each with the place it stands at."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.json_lines import json_lines, shown
from deadpan.benchmarks.vimu.taxonomy import Letter

_FIX = "Correct the line, or fetch the file again."


class _Row(BaseModel):
    """A row's base: no field of another type; fields we do not know are kept to be told of."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")

    @property
    def unknown(self) -> tuple[str, ...]:
        """The fields that the row has beyond the known ones."""
        return tuple(self.model_extra or ())


class EvidenceRow(_Row):
    """A line of video_evidence.jsonl."""

    video_id: str
    frames: list[str] = []
    transcript: str | None = None


class QuestionAndAnswer(_Row):
    """The open-ended question with its gold; `rubric` may be text, a list or an object."""

    question: str
    answer: str
    difficulty: str | None = None
    rubric: JsonValue


class Annotation(BaseModel):
    """What we use of a video's annotation; whatever else is there is kept out."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    evidence: JsonValue
    intended_meaning: JsonValue
    literal_summary: JsonValue
    rhetoric_mechanisms: list[str] | None = None
    social_value_signals: list[str] | None = None
    target_subjects: list[str] | None = None
    language: str | None = None


class OpenEndedRow(_Row):
    """A line of vimu_oe.jsonl."""

    video_id: str
    qa: QuestionAndAnswer
    taxonomy: Annotation


class LabelledOption(_Row):
    """An option with a label of its own."""

    label: str
    text: str


class ChoiceRow(_Row):
    """A closed question; its gold stands under one of three names."""

    question: str
    instruction: str | None = None
    options: dict[Letter, str | LabelledOption]
    ground_truth: list[Letter] | None = None
    correct_options: list[Letter] | None = None
    answer: list[Letter] | None = None
    ground_truth_labels: list[str] | None = None
    open_ended_question: str | None = None


class EvidenceChoiceRow(ChoiceRow):
    """A line of vimu_eg.jsonl."""

    video_id: str


class StructureRow(_Row):
    """A line of vimu_ss.jsonl."""

    video_id: str
    mcq_tasks: dict[str, ChoiceRow]


RowT = TypeVar("RowT", EvidenceRow, OpenEndedRow, EvidenceChoiceRow, StructureRow)


@dataclass(frozen=True)
class Placed(Generic[RowT]):
    """A row and where it stands, as `file:line`."""

    where: str
    row: RowT


def placed_rows(path: Path, kind: type[RowT]) -> dict[str, Placed[RowT]]:
    """The rows of a file by video; a broken line, or a video there twice, raises."""
    rows: dict[str, Placed[RowT]] = {}
    for where, value in json_lines(path, path.name):
        try:
            row = kind.model_validate(value)
        except ValidationError as error:
            raise _problem(where, error) from None
        if row.video_id in rows:
            what = f"got {row.video_id} a second time (first in {rows[row.video_id].where})"
            raise InputError(f"{where} video_id", what, "Keep one line for each video.")
        rows[row.video_id] = Placed(where, row)
    return rows


def _problem(where: str, error: ValidationError) -> InputError:
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"] if part not in ("str", "[key]"))
    field = field.removesuffix(".LabelledOption")
    if first["type"] == "missing":
        return InputError(f"{where} {field}", "is missing; expected it in every line", _FIX)
    expected = first["msg"].replace("Input should be", "expected", 1)
    return InputError(f"{where} {field}", f"got {shown(first['input'])}; {expected}", _FIX)
