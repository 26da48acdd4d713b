"""What a training writes as it goes: the log of losses, a line a step, its plot, and what an
interrupted one goes on from, a file that is whole or not there."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import altair as alt

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, read_bytes, write_bytes, write_text
from deadpan.engine.local.adapters import PLOTS
from deadpan.engine.local.libraries import library
from deadpan.learning.finetune.training import State, Told
from deadpan.reports.plot import Mark, chart_of, finished, plot_png, plot_svg
from deadpan.reports.theme import COLOURS, Spec

_SMOOTH = 0.03
"""The share of the steps that the thick line is the running mean of."""

Identity = Mapping[str, str | int | float | bool]
"""What must be equal for a training to be the same one."""


def read_losses(path: Path, until: int | None = None) -> list[Told]:
    """The steps of a log up to one of them; a line that was cut short ends it, no log is empty."""
    told: list[Told] = []
    text = read_bytes(path).decode("utf-8", "replace") if is_file(path) else ""
    for line in text.splitlines():
        try:
            one = Told(**json.loads(line))
            counts = until is None or one.step <= until
        except (ValueError, TypeError, RecursionError):
            break
        if counts:
            told.append(one)
    return told


def write_losses(path: Path, told: Sequence[Told]) -> None:
    """Writes the log anew."""
    write_text(path, _lines(told))


def append_losses(path: Path, told: Sequence[Told]) -> None:
    """Adds steps to the log."""
    try:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(_lines(told))
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        fix = "Free some space, and go on: the same command, without --fresh."
        raise InputError(path, what, fix) from error


def _lines(told: Sequence[Told]) -> str:
    return "".join(f"{json.dumps(asdict(one), allow_nan=False)}\n" for one in told)


def write_plot(folder: Path, told: Sequence[Told], title: str) -> None:
    """Writes `losses.svg` and `losses.png` into the folder."""
    spec = losses_plot(told, title)
    drawn, painted = PLOTS
    write_text(folder / drawn, plot_svg(spec))
    write_bytes(folder / painted, plot_png(spec))


def losses_plot(told: Sequence[Told], title: str) -> Spec:
    """The training loss of each step, thin, and its running mean; the validation loss as points.

    No steps raise ValueError."""
    if not told:
        raise ValueError("no steps")
    width = max(1, round(len(told) * _SMOOTH))
    losses = [one.loss for one in told]
    means = [
        sum(part) / len(part)
        for part in (losses[max(0, end - width) : end] for end in range(1, len(losses) + 1))
    ]
    names = ["training", "validation"]
    marks: list[Mark] = [
        {"step": one.step, "loss": one.loss, "mean": mean, "split": names[0]}
        for one, mean in zip(told, means, strict=True)
    ]
    points: list[Mark] = [
        {"step": one.step, "loss": one.validation, "split": names[1]}
        for one in told
        if one.validation is not None
    ]
    scale = alt.Scale(domain=names, range=list(COLOURS[: len(names)]))
    colour = alt.Color("split:N", title=None, scale=scale)
    step = alt.X("step:Q", title="step", axis=alt.Axis(format="d", tickMinStep=1))
    titled = "loss, mean over the answers' tokens"
    loss = alt.Y("loss:Q", title=titled)
    each = chart_of(marks).mark_line(strokeWidth=1, opacity=0.35)
    mean = chart_of(marks).mark_line(strokeWidth=2.5)
    layers = [
        each.encode(x=step, y=loss, color=alt.value(COLOURS[0])),
        mean.encode(x=step, y=alt.Y("mean:Q", title=titled), color=colour),
    ]
    if points:
        checked = chart_of(points).mark_line(strokeWidth=1.5, strokeDash=[4, 3], point={"size": 60})
        layers.append(checked.encode(x=step, y=loss, color=colour))
    return finished(alt.LayerChart(layer=layers).properties(height=320), title)


def write_checkpoint(path: Path, state: State, identity: Identity) -> None:
    """Writes the state in place of an earlier one."""
    stream = io.BytesIO()
    library("torch").save({**vars(state), "identity": dict(identity)}, stream)
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
