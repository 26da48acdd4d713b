"""Greedy Match: tokens of two texts matched one to one, the most alike first.

The JanusMM paper names the greedy heuristic for matchings (Reingold and Tarjan 1981) and lexical
overlap, and gives no formula. Here: take the pair of free tokens that are most alike, match them,
go on until nothing alike is left. With s the sum of the likenesses of the matched pairs,
precision = s / tokens of the hypothesis, recall = s / tokens of the reference, F1 their harmonic
mean. Two kinds of likeness:

- lexical (the default): 1 for equal words; where a stemmer or synonyms are given, also 1 for equal
  stems and then for synonyms, taken after all equal words, in METEOR's order;
- embedded: the cosine of token vectors, as far as it is positive. Ties go to the pair that comes
  first in the hypothesis, then in the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deadpan.metrics.meteor import Stem, english_tokens, matches
from deadpan.metrics.neural import TextModel
from deadpan.metrics.synonyms import Synonyms
from deadpan.metrics.token_states import encoded, token_ids

Tokens = Callable[[str], Sequence[str]]

_AT_ONCE = 256
"""Pairs whose token vectors are held at a time."""


@dataclass(frozen=True)
class PRF:
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def greedy_matches(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    tokens: Tokens = english_tokens,
    stem: Stem | None = None,
    synonyms: Synonyms | None = None,
) -> tuple[PRF, ...]:
    """The lexical Greedy Match of each pair of texts; unequal or no texts raise ValueError.

    `english_tokens` splits Chinese into characters, `chinese_tokens` into words.
    """
    _require(hypotheses, references)
    return tuple(
        lexical_match(tokens(hypothesis), tokens(reference), stem=stem, synonyms=synonyms)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    )


def embedded_greedy_matches(
    hypotheses: Sequence[str], references: Sequence[str], model: TextModel
) -> tuple[PRF, ...]:
    """The embedded Greedy Match of each pair of texts, without the marks at their ends.

    Unequal or no texts raise ValueError. Texts are cut at the model's limit.
    """
    _require(hypotheses, references)
    found: list[PRF] = []
    for start in range(0, len(hypotheses), _AT_ONCE):
        stop = start + _AT_ONCE
        chunk = [*hypotheses[start:stop], *references[start:stop]]
        vectors = _token_vectors(dict.fromkeys(chunk), model)
        found += [
            embedded_match(vectors[hypothesis], vectors[reference])
            for hypothesis, reference in zip(
                hypotheses[start:stop], references[start:stop], strict=True
            )
        ]
    return tuple(found)


def lexical_match(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    *,
    stem: Stem | None = None,
    synonyms: Synonyms | None = None,
) -> PRF:
    """Greedy Match of two lists of words; no words in the hypothesis give 0, in the other raise."""
    if not reference:
        raise ValueError("the reference has no words")
    matched = len(matches(hypothesis, reference, stem, synonyms, lookup="word"))
    return _prf(matched, len(hypothesis), len(reference))


def embedded_match(hypothesis: npt.NDArray[np.float32], reference: npt.NDArray[np.float32]) -> PRF:
    """Greedy Match of two lists of unit vectors; an empty hypothesis gives 0, reference raises."""
    if not len(reference):
        raise ValueError("the reference has no tokens")
    if not len(hypothesis):
        return PRF(0.0, 0.0, 0.0)
    cosines = hypothesis @ reference.T
    total, rows, columns = 0.0, set(range(len(hypothesis))), set(range(len(reference)))
    for place in np.argsort(-cosines, axis=None, kind="stable").tolist():
        row, column = divmod(place, len(reference))
        likeness = float(cosines[row, column])
        if likeness <= 0 or not rows or not columns:
            break
        if row in rows and column in columns:
            total += min(likeness, 1.0)
            rows.remove(row)
            columns.remove(column)
    return _prf(total, len(hypothesis), len(reference))


def _token_vectors(texts: dict[str, None], model: TextModel) -> dict[str, npt.NDArray[np.float32]]:
    ids, _ = token_ids(model, list(texts))
    states = encoded(model, model.network, ids)
    rows: npt.NDArray[np.float32] = states.rows.float().cpu().numpy()
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    ends = [model.tokenizer.cls_token_id, model.tokenizer.sep_token_id]
    starts = states.starts.tolist()
    return {
        text: rows[start : start + len(one)][
            ~np.isin(one, [end for end in ends if end is not None])
        ]
        for text, one, start in zip(texts, ids, starts, strict=True)
    }


def _prf(matched: float, hypothesis: int, reference: int) -> PRF:
    if not matched:
        return PRF(0.0, 0.0, 0.0)
    precision, recall = matched / hypothesis, matched / reference
    return PRF(precision, recall, 2 * precision * recall / (precision + recall))


def _require(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses against {len(references)} references")
    if not hypotheses:
        raise ValueError("no texts")
