"""How usual characters are in Chinese given names, counted on the names in jieba's dictionary."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from typing import NamedTuple

from deadpan.collecting.anonymise.chinese_words import OFTEN, tagger
from deadpan.collecting.anonymise.spans import people_lists

_TWICE = 2  # names that share two characters: chance does not do that
_LIKELY = 2.5  # summed log odds from which two characters look like a given name
_LEAST = 0.4  # of each of them


class _Counts(NamedTuple):
    pairs: Counter[str]
    odds: dict[str, float]


def given_strength(pair: str) -> int:
    """2 for two characters that are a given name (振华) or look like one (若曦), 1 for a word that is
    a given name too (建国), 0 else."""
    if len(pair) != 2 or _is_title(pair):
        return 0
    odds = given_odds(pair[0]), given_odds(pair[1])
    used = _counts().pairs[pair]
    looks = sum(odds) >= _LIKELY and min(odds) >= _LEAST
    is_name = tagger()[1].get(pair, "nr")[:2] in ("nr", "nz")
    if is_name or tagger()[2].get(pair, 0) < OFTEN:
        return 2 if looks or used >= _TWICE else 0
    return 1 if looks or used >= _TWICE else 0


def given_odds(character: str) -> float:
    """The log of how much more frequent a character is in given names than in words."""
    return _counts().odds.get(character, 0.0)


def _is_title(pair: str) -> bool:
    return pair in people_lists("chinese")["not_given"] or any(
        pair.endswith(title) for title in people_lists("chinese")["titles"] if len(title) > 1
    )


@cache
def _counts() -> _Counts:
    _, flags, frequencies = tagger()
    surnames = set(people_lists("chinese")["surnames"])
    names = [
        word
        for word, flag in flags.items()
        if flag.startswith("nr") and len(word) == 3 and word[0] in surnames
    ]
    given = Counter(character for name in names for character in name[1:])
    everywhere: Counter[str] = Counter()
    for word, count in frequencies.items():
        for character in word:
            everywhere[character] += count
    names_total, total = given.total(), everywhere.total()
    odds = {
        one: math.log((count + 0.5) / names_total) - math.log((everywhere[one] + 0.5) / total)
        for one, count in given.items()
    }
    return _Counts(Counter(name[1:] for name in names), odds)
