"""ViMU's scores: task by task, on the videos that all models have, over tasks, and as a map."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu import metrics
from deadpan.benchmarks.vimu.metrics import COMPARABLE, GROUPS, SUMMARY
from deadpan.benchmarks.vimu.model_map import model_map
from deadpan.benchmarks.vimu.names import GUIDED, Task
from deadpan.benchmarks.vimu.readings import FAILED, OPEN, are_counted
from deadpan.benchmarks.vimu.scored_answers import (
    comparable_videos,
    read_answers,
    with_readings,
)
from deadpan.benchmarks.vimu.selections import (
    false_negative_rates,
    false_positive_rates,
    guidance_counts,
    option_counts,
)
from deadpan.core.answers import Answer, Answers, ByTask, TaskAnswers
from deadpan.core.comparable import comparable_items
from deadpan.core.measurement import ALL, Measurement, over_tasks
from deadpan.core.metric import Array, Metric, Statistics, Sums, scored, stacked
from deadpan.core.score import Score
from deadpan.core.signature import joined, parse_signature
from deadpan.core.units import Units

COLUMNS = (
    "judgements",
    *(f"attr.{name}" for name in ("difficulty", "speech", "rhetoric", "social", "categories")),
)
MAPS: Mapping[str, tuple[Task, Task]] = {
    "": ("rm", "sv"),
    "_guided": ("rm_guided", "sv_guided"),
}
"""The tasks of each map, by what its metrics' names end in."""
_FEWEST_MODELS = 3


def measure_vimu(answers: Answers) -> Iterator[Measurement | Score]:
    """Every metric, model by model, then the map of models, which does not add up over videos."""
    asked = Answers(with_readings(answers.table))
    comparable = comparable_videos(asked.table)
    choices: dict[str, dict[str, Choices]] = {}
    for model in asked.models:
        tasks = {name: read_answers(own) for name, own in asked.of(model).items()}
        choices[model] = {name: Choices.of(own) for name, own in tasks.items() if name != OPEN}
        all_scores, comparable_scores = [], []
        for name, own in tasks.items():
            headlines = list(_headlines(model, own))
            all_scores.append(headlines[0])
            yield from headlines
            yield from _details(model, own)
            yield _comparable_count(model, own, comparable[name])
            if len(asked.models) > 1:
                shared = [one for one in own if one.item in comparable[name]]
                headlines = list(_headlines(model, _only(own, shared), COMPARABLE))
                comparable_scores.append(headlines[0])
                yield from headlines
        yield from _guidance_changes(model, tasks)
        yield from _averages(all_scores)
        yield from _averages(comparable_scores)
    for ending in MAPS:
        yield from _map(ending, choices)


def _measured(
    model: str, own: TaskAnswers, wanted: Iterable[Metric], group: str = ALL
) -> Iterator[Measurement]:
    """Metrics on answers that are called `group`. Those of the open question are not split into
    groups here: whether readings count depends on the whole group."""
    is_open = own.task == OPEN
    counted = not is_open or are_counted(own)
    units = Units.of(own, () if is_open else GROUPS)
    for metric in wanted:
        add = metric.statistics
        statistics = [add(one) if add and counted else None for one in own]
        yield Measurement(model, own.task, metric, units, statistics, own.signature, group)


def _only(own: TaskAnswers, answers: Iterable[Answer]) -> TaskAnswers:
    return replace(own, answers=tuple(answers))


def _headlines(model: str, own: TaskAnswers, group: str = ALL) -> Iterator[Measurement]:
    """What is also given for the comparable videos, the score first."""
    if own.task != OPEN:
        yield from _measured(model, own, metrics.SELECTIONS, group)
        return
    yield from _measured(model, own, metrics.TOTALS, group)
    yield from _measured(model, _judgeable(own), [metrics.SCORE_JUDGED], group)


def _details(model: str, own: TaskAnswers) -> Iterator[Measurement]:
    """What judges said, by group too; or the analyses of choices that could be read."""
    if own.task == OPEN:
        for group, members in Units.of(own, GROUPS).members.items():
            part = _only(own, (own[place] for place in members))
            yield from _measured(model, part, [metrics.OPEN_SCORE], group)
        of_judge = (*metrics.JUDGED_PARTS, metrics.JUDGE_FLAGS)
        yield from _measured(model, _judgeable(own), of_judge)
        repeated = _only(own, (one for one in own if len(one.parsed) > 1))
        yield from _measured(model, repeated, [metrics.JUDGE_SPREAD])
        return
    answered = _only(own, (one for one in own if one.is_answered))
    if len(answered):
        is_evidence = own.task == "eg"
        wanted = metrics.EVIDENCE_ANALYSES if is_evidence else metrics.STRUCTURE_ANALYSES
        yield from _measured(model, answered, wanted)


def _judgeable(own: TaskAnswers) -> TaskAnswers:
    """The answers without failed inferences: what a judge has judged or should have."""
    return _only(own, (one for one in own if one.attributes["reading"] != FAILED))


