"""MER-Bench's scores: three views over seeded draws of the edits, from one set of judgements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import polars as pl

from deadpan.benchmarks.merbench import metrics
from deadpan.benchmarks.merbench.metrics import FACTORS, GROUPS, lack
from deadpan.benchmarks.merbench.perceived import PERCEPTIONS
from deadpan.benchmarks.merbench.sampling import (
    Output,
    Sampling,
    Views,
    draw_weights,
    sampled_outputs,
    shared_samples,
    spread_samples,
)
from deadpan.core.answers import Answer, Answers
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Array, Statistics, scored
from deadpan.core.outcomes import OUTCOMES
from deadpan.core.score import Score
from deadpan.core.signature import join_signatures, parse_signature
from deadpan.core.units import Units, comparable_items
from deadpan.metrics.statistics.correlation import correlation_fields, pearson, spearman

ALL_MODELS = "all models"
"""Whose scores the factor and the overall view are."""


@dataclass(frozen=True)
class TaskEdits:
    """One task's edits by model and meme; an edit made in several epochs is one, with the
    judgements of all."""

    task: str
    signatures: Mapping[str, str]
    """Each model's."""
    models: Mapping[str, Mapping[str, Answer]]
    epochs: Mapping[Output, Sequence[Answer]]

    @classmethod
    def of(cls, task: str, rows: pl.DataFrame) -> TaskEdits:
        """Those of a task's rows in the results table."""
        models: dict[str, dict[str, Answer]] = {}
        epochs: dict[Output, list[Answer]] = {}
        answers = Answers(rows)
        signatures: dict[str, str] = {}
        for model in answers.models:
            own = answers.of(model)[task]
            signatures[model] = own.signature
            for answer in own:
                epochs.setdefault((answer.item, model), []).append(answer)
        for (meme, model), made in epochs.items():
            models.setdefault(model, {})[meme] = min(made, key=_use)
        return cls(task, signatures, models, epochs)

    @cached_property
    def values(self) -> dict[Output, Statistics | None]:
        """What the judgements of each edit add to the metrics; None where there are none."""
        return {output: metrics.edit_values(*made) for output, made in self.epochs.items()}

    @cached_property
    def comparable(self) -> frozenset[str]:
        """The memes of which every model has a usable edit, judged or not."""
        return comparable_items(
            {
                model: [meme for meme, edit in edits.items() if lack(edit) is None]
                for model, edits in self.models.items()
            }
        )

    @cached_property
    def categories(self) -> dict[str, frozenset[str]]:
        """The comparable memes of each value of the taxonomy."""
        edits, memes = next(iter(self.models.values())), sorted(self.comparable)
        groups = Units.of((edits[meme] for meme in memes), FACTORS).members
        return {group: frozenset(memes[at] for at in places) for group, places in groups.items()}


def _use(answer: Answer) -> tuple[bool, bool, int]:
    """A sort key: edits that can be used, then what says most about why there is none."""
    return answer.parsed is None, lack(answer) == "source", OUTCOMES.index(answer.outcome)


def edits_by_task(table: pl.DataFrame) -> Iterator[TaskEdits]:
    """The edits of each task of a results table."""
    for (task,), rows in table.group_by("task", maintain_order=True):
        yield TaskEdits.of(str(task), rows)


def needs_judging(table: pl.DataFrame, views: Views) -> pl.DataFrame:
    """The rows that a run of some view scores; no judge has to see the others."""
    wanted = {
        (edits.task, *output)
        for edits in edits_by_task(table)
        if edits.comparable
        for output in sampled_outputs(edits.comparable, list(edits.models), edits.categories, views)
    }
    rows = table.select("task", "item", "model").iter_rows()
    return table.filter(pl.Series([row in wanted for row in rows], dtype=pl.Boolean))


def measure_views(table: pl.DataFrame, views: Views) -> Iterator[Measurement]:
    """Every metric of a results table, task by task. All models of the table are compared: a meme
    counts where each of them has a usable edit."""
    for edits in edits_by_task(table):
        signatures = {model: _signature(edits, views, model) for model in edits.models}
        yield from _counts(edits, signatures)
        yield from _model_view(edits, views.model, signatures)
        if edits.comparable:
            signature = pooled_signature(edits.task, signatures)
            for group, memes in edits.categories.items():
                yield from _measure_pool(edits, memes, views.factor, signature, group)
            yield from _measure_pool(edits, edits.comparable, views.overall, signature)


def pooled_signature(task: str, signatures: Mapping[str, str]) -> str:
    """The signature of scores over all models together: theirs, where they have the same."""
    made = list(dict.fromkeys(signatures.values()))
    return made[0] if len(made) == 1 else join_signatures(task, made)


