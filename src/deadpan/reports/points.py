"""The rows behind the plots: our scores and the published ones in one form."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.reports.section import Section
from deadpan.reports.text import (
    LANGUAGES,
    counts,
    number,
    one_line,
)

Point = dict[str, str | float]


def group_value(group: str, prefix: str) -> str:
    """The value of a `key=value` group of that key, empty for other and for crossed groups."""
    value = group.removeprefix(prefix)
    return value if group.startswith(prefix) and "=" not in value else ""


def group_label(group: str) -> str:
    """The value of a `key=value` group as an axis names it."""
    key, _, value = group.partition("=")
    known = LANGUAGES if key == "language" else {}
    return one_line(known.get(value, value.replace("_", " ")))


def published_of(section: Section, task: str, metric: str, group: str) -> pl.DataFrame:
    """Published rows of a task and metric, for one group or for a `key=` prefix."""
    paper = section.from_paper
    if paper is None:
        return pl.DataFrame()
    rows = paper.rows.filter((pl.col("task") == task) & (pl.col("metric") == metric))
    kept = [
        bool(group_value(g, group)) if group.endswith("=") else g == group for g in rows["group"]
    ]
    return rows.filter(pl.Series(kept, dtype=pl.Boolean)).unique(
        ["model", "group"], keep="first", maintain_order=True
    )


def plot_points(ours: Sequence[Score], published: pl.DataFrame, metric: Metric) -> list[Point]:
    """Our scores and the published ones as the plots' data rows."""
    theirs = list(published.iter_rows(named=True))
    scored = [(score, score.value) for score in ours if score.value is not None]
    places = metric.decimals
    return [
        *(_point(f.model, f.group, value, places, "ours", counts(f)) for f, value in scored),
        *(
            _point(
                row["model"],
                row["group"],
                row["value"],
                places,
                "published",
                f"published, table {row['table']}",
            )
            for row in theirs
        ),
    ]


def _point(model: str, group: str, value: float, places: int, kind: str, note: str) -> Point:
    return {
        "model": one_line(model),
        "group": group_label(group),
        "value": value,
        "score": number(value, places),
        "kind": kind,
        "counts": note,
        "row": one_line(model) + (" · published" if kind == "published" else ""),
    }


def shaded(points: Sequence[Point], title: str, metric: Metric) -> list[Point]:
    """The points with the place of each value between the worst and the best of its column."""
    values = [float(point["value"]) for point in points]
    low, high = min(values), max(values)
    shades = [0.5 if high == low else (value - low) / (high - low) for value in values]
    if metric.is_lower_better:
        shades = [1 - shade for shade in shades]
    column = title + "\n" + metric.title + (" ↓" if metric.is_lower_better else "")
    task = one_line(column.replace("\u200b", ""))
    return [
        {**point, "column": column, "task": task, "shade": shade}
        for point, shade in zip(points, shades, strict=True)
    ]
