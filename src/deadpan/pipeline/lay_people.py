"""People who answer a benchmark's questions as models do: read from files, scored by the same rule,
and shown beside models as one more, `people`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, InputError, meant
from deadpan.base.rows import quote
from deadpan.benchmarks import find
from deadpan.core.answers import RATER
from deadpan.core.capabilities import Predictions
from deadpan.core.outcomes import NO_ANSWER
from deadpan.core.questions import Reply
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import ANSWERED_BY, PEOPLE, parse_signature
from deadpan.core.study_rows import FIX, require_text, study_rows, text_of
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.pipeline.evaluating import chosen_benchmark
from deadpan.pipeline.loading import load
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.sources import Sources
from deadpan.pipeline.table import results_of_predictions

COLUMNS = ("item", "rater", "answer")
_MOST_NAMED = 20
_OTHERS = ("task", "language", "note")
_EXPECTED = f"Expected the columns {', '.join(COLUMNS)}."

Replies = Mapping[str, Mapping[str, Reply]]
"""Each rater's replies by item."""


def read_replies(paths: Sequence[Path], task: str) -> Replies:
    """What each rater answered, from CSV, JSON lines or Parquet; rows of other tasks are left out.
    A column of another name, an item that a rater answers twice, or no answer at all, raises."""
    found: dict[str, dict[str, Reply]] = {}
    seen: dict[tuple[str, str], str] = {}
    for path in paths:
        for where, cells in study_rows(path):
            known = (*COLUMNS, *_OTHERS)
            if stray := [name for name in cells if name not in known]:
                what = f"got the column {quote(stray[0])}{meant(stray[0], known)}"
                raise InputError(f"{where} {stray[0]}", what, _EXPECTED)
            if (text_of(cells, "task") or task) != task:
                continue
            item, rater = (require_text(cells, name, where) for name in COLUMNS[:2])
            if (first := seen.setdefault((rater, item), where)) != where:
                what = f"{rater} answers {item} twice (first in {first})"
                raise InputError(where, what, "Keep one of them.")
            if "answer" not in cells:
                raise InputError(f"{where} answer", "is missing", FIX)
            text = text_of(cells, "answer")
            reply = Reply(text=text) if text else Reply(error=NO_ANSWER)
            found.setdefault(rater, {})[item] = reply
    if not found:
        where = " ".join(map(str, paths))
        raise InputError(where, f"holds no answer to {task}", _EXPECTED)
    return found


def from_people(
    subject: str,
    paths: Sequence[Path],
    data: Path | None,
    store: Path,
    reporter: Reporter = SILENT,
) -> Sources:
    """The answers of people to one task, each rater an epoch of the model `people`, so that its
    scores are means over raters; what a rater was not asked is left out."""
    name, tasks = chosen_benchmark(subject)
    if len(tasks) != 1:
        known = ", ".join(spec.name for spec in find(name).tasks)
        raise DeadpanError(f"--people: name one task, {name}/TASK; there are {known}")
    replies = read_replies(paths, tasks[0])
    loaded = load(name, data)
    known_items = {question.item for question in loaded.questions(tasks[0])}
    asked = dict.fromkeys(item for own in replies.values() for item in own)
    if unknown := [item for item in asked if item not in known_items]:
        listed = ", ".join(unknown[:_MOST_NAMED])
        reporter.warn(f"{PEOPLE}: {count_noun(len(unknown), 'unknown id')}, not scored: {listed}")
    if len(unknown) == len(asked):
        raise DeadpanError(f"{paths[0]}: no answer is about this data; check --data")
    tables = []
    for epoch, (rater, own) in enumerate(replies.items(), start=1):
        given = Predictions({tasks[0]: own})
        rows = results_of_predictions(loaded.benchmark, loaded.dataset, given, PEOPLE)
        own_rows = rows.filter(pl.col("item").is_in(list(own)))
        tables.append(
            own_rows.with_columns(pl.lit(epoch).alias("epoch"), pl.lit(rater).alias(RATER))
        )
    return Sources({store: _signed(pl.concat(tables), len(replies))})


def _signed(table: pl.DataFrame, raters: int) -> pl.DataFrame:
    """The table with a signature that says who answered, and about how many items."""
    given = table.filter(pl.col("outcome") != "not_given")["item"].unique().to_list()
    signature = parse_signature(table["signature"][0]).over(given)
    told = signature.with_settings(**{ANSWERED_BY: PEOPLE, "raters": str(raters)})
    return table.with_columns(signature=pl.lit(str(told)), epoch=pl.col("epoch").cast(pl.Int64))


def rater_scores(table: pl.DataFrame, options: ScoringOptions) -> list[Score]:
    """The scores of each rater, whose name stands behind `people`; a part where this one did
    not answer all items."""
    found = []
    given = table.filter(pl.col("outcome") != "not_given")
    for (rater,), rows in table.group_by(RATER, maintain_order=True):
        items = given.filter(pl.col(RATER) == rater)["item"].to_list()
        signature = parse_signature(rows["signature"][0])
        about = replace(signature, total=signature.total or signature.n).over(items)
        named = rows.with_columns(model=pl.lit(f"{PEOPLE}: {rater}"), signature=pl.lit(str(about)))
        measured = find(str(rows["benchmark"][0])).measurements(named, options)
        found += with_intervals(measured)
    return found
