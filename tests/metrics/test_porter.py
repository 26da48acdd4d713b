"""Porter's stemmer against nltk's, and the rules nltk added."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from deadpan.metrics.porter import stem

_SUFFIXES = (
    "ational tional enci izer bli alli entli eli ousli ization logi fulli ed ing eed ied ies sses"
    " s ss y yy e ll ion tion ement *d ness ful icate ative ical able al"
)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("dies", "die"),
        ("flies", "fli"),
        ("hopping", "hop"),
        ("filing", "file"),
        ("enjoy", "enjoy"),
        ("happy", "happi"),
        ("rationally", "ration"),
        ("geology", "geolog"),
        ("skies", "sky"),
        ("controlling", "control"),
        ("As", "as"),
        ("", ""),
    ],
)
def test_known_words(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_words_of_wordnet_and_of_real_texts_are_as_in_nltk(
    wordnet_folder: Path, real_texts: list[str]
) -> None:
    words = {word for text in real_texts for word in text.split()}
    for part in ("noun", "verb", "adj", "adv"):
        index = (wordnet_folder / f"index.{part}").read_text(encoding="utf-8")
        words |= {line.split()[0] for line in index.splitlines() if not line.startswith(" ")}
        words |= set((wordnet_folder / f"{part}.exc").read_text(encoding="utf-8").split())
    assert len(words) > 150_000
    theirs = PorterStemmer()
    some = sorted(words)[::5]
    assert [word for word in some if stem(word) != theirs.stem(word)] == []


@given(st.text(alphabet="abeiylstzwx*İΣ", max_size=5), st.lists(st.sampled_from(_SUFFIXES.split())))
def test_made_up_words_are_as_in_nltk(start: str, suffixes: list[str]) -> None:
    word = start + "".join(suffixes)
    assert stem(word) == PorterStemmer().stem(word)


@pytest.mark.parametrize(
    "word", ["y" * 100_000, "a" * 99_997 + "ing", "😂" * 9, "\ud800s", "\x00s"]
)
def test_odd_words_have_the_stem_nltk_gives(word: str) -> None:
    assert stem(word) == PorterStemmer().stem(word)
