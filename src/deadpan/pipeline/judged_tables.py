"""The same answers as several judges graded them: a table each, one of all of them as a panel, and
one in which people take the judge's place."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.outcomes import NOT_JUDGED
from deadpan.core.ratings import Output, RatingStudy
from deadpan.core.verdicts import Verdicts
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.table import read_tables
from deadpan.pipeline.table_files import KEY, TABLE_SUFFIXES

PANEL = "panel"
"""The name, in a judge's place, of all judges together."""
Ratings = Mapping[str, float]
"""What one rater said of one answer, by scale."""


def tables_by_judge(
    paths: Sequence[Path], judges: Sequence[str] = (), wanted: Filter | None = None, **how: Any
) -> dict[str, pl.DataFrame]:
    """The results of stores and tables as each judge graded them, those that are named or all there
    are; a judge that graded nothing raises, and so do results that nobody graded."""
    from deadpan.engine.manifests import is_manifest
    from deadpan.engine.reading import judged_tasks

    wanted = wanted or Filter()
    files = [path for path in paths if path.suffix in TABLE_SUFFIXES and not is_manifest(path)]
    stores = [path for path in paths if path not in files]
    graded = list(dict.fromkeys(one.judge for one in judged_tasks(stores))) if stores else []
    held = {path: read_tables([path], wanted=wanted, **how) for path in files}
    named = {path: table["judge"].drop_nulls().unique().to_list() for path, table in held.items()}
    known = list(dict.fromkeys([*graded, *(one for own in named.values() for one in sorted(own))]))
    if lost := [one for one in judges if one not in known]:
        by = ", ".join(known) or "nobody"
        raise DeadpanError(f"--judge {lost[0]}: these answers were graded by {by}")
    if not known:
        raise DeadpanError(f"{' '.join(map(str, paths))}: {_ungraded(paths, wanted, how)}")
    found: dict[str, pl.DataFrame] = {}
    for judge in judges or known:
        parts = [_of_judge(table, judge) for path, table in held.items() if judge in named[path]]
        if judge in graded:
            parts.append(read_tables(stores, judge, wanted=wanted, **how))
        united = pl.concat(parts, how="diagonal_relaxed")
        found[judge] = united.unique([*KEY, "signature"], keep="first", maintain_order=True)
    return found


def _ungraded(paths: Sequence[Path], wanted: Filter, how: Mapping[str, Any]) -> str:
    """Why nobody graded these results, and what to do."""
    names = sorted(set(read_tables(paths, wanted=wanted, **how)["benchmark"]))
    if names and not any(find(name).judging for name in names):
        return f"{', '.join(names)} has no judge: its answers are scored by rule"
    return "nobody graded these; grade them: deadpan score STORE --judge J"


def _of_judge(table: pl.DataFrame, judge: str) -> pl.DataFrame:
    """A table without what other judges graded."""
    return table.filter(pl.col("judge").is_null() | (pl.col("judge") == judge))


def panel_of(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The answers with the judgements of all judges, as many of each one; an answer that one of
    them did not judge counts as not judged."""
    said: dict[tuple[Any, ...], list[list[Any]]] = {}
    for table in tables.values():
        for row in table.filter(is_judged()).iter_rows(named=True):
            key = tuple(row[name] for name in KEY)
            said.setdefault(key, []).append(json.loads(row["judgements"]))
    first = next(iter(tables.values()))
    rows = []
    for row in first.iter_rows(named=True):
        if row["judgements"] is not None:
            own = said.get(tuple(row[name] for name in KEY), [])
            row |= {"judge": PANEL, **_joined(own, len(tables))}
        rows.append(row)
    return pl.DataFrame(rows, schema=first.schema)


def _joined(said: Sequence[list[Any]], judges: int) -> dict[str, Any]:
    if len(said) < judges:
        return {"judgements": None, "outcome": "judge_failed", "reason": NOT_JUDGED}
    least = min(map(len, said))
    every = [one for own in said for one in own[:least]]
    return {"judgements": json.dumps(every, ensure_ascii=False)}


def is_judged() -> pl.Expr:
    """Whether a row's answer has a judgement."""
    return (pl.col("outcome") == "answered") & (pl.col("judgements").fill_null("[]") != "[]")


def ratings_by_answer(study: RatingStudy, verdicts: Verdicts) -> dict[Output, list[Ratings]]:
    """What raters said of each answer, of those who rated it on all scales of the judge."""
    given: dict[tuple[str, ...], dict[str, float]] = {}
    for row in study.ratings:
        if row.metric in verdicts.scales and row.rating is not None:
            place = (row.model, row.item, row.rater, row.run or "")
            given.setdefault(place, {})[row.metric] = row.rating
    found: dict[Output, list[Ratings]] = {}
    for (model, item, *_), ratings in given.items():
        if len(ratings) == len(verdicts.scales):
            found.setdefault((model, item), []).append(ratings)
    return found


def judged_by_people(
    table: pl.DataFrame, verdicts: Verdicts, given: Mapping[Output, Sequence[Ratings]]
) -> pl.DataFrame:
    """The table with people's judgements of the answers that they rated, in the judge's place."""
    return _with_judgements(
        table,
        {
            answer: json.dumps(
                [{"parts": verdicts.judgement(own), "flags": []} for own in ratings],
                ensure_ascii=False,
            )
            for answer, ratings in given.items()
        },
    )


def judged_by_nobody(table: pl.DataFrame, answers: Collection[Output]) -> pl.DataFrame:
    """The table without any judgement of these answers."""
    return _with_judgements(table, dict.fromkeys(answers))


def _with_judgements(table: pl.DataFrame, said: Mapping[Output, str | None]) -> pl.DataFrame:
    """Other judgements for judged answers: of all epochs, of which the first is what was rated."""
    rows = []
    for row in table.iter_rows(named=True):
        answer = (row["model"], row["item"])
        if answer in said and row["judgements"] is not None and row["outcome"] == "answered":
            row["judgements"] = said[answer]
            if said[answer] is None:
                row |= {"outcome": "judge_failed", "reason": NOT_JUDGED}
        rows.append(row)
    return pl.DataFrame(rows, schema=table.schema)
