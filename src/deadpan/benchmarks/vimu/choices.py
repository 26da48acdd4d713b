"""A closed question of the data → options with the categories they stand for, and gold."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import InputError
from deadpan.base.json_lines import shown
from deadpan.benchmarks.vimu.rows import ChoiceRow, LabelledOption
from deadpan.benchmarks.vimu.taxonomy import LETTERS, Letter, Taxonomy, category_of, folded
from deadpan.core.dataset import Anomaly

_FIX = "Correct the line."
_FEWEST = 2


class Option(BaseModel):
    """One option: its letter in this question, what it says, and its category's letter."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    letter: Letter
    text: str
    label: str | None
    category: Letter


class Choice(BaseModel):
    """A closed question: any number of its options is right."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    options: tuple[Option, ...]
    gold: tuple[Letter, ...]

    @property
    def gold_categories(self) -> tuple[Letter, ...]:
        """The categories that are right, in the taxonomy's order."""
        chosen = (option.category for option in self.options if option.letter in self.gold)
        return tuple(sorted(chosen))


def choice(row: ChoiceRow, taxonomy: Taxonomy, where: str) -> Choice:
    """The question of a row; options or gold that make no sense raise."""
    if not row.question.strip():
        raise InputError(f"{where} question", "is blank; expected a question", _FIX)
    letters = tuple(sorted(row.options))
    if len(letters) < _FEWEST or letters != LETTERS[: len(letters)]:
        what = f"got {', '.join(letters) or 'none'}; expected letters in a row from A, two to five"
        raise InputError(f"{where} options", what, _FIX)
    said = {letter: _said(row.options[letter]) for letter in letters}
    categories = _categories(said, taxonomy, where)
    options = tuple(
        Option(letter=letter, text=text, label=label, category=categories[letter])
        for letter, (text, label) in said.items()
    )
    return Choice(question=row.question.strip(), options=options, gold=_gold(row, where))


def _said(option: str | LabelledOption) -> tuple[str, str | None]:
    """What an option says, and its label."""
    if isinstance(option, str):
        return option, None
    return option.text, option.label


def _categories(
    said: dict[Letter, tuple[str, str | None]], taxonomy: Taxonomy, where: str
) -> dict[Letter, Letter]:
    """Each option's category by its label, else its text; by its letter where none is known.

    Some known and others not is fine as long as the known ones stand at their usual letters.
    """
    named: dict[Letter, Letter] = {}
    for letter, (text, label) in said.items():
        found = category_of(taxonomy, label or text) or category_of(taxonomy, text)
        if found is not None:
            named[letter] = found.letter
    if len(set(named.values())) < len(named):
        raise InputError(f"{where} options", "two options name one category", _FIX)
    if len(named) == len(said):
        return named
    moved = [letter for letter, category in named.items() if letter != category]
    if moved:
        strange = next(letter for letter in said if letter not in named)
        what = f"got {shown(said[strange][0])}; {moved[0]} is not where it usually is"
        expected = ", ".join(category.label for category in taxonomy)
        raise InputError(f"{where} options.{strange}", what, f"Expected one of {expected}.")
    return {letter: letter for letter in said}


def _gold(row: ChoiceRow, where: str) -> tuple[Letter, ...]:
    given = {
        name: letters
        for name in ("ground_truth", "correct_options", "answer")
        if (letters := getattr(row, name)) is not None
    }
    if not given:
        what = "is missing; expected the right letters there, in correct_options or in answer"
        raise InputError(f"{where} ground_truth", what, _FIX)
    first, *others = given.items()
    for name, letters in others:
        if set(letters) != set(first[1]):
            what = f"got {shown(letters)}; {first[0]} says {shown(first[1])}"
            raise InputError(f"{where} {name}", what, "Keep one of them.")
    if stray := sorted(set(first[1]) - set(row.options)):
        what = f"got {stray[0]}; expected letters of the options"
        raise InputError(f"{where} {first[0]}", what, _FIX)
    return tuple(sorted(set(first[1])))


def label_anomalies(row: ChoiceRow, made: Choice, where: str) -> Iterator[Anomaly]:
    """Gold labels that are not those of the gold letters, and fields we do not know."""
    for name in row.unknown:
        if name != "video_id":
            yield Anomaly(f"{where} {name}", "unknown field", "not used")
    if row.ground_truth_labels is None:
        return
    right = [option for option in made.options if option.letter in made.gold]
    wanted = [{folded(option.text), folded(option.label or option.text)} for option in right]
    given = [folded(label) for label in row.ground_truth_labels]
    if len(given) != len(wanted) or not all(
        any(label in names for label in given) for names in wanted
    ):
        what = f"{shown(row.ground_truth_labels)} for the letters {', '.join(made.gold) or 'none'}"
        yield Anomaly(f"{where} ground_truth_labels", "labels disagree with letters", what)
