"""What rows of JanusMM's tasks hold in a results table."""

from __future__ import annotations

from pydantic import BaseModel

from deadpan.core.row_form import RowForm


class Gold(BaseModel):
    """What was shared, and what answers are compared with, where there is anything."""

    question: str
    answer: str | None = None
    reference: str | None = None
    reply: str | None = None


class Recognised(BaseModel):
    """An answer to `recognition`."""

    named: bool
    words: str | None = None


class Reasoned(BaseModel):
    """An answer in parts."""

    emotion: str | None
    reasoning: str
    reply: str | None = None


_ATTRIBUTES: dict[str, type[str] | type[bool]] = {"source": str, "self_deprecating": bool}
_REASONED = RowForm(Gold, Reasoned, _ATTRIBUTES)

ROW_FORMS = {
    "recognition": RowForm(Gold, Recognised, _ATTRIBUTES),
    "reasoning": _REASONED,
    "initiator": _REASONED,
    "responder": _REASONED,
}
