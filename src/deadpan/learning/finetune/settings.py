"""How an adapter is trained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What decides the weights that come out; a batch is that of one process."""

    rank: int = 8
    alpha: int = 16
    dropout: float = 0.0
    epochs: int = 10
    learning_rate: float = 1e-4
    batch_size: int = 4
    accumulate: int = 1
    vision: bool = False
    seed: int = 0
    warmup: float = 0.03
    """The share of the steps over which the learning rate rises."""
    weight_decay: float = 0.0
    largest_gradient: float = 1.0
