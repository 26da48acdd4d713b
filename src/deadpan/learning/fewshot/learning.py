"""From a task's training and validation splits to a policy in a folder: the weights of its reward
tuned, the policy trained, its curve drawn.

Weights are tuned on validation once for a policy, and kept in its folder: tuning again would not
give the same ones where calls failed, and training goes on only with those it was begun with. Each
unit is one way to choose demonstrations, put to all validation questions. Of all weights on a grid
over the simplex the ones are taken whose reward follows `mean_score` best over the units (Pearson's
r); among equally good ones, the most even. Form does not count in that score, as no task is judged
by it; nor does the label alone, which would leave target and explanation to chance.

What this does not do: the score is itself a mean of three of the parts, so that the weights come
out near those that make the reward this mean, whatever the model answers; its answers decide how
much form may count, and between near neighbours on the grid. No policies are trained and compared
by weights, which would cost a training run each: that is left to the user (`--weights`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
from pydantic import BaseModel, ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_there, read_text, write_bytes, write_text
from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Split
from deadpan.core.questions import Prompts, Question
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.demonstration import Pool, pool_of, split_of
from deadpan.engine.fewshot.policy import Card, SavedPolicy, write_policy
from deadpan.engine.fewshot.selection import RandomSelector, Selector, Space
from deadpan.engine.fewshot.specification import PARTS, RewardParts, Weights
from deadpan.learning.fewshot.checkpoints import Point
from deadpan.learning.fewshot.rewards import ModelEnvironment
from deadpan.learning.fewshot.training import (
    Choice,
    Problem,
    Progress,
    Settings,
    Trained,
    ask_twice,
    no_progress,
    train,
)
from deadpan.reports.plot import plot_png, plot_svg
from deadpan.reports.theme import COLOURS, CONFIG, GREY

TUNED = "weights.json"
DRAWS = 8
"""Ways to choose at random that weights are tuned on."""
STEP = 10
"""Parts that the simplex is divided into along each side."""
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
    questions: dict[Split, Sequence[Question]] = {
        "train": [one.question for one in pool.demonstrations],
        "validation": split_of(benchmark, task, data, prompts, "validation"),
    }
    return Course(benchmark, task, Space.of(pool, text, image), questions, text, image)


def learn_policy(
    course: Course,
    environment: ModelEnvironment,
    settings: Settings,
    folder: Path,
    model: str,
    progress: Callable[[Point], None] | None = None,
) -> tuple[SavedPolicy, Trained]:
    """The trained policy, written to the folder with its curve; repeated, a killed call goes on."""
    asked = course.questions.items()
    queries = {split: course.space.queries(questions, WIDTH) for split, questions in asked}
    fewest = min(int((one.candidates >= 0).sum(1).min()) for one in queries.values())
    if fewest < settings.shots:
        what = f"some question has {fewest} candidates, not {settings.shots}"
        raise InputError(course.space.pool.where, what, "Train for fewer demonstrations.")
    problem = Problem(queries["train"], queries["validation"], environment)
    done = train(problem, settings, folder, progress)
    policy = done.policy
    card = Card(
        benchmark=course.benchmark.name,
        task=course.task,
        model=model,
        shots=settings.shots,
        width=policy.width,
        hidden=policy.hidden,
        prior=policy.prior,
        encoder=course.space.encoder.name,
        text=course.text,
        image=course.image,
        pool=course.space.pool.checksum,
        rewards=environment.identity,
        weights=environment.weights,
        validation=done.validation,
        updates=done.updates,
        best_update=done.best_update,
        checksum=policy.checksum,
    )
    saved = SavedPolicy(policy, card)
    write_policy(folder, saved)
    write_plot(folder, done.curve)
    return saved, done


def choices_of(chooser: Selector | None, pool: Pool, questions: Sequence[Question]) -> list[Choice]:
    """What a selector shows with each question; nothing where there is none."""
    return [
        (row, tuple(chooser.rows(question)) if chooser else ())
        for row, question in enumerate(questions)
    ]


class Tuned(BaseModel, frozen=True, extra="forbid"):
    """Weights, and what they were tuned for."""

    identity: str
    weights: Weights


def has_tuned_weights(folder: Path) -> bool:
    """Whether weights are kept in the folder."""
    return is_there(folder / TUNED)


def load_or_tune_weights(
    environment: ModelEnvironment, shots: int, folder: Path, progress: Progress = no_progress
) -> Weights:
    """The weights kept in the folder, else new ones; damaged or of another task, they raise."""
    identity = checksum([environment.parts_identity, shots, DRAWS])
    path = folder / TUNED
    if not is_there(path):
        made = Tuned(identity=identity, weights=tuned_weights(environment, shots, progress))
        write_text(path, made.model_dump_json(indent=1) + "\n")
        return made.weights
    again = "Choose another folder, or remove it to tune anew."
    try:
        kept = Tuned.model_validate_json(read_text(path))
    except ValidationError:
        raise InputError(path, "is not a whole record of tuned weights", again) from None
    if kept.identity != identity:
        what = "was tuned for another model, task, data or number of demonstrations"
        raise InputError(path, what, again)
    return kept.weights


def tuned_weights(
    environment: ModelEnvironment, shots: int, progress: Progress = no_progress
) -> Weights:
    """The weights whose reward follows the mean of label, target and explanation scores best, over
    DRAWS random choices for the validation questions, as far as all choices for a question were
    answered. What cannot be tuned raises."""
    pool, questions = environment.pool, environment.questions["validation"]
    ways = [choices_of(RandomSelector(pool, shots, seed), pool, questions) for seed in range(DRAWS)]
    choices = list(dict.fromkeys(choice for way in ways for choice in way))
    found = ask_twice(lambda asked: environment.parts("validation", asked, progress), choices)
    known = {choice: one for choice, one in zip(choices, found, strict=True) if one is not None}
    rows = [row for row in zip(*ways, strict=True) if all(choice in known for choice in row)]
    if not rows:
        what = f"no validation question was answered {DRAWS} times; what was paid for is kept"
        raise DeadpanError(f"{what}: run the same command again")
    units = [[known[row[way]] for row in rows] for way in range(DRAWS)]
    try:
        return tune(units, [mean_score(unit) for unit in units])
    except ValueError as error:
        raise DeadpanError(f"the weights cannot be tuned: {error}; name them (--weights)") from None


def tune(units: Sequence[Sequence[RewardParts]], metric: Sequence[float]) -> Weights:
    """The weights whose mean reward follows the metric best. Every part that some question has
    keeps at least one step. Fewer than three units, or a metric that never moves, raise."""
    if len(units) != len(metric):
        raise ValueError(f"{len(units)} units against {len(metric)} values of the metric")
    if len(units) < 3:
        raise ValueError(f"{len(units)} units; at least three are needed")
    if np.ptp(metric) == 0:
        raise ValueError("what is shown makes no difference to the model's score")
    used = [name for name in PARTS if any(name in one.known for unit in units for one in unit)]

    def weights(shares: Sequence[int]) -> Weights:
        named = {name: share / STEP for name, share in zip(used, shares, strict=True)}
        return Weights(**{**dict.fromkeys(PARTS, 0.0), **named})

    def fit(shares: Sequence[int]) -> tuple[float, int]:
        """Pearson's r, to nine places so that equal ones are equal; then how even they are."""
        total = weights(shares).total
        rewards = [float(np.mean([total(one) for one in unit])) for unit in units]
        moves = np.ptp(rewards) >= 1e-12
        r = round(float(np.corrcoef(rewards, metric)[0, 1]), 9) if moves else -1.0
        return r, -sum(share**2 for share in shares)

    grid = product(range(1, STEP + 1), repeat=len(used))
    return weights(max((shares for shares in grid if sum(shares) == STEP), key=fit))


