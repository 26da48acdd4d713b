"""A text with neutral placeholders where it named a person, a way to reach one, or a time."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Literal

from deadpan.collecting.anonymise.addresses import BASE64, HANDLES
from deadpan.collecting.anonymise.folding import PLACEHOLDER, FoldedText
from deadpan.collecting.anonymise.kinds import Kind
from deadpan.collecting.anonymise.names import Names
from deadpan.collecting.anonymise.patterns import PATTERNS, patterns_for
from deadpan.collecting.anonymise.words import words

Language = Literal["en", "zh"]
_CHINESE: dict[Kind, str] = {
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
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z]+")
_ADDRESSES = frozenset({"link", "email", "file"})
_FEW_WORDS = 3


@dataclass(frozen=True)
class Scrubbed:
    """A text after replacement, and how often each kind was replaced in it."""

    text: str
    replaced: Counter[Kind]


def language_of(text: str, otherwise: Language = "en") -> Language:
    """Chinese where it has as many Chinese words as English; `otherwise` with few."""
    seen = PLACEHOLDER.sub("", text)
    for pattern in PATTERNS:
        if pattern.kind in _ADDRESSES:
            seen = pattern.expression.sub("", seen)
    han, latin = len(_HAN.findall(seen)), len(_WORD.findall(seen))
    if not han and latin < _FEW_WORDS:
        return otherwise
    # A Chinese word is about one and a half characters long, and Chinese chats borrow
    # English words more often than the other way round.
    return "zh" if (3 * han >= latin if otherwise == "zh" else 2 * han >= 3 * latin) else "en"


def placeholder(kind: Kind, language: Language, number: int | None = None) -> str:
    """What stands for something of a kind, such as [link] or [姓名2]."""
    if language == "zh":
        return f"[{_CHINESE[kind]}{number or ''}]"
    return f"[{kind} {number}]" if number else f"[{kind}]"


def scrubbed(text: str, names: Names | None = None, otherwise: Language = "en") -> Scrubbed:
    """The text with every match of a pattern and every speaker's name replaced, to the last.

    Replaced again and again until nothing is found, so that no match appears only because
    its neighbour went; placeholders are never read, so a second run changes nothing.
    """
    people = names or Names(())
    language = language_of(text, otherwise)
    counts: Counter[Kind] = Counter()
    while True:
        folded = FoldedText(text)
        before = counts.total()
        for pattern in patterns_for(folded.seen):
            new = partial(_always, placeholder(pattern.kind, language))
            counts[pattern.kind] += folded.replace(pattern.expression, new)
        counts["file"] += folded.replace(BASE64.expression, lambda found: _packed(found, language))
        counts["name"] += _replace_names(folded, people.mention, people, language)
        counts["handle"] += folded.replace(
            HANDLES.expression, lambda found: _mention(found, language)
        )
        counts["name"] += _replace_names(folded, people.pattern, people, language)
        if counts.total() == before:
            return Scrubbed(text, +counts)
        text = str(folded)


def _replace_names(
    folded: FoldedText, pattern: re.Pattern[str] | None, people: Names, language: Language
) -> int:
    if pattern is None:
        return 0
    return folded.replace(
        pattern, lambda found: placeholder("name", language, people.matched(found))
    )


def _mention(found: re.Match[str], language: Language) -> str | None:
    everybody = (found.group("body") or "").casefold() in words().roles
    return None if everybody else placeholder("handle", language)


def _always(new: str, found: re.Match[str]) -> str:
    return new


def _packed(found: re.Match[str], language: Language) -> str | None:
    """A file packed as text mixes cases and digits; long laughter does not."""
    text = found.group()
    mixed = any(map(str.isupper, text)) and any(map(str.islower, text))
    return placeholder("file", language) if mixed and any(map(str.isdigit, text)) else None
