"""Word and character error rates (jiwer); Chinese is compared character by character in both."""

from __future__ import annotations

import re

import jiwer

_CJK = re.compile(r"([\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\u3000-\u303f\uff00-\uffef])")


def words(text: str) -> list[str]:
    """The words of a text: runs without white space, and each Chinese character by itself."""
    return _CJK.sub(r" \1 ", text).split()


def word_errors(reference: str, hypothesis: str) -> float:
    """Word error rate; each Chinese character counts as a word. An empty reference raises."""
    _require(reference)
    return float(jiwer.wer(" ".join(words(reference)), " ".join(words(hypothesis))))


def character_errors(reference: str, hypothesis: str) -> float:
    """Character error rate. An empty reference raises."""
    _require(reference)
    return float(jiwer.cer(reference, hypothesis))


def _require(reference: str) -> None:
    if not reference.strip():
        raise ValueError("the reference text is empty")
