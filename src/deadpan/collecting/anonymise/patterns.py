"""What is looked for in chats: patterns over folded text and lists of words, which are data, and
the forms in which texts use the names of a record's speakers."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from deadpan.parsing.patterns import Patterns

Kind = Literal["name", "handle", "phone", "email", "link", "time", "account", "number", "file"]
_HAN = r"\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af"
_SPACED = r"0-9A-Za-z\u00c0-\u024f\u0370-\u052f"  # letters of scripts with blanks between words
_LETTERS = re.compile(rf"[{_HAN}]+|[{_SPACED}]+")
_ALL_HAN = re.compile(rf"[{_HAN}]+")
_BETWEEN = r"[\s_·.\-]{0,3}"


class Pattern(NamedTuple):
    """What is replaced (the group `it`, or the whole match) and as what."""

    kind: Kind
    expression: re.Pattern[str]


class Words(BaseModel):
    """Kinds in Chinese, roles that name nobody, words that are also names, surnames, and fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    chinese: dict[Kind, str]
    roles: frozenset[str]
    ordinary: frozenset[str]
    ordinary_han: frozenset[str]
    surnames: str
    compound_surnames: tuple[str, ...]
    titles: tuple[str, ...]
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
PLACEHOLDER = re.compile(rf"\[(?:(?:name |姓名)[1-9]\d*|{_UNNUMBERED})\]")


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


def is_name(text: str) -> bool:
    """Whether a speaker's name points at a person: no role, single letter or placeholder."""
    plain = _key(text)
    if not plain or plain in words().roles or PLACEHOLDER.fullmatch(text.strip()):
        return False
    return not re.fullmatch(
        r"(?:speaker|user|person|用户|说话人|发言人)?[ _-]?(?:[a-z]|\d{1,2})", plain
    )


def header_names(text: str) -> list[str]:
    """Names that stand beside a time stamp at the head of a line, as exported chats have it."""
    plain = fold(text)
    found = [match["it"] for _, header in patterns("headers") for match in header.finditer(plain)]
    return [name.strip() for name in found if re.search(r"[^\W\d_]", name) and is_name(name)]


class Names:
    """The people of one record, numbered in order of appearance from `first` on."""

    def __init__(self, found: Iterable[str], first: int = 1) -> None:
        self._numbers: dict[str, int] = {}
        forms: dict[str, tuple[int, str]] = {}
        for name in found:
            key = _key(name)
            if not is_name(name) or key in self._numbers:
                continue
            number = self._numbers[key] = first + len(self._numbers)
            for form, expression in _forms(fold(name).strip()):
                forms.setdefault(form, (number, expression))
        ordered = sorted(forms.values(), key=lambda form: -len(form[1]))
        self._order = [number for number, _ in ordered]
        joined = "|".join(f"(?P<f{place}>{one})" for place, (_, one) in enumerate(ordered))
        self.pattern = re.compile(joined) if joined else None
        self.mention = re.compile(rf"@(?P<it>{joined})(?![{_SPACED}_])") if joined else None

    def number(self, speaker: str) -> int | None:
        """The number of a speaker; None for a role."""
        return self._numbers.get(_key(speaker))

    def number_of(self, found: re.Match[str]) -> int:
        """The number of the person whose name was found."""
        forms = found.groupdict()
        return next(number for place, number in enumerate(self._order) if forms[f"f{place}"])


def _key(name: str) -> str:
    return fold(name).strip().casefold()


def _forms(name: str) -> list[tuple[str, str]]:
    """A key and an expression for each form in which a text may use the name."""
    parts = _LETTERS.findall(name)
    if parts == [name]:
        whole = _han(name) if _ALL_HAN.fullmatch(name) else _word(name)
    else:
        # Several words, or letters with signs around them, are no ordinary word.
        whole = _with_bounds(r"\s+".join(map(re.escape, name.split())), name, ignore_case=True)
    found = [(name.casefold(), whole)] if parts else []
    if len(parts) > 1:
        form = "".join(parts)
        joined = _BETWEEN.join(map(re.escape, parts))
        found.append((form.casefold(), _with_bounds(joined, form, ignore_case=True)))
    for part in parts:
        bare = re.sub(r"^\d+|\d+$", "", part)
        if _ALL_HAN.fullmatch(bare):
            found += [(form, _han(form)) for form in _han_forms(bare)]
        elif len(bare) >= 3 or (len(bare) == 2 and bare.casefold() not in words().ordinary):
            found.append((bare.casefold(), _word(bare)))
    return found


def _word(word: str) -> str:
    """A word that is also an ordinary one, or very short, counts only as it is written."""
    ordinary = word.casefold() in words().ordinary or len(word) < 3
    if (word.isdigit() and len(word) < 5) or (ordinary and word.islower()):
        return _alone(word)
    return _with_bounds(re.escape(word), word, ignore_case=not ordinary)


def _han(form: str) -> str:
    return re.escape(form) if len(form) > 1 and form not in words().ordinary_han else _alone(form)


def _alone(word: str) -> str:
    """The word as the whole line, or called by at its start."""
    return rf"(?m:^){re.escape(word)}(?=\s*(?:[,，:：!！~]|$))"


def _with_bounds(expression: str, form: str, ignore_case: bool) -> str:
    before = rf"(?<![{_SPACED}])" if re.match(rf"[{_SPACED}]", form) else ""
    after = rf"(?![{_SPACED}])" if re.search(rf"[{_SPACED}]$", form) else ""
    inner = f"(?i:{expression})" if ignore_case else f"(?:{expression})"
    return before + inner + after


def _han_forms(name: str) -> list[str]:
    """The name, its given name, and how one calls somebody by the surname."""
    lists = words()
    forms = [name]
    compound = next((one for one in lists.compound_surnames if name.startswith(one)), None)
    surname = compound or (name[0] if name[0] in lists.surnames else None)
    if surname and 2 <= len(name) <= len(surname) + 2:
        given = name[len(surname) :]
        forms += [given] if len(given) == 2 else []
        forms += [f"{first}{surname}" for first in "老小阿"]
        forms += [surname + title for title in lists.titles]
    elif name[0] in "小老阿" and len(name) == 2:
        forms += [name[1] + title for title in lists.titles]
    return forms
