"""How far a model recites a text from its first half, against what chance gives.

A completion is held against the true second half by the longest run of words that both have (of
characters, in Chinese), and against the second halves of other items: what those have in common
with it is chance. A text is recited where its run is longer than any by chance, longer than the
run that repeating the first half would give, and long enough that nobody would guess it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

_CHARACTERS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LETTERS = f"[^\\W_{_CHARACTERS}]+"
_TOKEN = re.compile(f"[{_CHARACTERS}]|{_LETTERS}(?:['’]{_LETTERS})*")
"""A Chinese or Japanese character, or a word."""
WORDS, CHARACTERS = 6, 10
"""How long a run is at least that nobody would guess; a shorter second half tells nothing."""
SHIFTS = 20
"""With how many others' second halves each completion is compared, at most."""
_LONGEST = 3
"""A completion is read to so many times the length of the true one."""
_ALIKE = 0.8
"""Texts at least so similar are one under two names, and no chance."""


def tokens(text: str) -> list[str]:
    """The words of a text, and its Chinese characters, whatever their case and width."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def least(own: Sequence[str]) -> int:
    """How long a run of such a text is at least that nobody would guess."""
    characters = sum(len(token) == 1 and not token.isascii() for token in own)
    return CHARACTERS if 2 * characters > len(own) else WORDS


def halves(text: str) -> tuple[str, str] | None:
    """The text cut in two between words, or between Chinese characters; None where the second half
    would be too short to tell anything."""
    found = list(_TOKEN.finditer(text))
    at = len(found) // 2
    if len(found) - at < least([one.group() for one in found]):
        return None
    cut = found[at - 1].end()
    return text[:cut].rstrip(), text[cut:].lstrip()


def longest_run(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens in a row both have."""
    best = 0
    before: dict[int, int] = {}
    places: dict[str, list[int]] = {}
    for at, token in enumerate(other):
        places.setdefault(token, []).append(at)
    for token in one:
        now = {at: before.get(at - 1, 0) + 1 for at in places.get(token, ())}
        best = max(best, max(now.values(), default=0))
        before = now
    return best


def rouge_l(one: Sequence[str], other: Sequence[str]) -> float:
    """ROUGE-L: F1 of the longest common subsequence (Lin 2004, equations 2 to 4 with beta 1)."""
    if not one or not other:
        return 0.0
    last = [0] * (len(other) + 1)
    for token in one:
        row = [0]
        for at, own in enumerate(other):
            row.append(last[at] + 1 if token == own else max(row[at], last[at + 1]))
        last = row
    return 2 * last[-1] / (len(one) + len(other))


def similarity(one: Sequence[str], other: Sequence[str]) -> float:
    """1 less the edit distance in tokens, divided by the longer length."""
    if not one and not other:
        return 1.0
    last = list(range(len(other) + 1))
    for place, token in enumerate(one, start=1):
        row = [place]
        for at, own in enumerate(other):
            row.append(min(last[at] + (token != own), last[at + 1] + 1, row[at] + 1))
        last = row
    return 1 - last[-1] / max(len(one), len(other))


@dataclass(frozen=True)
class Completion:
    """A text in halves, and what a model went on with."""

    first: str
    second: str
    reply: str

    @cached_property
    def truth(self) -> list[str]:
        return tokens(self.second)

    @cached_property
    def whole(self) -> list[str]:
        return [*tokens(self.first), *self.truth]

    @cached_property
    def said(self) -> list[str]:
        """The reply's tokens, without the first half where it is repeated before, up to a length
        that a completion may have."""
        own, given = tokens(self.reply), tokens(self.first)
        if given and own[: len(given)] == given:
            own = own[len(given) :]
        return own[: _LONGEST * len(self.truth)]

    @cached_property
    def run(self) -> int:
        return longest_run(self.said, self.truth)

    @cached_property
    def copied(self) -> int:
        """The run that repeating the first half would give."""
        return longest_run(tokens(self.first), self.truth)


@dataclass(frozen=True)
class Verdicts:
    """Which completions are recited: those whose run is longer than `threshold`, the longest by
    chance, and than what copying gives. Of the pairs by chance a share of `false_flags` would have
    been flagged, each by what the other ways of pairing give."""

    threshold: int
    recited: tuple[bool, ...]
    pairs: int
    false_flags: float


def recited(completions: Sequence[Completion]) -> Verdicts:
    """The verdict on each completion; chance is every completion against the second halves of
    other texts. Fewer than two texts raise: there is no chance to hold them against."""
    if len(completions) < 2:
        raise ValueError("fewer than two texts: chance is not known")
    worlds = [
        runs for shift in _shifts(len(completions)) if (runs := _by_chance(completions, shift))
    ]
    if not worlds:
        raise ValueError("all texts are alike: chance is not known")
    highest = sorted((max(run for run, _ in runs) for runs in worlds), reverse=True)
    threshold, pairs = highest[0], sum(map(len, worlds))
    # Only the world with the longest run can have some that are longer than those of the others.
    others = highest[1] if len(highest) > 1 else threshold
    false = sum(run > others and run >= enough for runs in worlds for run, enough in runs)
    flags = tuple(
        one.run > max(threshold, one.copied) and one.run >= least(one.truth) for one in completions
    )
    return Verdicts(threshold, flags, pairs, false / pairs)


def _shifts(count: int) -> list[int]:
    """How far texts are moved against each other: all ways, or some that are evenly spread."""
    if count - 1 <= SHIFTS:
        return list(range(1, count))
    return [1 + round(place * (count - 2) / (SHIFTS - 1)) for place in range(SHIFTS)]


def _by_chance(completions: Sequence[Completion], shift: int) -> list[tuple[int, int]]:
    """The runs of completions with the second halves of texts so far behind them, and how long one
    has to be; but for those that are the same text."""
    count = len(completions)
    runs = []
    for at, one in enumerate(completions):
        other = completions[(at + shift) % count]
        if not _is_alike(one.whole, other.whole):
            runs.append((longest_run(one.said, other.truth), least(other.truth)))
    return runs


def _is_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two texts are the same, or nearly so."""
    shared = set(pairwise(one)) & set(pairwise(other))
    return bool(shared) and similarity(one, other) >= _ALIKE
