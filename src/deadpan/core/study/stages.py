"""A stage of a study as it is written down: its questions, who answers, and what becomes of their
answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, JsonValue, model_validator

from deadpan.base.errors import meant
from deadpan.core.study.choice_questions import Multiple, Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.picture_questions import Boxes, Upload
from deadpan.core.study.question_base import QuestionBase
from deadpan.core.study.ranking_questions import Best, Order
from deadpan.core.study.scale_questions import Likert, Number
from deadpan.core.study.text_questions import Span, Text, Transcription
from deadpan.core.study.words import Frozen, Label, Name, Words

Question = Annotated[
    Single
    | Multiple
    | Likert
    | Number
    | Text
    | Span
    | Transcription
    | Best
    | Boxes
    | Order
    | Upload,
    Field(discriminator="kind"),
]
KINDS: Mapping[str, type[QuestionBase]] = {
    kind: form
    for form in get_args(get_args(Question)[0])
    for kind in get_args(form.model_fields["kind"].annotation)
}
"""Every kind of question, and the class that says all there is to know of it."""
Role = Literal["rater", "adjudicator", "lead"]
ROLES: tuple[Role, ...] = ("rater", "adjudicator", "lead")
Remedy = Literal["discuss", "third", "discard"]
"""What comes of disagreement: those who disagree talk it over; an adjudicator answers too; the item
is discarded."""


class Settling(Frozen):
    """How the answers of several people about an item become one.

    `independent`: not at all, as with ratings. `equal`: where all compared questions have one
    answer; else the remedies, one after the other. `votes`: the same, and after a third person a
    label wins that at least two gave. `objection`: one `discards` or `returns` is enough.
    `majority`: of the answers to the question `verdict`. Whoever decides, their verdict counts.
    """

    rule: Literal["independent", "equal", "votes", "objection", "majority"] = "equal"
    """When an item is settled."""
    otherwise: tuple[Remedy, ...] = ()
    """What comes of disagreement, one after the other."""
    verdict: Name | None = None
    """The question whose answer decides, for `objection` and `majority`, or for one person."""
    discards: tuple[Label, ...] = ()
    """Answers to it that discard the item."""
    returns: tuple[Label, ...] | Mapping[Label, Name] = ()
    """Answers to it that send the item back to the stage before, with what was said; or each with
    the earlier stage that it sends the item back to."""
    third_sees: bool = False
    """Whether the third person sees what the others answered."""
    third_chooses_among_theirs: bool = False
    """Whether the third person chooses only among what the others chose."""

    @property
    def returned_to(self) -> Mapping[str, str]:
        """By answer the stage that an item goes back to, where one is named."""
        return self.returns if isinstance(self.returns, Mapping) else {}


class Review(Frozen):
    """Words that count only once a reviewer has ticked enough points; else they go back."""

    question: Name
    """Whose words are reviewed."""
    points: Annotated[tuple[Words, ...], Field(min_length=1)]
    """What the words have to do."""
    needed: Annotated[int, Field(ge=1)]
    """How many points have to be ticked."""

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        if self.needed > len(self.points):
            raise ValueError(f"needed: expected at most {len(self.points)}")
        return self


class Stage(Frozen):
    """One round of questions about every item that came so far. `people` answer each item by
    themselves; None for everybody of the role."""

    name: Name
    """By which other stages, items and files know it."""
    title: Words
    """What it is called on pages."""
    questions: Annotated[tuple[Question, ...], Field(min_length=1)]
    """What is asked about an item, in this order."""
    people: Annotated[int, Field(ge=1, le=1_000)] | None = 2
    """How many answer each item; everybody of the role where it is null."""
    role: Role = "rater"
    """Who answers."""
    about: Words = Field(default_factory=dict)
    """What to do, in a few sentences above the questions."""
    guidelines: Words = Field(default_factory=dict)
    """The codebook of this stage, beside that of the study."""
    shows: tuple[Name, ...] = ()
    """The parts of items that are shown, by their names, and with a part of theirs the outputs; all
    where none is named. Outputs that a question chooses among are always shown."""
    builds_on: tuple[Name, ...] = ()
    """Earlier stages whose settled answers are shown."""
    drafted: bool = False
    """Whether items bring answers to begin with, to accept or correct."""
    drafting: Words = Field(default_factory=dict)
    """What a model that drafts these is told, in place of `about`, which speaks to people."""
    opinions: bool | Literal["third"] = False
    """Whether a model may be asked for a second opinion, or only by the third person, who
    decides where others differ; each asking is kept."""
    settling: Settling = Settling()
    """How the answers of several people become one."""
    review: Review | None = None
    """Which words a reviewer looks at before they count."""
    others: bool = False
    """Whether only people answer about an item who did not in an earlier stage, of any team."""
    joined: Mapping[Name, Annotated[tuple[Name, ...], Field(min_length=2)]] = Field(
        default_factory=dict
    )
    """Questions whose words are one label together, by its name: agreement is measured on it."""

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        names = [question.name for question in self.questions]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"stage {self.name}: two questions are called {twice[0]}")
        for at, question in enumerate(self.questions):
            if question.when and question.when.question not in names[:at]:
                what = f"{question.name} depends on {question.when.question}"
                raise ValueError(f"stage {self.name}: {what}, which is not asked before it")
        needed = [self.settling.verdict, self.review.question if self.review else None]
        needed += [name for parts in self.joined.values() for name in parts]
        if unknown := [name for name in needed if name and name not in names]:
            raise ValueError(f"stage {self.name}: asks no question {unknown[0]}")
        if self.settling.rule in ("objection", "majority") and not self.settling.verdict:
            raise ValueError(f"stage {self.name}: settling names no verdict")
        return self

    @model_validator(mode="after")
    def _values_fit(self) -> Self:
        """Raises where something depends on an answer that its question cannot have."""
        for asked in self.questions:
            if asked.when:
                place = f"{asked.name} depends on {asked.when.question}"
                self._require_labels(asked.when.question, asked.when.values, place)
        if verdict := self.settling.verdict:
            said = (*self.settling.discards, *self.settling.returns)
            self._require_labels(verdict, said, f"settling depends on {verdict}")
        return self

    def _require_labels(self, name: str, values: tuple[str, ...], place: str) -> None:
        question = self.question(name)
        known = question.labels_known if question else None
        if question is None or known is None:
            return
        # What a question is otherwise where it is not asked can be depended on too.
        other = question.otherwise
        known += list(map(str, other)) if isinstance(other, list) else [str(other)]
        for value in values:
            if value not in known:
                expected = f"expected one of {', '.join(known[:-1])}{meant(value, known)}"
                raise ValueError(f"stage {self.name}: {place}={value}; {expected}")

    def question(self, name: str) -> Question | None:
        """The question of that name; None where there is none."""
        return next((one for one in self.questions if one.name == name), None)

    @property
    def chooses(self) -> bool:
        """Whether a question chooses among the outputs of an item."""
        return any(question.chooses for question in self.questions)

    def shows_outputs(self, item: StudyItem) -> bool:
        """Whether the outputs of an item stand on its page."""
        names = {part.name for output in item.outputs for part in output.parts}
        return not self.shows or self.chooses or not names.isdisjoint(self.shows)

    def has_opinions(self, kind: str) -> bool:
        """Whether a model may be asked in tasks of a kind."""
        return self.opinions is True or self.opinions == kind

    def asked(self, answers: Mapping[str, JsonValue]) -> list[Question]:
        """The questions that are asked, given what was answered."""
        return [question for question in self.questions if question.is_asked(answers)]

    def completed(self, answers: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The answers that count: those that were asked for, and what the others are otherwise."""
        found: dict[str, JsonValue] = {}
        for question in self.questions:
            asked = question.is_asked(answers)
            value = answers.get(question.name) if asked else question.otherwise
            if value is not None:
                found[question.name] = value
        return found

    def missing(self, answers: Mapping[str, JsonValue]) -> list[str]:
        """The questions that still have to be answered."""
        return [
            one.name
            for one in self.asked(answers)
            if one.required and answers.get(one.name) is None
        ]