def mean_score(unit: Sequence[RewardParts]) -> float:
    """The mean over answers of the mean of their scores other than form; none at all raises."""
    scores = [[value for name, value in one.known.items() if name != "format"] for one in unit]
    known = [sum(values) / len(values) for values in scores if values]
    if not known:
        raise ValueError("no answer has a score other than its form")
    return sum(known) / len(known)


def write_plot(folder: Path, curve: Sequence[Point]) -> None:
    """The curve as `curve.svg` and `curve.png`: rewards above, entropy below. No point raises."""
    if not curve:
        raise ValueError("no updates")
    rows = [
        {"update": point.update, "series": label, "value": value}
        for point in curve
        for name, label in _SERIES.items()
        if (value := getattr(point, name)) is not None
    ]
    spread = [{"update": p.update, "entropy": p.entropy} for p in curve if p.entropy is not None]
    scale = alt.Scale(domain=list(_SERIES.values()), range=[GREY, *COLOURS[:2]])
    colour = alt.Color("series:N", title=None, scale=scale, legend=alt.Legend(orient="top"))
    above = alt.Chart(alt.InlineData(rows), width=560, height=260).mark_line(clip=True)
    below = alt.Chart(alt.InlineData(spread), width=560, height=90).mark_line(color=GREY)
    reward = alt.Y("value:Q", title="reward", scale=alt.Scale(zero=False))
    rewards = above.encode(x=alt.X("update:Q", title=None), y=reward, color=colour)
    nats = alt.Y("entropy:Q", title="entropy, nats")
    entropy = below.encode(x=alt.X("update:Q", title="update"), y=nats)
    spec = {**alt.vconcat(rewards, entropy).to_dict(), "config": CONFIG}
    write_text(folder / "curve.svg", plot_svg(spec))
    write_bytes(folder / "curve.png", plot_png(spec))
