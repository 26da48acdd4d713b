"""Options of scoring that several commands share, in groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from deadpan.cli.flags import MetricModelOption
from deadpan.cli.grouping import gone

if TYPE_CHECKING:
    from deadpan.core.scoring_options import Draws


@dataclass(frozen=True)
class ScoreFlags:
    """How answers are scored."""

    gate: Annotated[
        str | None,
        typer.Option(
            "--gate", help="What a Q1 answer other than Yes does to the rest: na|skip|none."
        ),
    ] = None
    metric_model: MetricModelOption = None


@dataclass(frozen=True)
class DrawFlags:
    """Which samples of the items are scored, where a benchmark scores samples."""

    draw_seed: Annotated[
        int, typer.Option("--draw-seed", min=0, help="Draws other samples of the items.")
    ] = 0
    draws: Annotated[
        int | None,
        typer.Option("--draws", min=1, help="How many samples; the paper's when left out."),
    ] = None
    draw_size: Annotated[
        int | None,
        typer.Option("--draw-size", min=1, help="Items of a sample; the paper's by default."),
    ] = None

    @property
    def drawn(self) -> Draws:
        """The same as scoring takes it."""
        from deadpan.core.scoring_options import Draws

        return Draws(self.draw_seed, self.draws, self.draw_size)


@dataclass(frozen=True)
class GoneDrawFlags:
    """What the options of draws were called before."""

    seed: Annotated[int | None, gone("--seed", "samples are drawn with --draw-seed")] = None
    runs: Annotated[int | None, gone("--runs", "how many samples are drawn is --draws")] = None
    sample: Annotated[int | None, gone("--sample", "the items of a sample are --draw-size")] = None
