"""What rows of CFMS's tasks hold in a results table."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, model_validator

from deadpan.core.row_form import RowForm


class Sarcasm(BaseModel):
    """The gold of every task but `metaphor`."""

    question: str
    sarcastic: bool


class Joint(Sarcasm):
    """The gold of `joint`: a sarcastic pair has a target and an explanation."""

    target: str | None = None
    explanation: str | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.sarcastic and (self.target is None or self.explanation is None):
            raise ValueError("a sarcastic pair needs target and explanation")
        return self


class Target(Sarcasm):
    """The gold of `target`."""

    target: str


class Explanation(Sarcasm):
    """The gold of `explanation`."""

    explanation: str


class Metaphor(BaseModel):
    """The gold of `metaphor`."""

    question: str
    metaphor: bool


class Answer(BaseModel):
    """What answers say; None for a part of a joint answer that is not there."""

    sarcastic: bool | None = None
    metaphor: bool | None = None
    target: str | None = None
    explanation: str | None = None


_ATTRIBUTES = {"target_type": str}

ROW_FORMS = {
    "joint": RowForm(Joint, Answer, _ATTRIBUTES),
    "identification": RowForm(Sarcasm, Answer, _ATTRIBUTES),
    "target": RowForm(Target, Answer, _ATTRIBUTES),
    "explanation": RowForm(Explanation, Answer, _ATTRIBUTES),
    "metaphor": RowForm(Metaphor, Answer, _ATTRIBUTES),
    "metaphor_sarcasm": RowForm(Sarcasm, Answer, _ATTRIBUTES),
}
