"""The weights of the reward, tuned once for a policy and kept in its folder.

Tuning again would not give the same weights where calls failed, and a training run goes on only
with the weights it was begun with.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_there, read_text, write_text
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.reward import RewardParts, Weights
from deadpan.engine.fewshot.selection import RandomSelector
from deadpan.learning.fewshot.learning import ReplyingEnvironment, choices_of
from deadpan.learning.fewshot.training import Told, twice_asked, unheard
from deadpan.learning.fewshot.weights import mean_score, tuned

TUNED = "weights.json"
DRAWS = 8
"""Ways to choose at random that weights are tuned on."""


class Tuned(BaseModel):
    """Weights, and what they were tuned for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    identity: str
    weights: Weights


def kept_or_tuned(
    environment: ReplyingEnvironment,
    shots: int,
    folder: Path,
    told: Told = unheard,
    draws: int = DRAWS,
) -> Weights:
    """The weights kept in the folder, else new ones, which are then kept there. Kept ones that are
    damaged, or of another model, task, data or number of demonstrations, raise."""
    identity = checksum([environment.parts_identity, shots, draws])
    path = folder / TUNED
    if is_there(path):
        return _kept(path, identity)
    weights = tuned_weights(environment, shots, told, draws)
    write_text(path, Tuned(identity=identity, weights=weights).model_dump_json(indent=1) + "\n")
    return weights


def tuned_weights(
    environment: ReplyingEnvironment, shots: int, told: Told = unheard, draws: int = DRAWS
) -> Weights:
    """The weights whose reward follows the mean of label, target and explanation scores best, over
    so many random choices for the validation questions, as far as all choices for a question were
    answered. What cannot be tuned raises."""
    ways = [
        choices_of(
            RandomSelector(environment.pool, shots, seed),
            environment.pool,
            environment.questions["validation"],
        )
        for seed in range(draws)
    ]
    choices = list(dict.fromkeys(choice for way in ways for choice in way))
    found = twice_asked(lambda asked: environment.parts("validation", asked, told), choices)
    known = {choice: one for choice, one in zip(choices, found, strict=True) if one is not None}
    rows = [row for row in zip(*ways, strict=True) if all(choice in known for choice in row)]
    if not rows:
        what = f"no validation question was answered {draws} times; what was paid for is kept"
        raise DeadpanError(f"{what}: run the same command again")
    units: list[list[RewardParts]] = [[known[row[way]] for row in rows] for way in range(draws)]
    try:
        return tuned(units, [mean_score(unit) for unit in units])
    except ValueError as error:
        raise DeadpanError(f"the weights cannot be tuned: {error}; name them (--weights)") from None


def _kept(path: Path, identity: str) -> Weights:
    again = "Choose another folder, or remove it to tune anew."
    try:
        kept = Tuned.model_validate_json(read_text(path))
    except ValidationError:
        raise InputError(path, "is not a whole record of tuned weights", again) from None
    if kept.identity != identity:
        what = "was tuned for another model, task, data or number of demonstrations"
        raise InputError(path, what, again)
    return kept.weights
