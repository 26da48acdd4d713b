"""BARTScore (Yuan et al. 2021): the mean log-likelihood a model gives to each token of a text.

The mean is over all tokens of the target, its marks for beginning and end with them, as in the
paper's code. It is negative; nearer to 0 is better. Only scores of one model can be compared.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from deadpan.metrics.neural import TextModel, library
from deadpan.metrics.token_states import (
    MEMORY,
    Pair,
    States,
    TokenIds,
    batch_tokens,
    pad_tokens,
    pair_scores,
    token_ids,
)


class Likelihoods(NamedTuple):
    """Mean token log-likelihoods, and how many different texts were cut at the model's limit."""

    values: tuple[float, ...]
    truncated: int


class BartScores(NamedTuple):
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


def bartscore(
    hypotheses: Sequence[str],
    references: Sequence[str],
    model: TextModel,
    *,
    sources: Sequence[str] | None = None,
) -> BartScores:
    """BARTScore in every direction; unequal or no texts and an empty reference or source raise."""
    for what, others in (("reference", references), ("source", sources or ())):
        for number, text in enumerate(others):
            if not text.strip():
                raise ValueError(f"{what} {number} is empty")
    precision = log_likelihoods(references, hypotheses, model)
    recall = log_likelihoods(hypotheses, references, model)
    faithful = None if sources is None else log_likelihoods(sources, hypotheses, model)
    return BartScores(
        precision.values,
        recall.values,
        tuple((p + r) / 2 for p, r in zip(precision.values, recall.values, strict=True)),
        faithful and faithful.values,
        sum(part.truncated for part in (precision, recall, faithful) if part),
        f"bartscore-{model.identity}",
    )


def log_likelihoods(
    sources: Sequence[str], targets: Sequence[str], model: TextModel, *, memory: int = MEMORY
) -> Likelihoods:
    """The mean log-likelihood of each target's tokens given its source; each source encoded once.

    Unequal or no texts raise; an empty text has what the model gives it: the paper has no rule.
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

    def prepare(states: States, texts: list[int]) -> Callable[[list[Pair]], list[float]]:
        place = {text: number for number, text in enumerate(texts)}

        def decode(batch: list[Pair]) -> list[float]:
            wanted = [target_ids[target] for _, target in batch]
            return _target_likelihoods(model, states, [place[one] for one, _ in batch], wanted)

        return decode

    # A whole vocabulary of numbers for each token: a GPU's batches are an eighth of the usual.
    found = pair_scores(
        model,
        model.network.get_encoder(),
        sorted(set(pairs)),
        (source_ids, target_ids),
        lambda pair: {pair[0]},
        prepare,
        memory=memory,
        batch_size=batch_tokens(model) // (1 if model.device == "cpu" else 8),
    )
    return Likelihoods(tuple(found[pair] for pair in pairs), cut_sources + cut_targets)


def _target_likelihoods(
    model: TextModel, states: States, sources: Sequence[int], targets: Sequence[TokenIds]
) -> list[float]:
    """The mean log-likelihood of each target, given the vectors of its source."""
    outputs = importlib.import_module("transformers.modeling_outputs")
    places, source_mask = states.places(sources)
    labels, mask = pad_tokens(model, targets)
    logits = model.network(
        encoder_outputs=outputs.BaseModelOutput(last_hidden_state=states.rows[places]),
        attention_mask=source_mask.long(),
        decoder_input_ids=model.network.prepare_decoder_input_ids_from_labels(labels=labels),
    ).logits
    losses = library("torch").nn.functional.cross_entropy(
        logits.float().transpose(1, 2), labels, reduction="none"
    )
    means: list[float] = (-(losses.where(mask, 0).sum(1) / mask.sum(1))).tolist()
    return means
