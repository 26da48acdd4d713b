"""Progress in a terminal or a notebook: all tasks at once, or plain lines where it is piped."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from deadpan.base.errors import DeadpanError
from deadpan.base.printable import visible
from deadpan.benchmarks import find
from deadpan.core.outcomes import NOT_ASKED
from deadpan.core.usage import Prices
from deadpan.engine.asker import AskerEvents
from deadpan.pipeline.reporter import Reporter
from deadpan.pipeline.table import graded_row

if TYPE_CHECKING:
    from deadpan.core.questions import Question
    from deadpan.engine.answers import Answer
    from deadpan.engine.requests import Request

_REFRESHES = 4
_LINE_EVERY = 15.0
_BAR = 24
_LONGEST_REASON = 100
_RIGHT_OR_WRONG = ("choice", "labels", "number", "order")
"""The forms of answers that are right or wrong."""


@dataclass
class TaskProgress:
    """How far one task is."""

    label: str
    total: int
    questions: Mapping[str, Question] = field(default_factory=dict)
    done: int = 0
    asked: int = 0
    known: int = 0
    right: int = 0
    graded: int = 0
    problems: Counter[str] = field(default_factory=Counter)


def _most_common(problems: Counter[str]) -> list[str]:
    """How many answers ended how, where that is not well."""
    return [f"{count} {kind}" for kind, count in problems.most_common(4)]


class AskingProgress(AskerEvents):
    """Hears of every answer and shows it: a live table in a terminal, a line now and then where the
    output is piped."""

    def __init__(self, model: str, prices: Prices, console: Console) -> None:
        self.tasks: dict[str, TaskProgress] = {}
        self._model, self._price, self._console = model, prices.of(model), console
        self._began = time.monotonic()
        self._calls = 0
        self._tokens = [0, 0]
        self._waiting: tuple[float, str] = (0.0, "")
        self._so_far_text = ""
        self._batches_text = ""
        self._last_line = time.monotonic()

    def planned(self, label: str, total: int, questions: Sequence[Question] = ()) -> None:
        """A task of so many questions is about to be asked."""
        self.tasks[label] = TaskProgress(label, total, {one.item: one for one in questions})
        self._began = time.monotonic()

    def answered(self, request: Request, answer: Answer, known: bool) -> None:
        """One more answer."""
        task = self.tasks.get(request.label)
        if task is None:
            return
        unready = (answer.error or "").startswith(NOT_ASKED)  # neither asked nor from the store
        called = not known and answer.calls > 0 and not unready
        self._calls += called
        if request.attempt == 1:
            task.done += 1
            task.known += known and not unready
            task.asked += called
        if not known:
            self._tokens[0] += answer.input_tokens or 0
            self._tokens[1] += answer.output_tokens or 0
        try:
            self._grade(task, request, answer)
        except Exception:  # what a benchmark cannot read on the way must not end a paid run
            task.questions = {}
        if not self._console.is_terminal and time.monotonic() - self._last_line > _LINE_EVERY:
            self.print_line()

    def reopened(self, request: Request) -> None:
        """What the store knew of a question could not be used: it is asked after all."""
        if task := self.tasks.get(request.label):
            task.known -= 1
            task.asked += 1

    def waiting(self, reason: str, seconds: float) -> None:
        """A call is tried again later."""
        until = time.monotonic() + seconds
        self._waiting = max(self._waiting, (until, reason))

    def so_far(self, text: str) -> None:
        """What is known so far."""
        self._so_far_text = text

    def batches(self, text: str) -> None:
        """How far the batches are; where the output is piped, a line whenever that changes."""
        changed, self._batches_text = text != self._batches_text, text
        if changed and text and not self._console.is_terminal:
            self.print_line()

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """What so many tokens cost at list prices."""
        return self._price.of(input_tokens, output_tokens) if self._price else None

    def _grade(self, task: TaskProgress, request: Request, answer: Answer) -> None:
        """Counts how the answer reads; a judge's own replies are read later."""
        question = task.questions.get(request.item)
        if question is None:
            if answer.error is not None:
                task.problems["failed"] += 1
            return
        card = request.card if isinstance(request.card, dict) else {}
        benchmark, name = find(str(card.get("benchmark"))), str(card.get("task"))
        row = graded_row(benchmark, name, self._model, question, answer.reply, "")
        if row["outcome"] != "answered":
            kind = row["outcome"]
            failure = (answer.error or "").partition(":")[0][:40]
            task.problems[f"failed ({visible(failure)})" if kind == "failed" else kind] += 1
        has_score = card.get("form") in _RIGHT_OR_WRONG and benchmark.task(name).judge is None
        is_wrong = benchmark.analyses.is_wrong
        if row["outcome"] == "failed" or not has_score or is_wrong is None:
            return
        try:
            wrong = row["outcome"] != "answered" or is_wrong(row)
        except DeadpanError:
            return
        task.graded += 1
        task.right += not wrong

    @property
    def rate(self) -> float:
        """Questions a second, those that were answered already not counted."""
        return self._asked / max(time.monotonic() - self._began, 1e-6)

    @property
    def _asked(self) -> int:
        """How many questions were asked, however often."""
        return sum(task.asked for task in self.tasks.values())

    @property
    def _so_far(self) -> tuple[int, int]:
        """How many of how many questions are done, over all tasks."""
        tasks = self.tasks.values()
        return sum(task.done for task in tasks), sum(task.total for task in tasks)

    def _summary(self) -> str:
        again = f" in {self._calls:,} calls" if self._calls > self._asked else ""
        parts = [f"{self._asked:,} asked{again}"]
        parts += [f"{self.rate:.1f}/s"] if self._asked else []
        known = sum(task.known for task in self.tasks.values())
        parts += [f"{known:,} from the store"] if known else []
        done, total = self._so_far
        parts += [self._batches_text] if self._batches_text else []
        if self._asked and done < total and not self._batches_text:
            most = "at most " if self._so_far_text else ""
            parts.append(f"{most}{timedelta(seconds=round((total - done) / self.rate))} left")
        if self._price is not None and not self._price.free and any(self._tokens):
            parts.append(f"${self._price.of(*self._tokens):.2f}")
        until, reason = self._waiting
        if until > time.monotonic():
            wait = until - time.monotonic()
            parts.append(f"waiting {wait:.0f} s: {visible(reason)[:_LONGEST_REASON]}")
        parts += [self._so_far_text] if self._so_far_text else []
        return " · ".join([self._model, *parts])

    def __rich__(self) -> Group:
        table = Table.grid(padding=(0, 1))
        for task in self.tasks.values():
            right = f"{100 * task.right / task.graded:.0f} % right" if task.graded else ""
            table.add_row(
                Text(visible(task.label.partition(".")[0].replace("-", "/", 1))),
                ProgressBar(total=max(task.total, 1), completed=task.done, width=_BAR),
                Text(f"{task.done:,}/{task.total:,}", justify="right"),
                Text(right, style="cyan"),
                Text(", ".join(_most_common(task.problems)), style="yellow"),
            )
        return Group(table, Text(self._summary(), style="dim"))

    def print_line(self) -> None:
        """How far it is, as a line."""
        self._last_line = time.monotonic()
        done, total = self._so_far
        problems = sum((task.problems for task in self.tasks.values()), Counter[str]())
        line = " · ".join([f"{done:,}/{total:,} {self._summary()}", *_most_common(problems)])
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    @property
    def stopped(self) -> str:
        """How much is kept, after Ctrl-C."""
        done, total = self._so_far
        kept = f"stopped: {done:,} of {total:,} answers are kept; the same command goes on"
        return kept if total else ""


