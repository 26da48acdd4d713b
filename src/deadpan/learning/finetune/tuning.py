"""From a benchmark and a base model to an adapter's folder; interrupted work goes on."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from deadpan.core.benchmark import Benchmark
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.teaching import lacking_tasks
from deadpan.engine.local.adapters import CARD, CHECKPOINT, LOSSES, prepare
from deadpan.engine.local.card import Card, packages, read_card, training_identity, write_card
from deadpan.engine.local.libraries import library
from deadpan.engine.local.models import PictureModel, picture_model, saving
from deadpan.learning.finetune.checkpoint import (
    Identity,
    read_checkpoint,
    require_same,
    write_checkpoint,
)
from deadpan.learning.finetune.examples import (
    Example,
    ExampleCorpus,
    corpus_of,
    examples_checksum,
    split_examples,
)
from deadpan.learning.finetune.losses import append_losses, read_losses, write_losses, write_plot
from deadpan.learning.finetune.modules import with_adapter
from deadpan.learning.finetune.settings import Settings
from deadpan.learning.finetune.training import State, Told, Training

_MOST_WORKERS = 8
_logger = logging.getLogger("deadpan")


@dataclass(frozen=True)
class Job:
    """What is to be learnt by which model, and where the adapter goes."""

    benchmark: Benchmark[Any]
    tasks: tuple[str, ...]
    base: str
    out: Path
    settings: Settings = field(default_factory=Settings)
    data: Path | None = None
    prompts: Path | None = None
    limit: int | None = None
    resume: bool = True
    keep_every: int = 100


@dataclass(frozen=True)
class Progress:
    """Whom to tell how far it is: of examples read, and of steps done out of all."""

    reading: Callable[[int, int], None] = lambda done, total: None
    training: Callable[[Told, int], None] = lambda told, total: None


def finetune(job: Job, progress: Progress | None = None) -> Card:
    """Trains, or goes on with, or finds finished, the adapter of a job; its card."""
    progress = progress or Progress()
    accelerator = _accelerator(job.settings)
    lacking = lacking_tasks(job.benchmark, job.tasks, "validation", job.data, job.prompts)
    checked = [task for task in job.tasks if task not in lacking]
    shown = (job.data, job.prompts, job.limit)
    train = split_examples(job.benchmark, job.tasks, "train", *shown)
    check = split_examples(job.benchmark, checked, "validation", *shown)
    model = picture_model(job.base)
    identity = _identity(job, model, [*train, *check], accelerator.num_processes)
    if job.resume and (card := read_card(job.out)) is not None:
        require_same(job.out / CARD, card.identity, identity)
        return card
    if accelerator.is_main_process:
        prepare(job.out, job.resume)
        if lacking:
            _logger.warning("not validated, as there are no examples: %s", ", ".join(lacking))
    accelerator.wait_for_everyone()
    begun = read_checkpoint(job.out / CHECKPOINT, identity)
    counted = _Counter(len(train) + len(check), progress)
    corpus = corpus_of(train, model.processor, model.context, counted)
    validation = corpus_of(check, model.processor, model.context, counted) if check else None
    training = _training(job, model, corpus, validation, accelerator)
    keeper = _Keeper(job, identity, len(training.steps), progress, accelerator.is_main_process)
    keeper.told_before(begun)
    training.run(keeper, begun)
    return _finished(job, model, training, identity, tuple(lacking))


def _accelerator(settings: Settings) -> Any:
    """One process, or as many as `accelerate launch` started; half precision on GPUs."""
    torch, accelerate = library("torch"), library("accelerate")
    half = torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    # A batch without pictures leaves the adapters of a vision tower without gradients.
    spread = accelerate.DistributedDataParallelKwargs(find_unused_parameters=settings.vision)
    return accelerate.Accelerator(
        mixed_precision="bf16" if half else "no",
        cpu=not torch.cuda.is_available(),
        kwargs_handlers=[spread],
    )


def _identity(
    job: Job, model: PictureModel, examples: Sequence[Example], processes: int
) -> dict[str, str | int | float | bool]:
    wording = {task: job.benchmark.prompts(task, job.prompts).checksum for task in job.tasks}
    return training_identity(
        job.benchmark.name,
        job.tasks,
        model.identity,
        examples_checksum(examples),
        checksum(wording),
        asdict(job.settings),
        processes,
    )


def _training(
    job: Job,
    model: PictureModel,
    corpus: ExampleCorpus,
    validation: ExampleCorpus | None,
    accelerator: Any,
) -> Training:
    cuda = library("torch").cuda.is_available()
    pad = model.processor.tokenizer.pad_token_id
    return Training(
        with_adapter(model, job.settings),
        corpus,
        validation,
        job.settings,
        accelerator,
        pad=0 if pad is None else pad,
        workers=min(_MOST_WORKERS, os.cpu_count() or 1) if cuda else 0,
        keep_every=job.keep_every,
    )


def _finished(
    job: Job,
    model: PictureModel,
    training: Training,
    identity: Identity,
    unvalidated: tuple[str, ...],
) -> Card:
    """Writes the adapter, its plot and, last of all, its card; only the main process writes."""
    # The log is whole once the main process is here.
    training.accelerator.wait_for_everyone()
    told = read_losses(job.out / LOSSES)
    card = _card(job, model, training, identity, unvalidated, told)
    if training.accelerator.is_main_process:
        network = training.accelerator.unwrap_model(training.model, keep_fp32_wrapper=False)
        with saving(job.out, "Free some space, and go on: the same command, without --fresh."):
            network.save_pretrained(str(job.out))
        write_plot(job.out, told, f"{job.benchmark.name}: {', '.join(job.tasks)}")
        write_card(job.out, card)
        (job.out / CHECKPOINT).unlink(missing_ok=True)
    training.accelerator.wait_for_everyone()
    return card


def _card(
    job: Job,
    model: PictureModel,
    training: Training,
    identity: Identity,
    unvalidated: tuple[str, ...],
    told: Sequence[Told],
) -> Card:
    last = [one.loss for one in told if one.epoch == job.settings.epochs]
    learning = (one for one in training.model.parameters() if one.requires_grad)
    return Card(
        benchmark=job.benchmark.name,
        tasks=job.tasks,
        base=model.place,
        base_identity=model.identity,
        data=str(identity["data"]),
        prompts=str(identity["prompts"]),
        examples=len(training.corpus.lengths),
        validation_examples=len(training.validation.lengths) if training.validation else 0,
        unvalidated=unvalidated,
        settings=asdict(job.settings),
        processes=training.accelerator.num_processes,
        steps=len(training.steps),
        answer_tokens=sum(training.corpus.answers),
        trained_parameters=sum(one.numel() for one in learning),
        packages=packages(),
        training_loss=sum(last) / len(last),
        validation_losses=tuple(one.validation for one in told if one.validation is not None),
    )


@dataclass
class _Counter:
    total: int
    progress: Progress
    done: int = 0

    def __call__(self) -> None:
        self.done += 1
        self.progress.reading(self.done, self.total)


@dataclass
class _Keeper:
    """Writes the log and the checkpoints, and tells how far it is."""

    job: Job
    identity: Identity
    steps: int
    progress: Progress
    writes: bool

    def told_before(self, begun: State | None) -> None:
        """Cuts the log off where training goes on, and tells where that is."""
        done = begun.step if begun else 0
        path = self.job.out / LOSSES
        earlier = read_losses(path, done)
        if self.writes:
            write_losses(path, earlier)
        if earlier:
            self.progress.training(earlier[-1], self.steps)

    def told(self, steps: Sequence[Told]) -> None:
        if self.writes:
            append_losses(self.job.out / LOSSES, steps)
        for one in steps:
            self.progress.training(one, self.steps)

    def keep(self, state: State) -> None:
        write_checkpoint(self.job.out / CHECKPOINT, state, self.identity)
