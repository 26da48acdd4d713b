"""The model, factor and overall view: scores over seeded runs, from one set of judgements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from deadpan.benchmarks.merbench.cases import Case, cases_of
from deadpan.benchmarks.merbench.sampling import (
    Sampling,
    Views,
    sampled_outputs,
    shared_samples,
    spread_samples,
)
from deadpan.benchmarks.merbench.scoring import METRICS, over_runs, run_scores
from deadpan.core.comparable import comparable_items
from deadpan.core.outcomes import Coverage, WrongCounts
from deadpan.core.score import Score
from deadpan.core.signature import parse_signature

ALL_MODELS = "all models"
"""Whose scores the factor and the overall view are."""

COUNTS = (
    "comparable_memes",
    "missing_outputs",
    "unreadable_outputs",
    "refused_outputs",
    "missing_sources",
)
TASK_METRICS = (
    "RFS",
    *(name for name in METRICS if name != "RFS"),
    *COUNTS,
    *(f"{name}_std" for name in METRICS),
)

Models = Mapping[str, Mapping[str, Case]]
Run = Sequence[Case]


@dataclass(frozen=True)
class Emitter:
    """Makes the scores of one task."""

    task: str
    signature: str
    judged_in_each_run: bool = False
    """Whether each run has judgements of its own, so that an output counts in each."""

    def runs(
        self, model: str, group: str, runs: Sequence[Run], wrong: WrongCounts | None = None
    ) -> Iterator[Score]:
        """Every metric and its deviation over runs. n counts the outputs that were scored in any
        run, `unscored` those sampled that no judge has judged."""
        spreads = over_runs(
            [run_scores([case.values for case in run if case.values is not None]) for run in runs]
        )
        sampled = {
            (number if self.judged_in_each_run else 0, case.item, case.model): case
            for number, run in enumerate(runs)
            for case in run
        }
        scored = sum(case.values is not None for case in sampled.values())
        # Runs that all draw the same have no deviation to tell.
        drawn = {frozenset((case.item, case.model) for case in run) for run in runs}
        alike = len(drawn) == 1 and not self.judged_in_each_run
        for metric, spread in spreads.items():
            deviation = None if alike else spread.std
            for name, value in ((metric, spread.mean), (f"{metric}_std", deviation)):
                yield Score(
                    model=model,
                    task=self.task,
                    metric=name,
                    group=group,
                    value=value,
                    n=scored,
                    unscored=len(sampled) - scored,
                    signature=self.signature,
                    **(wrong or Coverage().wrong_counts),
                )

    def count(self, model: str, metric: str, value: int, of: int) -> Score:
        """How many of the model's outputs, or of the memes, are so."""
        return Score(
            model=model,
            task=self.task,
            metric=metric,
            value=float(value),
            n=of,
            signature=self.signature,
        )


def merbench_scores(table: pl.DataFrame, views: Views | None = None) -> list[Score]:
    """Every score of a results table, task by task. All models of the table are compared: a meme
    counts where each of them has a usable edit."""
    scores: list[Score] = []
    for (task,), rows in table.group_by("task", maintain_order=True):
        scores += task_scores(str(task), rows, views or Views())
    return scores


def task_scores(task: str, rows: pl.DataFrame, views: Views) -> list[Score]:
    """The three views of one task, and what each model lacks."""
    models = cases_of(rows)
    memes = comparable_memes(models)
    emit = Emitter(task, _signature(rows["signature"][0], views, len(memes), len(models)))
    scores = [score for name in models for score in _counts(emit, name, models[name], memes)]
    scores += model_view(emit, models, memes, views.model)
    if memes:
        scores += factor_view(emit, models, memes, views.factor)
        scores += overall_view(emit, models, memes, views.overall)
    return scores


def comparable_memes(models: Models) -> frozenset[str]:
    """The memes of which every model has a usable edit, judged or not."""
    return comparable_items(
        {name: [c.item for c in cases.values() if c.usable] for name, cases in models.items()}
    )


