"""BLEU-4 between annotators, as `agreement.mean_bleu` gives it, by statistics that add up over
items."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from deadpan.core.metric import Array, Key, Statistics, Sums, ratio
from deadpan.core.questions import Language
from deadpan.metrics.annotation_questions import Question
from deadpan.metrics.bleu import bleu, bleu_statistics

_COMPARED = "compared"


def bleu_rows(question: Question, language: Language) -> dict[str, Statistics]:
    """What each item of a language adds to the BLEU of every ordered pair of annotators, the one's
    words against the other's, where they are compared. An empty text raises ValueError."""
    found: dict[str, dict[Key, float]] = {}
    part = question.among(list(question.said), language)
    compared = {*part.pairs, *((second, first) for first, second in part.pairs)}
    for (first, name), (second, against) in permutations(enumerate(part.said), 2):
        if (name, against) not in compared:
            continue
        one, other = part.said[name], part.said[against]
        shared = [item for item in one if item in other]
        references, texts = ([said[item] for item in shared] for said in (one, other))
        for item, row in zip(shared, bleu_statistics(references, texts, language), strict=True):
            counts = found.setdefault(item, {(_COMPARED, language): 1.0})
            counts |= {(key[0], f"{language}:{first}:{second}"): row[key] for key in row}
    return dict(found)


def mean_bleu_of(sums: Sums) -> Array:
    """0 to 1: of each ordered pair the corpus BLEU, of these the mean, and of languages the mean
    by their items. Its order is the effective one: equal texts of less than four words give 1."""
    total, weight = (np.zeros(sums.array.shape[:-1]) for _ in range(2))
    for language in ("en", "zh"):
        pairs = [label for label in sums.labels if label.startswith(f"{language}:")]
        if pairs:
            each = np.stack([_bleu_of(sums, label) for label in pairs], axis=-1)
            compared, known = sums.of_label(language)[_COMPARED], ~np.isnan(each)
            mean = ratio(np.where(known, each, 0).sum(axis=-1), known.sum(axis=-1), nothing=0.0)
            total, weight = total + mean * compared, weight + compared
    return ratio(total, weight)


def _bleu_of(sums: Sums, label: str) -> Array:
    """The BLEU of one pair of annotators."""
    places = [at for at, key in enumerate(sums.keys) if key[1:] == (label,)]
    own = Sums(tuple(sums.keys[at] for at in places), sums.array[..., places])
    return bleu(own, effective_order=True) / 100
