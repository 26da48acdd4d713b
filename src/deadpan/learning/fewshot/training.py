"""REINFORCE (Williams 1992) with a moving-average baseline: a policy learns from rewards alone.

An update draws queries, several sets of demonstrations for each, and has all of them rewarded at
once. What leads to the next update is kept in a checkpoint, whole or not at all: a killed training
run goes on from the last one and ends with the same weights, bit by bit.

Policies are compared by the mean reward of their own picks for validation queries, always the same
ones: those that were answered at the first validation. Calls that fail are made once more; a
validation that then still lacks one of these queries is counted in the curve and said, but is
neither the best nor one without improvement.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from deadpan.base.errors import DeadpanError
from deadpan.core.dataset import Split
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.policy import (
    Array,
    Picks,
    Policy,
    Queries,
    draw_picks,
    entropies,
    greedy,
    log_probability_slopes,
)
from deadpan.learning.fewshot.checkpoints import Point, State, read_state, write_curve, write_state

_logger = logging.getLogger("deadpan")

Choice = tuple[int, tuple[int, ...]]
"""A query's row and the pool's rows that are shown with it, in order."""
Progress = Callable[[int, int], None]
"""Hears how many of how many are done."""
AnswerT = TypeVar("AnswerT")
NO_REPLY = "not one of the model's replies could be had; what was paid for is kept"
_ENDS = frozenset({"updates", "patience", "save_every"})
"""What of the settings only says when training ends, or how often it is kept."""


@dataclass(frozen=True)
class Settings:
    """How a policy is trained. `updates` and `patience` only say when it ends."""

    shots: int = 1
    rollouts: int = 4
    batch: int = 8
    updates: int = 200
    learning_rate: float = 3e-3
    entropy: float = 0.05
    gradient_norm: float = 1.0
    decay: float = 0.9
    """The share of the old baseline in the new one."""
    hidden: int = 128
    prior: bool = True
    seed: int = 0
    validate_every: int = 10
    patience: int = 10
    """Validations without a better one after which training stops."""
    save_every: int = 10


class Environment(Protocol):
    """What rewards demonstrations."""

    @property
    def identity(self) -> str:
        """What the rewards depend on, beside the queries."""

    def rewards(self, split: Split, choices: Sequence[Choice]) -> Sequence[float | None]:
        """The reward of each choice; None where it could not be had."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Queries to learn from, others to stop by, and what rewards them."""

    train: Queries
    validation: Queries
    environment: Environment


@dataclass(frozen=True, eq=False)
class Trained:
    """The policy that was best on the validation queries, and how it came about."""

    policy: Policy
    validation: float
    updates: int
    best_update: int
    """After which update the policy was best; 0 where none beat the untrained one."""
    curve: tuple[Point, ...]
    stopped_early: bool


def train(
    problem: Problem,
    settings: Settings,
    folder: Path | None = None,
    progress: Callable[[Point], None] | None = None,
) -> Trained:
    """The best policy found. What was begun in the folder goes on; other settings raise."""
    state = _begin(problem, settings, folder)
    report = progress or (lambda point: None)
    while state.updates < settings.updates and state.since_best < settings.patience:
        if state.updates == 0 and not state.curve:
            state = _validate(problem, settings, state)
            report(state.curve[-1])
        state = _update(problem, settings, state)
        last = state.updates == settings.updates
        if last or state.updates % settings.validate_every == 0:
            state = _validate(problem, settings, state)
        ended = last or state.since_best >= settings.patience
        if folder and (ended or state.updates % settings.save_every == 0):
            write_state(folder, state)
            write_curve(folder, state.curve)
        report(state.curve[-1])
    policy, patience = _policy(problem, settings, state.best), settings.patience
    counts = (state.best_validation, state.updates, state.best_update)
    return Trained(policy, *counts, state.curve, stopped_early=state.since_best >= patience)


def no_progress(done: int, total: int) -> None:
    """Tells nobody."""


def ask_twice(
    ask: Callable[[Sequence[Choice]], Sequence[AnswerT | None]], choices: Sequence[Choice]
) -> list[AnswerT | None]:
    """What each choice brings; those that bring nothing are asked about once more."""
    found = list(ask(choices))
    failed = [place for place, one in enumerate(found) if one is None]
    again = ask([choices[place] for place in failed]) if failed else ()
    for place, one in zip(failed, again, strict=True):
        found[place] = one
    return found