def _counts(edits: TaskEdits, signatures: Mapping[str, str]) -> Iterator[Measurement]:
    """How many memes can be compared, and what each model lacks."""
    for model, own in edits.models.items():
        units = plain_units(own)
        for metric in metrics.COUNTS:
            statistics = [
                metric.statistics(edit) if metric.statistics else scored(meme in edits.comparable)
                for meme, edit in own.items()
            ]
            yield Measurement(model, edits.task, metric, units, statistics, signatures[model])


def _model_view(
    edits: TaskEdits, sampling: Sampling, signatures: Mapping[str, str]
) -> Iterator[Measurement]:
    """Each model on the same memes (table 2), and on those of each group among them (figure 5);
    without a value where there is nothing to compare on. Edits that ended wrong are counted with
    the score over all, and in no group."""
    memes = edits.comparable
    samples = shared_samples(memes, sampling) if memes else [()] * sampling.runs
    drawn = sorted({meme for sample in samples for meme in sample})
    for model, own in edits.models.items():
        wrong = [edit for edit in own.values() if lack(edit) in ("unreadable", "refused")]
        counted = [*(own[meme] for meme in drawn), *wrong]
        units = Units.of(counted, GROUPS)
        units = replace(units, groups=(*units.groups[: len(drawn)], *[()] * len(wrong)))
        outputs = [(edit.item, model) for edit in counted]
        weights = draw_weights(samples, [edit.item for edit in counted])
        statistics = [edits.values[output] for output in outputs]
        about, signature = (model, edits.task, units), signatures[model]
        yield from judged_metrics(*about, statistics, signature, weights)
        epochs = [edits.epochs[output] for output in outputs]
        yield from measure_perceived(*about, epochs, signature, weights)


def _measure_pool(
    edits: TaskEdits, memes: frozenset[str], sampling: Sampling, signature: str, group: str = ALL
) -> Iterator[Measurement]:
    """All models together: on a value of the taxonomy (table 3), or on all memes (figure 5 o)."""
    samples = spread_samples(memes, list(edits.models), sampling)
    outputs = sorted({output for sample in samples for output in sample})
    units = Units.of((edits.models[model][meme] for meme, model in outputs), ())
    statistics = [edits.values[output] for output in outputs]
    weights = draw_weights(samples, outputs)
    yield from judged_metrics(ALL_MODELS, edits.task, units, statistics, signature, weights, group)
    if group == ALL:
        epochs = [edits.epochs[output] for output in outputs]
        yield from measure_perceived(ALL_MODELS, edits.task, units, epochs, signature, weights)


def judged_metrics(
    model: str,
    task: str,
    units: Units,
    statistics: Sequence[Statistics | None],
    signature: str,
    draws: Array,
    group: str = ALL,
) -> Iterator[Measurement]:
    """Every metric that judgements give, over draws."""
    for metric in metrics.JUDGED:
        yield Measurement(model, task, metric, units, statistics, signature, group, draws)


def measure_perceived(
    model: str,
    task: str,
    units: Units,
    epochs: Sequence[Sequence[Answer]],
    signature: str,
    draws: Array,
) -> Iterator[Measurement]:
    """How often each emotion is perceived, over draws; `epochs` are each unit's answers."""
    for metric, adds in PERCEPTIONS:
        statistics = [adds(*made) for made in epochs]
        yield Measurement(model, task, metric, units, statistics, signature, draws=draws)


def plain_units(items: Iterable[str]) -> Units:
    """Units that all count alike and are in no group."""
    keys = tuple((item, 1) for item in items)
    return Units(keys, tuple("answered" for _ in keys), ((),) * len(keys))


def correlation_scores(
    model: str, task: str, group: str, pairs: Sequence[tuple[float, float]], signature: str
) -> Iterator[Score]:
    """Pearson's and Spearman's correlation, which do not add up; no value where undefined."""
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    for metric, correlation in zip(metrics.CORRELATIONS, (pearson, spearman), strict=True):
        yield Score(
            model=model,
            task=task,
            metric=metric.name,
            group=group,
            signature=signature,
            **correlation_fields(correlation, first, second),
        )


def _signature(edits: TaskEdits, views: Views, model: str) -> str:
    """A model's signature with what was compared and drawn: runs × size @ seed, the size being what
    there is where that is less."""
    memes = len(edits.comparable)
    outputs = memes * len(edits.models)
    drawn = {
        name: f"{sampling.runs}x{min(sampling.size, most)}@{sampling.seed}"
        for name, sampling, most in (
            ("sample", views.model, memes),
            ("factor_sample", views.factor, outputs),
            ("overall_sample", views.overall, outputs),
        )
    }
    signature = parse_signature(edits.signatures[model])
    return str(signature.with_settings(comparable=str(memes), **drawn))
