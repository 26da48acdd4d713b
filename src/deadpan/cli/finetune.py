"""`deadpan finetune`: a model on this machine learns a benchmark's answers, as a LoRA adapter."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars
from typer.core import TyperGroup

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_folder, is_there
from deadpan.benchmarks import find
from deadpan.cli.flags import DataOption
from deadpan.cli.output import console, say
from deadpan.pipeline.selecting import chosen_tasks

if TYPE_CHECKING:
    from deadpan.learning.finetune.training import Told
    from deadpan.learning.finetune.tuning import Progress

_TRAIN = "train"


class _TrainsByDefault(TyperGroup):
    """`deadpan finetune BENCHMARK …` is `deadpan finetune train BENCHMARK …`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "--help"):
            args = [_TRAIN, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_TrainsByDefault,
    help="LoRA: `deadpan finetune BENCHMARK --base MODEL --out ADAPTER` trains an adapter, "
    "`deadpan run BENCHMARK --model local/ADAPTER` asks the model that it makes.",
    no_args_is_help=True,
)


@app.command(_TRAIN)
def train(
    selection: Annotated[
        str,
        typer.Argument(
            metavar="BENCHMARK[/TASK,…]",
            help="Whose training split to learn; every task that has one.",
        ),
    ],
    base: Annotated[
        str,
        typer.Option(metavar="NAME|FOLDER", help="The model to start from: pictures, text → text."),
    ],
    out: Annotated[Path, typer.Option(metavar="ADAPTER", help="The adapter's folder.")],
    data: DataOption = None,
    prompts: Annotated[
        Path | None, typer.Option(help="Folder of prompts that replace ours.")
    ] = None,
    rank: Annotated[int, typer.Option(min=1, help="The adapter's rank.")] = 8,
    alpha: Annotated[int, typer.Option(min=1, help="Its scale, divided by the rank.")] = 16,
    dropout: Annotated[float, typer.Option(min=0, max=0.9, help="Its dropout.")] = 0.0,
    epochs: Annotated[int, typer.Option(min=1, help="Times each example is seen.")] = 10,
    learning_rate: Annotated[float, typer.Option(help="The highest learning rate.")] = 1e-4,
    batch_size: Annotated[int, typer.Option(min=1, help="Examples at once on each GPU.")] = 4,
    accumulate: Annotated[int, typer.Option(min=1, help="Batches of one step.")] = 1,
    vision: Annotated[
        bool, typer.Option("--vision", help="Adapt what sees too, not the language model alone.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Decides order and chance.")] = 0,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Learn the first N examples of each task only.")
    ] = None,
    checkpoint_every: Annotated[
        int, typer.Option(min=1, help="Steps between two states kept; one is at each epoch's end.")
    ] = 100,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume/--fresh",
            help="Continue an earlier training, or throw it away and start anew; to continue one "
            "that was started with --fresh, leave --fresh out.",
        ),
    ] = True,
) -> None:
    """Train an adapter; the same command again, without --fresh, continues where it stopped.

    On several GPUs: accelerate launch --multi_gpu $(which deadpan) finetune …, or
    python -m torch.distributed.run --nproc_per_node N $(which deadpan) finetune …
    """
    from deadpan.engine.fewshot.demonstration import taught_tasks
    from deadpan.learning.finetune.training import Settings
    from deadpan.learning.finetune.tuning import Job, finetune

    if not 0 < learning_rate <= 1:
        raise DeadpanError("--learning-rate must be above 0 and at most 1")
    [(name, tasks)] = chosen_tasks([selection], every=False).items()
    tasks = tasks or taught_tasks(find(name), data, prompts)
    job = Job(
        benchmark=find(name),
        tasks=tuple(tasks),
        base=base,
        out=out,
        settings=Settings(
            rank=rank,
            alpha=alpha,
            dropout=dropout,
            epochs=epochs,
            learning_rate=learning_rate,
            batch_size=batch_size,
            accumulate=accumulate,
            vision=vision,
            seed=seed,
        ),
        data=data,
        prompts=prompts,
        limit=limit,
        resume=resume,
        keep_every=checkpoint_every,
    )
    if not _speaks():
        logging.getLogger("deadpan").setLevel(logging.ERROR)
    with _bars() as progress:
        card = finetune(job, progress)
    if not _speaks():
        return
    checked = card.validation_losses
    falls = f"{checked[0]:.4f} → {checked[-1]:.4f}" if checked else "not measured"
    say(f"{card.examples} examples, {card.steps} steps, {card.trained_parameters:,} weights")
    say(f"training loss {card.training_loss:.4f}; validation loss {falls}")
    say(f"wrote {out}; ask it: deadpan run {selection} --model local/{out}")


@app.command()
def merge(
    adapter: Annotated[Path, typer.Argument(metavar="ADAPTER", help="The adapter's folder.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the whole model goes.")],
    base: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FOLDER",
            help="The model that the adapter was trained on, where it has moved since.",
        ),
    ] = None,
) -> None:
    """Write base and adapter as one model, for local/FOLDER, vllm/FOLDER and other tools."""
    from deadpan.engine.local.adapters import require_adapter
    from deadpan.engine.local.models import merged

    require_adapter(adapter)
    if is_there(out) and (not is_folder(out) or any(out.iterdir())):
        raise InputError(out, "is there already", "Choose another --out.")
    with console.status("merging"):
        merged(adapter, out, base)
    say(f"wrote {out}")


@contextmanager
def _bars() -> Iterator[Progress]:
    """A bar for reading the examples, then one for the steps, with loss and speed."""
    from deadpan.learning.finetune.tuning import Progress

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[said]}"),
    )
    with Bars(*columns, console=console, disable=not _speaks()) as bars:
        yield Progress(_Reading(bars), _Training(bars))


def _speaks() -> bool:
    """Whether this is the one of several processes that prints."""
    return os.environ.get("RANK", "0") == "0"


class _Reading:
    """The bar of examples that were read and checked."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._bar: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = self._bars.add_task("examples", total=total, said="")
        self._bars.update(self._bar, completed=done)


class _Training:
    """The bar of steps; speed is counted from the first step told of."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._bar: TaskID | None = None
        self._begun = 0.0
        self._tokens = 0

    def __call__(self, told: Told, total: int) -> None:
        if self._bar is None:
            self._bar = self._bars.add_task("training", total=total, said="")
            self._begun = time.monotonic()
        else:
            self._tokens += told.tokens
        seconds = time.monotonic() - self._begun
        speed = f" · {self._tokens / seconds:,.0f} tokens/s" if seconds > 1 else ""
        said = f"epoch {told.epoch} · loss {told.loss:.3f}{speed}"
        self._bars.update(self._bar, completed=told.step, said=said)
