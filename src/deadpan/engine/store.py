"""The answer store: a folder of segments, compacted to Parquet, that no answer ever leaves.

`pl.read_parquet("answers/*.parquet")` reads what is complete, `pl.read_ndjson("answers/*.jsonl")`
and grep what is being asked. An answer that stands in both counts once.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from deadpan.base.errors import InputError
from deadpan.base.files import is_there, leftovers, read_bytes, write_bytes, write_text
from deadpan.engine import segments
from deadpan.engine.answers import (
    ROWS,
    Answer,
    covered_segments,
    parquet_bytes,
    read_compacted,
    read_segment,
)
from deadpan.engine.index import INDEXED, SPOTS, AnswerReader, Replies, counted, spots_in

_logger = logging.getLogger("deadpan")

SCHEMA = 1
"""The version of the store's form; a store of a later one is not read."""
ABOUT = "store.json"
_FORM = json.dumps({"schema": SCHEMA})
RUNS = "runs"
"""Where manifests lie: which question is which request."""
DAMAGED = ".damaged"
"""What is put behind the name of a segment whose whole lines were compacted and whose broken ones
nobody can read."""

Key = tuple[str, str]
"""A question's name, and the server that answered."""


class Spot(NamedTuple):
    """Where a line of a segment that is being written stands."""

    path: Path
    offset: int


class AnswerStore:
    """One folder of answers. Nothing is created before the first answer is written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._replies: dict[str, Replies] = {}
        self._new: dict[str, dict[Key, Spot]] = {}
        self._servers: dict[str, set[str]] = {}
        self._reader = AnswerReader(folder)
        self._check()

    def _check(self) -> None:
        """Raises for a folder that holds something else, or a store of a later form."""
        about = self.folder / ABOUT
        if not self.folder.exists():
            return
        if not self.folder.is_dir():
            raise InputError(self.folder, "is a file", "Name a folder: --store DIR.")
        if not is_there(about):
            # Who was killed while making the store left a temporary file.
            if set(self.folder.iterdir()) - set(leftovers(about)):
                what = "is no answer store, and not empty"
                fix = f"Name a new folder: --store DIR. If only {ABOUT} was lost, put back {_FORM}."
                raise InputError(self.folder, what, fix)
            return
        try:
            version = int(json.loads(read_bytes(about))["schema"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(about, f"cannot be read ({error})", f"Expected {_FORM}.") from None
        if version > SCHEMA:
            what = f"is a store of form {version}; this Deadpan knows {SCHEMA}"
            raise InputError(self.folder, what, "Install a newer Deadpan.")

    def create(self) -> None:
        """Makes the folder."""
        if not (self.folder / ABOUT).is_file():
            write_text(self.folder / ABOUT, f"{_FORM}\n")

    def answers(self) -> pl.DataFrame:
        """Every answer that counts, one for each question and server: the first success by segment
        and offset, else the last failure."""
        rows = self.rows().with_columns(failed=pl.col("error").is_not_null())
        return counted(rows).drop("failed")

    def spots(self) -> pl.DataFrame:
        """The same without what was said: where each of them stands."""
        frames = [spots_in(frame, path) for path, frame in self._files(INDEXED)]
        return counted(pl.concat([pl.DataFrame(schema=SPOTS), *frames], how="vertical"))

    def rows(self) -> pl.DataFrame:
        """All that was ever written, failures too, with where it stood."""
        frames = [frame for _, frame in self._files(tuple(ROWS))]
        return pl.concat([pl.DataFrame(schema=ROWS), *frames], how="vertical")

    def _files(self, columns: Sequence[str]) -> list[tuple[Path, pl.DataFrame]]:
        """The rows of each file, each answer once. Segments are read first: one that is gone by
        then was compacted, and its Parquet file is read afterwards."""
        written = {}
        for path in sorted(self.folder.glob(f"*{segments.SUFFIX}")):
            if (place := segments.place_of(path.name)) is not None:
                frame, problems = read_segment(path, place)
                written[place.stem] = path, frame.select(columns), problems
        compacted = sorted(self.folder.glob("*.parquet"))
        found = [(path, read_compacted(path, columns)) for path in compacted]
        covered = covered_segments(frame for _, frame in found)
        for name, (path, frame, problems) in written.items():
            if name not in covered:
                for problem in problems:
                    _logger.warning("%s", problem)
                found.append((path, frame))
        return found

    def known(self, model: str, key: str, server: str | None) -> Answer | None:
        """A model's reply to a question by a server, by any where none is named; None where there
        is none, or only failures."""
        spot = self._spot(model, key, server)
        if spot is None:
            return None
        try:
            return self._reader.read(spot.path.name, spot.offset)
        except FileNotFoundError:  # its segment was compacted since
            del self._replies[model]
            return self.known(model, key, server)

    def has(self, model: str, key: str, server: str | None) -> bool:
        """Whether there is a reply, without reading it."""
        return self._spot(model, key, server) is not None

    def servers(self, model: str, key: str) -> set[str]:
        """The servers that answered a question."""
        return self._loaded(model).servers(key) | self._servers.get(key, set())

    def _spot(self, model: str, key: str, server: str | None) -> Spot | None:
        replies = self._loaded(model)
        if server is None:
            server = min(self.servers(model, key), default=None)
        if server is None:
            return None
        if (found := replies.spot(key, server)) is not None:
            return Spot(self.folder / found[0], found[1])
        return self._new[model].get((key, server))

    def _loaded(self, model: str) -> Replies:
        """Where a model's replies stand, looked up when they are first asked for."""
        if model not in self._replies:
            mine = (pl.col("model") == model) & ~pl.col("failed")
            self._replies[model] = Replies(self.spots().filter(mine))
            self._new[model] = {}
        return self._replies[model]

    def remember(self, answer: Answer, spot: Spot) -> None:
        """Takes up an answer that was written just now, so that it is not asked for again."""
        if answer.model in self._replies and answer.error is None:
            self._new[answer.model].setdefault((answer.key, answer.server), spot)
            self._servers.setdefault(answer.key, set()).add(answer.server)

    def places(self) -> dict[segments.Place, Path]:
        """All segments and compacted files by their place."""
        paths = self.folder.glob("*")
        return {
            place: path for path in paths if (place := segments.place_of(path.name)) is not None
        }

    def open_labels(self) -> set[str]:
        """The tasks that have segments."""
        places = self.places().items()
        return {place.label for place, path in places if path.suffix == segments.SUFFIX}

    def writer(self, label: str) -> TaskWriter:
        """Who writes the answers of a task; nobody else can at the same time."""
        return TaskWriter(self, segments.short_label(label))


