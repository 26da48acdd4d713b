"""What both languages' lexicons are made with."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

Words = tuple[str, ...]


class Frozen(BaseModel):
    """A part of the lexicon; a field it does not know raises."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def either(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first; their spaces match any white space."""
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first) + ")"
