"""Encoded examples, side by side: padded on the right, with the places that have a loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from deadpan.engine.local.chat import IGNORED, Encoded
from deadpan.engine.local.libraries import library

COLUMNS, TARGETS = "columns", "targets"
Batch = dict[str, Any]
"""Tensors by the names of the model's inputs, with COLUMNS and TARGETS beside them."""


class Corpus(Protocol):
    """Examples, of which tokens and answers' tokens are counted beforehand."""

    @property
    def lengths(self) -> Sequence[int]:
        """Tokens of each example."""
        ...

    @property
    def answers(self) -> Sequence[int]:
        """Tokens with a loss of each example."""
        ...

    def __getitem__(self, index: int) -> Encoded:
        """One example."""
        ...


def collated(examples: Sequence[Encoded], pad: int) -> Batch:
    """One batch. COLUMNS are the places after which some example has an answer's token, TARGETS
    those tokens, IGNORED where an example has none.

    Padding comes last, where a token that looks back only never sees it: such models need no mask.
    Those that look both ways tell tokens apart by `token_type_ids`, and get one.
    """
    torch = library("torch")
    pads = {"input_ids": pad, "labels": IGNORED}
    batch: Batch = {
        name: _joined([example.sequences[name][None] for example in examples], pads.get(name, 0))
        for name in examples[0].sequences
    }
    following = batch.pop("labels")[:, 1:]
    columns = (following != IGNORED).any(0).nonzero().flatten()
    if "token_type_ids" in batch:
        lengths = torch.tensor([len(example.sequences["input_ids"]) for example in examples])
        places = torch.arange(int(lengths.max()))
        batch["attention_mask"] = (places < lengths[:, None]).long()
    names = {name: None for example in examples for name in example.pictures}
    for name in names:
        shown = [example.pictures[name] for example in examples if name in example.pictures]
        batch[name] = _joined(shown, 0)
    return batch | {COLUMNS: columns, TARGETS: following[:, columns]}


def _joined(tensors: Sequence[Any], pad: int) -> Any:
    """The tensors one after the other; those that are smaller are filled up."""
    sizes = [max(sides) for sides in zip(*(one.shape[1:] for one in tensors), strict=True)]
    whole = tensors[0].new_full((sum(len(one) for one in tensors), *sizes), pad)
    start = 0
    for one in tensors:
        end = start + len(one)
        whole[(slice(start, end), *(slice(0, side) for side in one.shape[1:]))] = one
        start = end
    return whole
