"""Letters of options in replies: lists, entries with their labels, verdicts per letter, prose."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from deadpan.base.files import read_text
from deadpan.parsing.declared import Asked
from deadpan.parsing.mentions import Mention
from deadpan.parsing.options import Vocabulary
from deadpan.parsing.patterns import Patterns

_DATA = tomllib.loads(read_text(Path(__file__).with_name("letters.toml")))
_PATTERNS = Patterns(_DATA["patterns"])
_WORDS = frozenset(_DATA["words"])
_CONTEXT = 24


def letters(plain: str) -> list[Mention]:
    """The letters A to E of a text, also several in a row; small ones where it has nothing else."""
    if len(plain) <= 200 and _PATTERNS["only_small"].fullmatch(plain):
        found = [*_PATTERNS["small"].finditer(plain), *_PATTERNS["letter"].finditer(plain)]
    else:
        found = list(_PATTERNS["letter"].finditer(plain))
    mentions: list[Mention] = []
    for one in sorted(found, key=lambda match: match.start()):
        row = one["letters"].upper()
        if len(set(row)) < len(row) or row in _WORDS:
            continue
        marked = len(row) > 1 or _is_marked(plain, one)
        mentions += [Mention(letter, one.start(), one.end(), marked) for letter in row]
    return mentions


def _is_marked(plain: str, one: re.Match[str]) -> bool:
    """Whether a letter is no word: all but A are none, and A where signs or words set it off."""
    if one["letters"] not in ("A", "a"):
        return True
    before = plain[max(0, one.start() - _CONTEXT) : one.start()]
    behind = plain[one.end() : one.end() + _CONTEXT]
    return bool(
        _PATTERNS["marked_behind"].match(behind)
        or (before.strip() and _PATTERNS["marked_before"].search(before))
    )


LETTERS = Vocabulary(
    find=letters,
    filler=_PATTERNS["filler"],
    decides=(_PATTERNS["decides"],),
    none=_PATTERNS["none"],
    between=_PATTERNS["next_entry"],
    spoils=_PATTERNS["spoils"],
    size=5,
    every=tuple("ABCDE"),
    asked=Asked(tuple(_DATA["asked"])),
)
"""Reads the letters that a reply chooses; an empty list where it says that none is right."""
