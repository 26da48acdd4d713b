"""Chinese names with a surname, by how much better a text reads with a name in it.

A text is cut into the words of jieba's dictionary in the most probable way, once as it stands and
once with a name at a place; characters of surnames and given names are as probable as among the
names in that dictionary. What stands around a name counts too.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from deadpan.collecting.anonymise.chinese_words import (
    COMMON,
    OFTEN,
    is_chinese_word,
    is_known,
    tagger,
)
from deadpan.collecting.anonymise.spans import Span, people_lists

# Gains in log probability from which a name is looked at, goes, and needs nobody to look.
_ASKED, _LIKELY, _SURE = -1.5, 1.0, 5.0
_FOR, _AGAINST = 1.0, -2.0  # what stands on a side speaks for a name, or does not
_WEAK, _HEAD, _TORN = 2.0, 3.0, 6.0
_TWO, _ONE = math.log(0.8), math.log(0.2)  # how many characters given names have
_LONGEST_WORD = 5
_GIVEN = 2.0  # log odds of two characters that look like a given name
_COMPOUND = 30  # names that a surname of two characters is taken to have
_FEW = 5  # added to the names of every surname
_LISTED = 300  # how frequent a word of the lists is at least, and one of this length
_IDIOM = 4
_LONE = 0.2  # how often a character is taken to be a word, of all its uses


class _Counts(NamedTuple):
    surnames: Counter[str]
    given: Counter[str]
    characters: Counter[str]
    names: int
    words: int


def full_names(run: str) -> Iterator[Span]:
    """Where names with a surname stand in a run of Chinese characters, in no order, apart."""
    taken: list[Span] = []
    for gain, start, end in sorted(_gains(run), reverse=True):
        if gain > _ASKED and all(end <= one.start or start >= one.end for one in taken):
            taken.append(Span(start, end, gain > _SURE, gain > _LIKELY))
    yield from taken


def looks_given(pair: str) -> bool:
    """Whether two characters that are no word look like a given name: 沐阳."""
    if len(pair) != 2 or is_known(pair):
        return False
    odds = [_given_odds(one) for one in pair]
    return sum(odds) >= _GIVEN and min(odds) > 0


def _given_odds(character: str) -> float:
    """The log of how much more frequent a character is in given names than in words."""
    counts = _counts()
    named = (counts.given[character] + 0.5) / (2 * counts.names)
    return math.log(named / ((counts.characters[character] + 0.5) / counts.words))


def surname_of(text: str) -> str | None:
    """The surname that a text begins with."""
    compound = next(
        (one for one in people_lists("chinese")["compound"] if text.startswith(one)), None
    )
    return compound or (text[0] if text and text[0] in surnames() else None)


@cache
def surnames() -> frozenset[str]:
    """Surnames of one character."""
    return frozenset(people_lists("chinese")["surnames"])


def context(run: str, start: int, end: int) -> int:
    """2 where both sides speak for a name, 1 where one does, 0 else; edges and laughter speak for
    it."""
    lists = people_lists("chinese")
    before = start == 0 or run[:start].endswith((*lists["before"], "哈哈", "hhh"))
    after = end == len(run) or run[end:].startswith(tuple(lists["after"]))
    return int(before) + int(after)


def _gains(run: str) -> Iterator[tuple[float, int, int]]:
    """Every place where a name may stand, with how much the text gains by it."""
    ahead = _best_to(run)
    behind = _best_from(run)
    for start in range(len(run) - 1):
        surname = surname_of(run[start:])
        if surname is None or _is_counted(run, start):
            continue
        for length in (1, 2):
            given = run[start + len(surname) :][:length]
            end = start + len(surname) + length
            if len(given) == length and not _is_plain(surname + given, given):
                sides = context(run, start, end)
                told = sides * _FOR + (2 - sides) * _AGAINST
                if length == len(surname) == 2 and _is_torn(given[1], run[end : end + 1]):
                    told -= _TORN
                name = _name_probability(surname, given)
                yield ahead[start] + name + behind[end] + told - ahead[-1], start, end


def _is_plain(name: str, given: str) -> bool:
    lists = people_lists("chinese")
    return (
        name in _ordinary()
        or given in lists["not_given"]
        or given in lists["titles"]
        or not set(given).isdisjoint("了的着过们吗呢吧是不我你他她")
    )


def _is_torn(last: str, following: str) -> bool:
    """Whether the end of a name is rather the beginning of a word: 闻人月考上了."""
    return bool(following) and is_known(last + following) and _given_odds(last) < 0


def _is_counted(run: str, start: int) -> bool:
    """Whether the surname is a measure: 这张图, 一段路."""
    return run[start] in "张段项席章季管支束单包路班封楼方石金成路车" and bool(
        re.search(r"[这那哪一两二三四五六七八九十几每某半数多整上下]$", run[:start])
    )


def _best_to(run: str) -> list[float]:
    """The log probability of the best way to read each beginning of a run."""
    end = len(run)
    best = [0.0] + [-math.inf] * end
    for start in range(end):
        for stop in range(start + 1, min(end, start + _LONGEST_WORD) + 1):
            best[stop] = max(best[stop], best[start] + _word_probability(run[start:stop]))
    return best


def _best_from(run: str) -> list[float]:
    """As `_best_to`, for each end of it."""
    best = [-math.inf] * len(run) + [0.0]
    for start in range(len(run) - 1, -1, -1):
        for stop in range(start + 1, min(len(run), start + _LONGEST_WORD) + 1):
            best[start] = max(best[start], best[stop] + _word_probability(run[start:stop]))
    return best


@lru_cache(maxsize=1 << 16)
def _word_probability(word: str) -> float:
    """Its log; a name of the dictionary that is not frequent is no word."""
    _, flags, frequencies = tagger()
    counts, count = _counts(), float(frequencies.get(word, 0))
    if len(word) == 1:
        count = max(count, _LONE * counts.characters[word]) + 0.5
    elif word in _ordinary() or (count and len(word) >= _IDIOM):
        count = max(count, _LISTED)
    elif flags.get(word, "").startswith("nr") and word[0] in surnames():
        count = count if count >= (OFTEN if len(word) == 2 else COMMON) else 0
    return math.log(count / counts.words) if count else -math.inf


def _name_probability(surname: str, given: str) -> float:
    counts = _counts()
    names = _COMPOUND if len(surname) > 1 else counts.surnames[surname] + _FEW
    of_given = sum(math.log((counts.given[one] + 0.5) / (2 * counts.names)) for one in given)
    length = _TWO if len(given) == 2 else _ONE
    doubt = _doubt(surname, given)
    return math.log(names / counts.names) + length + of_given - doubt


def _doubt(surname: str, given: str) -> float:
    """What speaks against a name: a surname that is mostly another word, a plain word at its head
    (周末陪)."""
    weak = _WEAK / len(given) if surname in people_lists("chinese")["weak"] else 0
    head = surname + given[:1]
    is_word = head in _ordinary() or (is_known(head) and is_chinese_word(head))
    return weak + _HEAD * (is_word and len(given) == 2)


@cache
def _ordinary() -> frozenset[str]:
    lists = people_lists("chinese")
    return frozenset([*lists["ordinary"], *lists["not_nick"]])


@cache
def _counts() -> _Counts:
    _, flags, frequencies = tagger()
    novels = set(people_lists("chinese")["not_given"])
    names = [
        word
        for word, flag in flags.items()
        if flag.startswith("nr") and len(word) == 3 and word[0] in surnames()
        and word[1:] not in novels
    ]  # fmt: skip
    characters: Counter[str] = Counter()
    for word, count in frequencies.items():
        for character in word:
            characters[character] += count
    given = Counter(character for name in names for character in name[1:])
    words = sum(frequencies.values())
    return _Counts(Counter(name[0] for name in names), given, characters, len(names), words)
