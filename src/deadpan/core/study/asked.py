"""What every question of a study has, whatever its kind.

Answers are JSON values: a label, a list of labels, a number, words; a place among the outputs that
stand side by side; boxes, an order, words by panel. A wrong one raises `WrongAnswer`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field, JsonValue

from deadpan.core.study.items import StudyItem
from deadpan.core.study.words import Frozen, Label, Name, Words


class Condition(Frozen):
    """Whether a question was answered with one of these values."""

    question: Name
    values: tuple[Label, ...]

    def holds(self, answers: Mapping[str, JsonValue]) -> bool:
        """Whether any of the answer's labels is one of them; no answer is none."""
        given = answers.get(self.question)
        said = given if isinstance(given, list) else [given]
        return any(str(one) in self.values for one in said if one is not None)


Level = Literal["nominal", "labels", "ordinal", "interval", "text", "boxes"]
"""How far apart two answers are: not equal; as sets; in rank; in number; in words; in place."""


class Asked(Frozen):
    """What all questions have. One with `when` is asked only where that holds; elsewhere its answer
    is `otherwise`."""

    name: Name
    title: Words
    help: Words = Field(default_factory=dict)
    """What the words mean: shown beside the question, on demand."""
    required: bool = True
    when: Condition | None = None
    otherwise: JsonValue = None
    compared: bool = True
    """Whether answers must be the same for people to agree on an item."""

    @property
    @abstractmethod
    def level(self) -> Level:
        """How two answers are compared."""

    @property
    def labels_known(self) -> list[str] | None:
        """Every label that an answer can have, whatever the item; None where they are not known."""
        return None

    @abstractmethod
    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        """The answer as it is kept; None for none. A wrong one raises WrongAnswer."""

    def from_form(self, values: Sequence[str]) -> JsonValue:
        """What the fields of a form say; None for nothing."""
        return values[-1].strip() or None if values else None

    def is_asked(self, answers: Mapping[str, JsonValue]) -> bool:
        """Whether it is asked, given what was answered before."""
        return self.when is None or self.when.holds(answers)

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        """Whether two people said the same."""
        return first == second
