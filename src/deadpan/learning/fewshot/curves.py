"""The learning curve as a picture: rewards in training and on validation, and the entropy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import altair as alt

from deadpan.base.files import write_bytes, write_text
from deadpan.learning.fewshot.checkpoints import Point
from deadpan.reports.plot import plot_png, plot_svg
from deadpan.reports.theme import COLOURS, CONFIG, GREY

_SERIES = {
    "reward": "reward of the draws",
    "baseline": "moving average",
    "validation": "validation, without drawing",
}


def learning_curve(curve: Sequence[Point]) -> alt.VConcatChart:
    """Rewards above, entropy of the first draw below, by update; no point raises ValueError."""
    if not curve:
        raise ValueError("no updates")
    rows = [
        {"update": point.update, "series": label, "value": getattr(point, name)}
        for point in curve
        for name, label in _SERIES.items()
        if getattr(point, name) is not None
    ]
    spread = [
        {"update": point.update, "entropy": point.entropy}
        for point in curve
        if point.entropy is not None
    ]
    colour = alt.Color("series:N", title=None).scale(
        domain=list(_SERIES.values()), range=[GREY, *COLOURS[:2]]
    )
    rewards = (
        alt.Chart(alt.InlineData(rows), width=560, height=260)
        .mark_line(clip=True)
        .encode(
            x=alt.X("update:Q", title=None),
            y=alt.Y("value:Q", title="reward").scale(zero=False),
            color=colour.legend(orient="top"),
        )
    )
    entropy = (
        alt.Chart(alt.InlineData(spread), width=560, height=90)
        .mark_line(color=GREY)
        .encode(
            x=alt.X("update:Q", title="update"),
            y=alt.Y("entropy:Q", title="entropy, nats"),
        )
    )
    return alt.vconcat(rewards, entropy)


def write_plot(folder: Path, curve: Sequence[Point]) -> None:
    """The curve as `curve.svg` and `curve.png`."""
    spec = {**learning_curve(curve).to_dict(), "config": CONFIG}
    write_text(folder / "curve.svg", plot_svg(spec))
    write_bytes(folder / "curve.png", plot_png(spec))
