"""Each item's own score in each metric, as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from deadpan.core.measurement import Measurement

ITEM_SCORES = pl.DataFrame(
    schema={
        "benchmark": pl.String,
        "task": pl.String,
        "model": pl.String,
        "item": pl.String,
        "epoch": pl.Int64,
        "metric": pl.String,
        "score": pl.Float64,
        "outcome": pl.String,
        "groups": pl.List(pl.String),
        "statistics": pl.List(
            pl.Struct({"name": pl.String, "label": pl.String, "value": pl.Float64})
        ),
    }
)


def own_scores(benchmark: str, one: Measurement) -> pl.DataFrame:
    """Each item's own score in one metric."""
    return pl.DataFrame(
        {
            "benchmark": benchmark,
            "task": one.task,
            "model": one.model,
            "item": [item for item, _ in one.units.keys],
            "epoch": [epoch for _, epoch in one.units.keys],
            "metric": one.metric.name,
            "score": one.item_values(),
        },
        schema={name: ITEM_SCORES.schema[name] for name in ITEM_SCORES.columns[:7]},
    ).with_columns(pl.col("score").fill_nan(None))


def item_rows(benchmark: str, one: Measurement) -> pl.DataFrame:
    """The same with how the item ended, its groups, and what it adds to the sums."""
    statistics = list(map(_statistics, one.statistics))
    return own_scores(benchmark, one).with_columns(
        pl.Series("outcome", one.units.outcomes, ITEM_SCORES.schema["outcome"]),
        pl.Series("groups", [list(groups) for groups in one.units.groups], pl.List(pl.String)),
        pl.Series("statistics", statistics, ITEM_SCORES.schema["statistics"]),
    )


def _statistics(found: Mapping[Any, float] | None) -> list[dict[str, Any]] | None:
    if found is None:
        return None
    named = [(key, None) if isinstance(key, str) else key for key in found]
    return [
        {"name": name, "label": label, "value": value}
        for (name, label), value in zip(named, found.values(), strict=True)
    ]
