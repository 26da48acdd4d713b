"""BLEU-4 as sacrebleu computes it, with its signature: tokens by `13a`, Chinese by `zh`."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from deadpan.base.errors import MissingExtra

Language = Literal["en", "zh"]
TOKENIZERS: dict[Language, str] = {"en": "13a", "zh": "zh"}


@dataclass(frozen=True)
class Bleu:
    """A corpus's BLEU, 0 to 100, and sacrebleu's signature of how it was computed."""

    score: float
    signature: str


@dataclass(frozen=True)
class SentenceBleus:
    """The BLEU of every pair, 0 to 100, in the given order, and sacrebleu's signature."""

    scores: tuple[float, ...]
    signature: str


def corpus_bleu(hypotheses: Sequence[str], references: Sequence[str], language: Language) -> Bleu:
    """BLEU-4 of all pairs together; unequal or no texts and an empty reference raise ValueError."""
    _require(hypotheses, references)
    metric = _metric(language, sentences=False)
    score = metric.corpus_score(list(hypotheses), [list(references)]).score
    return Bleu(float(score), str(metric.get_signature()))


def sentence_bleus(
    hypotheses: Sequence[str], references: Sequence[str], language: Language
) -> SentenceBleus:
    """BLEU-4 of each pair, with exponential smoothing and no order longer than the hypothesis.

    An empty hypothesis has 0; unequal or no texts and an empty reference raise ValueError.
    """
    _require(hypotheses, references)
    metric = _metric(language, sentences=True)
    scores = tuple(
        float(metric.sentence_score(hypothesis, [reference]).score)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    )
    return SentenceBleus(scores, str(metric.get_signature()))


def _metric(language: Language, *, sentences: bool) -> Any:
    try:
        library = importlib.import_module("sacrebleu.metrics")
    except ModuleNotFoundError:
        raise MissingExtra("BLEU", "text") from None
    return library.BLEU(tokenize=TOKENIZERS[language], effective_order=sentences)


def _require(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses against {len(references)} references")
    if not hypotheses:
        raise ValueError("no texts")
    for number, reference in enumerate(references):
        if not reference.strip():
            raise ValueError(f"reference {number} is empty")
