"""Word and character error rates (jiwer); Chinese is compared character by character in both."""

from __future__ import annotations

import re

import jiwer

_CJK = re.compile(r"([\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\u3000-\u303f\uff00-\uffef])")


def word_errors(reference: str, hypothesis: str) -> float:
    """Word error rate; each Chinese character counts as a word. An empty reference raises."""
    return _rate(_spaced(reference), _spaced(hypothesis))


def character_errors(reference: str, hypothesis: str) -> float:
    """Character error rate. An empty reference raises."""
    if not reference.strip():
        raise ValueError("the reference text is empty")
    return float(jiwer.cer(reference, hypothesis))


def _rate(reference: str, hypothesis: str) -> float:
    if not reference.strip():
        raise ValueError("the reference text is empty")
    return float(jiwer.wer(reference, hypothesis))


def _spaced(text: str) -> str:
    return " ".join(_CJK.sub(r" \1 ", text).split())
