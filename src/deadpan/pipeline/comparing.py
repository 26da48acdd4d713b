"""Models compared item by item: of stores, tables, checkpoints, prompts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.errors import DeadpanError, MixedSignatures, meant
from deadpan.base.rows import first_repeated
from deadpan.benchmarks import find
from deadpan.core.measurement import ALL
from deadpan.core.metric import Metric
from deadpan.core.signature import (
    annotations_of,
    parse_signature,
    signature_differences,
    without_reasons,
)
from deadpan.metrics.statistics.comparing import Comparisons, Contest, Key
from deadpan.pipeline.results import Results


@dataclass(frozen=True)
class Wanted:
    """What is compared: models, in their order, metrics and a group; all models, and the metric
    that stands for each task, where none is named."""

    models: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    group: str = ALL


@dataclass(frozen=True)
class Comparison:
    """The contests of each benchmark, and what is to be said of how models were asked."""

    contests: Mapping[str, Sequence[Contest]]
    notes: Sequence[str] = field(default_factory=tuple)

    def pairs(self, wished: float | None = None) -> list[dict[str, Any]]:
        """Every pair of models in every metric, a row each; with how many items it takes to show
        the difference that is wished, or the one that was found."""
        return [
            {
                **about,
                "first": one.first,
                "second": one.second,
                "first_value": one.difference.first,
                "second_value": one.difference.second,
                "difference": one.difference.value,
                "low": one.difference.low,
                "high": one.difference.high,
                "p": one.difference.p,
                "adjusted_p": one.adjusted,
                "adjusted_by": f"Holm over {len(contest.pairs)}",
                "is_sure": one.is_sure,
                "n": one.difference.items,
                "visible_difference": one.difference.visible,
                "items_needed": one.difference.items_needed(wished or one.difference.value),
                "first_signature": without_reasons(contest.signatures[one.first]),
                "second_signature": without_reasons(contest.signatures[one.second]),
            }
            for about, contest in self._contests()
            for one in contest.pairs
        ]

    def ranks(self) -> list[dict[str, Any]]:
        """Every model's place in every metric, a row each."""
        return [
            {
                **about,
                "model": one.model,
                "value": one.value,
                "n": one.items,
                "best_rank": one.best,
                "worst_rank": one.worst,
            }
            for about, contest in self._contests()
            for one in contest.ranks
        ]

    def _contests(self) -> Iterator[tuple[dict[str, Any], Contest]]:
        for benchmark, contests in self.contests.items():
            for contest in contests:
                task, metric, group = contest.key
                about = {"benchmark": benchmark, "task": task, "metric": metric, "group": group}
                yield about, contest


def join_sources(tables: Mapping[Path, pl.DataFrame]) -> pl.DataFrame:
    """The rows of several results tables; a model that is in more than one of them is followed by
    the name of each, as two checkpoints under one name are two models."""
    held: dict[str, int] = {}
    for table in tables.values():
        for model in table["model"].unique():
            held[model] = held.get(model, 0) + 1
    apart = _short_names(tables)
    named = [
        table.with_columns(
            model=pl.col("model").replace(
                {model: f"{model} ({apart[path]})" for model in held if held[model] > 1}
            )
        )
        for path, table in tables.items()
    ]
    return pl.concat(named, how="diagonal_relaxed") if len(named) > 1 else named[0]


def _short_names(paths: Iterable[Path]) -> dict[Path, str]:
    """Each path by as many of its last parts as tell it from the others."""
    known = list(paths)
    for parts in range(1, max((len(path.parts) for path in known), default=1) + 1):
        short = {path: "/".join(path.parts[-parts:]) for path in known}
        if len(set(short.values())) == len(known):
            return short
    return {path: str(path) for path in known}


