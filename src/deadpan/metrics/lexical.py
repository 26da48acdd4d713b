"""Text similarity for `judge/lexical`, the stand-in that needs no model: word overlap, no meaning.

What it gives is never comparable with a model's judgement, and nothing chooses it by itself.
"""

from __future__ import annotations

import re

from deadpan.base.compatibility import compatibility_form

NAME = "lexical"
MODEL = f"judge/{NAME}"

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PIECES = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+")
_CHINESE = re.compile(rf"[{_HAN}]")
_ENGLISH = """a an and are as at be but by for from has have he her his if in is it its not of on or
she so than that the their them then there they this to was were what when which who will with"""
_EMPTY_WORDS = frozenset(_ENGLISH.split()) | frozenset("的了是在和也就都而及与着不这那他她它")


def coverage(wanted: str, given: str) -> float:
    """The share of the content units of `wanted` that `given` has; 0 where `wanted` has none."""
    units = content_units(wanted)
    return len(units & content_units(given)) / len(units) if units else 0.0


def content_units(text: str) -> frozenset[str]:
    """Words cut to a rough stem, and pairs of neighbouring Chinese characters; no empty words."""
    units: set[str] = set()
    for piece in _PIECES.findall(compatibility_form(text).casefold()):
        if _CHINESE.match(piece):
            units.update(pair for pair in _pairs(piece) if not set(pair) & _EMPTY_WORDS)
        elif piece not in _EMPTY_WORDS:
            units.add(re.sub(r"(?:ing|ed|es|s|ly)$", "", piece) if len(piece) > 4 else piece)
    return frozenset(units)


def _pairs(piece: str) -> list[str]:
    return [piece] if len(piece) == 1 else [piece[i : i + 2] for i in range(len(piece) - 1)]
