"""A study as it is written down, whole but for its items and people."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from deadpan.base.errors import meant
from deadpan.core.questions import Language
from deadpan.core.study.recruiting import Recruiting
from deadpan.core.study.stages import Stage
from deadpan.core.study.words import STUDY_NAME, Frozen, Name, Words


class Practice(Frozen):
    """What has to be passed before the study begins. Feedback comes after each item; a session is
    passed with `pass_mark` of its answers right, or by an adjudicator where `by_person`."""

    pass_mark: Annotated[float, Field(ge=0, le=1)] = 0.8
    """The share of answers with gold that have to be right in a session."""
    sessions: Annotated[int, Field(ge=1, le=100)] = 1
    """Into how many the practice items are divided; each has to be passed."""
    rounds: Annotated[int, Field(ge=1, le=100)] = 3
    """How often a session may be tried."""
    by_person: bool = False
    """Whether an adjudicator accepts each item instead; gold is not needed then."""
    stages: tuple[Name, ...] = ()
    """Which stages are practised, each passed before the next; the first where none is named."""


class Batches(Frozen):
    """Items released one batch after another. A lead looks at `checked` random ones of each, and
    accepts the batch or returns it."""

    size: Annotated[int, Field(ge=1, le=1_000_000)] = 100
    """Items of a batch."""
    checked: Annotated[int, Field(ge=0, le=1_000_000)] = 10
    """How many of them the lead looks at."""
    questions: tuple[Name, ...] = ()
    """What the lead looks at; everything where none is named."""


class Consent(Frozen):
    """What people agree to before they begin, and are warned of."""

    text: Words
    """What people agree to."""
    warning: Words = Field(default_factory=dict)
    """What they are warned of."""


class Study(Frozen):
    """A study, whole but for its items and people."""

    name: Annotated[str, Field(pattern=STUDY_NAME)]
    """Its folder, and its schema in PostgreSQL."""
    title: Words
    """What it is called on pages."""
    benchmark: str = ""
    """Whose scales and vocabulary fit; empty for none."""
    template: str = ""
    """The template that it was made by; empty for a study of one's own."""
    languages: Annotated[tuple[Language, ...], Field(min_length=1)] = ("en", "zh")
    """In which its pages can be read."""
    produces: Literal["annotations", "ratings", "choices", "answers"] = "annotations"
    """Which file it gives: labels by annotators, ratings or choices of outputs, or answers to the
    benchmark's own questions."""
    about: Words = Field(default_factory=dict)
    """What it is about, on the first pages."""
    guidelines: Words = Field(default_factory=dict)
    """The codebook; every change makes a new version. Of Markdown it takes headings (# to ####),
    lists of one level, **bold**, *italic* and `code`; all else, such as links, tables and HTML,
    stands on pages as it is written. So do help, about, feedback and consent."""
    consent: Consent | None = None
    """What people agree to before they begin; nothing where it is left out."""
    stages: Annotated[tuple[Stage, ...], Field(min_length=1)]
    """The rounds of questions that items go through, one after the other."""
    practice: Practice | None = None
    """What has to be passed before; its items are those of kind practice."""
    checks_every: Annotated[int, Field(ge=2, le=1_000_000)] | None = None
    """After how many items a hidden check comes, where there are any."""
    teams: Annotated[int, Field(ge=1, le=1_000)] = 1
    """Fixed groups of people, among which the items are dealt."""
    batches: Batches | None = None
    """Whether items come in batches that a lead accepts."""
    by_language: bool = True
    """Whether people get only items in languages that they read."""
    claim_hours: Annotated[float, Field(gt=0, le=24 * 365)] = 24
    """After which an item that somebody began goes to somebody else."""
    skipping: bool = True
    """Whether people may skip items."""
    recruiting: Recruiting | None = None
    """How people come from a recruiting platform."""
    pay: Words = Field(default_factory=dict)
    """What people are told of their pay."""
    minutes: Annotated[float, Field(gt=0, le=24 * 60)] | None = None
    """How many minutes one item is thought to take."""
    silent: tuple[str, ...] = ()
    """What a paper does not say, and its template therefore decides; `create` prints it."""

    @model_validator(mode="after")
    def _has_a_name_of_its_own(self) -> Self:
        if self.name == "public":
            raise ValueError("name: public is what PostgreSQL calls what all share; take another")
        return self

    @model_validator(mode="after")
    def _stages_fit(self) -> Self:
        names = [stage.name for stage in self.stages]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"two stages are called {twice[0]}")
        for at, stage in enumerate(self.stages):
            if unknown := [name for name in stage.builds_on if name not in names[:at]]:
                raise ValueError(f"stage {stage.name} builds on {unknown[0]}, which is not before")
            for label, name in stage.settling.returned_to.items():
                if name not in names[:at]:
                    what = f"stage {stage.name}: settling returns {label} to {name}"
                    raise ValueError(f"{what}, which is not before it{meant(name, names[:at])}")
        raters = [stage.name for stage in self.stages if stage.role == "rater"]
        for name in self.practice.stages if self.practice else ():
            if name not in raters:
                expected = f"expected one of {', '.join(raters)}{meant(name, raters)}"
                raise ValueError(f"practice: raters answer no stage {name}; {expected}")
        return self

    @property
    def has_guidelines(self) -> bool:
        """Whether there are any, of the study or of a stage."""
        return bool(self.guidelines) or any(stage.guidelines for stage in self.stages)

    @property
    def practised(self) -> tuple[Stage, ...]:
        """The stages that are practised before the study begins, in its order."""
        if self.practice is None:
            return ()
        named = self.practice.stages or (self.stages[0].name,)
        return tuple(stage for stage in self.stages if stage.name in named)

    def stage(self, name: str) -> Stage | None:
        """The stage of that name; None where there is none."""
        return next((stage for stage in self.stages if stage.name == name), None)
