"""What is looked for in chats, kept as data: patterns over folded text, and lists of words."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

Kind = Literal["name", "handle", "phone", "email", "link", "time", "account", "number", "file"]
CHINESE: dict[Kind, str] = {
    "name": "姓名",
    "handle": "昵称",
    "phone": "电话",
    "email": "邮箱",
    "link": "链接",
    "time": "时间",
    "account": "账号",
    "number": "号码",
    "file": "文件",
}
_UNNUMBERED = "|".join(f"{kind}|{word}" for kind, word in CHINESE.items() if kind != "name")
PLACEHOLDER = re.compile(rf"\[(?:(?:name |姓名)[1-9]\d*|{_UNNUMBERED})\]")


class Pattern(NamedTuple):
    """What is replaced (the group `it`, or the whole match) and as what."""

    kind: Kind
    expression: re.Pattern[str]


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
    return Words.model_validate_json(_data("words.json"))


@cache
def patterns(*groups: str) -> tuple[Pattern, ...]:
    """The patterns of these groups, in order."""
    data = tomllib.loads(_data("patterns.toml"))
    parts: dict[str, str] = {}

    def filled(text: str) -> str:
        return re.sub("«(.*?)»", lambda found: parts[found[1]], text)

    for name, text in data["parts"].items():
        parts[name] = filled(text)
    found = [pair for group in groups for pair in data["patterns"][group]]
    return tuple(Pattern(kind, re.compile(filled(text), re.IGNORECASE)) for kind, text in found)


def _data(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


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
