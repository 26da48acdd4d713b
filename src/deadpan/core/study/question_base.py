"""What every question of a study has, and all that may be asked of a kind of question: how an
answer is read, compared, said in words, written into files, and asked of a model.

Answers are JSON values: a label, a list of labels, a number, words; a place among the outputs that
stand side by side; boxes, an order, words by panel. A wrong one raises `WrongAnswer`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple, Self

from pydantic import Field, JsonValue, model_validator

from deadpan.base.rows import json_value
from deadpan.core.annotation_values import Value
from deadpan.core.annotations import AnnotationQuestion, Kind
from deadpan.core.questions import Language
from deadpan.core.ratings import Scale
from deadpan.core.study.cells import annotation_value, cell_of, plain_text
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.options import Option
from deadpan.core.study.words import Frozen, Label, Name, Words, WrongAnswer

NO_ANSWER = "–"
Level = Literal["nominal", "labels", "ordinal", "interval", "text", "boxes"]
"""How far apart two answers are: not equal; as sets; in rank; in number; in words; in place."""
_KINDS: Mapping[Level, Kind] = {
    "nominal": "label",
    "ordinal": "label",
    "labels": "labels",
    "interval": "number",
    "text": "text",
    "boxes": "boxes",
}
"""What a question of a level is in files of annotations."""
Control = Literal["choices", "labels", "number", "rating", "rectanglelabels", "textarea"]
"""The types of answers in Label Studio."""


class Condition(Frozen):
    """Whether a question was answered with one of these values."""

    question: Name
    """One that is asked before."""
    values: tuple[Label, ...]
    """Answers to it, any of which will do."""

    @model_validator(mode="after")
    def _can_hold(self) -> Self:
        if not self.values:
            raise ValueError(f"values: no answer to {self.question} is named; name one or more")
        return self

    def holds(self, answers: Mapping[str, JsonValue]) -> bool:
        """Whether any of the answer's labels is one of them; no answer is none."""
        given = answers.get(self.question)
        said = given if isinstance(given, list) else [given]
        return any(str(one) in self.values for one in said if one is not None)


class SourceChoice(NamedTuple):
    """Which of two outputs, by their sources as they stood on the page, is better; None for a
    tie."""

    left: str
    right: str
    chosen: str | None


