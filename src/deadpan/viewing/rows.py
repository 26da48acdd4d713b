"""A row for each answer, alike for all benchmarks, so that pages are read from Parquet."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from deadpan.core.answers import ATTRIBUTE, RATER
from deadpan.core.outcomes import LEFT_OUT
from deadpan.pipeline.growing import FINISHED, PICTURES, SOURCE, VIDEO
from deadpan.reports.judgement_text import judgements_of
from deadpan.reports.section import Section
from deadpan.reports.verdicts import OWN_SCORE

VERDICTS = {
    "right": "right",
    "partly": "partly right",
    "wrong": "wrong",
    "judged": "judged",
    "open": "no rule can tell",
    "unscored": "not scored",
}
"""What an answer may be by the rule of its task, and how that is said."""
ID = "id"
_TEXT = pl.String()
_SCORES = pl.List(pl.Struct({"metric": pl.String(), "value": pl.Float64()}))
COLUMNS: dict[str, Any] = {
    **dict.fromkeys((ID, SOURCE, "benchmark", "task", "model", "item"), _TEXT),
    "epoch": pl.Int64(),
    **dict.fromkeys(("language", "outcome", "verdict"), _TEXT),
    "score": pl.Float64(),
    "harmful": pl.Boolean(),
    "attributes": pl.List(_TEXT),
    **dict.fromkeys(("rater", FINISHED), _TEXT),
    **dict.fromkeys(("input_tokens", "output_tokens"), pl.Int64()),
    "seconds": pl.Float64(),
    "length": pl.Int64(),
    **dict.fromkeys(("answer", "reasoning", "parsed", "gold", "reason"), _TEXT),
    **dict.fromkeys(("notes", "question", "judge", "judgements", "reader", "read_as"), _TEXT),
    "scores": _SCORES,
    "picture": _TEXT,
    PICTURES: pl.List(_TEXT),
    VIDEO: _TEXT,
    "signature": _TEXT,
}


def with_ids(table: pl.DataFrame) -> pl.DataFrame:
    """The table with a name for each answer: the same wherever it is read from, as long as model,
    question and reply are the same."""
    names = ("benchmark", "task", "model", "item", "epoch", "answer")
    ids = [answer_id(cells) for cells in table.select(names).iter_rows()]
    return table.with_columns(pl.Series(ID, ids, dtype=pl.String))


def answer_id(cells: Iterable[object]) -> str:
    """The name of an answer by its benchmark, task, model, item, epoch and words."""
    text = "\x1f".join("" if cell is None else str(cell) for cell in cells)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:20]


def view_rows(section: Section) -> pl.DataFrame:
    """The answers of a benchmark as rows of the view, with their verdicts and own scores."""
    table = section.table
    lacking = [pl.lit(None, kind).alias(n) for n, kind in COLUMNS.items() if n not in table.columns]
    rater = pl.col(RATER) if RATER in table.columns else pl.lit(None, _TEXT)
    rows = table.with_columns(*lacking).with_columns(
        verdict=_verdict(section),
        score=_main_score(section),
        harmful=pl.Series(_harmful(section), dtype=pl.Boolean),
        attributes=_attributes(table),
        rater=rater.cast(_TEXT),
        length=pl.col("answer").str.len_chars().cast(pl.Int64),
        scores=_scores(table),
    )
    return rows.select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())


def _verdict(section: Section) -> pl.Expr:
    """Whether an answer is right, as `reports.verdicts.verdict` says of one row."""
    columns = section.table.columns
    if "judgements" in columns:
        texts = section.table["judgements"].drop_nulls().unique().to_list()
        judged = pl.col("judgements").is_in([text for text in texts if judgements_of(text)])
    else:
        judged = pl.lit(False)
    by_outcome = (
        pl.when(pl.col("outcome") != "answered")
        .then(pl.lit("wrong"))
        .when(judged.fill_null(False))
        .then(pl.lit("judged"))
        .otherwise(pl.lit("open"))
    )
    graded: pl.Expr = pl.lit(None, _TEXT)
    for task in section.tasks:
        own: list[pl.Expr] = []
        for metric in section.graded_by(task):
            column = f"{OWN_SCORE}{metric.name}"
            if column in columns and metric.range is not None:
                worst, best = sorted(metric.range, reverse=metric.is_lower_better)
                own.append(
                    pl.when(pl.col(column) == best)
                    .then(pl.lit("right"))
                    .when(pl.col(column) == worst)
                    .then(pl.lit("wrong"))
                    .when(pl.col(column).is_not_null())
                    .then(pl.lit("partly"))
                )
        if own:
            graded = pl.when(pl.col("task") == task).then(pl.coalesce(own)).otherwise(graded)
    left_out = pl.col("outcome").is_in(sorted(LEFT_OUT))
    return pl.when(left_out).then(pl.lit("unscored")).otherwise(pl.coalesce(graded, by_outcome))


def _main_score(section: Section) -> pl.Expr:
    """An answer's own score in what grades it, or in the first metric of its task."""
    found: pl.Expr = pl.lit(None, pl.Float64)
    for task in section.tasks:
        metrics = section.graded_by(task) or section.task_metrics(task)
        names = [f"{OWN_SCORE}{one.name}" for one in metrics]
        own = [pl.col(name) for name in names if name in section.table.columns]
        if own:
            value = pl.coalesce(own).cast(pl.Float64)
            found = pl.when(pl.col("task") == task).then(value).otherwise(found)
    return found


def _scores(table: pl.DataFrame) -> pl.Expr:
    """All own scores of an answer that there are."""
    names = [name for name in table.columns if name.startswith(OWN_SCORE)]
    if not names:
        return pl.lit([], _SCORES)
    pairs = [
        pl.struct(
            pl.lit(name.removeprefix(OWN_SCORE)).alias("metric"),
            pl.col(name).cast(pl.Float64).alias("value"),
        )
        for name in names
    ]
    listed = pl.concat_list(pairs)
    return listed.list.filter(pl.element().struct.field("value").is_not_null())


def _attributes(table: pl.DataFrame) -> pl.Expr:
    """What is known of an item, as `name=value`; of lists each part."""
    parts: list[pl.Expr] = []
    for name in table.columns:
        if not name.startswith(ATTRIBUTE) or name == RATER:
            continue
        start = f"{name.removeprefix(ATTRIBUTE)}="
        if isinstance(table.schema[name], pl.List):
            own = pl.col(name).list.eval(pl.lit(start) + pl.element().cast(_TEXT))
            parts.append(own.fill_null([]))
        elif not isinstance(table.schema[name], pl.Struct | pl.Null):
            parts.append(pl.concat_list(pl.lit(start) + pl.col(name).cast(_TEXT)))
    if not parts:
        return pl.lit([], pl.List(_TEXT))
    filled = pl.element().is_not_null() & ~pl.element().str.ends_with("=")
    return pl.concat_list(parts).list.filter(filled)


def _harmful(section: Section) -> list[bool]:
    """Which answers are about items that are marked as potentially harmful."""
    name, _ = section.benchmark.harmful
    column = f"{ATTRIBUTE}{name}"
    if column not in section.table.columns:
        return [section.benchmark.is_harmful({})] * len(section.table)
    known: Sequence[Any] = section.table[column].to_list()
    return [section.benchmark.is_harmful({name: one}) for one in known]
