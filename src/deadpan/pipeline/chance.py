"""What guessing gets on the very questions that a model was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from deadpan.core.benchmark import Benchmark
from deadpan.core.measurement import ALL, scores_of
from deadpan.core.metric import Metric
from deadpan.core.questions import Card, Question, Reply
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import Signature
from deadpan.core.variants import Variant
from deadpan.pipeline.table import graded_row, join_judgements
from deadpan.pipeline.table_files import table_of

Guesser = Literal["random", "one option", "majority"]
By = Literal[Guesser, "lowest"]
_GUESSERS: tuple[Guesser, ...] = get_args(Guesser)
_MOST_GUESSES = 4000
"""About how many guesses are made at a task, over several seeds where items are few."""
_MOST_SEEDS = 20

TaskKey = tuple[str, str]
"""Benchmark and task."""


@dataclass(frozen=True)
class Chance:
    """A score that needs no understanding: of random answers, of one random option where several
    may be right, or of the most frequent answer, whichever is best; where none can be scored, the
    worst that the metric can be."""

    value: float
    by: By


def asked_questions(stores: Iterable[Path]) -> dict[TaskKey, dict[str, Question]]:
    """By task, and by item, the questions that stores hold as they were asked in full."""
    from deadpan.engine.manifests import ANSWERS, manifests_below, read_manifest

    found: dict[TaskKey, dict[str, Question]] = {}
    for files in manifests_below(stores).values():
        for manifest in map(read_manifest, files):
            way = Signature("", "", "", 0, "", "", settings=manifest.settings)
            if manifest.kind != ANSWERS or way.variant is not Variant.FULL:
                continue
            own = found.setdefault((manifest.benchmark, manifest.task), {})
            for row in manifest.rows:
                if row.question and row.item not in own:
                    own[row.item] = Question.model_validate_json(row.question)
    return found


def chance_scores(
    benchmark: Benchmark[Any],
    task: str,
    questions: Sequence[Question],
    metrics: Iterable[Metric],
    options: ScoringOptions,
) -> dict[str, Chance]:
    """By metric what guessing gets at the questions. A task is guessed at by itself, so that no
    wrong guess at another one counts against it."""
    measured: dict[By, Mapping[str, float]] = {
        by: _measured(benchmark, task, questions, options, by) for by in _GUESSERS
    }
    found: dict[str, Chance] = {}
    for metric in metrics:
        known = [
            Chance(values[metric.name], by)
            for by, values in measured.items()
            if metric.name in values
        ]
        if not known and metric.range is not None and metric.better != "neither":
            known = [Chance(metric.range[metric.is_lower_better], "lowest")]
        if known:
            sign = -1 if metric.is_lower_better else 1
            found[metric.name] = max(known, key=lambda one: sign * one.value)
    return found


def _measured(
    benchmark: Benchmark[Any],
    task: str,
    questions: Sequence[Question],
    options: ScoringOptions,
    by: Guesser,
) -> Mapping[str, float]:
    """The values of a baseline's answers, by metric; none where it has no answer to all, or where a
    judge would have to grade them."""
    spec = benchmark.task(task)
    if spec.judge is not None and not (spec.judge_optional or spec.graded_by):
        return {}
    if by == "majority" and any(one.reference is None for one in questions):
        return {}
    if by != "majority" and any(not _can_guess(one) for one in questions):
        return {}
    if by == "one option" and any(one.form != "labels" for one in questions):
        return {}
    drawn = questions[0].form != "free" or questions[0].options
    is_fixed = by == "majority" or not drawn
    seeds = 1 if is_fixed else max(1, min(_MOST_SEEDS, _MOST_GUESSES // len(questions)))
    n = seeds * len(questions)
    signature = str(Signature(benchmark.name, task, str(spec.version), n, "guessed", "none"))
    rows = [
        graded_row(benchmark, task, by, one, Reply(text=said), signature) | {"epoch": seed + 1}
        for seed in range(seeds)
        for one in questions
        for said in [_guess(by, one.card(benchmark.name, task), seed)]
    ]
    table = join_judgements(table_of(rows), (), None)
    return {
        one.metric: one.value
        for one in scores_of(benchmark.measurements(table, options))
        if one.group == ALL and one.task == task and one.value is not None
    }


def _guess(by: Guesser, card: Card, seed: int) -> str:
    from deadpan.engine import baselines

    if by == "one option":
        return baselines.random_guess(card.model_copy(update={"form": "choice"}), seed)
    return baselines.answer(by, card, (), seed)


def _can_guess(question: Question) -> bool:
    """Whether there is something to draw from."""
    if question.form == "free":
        return True
    listed = question.form in ("choice", "labels")
    return bool(question.options if listed else question.panels)
