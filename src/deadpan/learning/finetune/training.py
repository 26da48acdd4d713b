"""The training loop and its settings, which decide before the first step what examples each step
sees and how fast it learns. It needs torch, and accelerate or something like it."""

from __future__ import annotations

import hashlib
import inspect
import math
import random
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from deadpan.base.errors import DeadpanError
from deadpan.engine.local import library
from deadpan.engine.local.talks import IGNORED
from deadpan.learning.finetune.examples import COLUMNS, TARGETS, Batch, ExampleCorpus, collate

_REPORT_EVERY = 10
"""Steps between two looks at the losses: each look waits for the GPU."""
_POOL = 50
"""Batches whose examples are sorted by length together."""


@dataclass(frozen=True)
class Settings:
    """What decides the weights that come out; a batch is that of one process."""

    rank: int = 8
    alpha: int = 16
    dropout: float = 0.0
    epochs: int = 10
    learning_rate: float = 1e-4
    batch_size: int = 4
    accumulate: int = 1
    vision: bool = True
    """Whether what sees is adapted too, not the language model alone."""
    seed: int = 0
    warmup: float = 0.03
    """The share of the steps over which the learning rate rises."""
    weight_decay: float = 0.0
    largest_gradient: float = 1.0


@dataclass(frozen=True)
class Step:
    """The batches of one step of the optimiser, over all processes; epochs count from 1."""

    epoch: int
    batches: tuple[tuple[int, ...], ...]
    ends_epoch: bool


def planned_steps(
    lengths: Sequence[int], batch: int, accumulate: int, epochs: int, seed: int
) -> list[Step]:
    """Every step of the training: each epoch sees each example once, beside others of its length.
    `batch` counts the examples of all processes. No examples raise ValueError."""
    if not lengths:
        raise ValueError("no examples")
    steps: list[Step] = []
    for epoch in range(1, epochs + 1):
        batches = _batches_by_length(lengths, batch, random.Random(f"{seed}-{epoch}"))
        for start in range(0, len(batches), accumulate):
            end = start + accumulate
            steps.append(Step(epoch, tuple(batches[start:end]), end >= len(batches)))
    return steps


def _batches_by_length(
    lengths: Sequence[int], batch: int, chance: random.Random
) -> list[tuple[int, ...]]:
    """Shuffled batches of like lengths, the longest first: what fits no memory is known at once."""
    order = list(range(len(lengths)))
    chance.shuffle(order)
    pool = batch * _POOL
    batches: list[tuple[int, ...]] = []
    for first in range(0, len(order), pool):
        alike = sorted(order[first : first + pool], key=lambda index: -lengths[index])
        batches += [tuple(alike[at : at + batch]) for at in range(0, len(alike), batch)]
    chance.shuffle(batches)
    longest = max(range(len(batches)), key=lambda number: lengths[batches[number][0]])
    batches[0], batches[longest] = batches[longest], batches[0]
    return batches


def share(batch: Sequence[int], process: int, processes: int) -> tuple[list[int], bool]:
    """One process's part of a batch, and whether it counts: where there is none left for it, it
    computes the first example for nothing, as the others wait for it."""
    own = list(batch[process::processes])
    return (own, True) if own else ([batch[0]], False)


def learning_rate(step: int, steps: int, highest: float, warmup: float) -> float:
    """The rate of a step, counted from 1: up in a line, down to nothing in half a cosine."""
    rising = math.ceil(steps * warmup)
    if step <= rising:
        return highest * step / rising
    return highest * 0.5 * (1 + math.cos(math.pi * (step - rising) / (steps - rising + 1)))


@dataclass(frozen=True)
class StepReport:
    """A step: `loss` is the mean over answers' tokens, `validation` that after an epoch."""

    step: int
    epoch: int
    loss: float
    learning_rate: float
    tokens: int
    validation: float | None = None


