"""Folding of replies: width, apostrophes, traditional characters, ticks and marks of markup."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from deadpan.base.compatibility import compatibility_form

_EMOJI = frozenset({"So", "Sk", "Cf", "Mn", "Me", "Cs"})
"""Kinds of characters that only decorate."""
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("✓✔✅☑🗸√", "✓"),
        **dict.fromkeys("✗✘❌☒✖✕❎×☐⬜◻", "✗"),
        **dict.fromkeys("‘’´", "'"),
        **dict.fromkeys("‐‑‒", "-"),
    }
)
_TICKS = "✓✗"
_TAGS = re.compile(r"</?[A-Za-z_\u4e00-\u9fff|][^<>\n]{0,40}>|<!--[^<>\n]{0,80}-->")
_TEX = re.compile(r"\\(?:text|mathrm|mathbf|textbf|boxed|fbox|rm|bf)\s?(?=\{)|\\[()\[\],;!]|[$\\]")
_BULLET = re.compile(
    r"^([ \t]*(?:>[ \t]?)*)(?![✓✔✅☑✗✘❌☒✖✕❎🗸☐⬜◻])"
    r"(?:\*|[•‣⁃→\u25a0-\u25ff\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]\ufe0f?)[ \t]+(?=\S)",
    re.MULTILINE,
)
"""A sign before an entry of a list: a star that is no emphasis, a dot, a square, an emoji."""
_KEYCAP = re.compile(r"(\d)\ufe0f?\u20e3")
_LINE_MARKS = re.compile(r"^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+)?", re.MULTILINE)
_MARKS = re.compile(r"[*`]+|(?<!\w)_{1,3}|_{1,3}(?!\w)")
_BRACKETED = re.compile(r"【([^【】\n]{1,12})】[:：]?")
_BOX = re.compile(r"\[([ xX✓✗])\]")


@cache
def _table() -> dict[int, str]:
    """OpenCC's simplified form of each character by itself, so that every one keeps its place."""
    from opencc import OpenCC

    characters = [chr(code) for code in range(0x3400, 0xA000)]
    found = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    # OpenCC leaves 覆 as it is, but 回覆 and 答覆 are what is written 回复 and 答复.
    return {**str.maketrans(dict(zip(characters, found, strict=True))), ord("覆"): "复"}


def simplify(text: str) -> str:
    """The text with traditional characters made simplified, each in its place."""
    return text if text.isascii() else text.translate(_table())


def bulleted(text: str) -> str:
    """The text with a dash before each entry of a list, whatever sign stands there."""
    return _BULLET.sub(r"\1- ", _KEYCAP.sub(r"\1.", text))


def fold(text: str) -> str:
    """The text in compatibility form and simplified characters, its ticks and crosses alike,
    without emoji; its case kept."""
    if text.isascii():
        return text
    plain = compatibility_form(text.translate(_SIGNS)).translate(_SIGNS)
    kept = (
        sign
        if sign.isascii() or sign in _TICKS or unicodedata.category(sign) not in _EMOJI
        else " "
        for sign in plain
    )
    return simplify("".join(kept))


def normalize_text(text: str) -> str:
    """The folded text in lower case, without ticks."""
    return fold(text).casefold().replace("✓", " ").replace("✗", " ")


def unmarked(text: str) -> str:
    """The folded text without the marks of Markdown, TeX and HTML; lines stay lines."""
    plain = _BOX.sub(lambda box: " ✗ " if box[1] in " ✗" else " ✓ ", fold(bulleted(text)))
    plain = _BRACKETED.sub(r"\n\1: ", plain)
    plain = _TEX.sub(" ", _TAGS.sub("\n", plain))
    if plain.count("{") == plain.count("}"):
        plain = plain.replace("{", " ").replace("}", " ")
    return _MARKS.sub("", _LINE_MARKS.sub("", plain)).strip()
