"""Where the answers of a store stand: an index without their texts, which are read when asked for.

A reply takes some forty bytes here, however long it is, so that a store of ten million fits.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from deadpan.engine.answers import COLUMNS, Answer, answer_of, parse_line, read_compacted

SPOTS: dict[str, pl.DataType] = {
    **dict.fromkeys(("key", "model", "server"), pl.String()),
    "failed": pl.Boolean(),
    "number": pl.Int64(),
    "tag": pl.String(),
    "offset": pl.Int64(),
    "file": pl.String(),
    "row": pl.Int64(),
}
"""Who answered what, whether that failed, its place in the store, and where to read it: the row of
a Parquet file, or the offset in a segment."""
INDEXED = ("key", "model", "server", "error", "segment", "number", "tag", "offset")
"""The columns of answers that an index is made of."""
_BATCH, _MOST_BATCHES = 1000, 50
_CHUNK, _NEAR = 100_000, 10_000
_Digests = npt.NDArray[np.uint64]


def spots_in(frame: pl.DataFrame, path: Path) -> pl.DataFrame:
    """The spots of all rows of a file."""
    is_segment = path.suffix != ".parquet"
    row = pl.col("offset") if is_segment else pl.int_range(pl.len(), dtype=pl.Int64)
    failed = pl.col("error").is_not_null()
    return frame.with_columns(failed=failed, file=pl.lit(path.name), row=row).select(*SPOTS)


def counted(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows that count, one for each question and server: the first success by segment and
    offset, else the last failure. Successes come first, in their order."""
    signed = pl.when("failed").then(-pl.int_range(pl.len())).otherwise(pl.int_range(pl.len()))
    return (
        rows.sort("number", "tag", "offset")
        .with_columns(rank=signed)
        .sort("failed", "rank")
        .unique(["key", "server"], keep="first", maintain_order=True)
        .drop("rank")
    )


class Replies:
    """Answers by question and server, without their texts."""

    def __init__(self, spots: pl.DataFrame) -> None:
        """Of spots that count; their order tells which of several servers' is the first."""
        digests = np.empty((len(spots), 2), np.uint64)
        for start in range(0, len(spots), _CHUNK):
            keys = spots["key"][start : start + _CHUNK]
            digests[start : start + len(keys)] = _digests(b"".join(map(_digest, keys)))
        order = np.argsort(digests[:, 0], kind="stable")
        self._first, self._second = digests[order, 0], digests[order, 1]
        self._servers, self._server_of = _coded(spots["server"], order)
        self._files, self._file_of = _coded(spots["file"], order)
        self._row_of = spots["row"].to_numpy()[order]
        self._failed = spots["failed"].to_numpy()[order]

    def servers(self, key: str) -> set[str]:
        """The servers that answered a question."""
        return {self._servers[self._server_of[at]] for at in self._places(key)}

    def spot(self, key: str, server: str | None) -> tuple[str, int] | None:
        """The file and the row of the answer to a question by a server, or the first of all where
        none is named; None where there is none."""
        at = self._place(key, server)
        return None if at is None else (self._files[self._file_of[at]], int(self._row_of[at]))

    def has_reply(self, key: str, server: str | None) -> bool:
        """Whether there is an answer, and no failure."""
        at = self._place(key, server)
        return at is not None and not self._failed[at]

    def _place(self, key: str, server: str | None) -> int | None:
        places = self._places(key)
        if server is None:
            return next(places, None)
        return next((at for at in places if self._servers[self._server_of[at]] == server), None)

    def _places(self, key: str) -> Iterator[int]:
        first, second = _digests(_digest(key))[0]
        at = int(self._first.searchsorted(first))
        while at < len(self._first) and self._first[at] == first:
            if self._second[at] == second:
                yield at
            at += 1


def _digest(key: str) -> bytes:
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _digests(data: bytes) -> _Digests:
    return np.frombuffer(data, np.uint64).reshape(-1, 2)


def _coded(
    names: pl.Series, order: npt.NDArray[np.intp]
) -> tuple[list[str], npt.NDArray[np.int32]]:
    """The distinct names, and for each place in order the number of its name."""
    distinct = names.unique(maintain_order=True)
    codes = names.replace_strict(distinct, pl.int_range(len(distinct), eager=True))
    return distinct.to_list(), codes.to_numpy()[order].astype(np.int32)


class AnswerReader:
    """Reads single answers by their spots; what is asked for in order is read in batches."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._batches: OrderedDict[tuple[str, int], pl.DataFrame] = OrderedDict()

    def read(self, file: str, row: int) -> Answer:
        """The answer there; a file that is gone raises FileNotFoundError."""
        path = self._folder / file
        if path.suffix != ".parquet":
            return read_line(path, row)
        batch = file, row // _BATCH
        if batch not in self._batches:
            rows = (row // _BATCH * _BATCH, _BATCH)
            self._batches[batch] = read_compacted(path, tuple(COLUMNS), rows)
            if len(self._batches) > _MOST_BATCHES:
                self._batches.popitem(last=False)
        self._batches.move_to_end(batch)
        return answer_of(self._batches[batch].row(row % _BATCH, named=True))

    def read_all(self, file: str, rows: Sequence[int]) -> dict[int, Answer]:
        """The answers of some rows of a file, those near each other at once."""
        path = self._folder / file
        if path.suffix != ".parquet":
            return {row: read_line(path, row) for row in rows}
        found = read_rows(rows, lambda part: read_compacted(path, tuple(COLUMNS), part))
        return {row: answer_of(fields) for row, fields in found}


def read_rows(
    rows: Sequence[int], read: Callable[[tuple[int, int]], pl.DataFrame]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Some rows of a file; `read` gives those from one on. What lies between two that are near each
    other is read and passed over."""
    ordered = np.unique(np.asarray(rows, np.int64))
    for part in np.split(ordered, np.flatnonzero(np.diff(ordered) > _NEAR) + 1):
        if len(part):
            first = int(part[0])
            frame = read((first, int(part[-1]) - first + 1))[part - first]
            yield from zip(part.tolist(), frame.iter_rows(named=True), strict=True)


def read_line(path: Path, offset: int) -> Answer:
    """The answer of a segment's line; a segment that is gone raises FileNotFoundError."""
    with path.open("rb") as stream:
        stream.seek(offset)
        return answer_of(parse_line(stream.readline()))
