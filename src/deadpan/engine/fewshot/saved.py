"""A trained policy in a folder: its weights, and a card that says what they are for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, read_bytes, write_text
from deadpan.base.version import __version__
from deadpan.engine.fewshot.archives import read_arrays, write_arrays
from deadpan.engine.fewshot.policy import Policy
from deadpan.engine.fewshot.reward import Weights

WEIGHTS = "policy.npz"
CARD = "policy.json"


class Card(BaseModel):
    """What a policy was trained on, with what, and how far it came."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    benchmark: str
    task: str
    model: str
    shots: int
    width: int
    hidden: int
    prior: bool
    encoder: str
    text: str | None
    image: str | None
    pool: str
    rewards: str
    weights: Weights
    """Of the reward's parts."""
    validation: float
    updates: int
    best_update: int | None = None
    """After which update the weights were best; 0 is the untrained policy."""
    checksum: str
    deadpan: str = __version__


@dataclass(frozen=True, eq=False)
class SavedPolicy:
    """A policy and its card."""

    policy: Policy
    card: Card


def write_policy(folder: Path, saved: SavedPolicy) -> None:
    """Writes the weights, then the card, each whole or not at all."""
    write_arrays(folder / WEIGHTS, flat=saved.policy.flat)
    write_text(folder / CARD, saved.card.model_dump_json(indent=1) + "\n")


def read_policy(folder: Path) -> SavedPolicy:
    """The policy of a folder; one that is not there, damaged or not its card's raises."""
    again = "Train it: deadpan fewshot train B/TASK --model M --out POLICY."
    if not is_file(folder / CARD):
        raise InputError(folder, f"holds no policy ({CARD})", again)
    try:
        card = Card.model_validate_json(read_bytes(folder / CARD))
        flat = read_arrays(folder / WEIGHTS)["flat"]
        policy = Policy(card.width, card.hidden, card.prior, flat)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(folder, f"the policy cannot be read ({error})", again) from error
    if policy.checksum != card.checksum:
        raise InputError(folder, "the weights are not those of the card", again)
    return SavedPolicy(policy, card)
