"""ViMU's scores: task by task, on the videos that all models have, over tasks, and as a map."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu import judge, metrics
from deadpan.benchmarks.vimu.metrics import COMPARABLE, GROUPS
from deadpan.benchmarks.vimu.selections import Choices, guidance_counts, map_scores
from deadpan.benchmarks.vimu.taxonomy import GUIDED, LETTERS, SUMMARY
from deadpan.core.answers import Answer, Answers, ByTask, TaskAnswers
from deadpan.core.measurement import ALL, Measurement, over_tasks
from deadpan.core.metric import Metric, Statistics, scored
from deadpan.core.outcomes import COUNTED_AS_WRONG, LEFT_OUT, NOT_ASKED
from deadpan.core.score import Score
from deadpan.core.signature import join_signatures, parse_signature
from deadpan.core.units import Units

COLUMNS = (
    "judgements",
    *(f"attr.{name}" for name in ("difficulty", "speech", "rhetoric", "social", "categories")),
)
_OUTCOME, _REASON = pl.col("outcome"), pl.col("reason").fill_null("")
_WAS_ASKED = ~_REASON.str.starts_with(NOT_ASKED)
_READING = (
    pl.when(_OUTCOME == "answered", pl.col("judgements").fill_null("[]") != "[]")
    .then(pl.lit(judge.JUDGED))
    .when(_OUTCOME.is_in(COUNTED_AS_WRONG) | ((_OUTCOME == "failed") & _WAS_ASKED))
    .then(pl.lit(judge.FAILED))
    .when(_OUTCOME.is_in(["answered", "judge_failed"]))
    .then(pl.lit(judge.WAITING))
    .otherwise(pl.lit(judge.UNASKED))
)
"""What became of each reading; it means nothing in the other tasks."""


def measure_vimu(answers: Answers) -> Iterator[Measurement | Score]:
    """Every metric, model by model, then the map of models, which does not add up over videos."""
    table = answers.table.with_columns(_READING.alias("attr.reading"))
    asked = Answers(table, tasks=answers.tasks)
    comparable = comparable_videos(asked.table)
    choices: dict[str, dict[str, Choices]] = {}
    for model in asked.models:
        tasks = {name: read_answers(own) for name, own in asked.of(model).items()}
        choices[model] = {
            name: Choices.of(own) for name, own in tasks.items() if name != judge.OPEN
        }
        is_compared = len(asked.models) > 1
        for name, own in tasks.items():
            yield from _headlines(model, own, ALL)
            yield from _details(model, own)
            yield _comparable_count(model, own, comparable[name])
            if is_compared:
                yield from _headlines(model, _of_videos(own, comparable[name]), COMPARABLE)
        yield from _guidance_changes(model, tasks)
        yield from _averages(model, tasks)
        if is_compared:
            yield from _averages(model, tasks, comparable)
    for ending in ("", "_guided"):
        yield from map_scores(choices, ending)


def _measure_task(
    model: str, own: TaskAnswers, wanted: Iterable[Metric], group: str = ALL
) -> Iterator[Measurement]:
    """Metrics on answers that are called `group`. Those of the open question are not split into
    groups here: whether readings count depends on the whole group."""
    is_open = own.task == judge.OPEN
    is_counted = is_open and judge.are_counted(own)
    units = Units.of(own, () if is_open else GROUPS)
    for metric in wanted:
        add = metric.statistics
        statistics = [
            add(one) if add and (is_counted if is_open else one.is_scored) else None for one in own
        ]
        yield Measurement(model, own.task, metric, units, statistics, own.signature, group)


def _only(own: TaskAnswers, answers: Iterable[Answer]) -> TaskAnswers:
    return replace(own, answers=tuple(answers))


def _of_videos(own: TaskAnswers, videos: Collection[str]) -> TaskAnswers:
    return _only(own, (one for one in own if one.item in videos))


def _headlines(model: str, own: TaskAnswers, group: str) -> Iterator[Measurement]:
    """What is also given for the comparable videos, the score first."""
    if own.task != judge.OPEN:
        yield from _measure_task(model, own, metrics.SELECTIONS, group)
        return
    yield from _measure_task(model, own, metrics.TOTALS, group)
    yield from _measure_task(model, _judgeable(own), [metrics.SCORE_JUDGED], group)


def _details(model: str, own: TaskAnswers) -> Iterator[Measurement]:
    """What judges said, by group too; or the analyses of choices that could be read."""
    if own.task == judge.OPEN:
        for group, members in Units.of(own, GROUPS).members.items():
            part = _only(own, (own[place] for place in members))
            yield from _measure_task(model, part, [metrics.OPEN_SCORE], group)
        yield from _measure_task(model, _judgeable(own), [*metrics.JUDGED, metrics.VERDICT_SHARE])
        repeated = _only(own, (one for one in own if len(one.parsed) > 1))
        yield from _measure_task(model, repeated, [metrics.JUDGE_SPREAD])
    elif len(answered := _only(own, (one for one in own if one.is_answered))):
        is_evidence = own.task == "eg"
        wanted = metrics.EVIDENCE_ANALYSES if is_evidence else metrics.STRUCTURE_ANALYSES
        yield from _measure_task(model, answered, wanted)


def _judgeable(own: TaskAnswers) -> TaskAnswers:
    """The answers without failed inferences: what a judge has judged or should have."""
    return _only(own, (one for one in own if one.attributes["reading"] != judge.FAILED))


def _comparable_count(model: str, own: TaskAnswers, videos: Collection[str]) -> Measurement:
    """How many videos the task can be compared on; each counts once, however often it was asked."""
    uncounted = set(videos)
    statistics: list[Statistics | None] = []
    for answer in own:
        is_scored = judge.totals(answer) is not None if own.task == judge.OPEN else answer.is_scored
        statistics.append(scored(answer.item in uncounted) if is_scored else None)
        if is_scored:
            uncounted.discard(answer.item)
    metric, units = metrics.COMPARABLE_COUNT, Units.of(own, ())
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


def _averages(
    model: str, tasks: ByTask, comparable: Mapping[str, frozenset[str]] | None = None
) -> Iterator[Measurement]:
    """The averages of one model's scores, where all parts have one, from one data set; where the
    comparable videos are given, over those that are so in every task of the average."""
    for metric, names in metrics.AVERAGES:
        if not tasks.keys() >= {*names}:
            continue
        own, group = [tasks[name] for name in names], ALL
        if comparable is not None:
            videos = frozenset.intersection(*(comparable[name] for name in names))
            own, group = [_of_videos(one, videos) for one in own], COMPARABLE
        parts = [next(_headlines(model, one, group)) for one in own]
        is_whole = all(next(part.scores()).value is not None for part in parts)
        if is_whole and _same_data(parts):
            signature = join_signatures(
                f"{SUMMARY}_{metric.name}", [part.signature for part in parts]
            )
            yield over_tasks(metric, parts, signature, SUMMARY)


def _same_data(parts: Sequence[Measurement | TaskAnswers]) -> bool:
    return len({parse_signature(part.signature).data for part in parts}) == 1


def comparable_videos(table: pl.DataFrame) -> Mapping[str, frozenset[str]]:
    """By task, the videos that every model with that task has scored in it; none of a model whose
    answers wait while not one was judged."""
    reading = pl.col("attr.reading")
    counted = ((reading == judge.JUDGED).any() | (reading != judge.WAITING).all()).over(
        "model", "task"
    )
    is_scored = (
        pl.when(pl.col("task") == judge.OPEN)
        .then(reading.is_in([judge.JUDGED, judge.FAILED]) & counted)
        .otherwise(~_OUTCOME.is_in(LEFT_OUT))
    )
    models = pl.col("model").n_unique()
    of_video = table.filter(is_scored).group_by("task", "item").agg(having=models)
    shared = of_video.join(table.group_by("task").agg(asked=models), "task")
    found: dict[str, set[str]] = {task: set() for task in table["task"].unique()}
    for task, item in shared.filter(having=pl.col("asked")).select("task", "item").iter_rows():
        found[task].add(item)
    return {task: frozenset(items) for task, items in found.items()}


def read_answers(answers: TaskAnswers) -> TaskAnswers:
    """A task's answers with sets of categories as `parsed` and `gold`; with their judgements as
    `parsed` where the question is the open one."""
    if answers.task != judge.OPEN:
        return _only(answers, map(with_categories, answers))
    return _only(
        answers, (replace(one, parsed=one.judged(judge.read_judgement)) for one in answers)
    )


def with_categories(answer: Answer) -> Answer:
    """A choice by categories; a letter that the question does not have makes it invalid, and
    nothing is chosen where no answer was read."""
    letters = "".join(answer.attributes["categories"])  # a text in older tables
    categories = dict(zip(LETTERS, letters, strict=False))
    if not {*categories.values()} <= {*LETTERS} or not {*answer.gold} <= categories.keys():
        what = f'got "{letters}", and gold is {", ".join(answer.gold) or "none"}'
        fix = "Give a table or log that deadpan wrote."
        raise InputError(f"results table {answer.item} attr.categories", what, fix)
    chosen = answer.parsed or []
    is_known = {*chosen} <= categories.keys()
    return replace(
        answer,
        outcome=answer.outcome if is_known else "invalid",
        parsed=frozenset(categories[letter] for letter in chosen if is_known),
        gold=frozenset(categories[letter] for letter in answer.gold),
    )