def needs_judging(table: pl.DataFrame, views: Views | None = None) -> pl.DataFrame:
    """The rows that a run of some view scores; no judge has to see the others."""
    kept = []
    for _, rows in table.group_by("task", maintain_order=True):
        models = cases_of(rows)
        memes = comparable_memes(models)
        groups = _members(models, memes)
        wanted = sampled_outputs(memes, list(models), groups, views) if memes else frozenset()
        pairs = zip(rows["item"], rows["model"], strict=True)
        kept.append(rows.filter(pl.Series([pair in wanted for pair in pairs], dtype=pl.Boolean)))
    return pl.concat(kept) if kept else table


def model_view(
    emit: Emitter, models: Models, memes: frozenset[str], sampling: Sampling
) -> Iterator[Score]:
    """Each model on the same memes (table 2), then on those of each group among them (score 5);
    scores without a value where there is nothing to compare on."""
    samples = shared_samples(memes, sampling) if memes else [()] * sampling.runs
    for model, cases in models.items():
        runs = [[cases[meme] for meme in sample] for sample in samples]
        yield from emit.runs(model, "all", runs, _wrong(cases))
        for group in sorted({group for run in runs for case in run for group in case.groups}):
            inside = [[case for case in run if group in case.groups] for run in runs]
            yield from emit.runs(model, group, inside)


def factor_view(
    emit: Emitter, models: Models, memes: frozenset[str], sampling: Sampling
) -> Iterator[Score]:
    """All models together on each value of the taxonomy (table 3)."""
    for group, members in _members(models, memes).items():
        runs = _spread(models, members, sampling)
        yield from emit.runs(ALL_MODELS, group, runs)


def overall_view(
    emit: Emitter, models: Models, memes: frozenset[str], sampling: Sampling
) -> Iterator[Score]:
    """All models together on all memes (score 5, o)."""
    yield from emit.runs(ALL_MODELS, "all", _spread(models, memes, sampling))


def _spread(models: Models, memes: frozenset[str], sampling: Sampling) -> list[Run]:
    samples = spread_samples(memes, list(models), sampling)
    return [[models[model][meme] for meme, model in sample] for sample in samples]


def _members(models: Models, memes: frozenset[str]) -> dict[str, frozenset[str]]:
    """The comparable memes of each value of the taxonomy."""
    cases = next(iter(models.values()))
    found: dict[str, set[str]] = {}
    for meme in memes:
        for group in cases[meme].factors:
            found.setdefault(group, set()).add(meme)
    return {group: frozenset(found[group]) for group in sorted(found)}


def _wrong(cases: Mapping[str, Case]) -> WrongCounts:
    """How many memes a model has no usable edit of, by how its answer ended."""
    lacks = Counter(case.lack for case in cases.values())
    return {
        "invalid": lacks["unreadable"],
        "truncated": lacks["truncated"],
        "refused": lacks["refused"],
    }


def _counts(
    emit: Emitter, model: str, cases: Mapping[str, Case], memes: frozenset[str]
) -> Iterator[Score]:
    lacks = Counter(case.lack for case in cases.values())
    unreadable = lacks["unreadable"] + lacks["truncated"]
    found = (len(memes), lacks["missing"], unreadable, lacks["refused"], lacks["source"])
    for metric, value in zip(COUNTS, found, strict=True):
        yield emit.count(model, metric, value, len(cases))


def _signature(text: str, views: Views, memes: int, models: int) -> str:
    """A row's signature with what was compared and drawn: runs × size @ seed, the size being what
    there is where that is less."""

    def drawn(sampling: Sampling, most: int) -> str:
        return f"{sampling.runs}x{min(sampling.size, most)}@{sampling.seed}"

    settings = {
        "comparable": str(memes),
        "sample": drawn(views.model, memes),
        "factor_sample": drawn(views.factor, memes * models),
        "overall_sample": drawn(views.overall, memes * models),
    }
    return str(parse_signature(text).with_settings(**settings))
