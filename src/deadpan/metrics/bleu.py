"""sacrebleu's BLEU-4 from statistics that add up: tokens by `13a`, Chinese by `zh`."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from deadpan.base.errors import MissingExtra
from deadpan.core.metric import Array, Statistics, Sums, ratio
from deadpan.core.questions import Language

TOKENIZERS: dict[Language, str] = {"en": "13a", "zh": "zh"}
_ORDERS = (1, 2, 3, 4)


def bleu_statistics(
    references: Sequence[str], hypotheses: Sequence[str], language: Language
) -> list[Statistics]:
    """What each pair adds to its language's BLEU: n-grams that match and that there are, lengths,
    and 1. Unequal numbers of texts and an empty reference raise ValueError."""
    metric = _metric(language, effective_order=True)  # counts are the same, and it does not warn
    found: list[Statistics] = []
    for number, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        if not reference.strip():
            raise ValueError(f"reference {number} is empty")
        score = metric.sentence_score(hypothesis, [reference])
        counts = {"n": 1, "length": score.sys_len, "reference": score.ref_len}
        counts |= {f"match{order}": score.counts[order - 1] for order in _ORDERS}
        counts |= {f"total{order}": score.totals[order - 1] for order in _ORDERS}
        found.append({(name, language): float(count) for name, count in counts.items()})
    return found


def bleu(sums: Sums, effective_order: bool = False) -> Array:
    """Corpus BLEU-4, 0 to 100, with sacrebleu's exponential smoothing; of several languages the
    mean, weighted by pairs, as no tokenizer splits both. `effective_order` leaves out orders of
    which texts are too short to have any n-gram; else these make it 0."""
    match, total = (
        np.stack([sums.by_label(f"{name}{order}") for order in _ORDERS], axis=-1)
        for name in ("match", "total")
    )
    missing = (match == 0) & (total > 0)
    smoothed = np.where(missing, 0.5 ** missing.cumsum(axis=-1), match)
    precision = ratio(smoothed, total, nothing=0.0)
    length, reference = sums.by_label("length"), sums.by_label("reference")
    brevity = np.exp(np.minimum(0, 1 - ratio(reference, length, nothing=np.inf)))
    if effective_order:
        precision = np.where(total > 0, precision, 1.0)
        orders = np.maximum((total > 0).sum(axis=-1), 1)
    else:
        orders = np.full(total.shape[:-1], len(_ORDERS))
    geometric = precision.prod(axis=-1) ** (1 / orders)
    scores = 100 * brevity * geometric * match.any(axis=-1)
    pairs = sums.by_label("n")
    return ratio((pairs * scores).sum(axis=-1), pairs.sum(axis=-1))


def corpus_bleu(
    references: Sequence[str],
    hypotheses: Sequence[str],
    language: Language,
    effective_order: bool = False,
) -> float:
    """Corpus BLEU-4, 0 to 100, of texts in one language; none at all raises ValueError."""
    rows = bleu_statistics(references, hypotheses, language)
    if not rows:
        raise ValueError("no texts to compare")
    keys = tuple(rows[0])
    sums = Sums(keys, np.array([sum(row[key] for row in rows) for key in keys]))
    return float(bleu(sums, effective_order))


@cache
def bleu_signature(language: Language, effective_order: bool = False) -> str:
    """sacrebleu's own signature of how a language's BLEU is computed."""
    metric = _metric(language, effective_order=effective_order)
    metric.corpus_score(["a"], [["a"]])  # it names the number of references once it has some
    return str(metric.get_signature())


def _metric(language: Language, *, effective_order: bool) -> Any:
    try:
        library = importlib.import_module("sacrebleu.metrics")
    except ModuleNotFoundError:
        raise MissingExtra("BLEU", "text") from None
    return library.BLEU(tokenize=TOKENIZERS[language], effective_order=effective_order)
