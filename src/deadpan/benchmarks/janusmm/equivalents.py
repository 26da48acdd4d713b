"""Whether a text names self-deprecation or an equivalent. The words (equivalents.json) and the
patterns they stand in (naming.toml) are data; how they are read is the grammar's. An answer that
hedges ("perhaps self-mockery") or lists ("sarcasm or self-mockery") names it too."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from deadpan.base.files import read_text
from deadpan.metrics.folding import normalize_text
from deadpan.parsing.namings import Namings


class Equivalents(BaseModel, frozen=True, extra="forbid"):
    """The lexicon of both languages."""

    about: str
    en: Mapping[str, tuple[str, ...]]
    zh: Mapping[str, tuple[str, ...]]


@cache
def equivalents() -> Equivalents:
    """The lexicon that ships with the benchmark."""
    return Equivalents.model_validate_json(read_text(Path(__file__).with_name("equivalents.json")))


@cache
def _namings() -> Namings:
    given = tomllib.loads(read_text(Path(__file__).with_name("naming.toml")))
    return Namings({"en": equivalents().en, "zh": equivalents().zh}, given)


def naming(text: str) -> str | None:
    """The first words that name self-deprecation and are not taken back; None where there are none.
    Both languages are looked for whatever the question's was."""
    return _namings().first(normalize_text(text))
