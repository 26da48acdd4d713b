"""A text with neutral placeholders where it named a person, a way to reach one, or a time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Literal, NamedTuple

from deadpan.collecting.anonymise.patterns import (
    PLACEHOLDER,
    Kind,
    Names,
    fold_character,
    patterns,
    words,
)

Language = Literal["en", "zh"]
_GONE = "\ufffc"  # stands for a placeholder, so that no pattern reads across or into one
_PARTS = re.compile(f"({PLACEHOLDER.pattern})")
_DIGIT = re.compile(r"[\d零〇一二三四五六七八九十两廿幺妖]")
_FEW_WORDS = 3


class FoldedText:
    """A text, what patterns see of it, and which part of the one stands for the other."""

    def __init__(self, text: str) -> None:
        seen: list[str] = []
        self.shown: list[str] = []
        unseen = ""
        for place, part in enumerate(_PARTS.split(text)):
            if place % 2 == 0 and part.isascii() and not unseen:
                seen.append(part)
                self.shown += part
                continue
            folded = [(fold_character(one), one) for one in part]
            for plain, character in [(_GONE, part)] if place % 2 else folded:
                if plain:
                    seen.append(plain)
                    self.shown.append(unseen + character)
                    unseen = ""
                elif self.shown:
                    self.shown[-1] += character
                else:
                    unseen += character
        if unseen:
            seen.append(_GONE)
            self.shown.append(unseen)
        self.seen = "".join(seen)

    def replace(
        self, pattern: re.Pattern[str], new: str | Callable[[re.Match[str]], str | None]
    ) -> int:
        """Replaces the group `it` of every match, or the whole; how many. None leaves it."""
        seen: list[str] = []
        shown: list[str] = []
        place = count = 0
        for found in pattern.finditer(self.seen):
            text = new if isinstance(new, str) else new(found)
            if text is None:
                continue
            start, end = found.span("it") if "it" in pattern.groupindex else found.span()
            seen += [self.seen[place:start], _GONE]
            shown += [*self.shown[place:start], text]
            place = end
            count += 1
        if count:
            self.seen = "".join([*seen, self.seen[place:]])
            self.shown = [*shown, *self.shown[place:]]
        return count

    def __str__(self) -> str:
        return "".join(self.shown)


class Scrubbed(NamedTuple):
    """A text after replacement, and how often each kind was replaced in it."""

    text: str
    replaced: Counter[Kind]


def language_of(text: str, otherwise: Language = "en") -> Language:
    """Chinese where it has as many Chinese words as English; `otherwise` with few."""
    seen = PLACEHOLDER.sub("", text)
    for pattern in patterns("links"):
        seen = pattern.expression.sub("", seen)
    han, latin = (len(re.findall(word, seen)) for word in (r"[\u3400-\u9fff]", "[A-Za-z]+"))
    if not han and latin < _FEW_WORDS:
        return otherwise
    # A Chinese word is about one and a half characters long, and Chinese chats borrow
    # English words more often than the other way round.
    return "zh" if (3 * han >= latin if otherwise == "zh" else 2 * han >= 3 * latin) else "en"


def placeholder(kind: Kind, language: Language, number: int | None = None) -> str:
    """What stands for something of a kind, such as [link] or [姓名2]."""
    if language == "zh":
        return f"[{words().chinese[kind]}{number or ''}]"
    return f"[{kind} {number}]" if number else f"[{kind}]"


def scrub_text(text: str, names: Names | None = None, otherwise: Language = "en") -> Scrubbed:
    """The text with every match of a pattern and every speaker's name replaced, to the last.
    Replaced again and again until nothing is found, so that no match appears only because its
    neighbour went; placeholders are never read, so a second run changes nothing."""
    people = names or Names(())
    language = language_of(text, otherwise)
    counts: Counter[Kind] = Counter()

    def name(found: re.Match[str]) -> str:
        return placeholder("name", language, people.number_of(found))

    def mention(found: re.Match[str]) -> str | None:
        everybody = (found.group("body") or "").casefold() in words().roles
        return None if everybody else placeholder("handle", language)

    def packed_file(found: re.Match[str]) -> str | None:
        # A file packed as text mixes cases and digits; long laughter does not.
        mixed = all(any(map(has, found[0])) for has in (str.isupper, str.islower, str.isdigit))
        return placeholder("file", language) if mixed else None

    while True:
        folded = FoldedText(text)
        before = counts.total()
        # Times and numbers need a digit.
        groups = ("links", "accounts", "times", "numbers")[: 4 if _DIGIT.search(folded.seen) else 2]
        for kind, expression in patterns(*groups):
            counts[kind] += folded.replace(expression, placeholder(kind, language))
        counts["file"] += folded.replace(patterns("base64")[0].expression, packed_file)
        counts["name"] += folded.replace(people.mention, name) if people.mention else 0
        counts["handle"] += folded.replace(patterns("handles")[0].expression, mention)
        counts["name"] += folded.replace(people.pattern, name) if people.pattern else 0
        if counts.total() == before:
            return Scrubbed(text, +counts)
        text = str(folded)
