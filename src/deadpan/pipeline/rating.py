"""Files of ratings → what people say of each model, and how far they agree."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Addition, Rated, Ratings, TableLayout, require
from deadpan.core.question_variants import worded_questions
from deadpan.core.questions import Question
from deadpan.core.rating_files import RatingForm, read_ratings, with_scales
from deadpan.core.rating_scales import scales_told, tells_only_other_scales
from deadpan.core.ratings import POOLED, Output, Rating, RatingStudy
from deadpan.core.score import Score, ScoringOptions
from deadpan.metrics.chosen_scores import chosen_scores
from deadpan.metrics.rating_scores import rating_scores, within

_MOST_NAMED = 5
OWN = "own"
"""The benchmark's name in signatures of ratings that are no benchmark's."""


@dataclass(frozen=True)
class KnownAnswers:
    """The items that may be rated, and which models answered which, where results tell it."""

    items: Collection[str]
    answers: Collection[Output] | None = None

    def missing(self, ratings: Sequence[Rating], models: bool = True) -> list[str]:
        """A line for each kind of what was rated and is not there: items, models if wanted, and
        answers of known models to known items."""
        place = "data" if self.answers is None else "results"
        rated = dict.fromkeys((row.model, row.item) for row in ratings if row.rating is not None)
        own = {model for model, _ in self.answers or ()}
        items = dict.fromkeys(item for _, item in rated if item not in self.items)
        found = {"rated item": list(items)}
        if self.answers is not None:
            others = dict.fromkeys(model for model, _ in rated if model not in own)
            found |= {"rated model": list(others)} if models else {}
            found["rated answer"] = [
                f"{item} by {model}"
                for model, item in rated
                if model in own and item in self.items and (model, item) not in self.answers
            ]
        return [_not_there(noun, names, place) for noun, names in found.items() if names]


def _not_there(noun: str, names: Sequence[str], place: str) -> str:
    named = ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
    are = "is" if len(names) == 1 else "are"
    return f"{count_noun(len(names), noun)} {are} not in the {place}: {named}"


@dataclass(frozen=True)
class RatedStudy:
    """A study's ratings, what any study says by them, what the benchmark adds, and notes."""

    study: RatingStudy
    general: Sequence[Score]
    own: Sequence[Score] = ()
    notes: Sequence[str] = ()
    known: KnownAnswers | None = None

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
    return Addition(
        found.scores,
        tables,
        pooled=frozenset(pooled),
        rated=frozenset(found.study.models),
        remarks=_remarks(found),
    )


def _remarks(found: RatedStudy) -> dict[str, str]:
    """By task who rated, and what was rated that is not there; models are marked in tables."""
    study = found.study
    remarks = {}
    for task in dict.fromkeys(scale.task for scale in study.used_scales):
        scales = {scale.name for scale in study.scales if scale.task == task}
        rows = [row for row in study.ratings if row.metric in scales]
        missing = found.known.missing(rows, models=False) if found.known else []
        lines = ["; ".join(line for line, _ in who_rated(study, task)), *missing]
        remarks[task] = " ".join(f"{line}." for line in lines)
    return remarks


def who_rated(study: RatingStudy, task: str = "") -> list[tuple[str, list[str]]]:
    """How many ratings, or choices, how many people gave, and who these are; scales of which the
    same is true together."""
    scales: dict[tuple[str, ...], list[str]] = {}
    for scale in (one for one in study.used_scales if task in ("", one.task)):
        rows = [row for row in study.ratings if row.metric == scale.name and row.rating is not None]
        raters = list(dict.fromkeys(row.rater for row in rows))
        many = sum(bool(row.rating) for row in rows) if scale.is_choice else len(rows)
        noun = "choice" if scale.is_choice else "rating"
        ends = "" if scale.kind == "yes_no" else f", {scale.lowest:g} to {scale.highest:g}"
        said = f"{count_noun(many, noun)} by {count_noun(len(raters), 'rater')}{ends}"
        scales.setdefault((said, *raters), []).append(scale.name)
    return [(f"{', '.join(names)}: {said}", raters) for (said, *raters), names in scales.items()]


def _tables(study: RatingStudy) -> Iterator[TableLayout]:
    """The mean rating of each model on each scale, by language where there are several, and how far
    raters agree: a row for each scale where all have one task, else all in one row."""
    spoken = [group for group in study.groups if group != "all"]
    groups = spoken if len(spoken) > 1 else ["all"]
    scales = [scale for scale in study.used_scales if not scale.is_choice]
    if not scales:
        return
    means = tuple(
        (
            f"{scale.name} {group.partition('=')[2].upper()}".strip(),
            scale.task,
            "rating_mean",
            within(scale.group, group),
        )
        for scale in scales
        for group in groups
    )
    remark = "For each answer the mean of its raters, then the mean over answers."
    yield TableLayout("Mean ratings by people", "", means, others=True, remark=remark)
    measured = (("alpha", "alpha"), ("exact", "exact_match"))
    in_rows = len({scale.task for scale in scales}) == 1 < len(scales)
    in_columns = scales[:1] if in_rows else scales
    yield TableLayout(
        "How far the raters agree",
        "",
        tuple(
            (name, scale.task, metric, "all")
            if in_rows
            else (f"{scale.name} {name}", scale.task, metric, scale.group)
            for name, metric in measured
            for scale in in_columns
        ),
        rows=tuple((scale.group, scale.name) for scale in scales) if in_rows else (),
        model=POOLED,
        remark="Krippendorff's alpha, and the share of pairs of ratings that are equal.",
    )


