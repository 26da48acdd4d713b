"""BLEU-4 between annotators, as `agreement.mean_bleu` gives it, by statistics that add up over
items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from statistics import fmean

import numpy as np

from deadpan.core.metric import Array, Key, Statistics, Sums, ratio
from deadpan.core.questions import Language
from deadpan.metrics.annotation_questions import Question
from deadpan.metrics.bleu import bleu, bleu_statistics
from deadpan.metrics.text_scores import Measure

_COMPARED = "compared"


def remembered(measure: Measure) -> Measure:
    """The same, asked once for each pair of texts: groups of annotators share theirs."""
    known: dict[tuple[str, str, Language], Statistics] = {}

    def remember(
        references: Sequence[str], hypotheses: Sequence[str], language: Language
    ) -> list[Statistics]:
        pairs = [(*pair, language) for pair in zip(references, hypotheses, strict=True)]
        if new := [pair for pair in dict.fromkeys(pairs) if pair not in known]:
            first, second = ([pair[side] for pair in new] for side in (0, 1))
            known.update(zip(new, measure(first, second, language), strict=True))
        return [known[pair] for pair in pairs]

    return remember


def bleu_rows(
    question: Question, language: Language, measure: Measure = bleu_statistics
) -> dict[str, Statistics]:
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
        for item, row in zip(shared, measure(references, texts, language), strict=True):
            counts = found.setdefault(item, {(_COMPARED, language): 1.0})
            counts |= {(key[0], f"{language}:{first}:{second}"): row[key] for key in row}
    return dict(found)


def mean_of_pairs(rows: Iterable[Statistics], language: Language) -> float:
    """What `agreement.mean_bleu` gives, from what the items of a language add; no row raises."""
    summed: dict[Key, float] = {}
    for row in rows:
        for key, value in row.items():
            summed[key] = summed.get(key, 0.0) + value
    sums = Sums(tuple(summed), np.array(list(summed.values())))
    pairs = [label for label in sums.labels if label.startswith(f"{language}:")]
    return fmean(float(_bleu_of(sums, label)) for label in pairs)


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
