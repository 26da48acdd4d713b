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
from deadpan.cli.flags import grouped, pasted_command
from deadpan.cli.output import console, progress_bars, say
from deadpan.pipeline.evaluating import chosen_benchmark

if TYPE_CHECKING:
    from deadpan.learning.finetune.training import StepReport
    from deadpan.learning.finetune.tuning import Progress

_TRAIN = "train"


class _TrainsByDefault(TyperGroup):
    """`deadpan finetune BENCHMARK …` is `deadpan finetune train BENCHMARK …`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "--help"):
            args = [_TRAIN, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=_TrainsByDefault, no_args_is_help=True, add_completion=False)


@dataclass(frozen=True)
class AdapterFlags:
    """What decides the weights that come out."""

    rank: Annotated[int, typer.Option(min=1)] = 8
    alpha: Annotated[int, typer.Option(min=1)] = 16
    dropout: Annotated[float, typer.Option(min=0, max=0.9)] = 0.0
    epochs: Annotated[int, typer.Option(min=1)] = 10
    learning_rate: float = 1e-4
    batch_size: Annotated[int, typer.Option(min=1)] = 4
    accumulate: Annotated[int, typer.Option(min=1)] = 1
    vision: Annotated[bool, typer.Option("--vision/--no-vision")] = True
    seed: Annotated[int, typer.Option(min=0)] = 0


@app.command(_TRAIN)
@grouped
def train(
    *,
    context: typer.Context,
    selection: str,
    base: Annotated[str, typer.Option()],
    out: Annotated[Path, typer.Option()],
    data: Path | None = None,
    prompts: Path | None = None,
    adapter: AdapterFlags,
    limit: Annotated[int | None, typer.Option(min=1)] = None,
    checkpoint_every: Annotated[int, typer.Option(min=1)] = 100,
    resume: Annotated[bool, typer.Option("--resume/--fresh")] = True,
) -> None:
    """Train an adapter; the same command again, without --fresh, continues where it stopped.

    On several GPUs: accelerate launch --multi_gpu $(which deadpan) finetune …, or
    python -m torch.distributed.run --nproc_per_node N $(which deadpan) finetune …
    """
    from deadpan.engine.fewshot.demonstration import taught_tasks
    from deadpan.learning.finetune.training import Settings
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
    asking = pasted_command(
        context, "run", selection, keep=("data", "prompts"), model=f"local/{out}"
    )
    say(f"wrote {out}; ask it: {asking}")


@app.command()
def merge(
    adapter: Path,
    out: Annotated[Path, typer.Option()],
    base: str | None = None,
) -> None:
    """Write base and adapter as one model, for local/FOLDER, vllm/FOLDER and other tools."""
    from deadpan.engine.local.adapters import require_adapter
    from deadpan.engine.local.models import merge_adapter

    require_adapter(adapter)
    if is_there(out) and (not is_folder(out) or any(out.iterdir())):
        raise InputError(out, "is there already", "Choose another --out.")
    with console.status("merging"):
        merge_adapter(adapter, out, base)
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

        def show_step(step: StepReport, total: int) -> None:
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