@dataclass(frozen=True, eq=False)
class State:
    """All that training goes on from: steps done, the adapter's weights, the optimiser's state."""

    step: int
    weights: dict[str, Any]
    optimizer: dict[str, Any]


@dataclass
class Training:
    """A model and what it learns from; `model` comes with its adapter, only that is trained."""

    model: Any
    corpus: ExampleCorpus
    validation: ExampleCorpus | None
    settings: Settings
    accelerator: Any
    pad: int
    workers: int = 0
    keep_every: int = 100
    _pending: list[tuple[int, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._torch = library("torch")
        base = self.accelerator.unwrap_model(self.model)
        inner = base.get_base_model() if hasattr(base, "get_base_model") else base
        self._keeps_columns = "logits_to_keep" in inspect.signature(inner.forward).parameters
        if self.accelerator.mixed_precision != "no":
            # PEFT would widen what comes into an adapter, and autocast narrow it again at once.
            for module in base.modules():
                if hasattr(module, "cast_input_dtype_enabled"):
                    module.cast_input_dtype_enabled = False
        settings = self.settings
        batch = settings.batch_size * self.accelerator.num_processes
        schedule = (settings.accumulate, settings.epochs, settings.seed)
        self.steps = planned_steps(self.corpus.lengths, batch, *schedule)
        self.model = self.accelerator.prepare(self.model.to(self.accelerator.device))
        self._parameters = [one for one in self.model.parameters() if one.requires_grad]
        self._optimizer = self._torch.optim.AdamW(
            self._parameters,
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            fused=self.accelerator.device.type == "cuda",
        )

    def run(self, begun: State | None = None) -> Iterator[list[StepReport] | State]:
        """Trains to the end, from a kept state where there is one: to the very same weights. Gives
        what is known of the steps since the last time, and, in the main process, the states that
        training can go on from."""
        done = begun.step if begun else 0
        if begun is not None:
            named = dict(self.accelerator.unwrap_model(self.model).named_parameters())
            with self._torch.no_grad():
                for name, values in begun.weights.items():
                    named[name].copy_(values)
            self._optimizer.load_state_dict(begun.optimizer)
        self.model.train()
        ahead = [self._share(batch)[0] for step in self.steps[done:] for batch in step.batches]
        loaded = iter(self._batches(self.corpus, ahead))
        for number, step in enumerate(self.steps[done:], done + 1):
            self._pending.append((number, self._learn(number, step, loaded)))
            kept = number % self.keep_every == 0 or step.ends_epoch
            if kept or len(self._pending) == _REPORT_EVERY:
                yield self._report(self.validation_loss() if step.ends_epoch else None)
            if kept:
                # A step's loss is from before it: only its weights tell that it left no numbers.
                if not all(bool(one.isfinite().all()) for one in self._parameters):
                    what = "the adapter's weights are no finite numbers any more"
                    raise DeadpanError(f"step {number}: {what}; lower --learning-rate")
                if self.accelerator.is_main_process:
                    named = self.accelerator.unwrap_model(self.model).named_parameters()
                    weights = {name: one.detach().cpu() for name, one in named if one.requires_grad}
                    yield State(number, weights, self._optimizer.state_dict())

    def validation_loss(self) -> float | None:
        """The mean loss over the tokens of the validation split's answers; None without one."""
        corpus = self.validation
        if corpus is None:
            return None
        order = sorted(range(len(corpus.lengths)), key=lambda index: -corpus.lengths[index])
        own = order[self.accelerator.process_index :: self.accelerator.num_processes]
        size = self.settings.batch_size
        batches = [own[start : start + size] for start in range(0, len(own), size)]
        self.model.eval()
        total = self._torch.zeros((), device=self.accelerator.device)
        network = self.accelerator.unwrap_model(self.model)
        with self._torch.no_grad():
            for batch in self._batches(corpus, batches):
                total += self._loss(network, self._move(batch))
        self.model.train()
        return float(self.accelerator.reduce(total, "sum")) / sum(corpus.answers)

    def _learn(self, number: int, step: Step, loaded: Iterator[Batch]) -> Any:
        """One step of the optimiser; its loss, still on the device, as far as this process knows.
        The losses of all batches and processes are divided by all their answers' tokens, so that
        the step does not depend on how the examples were dealt out."""
        accelerator, settings = self.accelerator, self.settings
        # A step's chances follow from these alone, so that none need be kept.
        chance = f"{settings.seed}-{number}-{accelerator.process_index}".encode()
        self._torch.manual_seed(int.from_bytes(hashlib.sha256(chance).digest()[:7]))
        tokens = sum(self.corpus.answers[index] for batch in step.batches for index in batch)
        total = self._torch.zeros((), device=accelerator.device)
        for position, indices in enumerate(step.batches, 1):
            _, counts = self._share(indices)
            last = position == len(step.batches)
            with nullcontext() if last else accelerator.no_sync(self.model):
                loss = self._loss(self.model, self._move(next(loaded))) * (counts / tokens)
                # Processes' gradients are averaged, not summed.
                accelerator.backward(loss * accelerator.num_processes)
            total += loss.detach()
        accelerator.clip_grad_norm_(self._parameters, settings.largest_gradient)
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate(number)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        return total

    def _loss(self, model: Any, batch: Batch) -> Any:
        """The sum of the losses of the answers' tokens; words are only told apart at these."""
        columns, targets = batch.pop(COLUMNS), batch.pop(TARGETS)
        kept = {"logits_to_keep": columns} if self._keeps_columns else {}
        with self.accelerator.autocast():
            logits = model(**batch, **kept, use_cache=False).logits
        if not self._keeps_columns:
            logits = logits[:, columns]
        said, wanted = logits.float().flatten(0, 1), targets.flatten()
        loss = self._torch.nn.functional.cross_entropy
        return loss(said, wanted, ignore_index=IGNORED, reduction="sum")

    def _report(self, validation: float | None) -> list[StepReport]:
        """What is known of the pending steps; a loss that is no finite number raises."""
        numbers = [number for number, _ in self._pending]
        losses = self._torch.stack([loss for _, loss in self._pending])
        values = self.accelerator.reduce(losses, "sum").tolist()
        self._pending.clear()
        told = []
        for number, loss in zip(numbers, values, strict=True):
            if not math.isfinite(loss):
                raise DeadpanError(f"step {number}: the loss is {loss}; lower --learning-rate")
            step = self.steps[number - 1]
            seen = sum(self.corpus.lengths[index] for batch in step.batches for index in batch)
            after = validation if number == numbers[-1] else None
            told.append(StepReport(number, step.epoch, loss, self._rate(number), seen, after))
        if validation is not None and not math.isfinite(validation):
            what = f"the validation loss is {validation}"
            raise DeadpanError(f"step {numbers[-1]}: {what}; lower --learning-rate")
        return told

    def _rate(self, number: int) -> float:
        settings = self.settings
        return learning_rate(number, len(self.steps), settings.learning_rate, settings.warmup)

    def _share(self, batch: Sequence[int]) -> tuple[list[int], bool]:
        return share(batch, self.accelerator.process_index, self.accelerator.num_processes)

    def _batches(self, corpus: ExampleCorpus, batches: Sequence[Sequence[int]]) -> Any:
        """Batches made by workers ahead, with chance apart from that of the model's dropout."""
        return self._torch.utils.data.DataLoader(
            corpus,
            batch_sampler=batches,
            collate_fn=partial(collate, pad=self.pad),
            num_workers=self.workers,
            pin_memory=self.accelerator.device.type == "cuda",
            prefetch_factor=4 if self.workers else None,
            generator=self._torch.Generator(),
        )

    def _move(self, batch: Batch) -> Batch:
        device = self.accelerator.device
        return {name: one.to(device, non_blocking=True) for name, one in batch.items()}
