"""A part of a folded text that may lead to a person, and the word lists that tell."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


class Span(NamedTuple):
    """Where something stands; `sure` where no person needs to look at it, and not `likely` where it
    stays as long as nobody has looked."""

    start: int
    end: int
    sure: bool
    likely: bool = True


@cache
def people_lists(language: str) -> dict[str, Any]:
    """The lists of a language from people.toml."""
    text = Path(__file__).with_name("people.toml").read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text)[language]
    return found
