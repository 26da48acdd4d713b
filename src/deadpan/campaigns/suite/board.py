"""How far a campaign is: of every model and benchmark what is done, what it cost, what is left."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import timedelta

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from deadpan.base.printable import visible
from deadpan.campaigns.suite.planning import Job
from deadpan.core.questions import Question
from deadpan.core.usage import Prices, Role
from deadpan.engine.answers import Answer
from deadpan.engine.asker import AskerEvents
from deadpan.engine.budget import cost_of, price_of
from deadpan.engine.requests import Request
from deadpan.pipeline.progress import AskingProgress, ConsoleReporter

_REFRESHES = 4
_STYLES = {"waiting": "dim", "running": "cyan", "done": "green", "failed": "red"}
Key = tuple[str, str]
"""A model's title, and a benchmark with the way of asking."""


@dataclass
class Cell:
    """How far one model is with one benchmark."""

    total: int
    missing: int
    state: str = "waiting"
    done: int = 0
    judged: int = 0
    to_judge: int = 0
    cost: float = 0.0
    role: Role | None = None
    """Who was asked last."""

    @property
    def text(self) -> Text:
        """As a table shows it."""
        counts = f"{self.done:,}/{self.total:,}"
        if self.to_judge:
            counts += f" +{self.judged:,}/{self.to_judge:,}"
        cost = f" ${self.cost:.2f}" if self.cost >= 0.005 else ""
        mark = {"done": "✓ ", "running": "▸ ", "failed": "✗ "}.get(self.state, "")
        return Text(f"{mark}{counts}{cost}", style=_STYLES[self.state])


@dataclass
class Board:
    """The state of all jobs."""

    title: str
    cells: dict[Key, Cell]
    began: float = field(default_factory=time.monotonic)
    asked: int = 0
    spent_before: float = 0.0

    @classmethod
    def of(cls, title: str, jobs: Sequence[Job], calls: Sequence[tuple[int, int]]) -> Board:
        """The board of jobs, of each its calls and those that are missing."""
        cells = {
            (job.model.shown, job.title): Cell(total, missing)
            for job, (total, missing) in zip(jobs, calls, strict=True)
        }
        return cls(title, cells)

    @property
    def cost(self) -> float:
        """What was spent since it began."""
        return sum(cell.cost for cell in self.cells.values())

    @property
    def summary(self) -> str:
        """All of it in one line."""
        cells = self.cells.values()
        done = sum(cell.state == "done" for cell in cells)
        left = sum(cell.missing for cell in cells if cell.state in ("waiting", "running"))
        parts = [f"{done} of {len(cells)} done", f"{self.asked:,} asked"]
        seconds = time.monotonic() - self.began
        if self.asked and left:
            rest = timedelta(seconds=round(left * seconds / self.asked))
            parts.append(f"about {left:,} answers and {rest} left")
        if self.cost or self.spent_before:
            before = f" (${self.spent_before:.2f} before)" if self.spent_before else ""
            parts.append(f"${self.cost:.2f} spent{before}")
        return " · ".join(parts)

    def __rich__(self) -> Group:
        models = list(dict.fromkeys(model for model, _ in self.cells))
        columns = list(dict.fromkeys(column for _, column in self.cells))
        table = Table(box=None, padding=(0, 2, 0, 0), title=visible(self.title) or None)
        table.add_column("model")
        for column in columns:
            table.add_column(visible(column))
        for model in models:
            row = [self.cells.get((model, column)) for column in columns]
            shown = [cell.text if cell else Text("–", style="dim") for cell in row]
            table.add_row(Text(visible(model)), *shown)
        return Group(table, Text(self.summary, style="dim"))


class _JobProgress(AskingProgress):
    """The progress of one who is asked, which counts in the cell too."""

    def __init__(
        self, model: str, prices: Prices, console: Console, board: Board, cell: Cell, role: Role
    ) -> None:
        super().__init__(model, prices, console)
        self._board, self._cell, self._role = board, cell, role
        self._each = price_of(model, prices)

    def planned(self, label: str, total: int, questions: Sequence[Question] = ()) -> None:
        super().planned(label, total, questions)
        self._cell.to_judge += total if self._role == "judge" else 0

    def answered(self, request: Request, answer: Answer, known: bool) -> None:
        super().answered(request, answer, known)
        first = request.attempt == 1
        if self._role == "model":
            self._cell.done += first
            self._cell.missing -= first and not known
        elif self._role == "judge":
            self._cell.judged += first
        if not known:
            self._board.asked += answer.calls > 0
            self._cell.cost += cost_of(answer, self._each) if self._each else 0.0


class BoardReporter(ConsoleReporter):
    """The board, with the progress of who is asked below it; lines where the output is piped."""

    def __init__(self, board: Board, base: ConsoleReporter) -> None:
        super().__init__(base.console, base.say, base.say_stopped)
        self.board = board
        self._job: Job | None = None
        self._cell = Cell(0, 0)
        self._progress: AskingProgress | None = None
        self._is_live = False

    def note(self, text: str, style: str | None = None) -> None:
        """Stands above the board, where one is shown."""
        if self._is_live:
            self.console.print(visible(text), style=style, markup=False, highlight=False)
        else:
            super().note(text, style)

    @contextmanager
    def showing(self) -> Iterator[None]:
        """The board stays in sight until the block ends."""
        shown = self.console.is_terminal or self.console.is_jupyter
        live = Live(
            self, console=self.console, refresh_per_second=_REFRESHES, redirect_stdout=False
        )
        self._is_live = shown
        try:
            with live if shown else nullcontext():
                yield
        finally:
            self._is_live = False

    @contextmanager
    def job(self, job: Job) -> Iterator[None]:
        """A job is done inside of the block."""
        cell = self.board.cells[job.model.shown, job.title]
        self._job, self._cell, cell.state = job, cell, "running"
        if not self.console.is_terminal:
            self.note(f"{job.model.shown}: {job.title}")
        try:
            yield
        except BaseException:
            cell.state = "failed"
            raise
        cell.state, cell.missing = "done", 0
        if not self.console.is_terminal:
            self.note(self.board.summary)

    @contextmanager
    def asking(self, model: str, prices: Prices) -> Iterator[AskerEvents]:
        board = (self.board, self._cell, self._role(model))
        progress = self._progress = _JobProgress(model, prices, self.console, *board)
        try:
            yield progress
        except KeyboardInterrupt:
            if progress.stopped:
                self.say_stopped(progress.stopped)
            raise
        finally:
            self._progress = None
        if progress.tasks and not self.console.is_terminal:
            progress.print_line()

    def _role(self, name: str) -> Role:
        """What part somebody has in the job: who is asked first is the model."""
        if self._job is None or self._cell.role is None:
            self._cell.role = "model"
            return "model"
        judging = self._job.evaluation.judging
        return "judge" if judging is not None and judging.model == name else "reader"

    def __rich__(self) -> Group:
        below = [self._progress] if self._progress and self._progress.tasks else []
        return Group(self.board, *below)
