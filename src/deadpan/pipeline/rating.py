"""Files of ratings → what people say of each model, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Addition, Rated, TableLayout, require
from deadpan.core.rating_files import read_ratings
from deadpan.core.ratings import POOLED, RatingStudy
from deadpan.core.score import Score, ScoringOptions
from deadpan.metrics.rating_scores import rating_scores, within


@dataclass(frozen=True)
class RatedStudy:
    """A study's ratings, what any study says by them, what the benchmark adds, and notes."""

    study: RatingStudy
    general: Sequence[Score]
    own: Sequence[Score] = ()
    notes: Sequence[str] = ()

    @property
    def scores(self) -> list[Score]:
        """All of its scores."""
        return [*self.general, *self.own]


def ratings_addition(benchmark: Benchmark[Any], found: RatedStudy) -> Addition:
    """What a report shows of a study: its scores and, where the benchmark lays out none of its own,
    tables of mean ratings and of agreement."""
    pooled = {score.model for score in found.scores} - set(found.study.models)
    ratings = require(benchmark.ratings, f"{benchmark.name} has no ratings by people")
    tables = () if ratings.laid_out else tuple(_tables(found.study))
    return Addition(found.scores, tables, pooled=frozenset(pooled))


def _tables(study: RatingStudy) -> Iterator[TableLayout]:
    """The mean rating of each model, and how far raters agree, for each scale and language."""
    groups = [group for group in study.groups if group != "all"] or ["all"]
    scales = [scale for scale in study.used_scales if not scale.is_choice]
    if not scales:
        return

    def columns(metric: str, groups: Sequence[str]) -> tuple[tuple[str, str, str, str], ...]:
        return tuple(
            (
                f"{scale.name} {group.partition('=')[2].upper()}".strip(),
                scale.task,
                metric,
                within(scale.group, group),
            )
            for scale in scales
            for group in groups
        )

    raters = f"{len(study.raters)} raters"
    bounds = "; ".join(f"{one.name}: {one.lowest:g} to {one.highest:g}" for one in scales)
    yield TableLayout(
        "Mean ratings by people", "", columns("rating_mean", groups), remark=f"{raters}. {bounds}."
    )
    yield TableLayout(
        "How far the raters agree",
        "",
        tuple(
            (f"{heading} {name}", task, metric, group)
            for name, metric in (("alpha", "alpha"), ("exact", "exact_match"))
            for heading, task, _, group in columns("alpha", ["all"])
        ),
        model=POOLED,
        remark=f"Krippendorff's alpha, and the share of pairs of ratings that are equal; {raters}.",
    )


def rate_answers(
    benchmark: Benchmark[Any],
    files: Sequence[Path],
    table: pl.DataFrame | None = None,
    options: ScoringOptions | None = None,
    measured: Path | None = None,
    model: str = "",
    raters: Sequence[str] = (),
    data: Path | None = None,
) -> RatedStudy:
    """The scores of all files' ratings together, beside the rated results where they are given;
    these tell items' languages and groups too, the groups else the data. `model` is rated where a
    file names none; `raters` are columns of a sheet that are not called `rater:NAME`."""
    ratings = require(benchmark.ratings, f"{benchmark.name} has no ratings by people")
    found = read_ratings(files, ratings.form(model, raters))
    if lost := [name for name in raters if name not in {one.rater for one in found}]:
        raise DeadpanError(f"--rater {lost[0]}: no file has such a column")
    if all(one.rating is None for one in found):
        where = " ".join(map(str, files))
        raise InputError(where, "every rating is missing", "Give a file with ratings.")
    rows = [] if table is None else table.select("item", "language").unique().iter_rows()
    grouped = _groups(benchmark, ratings.groups, table, data)
    study = RatingStudy(benchmark.name, ratings.scales, found, dict(rows), grouped)
    own = Rated([])
    if ratings.more is not None:
        own = ratings.more(study, table, options or ScoringOptions(), measured)
    elif measured is not None:
        raise DeadpanError(f"{benchmark.name} has nothing measured elsewhere; leave --irc out")
    return RatedStudy(study, rating_scores(study), own.scores, own.notes)


def _groups(
    benchmark: Benchmark[Any],
    names: Sequence[str],
    table: pl.DataFrame | None,
    data: Path | None,
) -> dict[str, tuple[str, ...]]:
    """The groups of each item by the attributes that ratings are given by."""
    if not names:
        return {}
    if table is not None:
        columns = [name for name in names if f"attr.{name}" in table.columns]
        rows = table.select("item", *(f"attr.{name}" for name in columns)).unique().iter_rows()
        return {item: _named(columns, values) for item, *values in rows}
    task = benchmark.tasks[0].name
    asked = benchmark.questions(benchmark.read(data), task, benchmark.prompts(task))
    return {one.item: _named(names, [one.attributes.get(name) for name in names]) for one in asked}


def _named(names: Sequence[str], values: Sequence[Any]) -> tuple[str, ...]:
    pairs = zip(names, values, strict=True)
    return tuple(f"{name}={value}" for name, value in pairs if value is not None)
