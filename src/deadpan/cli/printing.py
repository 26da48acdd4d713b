"""Scores in the terminal, and the options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import polars as pl
import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from deadpan.base.printable import visible
from deadpan.benchmarks import find
from deadpan.cli.output import (
    STANDARD_OUTPUT,
    console,
    errors,
    is_quiet,
    say,
    tell_of_stop,
    write_text_to,
)
from deadpan.core.measurement import SPREAD
from deadpan.core.metric import Metric
from deadpan.core.outcomes import NOT_JUDGED, Coverage, unasked
from deadpan.core.score import Score, scores_json, unavailable
from deadpan.core.signature import combined
from deadpan.core.usage import Prices, usage_lines
from deadpan.pipeline.progress import ConsoleReporter
from deadpan.pipeline.reporter import SILENT, Reporter

PricesOption = Annotated[
    Path | None,
    typer.Option(
        "--prices",
        envvar="DEADPAN_PRICES",
        help="JSON of prices per million tokens, on top of ours.",
    ),
]
GroupsOption = Annotated[bool, typer.Option("--groups", help="Print the scores by group too.")]


def counted_progress() -> Progress:
    """A bar for work whose pieces are counted."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=console)


class _Terminal(ConsoleReporter):
    """Notes on the standard output, progress on stderr."""

    def __init__(self) -> None:
        super().__init__(errors)

    def note(self, text: str, style: str | None = None) -> None:
        say(text, style)

    def warn(self, text: str) -> None:
        say(text, "yellow")

    def stopped(self, text: str) -> None:
        tell_of_stop(text)


def reporter() -> Reporter:
    """Who hears what a pipeline says: the terminal, or nobody with `--quiet`."""
    return SILENT if is_quiet() else _Terminal()


def number(value: float | None, decimals: int) -> str:
    """A score's value as printed; nothing scored is a dash."""
    # Adding 0 turns -0.0 into 0.0.
    return "–" if value is None else f"{round(value, decimals) + 0.0:.{decimals}f}"


def print_scores(
    scores: Sequence[Score], groups: bool, about: Callable[[str], Metric] = Metric
) -> None:
    """A table of scores with counts, then their signature; `about` tells of each metric which way
    is better and how many decimals it has."""
    asked = [score for score in scores if groups or score.group == "all"]
    spreads = {_key(score): score for score in asked if score.metric.endswith(SPREAD)}
    means = {(f.model, f.task, f.metric + SPREAD, f.group) for f in asked}
    shown = [score for score in asked if _key(score) not in spreads.keys() & means]
    known = {score.metric: about(score.metric) for score in shown}
    table = Table(box=None, header_style="bold", pad_edge=False)
    headings = ("model", "task", "metric", *(["group"] if groups else []))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for heading in ("value", "n", "invalid", "truncated", "refused", "unscored"):
        table.add_column(heading, justify="right")
    for score in shown:
        metric = known[score.metric]
        arrow = " ↓" if metric.is_lower_better else ""
        names_ = [
            score.model,
            score.task,
            f"{score.metric}{arrow}",
            *([score.group] if groups else []),
        ]
        table.add_row(
            *(escape(visible(name)) for name in names_),
            _with_spread(score, spreads, metric.decimals),
            str(score.n),
            *map(str, (score.invalid, score.truncated, score.refused, score.unscored)),
        )
    console.print(table)
    for line in unavailable(scores):
        say(line, "yellow")
    signatures = [score.signature for score in scores if score.signature]
    if signatures:
        signature = visible(f"signature: {combined(signatures)}")
        console.print(signature, style="dim", markup=False, highlight=False, soft_wrap=True)


Key = tuple[str, str, str, str]


def _key(score: Score) -> Key:
    return score.model, score.task, score.metric, score.group


def _with_spread(score: Score, spreads: Mapping[Key, Score], decimals: int) -> str:
    """The value, with its deviation behind ± where there is one."""
    spread = spreads.get((score.model, score.task, score.metric + SPREAD, score.group))
    value = number(score.value, decimals)
    if spread is None or spread.value is None:
        return value
    return f"{value} ± {number(spread.value, decimals)}"


def print_coverage(table: pl.DataFrame) -> None:
    """Per model and task how many questions ended how."""
    for (model, task), rows in table.group_by(["model", "task"], maintain_order=True):
        coverage = Coverage.of(rows["outcome"])
        unjudged = int((rows["reason"] == NOT_JUDGED).sum())
        style = "yellow" if coverage.unscored else None
        say(f"{model} {task}: {coverage.described(unjudged)}", style)
    say_unasked(table)


def print_usage(table: pl.DataFrame, prices: Prices) -> None:
    """What the model and the judge used, apart, and what that costs where prices are known."""
    for line in usage_lines(table, prices):
        say(line, "dim")


def say_unasked(table: pl.DataFrame) -> None:
    """Names the tasks of which questions are missing: a run that was broken off."""
    for line in unasked(table):
        say(f"{line}; run the same command again to ask them", "yellow")


def write_json(
    path: Path | None,
    scores: Mapping[str, Sequence[Score]],
    about: Callable[[str], Metric] | None = None,
) -> None:
    """Writes the scores of each benchmark where `--json` says, if it does."""
    if path is not None:
        write_text_to(path, scores_json(scores, lambda name: about or find(name).metric))
        if path != STANDARD_OUTPUT:
            say(f"wrote {path}")
