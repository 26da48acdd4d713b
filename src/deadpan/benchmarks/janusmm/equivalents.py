"""Whether a text names self-deprecation or an equivalent: lexicon and negation in both languages.

The words are data (equivalents.json). One naming that is not taken back is enough: an answer that
hedges ("perhaps self-mockery") or lists ("sarcasm or self-mockery") names it too.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

from deadpan.base.files import read_text
from deadpan.benchmarks.janusmm.chinese_naming import ChineseLexicon, ChineseNaming
from deadpan.benchmarks.janusmm.english_naming import EnglishLexicon, EnglishNaming
from deadpan.benchmarks.janusmm.lexicon import Frozen
from deadpan.metrics.folding import folded

_QUOTES = str.maketrans("", "", '"“”„«»「」『』《》〈〉*`')
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_TRADITIONAL = str.maketrans(
    "調諷謔貶損開話們對並沒無別單僅還來說為這會於與種點過樣實個員覺認認視錯屬純體現達圖發簡帶當應",
    "调讽谑贬损开话们对并没无别单仅还来说为这会于与种点过样实个员觉认认视错属纯体现达图发简带当应",
)
_BLANKS = re.compile(r"[^\S\n]+")
_PARAGRAPH = re.compile(r" ?\n(?: ?\n| ?[-•+] | ?\d{1,3}[.)] )+")
_BROKEN_WORD = re.compile(r"(?<=\w)- ?\n ?(?=\w)")
BREAK = "¶"
"""What stands for the end of a paragraph or a list item."""


class Equivalents(Frozen):
    """The lexicon of both languages."""

    about: str
    en: EnglishLexicon
    zh: ChineseLexicon


@cache
def equivalents() -> Equivalents:
    """The lexicon that ships with the benchmark."""
    return Equivalents.model_validate_json(read_text(Path(__file__).with_name("equivalents.json")))


def naming(text: str) -> str | None:
    """The first words that name self-deprecation and are not taken back; None where there are none.

    Both languages are looked for whatever the question's was.
    """
    plain = _plain(text)
    for finder in _finders():
        if (found := finder.naming(plain)) is not None:
            return found
    return None


@cache
def _finders() -> tuple[EnglishNaming, ChineseNaming]:
    return EnglishNaming(equivalents().en), ChineseNaming(equivalents().zh)


def _plain(text: str) -> str:
    """Width, case, dashes, quotes, emphasis and traditional characters folded; spaces single."""
    text = folded(text).casefold()
    text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    text = text.replace("’", "'").replace("‘", "'").translate(_DASHES).translate(_QUOTES)
    text = _BROKEN_WORD.sub("-", _BLANKS.sub(" ", text.translate(_TRADITIONAL)))
    return " ".join(_PARAGRAPH.sub(f" {BREAK} ", text).split())
