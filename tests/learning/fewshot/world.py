"""A simulated model whose useful demonstration is stated, and not the most similar one.

Every item has a scene and a trait. Its vector is the scene's direction, the trait's direction and
noise. Scenes weigh more, so that the fifty nearest candidates of a query share its scene and hold
all traits; the nearest of them share its trait too. The model answers rightly with probability
`floor`, and with `floor + lift × clarity` when the demonstration's trait is the one that helps the
query's trait. Which trait helps which is a seeded permutation: without fixed points in the hard
worlds, so that the most similar example is never the useful one; the identity in `similar`.
Clarity is a further direction of the vector (1 for all where `clarity` is off).

Shortcuts of the construction, and what rules them out:
- All directions go through one random rotation: no coordinate stands for a trait, and a world's
  rotation, directions and permutation are drawn anew for each seed.
- Scores are taken on queries and candidates that training never saw: memory is of no use.
- Traits are drawn evenly for queries and candidates, and the permutation is one to one: no
  candidate is good for all queries, and no rule about the candidate alone can win. `blind` trains
  the same policy with the query hidden, or the candidate, and both have to do clearly worse.
- The useful one is not the least similar one either: `farthest` is reported beside the others.
- A pair's outcome is drawn once and kept, as a cached reply is: asking again teaches nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from deadpan.core.dataset import Split
from deadpan.engine.fewshot.policy import Array, Policy, Queries, greedy
from deadpan.engine.fewshot.selection import CANDIDATES, project
from deadpan.learning.fewshot.training import Choice, Problem, Settings, train

Blind = Literal["query", "candidate"]


@dataclass(frozen=True)
class Difficulty:
    """How hard it is to see what helps."""

    name: str
    traits: int
    noise: float
    floor: float = 0.1
    lift: float = 0.8
    clarity: bool = False
    similar: bool = False


EASY = Difficulty("easy", traits=3, noise=0.2)
MEDIUM = Difficulty("medium", traits=5, noise=0.4)
HARD = Difficulty("hard", traits=6, noise=0.5, floor=0.2, lift=0.6, clarity=True)
SIMILAR = Difficulty("similar", traits=5, noise=1.2, similar=True)
DIFFICULTIES = (EASY, MEDIUM, HARD, SIMILAR)

_SCENES, _SCENE_WEIGHT, _TRAIT_WEIGHT = 6, 1.5, 1.0
_WIDTH = 24


@dataclass(frozen=True, eq=False)
class Items:
    """Vectors with what they stand for."""

    vectors: Array
    traits: npt.NDArray[np.intp]
    clarity: Array


@dataclass(frozen=True, eq=False)
class World:
    """One seed's world: what helps what, and the items of each split."""

    difficulty: Difficulty
    helps: npt.NDArray[np.intp]
    splits: dict[str, tuple[Items, Items, Queries]]
    luck: dict[str, Array]
    identity: str

    @cached_property
    def chances(self) -> dict[str, Array]:
        """How likely each query (row) is answered rightly with each candidate (column)."""
        return {split: self._chances(split) for split in self.splits}

    def _chances(self, split: str) -> Array:
        queries, pool, _ = self.splits[split]
        useful = self.helps[queries.traits][:, None] == pool.traits[None, :]
        return self.difficulty.floor + self.difficulty.lift * useful * pool.clarity[None, :]

    def rewards(self, split: Split, choices: Sequence[Choice]) -> list[float | None]:
        """1 where the model answers rightly, else 0; the first demonstration counts."""
        chances, luck = self.chances[split], self.luck[split]
        return [float(luck[row, shown[0]] < chances[row, shown[0]]) for row, shown in choices]


def made(difficulty: Difficulty, seed: int, queries: int = 300, pool: int = 300) -> World:
    """The world of a seed. Training and validation share candidates; test has its own."""
    rng = np.random.default_rng([seed, difficulty.traits, int(10 * difficulty.noise)])
    size = _SCENES + difficulty.traits + 1
    axes = np.linalg.qr(rng.normal(size=(_WIDTH, _WIDTH)))[0][:size]
    helps = np.arange(difficulty.traits)
    while not difficulty.similar and np.any(helps == np.arange(difficulty.traits)):
        helps = rng.permutation(difficulty.traits)
    seen, fresh = (_items(difficulty, axes, pool, rng) for _ in range(2))
    splits = {}
    for split, candidates in (("train", seen), ("validation", seen), ("test", fresh)):
        asked = _items(difficulty, axes, queries, rng)
        splits[split] = (asked, candidates, _queries(asked.vectors, candidates.vectors))
    luck = {split: rng.random((queries, pool)) for split in splits}
    return World(difficulty, helps, splits, luck, f"{difficulty.name} {seed}")


def _items(difficulty: Difficulty, axes: Array, count: int, rng: np.random.Generator) -> Items:
    traits = rng.permutation(np.arange(count) % difficulty.traits)
    scenes = rng.integers(_SCENES, size=count)
    told = rng.normal(size=count)
    vectors = _SCENE_WEIGHT * axes[scenes] + _TRAIT_WEIGHT * axes[_SCENES + traits]
    if difficulty.clarity:
        vectors = vectors + 0.5 * told[:, None] * axes[-1]
    vectors = vectors + difficulty.noise / np.sqrt(_WIDTH) * rng.normal(size=vectors.shape)
    clarity = 1 / (1 + np.exp(-2 * told)) if difficulty.clarity else np.ones(count)
    return Items(project(vectors, _WIDTH), traits, clarity)


def _queries(asked: Array, pool: Array) -> Queries:
    cosines = asked @ pool.T / _WIDTH
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :CANDIDATES]
    return Queries(asked, pool, nearest, np.take_along_axis(cosines, nearest, 1))


def problem(world: World, blind: Blind | None = None) -> Problem:
    """The world as something to train on; `blind` hides one side from the policy."""
    return Problem(
        hidden(world.splits["train"][2], blind), hidden(world.splits["validation"][2], blind), world
    )


def hidden(queries: Queries, blind: Blind | None) -> Queries:
    """The queries with one side's vectors made 0, and nearness, which is made of both, too."""
    if blind is None:
        return queries
    nearness = np.zeros_like(queries.nearness)
    side = {"query": "vectors", "candidate": "pool"}[blind]
    return replace(queries, nearness=nearness, **{side: np.zeros_like(getattr(queries, side))})


SETTINGS = Settings(
    batch=32,
    rollouts=4,
    updates=160,
    learning_rate=5e-3,
    entropy=0.06,
    hidden=64,
    validate_every=20,
    patience=10,
)
QUICK = Settings(
    updates=24, batch=8, rollouts=3, hidden=16, shots=2, validate_every=5, save_every=4, seed=3
)


def outcome(world: World, settings: Settings, blind: Blind | None = None) -> dict[str, float]:
    """The expected reward, on the test split, of every way to choose and of the trained policy."""
    chances = world.chances["test"]
    queries = world.splits["test"][2]
    among = np.take_along_axis(chances, queries.candidates, 1)
    rows = np.arange(len(queries))
    scores = trained(world, settings, blind).scores(hidden(queries, blind).batch(rows))
    return {
        "random": float(chances.mean()),
        "retrieval": float(among[:, 0].mean()),
        "farthest": float(among[:, -1].mean()),
        "policy": float(among[rows, greedy(scores, 1)[:, 0]].mean()),
        "oracle": float(among.max(1).mean()),
    }


def trained(world: World, settings: Settings, blind: Blind | None = None) -> Policy:
    """The policy that training in the world gives."""
    return train(problem(world, blind), settings).policy
