"""What a command prints: notes, scores and progress; problems go to stderr."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import polars as pl
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn

from deadpan.base.counting import count_noun
from deadpan.base.printable import visible
from deadpan.cli.streams import standard_output
from deadpan.core.outcomes import NOT_ASKED, NOT_JUDGED, Coverage, missing_questions
from deadpan.core.readings import BROKEN, COLUMN
from deadpan.core.signature import BASELINE
from deadpan.core.usage import Prices, usage_lines
from deadpan.parsing.replies import EMPTY
from deadpan.pipeline.reporter import SILENT, Reporter

_WIDE = 160
_MOST_NAMED = 20


class _Output(Console):
    """The standard output, which is named where it cannot be written."""

    def print(self, *objects: Any, **options: Any) -> None:
        with standard_output():
            super().print(*objects, **options)


console = _Output(width=None if sys.stdout.isatty() else _WIDE)
errors = Console(stderr=True, soft_wrap=True)


@dataclass
class State:
    """What holds while one command runs."""

    quiet: bool = False
    """Whether notes and progress are left out (`--quiet`); scores and errors are printed."""
    stop_was_said: bool = False


state = State()


def say_stopped(text: str = "") -> None:
    """Says once what is true after Ctrl-C; without a text, only if nothing was said."""
    if text or not state.stop_was_said:
        warn(text or "stopped")
    state.stop_was_said = True


def say(text: str, style: str | None = None) -> None:
    """Prints a line as it is: no markup, no wrapping, control characters spelled out."""
    if not state.quiet:
        print_line(text, style)


def print_line(text: str, style: str | None = None) -> None:
    """The same with `--quiet` too."""
    console.print(visible(text), style=style, markup=False, highlight=False, soft_wrap=True)


def warn(text: str, style: str = "yellow") -> None:
    """Prints what is wrong on stderr, with `--quiet` too."""
    errors.print(visible(text), style=style, markup=False, highlight=False)


def say_first(lines: Sequence[str], where: str) -> None:
    """Says the first of many lines, and where the others are."""
    for line in lines[:_MOST_NAMED]:
        say(line, "yellow")
    if len(lines) > _MOST_NAMED:
        say(f"… and {len(lines) - _MOST_NAMED} more, all in {where}", "yellow")


def say_endings(noun: str, done: Sequence[tuple[str, bool]]) -> None:
    """Counts how pieces of work ended, and how many of them an earlier run had done."""
    counts = Counter(ending.replace("_", " ") for ending, _ in done)
    listed = ", ".join(f"{count} {ending}" for ending, count in counts.items())
    reused = sum(was_reused for _, was_reused in done)
    kept = f" ({reused} of them by an earlier run)" if reused else ""
    say(f"{count_noun(len(done), noun)}: {listed}{kept}")


def reporter() -> Reporter:
    """Who hears what a pipeline says: notes go to the standard output and progress to stderr, or
    nowhere with `--quiet`."""
    from deadpan.pipeline.progress import ConsoleReporter

    return SILENT if state.quiet else ConsoleReporter(errors, say, say_stopped)


def progress_bars(*columns: ProgressColumn, disable: bool = False) -> Progress:
    """Bars for work whose pieces are counted, with more columns behind."""
    counts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*counts, *columns, console=console, disable=disable)


@contextmanager
def advancing_bar(what: str, total: int) -> Iterator[Callable[[object], None]]:
    """A bar that every call moves on by one."""
    with progress_bars() as bars:
        bar = bars.add_task(what, total=total)
        yield lambda _: bars.advance(bar)


@contextmanager
def counting_bar(what: str, at_once: bool = False) -> Iterator[Callable[[int, int], None]]:
    """A bar that hears how many of how many are done; it is there once it does, or at once, and
    goes where it never did."""
    with progress_bars() as bars:
        bar = bars.add_task(what, total=None, visible=at_once)
        yield lambda done, total: bars.update(bar, completed=done, total=total, visible=True)
        if bars.tasks[bar].total is None:
            bars.update(bar, visible=False)


def print_coverage(table: pl.DataFrame) -> None:
    """Per model and task, in the benchmark's order, how many questions ended how."""
    from deadpan.benchmarks import find

    keys = ["benchmark", "model", "task"]
    parts = {tuple(map(str, key)): rows for key, rows in table.group_by(keys, maintain_order=True)}
    models = list(dict.fromkeys(key[:2] for key in parts))
    tasks = {name: [spec.name for spec in find(name).tasks] for name, _ in models}
    places = {key: (models.index(key[:2]), tasks[key[0]].index(key[2])) for key in parts}
    for key in sorted(parts, key=places.__getitem__):
        _, model, task = key
        rows = parts[key]
        coverage = Coverage.of(rows["outcome"])
        unjudged = int((rows["reason"] == NOT_JUDGED).sum())
        style = "yellow" if coverage.unscored or coverage.not_given else None
        say(f"{model} {task}: {coverage.describe(unjudged)}{read_by(rows)}", style)
    say_unasked(table)


