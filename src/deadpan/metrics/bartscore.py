"""BARTScore (Yuan et al. 2021): the mean log-likelihood a model gives to each token of a text.

The mean is over all tokens of the target, its marks for beginning and end with them, as in the
paper's code. It is negative; nearer to 0 is better. Only scores of one model can be compared.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deadpan.metrics.neural import TextModel, torch_library
from deadpan.metrics.token_states import (
    States,
    TokenIds,
    batch_tokens,
    computed,
    encoded,
    even_batches,
    padded,
    token_ids,
)

MEMORY = 256 << 20

Pair = tuple[int, int]


@dataclass(frozen=True)
class BartScores:
    """The directions of BARTScore for every pair, in the given order.

    `precision` is the hypothesis given the reference, `recall` the reference given the hypothesis,
    `f1` their mean, `faithfulness` the hypothesis given its source, None where no sources are
    given. `truncated` counts texts cut at the model's limit, once per direction.
    """

    precision: tuple[float, ...]
    recall: tuple[float, ...]
    f1: tuple[float, ...]
    faithfulness: tuple[float, ...] | None
    truncated: int
    signature: str


@dataclass(frozen=True)
class Likelihoods:
    """Mean token log-likelihoods, and how many different texts were cut."""

    values: tuple[float, ...]
    truncated: int


def bartscore(
    hypotheses: Sequence[str],
    references: Sequence[str],
    model: TextModel,
    *,
    sources: Sequence[str] | None = None,
) -> BartScores:
    """BARTScore in every direction; unequal or no texts and an empty reference or source raise.

    An empty hypothesis has the likelihoods that the model gives to it: the paper defines no other.
    """
    _require(hypotheses, references, "reference")
    if sources is not None:
        _require(hypotheses, sources, "source")
    precision = log_likelihoods(references, hypotheses, model)
    recall = log_likelihoods(hypotheses, references, model)
    faithful = None if sources is None else log_likelihoods(sources, hypotheses, model)
    parts = [part for part in (precision, recall, faithful) if part is not None]
    return BartScores(
        precision=precision.values,
        recall=recall.values,
        f1=tuple((p + r) / 2 for p, r in zip(precision.values, recall.values, strict=True)),
        faithfulness=faithful.values if faithful else None,
        truncated=sum(part.truncated for part in parts),
        signature=f"bartscore-{model.identity}",
    )


def log_likelihoods(
    sources: Sequence[str], targets: Sequence[str], model: TextModel, *, memory: int = MEMORY
) -> Likelihoods:
    """The mean log-likelihood of each target's tokens given its source; each source encoded once.

    Source vectors of at most `memory` bytes are held at a time. Unequal or no texts raise.
    """
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} sources against {len(targets)} targets")
    if not sources:
        raise ValueError("no texts")
    source_numbers = {text: number for number, text in enumerate(dict.fromkeys(sources))}
    target_numbers = {text: number for number, text in enumerate(dict.fromkeys(targets))}
    source_ids, cut_sources = token_ids(model, list(source_numbers))
    target_ids, cut_targets = token_ids(model, list(target_numbers), target=True)
    pairs = [
        (source_numbers[source], target_numbers[target])
        for source, target in zip(sources, targets, strict=True)
    ]
    found: dict[Pair, float] = {}
    room = max(1, memory // (4 * model.width))
    for chunk in _chunks(sorted(set(pairs)), source_ids, room):
        found |= _chunk_likelihoods(model, chunk, source_ids, target_ids)
    return Likelihoods(tuple(found[pair] for pair in pairs), cut_sources + cut_targets)


def _require(hypotheses: Sequence[str], others: Sequence[str], what: str) -> None:
    if len(hypotheses) != len(others):
        raise ValueError(f"{len(hypotheses)} hypotheses against {len(others)} {what}s")
    for number, text in enumerate(others):
        if not text.strip():
            raise ValueError(f"{what} {number} is empty")


def _chunks(pairs: Sequence[Pair], ids: Sequence[TokenIds], room: int) -> Iterator[list[Pair]]:
    """Pairs, sorted by source, in runs whose sources have no more than `room` tokens, or of one."""
    chunk: list[Pair] = []
    tokens = 0
    for pair in pairs:
        new = not chunk or chunk[-1][0] != pair[0]
        if chunk and new and tokens + len(ids[pair[0]]) > room:
            yield chunk
            chunk, tokens = [], 0
        chunk.append(pair)
        tokens += len(ids[pair[0]]) if new else 0
    yield chunk


def _chunk_likelihoods(
    model: TextModel,
    pairs: Sequence[Pair],
    source_ids: Sequence[TokenIds],
    target_ids: Sequence[TokenIds],
) -> dict[Pair, float]:
    sources = sorted({source for source, _ in pairs})
    place = {source: number for number, source in enumerate(sources)}
    states = encoded(model, model.network.get_encoder(), [source_ids[one] for one in sources])

    def likelihoods(batch: list[int]) -> list[float]:
        chosen = [pairs[index] for index in batch]
        targets = [target_ids[target] for _, target in chosen]
        return _decoded(model, states, [place[source] for source, _ in chosen], targets)

    longest = [max(len(source_ids[left]), len(target_ids[right])) for left, right in pairs]
    # A whole vocabulary of numbers for each token: a GPU's batches are an eighth of the usual.
    budget = batch_tokens(model) if model.device == "cpu" else batch_tokens(model) // 8
    batches = even_batches(longest, budget)
    results = computed(model, likelihoods, batches)
    return {
        pairs[index]: value
        for batch, result in zip(batches, results, strict=True)
        for index, value in zip(batch, result, strict=True)
    }


def _decoded(
    model: TextModel, states: States, sources: Sequence[int], targets: Sequence[TokenIds]
) -> list[float]:
    """The mean log-likelihood of each target, given the vectors of its source."""
    torch = torch_library()
    outputs = importlib.import_module("transformers.modeling_outputs")
    places, source_mask = states.places(sources)
    labels, mask = padded(model, targets)
    logits = model.network(
        encoder_outputs=outputs.BaseModelOutput(last_hidden_state=states.rows[places]),
        attention_mask=source_mask.long(),
        decoder_input_ids=model.network.prepare_decoder_input_ids_from_labels(labels=labels),
    ).logits
    losses = torch.nn.functional.cross_entropy(
        logits.float().transpose(1, 2), labels, reduction="none"
    )
    means = -(losses.where(mask, 0).sum(1) / mask.sum(1))
    result: list[float] = means.tolist()
    return result
