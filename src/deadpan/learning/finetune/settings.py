"""How an adapter is trained: its settings, and what is decided by them before the first step, which
examples each step sees and how fast it learns."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

_POOL = 50
"""Batches whose examples are sorted by length together."""


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


@dataclass(frozen=True)
class Step:
    """The batches of one step of the optimiser, over all processes; epochs count from 1."""

    epoch: int
    batches: tuple[tuple[int, ...], ...]
    ends_epoch: bool


def planned_steps(
    lengths: Sequence[int], batch: int, accumulate: int, epochs: int, seed: int
) -> list[Step]:
    """Every step of the training: each epoch sees each example once, beside others of its length.

    `batch` counts the examples of all processes. No examples raise ValueError.
    """
    if not lengths:
        raise ValueError("no examples")
    steps: list[Step] = []
    for epoch in range(1, epochs + 1):
        batches = _grouped(lengths, batch, random.Random(f"{seed}-{epoch}"))
        for start in range(0, len(batches), accumulate):
            end = start + accumulate
            steps.append(Step(epoch, tuple(batches[start:end]), end >= len(batches)))
    return steps


def _grouped(lengths: Sequence[int], batch: int, chance: random.Random) -> list[tuple[int, ...]]:
    """Shuffled batches of examples of like lengths, the longest first, as what does not fit into
    memory had better be known at once."""
    order = list(range(len(lengths)))
    chance.shuffle(order)
    pool = batch * _POOL
    batches: list[tuple[int, ...]] = []
    for first in range(0, len(order), pool):
        alike = sorted(order[first : first + pool], key=lambda index: -lengths[index])
        batches += [tuple(alike[at : at + batch]) for at in range(0, len(alike), batch)]
    chance.shuffle(batches)
    longest = max(range(len(batches)), key=lambda number: lengths[batches[number][0]])
    batches[0], batches[longest] = batches[longest], batches[0]
    return batches


def share(batch: Sequence[int], process: int, processes: int) -> tuple[list[int], bool]:
    """One process's part of a batch, and whether it counts: where there is none left for it, it
    computes the first example for nothing, as the others wait for it."""
    own = list(batch[process::processes])
    return (own, True) if own else ([batch[0]], False)


def learning_rate(step: int, steps: int, highest: float, warmup: float) -> float:
    """The rate of a step, counted from 1: up in a line, down to nothing in half a cosine."""
    rising = math.ceil(steps * warmup)
    if step <= rising:
        return highest * step / rising
    return highest * 0.5 * (1 + math.cos(math.pi * (step - rising) / (steps - rising + 1)))
