"""Rewards of ways to choose demonstrations, in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from deadpan.cli.printing import console, number, say
from deadpan.demonstrations.comparison import Interval
from deadpan.demonstrations.spending import Spent
from deadpan.demonstrations.trial import Trial
from deadpan.usage import Prices, cost_text, tokens_text, totals, usage_of

if TYPE_CHECKING:
    from deadpan.demonstrations.checkpoints import Point
    from deadpan.demonstrations.training import Trained
    from deadpan.engine.demonstrated_runs import Arms


@contextmanager
def training_bar(updates: int) -> Iterator[Callable[[Point], None]]:
    """A bar of updates; validations are said above it."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[said]}"),
    )
    with Progress(*columns, console=console) as bars:
        bar = bars.add_task("updates", total=updates, said="")

        def told(point: Point) -> None:
            bars.update(bar, completed=point.update, said=f"reward {point.reward or 0:.3f}")
            if point.validation is not None:
                say(
                    f"update {point.update}: reward {point.reward or 0:.3f}, "
                    f"validation {point.validation:.3f}, entropy {point.entropy or 0:.2f}"
                )

        yield told


def print_trained(done: Trained) -> None:
    """How training ended, and where nothing was learnt, that."""
    ended = "stopped early" if done.stopped_early else "done"
    best = f"best validation reward {done.validation:.3f}, after update {done.best_update}"
    say(f"{ended} after {done.updates} updates; {best}")
    if done.best_update == 0:
        say("nothing beat the untrained policy on validation: the untrained one is kept", "yellow")


def print_spent(spent: Spent, model: str, prices: Prices) -> None:
    """Calls, tokens and cost, and how many answers were had before."""
    usage = spent.usage(model, "", prices)
    kept = f"; {spent.kept:,} answers were had before" if spent.kept else ""
    calls = f"{usage.calls:,} call{'s' if usage.calls != 1 else ''}"
    tokens = f", {tokens_text(usage)}, {cost_text(usage)}" if usage.calls else ""
    say(f"{model}: {calls}{tokens}{kept}", "dim")


def print_trial(trial: Trial, prices: Prices) -> None:
    """The mean reward and its parts with intervals, how many calls failed, and cost."""
    table = _table("score", "mean", "95 % interval", "n")
    for kind, one in trial.scores.items():
        table.add_row(kind, f"{one.mean:.3f}", _bounds(one), str(one.n))
    console.print(table)
    failed = sum(one is None for one in trial.parts)
    if failed:
        say(f"{failed} of {len(trial.parts)} calls failed and are left out", "yellow")
    print_spent(trial.spent, trial.model, prices)
    say(f"signature: {trial.signature}", "dim")


def print_comparison(found: Arms, prices: Prices) -> None:
    """Scores by arm, differences between arms, the benchmark's own figures, and cost."""
    means = _table("demonstrations", "score", "mean", "95 % interval", "n")
    for arm in found.arms:
        for kind, one in found.means[arm.name].items():
            means.add_row(escape(arm.name), kind, f"{one.mean:.3f}", _bounds(one), str(one.n))
    console.print(means)
    pairs = _table("paired difference", "score", "mean", "95 % interval", "n")
    for (ours, theirs), kinds in found.differences.items():
        for kind, one in kinds.items():
            pair = escape(f"{ours} − {theirs}")
            pairs.add_row(pair, kind, f"{one.mean:+.3f}", _bounds(one), str(one.n))
    console.print(pairs)
    figures = _table("demonstrations", "metric", "value")
    for arm in found.arms:
        for figure in arm.figures:
            if figure.group == "all" and figure.value is not None:
                figures.add_row(escape(arm.name), escape(figure.metric), number(figure.value))
    console.print(figures)
    for arm in found.arms:
        for usage in totals(usage_of(arm.table, prices)):
            told = f"{usage.calls:,} calls, {tokens_text(usage)}, {cost_text(usage)}"
            say(f"{arm.name}: {told}", "dim")
    for arm in found.arms:
        say(f"{arm.name}: {arm.table['signature'][0]}", "dim")


def _table(*headings: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in headings:
        table.add_column(heading)
    return table


def _bounds(one: Interval) -> str:
    return f"{one.low:+.3f} … {one.high:+.3f}"
