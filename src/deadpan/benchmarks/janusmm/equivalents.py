"""Whether a text names self-deprecation or an equivalent: lexicon and negation in both languages.
The words are data (equivalents.json), and so are the patterns they stand in (naming.toml). One
naming that is not taken back is enough: an answer that hedges ("perhaps self-mockery") or lists
("sarcasm or self-mockery") names it too."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import BaseModel

from deadpan.base.files import read_text
from deadpan.core.questions import Language
from deadpan.metrics.folding import normalize_text
from deadpan.parsing.patterns import either
from deadpan.parsing.script import simplify

_QUOTES = str.maketrans("", "", '"“”„«»「」『』《》〈〉*`')
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_BLANKS = re.compile(r"[^\S\n]+")
_PARAGRAPH = re.compile(r" ?\n(?: ?\n| ?[-•+] | ?\d{1,3}[.)] )+")
_BROKEN_WORD = re.compile(r"(?<=\w)- ?\n ?(?=\w)")
_BREAK = "¶"
"""What stands for the end of a paragraph or a list item."""

Words = Mapping[str, tuple[str, ...]]


class Equivalents(BaseModel, frozen=True, extra="forbid"):
    """The lexicon of both languages."""

    about: str
    en: Words
    zh: Words


@cache
def equivalents() -> Equivalents:
    """The lexicon that ships with the benchmark."""
    return Equivalents.model_validate_json(read_text(Path(__file__).with_name("equivalents.json")))


def naming(text: str) -> str | None:
    """The first words that name self-deprecation and are not taken back; None where there are none.
    Both languages are looked for whatever the question's was."""
    plain = _plain(text)
    return next((found for finder in _finders() if (found := finder.naming(plain))), None)


def _plain(text: str) -> str:
    """Width, case, dashes, quotes, emphasis and traditional characters folded; spaces single."""
    text = normalize_text(text).casefold()
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    text = text.replace("’", "'").replace("‘", "'").translate(_DASHES).translate(_QUOTES)
    text = _BROKEN_WORD.sub("-", _BLANKS.sub(" ", simplify(text)))
    return " ".join(_PARAGRAPH.sub(f" {_BREAK} ", text).split())


class _Finder(ABC):
    """Finds names in folded text of one language, by the patterns of naming.toml."""

    def __init__(self, language: Language) -> None:
        given = tomllib.loads(read_text(Path(__file__).with_name("naming.toml")))[language]
        self.words: Words = getattr(equivalents(), language)
        slots = {name: either(listed) for name, listed in self.words.items()}
        for name, part in given["parts"].items():
            slots[name] = part % slots
        slots["verb"] = self.verb(slots)
        self.before_reach, self.after_reach = given["reach"]
        self.patterns = {
            name: re.compile("|".join(pattern % slots for pattern in patterns))
            for name, patterns in given["patterns"].items()
        }

    @abstractmethod
    def verb(self, slots: Mapping[str, str]) -> str:
        """The pattern of the verbs that need an object to name it."""

    @abstractmethod
    def reaches(self, prefix: str, negation: re.Match[str], name: str) -> bool:
        """Whether a negator in what stands before a name reaches it."""

    def naming(self, text: str) -> str | None:
        """The first naming that is not taken back; None where there is none."""
        for found in self.patterns["names"].finditer(text):
            opposed = self.patterns["opposed"].search(found[0])
            if not opposed and not self._taken_back(text, found):
                return found[0]
        return None

    def _taken_back(self, text: str, found: re.Match[str]) -> bool:
        rest = text[found.end() : found.end() + self.after_reach]
        if self.patterns["confirmed"].match(rest):
            return False
        if self.patterns["after"].match(rest):
            return True
        prefix = text[max(0, found.start() - self.before_reach) : found.start()]
        return self.is_negated(prefix, found[0])

    def is_negated(self, prefix: str, name: str) -> bool:
        """Whether what stands before a name negates it; negations may overlap."""
        negation = self.patterns["before"].search(prefix)
        while negation is not None:
            if self.reaches(prefix, negation, name):
                return True
            negation = self.patterns["before"].search(prefix, negation.start() + 1)
        return False


class _English(_Finder):
    def verb(self, slots: Mapping[str, str]) -> str:
        between = rf"\s+(?:{slots['gap']}\s+){{0,3}}"
        forms = (between.join(map(re.escape, form.split())) for form in self.words["verbs"])
        return f"(?:{'|'.join(forms)})"

    def is_negated(self, prefix: str, name: str) -> bool:
        prefix = re.sub(r"\b(?:non|un)-$", "not ", prefix)
        compared = self.patterns["compared"].search(prefix) is not None
        return compared or super().is_negated(prefix, name)

    def reaches(self, prefix: str, negation: re.Match[str], name: str) -> bool:
        """Not through "only", not negated itself. Of what "and" joins to something negated, only
        nouns are: "can't cook and mocks himself"."""
        negator, is_noun = negation["negator"], name.startswith("self")
        if negation["pair"] and not (is_noun and negator in ("not", "no", "without")):
            return False
        if {*self.words["still_named"]} & {*re.findall(r"\w+", negation["between"])}:
            return False
        before = prefix[: negation.start()]
        if negator in self.words["undone"] and self.patterns["doubled"].search(before):
            return False
        return not (negator == "other than" and re.search(r"\bno\w*\s*$", before))


class _Chinese(_Finder):
    short = frozenset("不没无非未")
    rhetorical = ("何尝", "岂", "难道", "难道这", "莫", "无", "得", "除", "若")

    def verb(self, slots: Mapping[str, str]) -> str:
        return either(verb for verb in self.words["verbs"] if len(verb) > 1)

    def reaches(self, prefix: str, negation: re.Match[str], name: str) -> bool:
        """No "not only", no double or rhetorical negation."""
        negator, between = negation["negator"], negation["between"]
        still_named = between.startswith(self.words["still_named"])
        if negation["list"] and (negator in self.short or still_named):
            return False
        before = prefix[: negation.start()]
        if negator in self.words["undone"] and before.endswith(self.words["doubled"]):
            return False
        if negator != "无" and before.endswith(self.rhetorical):
            return False
        return not self.patterns["no_negation"].match(prefix, negation.start())


@cache
def _finders() -> tuple[_Finder, ...]:
    return _English("en"), _Chinese("zh")
