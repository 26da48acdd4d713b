"""The log of losses, a line a step, and its plot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import altair as alt

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, read_bytes, write_bytes, write_text
from deadpan.engine.local.adapters import PLOTS
from deadpan.learning.finetune.training import Told
from deadpan.reports.plot import Mark, chart_of, finished, plot_png, plot_svg
from deadpan.reports.theme import COLOURS, Spec

_SMOOTH = 0.03
"""The share of the steps that the thick line is the running mean of."""


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
    write_text(path, "".join(f"{json.dumps(asdict(one), allow_nan=False)}\n" for one in told))


def append_losses(path: Path, told: Sequence[Told]) -> None:
    """Adds steps to the log."""
    try:
        with path.open("a", encoding="utf-8") as stream:
            stream.writelines(f"{json.dumps(asdict(one), allow_nan=False)}\n" for one in told)
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        fix = "Free some space, and go on: the same command, without --fresh."
        raise InputError(path, what, fix) from error


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
    return finished(_layers(marks, points, names), title)


def _layers(marks: Sequence[Mark], points: Sequence[Mark], names: Sequence[str]) -> alt.LayerChart:
    colour = alt.Color(
        "split:N",
        title=None,
        scale=alt.Scale(domain=list(names), range=list(COLOURS[: len(names)])),
    )
    step = alt.X("step:Q", title="step", axis=alt.Axis(format="d", tickMinStep=1))
    titled = "loss, mean over the answers' tokens"
    loss = alt.Y("loss:Q", title=titled)
    each = chart_of(marks).mark_line(strokeWidth=1, opacity=0.35)
    mean = chart_of(marks).mark_line(strokeWidth=2.5)
    checked = chart_of(points).mark_line(strokeWidth=1.5, strokeDash=[4, 3], point={"size": 60})
    chart = alt.LayerChart(
        layer=[
            each.encode(x=step, y=loss, color=alt.value(COLOURS[0])),
            mean.encode(x=step, y=alt.Y("mean:Q", title=titled), color=colour),
            *([checked.encode(x=step, y=loss, color=colour)] if points else []),
        ]
    )
    return chart.properties(height=320)
