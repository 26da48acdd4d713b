"""`deadpan finetune`: a model on this machine learns a benchmark's answers, as a LoRA adapter."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from typer.core import TyperGroup

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_folder, is_there
from deadpan.benchmarks import find
from deadpan.cli.flags import DataOption, PromptsOption, grouped
from deadpan.cli.output import console, progress_bars, say
from deadpan.pipeline.evaluating import chosen_benchmark

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


@dataclass(frozen=True)
class AdapterFlags:
    """What decides the weights that come out."""

    rank: Annotated[int, typer.Option(min=1, help="The adapter's rank.")] = 8
    alpha: Annotated[int, typer.Option(min=1, help="Its scale, divided by the rank.")] = 16
    dropout: Annotated[float, typer.Option(min=0, max=0.9, help="Its dropout.")] = 0.0
    epochs: Annotated[int, typer.Option(min=1, help="Times each example is seen.")] = 10
    learning_rate: Annotated[float, typer.Option(help="The highest learning rate.")] = 1e-4
    batch_size: Annotated[int, typer.Option(min=1, help="Examples at once on each GPU.")] = 4
    accumulate: Annotated[int, typer.Option(min=1, help="Batches of one step.")] = 1
    vision: Annotated[
        bool, typer.Option("--vision", help="Adapt what sees too, not the language model alone.")
    ] = False
    seed: Annotated[int, typer.Option(min=0, help="Decides order and chance.")] = 0


@app.command(_TRAIN)
@grouped
def train(
    *,
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
    prompts: PromptsOption = None,
    adapter: AdapterFlags,
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
    from deadpan.engine.fewshot.teaching import taught_tasks
    from deadpan.learning.finetune.settings import Settings
    from deadpan.learning.finetune.tuning import Job, finetune

    if not 0 < adapter.learning_rate <= 1:
        raise DeadpanError("--learning-rate must be above 0 and at most 1")
    name, tasks = chosen_benchmark(selection)
    job = Job(
        benchmark=find(name),
        tasks=tuple(tasks or taught_tasks(find(name), data, prompts)),
        base=base,
        out=out,
        settings=Settings(**vars(adapter)),
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


def _speaks() -> bool:
    """Whether this is the one of several processes that prints."""
    return os.environ.get("RANK", "0") == "0"


@contextmanager
def _bars() -> Iterator[Progress]:
    """A bar for reading the examples, then one for the steps, with loss and speed; speed is counted
    from the first step that is reported."""
    from deadpan.learning.finetune.tuning import Progress

    times = (TimeElapsedColumn(), TimeRemainingColumn(), TextColumn("{task.fields[said]}"))
    tasks: dict[str, TaskID] = {}
    began, tokens = 0.0, 0
    with progress_bars(*times, disable=not _speaks()) as bars:

        def show(what: str, done: int, total: int, said: str = "") -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total, said="")
            bars.update(tasks[what], completed=done, said=said)

        def show_step(step: Told, total: int) -> None:
            nonlocal began, tokens
            if began:
                tokens += step.tokens
            else:
                began = time.monotonic()
            seconds = time.monotonic() - began
            speed = f" · {tokens / seconds:,.0f} tokens/s" if seconds > 1 else ""
            said = f"epoch {step.epoch} · loss {step.loss:.3f}{speed}"
            show("training", step.step, total, said)

        yield Progress(lambda done, total: show("examples", done, total), show_step)
