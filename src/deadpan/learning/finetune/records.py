"""What a training writes as it goes: the log of losses, its plot, and the checkpoint."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

import altair as alt

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, read_bytes, write_bytes, write_text
from deadpan.engine.local import library
from deadpan.engine.local.adapters import PLOTS
from deadpan.learning.finetune.training import State, StepReport
from deadpan.reports.plot import Mark, chart_of, finish_chart, plot_png, plot_svg
from deadpan.reports.theme import COLOURS, Spec

FREE_SPACE = "Free some space, and go on: the same command, without --fresh."
_LOSS = "loss, mean over the answers' tokens"
_SMOOTH = 0.03
"""The share of the steps that the thick line is the running mean of."""

Identity = Mapping[str, str | int | float | bool]
"""What must be equal for a training to be the same one."""


def read_losses(path: Path, until: int | None = None) -> list[StepReport]:
    """The steps of a log up to one of them; a line that was cut short ends it, no log is empty."""
    told: list[StepReport] = []
    text = read_bytes(path).decode("utf-8", "replace") if is_file(path) else ""
    for line in text.splitlines():
        try:
            one = StepReport(**json.loads(line))
            told += [one] if until is None or one.step <= until else []
        except (ValueError, TypeError, RecursionError):
            break
    return told


def write_losses(path: Path, told: Sequence[StepReport]) -> None:
    """Writes the log anew."""
    write_text(path, _lines(told))


def append_losses(path: Path, told: Sequence[StepReport]) -> None:
    """Adds steps to the log."""
    try:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(_lines(told))
    except OSError as error:
        raise InputError(path, f"cannot be written ({error.strerror})", FREE_SPACE) from error


def _lines(told: Sequence[StepReport]) -> str:
    return "".join(f"{json.dumps(asdict(one), allow_nan=False)}\n" for one in told)


def write_plot(folder: Path, told: Sequence[StepReport], title: str) -> None:
    """Writes `losses.svg` and `losses.png` into the folder."""
    spec = losses_plot(told, title)
    drawn, painted = PLOTS
    write_text(folder / drawn, plot_svg(spec))
    write_bytes(folder / painted, plot_png(spec))


def losses_plot(told: Sequence[StepReport], title: str) -> Spec:
    """Training loss, thin, and its running mean; validation loss as points. No steps raise."""
    if not told:
        raise ValueError("no steps")
    width = max(1, round(len(told) * _SMOOTH))
    losses = [one.loss for one in told]
    marks: list[Mark] = [
        {"step": one.step, "loss": one.loss, "mean": fmean(recent), "split": "training"}
        for end, one in enumerate(told, 1)
        if (recent := losses[max(0, end - width) : end])
    ]
    points: list[Mark] = [
        {"step": one.step, "loss": one.validation, "split": "validation"}
        for one in told
        if one.validation is not None
    ]
    scale = alt.Scale(domain=["training", "validation"], range=list(COLOURS[:2]))
    colour = alt.Color("split:N", title=None, scale=scale)
    step = alt.X("step:Q", title="step", axis=alt.Axis(format="d", tickMinStep=1))
    loss, mean = (alt.Y(f"{name}:Q", title=_LOSS) for name in ("loss", "mean"))
    thin = chart_of(marks).mark_line(strokeWidth=1, opacity=0.35)
    thick = chart_of(marks).mark_line(strokeWidth=2.5)
    layers = [
        thin.encode(x=step, y=loss, color=alt.value(COLOURS[0])),
        thick.encode(x=step, y=mean, color=colour),
    ]
    if points:
        dashed = chart_of(points).mark_line(strokeWidth=1.5, strokeDash=[4, 3], point={"size": 60})
        layers.append(dashed.encode(x=step, y=loss, color=colour))
    return finish_chart(alt.LayerChart(layer=layers).properties(height=320), title)


def write_checkpoint(path: Path, state: State, identity: Identity) -> None:
    """Writes the state in place of an earlier one."""
    stream = io.BytesIO()
    library("torch").save({**vars(state), "identity": dict(identity)}, stream)
    write_bytes(path, stream.getvalue())


def read_checkpoint(path: Path, identity: Identity) -> State | None:
    """The state to go on from, if any; a damaged one, or that of another training, raises."""
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