def _comparable_count(model: str, own: TaskAnswers, videos: Collection[str]) -> Measurement:
    """How many videos the task can be compared on; each counts once, however often it was asked."""
    score = metrics.OPEN_SCORE if own.task == OPEN else metrics.SCORE
    uncounted = set(videos)
    statistics: list[Statistics | None] = []
    for answer in own:
        is_scored = score.statistics is not None and score.statistics(answer) is not None
        statistics.append(scored(answer.item in uncounted) if is_scored else None)
        if is_scored:
            uncounted.discard(answer.item)
    units = Units.of(own, ())
    metric = metrics.COMPARABLE_COUNT
    return Measurement(model, own.task, metric, units, statistics, own.signature)


def _guidance_changes(model: str, tasks: ByTask) -> Iterator[Measurement]:
    """How guidance changes each option's false-positive rate, on questions answered both ways."""
    for task, guided in GUIDED.items():
        if not {task, guided} <= tasks.keys() or not _same_data([tasks[task], tasks[guided]]):
            continue
        before = {one.key: one for one in tasks[task] if one.is_answered}
        both = [one for one in tasks[guided] if one.is_answered and one.key in before]
        statistics = []
        for after in both:
            first = before[after.key]
            if first.gold != after.gold:  # a table changed by hand
                what = f"{after.item} has one gold set with guidance and another without"
                raise InputError("results table", what, "Give a table that deadpan wrote.")
            statistics.append(guidance_counts(first.parsed, after.parsed, after.gold))
        if both:
            units, signature = Units.of(both, ()), tasks[guided].signature
            metric = metrics.GUIDANCE_CHANGE
            yield Measurement(model, guided, metric, units, statistics, signature)


def _averages(scores: Sequence[Measurement]) -> Iterator[Measurement]:
    """The averages of one model's scores of one group, where all parts have one, from one data
    set."""
    by_task = {one.task: one for one in scores if next(one.scores()).value is not None}
    for metric, tasks in metrics.AVERAGES:
        parts = [by_task[task] for task in tasks if task in by_task]
        if len(parts) == len(tasks) and _same_data(parts):
            signature = joined(f"{SUMMARY}_{metric.name}", [part.signature for part in parts])
            yield over_tasks(metric, parts, signature, SUMMARY)


def _same_data(parts: Sequence[Measurement | TaskAnswers]) -> bool:
    return len({parse_signature(part.signature).data for part in parts}) == 1


@dataclass(frozen=True)
class Choices:
    """What a model's choices in one task add to its error rates, by video."""

    signature: str
    by_video: Mapping[str, Sequence[Statistics]]

    @classmethod
    def of(cls, own: TaskAnswers) -> Choices:
        """Those that could be read."""
        by_video: dict[str, list[Statistics]] = {}
        for one in own:
            if one.is_answered:
                counts = option_counts(one.parsed, one.gold)
                by_video.setdefault(one.item, []).append(counts)
        return cls(own.signature, by_video)


def _map(ending: str, choices: Mapping[str, Mapping[str, Choices]]) -> Iterator[Score]:
    """Every model's place on the map of error rates in two tasks, and the axes' shares, on the
    videos that all of them answered. There is none for fewer than three models with both tasks,
    and none where all of them err in the same way."""
    tasks = MAPS[ending]
    models = {
        model: [of[task] for task in tasks] for model, of in choices.items() if {*tasks} <= {*of}
    }
    if len(models) < _FEWEST_MODELS:
        return
    shared = [
        sorted(comparable_items({model: of[at].by_video for model, of in models.items()}))
        for at in range(len(tasks))
    ]
    if not all(shared):
        return
    rows = {
        model: [
            [row for video in videos for row in part.by_video[video]]
            for part, videos in zip(of, shared, strict=True)
        ]
        for model, of in models.items()
    }
    rates = np.array([np.concatenate([_error_rates(part) for part in of]) for of in rows.values()])
    if not np.nanmax(np.ptp(rates, axis=0)) > 0:
        return
    points, shares = model_map(rates)
    names = ("pc1", "pc2", "pc1_share", "pc2_share")
    for model, point in zip(models, points, strict=True):
        signatures = [part.signature for part in models[model]]
        for name, value in zip(names, (*point, *shares), strict=True):
            yield Score(
                model=model,
                task=SUMMARY,
                metric=f"{name}{ending}",
                value=float(value),
                n=min(map(len, rows[model])),
                signature=joined(f"{SUMMARY}_map{ending}", signatures),
            )


def _error_rates(rows: Sequence[Statistics]) -> Array:
    """Each option's false-positive and false-negative rate, in turn."""
    keys, matrix, lines = stacked(rows)
    sums = Sums(keys, matrix[lines].sum(axis=0))
    return np.stack([false_positive_rates(sums), false_negative_rates(sums)], axis=-1).ravel()
