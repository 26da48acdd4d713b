"""What training needs to go on, in one file that is written whole or not at all; and its curve."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.base.errors import InputError
from deadpan.base.files import is_there, write_text
from deadpan.engine.fewshot.policy import Array, read_arrays, write_arrays

CHECKPOINT = "checkpoint.npz"
CURVE = "curve.jsonl"


@dataclass(frozen=True, eq=False)
class Adam:
    """The moments of the gradient after so many steps (Kingma and Ba 2015), on flat weights."""

    first: Array
    second: Array
    steps: int = 0

    @classmethod
    def fresh(cls, weights: Array) -> Adam:
        """No step taken yet."""
        return cls(np.zeros_like(weights), np.zeros_like(weights))

    def step(self, weights: Array, gradient: Array, rate: float) -> tuple[Array, Adam]:
        """The weights after a step down the gradient, and the new moments."""
        steps = self.steps + 1
        first = 0.9 * self.first + 0.1 * gradient
        second = 0.999 * self.second + 0.001 * gradient**2
        size = np.sqrt(second)
        size *= 1 / np.sqrt(1 - 0.999**steps).astype(weights.dtype)
        size += 1e-8
        step = first / size
        step *= weights.dtype.type(rate / (1 - 0.9**steps))
        return weights - step, Adam(first, second, steps)


@dataclass(frozen=True)
class Point:
    """One update; `validation_failed` counts questions that failed though asked twice."""

    update: int
    reward: float | None = None
    baseline: float | None = None
    entropy: float | None = None
    gradient_norm: float | None = None
    failed: int = 0
    validation: float | None = None
    validation_failed: int = 0


@dataclass(frozen=True, eq=False)
class State:
    """Training after so many updates; `compared` marks the questions validation rests on."""

    identity: str
    weights: Array
    adam: Adam
    random: Any
    best: Array
    updates: int = 0
    baseline: float | None = None
    best_validation: float = -np.inf
    best_update: int = 0
    compared: npt.NDArray[np.bool_] | None = None
    since_best: int = 0
    curve: tuple[Point, ...] = ()

    @classmethod
    def fresh(cls, weights: Array, rng: np.random.Generator, identity: str) -> State:
        """Training before its first update."""
        return cls(identity, weights, Adam.fresh(weights), rng.bit_generator.state, weights)

    def generator(self) -> np.random.Generator:
        """The random numbers that come next."""
        bits = np.random.Philox()
        bits.state = self.random
        return np.random.Generator(bits)


def write_state(folder: Path, state: State) -> None:
    """Keeps the state in the folder, in place of an earlier one."""
    about = vars(state) | {"curve": [asdict(point) for point in state.curve]}
    arrays = {"weights": about.pop("weights"), "best": about.pop("best"), **vars(about.pop("adam"))}
    about["steps"] = arrays.pop("steps")
    text = json.dumps(about, default=np.ndarray.tolist).encode()
    write_arrays(folder / CHECKPOINT, about=np.frombuffer(text, np.uint8), **arrays)


def read_state(folder: Path, identity: str) -> State | None:
    """The state kept in the folder, if any; damaged, or of other data or settings, it raises."""
    path = folder / CHECKPOINT
    if not is_there(path):
        return None
    try:
        arrays = read_arrays(path)
        about = json.loads(arrays["about"].tobytes())
        adam = Adam(arrays["first"], arrays["second"], about.pop("steps"))
        if about["compared"] is not None:
            about["compared"] = np.array(about["compared"], bool)
        about["curve"] = tuple(Point(**point) for point in about["curve"])
        state = State(weights=arrays["weights"], adam=adam, best=arrays["best"], **about)
    except (OSError, ValueError, LookupError, TypeError) as error:
        fix = "Remove it to train anew: replies that were paid for are kept elsewhere."
        raise InputError(path, f"is not a whole checkpoint ({error})", fix) from error
    if state.identity != identity:
        fix = "Choose another folder, or remove the checkpoint to train anew."
        raise InputError(path, "was begun with other data, rewards or settings", fix)
    return state


def updates_done(folder: Path) -> int:
    """After how many updates the folder's training was kept; 0 where that cannot be told."""
    try:
        return int(json.loads(read_arrays(folder / CHECKPOINT)["about"].tobytes())["updates"])
    except (OSError, ValueError, LookupError, TypeError, InputError):
        return 0


def write_curve(folder: Path, curve: Sequence[Point]) -> None:
    """The learning curve as JSON lines."""
    write_text(folder / CURVE, "".join(json.dumps(asdict(point)) + "\n" for point in curve))
