"""What is looked for in chats: patterns over folded text and lists of words, which are data, and
what stands for what was found."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from deadpan.parsing.patterns import Patterns

Kind = Literal[
    "name", "handle", "phone", "email", "link", "time", "account", "number", "file",
    "address", "plate", "organisation",
]  # fmt: skip
Language = Literal["en", "zh"]


class Pattern(NamedTuple):
    """What is replaced (the group `it`, or the whole match) and as what."""

    kind: Kind
    expression: re.Pattern[str]


class Words(BaseModel):
    """Kinds in Chinese, roles that name nobody, words that are also names, and fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    chinese: dict[Kind, str]
    roles: frozenset[str]
    ordinary: frozenset[str]
    ordinary_han: frozenset[str]
    id_keys: frozenset[str]
    dropped_keys: frozenset[str]
    name_keys: frozenset[str]
    media_keys: frozenset[str]
    often_text_keys: frozenset[str]


def _data(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


@cache
def words() -> Words:
    """The lists of the package."""
    return Words.model_validate_json(_data("words.json"))


_UNNUMBERED = "|".join(f"{kind}|{word}" for kind, word in words().chinese.items() if kind != "name")
PLACEHOLDER = re.compile(rf"\[(?:(?:name |姓名)(?:[1-9]\d*|[A-Z])|{_UNNUMBERED})\]")


@cache
def patterns(*groups: str) -> tuple[Pattern, ...]:
    """The patterns of these groups, in order."""
    data = tomllib.loads(_data("patterns.toml"))
    fill = Patterns(data["parts"]).fill
    found = [pair for group in groups for pair in data["patterns"][group]]
    return tuple(Pattern(kind, re.compile(fill(text), re.IGNORECASE)) for kind, text in found)


def plain_key(key: str) -> str:
    """A field's name without case, blanks, underscores and hyphens."""
    return re.sub("[ _-]", "", key.casefold())


@lru_cache(maxsize=4096)
def fold_character(character: str) -> str:
    """A plain character for a full-width or styled one, a digit for any digit, '' for unseen."""
    if unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return ""
    value = unicodedata.decimal(character, None)
    if value is not None:
        return str(value)
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character


def fold(text: str) -> str:
    """The text folded character by character; unseen ones are gone."""
    return text if text.isascii() else "".join(map(fold_character, text))


def placeholder(kind: Kind, language: Language, number: int | str | None = None) -> str:
    """What stands for something of a kind, such as [link], [姓名2] or [name A]."""
    if language == "zh":
        return f"[{words().chinese[kind]}{number or ''}]"
    return f"[{kind} {number}]" if number else f"[{kind}]"
