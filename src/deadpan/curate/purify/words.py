"""What the words of a post hold that has no place in a benchmark: ways to reach somebody, selling,
slurs. The lists are data."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from deadpan.collecting.anonymise.patterns import PLACEHOLDER, words
from deadpan.curate.collect.keywords import WordFinder, word_finder
from deadpan.parsing.patterns import Patterns
from deadpan.parsing.script import fold

_PLAIN, _MANY = 2, 6
"""The weight of a cue that jokes seldom have, and the sum of weights that suffices."""
_LEET = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s"}
)
_SPELLED = re.compile(r"(?<![0-9a-z@$])(?:[0-9a-z@$][\s.*_\-|]{1,2}){2,}[0-9a-z@$](?![0-9a-z@$])")
_BETWEEN = re.compile(r"[\s.*_\-|]+")
_ENGLISH_WORD = re.compile(r"[0-9a-z@$!*']+")
_NO_HAN = re.compile(r"[^\u3400-\u9fffa-z]+")
_REPEATED = re.compile(r"(.)\1{2,}")


@cache
def word_data(name: str) -> dict[str, Any]:
    """One of the package's lists."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))


def plain(text: str) -> str:
    """A text as lists see it: plain width, simplified characters, small letters."""
    return fold(text).casefold()


@cache
def _contacts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    data = word_data("contacts")
    fill = Patterns(data["parts"]).fill
    return tuple(
        (kind, re.compile("|".join(f"(?:{fill(one)})" for one in listed)))
        for kind, listed in data["patterns"].items()
    )


def contact_kinds(text: str) -> tuple[str, ...]:
    """Kinds of ways to reach somebody that are written out in a text: phone, account, email and
    link."""
    # OCR puts accents on letters over other letters.
    letters = unicodedata.normalize("NFKD", PLACEHOLDER.sub(" ", text))
    seen = plain("".join(one for one in letters if not unicodedata.combining(one)))
    return tuple(kind for kind, pattern in _contacts() if pattern.search(seen))


def caption_contacts(text: str) -> tuple[str, ...]:
    """The same of a caption, where some may be placeholders already. Links do not count: platforms
    add them by themselves."""
    kinds = word_data("contacts")["placeholders"]["kinds"]
    chinese = words().chinese
    marked = [kind for kind in kinds if f"[{kind}]" in text or f"[{chinese[kind]}]" in text]
    return tuple(dict.fromkeys((*marked, *(one for one in contact_kinds(text) if one != "link"))))


@cache
def _advert_cues() -> tuple[tuple[str, WordFinder, dict[str, int]], ...]:
    found = []
    for kind in ("offer", "call", "channel"):
        weights = {
            word: int(weight)
            for one in ("en", "zh")
            for word, weight in word_data("adverts")[kind][one]
        }
        found.append((kind, word_finder(weights), weights))
    return tuple(found)


def advert_cues(text: str, has_contact: bool = False) -> tuple[str, ...]:
    """The cues by which a text sells something; none where they do not suffice, as a joke about
    shopping has some too. Plain ones of two kinds suffice, or many. A price, and a way to reach the
    seller, are a kind each."""
    kinds: set[str] = set()
    plain_kinds: set[str] = set()
    cues: dict[str, int] = {}
    for kind, finder, weights in _advert_cues():
        for word in finder.found(text):
            kinds.add(kind)
            cues[word] = weights[word]
            if weights[word] >= _PLAIN:
                plain_kinds.add(kind)
    if len(cues) < 2:
        return ()
    for pattern in word_data("adverts")["price"]["patterns"]:
        if match := re.search(pattern, plain(text)):
            kinds.add("price")
            cues[match.group().strip()] = 1
    if has_contact:
        kinds.add("contact")
        cues["a way to reach the seller"] = 1
    suffices = len(plain_kinds) > 1 or (len(kinds) > 1 and sum(cues.values()) >= _MANY)
    return tuple(cues) if suffices else ()


@cache
def _slurs() -> tuple[WordFinder, tuple[str, ...], re.Pattern[str]]:
    data = word_data("slurs")
    unless = "|".join(map(re.escape, map(plain, data["unless"])))
    return word_finder(data["en"]), tuple(data["zh"]), re.compile(unless)


def slurs_in(text: str) -> tuple[str, ...]:
    """The slurs and attacks that a text holds, as the list has them, each once. Letters that are
    spaced, doubled or written as digits are undone; parts of longer words are none."""
    english, chinese, unless = _slurs()
    seen = unless.sub(" ", plain(text))
    found = dict.fromkeys(word for one in _english_forms(seen) for word in english.found(one))
    joined = _NO_HAN.sub("", seen)
    return tuple({**found, **dict.fromkeys(word for word in chinese if word in joined)})


def _english_forms(seen: str) -> Iterator[str]:
    """A text as it stands, and as those meant it who hide words from filters."""
    yield seen
    spelled = _SPELLED.sub(lambda found: _BETWEEN.sub("", found.group()), seen)
    tokens = _ENGLISH_WORD.findall(spelled)
    # Numbers are no words: only what has a letter is read as one.
    read = [one.translate(_LEET) if re.search("[a-z]", one) else one for one in tokens]
    yield " ".join(read)
    yield " ".join(_REPEATED.sub(r"\1\1", one) for one in read)
    yield " ".join(_REPEATED.sub(r"\1", one) for one in read)
