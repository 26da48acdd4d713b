"""What models reply when a ViMU item is drafted, each reply a form."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
    field_validator,
)

from deadpan.benchmarks.vimu.taxonomy import EVIDENCE, RHETORIC, SOCIAL, Taxonomy
from deadpan.core.drafting import Form

Verdict = Literal["pass", "minor", "major", "reject"]
Difficulty = Literal["easy", "medium", "hard"]
Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=4000)]
Written = Annotated[Words, StringConstraints(min_length=1)]
SOURCES = tuple(member.name for one in EVIDENCE for member in one.members)
"""What the data calls the five sources of evidence."""
LITERAL, NO_SIGNAL = "literal_only", "none"
"""The labels that stand alone: there is no device, or no signal."""


def labels_of(taxonomy: Taxonomy) -> tuple[str, ...]:
    """The fine labels of a taxonomy."""
    return tuple(member.name for one in taxonomy for member in one.members)


def _known(taxonomy: Taxonomy) -> tuple[AfterValidator, WithJsonSchema]:
    """What makes a text a fine label of the taxonomy; another is refused with those there are."""
    names = labels_of(taxonomy)

    def known(label: str) -> str:
        if label not in names:
            raise ValueError(f"unknown label {label[:40]!r}; expected one of {', '.join(names)}")
        return label

    return AfterValidator(known), WithJsonSchema({"type": "string", "enum": list(names)})


_OF_RHETORIC, _RHETORIC_SCHEMA = _known(RHETORIC)
_OF_SOCIAL, _SOCIAL_SCHEMA = _known(SOCIAL)


class Evidence(Form):
    """What each source shows of the reading; empty where it shows nothing."""

    frames: Words = ""
    text: Words = ""
    editing: Words = ""
    transcript: Words = ""
    audio_tone: Words = ""

    @property
    def told(self) -> dict[str, str]:
        """The sources that show something, and what."""
        every = {name: str(getattr(self, name)) for name in SOURCES}
        return {name: words for name, words in every.items() if words}


class Annotation(Form):
    """What a video shows and what it means by it."""

    literal_summary: Written
    intended_meaning: Written
    rhetoric_mechanisms: list[Annotated[str, _OF_RHETORIC, _RHETORIC_SCHEMA]] = Field(min_length=1)
    social_value_signals: list[Annotated[str, _OF_SOCIAL, _SOCIAL_SCHEMA]] = Field(min_length=1)
    target_subjects: list[Written] = Field(max_length=20)
    evidence: Evidence
    self_contained: bool
    """Whether the reading can be had from the video alone."""

    @field_validator("rhetoric_mechanisms", "social_value_signals")
    @classmethod
    def _stands_alone(cls, labels: list[str]) -> list[str]:
        for alone in (LITERAL, NO_SIGNAL):
            if alone in labels and len(labels) > 1:
                raise ValueError(f"{alone} stands alone: it says that there is none")
        if len(set(labels)) < len(labels):
            raise ValueError("a label is there twice")
        return labels


class OpenQuestion(Form):
    """A question that tells nothing of what it is after, with what is right and how to grade it."""

    question: Annotated[Written, StringConstraints(max_length=300)]
    answer: Written
    difficulty: Difficulty
    rubric: list[Written] = Field(min_length=2, max_length=8)


class Finding(Form):
    """What a validator says of one point."""

    good: bool
    note: Words = ""


class Review(Form):
    """A validator's feedback on a question and its answer."""

    implicitness: Finding
    difficulty: Finding
    alignment: Finding
    verdict: Verdict
    feedback: Words = ""


class BlindAnswer(Form):
    """What somebody answers who was shown nothing; nothing where they cannot."""

    answer: str


class Comparison(Form):
    """Whether two answers say the same."""

    same: bool
    note: Words = ""
