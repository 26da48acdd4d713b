"""Rows of the results table → cases: each model's edit of a meme, and how it was judged."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench.records import TAXONOMY
from deadpan.benchmarks.merbench.scoring import Judged, judged, output_values
from deadpan.core.judgement_cells import judgements_in
from deadpan.core.outcomes import NOT_ASKED

EMOTION = "det_emo"
COLUMNS = ("judgements", *(f"attr.{name}" for name in (*TAXONOMY, EMOTION)))
TARGET = "target_emotion"
"""Where gold tells the target."""


Lack = Literal["missing", "unreadable", "truncated", "refused", "source"]


@dataclass(frozen=True)
class Case:
    """One model's edit of one meme. `values` are its base metrics, None where no judge said any;
    `factors` are the groups of the taxonomy, `groups` these and some more."""

    item: str
    model: str
    usable: bool
    lack: Lack | None
    values: Mapping[str, float] | None
    factors: tuple[str, ...]
    groups: tuple[str, ...]


def cases_of(rows: pl.DataFrame) -> dict[str, dict[str, Case]]:
    """The cases of one task by model and meme; an edit made in several epochs is one case, with
    the judgements of all. A table without our columns raises."""
    if missing := [name for name in COLUMNS if name not in rows.columns]:
        fix = "Give a table or log that deadpan wrote."
        raise InputError("results table", f"no column {missing[0]}", fix)
    found: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for row in rows.iter_rows(named=True):
        found.setdefault(row["model"], {}).setdefault(row["item"], []).append(row)
    return {
        model: {item: _case(made) for item, made in items.items()} for model, items in found.items()
    }


def _case(rows: Sequence[Mapping[str, Any]]) -> Case:
    judgements = [one for row in rows for one in judgements_of(row)]
    first = rows[0]
    factors = tuple(f"{name}={first[f'attr.{name}']}" for name in TAXONOMY)
    more = (f"{EMOTION}={first[f'attr.{EMOTION}']}", f"language={first['language']}")
    usable = any(row["parsed"] is not None for row in rows)
    return Case(
        item=first["item"],
        model=first["model"],
        usable=usable,
        lack=None if usable else _lack(rows),
        values=output_values(judgements) if judgements else None,
        factors=factors,
        groups=(*factors, *more),
    )


def _lack(rows: Sequence[Mapping[str, Any]]) -> Lack:
    """Why there is no edit to use: the model failed, or the data lacks the source."""
    outcomes = {row["outcome"] for row in rows}
    if "invalid" in outcomes:
        return "unreadable"
    if "truncated" in outcomes:
        return "truncated"
    if "refused" in outcomes:
        return "refused"
    unshown = all((row["reason"] or "").startswith(NOT_ASKED) for row in rows)
    return "source" if unshown else "missing"


def judgements_of(row: Mapping[str, Any]) -> list[Judged]:
    """The judgements of a row, none where there are none; a cell that is none of ours raises."""
    return judgements_in(row, lambda one: judged(one.parts, json.loads(row["gold"])[TARGET]))
