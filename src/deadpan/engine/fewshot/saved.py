"""A trained policy in a folder: its weights, and a card that says what they are for.

Arrays lie in .npz files that end with their own SHA-256, so that damage is seen before any of it is
read; numpy reads such files too, and passes over the end.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, read_bytes, write_bytes, write_text
from deadpan.base.version import __version__
from deadpan.engine.fewshot.policy import Policy
from deadpan.engine.fewshot.reward import Weights

WEIGHTS = "policy.npz"
CARD = "policy.json"
_DIGEST = hashlib.sha256().digest_size


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


def write_arrays(path: Path, **arrays: npt.NDArray[Any]) -> None:
    """Writes the arrays, all of them or nothing."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    content = stream.getvalue()
    write_bytes(path, content + hashlib.sha256(content).digest())


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays by name; a file that is not as it was written raises ValueError."""
    content = read_bytes(path)
    content, digest = content[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        raise ValueError("it is not as it was written")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return dict(arrays)
    # What else numpy raises for a file that somebody made and signed in our way.
    except (zipfile.BadZipFile, zlib.error, EOFError, TypeError, MemoryError) as error:
        raise ValueError(f"it holds no arrays ({type(error).__name__})") from error
