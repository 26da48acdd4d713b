"""What an interrupted training goes on from: one file, whole or not there."""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import write_bytes
from deadpan.engine.local.libraries import library
from deadpan.learning.finetune.training import State

Identity = Mapping[str, str | int | float | bool]
"""What must be equal for a training to be the same one."""


def write_checkpoint(path: Path, state: State, identity: Identity) -> None:
    """Writes the state in place of an earlier one."""
    stream = io.BytesIO()
    held = {"step": state.step, "weights": state.weights, "optimizer": state.optimizer}
    library("torch").save({**held, "identity": dict(identity)}, stream)
    write_bytes(path, stream.getvalue())


def read_checkpoint(path: Path, identity: Identity) -> State | None:
    """The state to go on from; None where there is none. A damaged one, or that of another
    training, raises InputError."""
    if not path.exists():
        return None
    try:
        held = library("torch").load(path, map_location="cpu", weights_only=True)
        state = State(held["step"], held["weights"], held["optimizer"])
        earlier = held["identity"]
    except (OSError, RuntimeError, EOFError, KeyError, TypeError, pickle.UnpicklingError) as error:
        what = f"the checkpoint cannot be read ({type(error).__name__})"
        raise InputError(path, what, "Start anew with --fresh.") from error
    require_same(path, earlier, identity)
    return state


def require_same(path: Path, earlier: Identity, identity: Identity) -> None:
    """Raises where a training that was begun is not the one asked for, and says how they differ."""
    differing = [
        f"{name} {earlier.get(name)} → {identity.get(name)}"
        for name in dict.fromkeys([*earlier, *identity])
        if earlier.get(name) != identity.get(name)
    ]
    if differing:
        what = f"was begun otherwise ({', '.join(differing)})"
        raise InputError(path.parent, what, "Choose another --out, or start anew with --fresh.")
