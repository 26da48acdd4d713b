"""Greedy Match: words of two texts matched one to one, the most alike first.

The JanusMM paper names the greedy heuristic for matchings (Reingold and Tarjan 1981) and lexical
overlap, and gives no formula. Here: equal words are matched; where a stemmer or synonyms are given,
then equal stems and then synonyms, in METEOR's order. With m matched words, precision = m / words
of the hypothesis, recall = m / words of the reference, F1 their harmonic mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from deadpan.metrics.meteor import Stem, english_tokens, matches
from deadpan.metrics.synonyms import Synonyms


class PRF(NamedTuple):
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def greedy_matches(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    tokens: Callable[[str], Sequence[str]] = english_tokens,
    stem: Stem | None = None,
    synonyms: Synonyms | None = None,
) -> tuple[PRF, ...]:
    """The Greedy Match of each pair of texts, 0 for a hypothesis without words; a reference without
    words and unequal or no texts raise ValueError.

    `english_tokens` splits Chinese into characters, `chinese_tokens` into words.
    """
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses against {len(references)} references")
    if not hypotheses:
        raise ValueError("no texts")
    found = []
    for pair in zip(hypotheses, references, strict=True):
        hypothesis, reference = map(tokens, pair)
        if not reference:
            raise ValueError("the reference has no words")
        matched = len(matches(hypothesis, reference, stem, synonyms, lookup="word"))
        precision, recall = matched / max(1, len(hypothesis)), matched / len(reference)
        mean = 2 * precision * recall / (precision + recall) if matched else 0.0
        found.append(PRF(precision, recall, mean))
    return tuple(found)