def limit_norm(gradient: Array, norm: float) -> tuple[Array, float]:
    """The gradient, shortened to the norm where it is longer, and how long it was."""
    length = float(np.linalg.norm(gradient))
    return (gradient * (norm / length) if length > norm else gradient), length


def _policy(problem: Problem, settings: Settings, weights: Array) -> Policy:
    width = problem.train.vectors.shape[1]
    return Policy(width, settings.hidden, settings.prior, weights)


def _begin(problem: Problem, settings: Settings, folder: Path | None) -> State:
    """The state to go on from: the folder's, else a new one."""
    about = {key: value for key, value in vars(settings).items() if key not in _ENDS}
    about |= {"train": problem.train.checksum, "validation": problem.validation.checksum}
    identity = checksum({**about, "environment": problem.environment.identity})
    if folder and (known := read_state(folder, identity)):
        _logger.info("training goes on after update %d", known.updates)
        return known
    rng = np.random.Generator(np.random.Philox(settings.seed))
    width = problem.train.vectors.shape[1]
    weights = Policy.fresh(width, settings.hidden, rng, settings.prior).flat
    return State.fresh(weights, rng, identity)


def _update(problem: Problem, settings: Settings, state: State) -> State:
    rng, queries = state.generator(), problem.train
    policy = _policy(problem, settings, state.weights)
    rows = rng.choice(len(queries), min(settings.batch, len(queries)), replace=False)
    batch = queries.batch(rows)
    scores, hidden = policy.forward(batch)
    picks = draw_picks(scores, settings.shots, settings.rollouts, rng)
    draws = zip(rows, picks, strict=True)
    choices = [_choice(queries, row, places) for row, drawn in draws for places in drawn]
    # All draws are asked for at once, and once each.
    distinct = list(dict.fromkeys(choices))
    found = dict(zip(distinct, problem.environment.rewards("train", distinct), strict=True))
    rewards = _rewards([found[choice] for choice in choices]).reshape(picks.shape[:2])
    known = np.isfinite(rewards)
    mean = float(rewards[known].mean())
    baseline = mean if state.baseline is None else state.baseline
    advantages = np.where(known, rewards - baseline, 0) / known.sum()
    slopes = -log_probability_slopes(scores, picks, advantages)
    entropy, entropy_slopes = entropies(scores)
    slopes -= settings.entropy / len(rows) * entropy_slopes
    gradient = policy.gradient(batch, hidden, slopes.astype(policy.flat.dtype))
    gradient, length = limit_norm(gradient, settings.gradient_norm)
    weights, adam = state.adam.step(policy.flat, gradient, settings.learning_rate)
    updates, failed = state.updates + 1, int((~known).sum())
    point = Point(updates, mean, baseline, float(entropy.mean()), length, failed)
    return replace(
        state,
        weights=weights,
        adam=adam,
        updates=updates,
        baseline=settings.decay * baseline + (1 - settings.decay) * mean,
        random=rng.bit_generator.state,
        curve=(*state.curve, point),
    )


def _validate(problem: Problem, settings: Settings, state: State) -> State:
    """The state with the validation in the last point, and the best weights so far: the rewards are
    those of the policy's own picks, without drawing."""
    queries = problem.validation
    batch = queries.batch(np.arange(len(queries)))
    scores = _policy(problem, settings, state.weights).scores(batch)
    choices = [_choice(queries, *pick) for pick in enumerate(greedy(scores, settings.shots))]
    ask = partial(problem.environment.rewards, "validation")
    rewards = _rewards(ask_twice(ask, choices))
    known = np.isfinite(rewards)
    compared = known if state.compared is None else state.compared
    *before, last = state.curve or (Point(update=0),)
    last = replace(last, validation_failed=int((~known).sum()))
    if not known[compared].all():
        return replace(state, curve=(*before, last))
    reward = float(rewards[compared].mean())
    curve = (*before, replace(last, validation=reward))
    state = replace(state, curve=curve, compared=compared, since_best=state.since_best + 1)
    if reward <= state.best_validation:
        return state
    state = replace(state, best=state.weights, best_validation=reward, since_best=0)
    return replace(state, best_update=state.updates)


def _choice(queries: Queries, row: int, places: Picks) -> Choice:
    return int(row), tuple(queries.candidates[row, places].tolist())


def _rewards(found: Sequence[float | None]) -> Array:
    """The rewards as an array, with NaN for None; raises where not one could be had."""
    if all(reward is None for reward in found):
        raise DeadpanError(NO_REPLY)
    return np.array([np.nan if reward is None else reward for reward in found])
