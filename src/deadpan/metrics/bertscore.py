"""BERTScore (Zhang et al. 2020): greedy cosine matching of token vectors, as `bert-score` does it.

Our own, as it is 2 to 9 times as fast as that package (bench/RESULTS.md). Pairs are taken reference
by reference, in chunks whose vectors fit into memory: a text is encoded once per chunk, and a
reference, with all its pairs beside it, nearly always once in all.
"""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.base.errors import InputError
from deadpan.base.files import read_text
from deadpan.metrics.neural import TextModel, library, token_model
from deadpan.metrics.token_states import (
    MEMORY,
    Pair,
    States,
    TokenIds,
    batch_tokens,
    pair_scores,
    token_ids,
)

LAYERS: dict[str, int] = json.loads(
    read_text(Path(__file__).parent / "data" / "bertscore_layers.json")
)
"""The layer to take from common models: as in `bert-score`, and MiniLM's last."""


@dataclass(frozen=True)
class BertScores:
    """Precision, recall and F1 of every pair, in the given order.

    `truncated` counts the different texts that were cut at the model's limit.
    """

    precision: tuple[float, ...]
    recall: tuple[float, ...]
    f1: tuple[float, ...]
    truncated: int
    signature: str


@dataclass(frozen=True)
class Baseline:
    """The scores of unrelated texts, which rescaling puts at 0."""

    precision: float
    recall: float
    f1: float


def baseline_scores(path: Path, layer: int) -> Baseline:
    """The baseline of one layer from a file as `bert-score` has them (LAYER,P,R,F)."""
    for number, row in enumerate(csv.reader(read_text(path).splitlines()), 1):
        if row and row[0].strip() == str(layer):
            try:
                precision, recall, f1 = (float(cell) for cell in row[1:])
            except ValueError:
                raise InputError(
                    f"{path}:{number}", f"got {','.join(row)!r}", "Expected LAYER,P,R,F in numbers."
                ) from None
            return Baseline(precision, recall, f1)
    raise InputError(path, f"no line for layer {layer}", "Take the baseline of the model used.")


def bertscore_model(
    name: str, layers: int | None = None, option: str = "--metric-model bertscore="
) -> TextModel:
    """The model cut after the layer that BERTScore takes; an unlisted one needs it named, as the
    `option` of the command line does."""
    chosen = layers or LAYERS.get(name) or LAYERS.get(name.rstrip("/").rpartition("/")[2])
    if chosen is None:
        fix = f"Name it: {option}{name}#LAYER."
        raise InputError(name, "no layer is known for this model", fix)
    return token_model(name, chosen)


@cache
def named_bertscore_model(name: str, option: str = "--metric-model bertscore=") -> TextModel:
    """The model of `NAME` or `NAME#LAYER`, by resource, folder or hub name."""
    model, _, layer = name.partition("#")
    if layer and (not layer.isdecimal() or not int(layer)):
        raise InputError(f"{option}{name}", "the layer is no number", "Write NAME#LAYER.")
    return bertscore_model(model, int(layer) if layer else None, option)


def bertscore(
    hypotheses: Sequence[str],
    references: Sequence[str],
    model: TextModel,
    *,
    idf: bool = False,
    baseline: Baseline | None = None,
    memory: int = MEMORY,
) -> BertScores:
    """The BERTScore of each hypothesis against its reference; idf is taken over the references.

    A hypothesis without tokens, or with none of any weight, has 0 in all three before rescaling,
    as in `bert-score`; a reference without any raises ValueError, as do unequal or no texts.
    """
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses against {len(references)} references")
    if not hypotheses:
        raise ValueError("no texts")
    numbers: dict[str, int] = {}
    pairs = [
        (numbers.setdefault(hypothesis, len(numbers)), numbers.setdefault(reference, len(numbers)))
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    ids, truncated = token_ids(model, list(numbers))
    weights = _token_weights(model, ids, [reference for _, reference in pairs], idf)
    for number, (_, reference) in enumerate(pairs):
        if not weights[reference].any():
            raise ValueError(f"reference {number} has no token of any weight")

    def prepare(
        states: States, texts: list[int]
    ) -> Callable[[list[Pair]], npt.NDArray[np.float32]]:
        torch = library("torch")
        place = {text: number for number, text in enumerate(texts)}
        rows = states.rows
        rows /= torch.linalg.vector_norm(rows, dim=-1, keepdim=True)
        order = np.argsort(states.starts.cpu().numpy())
        flat = torch.from_numpy(np.concatenate([weights[texts[text]] for text in order]))
        flat = flat.to(rows.device)
        return lambda batch: _match(states, flat, [(place[a], place[b]) for a, b in batch])

    found: dict[Pair, npt.NDArray[np.float32]] = pair_scores(
        model,
        model.network,
        sorted(set(pairs), key=lambda pair: pair[::-1]),
        (ids, ids),
        set,
        prepare,
        memory=memory,
        batch_size=4 * batch_tokens(model),
    )
    scores = np.stack([found[pair] for pair in pairs]).astype(np.float64)
    if baseline is not None:
        floor = np.array([baseline.precision, baseline.recall, baseline.f1])
        scores = (scores - floor) / (1 - floor)
    precision, recall, f1 = (tuple(column) for column in scores.T.tolist())
    settings = ("-idf" if idf else "") + ("-rescaled" if baseline else "")
    return BertScores(precision, recall, f1, truncated, f"bertscore-{model.identity}{settings}")


def _token_weights(
    model: TextModel, ids: Sequence[TokenIds], references: Sequence[int], idf: bool
) -> list[npt.NDArray[np.float32]]:
    """Each token's weight: 1, and 0 for the marks at both ends; or log((n + 1) / (uses + 1))."""
    if not idf:
        marks = (model.tokenizer.cls_token_id, model.tokenizer.sep_token_id)
        ends = [mark for mark in marks if mark is not None]
        return [(~np.isin(one, ends)).astype(np.float32) for one in ids]
    uses = np.zeros(max((int(one.max()) for one in ids if len(one)), default=0) + 1)
    for text, repeats in Counter(references).items():
        uses[np.unique(ids[text])] += repeats
    table = np.log((len(references) + 1) / (uses + 1))
    return [table[one].astype(np.float32) for one in ids]


def _match(states: States, weights: Any, pairs: Sequence[Pair]) -> npt.NDArray[np.float32]:
    """Precision, recall and F1 of each pair: every token goes to the nearest of the other side."""
    torch = library("torch")
    left, left_mask = states.places([pair[0] for pair in pairs])
    right, right_mask = states.places([pair[1] for pair in pairs])
    cosines = torch.bmm(states.rows[left], states.rows[right].transpose(1, 2)).float()
    cosines.masked_fill_(~(left_mask[:, :, None] & right_mask[:, None, :]), -math.inf)
    sides = ((cosines.amax(2), left, left_mask), (cosines.amax(1), right, right_mask))
    means = []
    for nearest, places, mask in sides:
        shares = weights[places].where(mask, 0)
        means.append((nearest.where(mask, 0) * shares).sum(1) / shares.sum(1))
    precision, recall = (mean.nan_to_num(0) for mean in means)
    recall = recall.where(~means[0].isnan(), 0)
    f1 = (2 * precision * recall / (precision + recall)).nan_to_num(0)
    result: npt.NDArray[np.float32] = torch.stack([precision, recall, f1], 1).cpu().numpy()
    return result
