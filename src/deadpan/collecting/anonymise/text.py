"""A text with neutral placeholders where it named a person, a way to reach one, or a time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from deadpan.collecting.anonymise.chinese_organisations import find_organisations, find_towns
from deadpan.collecting.anonymise.english_words import is_word
from deadpan.collecting.anonymise.names import Names
from deadpan.collecting.anonymise.patterns import (
    PLACEHOLDER,
    Kind,
    Language,
    fold_character,
    patterns,
    placeholder,
    words,
)
from deadpan.collecting.anonymise.spans import Span

_GONE = "\ufffc"  # stands for a placeholder, so that no pattern reads across or into one
_PARTS = re.compile(f"({PLACEHOLDER.pattern})")
_DIGIT = re.compile(r"[\d零〇一二三四五六七八九十两廿幺妖]")
_FEW_WORDS = 3
# Addresses come before times and numbers, which would tear pieces out of them.
_GROUPS = (
    "links", "accounts", "codes", "words", "addresses", "plates", "moments", "times", "numbers",
)  # fmt: skip
_BEFORE_DOUBTS = 6  # groups


class FoldedText:
    """A text, what patterns see of it, and which part of the one stands for the other."""

    def __init__(self, text: str) -> None:
        seen: list[str] = []
        self.shown: list[str] = []
        self.kept: set[str] = set()  # what somebody decided to keep
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
        found: list[tuple[int, int, str]] = []
        for match in pattern.finditer(self.seen):
            text = new if isinstance(new, str) else new(match)
            if text is not None:
                span = match.span("it") if "it" in pattern.groupindex else match.span()
                found.append((*span, text))
        return self.replace_spans(found)

    def replace_spans(self, found: Sequence[tuple[int, int, str]]) -> int:
        """Replaces parts of what is seen, in order and apart from each other; how many."""
        seen: list[str] = []
        shown: list[str] = []
        place = 0
        for start, end, text in found:
            seen += [self.seen[place:start], _GONE]
            shown += [*self.shown[place:start], text]
            place = end
        if found:
            self.seen = "".join([*seen, self.seen[place:]])
            self.shown = [*shown, *self.shown[place:]]
        return len(found)

    def original(self, start: int, end: int) -> str:
        """What stands in the text for a part of what is seen."""
        return "".join(self.shown[start:end])

    def __str__(self) -> str:
        return "".join(self.shown)


class Decide(Protocol):
    """What becomes of something that is not sure."""

    def __call__(self, kind: Kind, found: str, shown: str, likely: bool = True) -> str | None:
        """What replaces it, or None where it stays, given its kind, how it stands in the text, the
        placeholder for it, and whether it goes as long as nobody decides."""


def keep(kind: Kind, found: str, shown: str, likely: bool = True) -> str | None:
    """What is not sure stays."""
    return None


def follow_suggestion(kind: Kind, found: str, shown: str, likely: bool = True) -> str | None:
    """What likely leads to a person goes, as long as nobody decided."""
    return shown if likely else None


class Named(Protocol):
    """What becomes of a known name at a place, where a person may have decided otherwise."""

    def __call__(self, found: str, shown: str) -> str | None:
        """What stands for it, or None where it stays, given how it stands in the text and the
        placeholder of its person."""


class Scrubbed(NamedTuple):
    """A text after replacement, and how often each kind was replaced in it."""

    text: str
    replaced: Counter[Kind]
    folded: FoldedText


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


def scrub_text(
    text: str,
    names: Names | None = None,
    otherwise: Language = "en",
    decide: Decide = follow_suggestion,
    named: Named | None = None,
) -> Scrubbed:
    """The text with every match of a pattern and every known name replaced, to the last; of what is
    not sure `decide` says what becomes of it. Replaced again and again until nothing is found, so
    that no match appears only because its neighbour went; placeholders are never read, so a second
    run changes nothing."""
    people = names or Names(())
    language = language_of(text, otherwise)
    counts: Counter[Kind] = Counter()

    def name(found: re.Match[str]) -> str | None:
        shown = people.shown(people.number_of(found), language)
        if named is None:
            return shown
        part = "it" if "it" in found.re.groupindex else 0
        text = folded.original(*found.span(part))
        chosen = named(text, shown)
        if chosen is None:
            folded.kept.add(text)
        return chosen

    def mention(found: re.Match[str]) -> str | None:
        everybody = (found.group("body") or "").casefold() in words().roles
        return None if everybody else placeholder("handle", language)

    def packed_file(found: re.Match[str]) -> str | None:
        # A file packed as text mixes cases and digits; long laughter does not.
        mixed = all(any(map(has, found[0])) for has in (str.isupper, str.islower, str.isdigit))
        return placeholder("file", language) if mixed else None

    folded = FoldedText(text)
    while True:
        before = counts.total()
        # Times and numbers need a digit.
        groups = _GROUPS[: None if _DIGIT.search(folded.seen) else -2]
        for kind, expression in patterns(*groups[:_BEFORE_DOUBTS]):
            counts[kind] += folded.replace(expression, placeholder(kind, language))
        for kind, count in _replace_doubtful(folded, language, decide).items():
            counts[kind] += count
        for kind, expression in patterns(*groups[_BEFORE_DOUBTS:]):
            counts[kind] += folded.replace(expression, placeholder(kind, language))
        counts["file"] += folded.replace(patterns("base64")[0].expression, packed_file)
        counts["name"] += folded.replace(people.mention, name) if people.mention else 0
        counts["handle"] += folded.replace(patterns("handles")[0].expression, mention)
        counts["name"] += folded.replace(people.pattern, name) if people.pattern else 0
        for kind, count in _replace_codes(folded, language, decide).items():
            counts[kind] += count
        if counts.total() == before:
            return Scrubbed(str(folded) if before else text, +counts, folded)


def _replace_doubtful(folded: FoldedText, language: Language, decide: Decide) -> Counter[Kind]:
    """Replaces what a person should look at as was decided; how often each kind."""
    counts: Counter[Kind] = Counter()

    def decided(kind: Kind, start: int, end: int) -> str | None:
        found = folded.original(start, end)
        chosen = decide(kind, found, placeholder(kind, language))
        if chosen is None:
            folded.kept.add(found)
        return chosen

    for kind, expression in patterns("perhaps"):

        def new(found: re.Match[str], kind: Kind = kind) -> str | None:
            part = "it" if "it" in found.re.groupindex else 0
            if kind == "account" and found[part].isascii() and is_word(found[part]):
                return None  # "my insta is private"
            return decided(kind, *found.span(part))

        counts[kind] += folded.replace(expression, new)
    finders: tuple[tuple[Kind, Callable[[str], Iterator[Span]]], ...] = (
        ("organisation", find_organisations),
        ("address", find_towns),
    )
    for kind, find in finders:
        spans = [
            (one.start, one.end, text)
            for one in find(folded.seen)
            if (text := decided(kind, one.start, one.end)) is not None
        ]
        counts[kind] += folded.replace_spans(spans)
    return counts


def _replace_codes(folded: FoldedText, language: Language, decide: Decide) -> Counter[Kind]:
    """Replaces numbers and codes that may be anybody's only where somebody decides so."""
    counts: Counter[Kind] = Counter()
    for kind, expression in patterns("maybe") if _DIGIT.search(folded.seen) else ():

        def new(found: re.Match[str], kind: Kind = kind) -> str | None:
            part = "it" if "it" in found.re.groupindex else 0
            text = folded.original(*found.span(part))
            if _is_numbered_word(found[part]):
                return None
            chosen = decide(kind, text, placeholder(kind, language), False)
            if chosen is None:
                folded.kept.add(text)
            return chosen

        counts[kind] += folded.replace(expression, new)
    return counts


def _is_numbered_word(code: str) -> bool:
    """Whether it is one word or unit with a number before or behind it: iphone15, 2000years."""
    found = re.fullmatch(r"\d+[a-z]{1,2}|\d*([a-z]+)\d{0,4}", code, re.IGNORECASE)
    return found is not None and (found[1] is None or is_word(found[1].casefold()))
