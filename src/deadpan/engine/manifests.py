"""Manifests: which question of which run is which request, so that scoring needs no data folder,
and which runs of a store are one.

A manifest is a numbered Parquet file in the store's `runs` folder. Joined with the answers on `key`
it is everything that was asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import polars as pl

from deadpan.base.errors import InputError
from deadpan.base.files import write_bytes
from deadpan.core.signature import (
    PARAPHRASE,
    SHOWN,
    UNTIL,
    VARIANT_SEED,
    annotations_of,
)
from deadpan.core.variants import variant_shown
from deadpan.engine.answers import UNREADABLE, parquet_bytes
from deadpan.engine.segments import next_place, place_of, short_label
from deadpan.engine.store import ABOUT, RUNS, AnswerStore

Kind = Literal["answers", "judgements", "readings"]
ANY_SERVER = "*"
"""In a server's place: whichever answered."""
ANSWERS: Kind = "answers"
JUDGEMENTS: Kind = "judgements"
READINGS: Kind = "readings"
"""What a model made of replies that no rule could read; kept as judgements are."""
_ROWS: dict[str, pl.DataType] = {
    "item": pl.String(),
    "epoch": pl.Int64(),
    "judge_epoch": pl.Int64(),
    "answer": pl.String(),
    "key": pl.String(),
    "question": pl.String(),
}
_AGAIN = "Run its command again: its answers are kept."
_SERVERS = {"": "default", ANY_SERVER: "any"}
_Way = tuple[Any, ...]
IsAnswered = Callable[[str, str], bool]
"""Whether a server, or any, answered what is known by a key."""


@dataclass(frozen=True, slots=True)
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
    place: tuple[str, int] | None = None
    """In an outline, which holds no questions: the file and the row that does."""

    @property
    def about(self) -> tuple[Any, ...]:
        """What tells it from the other rows of a run."""
        return self.item, self.epoch, self.judge_epoch, self.answer


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
    settings: Mapping[str, str] = field(default_factory=dict)
    total: str = ""
    """How many questions the data has for the task; empty in stores that do not say."""

    @property
    def header(self) -> dict[str, str]:
        """All that is the same in every row."""
        plain = {name: getattr(self, name) for name in _HEADER if name != "settings"}
        return {**plain, "settings": _settings_json(self.settings)}

    @property
    def epochs(self) -> int:
        """How often each question was asked."""
        return max(row.epoch for row in self.rows)

    @property
    def asked_as(self) -> _Way:
        """Whom it asked what, in which variant and paraphrase."""
        variant = variant_shown(self.settings.get(SHOWN, ""))
        told = (self.settings.get(name) for name in (VARIANT_SEED, PARAPHRASE))
        return self.benchmark, self.task, self.model, variant, *told

    def way(self, *left_out: str) -> _Way:
        """How it was asked: all of the header but where the data lay, how much there is of it, by
        what asking was stopped, and the media in its checksum, for which the requests' names
        stand."""
        asked = {name: value for name, value in self.settings.items() if name != UNTIL}
        header = self.header | {"data": annotations_of(self.data)}
        header["settings"] = _settings_json(asked)
        unlike = ("origin", "total", *left_out)
        return tuple(value for name, value in header.items() if name not in unlike)


def _settings_json(settings: Mapping[str, str]) -> str:
    return json.dumps(dict(settings), sort_keys=True)


_HEADER = tuple(one.name for one in fields(Manifest) if one.name != "rows")
COLUMNS: dict[str, pl.DataType] = {**_ROWS, **dict.fromkeys(_HEADER, pl.String())}
"""The columns of a manifest's file, and their types."""


def write_manifest(store: AnswerStore, label: str, manifest: Manifest) -> Path:
    """Where the manifest lies; where the last one of its task is the same, that. One that was
    damaged is written again."""
    columns: dict[str, list[Any]] = {
        name: [getattr(row, name) for row in manifest.rows] for name in _ROWS
    }
    whole = json.dumps([manifest.header, columns], ensure_ascii=True, sort_keys=True)
    tag = hashlib.sha256(whole.encode()).hexdigest()[:8]
    label, runs = short_label(label), store.folder / RUNS
    known = [place for path in runs.glob("*.parquet") if (place := place_of(path.name))]
    place = max((place for place in known if place.label == label), default=None)
    if place is None or place.tag != tag:
        place = next_place(label, known, tag)
    path = runs / f"{place.stem}.parquet"
    if place in known:
        with suppress(InputError):
            read_manifest(path)
            return path
    store.create()
    frame = pl.DataFrame(columns, schema=_ROWS)
    header = [pl.lit(value).alias(name) for name, value in manifest.header.items()]
    write_bytes(path, parquet_bytes(frame.with_columns(header)))
    return path


def read_manifest(path: Path, outline: bool = False) -> Manifest:
    """The manifest of a file; anything else raises. An `outline` has no questions, and tells where
    each stands."""
    wanted = [name for name in _ROWS if not (outline and name == "question")]
    try:
        scan = pl.scan_parquet(path, glob=False)
        held = scan.collect_schema().names()
        if "total" not in held:  # stores of 0.2
            scan, held = scan.with_columns(total=pl.lit("")), [*held, "total"]
        if lacking := [name for name in (*_HEADER, *_ROWS) if name not in held]:
            raise InputError(path, f"has no column {lacking[0]}", _AGAIN)
        told = scan.select(_HEADER).head(1).collect()
        frame = scan.select(wanted).collect()
    except UNREADABLE as error:
        what = f"cannot be read as a manifest ({str(error).splitlines()[0]})"
        raise InputError(path, what, _AGAIN) from error
    if frame.is_empty():
        raise InputError(path, "is empty", _AGAIN)
    header: dict[str, Any] = {name: value or "" for name, value in told.row(0, named=True).items()}
    file = str(path)
    try:
        header["settings"] = json.loads(header["settings"])
        rows = tuple(
            Asked(**row, place=(file, number) if outline else None)
            for number, row in enumerate(frame.iter_rows(named=True))
        )
    except (ValueError, TypeError) as error:
        raise InputError(path, f"is not a manifest ({error})", _AGAIN) from error
    return Manifest(**header, rows=rows)


def read_manifests(files: Iterable[Path], outline: bool = False) -> dict[Path, Manifest]:
    """The manifests of files; those of a run that has written a longer one meanwhile are gone."""
    found = {}
    for file in files:
        try:
            found[file] = read_manifest(file, outline)
        except InputError:
            if file.exists():
                raise
    return found


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
