"""Which answers a page shows: filters, order, and the rows read from Parquet, never all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any
from urllib.parse import urlencode

import polars as pl

from deadpan.viewing.rows import ID
from deadpan.viewing.snapshots import Snapshot

ORDERS = {
    "": "as asked",
    "newest": "newest first",
    "item": "by item",
    "lowest": "lowest score first",
    "highest": "highest score first",
    "longest": "longest reply first",
    "slowest": "slowest first",
}
_SORTED: dict[str, tuple[list[str], list[bool]]] = {
    "newest": (["finished"], [True]),
    "item": (["benchmark", "item", "task", "model", "epoch"], [False] * 5),
    "lowest": (["score"], [False]),
    "highest": (["score"], [True]),
    "longest": (["length"], [True]),
    "slowest": (["seconds"], [True]),
}
_SEARCHED = ("answer", "gold", "question", "item", "reasoning", "reason", "judgements")
_LONGEST = 300
"""Characters of a filter that are looked at."""
_PLACE = "place"
_QUESTION = ("benchmark", "task", "item", "epoch")
EQUAL = ("benchmark", "task", "model", "outcome", "verdict", "language")


@dataclass(frozen=True)
class Query:
    """What is asked for; empty is any. `right` and `wrong` are two models of which the one was
    right where the other was wrong."""

    benchmark: str = ""
    task: str = ""
    model: str = ""
    outcome: str = ""
    verdict: str = ""
    language: str = ""
    attribute: str = ""
    tag: str = ""
    right: str = ""
    wrong: str = ""
    text: str = ""
    order: str = ""

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> Query:
        """The query of an address; what is not known in it is left out."""
        names = [one.name for one in fields(cls)]
        given = {name: asked.get(name, "")[:_LONGEST] for name in names}
        made = cls(**given)
        return made if made.order in ORDERS else replace(made, order="")

    @property
    def parameters(self) -> dict[str, str]:
        """What of it is set."""
        every = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in every.items() if value}

    @property
    def is_filtered(self) -> bool:
        return bool(self.parameters.keys() - {"order"})

    def address(self, path: str, **more: object) -> str:
        """A path with the query behind it, with other values where they are given; None leaves one
        out."""
        values = {k: v for k, v in {**self.parameters, **more}.items() if v not in (None, "")}
        return f"{path}?{urlencode(values)}" if values else path


@dataclass(frozen=True)
class Found:
    """The places of the answers that match, in order."""

    places: pl.Series

    def __len__(self) -> int:
        return len(self.places)


def find_answers(snapshot: Snapshot, query: Query, tagged: frozenset[str] | None = None) -> Found:
    """The answers that match; `tagged` are the names of those that have the tag."""
    return _find(_Files(snapshot), query, tagged)


class _Files:
    """A snapshot by its version, so that what was found in it is remembered."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Files) and self.snapshot.version == other.snapshot.version

    def __hash__(self) -> int:
        return hash(self.snapshot.version)


@lru_cache(maxsize=32)
def _find(files: _Files, query: Query, tagged: frozenset[str] | None) -> Found:
    rows = _scan(files.snapshot, query.benchmark)
    if rows is None:
        return Found(pl.Series(_PLACE, [], pl.UInt32))
    if query.right and query.wrong:
        rows = _right_and_wrong(rows, query.right, query.wrong)
    wanted = [pl.col(name) == value for name in EQUAL if (value := getattr(query, name))]
    if query.attribute:
        wanted.append(pl.col("attributes").list.contains(query.attribute))
    if tagged is not None:
        wanted.append(pl.col(ID).is_in(list(tagged)))
    if query.text.strip():
        pattern = f"(?i){re.escape(query.text.strip())}"
        wanted.append(pl.any_horizontal(pl.col(_SEARCHED).str.contains(pattern).fill_null(False)))
    if wanted:
        rows = rows.filter(wanted)
    if query.order:
        by, down = _SORTED[query.order]
        rows = rows.select(_PLACE, *by).sort(
            by, descending=down, nulls_last=True, maintain_order=True
        )
    return Found(rows.select(_PLACE).collect()[_PLACE])


