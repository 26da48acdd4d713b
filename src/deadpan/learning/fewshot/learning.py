"""From a task's training and validation splits to a policy in a folder, and its curve drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt

from deadpan.base.errors import InputError
from deadpan.base.files import write_bytes, write_text
from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Split
from deadpan.core.prompts import Prompts
from deadpan.core.questions import Question
from deadpan.engine.fewshot.demonstration import Pool, pool_of, split_of
from deadpan.engine.fewshot.saved import Card, SavedPolicy, write_policy
from deadpan.engine.fewshot.selection import Selector
from deadpan.engine.fewshot.space import Space
from deadpan.learning.fewshot.checkpoints import Point
from deadpan.learning.fewshot.rewarding import ModelEnvironment
from deadpan.learning.fewshot.training import Choice, Problem, Settings, Trained, train
from deadpan.reports.plot import plot_png, plot_svg
from deadpan.reports.theme import COLOURS, CONFIG, GREY

WIDTH = 256
"""The widest vectors that a policy sees; wider ones are projected."""
_SERIES = {
    "reward": "reward of the draws",
    "baseline": "moving average",
    "validation": "validation, without drawing",
}


@dataclass(frozen=True, eq=False)
class Course:
    """What a policy is to learn: the task's pool, and the questions of each split."""

    benchmark: Benchmark[Any]
    task: str
    space: Space
    questions: Mapping[Split, Sequence[Question]]
    text: str | None = None
    image: str | None = None


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
    return Course(benchmark, task, Space.of(pool, text, image), questions, text, image)


def learned(
    course: Course,
    environment: ModelEnvironment,
    settings: Settings,
    folder: Path,
    model: str,
    progress: Callable[[Point], None] | None = None,
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
    done = train(problem, settings, folder, progress)
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


def write_plot(folder: Path, curve: Sequence[Point]) -> None:
    """The curve as `curve.svg` and `curve.png`: rewards above, entropy of the first draw below, by
    update. No point raises ValueError."""
    if not curve:
        raise ValueError("no updates")
    rows = [
        {"update": point.update, "series": label, "value": getattr(point, name)}
        for point in curve
        for name, label in _SERIES.items()
        if getattr(point, name) is not None
    ]
    spread = [
        {"update": point.update, "entropy": point.entropy}
        for point in curve
        if point.entropy is not None
    ]
    colour = alt.Color("series:N", title=None).scale(
        domain=list(_SERIES.values()), range=[GREY, *COLOURS[:2]]
    )
    rewards = (
        alt.Chart(alt.InlineData(rows), width=560, height=260)
        .mark_line(clip=True)
        .encode(
            x=alt.X("update:Q", title=None),
            y=alt.Y("value:Q", title="reward").scale(zero=False),
            color=colour.legend(orient="top"),
        )
    )
    entropy = (
        alt.Chart(alt.InlineData(spread), width=560, height=90)
        .mark_line(color=GREY)
        .encode(x=alt.X("update:Q", title="update"), y=alt.Y("entropy:Q", title="entropy, nats"))
    )
    spec = {**alt.vconcat(rewards, entropy).to_dict(), "config": CONFIG}
    write_text(folder / "curve.svg", plot_svg(spec))
    write_bytes(folder / "curve.png", plot_png(spec))
