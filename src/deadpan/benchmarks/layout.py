"""A benchmark's `layout.json`: which of its scores stand in which table and plot of a report, which
one it leads with (`headline`: task, metric), and which measure which ability (`abilities`: ability,
task, metric).

Columns, rows and labels are patterns: each is filled with every combination of the values of the
axes named behind it, the first axis slowest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from deadpan.core import plots
from deadpan.core.abilities import AbilityScore
from deadpan.core.capabilities import TableLayout

_WIDTHS = {"columns": 4, "rows": 2, "labels": 2, "across": 2, "order": 2}
"""How many texts a pattern of each field has before the names of its axes."""


def read_layout(folder: Path) -> dict[str, Any]:
    """What a benchmark's folder says of its `Report`: tables, plots, headline and abilities."""
    document = json.loads((folder / "layout.json").read_text(encoding="utf-8"))
    axes = document["axes"]
    drawn = [(getattr(plots, plot.pop("kind")), plot) for plot in document["plots"]]
    task, metric = document["headline"]
    return {
        "tables": tuple(_build(TableLayout, table, axes) for table in document["tables"]),
        "plots": tuple(_build(kind, plot, axes) for kind, plot in drawn),
        "headline": (task, metric),
        "abilities": tuple(AbilityScore(*one) for one in document["abilities"]),
    }


def _build(kind: Any, fields: dict[str, Any], axes: Mapping[str, Sequence[Any]]) -> Any:
    for name in _WIDTHS.keys() & fields.keys():
        fields[name] = [one for pattern in fields[name] for one in _fill(pattern, name, axes)]
    return _form(kind).validate_python(fields)


@cache
def _form(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _fill(
    pattern: Sequence[Any], field: str, axes: Mapping[str, Sequence[Any]]
) -> Iterator[list[Any]]:
    if not isinstance(pattern[0], str):  # the patterns of one panel of several
        yield [one for part in pattern for one in _fill(part, field, axes)]
        return
    texts, names = pattern[: _WIDTHS[field]], pattern[_WIDTHS[field] :]
    for values in product(*(axes[name] for name in names)):
        yield [text.format(**dict(zip(names, values, strict=True))) for text in texts]
