"""The weights of the reward, tuned on validation once for a policy, and kept in its folder: tuning
again would not give the same weights where calls failed, and a training run goes on only with the
weights it was begun with.

Each unit is one way to choose demonstrations, put to all validation questions: the mean of every
reward part, and `mean_score`, the mean of the label, target and explanation scores of the answers,
as far as their questions have them. Form does not count in it, as no task is judged by it; nor does
the label alone, which would leave target and explanation to chance. Of all weights on a grid over
the simplex the ones are taken whose reward follows that score best over the units (Pearson's r);
among equally good ones, the most even. A policy that earns such a reward moves the score.

What this does not do: the score is itself a mean of three of the parts, so that the weights come
out near those that make the reward this mean, whatever the model answers; its answers decide how
much form may count, and between near neighbours on the grid. No policies are trained and compared
by weights, which would cost a training run each: that is left to the user (`--weights`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_there, read_text, write_text
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.reward import PARTS, RewardParts, Weights
from deadpan.engine.fewshot.selection import RandomSelector
from deadpan.learning.fewshot.learning import choices_of
from deadpan.learning.fewshot.rewarding import ModelEnvironment
from deadpan.learning.fewshot.training import Told, ask_twice, no_progress

TUNED = "weights.json"
DRAWS = 8
"""Ways to choose at random that weights are tuned on."""
STEP = 10
"""Parts that the simplex is divided into along each side."""


class Tuned(BaseModel):
    """Weights, and what they were tuned for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    identity: str
    weights: Weights


def kept_or_tuned(
    environment: ModelEnvironment, shots: int, folder: Path, progress: Told = no_progress
) -> Weights:
    """The weights kept in the folder, else new ones, which are then kept there. Kept ones that are
    damaged, or of another model, task, data or number of demonstrations, raise."""
    identity = checksum([environment.parts_identity, shots, DRAWS])
    path = folder / TUNED
    if not is_there(path):
        made = Tuned(identity=identity, weights=tuned_weights(environment, shots, progress))
        write_text(path, made.model_dump_json(indent=1) + "\n")
        return made.weights
    again = "Choose another folder, or remove it to tune anew."
    try:
        kept = Tuned.model_validate_json(read_text(path))
    except ValidationError:
        raise InputError(path, "is not a whole record of tuned weights", again) from None
    if kept.identity != identity:
        what = "was tuned for another model, task, data or number of demonstrations"
        raise InputError(path, what, again)
    return kept.weights


def tuned_weights(
    environment: ModelEnvironment, shots: int, progress: Told = no_progress
) -> Weights:
    """The weights whose reward follows the mean of label, target and explanation scores best, over
    DRAWS random choices for the validation questions, as far as all choices for a question were
    answered. What cannot be tuned raises."""
    pool, questions = environment.pool, environment.questions["validation"]
    ways = [choices_of(RandomSelector(pool, shots, seed), pool, questions) for seed in range(DRAWS)]
    choices = list(dict.fromkeys(choice for way in ways for choice in way))
    found = ask_twice(lambda asked: environment.parts("validation", asked, progress), choices)
    known = {choice: one for choice, one in zip(choices, found, strict=True) if one is not None}
    rows = [row for row in zip(*ways, strict=True) if all(choice in known for choice in row)]
    if not rows:
        what = f"no validation question was answered {DRAWS} times; what was paid for is kept"
        raise DeadpanError(f"{what}: run the same command again")
    units = [[known[row[way]] for row in rows] for way in range(DRAWS)]
    try:
        return tune(units, [mean_score(unit) for unit in units])
    except ValueError as error:
        raise DeadpanError(f"the weights cannot be tuned: {error}; name them (--weights)") from None


def tune(units: Sequence[Sequence[RewardParts]], metric: Sequence[float]) -> Weights:
    """The weights whose mean reward follows the metric best. Every part that some question has
    keeps at least one step. Fewer than three units, or a metric that never moves, raise."""
    if len(units) != len(metric):
        raise ValueError(f"{len(units)} units against {len(metric)} values of the metric")
    if len(units) < 3:
        raise ValueError(f"{len(units)} units; at least three are needed")
    if np.ptp(metric) == 0:
        raise ValueError("what is shown makes no difference to the model's score")
    used = [name for name in PARTS if any(name in one.known for unit in units for one in unit)]
    best: tuple[float, float] | None = None
    for shares in product(range(1, STEP + 1), repeat=len(used)):
        if sum(shares) != STEP:
            continue
        named = {name: share / STEP for name, share in zip(used, shares, strict=True)}
        weights = Weights(**{**dict.fromkeys(PARTS, 0.0), **named})
        rewards = [float(np.mean([weights.total(one) for one in unit])) for unit in units]
        found = (_correlation(rewards, metric), -float(np.sum(np.square(shares))))
        if best is None or found > best:
            best, chosen = found, weights
    return chosen


def mean_score(unit: Sequence[RewardParts]) -> float:
    """The mean over answers of the mean of their scores other than form, those there are; where no
    answer has one, ValueError."""
    scores = [[value for name, value in one.known.items() if name != "format"] for one in unit]
    known = [sum(values) / len(values) for values in scores if values]
    if not known:
        raise ValueError("no answer has a score other than its form")
    return sum(known) / len(known)


def _correlation(rewards: Sequence[float], metric: Sequence[float]) -> float:
    """Pearson's r, to nine places so that equal ones are equal; −1 for rewards that never move."""
    if np.ptp(rewards) < 1e-12:
        return -1.0
    return round(float(np.corrcoef(rewards, metric)[0, 1]), 9)