def _right_and_wrong(rows: pl.LazyFrame, right: str, wrong: str) -> pl.LazyFrame:
    """The answers of two models to the questions that the first got right and the other wrong."""
    keys = rows.select(*_QUESTION, "model", "verdict")
    by_one = keys.filter((pl.col("model") == right) & (pl.col("verdict") == "right"))
    by_other = keys.filter((pl.col("model") == wrong) & (pl.col("verdict") == "wrong"))
    both = by_one.select(_QUESTION).join(by_other.select(_QUESTION), _QUESTION, "semi").unique()
    return rows.filter(pl.col("model").is_in([right, wrong])).join(
        both, _QUESTION, "semi", maintain_order="left"
    )


def _scan(snapshot: Snapshot, benchmark: str = "") -> pl.LazyFrame | None:
    """The answers of a benchmark, or of all, each with its place among all."""
    scans = [
        pl.scan_parquet(file, row_index_name=_PLACE, row_index_offset=start)
        for start, file, chapter in zip(
            _starts(snapshot), snapshot.files, snapshot.chapters, strict=False
        )
        if benchmark in ("", chapter.name)
    ]
    return pl.concat(scans) if scans else None


def _starts(snapshot: Snapshot) -> list[int]:
    return list(accumulate((one.answers for one in snapshot.chapters), initial=0))


def read_rows(snapshot: Snapshot, places: Iterable[int]) -> list[dict[str, Any]]:
    """The answers at these places, in their order."""
    wanted = list(places)
    starts = _starts(snapshot)
    found: dict[int, dict[str, Any]] = {}
    for (start, end), file in zip(pairwise(starts), snapshot.files, strict=True):
        own = [place for place in wanted if start <= place < end]
        if own:
            scan = pl.scan_parquet(file, row_index_name=_PLACE, row_index_offset=start)
            rows = pl.concat([scan.slice(place - start, 1) for place in own]).collect()
            found |= {row[_PLACE]: row for row in rows.iter_rows(named=True)}
    return [found[place] for place in wanted]


def read_item(snapshot: Snapshot, benchmark: str, item: str) -> list[dict[str, Any]]:
    """Every answer about an item, by task."""
    rows = _scan(snapshot, benchmark) if benchmark else None
    if rows is None:
        return []
    own = rows.filter(pl.col("item") == item).collect()
    chapter = snapshot.chapter(benchmark)
    tasks = [task for task, _ in chapter.tasks] if chapter else []
    order = {task: place for place, task in enumerate(tasks)}
    return sorted(own.iter_rows(named=True), key=lambda row: (order[row["task"]], row[_PLACE]))


def neighbours(
    snapshot: Snapshot, found: Found, benchmark: str, item: str
) -> tuple[tuple[str, str] | None, tuple[str, str] | None, int, int]:
    """The items before and after one among those that answers were found about, its number among
    them and how many they are; 0 where it is not among them."""
    items = _items(_Files(snapshot), _Places(found))
    pairs = items.rows()
    index = items.with_row_index("at").filter(benchmark=benchmark, item=item)
    if index.is_empty():
        return None, (pairs[0] if pairs else None), 0, len(pairs)
    at = int(index["at"][0])
    before = pairs[at - 1] if at else None
    after = pairs[at + 1] if at + 1 < len(pairs) else None
    return before, after, at + 1, len(pairs)


class _Places:
    """Found answers by identity, so that their items are remembered."""

    def __init__(self, found: Found) -> None:
        self.found = found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Places) and self.found.places is other.found.places

    def __hash__(self) -> int:
        return id(self.found.places)


@lru_cache(maxsize=8)
def _items(files: _Files, places: _Places) -> pl.DataFrame:
    """The items of found answers, in order of appearance."""
    rows = _scan(files.snapshot)
    schema = {"benchmark": pl.String, "item": pl.String}
    if rows is None or not len(places.found):
        return pl.DataFrame(schema=schema)
    every = rows.select("benchmark", "item").collect()
    return every[places.found.places].unique(maintain_order=True)


def has_answer(snapshot: Snapshot, name: str) -> dict[str, Any] | None:
    """The answer of that name; None where there is none."""
    rows = _scan(snapshot)
    if rows is None:
        return None
    found = rows.filter(pl.col(ID) == name).head(1).collect()
    return found.row(0, named=True) if len(found) else None
