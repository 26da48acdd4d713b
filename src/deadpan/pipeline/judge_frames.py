"""What an audit of judges found, as data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from deadpan.metrics.statistics.opinions import Estimated

if TYPE_CHECKING:
    from deadpan.pipeline.judge_audit import JudgeAudit

_WHERE: dict[str, Any] = {"task": pl.String, "scale": pl.String, "judge": pl.String}
_ESTIMATED: dict[str, Any] = dict.fromkeys(("value", "low", "high"), pl.Float64)
PEOPLE = "people"
"""Who agree with each other in rows beside a judge's with people."""


def agreement_frame(found: JudgeAudit) -> pl.DataFrame:
    """How far each judge agrees with people, a measure a row, and people with each other."""
    rows = []
    for one in found.scales:
        if (agreed := one.agreement) is None:
            continue
        where = {"task": one.task, "scale": one.scale.name, "judge": one.judge}
        for who, measured, n in (
            (one.judge, agreed.judge, agreed.answers),
            (PEOPLE, agreed.people, agreed.repeated),
        ):
            rows += [{**where, "who": who, **told, "n": n} for told in _measured(measured)]
    schema = {**_WHERE, "who": pl.String, "measure": pl.String, **_ESTIMATED, "n": pl.Int64}
    return pl.DataFrame(rows, schema=schema)


def _measured(measured: Mapping[str, Estimated]) -> Iterator[dict[str, Any]]:
    for name, one in measured.items():
        yield {"measure": name, "value": one.value, "low": one.low, "high": one.high}


def leaning_frame(found: JudgeAudit) -> pl.DataFrame:
    """By how much more each judge is above people for long answers, a language, a family of models:
    a row each, with p, also adjusted for all of a judge's."""
    rows = [
        {
            **{"task": one.task, "scale": one.scale.name, "judge": one.judge, "about": lean.about},
            **{name: getattr(lean.difference, name) for name in _ESTIMATED},
            **{"p": lean.p, "adjusted_p": lean.adjusted, "is_sure": lean.is_sure},
            "n": lean.answers,
        }
        for one in found.scales
        if one.leanings is not None
        for lean in one.leanings.leans
    ]
    tested: dict[str, Any] = {"p": pl.Float64, "adjusted_p": pl.Float64, "is_sure": pl.Boolean}
    schema = {**_WHERE, "about": pl.String, **_ESTIMATED, **tested, "n": pl.Int64}
    return pl.DataFrame(rows, schema=schema)


def corrected_frame(found: JudgeAudit) -> pl.DataFrame:
    """Each score by the judge alone, by people alone, and corrected by people, a row each model;
    `is_off`: the judge's is surely not people's, `worth`: so many more ratings would people alone
    have needed."""
    sides = ("judge", "people", "corrected")
    rows = [
        {
            **{"task": one.task, "metric": one.metric.name, "model": one.model, "by": one.judge},
            **{
                name: getattr(side, part)
                for whose, side in zip(sides, (one.alone, one.people, one.corrected), strict=True)
                for part, name in _columns(whose)
            },
            **{"is_off": one.is_off, "rated": one.labels, "graded": one.graded},
            "worth": one.worth,
        }
        for one in found.corrected
    ]
    names = dict.fromkeys(("task", "metric", "model", "by"), pl.String)
    values = {name: pl.Float64 for whose in sides for _, name in _columns(whose)}
    counts = dict.fromkeys(("rated", "graded", "worth"), pl.Int64)
    schema: Any = {**names, **values, "is_off": pl.Boolean, **counts}
    return pl.DataFrame(rows, schema=schema)


def _columns(whose: str) -> list[tuple[str, str]]:
    return [("value", whose), ("low", f"{whose}_low"), ("high", f"{whose}_high")]
