"""Rewards of ways to choose demonstrations, in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.progress import TextColumn

from deadpan.cli.output import console, number, plain_table, progress_bars, say
from deadpan.core.metric import Metric
from deadpan.core.usage import Prices, cost_text, tokens_text, totals, usage_of
from deadpan.learning.fewshot.comparison import DRAWS, RESAMPLES, Interval, Trial
from deadpan.learning.fewshot.rewards import Spent
from deadpan.pipeline.reporter import count_noun

if TYPE_CHECKING:
    from deadpan.learning.fewshot.checkpoints import Point
    from deadpan.learning.fewshot.runs import Arms
    from deadpan.learning.fewshot.training import Trained

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
    for kind, one in trial.scores.items():
        table.add_row(kind, escape(_with_bounds(one, ".3f")), str(one.n))
    console.print(table)
    failed = sum(one is None for one in trial.parts)
    if failed:
        say(f"{failed} of {len(trial.parts)} calls failed and are left out", "yellow")
    print_spent(trial.spent, trial.model, prices)
    say(f"signature: {trial.signature}", "dim")


def print_comparison(found: Arms, prices: Prices, about: Callable[[str], Metric] = Metric) -> None:
    """Scores by arm, differences between arms, the benchmark's own scores, which of them have
    intervals and why, and cost."""
    names = [escape(arm.name) for arm in found.arms]
    _print_rows("score, 95 % interval", found.means, names, ".3f")
    pairs = {f"{ours} − {theirs}": one for (ours, theirs), one in found.differences.items()}
    _print_rows("paired difference", pairs, [escape(name) for name in pairs], "+.3f")
    _print_scores(found, about)
    _say_intervals(found)
    for arm in found.arms:
        for usage in totals(usage_of(arm.table, prices)):
            calls = f"{'judge, ' if usage.role == 'judge' else ''}{count_noun(usage.calls, 'call')}"
            say(f"{arm.name}: {calls}, {tokens_text(usage)}, {cost_text(usage)}", "dim")
    for arm in found.arms:
        say(f"{arm.name}: {arm.table['signature'][0]}", "dim")


def _say_intervals(found: Arms) -> None:
    """Which scores have intervals, made how, and which have none."""
    averaged = dict.fromkeys(score for one in found.means.values() for score in one)
    anew = dict.fromkeys(score for one in found.resampled.values() for score in one)
    say(f"means over items, resampled {DRAWS:,} times: {', '.join(averaged)}", "dim")
    if anew:
        how = f"scored anew on {RESAMPLES} resamples of the items that every arm answered"
        say(f"no means over items, {how}: {', '.join(anew)}", "dim")
    if found.without_interval:
        why = "without an interval, as a resample leaves it undefined or would need a model"
        say(f"{why}: {', '.join(found.without_interval)}", "dim")


def _print_rows(
    heading: str, columns: Mapping[str, Mapping[str, Interval]], names: Sequence[str], form: str
) -> None:
    """A row for each score, a column for each arm or pair, `ABREAST` of them in a table."""
    kinds = list(dict.fromkeys(kind for one in columns.values() for kind in one))
    for first in range(0, len(names), ABREAST):
        shown = slice(first, first + ABREAST)
        table = plain_table(heading, *names[shown], "n")
        for kind in kinds:
            found = [one.get(kind) for one in list(columns.values())[shown]]
            counts = sorted({str(one.n) for one in found if one})
            cells = ["–" if one is None else escape(_with_bounds(one, form)) for one in found]
            table.add_row(kind, *cells, "/".join(counts))
        console.print(table, "")


def _print_scores(found: Arms, about: Callable[[str], Metric]) -> None:
    """The benchmark's own scores: a row for each metric, a column for each arm."""
    table = plain_table("metric", *(escape(arm.name) for arm in found.arms))
    values = [
        {one.metric: one.value for one in arm.scores if one.group == "all"} for arm in found.arms
    ]
    for metric in dict.fromkeys(metric for one in values for metric in one):
        cells = [one.get(metric) for one in values]
        if any(value is not None for value in cells):
            decimals = about(metric).decimals
            table.add_row(escape(metric), *(number(value, decimals) for value in cells))
    console.print(table)


def _with_bounds(one: Interval, form: str) -> str:
    return f"{one.mean:{form}} [{one.low:{form}}, {one.high:{form}}]"
