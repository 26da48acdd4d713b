"""Ratings and scores per item, from CSV or JSON lines, every wrong row reported with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter

from deadpan.base.errors import InputError
from deadpan.base.files import read_text
from deadpan.base.rows import checked_row, json_lines, read_csv
from deadpan.core.questions import Language
from deadpan.core.record_files import FIX, Text
from deadpan.metrics.statistics.rating_scale import HIGHEST, LOWEST

Answer = tuple[str, str]
"""Model and item."""


def _blank_is_none(value: object) -> object:
    """An empty cell of a CSV file is a missing value."""
    return None if isinstance(value, str) and not value.strip() else value


def _no_truth(value: object) -> object:
    """Raises for true and false, which would otherwise pass as 1 and 0."""
    if isinstance(value, bool):
        raise ValueError("expected a number")
    return value


_Optional = BeforeValidator(_blank_is_none)
_Number = BeforeValidator(_no_truth)


class ManualMetric(BaseModel, frozen=True, extra="forbid"):
    """What raters are asked to rate."""

    name: str
    task: str
    title: dict[Language, str]
    rates: dict[Language, str]


class _AnswerRow(BaseModel, frozen=True, extra="forbid"):
    item: Text
    model: Text


class Rating(_AnswerRow, frozen=True):
    """One rater's rating of one answer; None where the rater gave none."""

    metric: Text
    rater: Text
    rating: Annotated[Annotated[int, Field(ge=LOWEST, le=HIGHEST)] | None, _Number, _Optional]
    language: Annotated[Language | None, _Optional] = None


class ItemScore(_AnswerRow, frozen=True):
    """A computed score of one model's answers to one item, such as its IRC."""

    irc: Annotated[Annotated[float, Field(allow_inf_nan=False)] | None, _Number, _Optional]


RowT = TypeVar("RowT", bound=_AnswerRow)


@cache
def manual_metrics() -> dict[str, ManualMetric]:
    """JanusMM's manual metrics by name."""
    text = read_text(Path(__file__).with_name("rating_metrics.json"))
    found = TypeAdapter(list[ManualMetric]).validate_json(text)
    return {metric.name: metric for metric in found}


def read_ratings(path: Path, answers: Mapping[Answer, Language] | None = None) -> list[Rating]:
    """The ratings of a file; an unknown metric, a rating given twice, or an item in two languages
    raises, and where the rated `answers` are given, any other model or item."""
    seen: dict[tuple[str, ...], str] = {}
    languages = {item: language for (_, item), language in (answers or {}).items()}
    models = list(dict.fromkeys(model for model, _ in answers or {}))
    ratings = []
    for where, row in _rows(path, Rating):
        _check_name(where, "metric", row.metric, manual_metrics())
        if answers:
            _check_name(where, "model", row.model, models)
        if answers and (row.model, row.item) not in answers:
            what = f'got "{row.item}"; {row.model} has no answer to it'
            raise InputError(f"{where} item", what, FIX)
        _check_once(seen, (row.item, row.model, row.metric, row.rater), where)
        if row.language and languages.setdefault(row.item, row.language) != row.language:
            what = f"got {row.language}; {row.item} is {languages[row.item]} elsewhere"
            raise InputError(f"{where} language", what, "Give an item one language.")
        ratings.append(row)
    return ratings


def read_item_scores(path: Path) -> dict[Answer, float]:
    """Scores by model and item; a missing one is left out, one given twice raises."""
    seen: dict[tuple[str, ...], str] = {}
    scores: dict[Answer, float] = {}
    for where, row in _rows(path, ItemScore):
        _check_once(seen, (row.model, row.item), where)
        if row.irc is not None:
            scores[row.model, row.item] = row.irc
    return scores


def _rows(path: Path, kind: type[RowT]) -> Iterator[tuple[str, RowT]]:
    """The rows with their places; a row with too few or too many cells raises."""
    if path.suffix == ".jsonl":
        yield from ((where, checked_row(value, kind, where)) for where, value in json_lines(path))
        return
    if path.suffix != ".csv":
        raise InputError(path, f'unknown format "{path.suffix}"', "Give a .csv or a .jsonl file.")
    table = read_csv(path, ())
    heading = [name.strip() for name in table.header]
    for line, cells in table.rows:
        if not any(cell.strip() for cell in cells):
            continue
        where = f"{path}:{line}"
        if len(cells) != len(heading):
            what = f"got {len(cells)} cells under {len(heading)} headings"
            raise InputError(where, what, f"Expected the columns {', '.join(kind.model_fields)}.")
        yield where, checked_row(dict(zip(heading, cells, strict=True)), kind, where)


def _check_name(where: str, field: str, given: str, known: Collection[str]) -> None:
    if given not in known:
        what = f'got "{given}"; expected one of {", ".join(known)}'
        raise InputError(f"{where} {field}", what, FIX)


def _check_once(seen: dict[tuple[str, ...], str], key: tuple[str, ...], where: str) -> None:
    if key in seen:
        what = f"{' '.join(key)} is there twice (first in {seen[key]})"
        raise InputError(where, what, "Keep one of them.")
    seen[key] = where
