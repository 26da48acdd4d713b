"""A study as it is written down: its stages, who answers, and what becomes of their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, model_validator

from deadpan.base.errors import meant
from deadpan.core.questions import Language
from deadpan.core.study.arranging import Best, Boxes, Order, Upload
from deadpan.core.study.choices import Likert, Multiple, Number, Single
from deadpan.core.study.recruiting import Recruiting
from deadpan.core.study.words import STUDY_NAME, Frozen, Label, Name, Words
from deadpan.core.study.writing import Span, Text, Transcription

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
Role = Literal["rater", "adjudicator", "lead"]
ROLES: tuple[Role, ...] = ("rater", "adjudicator", "lead")
Remedy = Literal["discuss", "third", "discard"]
"""What comes of disagreement: those who disagree talk it over; an adjudicator answers too; the item
is discarded."""


class Settling(Frozen):
    """How the answers of several people about an item become one.

    `independent`: not at all, as with ratings. `equal`: where all compared questions have one
    answer; else the remedies, one after the other. `votes`: the same, and after a third person a
    label wins that at least two gave. `objection`: one `discards` is enough. `majority`: of the
    answers to the question `verdict`.
    """

    rule: Literal["independent", "equal", "votes", "objection", "majority"] = "equal"
    otherwise: tuple[Remedy, ...] = ()
    verdict: Name | None = None
    """The question whose answer decides, for `objection` and `majority`, or for one person."""
    discards: tuple[Label, ...] = ()
    """Answers to it that discard the item."""
    returns: tuple[Label, ...] = ()
    """Answers to it that send the item back to where it was made, with what was said."""
    third_sees: bool = False
    """Whether the third person sees what the others answered."""
    third_chooses_among_theirs: bool = False
    """Whether the third person chooses only among what the others chose."""


class Review(Frozen):
    """Words that count only once a reviewer has ticked enough points; else they go back."""

    question: Name
    points: Annotated[tuple[Words, ...], Field(min_length=1)]
    needed: Annotated[int, Field(ge=1)]

    @model_validator(mode="after")
    def _can_be_met(self) -> Self:
        if self.needed > len(self.points):
            raise ValueError(f"needed: expected at most {len(self.points)}")
        return self


class Stage(Frozen):
    """One round of questions about every item that came so far. `people` answer each item by
    themselves; None for everybody of the role."""

    name: Name
    title: Words
    questions: Annotated[tuple[Question, ...], Field(min_length=1)]
    people: Annotated[int, Field(ge=1)] | None = 2
    role: Role = "rater"
    about: Words = Field(default_factory=dict)
    """What to do, in a few sentences above the questions."""
    shows: tuple[Name, ...] = ()
    """The parts of items that are shown; all where none is named."""
    builds_on: tuple[Name, ...] = ()
    """Earlier stages whose settled answers are shown."""
    drafted: bool = False
    """Whether items bring answers to begin with, to accept or correct."""
    opinions: bool = False
    """Whether a model may be asked for a second opinion; each asking is kept."""
    settling: Settling = Settling()
    review: Review | None = None
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


class Practice(Frozen):
    """What has to be passed before the study begins. Feedback comes after each item; a session is
    passed with `pass_mark` of its answers right, or by an adjudicator where `by_person`."""

    pass_mark: Annotated[float, Field(ge=0, le=1)] = 0.8
    sessions: Annotated[int, Field(ge=1, le=100)] = 1
    """Into how many the practice items are divided; each has to be passed."""
    rounds: Annotated[int, Field(ge=1)] = 3
    """How often a session may be tried."""
    by_person: bool = False


class Batches(Frozen):
    """Items released one batch after another. A lead looks at `checked` random ones of each, and
    accepts the batch or returns it."""

    size: Annotated[int, Field(ge=1)] = 100
    checked: Annotated[int, Field(ge=0)] = 10
    questions: tuple[Name, ...] = ()
    """What the lead looks at; everything where none is named."""


class Consent(Frozen):
    """What people agree to before they begin, and are warned of."""

    text: Words
    warning: Words = Field(default_factory=dict)


class Study(Frozen):
    """A study, whole but for its items and people."""

    name: Annotated[str, Field(pattern=STUDY_NAME)]
    title: Words
    benchmark: str = ""
    template: str = ""
    languages: Annotated[tuple[Language, ...], Field(min_length=1)] = ("en", "zh")
    """In which its pages can be read."""
    produces: Literal["annotations", "ratings", "choices", "answers"] = "annotations"
    """Which file it gives: labels by annotators, ratings or choices of outputs, or answers to the
    benchmark's own questions."""
    about: Words = Field(default_factory=dict)
    guidelines: Words = Field(default_factory=dict)
    """The codebook, in Markdown; every change makes a new version."""
    consent: Consent | None = None
    stages: Annotated[tuple[Stage, ...], Field(min_length=1)]
    practice: Practice | None = None
    checks_every: Annotated[int, Field(ge=2)] | None = None
    """After how many items a hidden check comes, where there are any."""
    teams: Annotated[int, Field(ge=1, le=1_000)] = 1
    """Fixed groups of people, among which the items are dealt."""
    batches: Batches | None = None
    by_language: bool = True
    """Whether people get only items in languages that they read."""
    claim_hours: Annotated[float, Field(gt=0)] = 24
    """After which an item that somebody began goes to somebody else."""
    skipping: bool = True
    recruiting: Recruiting | None = None
    pay: Words = Field(default_factory=dict)
    minutes: Annotated[float, Field(gt=0)] | None = None
    """How long an item is thought to take."""
    silent: tuple[str, ...] = ()
    """What the paper does not say, and this template therefore decides."""

    @model_validator(mode="after")
    def _stages_fit(self) -> Self:
        names = [stage.name for stage in self.stages]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"two stages are called {twice[0]}")
        for at, stage in enumerate(self.stages):
            if unknown := [name for name in stage.builds_on if name not in names[:at]]:
                raise ValueError(f"stage {stage.name} builds on {unknown[0]}, which is not before")
        return self

    def stage(self, name: str) -> Stage | None:
        """The stage of that name; None where there is none."""
        return next((stage for stage in self.stages if stage.name == name), None)
