"""ViMU's JSONL files → checked rows with the place each stands at; a closed question → options with
the categories they stand for, and gold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.rows import Placed, json_lines, quote
from deadpan.benchmarks.vimu.taxonomy import (
    LETTERS,
    Category,
    Letter,
    Taxonomy,
    category_of,
    fold_label,
)
from deadpan.core.dataset import Anomaly
from deadpan.core.record_files import FIX, Row

_FIX = "Correct the line, or fetch the file again."
_FEWEST = 2


class VideoRow(Row):
    """A line about a video."""

    video_id: str


class EvidenceRow(VideoRow):
    """A line of video_evidence.jsonl."""

    frames: list[str] = Field(default_factory=list)
    transcript: str | None = None


class QuestionAndAnswer(Row):
    """The open-ended question with its gold; `rubric` may be text, a list or an object."""

    question: str
    answer: str
    difficulty: str | None = None
    rubric: JsonValue


class Annotation(BaseModel, frozen=True, strict=True, extra="ignore"):
    """What we use of a video's annotation; whatever else is there is kept out."""

    evidence: JsonValue
    intended_meaning: JsonValue
    literal_summary: JsonValue
    rhetoric_mechanisms: list[str] | None = None
    social_value_signals: list[str] | None = None
    target_subjects: list[str] | None = None
    language: str | None = None


class OpenEndedRow(VideoRow):
    """A line of vimu_oe.jsonl."""

    qa: QuestionAndAnswer
    taxonomy: Annotation


class LabelledOption(Row):
    """An option with a label of its own."""

    label: str
    text: str


class ChoiceRow(Row):
    """A closed question; its gold stands under one of three names."""

    question: str
    instruction: str | None = None
    options: dict[Letter, str | LabelledOption]
    ground_truth: list[Letter] | None = None
    correct_options: list[Letter] | None = None
    answer: list[Letter] | None = None
    ground_truth_labels: list[str] | None = None
    open_ended_question: str | None = None


class EvidenceChoiceRow(VideoRow, ChoiceRow):
    """A line of vimu_eg.jsonl."""


class StructureRow(VideoRow):
    """A line of vimu_ss.jsonl."""

    mcq_tasks: dict[str, ChoiceRow]


RowT = TypeVar("RowT", bound=VideoRow)


def rows_by_video(path: Path, kind: type[RowT]) -> dict[str, Placed[RowT]]:
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
    place = f"{where} {field.removesuffix('.LabelledOption')}"
    if first["type"] == "missing":
        return InputError(place, "is missing; expected it in every line", _FIX)
    expected = first["msg"].replace("Input should be", "expected", 1)
    return InputError(place, f"got {quote(first['input'])}; {expected}", _FIX)


class Frozen(BaseModel):
    """What is made of the rows."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Option(Frozen):
    """One option: its letter in this question, what it says, and its category's letter."""

    letter: Letter
    text: str
    label: str | None
    category: Letter
    is_named: bool = Field(default=True, exclude=True)
    """Whether the taxonomy has its label or text; else its category is its letter's."""


class Choice(Frozen):
    """A closed question: any number of its options is right."""

    question: str
    options: tuple[Option, ...]
    gold: tuple[Letter, ...]

    @property
    def gold_categories(self) -> tuple[Letter, ...]:
        """The categories that are right, in the taxonomy's order."""
        chosen = (option.category for option in self.options if option.letter in self.gold)
        return tuple(sorted(chosen))


def choice_of(row: ChoiceRow, taxonomy: Taxonomy, where: str) -> Choice:
    """The question of a row; options or gold that make no sense raise."""
    if not row.question.strip():
        raise InputError(f"{where} question", "is blank; expected a question", FIX)
    letters = tuple(sorted(row.options))
    if len(letters) < _FEWEST or letters != LETTERS[: len(letters)]:
        what = f"got {', '.join(letters) or 'none'}; expected letters in a row from A, two to five"
        raise InputError(f"{where} options", what, FIX)
    said: dict[Letter, tuple[str, str | None]] = {}
    for letter in letters:
        option = row.options[letter]
        said[letter] = (option, None) if isinstance(option, str) else (option.text, option.label)
    categories = _categories(said, taxonomy, where)
    options = tuple(
        Option(
            letter=letter,
            text=text,
            label=label,
            category=categories[letter],
            is_named=_category(taxonomy, text, label) is not None,
        )
        for letter, (text, label) in said.items()
    )
    return Choice(question=row.question.strip(), options=options, gold=_gold(row, where))


def _category(taxonomy: Taxonomy, text: str, label: str | None) -> Category | None:
    return category_of(taxonomy, label or text) or category_of(taxonomy, text)


def _categories(
    said: dict[Letter, tuple[str, str | None]], taxonomy: Taxonomy, where: str
) -> dict[Letter, Letter]:
    """Each option's category by its label, else its text; by its letter where none is known. Some
    known and others not is fine as long as the known ones stand at their usual letters."""
    named: dict[Letter, Letter] = {}
    for letter, (text, label) in said.items():
        found = _category(taxonomy, text, label)
        if found is not None:
            named[letter] = found.letter
    if len(set(named.values())) < len(named):
        raise InputError(f"{where} options", "two options name one category", FIX)
    if len(named) == len(said):
        return named
    moved = [letter for letter, category in named.items() if letter != category]
    if moved:
        strange = next(letter for letter in said if letter not in named)
        what = f"got {quote(said[strange][0])}; {moved[0]} is not where it usually is"
        expected = ", ".join(category.label for category in taxonomy)
        raise InputError(f"{where} options.{strange}", what, f"Expected one of {expected}.")
    return {letter: letter for letter in said}


def _gold(row: ChoiceRow, where: str) -> tuple[Letter, ...]:
    names = ("ground_truth", "correct_options", "answer")
    given = [(name, value) for name in names if (value := getattr(row, name)) is not None]
    if not given:
        what = "is missing; expected the right letters there, in correct_options or in answer"
        raise InputError(f"{where} ground_truth", what, FIX)
    (first, gold), *others = given
    for name, letters in others:
        if set(letters) != set(gold):
            what = f"got {quote(letters)}; {first} says {quote(gold)}"
            raise InputError(f"{where} {name}", what, "Keep one of them.")
    if stray := sorted(set(gold) - set(row.options)):
        what = f"got {stray[0]}; expected letters of the options"
        raise InputError(f"{where} {first}", what, FIX)
    return tuple(sorted(set(gold)))


def label_anomalies(row: ChoiceRow, made: Choice, where: str) -> Iterator[Anomaly]:
    """Options whose category is not known by name, gold labels that are not those of the gold
    letters, and fields we do not know."""
    for option in made.options:
        if not option.is_named:
            what = f"{quote(option.text)} is none of the taxonomy's; taken for {option.category}"
            yield Anomaly(f"{where} options.{option.letter}", "unknown option", what)
    for name in row.unknown:
        if name != "video_id":
            yield Anomaly(f"{where} {name}", "unknown field", "not used")
    if row.ground_truth_labels is None:
        return
    right = [option for option in made.options if option.letter in made.gold]
    wanted = [
        {fold_label(option.text), fold_label(option.label or option.text)} for option in right
    ]
    given = {fold_label(label) for label in row.ground_truth_labels}
    if len(row.ground_truth_labels) != len(wanted) or not all(given & names for names in wanted):
        what = f"{quote(row.ground_truth_labels)} for the letters {', '.join(made.gold) or 'none'}"
        yield Anomaly(f"{where} ground_truth_labels", "labels disagree with letters", what)