def read_by(rows: pl.DataFrame) -> str:
    """How many answers a model had to read, if any: `, 12 read by MODEL`."""
    read = rows.filter(pl.col("read_as").is_not_null())
    counts = read.group_by("reader", maintain_order=True).len()
    return "".join(f", {count:,} read by {reader}" for reader, count in counts.iter_rows())


def print_usage(table: pl.DataFrame, prices: Prices) -> None:
    """What the model and the judge used, apart, and what that costs where prices are known."""
    for line in usage_lines(table, prices):
        say(line, "dim")


def say_unasked(table: pl.DataFrame) -> None:
    """Names the tasks of which questions are missing: a run that was broken off."""
    for line in missing_questions(table):
        say(f"{line}; run the same command again to ask them", "yellow")


def say_broken_reader(results: pl.DataFrame) -> bool:
    """Names a reply that the reader could not be asked about, or gave no usable reading of; whether
    there is one."""
    broken = results.filter(pl.col(COLUMN).is_in(BROKEN))
    if broken.is_empty():
        return False
    example = broken.row(0, named=True)
    one = len(broken) == 1
    replies, them = ("1 reply was", "it") if one else (f"{len(broken):,} replies were", "them")
    warn(
        f"{replies} not read by {example['reader']}, which failed on {them}, for example "
        f"{example['item']} ({example['task']}): {example['reason']}"
    )
    say("Run the same command again to ask it again.", "yellow")
    return True


def say_failed(results: pl.DataFrame) -> bool:
    """Names one of the questions that failed or were not judged, and why; whether there is one."""
    failed = results.filter(pl.col("outcome").is_in(["failed", "judge_failed"]))
    if failed.is_empty():
        return False
    example = failed.row(0, named=True)
    were, them = ("was", "it") if len(failed) == 1 else ("were", "them")
    warn(
        f"{count_noun(len(failed), 'question')} failed or {were} not judged, for example "
        f"{example['item']} ({example['task']}): {example['reason']}"
    )
    # What was not asked for want of a picture or an extra is not to be had by asking again.
    if not failed["reason"].fill_null("").str.starts_with(NOT_ASKED).all():
        say(f"Run the same command again to ask {them} again.", "yellow")
    return True


def say_invalid(results: pl.DataFrame) -> None:
    """Counts the replies of models that could not be read, and says why of one of them; on stderr
    where these are most replies to a task, which tells less of the model than of how it is run."""
    asked = results.filter(~pl.col("model").str.starts_with(BASELINE))
    for _, rows in asked.group_by("model", "task", maintain_order=True):
        invalid = rows.filter(pl.col("outcome") == "invalid")
        if invalid.is_empty():
            continue
        example = invalid.row(0, named=True)
        replies = "reply is" if len(invalid) == 1 else "replies are"
        line = (
            f"{len(invalid):,} {replies} invalid of {len(rows):,} by {example['model']}, for "
            f"example {example['item']} ({example['task']}): {example['reason']}"
        )
        empty = invalid.filter(pl.col("reason").str.starts_with(EMPTY))
        if len(reasoned := empty.filter(pl.col("reasoning").is_not_null())):
            line += (
                f"; {len(reasoned):,} of these have reasoning and no answer: if the server takes "
                "reasoning out of replies, see that it takes no more"
            )
        if 2 * len(invalid) > len(rows):
            warn(line)
        else:
            say(line, "yellow")


def say_odd(results: pl.DataFrame) -> None:
    """Counts the replies that the token limit cut off, and names one of the items that were not
    shown as they were meant to be."""
    if cut := len(results.filter(pl.col("outcome") == "truncated")):
        were, count = ("reply was", "counts") if cut == 1 else ("replies were", "count")
        said = f"{cut:,} {were} cut off at the token limit and {count} as wrong"
        warn(f"{said}: raise --max-tokens, for all models that are compared")
    odd = results.filter(pl.col("notes").is_not_null()).unique("item", maintain_order=True)
    if not odd.is_empty():
        example = odd.row(0, named=True)
        were = "was" if len(odd) == 1 else "were"
        said = f"{count_noun(len(odd), 'item')} {were} shown with something off, for example"
        say(f"{said} {example['item']}: {example['notes']}", "yellow")
