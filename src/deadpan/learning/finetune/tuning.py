"""From a benchmark and a base model to an adapter's folder; interrupted work goes on."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from deadpan.base.errors import InputError
from deadpan.core.benchmark import Benchmark
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.demonstration import lacking_tasks
from deadpan.engine.local import adapters, library
from deadpan.engine.local.adapters import CHECKPOINT, LOSSES, Card
from deadpan.engine.local.models import PictureModel, picture_model, saving
from deadpan.learning.finetune import records
from deadpan.learning.finetune.examples import corpus_of, examples_checksum, split_examples
from deadpan.learning.finetune.records import Identity
from deadpan.learning.finetune.training import Settings, State, StepReport, Training

_MOST_WORKERS = 8
_SEES = ("visual", "vision", "image", "audio", "video", "multi_modal", "multimodal", "projector")
"""What names of parts hold that see or hear, or that bring pictures to the language model."""
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
    training: Callable[[StepReport, int], None] = lambda told, total: None


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
    wording = {task: job.benchmark.prompts(task, job.prompts).checksum for task in job.tasks}
    facts = {
        "benchmark": job.benchmark.name,
        "tasks": job.tasks,
        "base_identity": model.identity,
        "data": examples_checksum([*train, *check]),
        "prompts": checksum(wording),
        "settings": asdict(job.settings),
        "processes": accelerator.num_processes,
    }
    identity = adapters.training_identity(facts)
    if job.resume and (card := adapters.read_card(job.out)) is not None:
        records.require_same(job.out / adapters.CARD, card.identity, identity)
        return card
    if accelerator.is_main_process:
        adapters.prepare(job.out, job.resume)
        if lacking:
            _logger.warning("not validated, as there are no examples: %s", ", ".join(lacking))
    accelerator.wait_for_everyone()
    begun = records.read_checkpoint(job.out / CHECKPOINT, identity)
    done, total = count(1), len(train) + len(check)
    encoding = (model.processor, model.context, lambda: progress.reading(next(done), total))
    corpus = corpus_of(train, *encoding)
    validation = corpus_of(check, *encoding) if check else None
    cuda = library("torch").cuda.is_available()
    pad = model.processor.tokenizer.pad_token_id
    training = Training(
        with_adapter(model, job.settings),
        corpus,
        validation,
        job.settings,
        accelerator,
        pad=0 if pad is None else pad,
        workers=min(_MOST_WORKERS, os.cpu_count() or 1) if cuda else 0,
        keep_every=job.keep_every,
    )
    _run(job, training, begun, identity, progress)
    # The log is whole once the main process is here.
    accelerator.wait_for_everyone()
    told = records.read_losses(job.out / LOSSES)
    card = _card(training, told, **facts, base=model.place, unvalidated=tuple(lacking))
    if accelerator.is_main_process:
        _write(job, training, told, card)
    accelerator.wait_for_everyone()
    return card


def _card(training: Training, told: Sequence[StepReport], **facts: Any) -> Card:
    """The card of a training that is done."""
    last = [one.loss for one in told if one.epoch == training.settings.epochs]
    learning = (one for one in training.model.parameters() if one.requires_grad)
    return Card(
        **facts,
        examples=len(training.corpus.lengths),
        validation_examples=len(training.validation.lengths) if training.validation else 0,
        steps=len(training.steps),
        answer_tokens=sum(training.corpus.answers),
        trained_parameters=sum(one.numel() for one in learning),
        packages=adapters.packages(),
        training_loss=sum(last) / len(last),
        validation_losses=tuple(one.validation for one in told if one.validation is not None),
    )


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


def _run(
    job: Job, training: Training, begun: State | None, identity: Identity, progress: Progress
) -> None:
    """Trains to the end; writes the log, cut off where training goes on, and the checkpoints."""
    log, writes, steps = job.out / LOSSES, training.accelerator.is_main_process, len(training.steps)
    earlier = records.read_losses(log, begun.step if begun else 0)
    if writes:
        records.write_losses(log, earlier)
    for one in earlier[-1:]:
        progress.training(one, steps)
    for news in training.run(begun):
        if isinstance(news, State):
            records.write_checkpoint(job.out / CHECKPOINT, news, identity)
            continue
        if writes:
            records.append_losses(log, news)
        for one in news:
            progress.training(one, steps)


def _write(job: Job, training: Training, told: Sequence[StepReport], card: Card) -> None:
    """Writes the adapter, its plot and, last of all, its card."""
    network = training.accelerator.unwrap_model(training.model, keep_fp32_wrapper=False)
    with saving(job.out, records.FREE_SPACE):
        network.save_pretrained(str(job.out))
    records.write_plot(job.out, told, f"{job.benchmark.name}: {', '.join(job.tasks)}")
    adapters.write_card(job.out, card)
    (job.out / CHECKPOINT).unlink(missing_ok=True)


def with_adapter(model: PictureModel, settings: Settings) -> Any:
    """The network with a new adapter, the only part that learns; the seed sets its weights."""
    peft, torch = library("peft"), library("torch")
    torch.manual_seed(settings.seed)
    network = model.network
    network.config.name_or_path = network.name_or_path = model.place
    config = peft.LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=linear_modules(network, settings.vision),
        task_type="CAUSAL_LM",
    )
    adapted = peft.get_peft_model(network, config)
    if torch.cuda.is_available():
        network.gradient_checkpointing_enable({"use_reentrant": False})
    return adapted


def linear_modules(model: Any, vision: bool) -> list[str]:
    """The names of all linear modules but for the head that turns states into words, as peft's
    `all-linear`; without `vision`, those of the language model. A model without any raises
    InputError."""
    torch = library("torch")
    conv1d = library("transformers").pytorch_utils.Conv1D
    head, words = model.get_output_embeddings(), model.get_input_embeddings()
    # The part that the words go into is the one that holds their embeddings.
    place = next(str(name) for name, module in model.named_modules() if module is words)
    language = place.rpartition(".")[0]
    found = [
        name
        for name, module in model.named_modules()
        if isinstance(module, (torch.nn.Linear, conv1d)) and module is not head
        if vision or _reads(name, language)
    ]
    if not found:
        what = f"a {type(model).__name__} has no linear modules that could be found"
        raise InputError(language or "the model", what, "Choose another base model.")
    return found


def _reads(name: str, language: str) -> bool:
    """Whether a module is a part of the language model, and no part that sees lies in between."""
    inside = name.removeprefix(f"{language}." if language else "")
    if language and inside == name:
        return False
    return not any(sight in part for part in inside.split(".") for sight in _SEES)