class ConsoleReporter(Reporter):
    """Notes and progress on a console: of a terminal, a notebook, or a pipe. Notes, and what is
    true after Ctrl-C, may go elsewhere."""

    def __init__(
        self,
        console: Console | None = None,
        say: Callable[[str, str | None], None] | None = None,
        say_stopped: Callable[[str], None] | None = None,
    ) -> None:
        self.console = console or Console(stderr=True, soft_wrap=True)
        self.say, self.say_stopped = say or self._print, say_stopped or self.warn

    def _print(self, text: str, style: str | None) -> None:
        self.console.print(visible(text), style=style, markup=False, highlight=False)

    def note(self, text: str, style: str | None = None) -> None:
        self.say(text, style)

    @contextmanager
    def asking(self, model: str, prices: Prices) -> Iterator[AskerEvents]:
        progress = AskingProgress(model, prices, self.console)
        live = Live(
            progress, console=self.console, refresh_per_second=_REFRESHES, redirect_stdout=False
        )
        shown = self.console.is_terminal or self.console.is_jupyter
        try:
            with live if shown else nullcontext():
                yield progress
        except KeyboardInterrupt:
            if progress.stopped:
                self.say_stopped(progress.stopped)
            raise
        if progress.tasks and not shown:
            progress.print_line()

    @contextmanager
    def counting(self, what: str, total: int) -> Iterator[Callable[[], None]]:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=self.console) as progress:
            bar = progress.add_task(what, total=total)
            yield partial(progress.advance, bar)
