"""English words: which a dictionary has, and which no more than their look speaks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from deadpan.collecting.anonymise.spans import people_lists
from deadpan.metrics import synonyms

# Endings of words that dictionaries lack and chats begin with: "Doomscrolling again."
_DERIVED = re.compile(
    r"(?:ing|tion|[a-z]{3}ian|esque|ness|ment|ally|ously|fied|i[sz]ed|i[sz]ing|able|ible|less|ful)$"
)
_ENDINGS_OF_CAPITALS = ("ing", "ly", "est", "ish", "ness", "able", "less", "ful")
_ENDINGS = ("ing", "in", "ly", "er", "est", "ish", "y", "ness", "able", "less", "ful")
_LONGEST = 30  # letters of a name


@dataclass(frozen=True)
class EnglishWord:
    """A word of a text and where it stands."""

    text: str
    start: int
    end: int
    opens: bool  # whether it begins a sentence or a line
    joined: bool  # whether only a blank stands before it

    @property
    def plain(self) -> str:
        """In lower case, without 's."""
        return singular(self.text.replace("’", "'").casefold())

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital and goes on in small letters."""
        return self.text[0].isupper() and not (len(self.text) > 1 and self.text.isupper())


def is_unknown(word: EnglishWord) -> bool:
    """Whether no dictionary has it or the parts of it."""
    if len(word.text) > _LONGEST or (word.opens and _DERIVED.search(word.plain)):
        return False
    parts = [part for part in re.split("['-]", word.plain) if part]
    loose = not word.is_capital
    known = all(_is_known(part, loose) for part in parts) or _is_known(word.plain, loose)
    return bool(parts) and not known


def is_word(text: str) -> bool:
    """Whether every part of it is a word of the language or of chats."""
    return not is_unknown(EnglishWord(text, 0, len(text), False, False))


def singular(word: str) -> str:
    """The word without 's."""
    return word.removesuffix("'s")


@lru_cache(maxsize=1 << 16)
def _is_known(word: str, loose: bool = True) -> bool:
    """Whether it is a word: in WordNet, among function words and chat, or one drawn out (nooo);
    `loose` takes off any ending, which makes a word of many a name (Tamsin)."""
    if len(word) < 2 or word in word_set("known") or word in word_set("proper"):
        return True
    if synonyms.english().of(word):
        return True
    if re.fullmatch(
        r"(?:a?(?:ha|he|hi|ho|ja|je|ka|xd|lo)+[hklsajx]*|[aeiouhmr]+h+|z+|m+|[hk]+)", word
    ):
        return True
    of = synonyms.english().of
    for end in _ENDINGS if loose else _ENDINGS_OF_CAPITALS:
        stem = word.removesuffix(end)
        if stem != word and len(stem) > 3 and (of(stem) or of(stem + "e")):
            return True
    short = re.sub(r"(.)\1{2,}", r"\1", word)
    double = re.sub(r"(.)\1{2,}", r"\1\1", word)
    drawn = re.sub(r"(.)\1+$", r"\1", word)
    return any(form != word and _is_known(form, loose) for form in (short, double, drawn))


@cache
def word_set(name: str) -> frozenset[str]:
    """A list of English words from people.toml."""
    return frozenset(people_lists("english")[name].split())