def compare_models(results: Results, wanted: Wanted) -> Comparison:
    """Every pair of models in every metric wanted; models or metrics that are not there raise, and
    so do less than two models, and models that were asked about unequal data."""
    known = list(dict.fromkeys(name for rows in results.tables.values() for name in rows["model"]))
    for name in wanted.models:
        if name not in known:
            held = f"there are answers of {', '.join(known)}"
            raise DeadpanError(f"{name}: no such store, table or model; {held}{meant(name, known)}")
    models = wanted.models or _asked_in_full(results, known)
    if twice := first_repeated(models):
        raise DeadpanError(f"{twice}: named twice; expected two models or more, each once")
    if len(models) < 2:
        only = f"there are answers of {known[0]} alone" if known else "there are no answers"
        raise DeadpanError(f"two models or more can be compared; {only}")
    found: dict[str, list[Contest]] = {}
    left = ", ".join(one for one in known if one not in models)
    notes = (
        [f"asked otherwise, and compared where named: {left}"] if left and not wanted.models else []
    )
    for name, rows in results.tables.items():
        comparisons = results.comparisons[name]
        notes += _unlike(rows.filter(pl.col("model").is_in(models)))
        for key, metric in _keys(name, comparisons, wanted, results.tasks):
            contest = comparisons.contest(key, metric, models)
            if contest is not None:
                found.setdefault(name, []).append(contest)
    if wanted.metrics:
        _require_metrics(results, wanted.metrics)
    if not found:
        groups = [one for own in results.comparisons.values() for one in own.groups]
        if wanted.group not in groups:
            listed = ", ".join(dict.fromkeys(groups))
            suggestion = meant(wanted.group, groups)
            raise DeadpanError(f"--group {wanted.group}: expected one of {listed}{suggestion}")
        where = "" if wanted.group == ALL else f" in {wanted.group}"
        raise DeadpanError(f"no two of these models have answered the same items{where}")
    return Comparison(found, [*notes, *_not_compared(found, models)])


def _asked_in_full(results: Results, known: Sequence[str]) -> tuple[str, ...]:
    """The models but for those asked in variants or paraphrases alone, where that leaves two."""
    rows = pl.concat([one.select("model", "signature") for one in results.tables.values()])
    whole = {model for model, text in rows.unique().iter_rows() if not parse_signature(text).way}
    kept = tuple(one for one in known if one in whole)
    return kept if len(kept) > 1 else tuple(known)


def _not_compared(found: Mapping[str, Sequence[Contest]], models: Sequence[str]) -> Iterator[str]:
    """The models that are in no pair, and the pairs without a shared item."""
    every = {(one.first, one.second) for own in found.values() for it in own for one in it.pairs}
    named = {model for pair in every for model in pair}
    for model in models:
        if model not in named:
            yield f"{model}: shares no scored item with another model, and is not compared"
    for first, second in combinations([model for model in models if model in named], 2):
        if (first, second) not in every:
            yield f"{first} and {second} share no scored item, and are not compared"


def _keys(
    benchmark: str, comparisons: Comparisons, wanted: Wanted, tasks: Sequence[str]
) -> list[tuple[Key, Metric]]:
    """What is compared: the named metrics, or the first of each task."""
    chosen: list[tuple[Key, Metric]] = []
    stood_for: set[str] = set()
    firsts = {spec.name: spec.metrics[0].name for spec in find(benchmark).tasks if spec.metrics}
    for (task, name, _), metric in comparisons.keys:
        if tasks and task not in tasks:
            continue
        if wanted.metrics:
            is_chosen = name in wanted.metrics
        else:
            stands = name == firsts.get(task, name)
            is_chosen = stands and task not in stood_for and metric.better != "neither"
        if is_chosen:
            stood_for.add(task)
            chosen.append(((task, name, wanted.group), metric))
    return chosen


def _require_metrics(results: Results, metrics: Sequence[str]) -> None:
    known = {key[1] for one in results.comparisons.values() for key, _ in one.keys}
    for name in metrics:
        if name not in known:
            listed = ", ".join(sorted(known))
            raise DeadpanError(f"--metric {name}: expected one of {listed}{meant(name, known)}")


def _unlike(rows: pl.DataFrame) -> list[str]:
    """In what models were asked or scored unequally, task by task; unequal data raises."""
    said: dict[str, list[str]] = {}
    made = rows.select("task", "model", "signature").unique(maintain_order=True)
    for (task,), own in made.group_by("task", maintain_order=True):
        texts = own["signature"].to_list()
        parsed = [parse_signature(text) for text in texts]
        if len({annotations_of(one.data) for one in parsed}) > 1:
            listed = "\n".join(f"  {text}" for text in texts)
            raise MixedSignatures(f"{task}: models were asked about unequal data:\n{listed}")
        unlike = signature_differences(texts)
        if any(unlike):
            pairs = zip(own["model"], unlike, strict=True)
            line = "; ".join(f"{model}: {one or 'as usual'}" for model, one in pairs)
            said.setdefault(line, []).append(str(task))
    return [f"asked unequally ({', '.join(tasks)}): {line}" for line, tasks in said.items()]
