"""The next token of each row: the likeliest, or one drawn by the row's own numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from deadpan.engine.local.prompts import Prompt


@dataclass(frozen=True, eq=False)
class Chooser:
    """How the rows of a batch choose their tokens. What a row draws depends on its own seed, never
    on who else is in the batch."""

    prompts: tuple[Prompt, ...]
    draws: tuple[random.Random, ...]
    penalty: float = 1.0
    """What repeated tokens are made unlikelier by, as the model's own settings have it."""

    def choose(self, logits: torch.Tensor, seen: torch.Tensor | None) -> torch.Tensor:
        """A token for each row; `seen` marks those that the row holds already."""
        if seen is not None:
            less = torch.where(logits > 0, logits / self.penalty, logits * self.penalty)
            logits = torch.where(seen, less, logits)
        likeliest = logits.argmax(-1)
        if not any(prompt.samples for prompt in self.prompts):
            return likeliest
        samples = [prompt.samples for prompt in self.prompts]
        return torch.where(_column(samples, logits), self._draw(logits.float()), likeliest)

    def _draw(self, logits: torch.Tensor) -> torch.Tensor:
        heat = _column([prompt.temperature or 1.0 for prompt in self.prompts], logits)
        values, order = (logits / heat[:, None]).sort(-1, descending=True)
        size = logits.shape[-1]
        kept = _column([prompt.top_k or size for prompt in self.prompts], logits)
        place = torch.arange(size, device=logits.device)
        values = values.masked_fill(place >= kept[:, None], -torch.inf)
        shares = values.softmax(-1)
        most = _column([1.0 if one.top_p is None else one.top_p for one in self.prompts], logits)
        before = shares.cumsum(-1) - shares
        shares = shares.masked_fill((before >= most[:, None]) & (place > 0), 0.0)
        numbers = _column([draw.random() for draw in self.draws], logits)
        bounds = shares.cumsum(-1)
        found = torch.searchsorted(bounds, (numbers * bounds[:, -1])[:, None], right=True)
        return order.gather(-1, found.clamp(max=size - 1))[:, 0]


def _column(values: Sequence[float], like: torch.Tensor) -> torch.Tensor:
    kind = torch.bool if isinstance(values[0], bool) else like.dtype
    return torch.tensor(values, dtype=kind, device=like.device)
