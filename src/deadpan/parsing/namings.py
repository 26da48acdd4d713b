"""Whether a text names a thing, by a benchmark's words for it, and does not take the name back.

The words and the patterns they stand in are the benchmark's; how a negation reaches a name, what
doubles it and what only looks like one is the grammar's, in both languages. One naming that stands
is enough.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from deadpan.core.questions import Language
from deadpan.parsing.patterns import Patterns, either
from deadpan.parsing.script import simplify

_QUOTES = str.maketrans("", "", '"“”„«»「」『』《》〈〉*`')
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_BLANKS = re.compile(r"[^\S\n]+")
_PARAGRAPH = re.compile(r" ?\n(?: ?\n| ?[-•+] | ?\d{1,3}[.)] )+")
_BROKEN_WORD = re.compile(r"(?<=\w)- ?\n ?(?=\w)")
_BREAK = "¶"
"""What stands for the end of a paragraph or a list item."""

Words = Mapping[str, Sequence[str]]


class Namings:
    """Finds names in a text, by the words and patterns of each language."""

    def __init__(self, words: Mapping[Language, Words], given: Mapping[str, Any]) -> None:
        self._finders = (_English(words["en"], given["en"]), _Chinese(words["zh"], given["zh"]))

    def first(self, text: str) -> str | None:
        """The first words that name the thing and are not taken back; None where there are none.
        Both languages are looked for."""
        plain = _plain(text)
        return next((found for finder in self._finders if (found := finder.first(plain))), None)


def _plain(text: str) -> str:
    """Case, dashes, quotes, emphasis and traditional characters folded; spaces single."""
    text = "".join(sign for sign in text.casefold() if unicodedata.category(sign) != "Cf")
    text = text.replace("’", "'").replace("‘", "'").translate(_DASHES).translate(_QUOTES)
    text = _BROKEN_WORD.sub("-", _BLANKS.sub(" ", simplify(text)))
    return " ".join(_PARAGRAPH.sub(f" {_BREAK} ", text).split())


class _Finder(ABC):
    """Finds names in folded text of one language.

    The patterns: `names`; `opposed`, what inside a name says that another is meant; `negates`, a
    `negator` and what stands between it and the name; `denies` and `confirms` behind a name.
    """

    def __init__(self, words: Words, given: Mapping[str, Any]) -> None:
        self.words = {name: tuple(listed) for name, listed in words.items()}
        self.before_reach, self.after_reach = given["reach"]
        slots = {name: either(listed) for name, listed in self.words.items()}
        self.patterns = Patterns(slots | given["patterns"] | {"verb": self._verb()})

    def _verb(self) -> str:
        """The verbs that need an object to name it, with what may stand inside them."""
        forms = sorted((one for one in self.words["verbs"] if len(one) > 1), key=len, reverse=True)
        between = r"\s+(?:«gap»\s+){0,3}"
        return f"(?:{'|'.join(between.join(map(re.escape, one.split())) for one in forms)})"

    @abstractmethod
    def reaches(self, prefix: str, negation: re.Match[str], name: str) -> bool:
        """Whether a negator in what stands before a name reaches it."""

    def first(self, text: str) -> str | None:
        """The first naming that is not taken back; None where there is none."""
        for found in self.patterns["names"].finditer(text):
            opposed = self.patterns["opposed"].search(found[0])
            if not opposed and not self._taken_back(text, found):
                return found[0]
        return None

    def _taken_back(self, text: str, found: re.Match[str]) -> bool:
        rest = text[found.end() : found.end() + self.after_reach]
        if self.patterns["confirms"].match(rest):
            return False
        if self.patterns["denies"].match(rest):
            return True
        prefix = text[max(0, found.start() - self.before_reach) : found.start()]
        return self.is_negated(prefix, found[0])

    def is_negated(self, prefix: str, name: str) -> bool:
        """Whether what stands before a name negates it; negations may overlap."""
        negation = self.patterns["negates"].search(prefix)
        while negation is not None:
            if self.reaches(prefix, negation, name):
                return True
            negation = self.patterns["negates"].search(prefix, negation.start() + 1)
        return False


class _English(_Finder):
    def is_negated(self, prefix: str, name: str) -> bool:
        prefix = re.sub(r"\b(?:non|un)-$", "not ", prefix)
        compared = self.patterns["compared"].search(prefix) is not None
        return compared or super().is_negated(prefix, name)

    def reaches(self, prefix: str, negation: re.Match[str], name: str) -> bool:
        """Not through "only", not negated itself. Of what "and" joins to something negated, only
        nouns are: "can't cook and mocks himself"."""
        negator, is_noun = negation["negator"], self.patterns["noun"].match(name) is not None
        if negation["pair"] and not (is_noun and negator in ("not", "no", "without")):
            return False
        if {*self.words["still_named"]} & {*re.findall(r"\w+", negation["between"])}:
            return False
        before = prefix[: negation.start()]
        if negator in self.words["undone"] and self.patterns["doubles"].search(before):
            return False
        return not (negator == "other than" and re.search(r"\bno\w*\s*$", before))


class _Chinese(_Finder):
    short = frozenset("不没无非未")
    rhetorical = ("何尝", "岂", "难道", "难道这", "莫", "无", "得", "除", "若")

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
