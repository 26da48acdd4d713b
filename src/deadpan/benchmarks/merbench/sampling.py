"""Which outputs each run of a view scores: drawn before any judge is asked, always the same."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm

import numpy as np

from deadpan.core.metric import Array
from deadpan.core.score import Draws

Output = tuple[str, str]
"""A meme's id and the model that edited it."""


@dataclass(frozen=True)
class Sampling:
    """How often is drawn, how much each time, and from which seed."""

    runs: int
    size: int
    seed: int = 0

    def __post_init__(self) -> None:
        if self.runs < 1 or self.size < 1 or self.seed < 0:
            raise ValueError(f"runs and size start at 1, seeds at 0: got {self}")


@dataclass(frozen=True)
class Views:
    """The paper's three samplings (section V-D and the notes of tables 2 and 3, figure 5)."""

    model: Sampling = Sampling(10, 100)
    factor: Sampling = Sampling(10, 50)
    overall: Sampling = Sampling(10, 700)

    @classmethod
    def of(cls, draws: Draws) -> Views:
        """The samplings of so many runs, with so many memes in the model view; the other views keep
        the paper's proportion to it. What is None is the paper's."""
        runs, size = draws.runs or 10, draws.size or 100
        sizes = (size, -(-size // 2), 7 * size)
        return cls(*(Sampling(runs, one, draws.seed or 0) for one in sizes))


def shared_samples(memes: Collection[str], sampling: Sampling) -> list[tuple[str, ...]]:
    """For each run the memes on which every model is scored, none twice; where there are no more
    than the size, all of them. No meme raises."""
    ordered = _in_order(memes)
    size = min(sampling.size, len(ordered))
    chance = np.random.default_rng(sampling.seed)
    return [
        tuple(ordered[i] for i in sorted(chance.choice(len(ordered), size, replace=False).tolist()))
        for _ in range(sampling.runs)
    ]


def spread_samples(
    memes: Collection[str], models: Sequence[str], sampling: Sampling
) -> list[tuple[Output, ...]]:
    """For each run outputs spread over models as evenly as possible, and over as many memes as
    there are; all outputs where there are no more than the size. No meme or model raises."""
    ordered, names = _in_order(memes), _in_order(models)
    chance = np.random.default_rng(sampling.seed)
    return [
        _dealt(
            [ordered[i] for i in chance.permutation(len(ordered)).tolist()],
            [names[i] for i in chance.permutation(len(names)).tolist()],
            sampling.size,
        )
        for _ in range(sampling.runs)
    ]


def _dealt(memes: Sequence[str], models: Sequence[str], size: int) -> tuple[Output, ...]:
    """The memes dealt to the models in turn. Each time the two cycles meet again the memes move on
    by one, so that no output comes twice before all have come."""
    cycle = lcm(len(memes), len(models))
    return tuple(
        (memes[(turn + turn // cycle) % len(memes)], models[turn % len(models)])
        for turn in range(min(size, len(memes) * len(models)))
    )


def draw_weights(samples: Sequence[Collection[Hashable]], units: Sequence[Hashable]) -> Array:
    """For each sample the weight of each unit: 1 where it was drawn, else 0."""
    places = {unit: place for place, unit in enumerate(units)}
    weights = np.zeros((len(samples), len(units)))
    for run, sample in enumerate(samples):
        weights[run, [places[unit] for unit in sample]] = 1
    return weights


def sampled_outputs(
    memes: Collection[str],
    models: Sequence[str],
    groups: Mapping[str, Collection[str]],
    views: Views,
) -> frozenset[Output]:
    """Every output that some run of some view scores: what a judge has to see, and no more. `memes`
    are the comparable ones, `groups` the memes of each value of the taxonomy."""
    drawn = {meme for run in shared_samples(memes, views.model) for meme in run}
    wanted = {(meme, model) for meme in drawn for model in models}
    for members in groups.values():
        if inside := set(members) & set(memes):
            wanted.update(*spread_samples(inside, models, views.factor))
    wanted.update(*spread_samples(memes, models, views.overall))
    return frozenset(wanted)


def _in_order(names: Collection[str]) -> list[str]:
    """The names in an order that does not depend on how they came."""
    if not names:
        raise ValueError("nothing to sample from")
    return sorted(set(names))
