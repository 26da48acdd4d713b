"""What both languages' lexicons are made with."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

Words = tuple[str, ...]


class Frozen(BaseModel):
    """A part of the lexicon; a field it does not know raises."""

    model_config = ConfigDict(frozen=True, extra="forbid")
