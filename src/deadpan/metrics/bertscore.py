"""BERTScore (Zhang et al. 2020): greedy cosine matching of token vectors, as `bert-score` does it.

Vectors of at most `memory` bytes are held at a time: pairs are taken reference by reference, in
chunks that fit. A text is encoded once per chunk, and a reference, with all its pairs beside it,
nearly always once in all.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.base.errors import InputError
from deadpan.base.files import read_text
from deadpan.metrics.neural import TextModel, token_model, torch_library
from deadpan.metrics.token_states import (
    States,
    TokenIds,
    batch_tokens,
    computed,
    encoded,
    even_batches,
    token_ids,
)

LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-chinese": 8,
    "bert-base-multilingual-cased": 9,
    "distilbert-base-uncased": 5,
    "roberta-base": 10,
    "roberta-large": 17,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "microsoft/deberta-xlarge-mnli": 40,
    "minilm": 6,
}
"""The layer to take from common models: as in `bert-score`, and MiniLM's last."""

MEMORY = 256 << 20

Pair = tuple[int, int]


@dataclass(frozen=True)
class Baseline:
    """The scores of unrelated texts, which rescaling puts at 0."""

    precision: float
    recall: float
    f1: float


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


def bertscore_model(
    name: str, layers: int | None = None, *, device: str | None = None, half: bool = False
) -> TextModel:
    """The model cut after the layer that BERTScore takes; an unlisted one needs it named."""
    chosen = layers or LAYERS.get(name) or LAYERS.get(name.rpartition("/")[2])
    if chosen is None:
        fix = "Name it: --metric-model bertscore=NAME#LAYER."
        raise InputError(name, "no layer is known for this model", fix)
    return token_model(name, chosen, device=device, half=half)


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
    texts, pairs = _indexed(hypotheses, references)
    ids, truncated = token_ids(model, texts)
    weights = _token_weights(model, ids, [reference for _, reference in pairs], idf)
    for number, (_, reference) in enumerate(pairs):
        if not weights[reference].any():
            raise ValueError(f"reference {number} has no token of any weight")
    found: dict[Pair, npt.NDArray[np.float32]] = {}
    room = max(1, memory // (4 * model.width))
    for chunk in _chunks(sorted(set(pairs), key=lambda pair: pair[::-1]), ids, room):
        found |= _chunk_scores(model, chunk, ids, weights)
    scores = np.stack([found[pair] for pair in pairs]).astype(np.float64)
    if baseline is not None:
        floor = np.array([baseline.precision, baseline.recall, baseline.f1])
        scores = (scores - floor) / (1 - floor)
    precision, recall, f1 = (tuple(column) for column in scores.T.tolist())
    settings = ("-idf" if idf else "") + ("-rescaled" if baseline else "")
    return BertScores(precision, recall, f1, truncated, f"bertscore-{model.identity}{settings}")


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


def _indexed(hypotheses: Sequence[str], references: Sequence[str]) -> tuple[list[str], list[Pair]]:
    """The different texts, and each pair as their numbers."""
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses against {len(references)} references")
    if not hypotheses:
        raise ValueError("no texts")
    numbers: dict[str, int] = {}
    pairs = [
        (numbers.setdefault(hypothesis, len(numbers)), numbers.setdefault(reference, len(numbers)))
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    return list(numbers), pairs


def _token_weights(
    model: TextModel, ids: Sequence[TokenIds], references: Sequence[int], idf: bool
) -> list[npt.NDArray[np.float32]]:
    """Each token's weight: 1, and 0 for the marks at both ends; or log((n + 1) / (uses + 1))."""
    size = max((int(one.max()) for one in ids if len(one)), default=0) + 1
    if idf:
        uses = np.zeros(size)
        for text, repeats in Counter(references).items():
            uses[np.unique(ids[text])] += repeats
        table = np.log((len(references) + 1) / (uses + 1))
    else:
        table = np.ones(size)
        ends = (model.tokenizer.cls_token_id, model.tokenizer.sep_token_id)
        table[[end for end in ends if end is not None and end < size]] = 0
    return [table[one].astype(np.float32) for one in ids]


def _chunks(pairs: Sequence[Pair], ids: Sequence[TokenIds], room: int) -> Iterator[list[Pair]]:
    """The pairs in runs whose different texts have no more than `room` tokens, or of one pair."""
    chunk: list[Pair] = []
    held: set[int] = set()
    tokens = 0
    for pair in pairs:
        new = set(pair) - held
        more = sum(len(ids[text]) for text in new)
        if chunk and tokens + more > room:
            yield chunk
            chunk, held, tokens = [], set(), 0
            new, more = set(pair), sum(len(ids[text]) for text in set(pair))
        chunk.append(pair)
        held |= new
        tokens += more
    yield chunk


def _chunk_scores(
    model: TextModel,
    pairs: Sequence[Pair],
    ids: Sequence[TokenIds],
    weights: Sequence[npt.NDArray[np.float32]],
) -> dict[Pair, npt.NDArray[np.float32]]:
    torch = torch_library()
    texts = sorted({text for pair in pairs for text in pair})
    place = {text: number for number, text in enumerate(texts)}
    states = encoded(model, model.network, [ids[text] for text in texts])
    rows = states.rows
    rows /= torch.linalg.vector_norm(rows, dim=-1, keepdim=True)
    flat = torch.empty(len(rows), device=rows.device)
    order = np.argsort(states.starts.cpu().numpy())
    flat.copy_(torch.from_numpy(np.concatenate([weights[texts[text]] for text in order])))

    def scores(batch: list[int]) -> npt.NDArray[np.float32]:
        chosen = [pairs[index] for index in batch]
        return _matched(states, flat, [(place[left], place[right]) for left, right in chosen])

    longest = [max(len(ids[left]), len(ids[right])) for left, right in pairs]
    batches = even_batches(longest, 4 * batch_tokens(model))
    results = computed(model, scores, batches)
    return {
        pairs[index]: score
        for batch, result in zip(batches, results, strict=True)
        for index, score in zip(batch, result, strict=True)
    }


def _matched(states: States, weights: Any, pairs: Sequence[Pair]) -> npt.NDArray[np.float32]:
    """Precision, recall and F1 of each pair: every token goes to the nearest of the other side."""
    torch = torch_library()
    left, left_mask = states.places([pair[0] for pair in pairs])
    right, right_mask = states.places([pair[1] for pair in pairs])
    cosines = torch.bmm(states.rows[left], states.rows[right].transpose(1, 2)).float()
    cosines.masked_fill_(~(left_mask[:, :, None] & right_mask[:, None, :]), -math.inf)
    sides = ((cosines.amax(2), left, left_mask), (cosines.amax(1), right, right_mask))
    means = []
    for nearest, places, mask in sides:
        shares = weights[places].where(mask, 0)
        total = (nearest.where(mask, 0) * shares).sum(1)
        means.append(total / shares.sum(1))
    precision, recall = (mean.nan_to_num(0) for mean in means)
    recall = recall.where(~means[0].isnan(), 0)
    f1 = (2 * precision * recall / (precision + recall)).nan_to_num(0)
    result: npt.NDArray[np.float32] = torch.stack([precision, recall, f1], 1).cpu().numpy()
    return result
