"""What raters rate, and IRC per item from CSV, JSON lines or Parquet."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter

from deadpan.base.errors import InputError
from deadpan.base.files import read_text
from deadpan.base.rows import checked_row
from deadpan.core.questions import Language
from deadpan.core.ratings import Output, Scale
from deadpan.core.record_files import Text
from deadpan.core.study_rows import study_rows
from deadpan.metrics.statistics.rating_scale import HIGHEST, LOWEST


def _number_or_none(value: object) -> object:
    """An empty cell is a missing value; true and false, which would pass as 1 and 0, raise."""
    if isinstance(value, bool):
        raise ValueError("expected a number")
    return None if isinstance(value, str) and not value.strip() else value


class _ManualMetric(BaseModel, frozen=True, extra="forbid"):
    name: str
    task: str
    title: dict[Language, str]
    rates: dict[Language, str]


class ItemScore(BaseModel, frozen=True, extra="forbid"):
    """A computed score of one model's answers to one item, such as its IRC."""

    item: Text
    model: Text
    irc: Annotated[
        Annotated[float, Field(allow_inf_nan=False)] | None, BeforeValidator(_number_or_none)
    ]


@cache
def manual_metrics() -> dict[str, Scale]:
    """JanusMM's manual metrics by name, with what raters are asked."""
    text = read_text(Path(__file__).with_name("rating_metrics.json"))
    found = TypeAdapter(list[_ManualMetric]).validate_json(text)
    return {
        one.name: Scale(
            one.name,
            one.title,
            LOWEST,
            HIGHEST,
            task=one.task,
            group=f"metric={one.name}",
            question=one.rates,
        )
        for one in found
    }


def read_item_scores(path: Path) -> dict[Output, float]:
    """Scores by model and item; a missing one is left out, one given twice raises."""
    seen: dict[Output, str] = {}
    scores: dict[Output, float] = {}
    for where, cells in study_rows(path):
        row = checked_row(cells, ItemScore, where)
        if (first := seen.setdefault((row.model, row.item), where)) != where:
            what = f"{row.model} {row.item} is there twice (first in {first})"
            raise InputError(where, what, "Keep one of them.")
        if row.irc is not None:
            scores[row.model, row.item] = row.irc
    return scores
