"""Which emotion words of a text are denied ("not happy", 没有生气), by the patterns of
denials.toml. What only looks like a denial (不禁难过, "can't help feeling sad") and a denial that
is itself denied ("not without anger", 不是不开心) leave the word as it is."""

from __future__ import annotations

import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deadpan.base.files import read_text
from deadpan.core.questions import Language
from deadpan.parsing.patterns import Patterns

_DASHES = str.maketrans(dict.fromkeys("-‐‑‒–—−", " "))


class Place(NamedTuple):
    """A word of a lexicon and where it stands in the text."""

    word: str
    start: int
    end: int


class _Denial(NamedTuple):
    """What denies a word, and where; nothing where it stands after the word."""

    denier: str
    start: int
    end: int


def standing_words(text: str, words: Sequence[Place], language: Language) -> list[str]:
    """The words without those that are denied, and without those that are part of a denial or do
    nothing but deny (NTUSD lists 没有). `text` is folded as for the lexicon, `words` are its words
    in order."""
    reader = _reader(language)
    plain = text.translate(_DASHES)
    denials: list[_Denial] = []
    standing: list[Place] = []
    last: tuple[Place, _Denial] | None = None
    for place in words:
        found = reader.denial(plain, place) or (last and reader.joined(plain, *last, place))
        if found:
            denials.append(found)
        else:
            standing.append(place)
        last = (place, found) if found else None
    return [
        one.word
        for one in standing
        if not reader.patterns["bare"].fullmatch(one.word)
        and not any(denial.start <= one.start < denial.end for denial in denials)
    ]


class _Reader(ABC):
    """Finds denials in folded text of one language."""

    def __init__(self, language: Language) -> None:
        given = tomllib.loads(read_text(Path(__file__).with_name("denials.toml")))[language]
        self.before_reach, self.after_reach = given.pop("reach")
        self.patterns = Patterns(given)

    def denial(self, text: str, place: Place) -> _Denial | None:
        """What denies a word by what stands before or after it."""
        start = max(0, place.start - self.before_reach)
        prefix = self.prefix(text[start : place.start])
        for name in ("before", "listed"):
            found = self.patterns[name].search(prefix)
            if found and not self.is_undone(prefix[: found.start()], found["denier"], place.word):
                return _Denial(self.head(found), start + found.start(), place.start)
            if found and name == "before":
                return None
        rest = text[place.end : place.end + self.after_reach]
        after = self.patterns["after"].match(rest)
        return _Denial("", place.end, place.end + after.end()) if after else None

    def prefix(self, text: str) -> str:
        """What stands before a word, as it is looked at."""
        return text

    def head(self, found: re.Match[str]) -> str:
        """The words of a denial that say how far it reaches."""
        return " ".join(found["denier"].split())

    def is_undone(self, before: str, denier: str, word: str) -> bool:
        """Whether a denial is itself denied."""
        return self.patterns["doubled"].search(before) is not None

    @abstractmethod
    def joined(self, text: str, last: Place, denial: _Denial, place: Place) -> _Denial | None:
        """The denial of the word before, where it holds for this one too."""


class _English(_Reader):
    def joined(self, text: str, last: Place, denial: _Denial, place: Place) -> _Denial | None:
        """Through "or" and "nor"; through "and" after "no", "without" and their like; through a
        comma where the list ends so."""
        between = text[last.end : place.start]
        rest = text[place.end : place.end + self.before_reach]
        is_noun = self.patterns["nouns"].fullmatch(denial.denier) is not None
        if self.patterns["joined"].fullmatch(between):
            return denial
        if is_noun and self.patterns["and"].fullmatch(between):
            return denial
        if self.patterns["comma"].fullmatch(between):
            ends = ("closed_by_or", "closed_by_and") if is_noun else ("closed_by_or",)
            return denial if any(self.patterns[end].match(rest) for end in ends) else None
        return None


class _Chinese(_Reader):
    def prefix(self, text: str) -> str:
        """With a mark in the place of what denies nothing."""
        return self.patterns["standing"].sub(lambda found: "〇" * len(found[0]), text)

    def head(self, found: re.Match[str]) -> str:
        return found[0]

    def is_undone(self, before: str, denier: str, word: str) -> bool:
        """Or where it is half of a question: 开不开心."""
        return before.endswith(word[0]) or super().is_undone(before, denier, word)

    def joined(self, text: str, last: Place, denial: _Denial, place: Place) -> _Denial | None:
        """Through 、, 和, 或 and their like, where more than a bare 不, 没 or 无 denies."""
        between = text[last.end : place.start]
        reaches = self.patterns["reaching"].match(denial.denier)
        return denial if reaches and self.patterns["joined"].fullmatch(between) else None


@cache
def _reader(language: Language) -> _Reader:
    return _English(language) if language == "en" else _Chinese(language)