class QuestionBase(Frozen):
    """What all questions have. One with `when` is asked only where that holds; elsewhere its answer
    is `otherwise`."""

    name: Name
    """By which files, gold and other questions know it."""
    title: Words
    """What is asked."""
    help: Words = Field(default_factory=dict)
    """What the words mean: shown beside the question, on demand."""
    required: bool = True
    """Whether nobody is done with an item before it is answered."""
    when: Condition | None = None
    """Where it is asked; everywhere where it is left out."""
    otherwise: JsonValue = None
    """Its answer where it is not asked."""
    compared: bool = True
    """Whether answers must be the same for people to agree on an item."""
    corrects: Name | None = None
    """The text of the item that it corrects: stages that build on this one show the answer in its
    place."""

    chooses: ClassVar[bool] = False
    """Whether an answer is the place of one of the item's outputs."""
    uploads: ClassVar[bool] = False
    """Whether it is answered with a file."""
    several: ClassVar[bool] = False
    """Whether an answer holds several labels."""
    can_draft: ClassVar[bool]
    """Whether a model can draft an answer; every kind has to say."""

    # What it shows.

    @property
    def fixed_options(self) -> Sequence[Option]:
        """The options that it has about every item."""
        return ()

    def offered(self, item: StudyItem) -> Sequence[Option]:
        """The options that a page lists about an item."""
        return self.fixed_options

    def panels_asked(self, item: StudyItem) -> list[str]:
        """The numbers of the comic's panels that a page lists about an item."""
        return []

    @property
    def names_panels(self) -> bool:
        """Whether answers name panels of a comic by their numbers."""
        return False

    @property
    def selects_from(self) -> tuple[str, ...]:
        """The parts of items whose words are selected as an answer."""
        return ()

    @property
    def draws_on(self) -> str:
        """The part of items that is drawn on; empty for none."""
        return ""

    @property
    def is_always_asked(self) -> bool:
        """Whether everybody has to answer it, whatever they answered before."""
        return self.required and self.when is None

    def lacks(self, item: StudyItem, shown: Sequence[Part]) -> str:
        """What it needs of an item of which those parts are shown, and what that has instead; empty
        where it can be asked."""
        return ""

    # How an answer is read, and compared.

    @property
    @abstractmethod
    def level(self) -> Level:
        """How two answers are compared."""

    @property
    def labels_known(self) -> list[str] | None:
        """Every label that an answer can have, whatever the item; None where they are not known."""
        return None

    def from_form(self, values: Sequence[str]) -> JsonValue:
        """What the fields of a form say; None for nothing."""
        return values[-1].strip() or None if values else None

    @abstractmethod
    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        """The answer as it is kept; None for none. A wrong one raises WrongAnswer."""

    def expected(self, item: StudyItem, wrong: WrongAnswer) -> str:
        """What is expected about an item instead of a wrong answer, for who writes files."""
        return f"{wrong}: {', '.join(self.labels_known)}" if self.labels_known else str(wrong)

    def is_asked(self, answers: Mapping[str, JsonValue]) -> bool:
        """Whether it is asked, given what was answered before."""
        return self.when is None or self.when.holds(answers)

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        """Whether two people said the same."""
        return first == second

    def voted(self, given: Sequence[JsonValue], least: int) -> JsonValue:
        """The answer that most gave, at least so many; None where none is."""
        sizes = [sum(bool(self.agree(value, other)) for other in given) for value in given]
        most = max(sizes, default=0)
        return given[sizes.index(most)] if most >= least and sizes.count(most) == most else None

    # An answer in words, and in files.

    def in_words(self, value: JsonValue, language: Language, shown: Sequence[int] = ()) -> str:
        """An answer as a person reads it; a dash for none. `shown` is the order of outputs on the
        reader's page."""
        return NO_ANSWER if value is None else self.worded(value, language, shown)

    def worded(self, value: JsonValue, language: Language, shown: Sequence[int]) -> str:
        """An answer that is one, in words."""
        return plain_text(value)

    @property
    def annotation(self) -> AnnotationQuestion:
        """The question as files of annotations, and agreement, know it."""
        return AnnotationQuestion(self.name, _KINDS[self.level])

    @property
    def is_measured(self) -> bool:
        """Whether agreement on it says something: words that need not be the same are not."""
        return self.level != "text" or self.compared

    def labels_said(self, value: JsonValue, item: StudyItem) -> list[str]:
        """The labels of an answer, as files have them."""
        return [str(one) for one in value] if isinstance(value, list) else [str(value)]

    def annotated(self, value: JsonValue, item: StudyItem) -> Value | None:
        """An answer as agreement is measured on it; None for what is no answer of its kind."""
        return annotation_value(self.annotation.kind, value, self.labels_said(value, item))

    def cell(self, value: JsonValue, item: StudyItem) -> object:
        """An answer as a file's cell holds it; None for what is none."""
        labels = self.labels_said(value, item)
        return cell_of(self.annotated(value, item), labels, self.several)

    def annotation_cell(self, value: JsonValue, item: StudyItem) -> object:
        """An answer as a file of annotations holds it: one that says several labels as those."""
        return self.cell(value, item)

    def note(self, value: JsonValue) -> str | None:
        """What an answer says beside a rating; None for what is no note."""
        return None

    @property
    def scale(self) -> Scale | None:
        """The scale on which it rates an output; None where it rates none."""
        return None

    def rating(self, value: JsonValue) -> float | None:
        """An answer as a number on that scale; None for none."""
        return None

    def ratings(self, value: JsonValue, item: StudyItem) -> list[tuple[str, float]]:
        """What an answer says of the sources of the item's outputs, each with a rating."""
        rating = self.rating(value) if len(item.outputs) == 1 else None
        return [] if rating is None else [(item.outputs[0].source, rating)]

    def choice(
        self, value: JsonValue, item: StudyItem, shown: Sequence[int]
    ) -> SourceChoice | None:
        """What an answer says of two outputs that stood side by side; None where it says none."""
        return None

    @property
    def control(self) -> Control:
        """The type of its answers in Label Studio; what that does not know are words there."""
        return "textarea"

    @property
    def fixed_labels(self) -> list[str]:
        """The labels that Label Studio offers about every item."""
        return [option.value for option in self.fixed_options]

    # What a model is told, and says.

    def reply_form(self, item: StudyItem) -> list[Words]:
        """The form that a model's answer has to have, in sentences."""
        return []

    def from_reply(self, value: JsonValue, item: StudyItem) -> JsonValue:
        """What a model said, in the form that `read` takes."""
        return value


def json_field(values: Sequence[str]) -> JsonValue:
    """What a field says that holds JSON; text that is none is itself."""
    text = values[-1].strip() if values else ""
    if not text or len(text) > 100_000:
        return None
    try:
        found: JsonValue = json_value(text)
    except (ValueError, RecursionError):
        return text
    return found
