"""Rewards of ways to choose demonstrations, in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.progress import TextColumn

from deadpan.base.counting import count_noun
from deadpan.cli.output import console, print_line, progress_bars, say
from deadpan.cli.tables import p_text, plain_table, print_table
from deadpan.core.metric import Metric
from deadpan.core.usage import Prices, cost_text, tokens_text, totals, usage_of
from deadpan.learning.fewshot.rewards import Spent
from deadpan.metrics.statistics.comparing import Contest, best_first
from deadpan.metrics.statistics.intervals import interval_lines

if TYPE_CHECKING:
    from deadpan.core.score import Score
    from deadpan.learning.fewshot.checkpoints import Point
    from deadpan.learning.fewshot.comparison import Trial
    from deadpan.learning.fewshot.runs import Arms
    from deadpan.learning.fewshot.training import Trained
    from deadpan.metrics.statistics.paired import Difference

ABREAST = 3
"""Intervals side by side in a terminal of usual width."""


@contextmanager
def training_bar(updates: int) -> Iterator[Callable[[Point], None]]:
    """A bar of updates; validations, and calls that failed in them, are said above it."""
    with progress_bars(TextColumn("{task.fields[said]}")) as bars:
        bar = bars.add_task("updates", total=updates, said="")

        def report(point: Point) -> None:
            bars.update(bar, completed=point.update, said=f"reward {point.reward or 0:.3f}")
            fate = "not compared with others"
            if point.validation is not None:
                fate = "policies are compared on the other questions"
                drawn = ""
                if point.reward is not None:
                    drawn = f"reward {point.reward:.3f}, entropy {point.entropy or 0:.2f}, "
                say(f"update {point.update}: {drawn}validation {point.validation:.3f}")
            if point.validation_failed:
                failed = f"{count_noun(point.validation_failed, 'validation call')} failed"
                say(f"update {point.update}: {failed} though asked twice; {fate}", "yellow")

        yield report


def print_trained(done: Trained) -> None:
    """How training ended, and where nothing was learnt, that."""
    ended = "stopped early" if done.stopped_early else "done"
    best = f"best validation reward {done.validation:.3f}, after update {done.best_update}"
    say(f"{ended} after {count_noun(done.updates, 'update')}; {best}")
    if done.best_update == 0:
        say("nothing beat the untrained policy on validation: the untrained one is kept", "yellow")


def print_spent(spent: Spent, model: str, prices: Prices) -> None:
    """Calls, tokens and cost, and how many answers were had before."""
    usage = spent.usage(model, "", prices)
    kept = f"; {count_noun(spent.kept, 'answer')} had before" if spent.kept else ""
    tokens = f", {tokens_text(usage)}, {cost_text(usage)}" if usage.calls else ""
    say(f"{model}: {count_noun(usage.calls, 'call')}{tokens}{kept}", "dim")


def print_trial(trial: Trial, prices: Prices) -> None:
    """The mean reward and its parts with intervals, how many calls failed, and cost."""
    table = plain_table("score", "mean, 95 % interval", "n")
    for one in trial.scores:
        table.add_row(one.metric, escape(_bounded(one, Metric(one.metric))), str(one.n))
    print_table(table)
    for line in interval_lines(trial.scores):
        say(line, "dim")
    failed = sum(one is None for one in trial.parts)
    if failed:
        say(f"{failed} of {len(trial.parts)} calls failed and are left out", "yellow")
    print_spent(trial.spent, trial.model, prices)
    say(f"signature: {trial.signature}", "dim")


def print_comparison(found: Arms, prices: Prices, about: Callable[[str], Metric] = Metric) -> None:
    """Scores by arm, differences between arms, which of them are sure, and cost."""
    arms = {
        arm.name: {
            name: (_bounded(one, about(name)), one.n)
            for name, one in arm.overall.items()
            if one.value is not None
        }
        for arm in found.arms
    }
    _print_columns("score, 95 % interval", arms, about)
    pairs = {
        f"{ours} − {theirs}": {
            name: (_bounded(one.difference, about(name), "+"), one.difference.items)
            for name, one in metrics.items()
        }
        for (ours, theirs), metrics in found.differences.items()
    }
    _print_columns("paired difference", pairs, about)
    _print_verdicts(found.contests)
    for line in interval_lines(one for arm in found.arms for one in arm.scores):
        say(line, "dim")
    for arm in found.arms:
        for usage in totals(usage_of(arm.table, prices)):
            calls = f"{'judge, ' if usage.role == 'judge' else ''}{count_noun(usage.calls, 'call')}"
            say(f"{arm.name}: {calls}, {tokens_text(usage)}, {cost_text(usage)}", "dim")
    for arm in found.arms:
        say(f"{arm.name}: {arm.table['signature'][0]}", "dim")


def _print_columns(
    heading: str,
    columns: Mapping[str, Mapping[str, tuple[str, int]]],
    about: Callable[[str], Metric],
) -> None:
    """A row for each score, a column for each arm or pair, `ABREAST` of them in a table; cells are
    what is printed, and of how many items."""
    metrics = list(dict.fromkeys(name for one in columns.values() for name in one))
    names = list(columns)
    for first in range(0, len(names), ABREAST):
        shown = names[first : first + ABREAST]
        table = plain_table(heading, *map(escape, shown), "n")
        for metric in metrics:
            cells = [columns[name].get(metric, ("–", 0)) for name in shown]
            counts = sorted({n for _, n in cells if n})
            arrow = " ↓" if about(metric).is_lower_better else ""
            told = [escape(text) for text, _ in cells]
            table.add_row(escape(metric) + arrow, *told, "/".join(map(str, counts)))
        print_table(table)
        console.print()


def _print_verdicts(contests: Iterable[Contest]) -> None:
    """Of each score the arms that are surely better than others, then the scores in which all are
    too close to call."""
    close = []
    for contest in contests:
        metric, sure = contest.metric, [one for one in contest.pairs if one.is_sure]
        if metric.better == "neither":
            continue
        if not sure:
            close.append(metric.name)
            continue
        told = [
            f"{one.first} is better than {one.second} (p {p_text(one.adjusted)})"
            for one in (best_first(pair, metric) for pair in sure)
        ]
        left = len(contest.pairs) - len(sure)
        others = f"; {count_noun(left, 'pair')} too close to call" if left else ""
        print_line(f"{metric.name}: {', '.join(told)}{others}")
    if close:
        print_line(f"too close to call: {', '.join(close)}")
    say("p of the permutation test, adjusted for the pairs of each score (Holm)", "dim")


def _bounded(one: Score | Difference, metric: Metric, sign: str = "") -> str:
    """A value and its interval, if it has one: `0.512 [0.401, 0.623]`."""
    form = f"{sign}.{metric.decimals}f"
    ends = (round(x or 0.0, metric.decimals) + 0.0 for x in (one.value, one.low, one.high))
    value, low, high = (format(end, form) for end in ends)
    return value if one.low is None else f"{value} [{low}, {high}]"
