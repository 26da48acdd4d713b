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
from deadpan.engine.fewshot.archives import read_arrays, write_arrays
from deadpan.engine.fewshot.policy import Array
from deadpan.learning.fewshot.optimiser import Adam

CHECKPOINT = "checkpoint.npz"
CURVE = "curve.jsonl"


@dataclass(frozen=True)
class Point:
    """One update of the learning curve; `validation` where it was measured after it on all the
    questions that policies are compared on. `failed` counts its draws without a reply, and
    `validation_failed` validation questions without one though asked twice."""

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
    """Training after so many updates. `compared` tells which validation questions policies are
    compared on, None before the first validation."""

    identity: str
    weights: Array
    adam: Adam
    updates: int
    baseline: float | None
    random: Any
    best: Array
    best_validation: float
    best_update: int
    compared: npt.NDArray[np.bool_] | None
    since_best: int
    curve: tuple[Point, ...]

    def generator(self) -> np.random.Generator:
        """The random numbers that come next."""
        bits = np.random.Philox()
        bits.state = self.random
        return np.random.Generator(bits)


def fresh_state(weights: Array, rng: np.random.Generator, identity: str) -> State:
    """Training before its first update."""
    return State(
        identity=identity,
        weights=weights,
        adam=Adam.fresh(weights),
        updates=0,
        baseline=None,
        random=rng.bit_generator.state,
        best=weights,
        best_validation=-np.inf,
        best_update=0,
        compared=None,
        since_best=0,
        curve=(),
    )


def write_state(folder: Path, state: State) -> None:
    """Keeps the state in the folder, in place of an earlier one."""
    about = {
        "identity": state.identity,
        "updates": state.updates,
        "steps": state.adam.steps,
        "baseline": state.baseline,
        "best_validation": state.best_validation,
        "best_update": state.best_update,
        "compared": None if state.compared is None else state.compared.tolist(),
        "since_best": state.since_best,
        "curve": [asdict(point) for point in state.curve],
        "random": _plain(state.random),
    }
    write_arrays(
        folder / CHECKPOINT,
        about=np.frombuffer(json.dumps(about).encode(), np.uint8),
        weights=state.weights,
        best=state.best,
        first=state.adam.first,
        second=state.adam.second,
    )


def kept_state(folder: Path, identity: str) -> State | None:
    """The state kept in the folder; None where there is none. A damaged one, or one of a training
    run with other data or settings, raises."""
    path = folder / CHECKPOINT
    if not is_there(path):
        return None
    try:
        arrays = read_arrays(path)
        about = json.loads(arrays["about"].tobytes())
        compared = about["compared"]
        state = State(
            identity=about["identity"],
            weights=arrays["weights"],
            adam=Adam(arrays["first"], arrays["second"], about["steps"]),
            updates=about["updates"],
            baseline=about["baseline"],
            random=_arrays(about["random"]),
            best=arrays["best"],
            best_validation=about["best_validation"],
            best_update=about["best_update"],
            compared=None if compared is None else np.array(compared, bool),
            since_best=about["since_best"],
            curve=tuple(Point(**point) for point in about["curve"]),
        )
    except (OSError, ValueError, LookupError, TypeError) as error:
        fix = "Remove it to train anew: replies that were paid for are kept elsewhere."
        raise InputError(path, f"is not a whole checkpoint ({error})", fix) from error
    if state.identity != identity:
        fix = "Choose another folder, or remove the checkpoint to train anew."
        raise InputError(path, "was begun with other data, rewards or settings", fix)
    return state


def write_curve(folder: Path, curve: Sequence[Point]) -> None:
    """The learning curve as JSON lines."""
    write_text(folder / CURVE, "".join(json.dumps(asdict(point)) + "\n" for point in curve))


def _plain(value: Any) -> Any:
    """A generator's state with its arrays as lists."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


def _arrays(value: Any) -> Any:
    """A generator's state with its lists as arrays."""
    if isinstance(value, dict):
        return {key: _arrays(inner) for key, inner in value.items()}
    return np.array(value, np.uint64) if isinstance(value, list) else value
