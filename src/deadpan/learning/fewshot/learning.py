"""From a task's training and validation splits to a policy in a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from deadpan.base.errors import InputError
from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Split
from deadpan.core.prompts import Prompts
from deadpan.core.questions import Question
from deadpan.core.task import TaskSpec
from deadpan.engine.fewshot.demonstration import Pool, pool_of, split_of
from deadpan.engine.fewshot.reward import RewardParts, Weights
from deadpan.engine.fewshot.saved import Card, SavedPolicy, write_policy
from deadpan.engine.fewshot.selection import Selector, space_of
from deadpan.engine.fewshot.space import Space
from deadpan.learning.fewshot.checkpoints import Point
from deadpan.learning.fewshot.curves import write_plot
from deadpan.learning.fewshot.training import Choice, Problem, Settings, Told, Trained, train

WIDTH = 256
"""The widest vectors that a policy sees; wider ones are projected."""


@dataclass(frozen=True, eq=False)
class Course:
    """What a policy is to learn: the task's pool, and the questions of each split."""

    benchmark: Benchmark[Any]
    task: str
    space: Space
    questions: Mapping[Split, Sequence[Question]]
    text: str | None = None
    image: str | None = None


class ReplyingEnvironment(Protocol):
    """An environment whose rewards come from a model's replies."""

    benchmark: Benchmark[Any]
    task: TaskSpec
    pool: Pool
    questions: Mapping[Split, Sequence[Question]]
    weights: Weights

    @property
    def identity(self) -> str:
        """What the rewards depend on."""
        ...

    @property
    def parts_identity(self) -> str:
        """What their parts depend on."""
        ...

    def rewards(self, split: Split, choices: Sequence[Choice]) -> Sequence[float | None]:
        """The weighted rewards."""
        ...

    def parts(
        self, split: Split, choices: Sequence[Choice], told: Told = ...
    ) -> list[RewardParts | None]:
        """The parts they are made of; `told` hears how many replies are there."""
        ...


def course_of(
    benchmark: Benchmark[Any],
    task: str,
    data: Path | None,
    prompts: Prompts,
    text: str | None = None,
    image: str | None = None,
) -> Course:
    """The course of a task; a benchmark without these splits raises."""
    pool = pool_of(benchmark, task, data, prompts)
    validation = split_of(benchmark, task, data, prompts, "validation")
    questions: dict[Split, Sequence[Question]] = {
        "train": [one.question for one in pool.demonstrations],
        "validation": validation,
    }
    return Course(benchmark, task, space_of(pool, text, image), questions, text, image)


def learned(
    course: Course,
    environment: ReplyingEnvironment,
    settings: Settings,
    folder: Path,
    model: str,
    told: Callable[[Point], None] | None = None,
) -> tuple[SavedPolicy, Trained]:
    """The trained policy, written to the folder with its learning curve; the same call again goes
    on where a killed one stopped."""
    queries = {
        split: course.space.queries(questions, WIDTH)
        for split, questions in course.questions.items()
    }
    fewest = min(int((one.candidates >= 0).sum(1).min()) for one in queries.values())
    if fewest < settings.shots:
        what = f"some question has {fewest} candidates, not {settings.shots}"
        raise InputError(course.space.pool.where, what, "Train for fewer demonstrations.")
    problem = Problem(queries["train"], queries["validation"], environment)
    done = train(problem, settings, folder, told)
    card = Card(
        benchmark=course.benchmark.name,
        task=course.task,
        model=model,
        shots=settings.shots,
        width=done.policy.width,
        hidden=done.policy.hidden,
        prior=done.policy.prior,
        encoder=course.space.encoder.name,
        text=course.text,
        image=course.image,
        pool=course.space.pool.checksum,
        rewards=environment.identity,
        weights=environment.weights,
        validation=done.validation,
        updates=done.updates,
        best_update=done.best_update,
        checksum=done.policy.checksum,
    )
    saved = SavedPolicy(done.policy, card)
    write_policy(folder, saved)
    write_plot(folder, done.curve)
    return saved, done


def choices_of(chooser: Selector | None, pool: Pool, questions: Sequence[Question]) -> list[Choice]:
    """What a selector shows with each question; nothing where there is none."""
    return [
        (row, tuple(pool.rows[one.item] for one in chooser.select(question)) if chooser else ())
        for row, question in enumerate(questions)
    ]