class TaskWriter:
    """Writes one task's answers: `acquire`, `append`, then `close`, which compacts them."""

    def __init__(self, store: AnswerStore, label: str) -> None:
        self.store, self.label = store, label
        self._lock = segments.WriterLock(store.folder / f"{label}.lock")
        self._segment: segments.SegmentWriter | None = None

    def acquire(self) -> None:
        """Locks the task's answers; raises where another process writes them."""
        self.store.create()
        self._lock.acquire()

    async def append(self, answer: Answer) -> None:
        """Writes an answer; it counts when this returns."""
        if self._segment is None:
            place = segments.next_place(self.label, self.store.places())
            self._segment = segments.SegmentWriter(self.store.folder, place)
        offset = await self._segment.append(answer.line)
        self.store.remember(answer, Spot(self._segment.path, offset))

    async def close(self, complete: bool) -> None:
        """Ends writing. The segments of a task that is complete become one Parquet file."""
        try:
            if self._segment is not None:
                await self._segment.close()
            if complete:
                compact(self.store, self.label)
        except InputError as error:  # what cannot be compacted stays in segments, and is the same
            _logger.warning("answers stay as they are: %s", error)
        finally:
            self._lock.release()


def compact(store: AnswerStore, label: str) -> Path | None:
    """Makes one Parquet file of a task's segments, and takes these away once it is on the disk;
    None where there was nothing to do. Whoever calls holds the task's lock."""
    places = store.places()
    own = {place: path for place, path in places.items() if place.label == label}
    open_segments = {place: path for place, path in own.items() if path.suffix == segments.SUFFIX}
    compacted = [path for path in own.values() if path.suffix == ".parquet"]
    covered = covered_segments(map(read_compacted, compacted))
    frames, damaged = [], set[Path]()
    for place, path in sorted(open_segments.items()):
        frame, problems = read_segment(path, place)
        frames += [] if place.stem in covered else [frame]
        damaged |= {path} if problems else set()
    made = None
    if sum(map(len, frames)):
        made = store.folder / f"{segments.next_place(label, places).stem}.parquet"
        write_bytes(made, parquet_bytes(pl.concat(frames)))
        segments.sync_folder(store.folder)
    for path in open_segments.values():
        if path in damaged:
            path.rename(f"{path}{DAMAGED}")
        else:
            path.unlink()
    if open_segments:
        segments.sync_folder(store.folder)
    return made
