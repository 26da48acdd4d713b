"""The word lists that names and fields are told by, kept as data in both languages."""

from __future__ import annotations

from functools import cache
from importlib import resources

from pydantic import BaseModel, ConfigDict


class Words(BaseModel):
    """Roles that name nobody, words that are also names, surnames, and fields by meaning."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    roles: frozenset[str]
    ordinary: frozenset[str]
    ordinary_han: frozenset[str]
    surnames: str
    compound_surnames: tuple[str, ...]
    id_keys: frozenset[str]
    dropped_keys: frozenset[str]
    name_keys: frozenset[str]
    media_keys: frozenset[str]


@cache
def words() -> Words:
    """The lists of the package."""
    source = resources.files("deadpan.collecting.anonymise") / "words.json"
    return Words.model_validate_json(source.read_text(encoding="utf-8"))


def plain_key(key: str) -> str:
    """A field's name without case, blanks, underscores and hyphens."""
    return key.casefold().replace("_", "").replace("-", "").replace(" ", "")
