"""What rows of CFMS's tasks hold in a results table."""

from __future__ import annotations

from pydantic import BaseModel

from deadpan.row_form import RowForm


class Sarcasm(BaseModel):
    """The gold of all tasks but `metaphor`; target and explanation only where they are asked for
    and the pair is sarcastic."""

    question: str
    sarcastic: bool
    target: str | None = None
    explanation: str | None = None


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


_SARCASM = RowForm(Sarcasm, Answer, {"target_type": str})

ROW_FORMS = {
    "joint": _SARCASM,
    "identification": _SARCASM,
    "target": _SARCASM,
    "explanation": _SARCASM,
    "metaphor": RowForm(Metaphor, Answer, {"target_type": str}),
    "metaphor_sarcasm": _SARCASM,
}
