"""Manifests: which question of which run is which request, so that scoring needs no data folder.

A manifest is a Parquet file in the store's `runs` folder, numbered, and named by what it holds: the
same command again leaves the one that is there. Joined with the answers on `key` it is everything
that was asked.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl

from deadpan.base.errors import InputError
from deadpan.base.files import write_bytes
from deadpan.engine.segments import Place, place_of, short_label
from deadpan.engine.store import ABOUT, RUNS, AnswerStore

Kind = Literal["answers", "judgements"]
ANY_SERVER = "*"
"""In a server's place: whichever answered."""
ANSWERS: Kind = "answers"
JUDGEMENTS: Kind = "judgements"
_HEADER = (
    *("kind", "benchmark", "task", "model", "server"),
    *("data", "origin", "prompts", "judge", "identity", "settings"),
)
_ROWS: dict[str, pl.DataType] = {
    "item": pl.String(),
    "epoch": pl.Int64(),
    "judge_epoch": pl.Int64(),
    "answer": pl.String(),
    "key": pl.String(),
    "question": pl.String(),
}


@dataclass(frozen=True)
class Asked:
    """One row: a question, or an answer to be judged, and the request that stands for it."""

    item: str
    epoch: int
    key: str
    question: str | None = None
    """The question as JSON, in runs."""
    answer: str | None = None
    """The checksum of the answer that is judged, in judgements."""
    judge_epoch: int | None = None


@dataclass(frozen=True)
class Manifest:
    """What a run, or a judge, was asked: everything but the answers. `model` answers, or in
    judgements has answered; `judge` judges, by the wording that `identity` names."""

    kind: Kind
    benchmark: str
    task: str
    model: str
    server: str
    rows: tuple[Asked, ...]
    data: str = ""
    origin: str = ""
    prompts: str = ""
    judge: str = ""
    identity: str = ""
    settings: Mapping[str, str] | None = None
    path: Path | None = None

    @property
    def header(self) -> dict[str, str]:
        """All that is the same in every row."""
        plain = {name: getattr(self, name) for name in _HEADER if name != "settings"}
        return {**plain, "settings": json.dumps(dict(self.settings or {}), sort_keys=True)}


def write_manifest(store: AnswerStore, label: str, manifest: Manifest) -> Path:
    """Where the manifest lies; where the last one of its task is the same, that. One that was
    damaged is written again."""
    columns: dict[str, list[Any]] = {
        name: [getattr(row, name) for row in manifest.rows] for name in _ROWS
    }
    whole = json.dumps([manifest.header, columns], ensure_ascii=True, sort_keys=True)
    tag = hashlib.sha256(whole.encode()).hexdigest()[:8]
    label = short_label(label)
    known = [place for path in store.runs.glob("*.parquet") if (place := place_of(path.name))]
    latest = max((place for place in known if place.label == label), default=None)
    if latest is not None and latest.tag == tag:
        place = latest
        if _is_whole(store.runs / f"{place.stem}.parquet"):
            return store.runs / f"{place.stem}.parquet"
    else:
        place = Place(1 + max((one.number for one in known), default=0), tag, label)
    store.create()
    frame = pl.DataFrame(columns, schema=_ROWS)
    told = frame.with_columns(pl.lit(value).alias(key) for key, value in manifest.header.items())
    stream = io.BytesIO()
    told.write_parquet(stream, compression="zstd")
    path = store.runs / f"{place.stem}.parquet"
    write_bytes(path, stream.getvalue())
    return path


def read_manifest(path: Path) -> Manifest:
    """The manifest of a file; anything else raises."""
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        what = f"cannot be read as a manifest ({str(error).splitlines()[0]})"
        raise InputError(path, what, "Run its command again: its answers are kept.") from error
    lacking = [name for name in (*_HEADER, *_ROWS) if name not in frame.columns]
    if lacking or frame.is_empty():
        what = f"has no column {lacking[0]}" if lacking else "is empty"
        raise InputError(path, what, "Run its command again: its answers are kept.")
    header = frame.row(0, named=True)
    try:
        settings = json.loads(header["settings"])
        rows = tuple(Asked(**row) for row in frame.select(list(_ROWS)).iter_rows(named=True))
    except (ValueError, TypeError) as error:
        what = f"is not a manifest ({error})"
        raise InputError(path, what, "Run its command again: its answers are kept.") from error
    plain: dict[str, Any] = {name: header[name] or "" for name in _HEADER if name != "settings"}
    return Manifest(**plain, settings=settings, rows=rows, path=path)


def _is_whole(path: Path) -> bool:
    try:
        read_manifest(path)
    except InputError:
        return False
    return True


def is_store(path: Path) -> bool:
    """Whether a folder is an answer store."""
    return (path / ABOUT).is_file()


def is_manifest(path: Path) -> bool:
    """Whether a file lies where a store keeps its manifests."""
    return path.parent.name == RUNS and is_store(path.parent.parent)


def manifests_below(paths: Iterable[Path]) -> dict[Path, list[Path]]:
    """By store, the manifests of stores, of single files, and of stores below folders, those that
    were written first in front."""
    found: dict[Path, list[Path]] = {}
    for path in paths:
        if is_manifest(path):
            found.setdefault(path.parent.parent, []).append(path)
            continue
        stores = [path] if is_store(path) else [about.parent for about in path.rglob(ABOUT)]
        for store in sorted(stores):
            found.setdefault(store, []).extend((store / RUNS).glob("*.parquet"))
    return {store: sorted(set(files), key=_order) for store, files in found.items()}


def _order(path: Path) -> tuple[int, str]:
    place = place_of(path.name)
    return (place.number if place else 0, path.name)