def files_by_benchmark(
    option: str, given: Sequence[str], able: Sequence[str], held: Sequence[str]
) -> dict[str, list[Path]]:
    """The files of each benchmark. A file is that of the one benchmark that is `able` to use it, or
    is named as BENCHMARK=FILE, with one of those `held`; others raise."""
    files: dict[str, list[Path]] = {}
    for one in given:
        name, _, path = one.partition("=")
        if not path or name not in held:
            if len(able) != 1:
                known = ", ".join(able) or "none: nobody rates these"
                raise DeadpanError(f"{option} {one}: expected BENCHMARK=FILE, with one of {known}")
            name, path = able[0], one
        files.setdefault(name, []).append(Path(path))
    return files


def read_study(
    benchmark: Benchmark[Any],
    files: Sequence[Path],
    table: pl.DataFrame | None = None,
    model: str = "",
    raters: Sequence[str] = (),
    grouped: Mapping[str, Sequence[str]] | None = None,
) -> RatingStudy:
    """All files' ratings together, with the languages of items that results tell."""
    ratings = benchmark.ratings or Ratings(())
    told = scales_told(files, {scale.name for scale in ratings.scales})
    if not told:
        require(benchmark.ratings, f"{benchmark.name} has no ratings by people")
    found = read_ratings(files, with_scales(ratings.form(model, raters), told))
    if lost := [name for name in raters if name not in {one.rater for one in found}]:
        raise DeadpanError(f"--rater {lost[0]}: no file has such a column")
    if all(one.rating is None for one in found):
        where = " ".join(map(str, files))
        raise InputError(where, "every rating is missing", "Give a file with ratings.")
    rows = [] if table is None else table.select("item", "language").unique().iter_rows()
    scales = (*ratings.scales, *told)
    return RatingStudy(benchmark.name, scales, found, dict(rows), grouped or {})


def tell_other_scales(benchmark: Benchmark[Any], files: Sequence[Path]) -> bool:
    """Whether files tell the scales of all that is rated in them, and none of the benchmark's."""
    known = benchmark.ratings.scales if benchmark.ratings else ()
    return tells_only_other_scales(files, [scale.name for scale in known])


def rate_by_own_scales(
    files: Sequence[Path], model: str = "", raters: Sequence[str] = ()
) -> RatedStudy:
    """The scores of ratings on scales that the files themselves tell: of no benchmark."""
    scales = scales_told(files)
    form = RatingForm(scales, model=model, raters=raters)
    study = RatingStudy(OWN, scales, read_ratings(files, form))
    return RatedStudy(study, rating_scores(study), list(chosen_scores(study)))


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
    file names none; `raters` are columns of a sheet that are not called `rater:NAME`. What is rated
    and not in the results, or in the data that is named, stays in people's scores and is noted."""
    ratings = benchmark.ratings or Ratings(())
    grouped = _groups(benchmark, ratings.groups, table, data)
    known = _known(benchmark, table, data)
    study = read_study(benchmark, files, table, model, raters, grouped)
    own = Rated([])
    if ratings.more is not None:
        own = ratings.more(study, table, options or ScoringOptions(), measured)
    elif measured is not None:
        raise DeadpanError(f"{benchmark.name} has nothing measured elsewhere; leave --irc out")
    notes = [*(known.missing(study.ratings) if known else ()), *own.notes]
    chosen = chosen_scores(study, leaving_out={scale.name for scale in ratings.scales})
    return RatedStudy(study, rating_scores(study), [*own.scores, *chosen], notes, known)


def _known(
    benchmark: Benchmark[Any], table: pl.DataFrame | None, data: Path | None
) -> KnownAnswers | None:
    """What may be rated by the results, else by the data; None where neither is given."""
    if table is not None:
        answers = set(table.select("model", "item").iter_rows())
        return KnownAnswers({item for _, item in answers}, answers)
    return KnownAnswers({one.item for one in _asked(benchmark, data)}) if data else None


def _asked(benchmark: Benchmark[Any], data: Path | None) -> list[Question]:
    """The questions of the first task, which is about every item."""
    task = benchmark.tasks[0].name
    return worded_questions(benchmark, benchmark.read(data), task, benchmark.prompts(task))


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
    return {
        one.item: _named(names, [one.attributes.get(name) for name in names])
        for one in _asked(benchmark, data)
    }


def _named(names: Sequence[str], values: Sequence[Any]) -> tuple[str, ...]:
    pairs = zip(names, values, strict=True)
    return tuple(f"{name}={value}" for name, value in pairs if value is not None)
