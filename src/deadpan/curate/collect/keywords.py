"""Which posts are looked at: named lists of words, which are data, and how they are looked for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deadpan.base.errors import InputError, meant
from deadpan.curate.schema import Keywords, Said
from deadpan.parsing.script import normalize_text

_APART = re.compile(r"[\s_-]+")
# Only Latin letters and digits at its ends can run on into another word.
_ASCII = "[0-9a-z_]"


class KeywordList(Said):
    """Words in both languages, and where they come from."""

    note: str
    en: tuple[str, ...]
    zh: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.zh, *self.en)


@cache
def known_lists() -> Mapping[str, KeywordList]:
    """The lists of the package by name."""
    text = Path(__file__).with_name("keywords.toml").read_text("utf-8")
    return {name: KeywordList.model_validate(one) for name, one in tomllib.loads(text).items()}


@dataclass(frozen=True)
class WordFinder:
    """Looks for words in texts: English ones between word boundaries, Chinese ones anywhere."""

    words: tuple[str, ...]
    pattern: re.Pattern[str] | None
    by_form: Mapping[str, str]

    def found(self, text: str) -> tuple[str, ...]:
        """The words that a text holds, as the list has them, each once, in order of their place; of
        words that begin at one place the longest."""
        if self.pattern is None or not text:
            return ()
        seen = (match.group() for match in self.pattern.finditer(normalize_text(text)))
        return tuple(dict.fromkeys(self.by_form[word_form(one)] for one in seen))


def word_finder(words: Iterable[str]) -> WordFinder:
    """What finds these words; nothing where there are none."""
    by_form: dict[str, str] = {}
    for word in words:
        if form := word_form(normalize_text(word)):
            by_form.setdefault(form, word)
    forms = {_expression(normalize_text(word)): word for word in by_form.values()}
    longest_first = sorted(forms, key=lambda one: (-len(forms[one]), one))
    pattern = re.compile("|".join(longest_first)) if longest_first else None
    return WordFinder(tuple(by_form.values()), pattern, by_form)


def word_form(text: str) -> str:
    """By what a word is known, whatever stands between its parts."""
    return _APART.sub("", text)


def _expression(word: str) -> str:
    parts = [re.escape(part) for part in _APART.split(word.strip()) if part]
    joined = r"[\s_-]{0,2}".join(parts)
    before = f"(?<!{_ASCII})" if re.match(_ASCII, word) else ""
    after = f"(?!{_ASCII})" if re.search(f"{_ASCII}$", word) else ""
    return f"{before}{joined}{after}"


def chosen_words(keywords: Keywords) -> tuple[str, ...]:
    """All words of the lists that are named, and those written out; an unknown list raises."""
    known = known_lists()
    words: list[str] = []
    for name in keywords.lists:
        if name not in known:
            what = f'there is no list "{name}"{meant(name, known)}'
            raise InputError("keywords.lists", what, f"Expected one of {', '.join(known)}.")
        words += known[name].words
    return tuple(dict.fromkeys((*words, *keywords.words)))
