"""An answer as the store keeps it: what came back, what was in fact sent, and how files hold it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import JsonValue

from deadpan.base.errors import InputError
from deadpan.core.questions import Reply
from deadpan.engine.segments import Place

COLUMNS: dict[str, pl.DataType] = {
    **dict.fromkeys(("key", "model", "server", "served_model"), pl.String()),
    **dict.fromkeys(("text", "reasoning", "stop", "error"), pl.String()),
    **dict.fromkeys(("input_tokens", "output_tokens", "cached_tokens"), pl.Int64()),
    "seconds": pl.Float64(),
    "calls": pl.Int64(),
    "finished": pl.String(),
    "images": pl.Int64(),
    "schema": pl.Boolean(),
    "max_tokens": pl.Int64(),
    "shown": pl.String(),
}
"""The fields of an answer, and their types in Parquet."""
ROWS = {
    **COLUMNS,
    "segment": pl.String(),
    "number": pl.Int64(),
    "tag": pl.String(),
    "offset": pl.Int64(),
}
"""An answer's columns, then its segment, that segment's place, and the line's offset."""
UNREADABLE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)
"""What a damaged Parquet file raises."""
_TYPES = {
    name: (float, int) if kind == pl.Float64 else (kind.to_python(),)
    for name, kind in COLUMNS.items()
}
_GROUP = 10_000
_LARGEST = 2**63 - 1
"""What a column of whole numbers holds."""
_PICTURE_START = '{"picture": '


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one question: a reply, or the error of the call that failed last."""

    key: str
    model: str
    server: str
    finished: str
    served_model: str | None = None
    text: str | None = None
    reasoning: str | None = None
    stop: str | None = None
    error: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    seconds: float | None = None
    calls: int = 1
    images: int = 0
    schema: bool = False
    max_tokens: int | None = None
    shown: str | None = None
    """JSON of what was shown: paths, checksums, notes."""

    @property
    def reply(self) -> Reply:
        """What parsers read."""
        return Reply(**{name: getattr(self, name) for name in Reply.model_fields})

    @property
    def line(self) -> bytes:
        """The answer as a line of a segment; what is not known is left out."""
        fields = {name: getattr(self, name) for name in COLUMNS}
        known = {name: value for name, value in fields.items() if value is not None}
        text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace") + b"\n"


def answer_of(row: Mapping[str, Any]) -> Answer:
    """The answer of a row of the store."""
    return Answer(**{name: row.get(name) for name in COLUMNS})  # type: ignore[arg-type]


def parse_line(line: bytes) -> dict[str, Any]:
    """The fields of a segment's line; anything that is no answer raises ValueError."""
    try:
        fields = json.loads(line)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(fields, dict):
        raise ValueError("not an object")
    for name, value in fields.items():
        if name in _TYPES and value is not None and not isinstance(value, _TYPES[name]):
            raise ValueError(f"{name} is a {type(value).__name__}")
        if name in _TYPES and isinstance(value, int) and abs(value) > _LARGEST:
            raise ValueError(f"{name} is too large")
    if not all(isinstance(fields.get(name), str) for name in ("key", "model", "server")):
        raise ValueError("key, model or server is missing")
    return fields


def read_segment(path: Path, place: Place) -> tuple[pl.DataFrame, list[str]]:
    """The whole lines of a segment as rows, and what is wrong with the others. A last line without
    its end was being written when its writer was killed: it never counted, and is not told."""
    return read_tail(path, place, 0)[:2]


def read_tail(path: Path, place: Place, start: int) -> tuple[pl.DataFrame, list[str], int]:
    """The same from an offset on, and the offset behind the last whole line."""
    order = {"segment": place.stem, "number": place.number, "tag": place.tag}
    rows, problems, end = [], [], start
    for number, (offset, line) in enumerate(_whole_lines(path, start), start=1):
        end = offset + len(line)
        try:
            fields = parse_line(line)
        except ValueError as error:
            problems.append(f"{path}:{number}: is not an answer ({error}); it does not count")
        else:
            known = {name: fields.get(name) for name in COLUMNS}
            rows.append({**known, **order, "offset": offset})
    return pl.DataFrame(rows, schema=ROWS, orient="row"), problems, end


def _whole_lines(path: Path, start: int) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as stream:
            offset = stream.seek(start)
            for line in stream:
                if line.endswith(b"\n"):
                    yield offset, line
                offset += len(line)
    except FileNotFoundError:
        return  # compacted since it was seen: its lines stand in a Parquet file
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(path, what, "Check the disk and the permissions.") from error


def read_compacted(
    path: Path, columns: Sequence[str] = tuple(ROWS), rows: tuple[int, int] | None = None
) -> pl.DataFrame:
    """The rows of a compacted file, or some of their columns; `rows` are the first and how many,
    where not all. A file that cannot be read raises."""
    wrong, what = "Move it away: it is no answers.", "has a column of another type"
    try:
        scan = pl.scan_parquet(path, glob=False)
        held = scan.collect_schema().names()
        if lacking := [name for name in ROWS if name not in held]:
            raise InputError(path, f"has no column {lacking[0]}", wrong)
        chosen = scan.select(columns)
        frame = (chosen if rows is None else chosen.slice(*rows)).collect()
    except UNREADABLE as error:
        what = f"cannot be read ({str(error).splitlines()[0]})"
        fix = "Put back a copy; where there is none, move it away: its questions are asked again."
        raise InputError(path, what, fix) from error
    try:
        return frame.select(pl.col(name).cast(ROWS[name]) for name in columns)
    except pl.exceptions.PolarsError as error:
        raise InputError(path, f"{what} ({str(error).splitlines()[0]})", wrong) from error


def covered_segments(frames: Iterable[pl.DataFrame]) -> set[str]:
    """The segments whose lines stand in compacted files."""
    return {name for frame in frames for name in frame["segment"].unique()}


def parquet_bytes(frame: pl.DataFrame) -> bytes:
    """A frame as the Parquet file that a store keeps, in parts that can be read one by one."""
    stream = io.BytesIO()
    frame.write_parquet(stream, compression="zstd", row_group_size=_GROUP)
    return stream.getvalue()


def shown_json(shown: Sequence[Mapping[str, JsonValue]]) -> str | None:
    """What was shown, as the store keeps it; None for nothing."""
    return json.dumps(list(shown), ensure_ascii=False) if shown else None


def picture_place(store: Path, sha256: str) -> Path:
    """Where a store keeps the picture of that checksum."""
    return store / "pictures" / sha256[:2] / f"{sha256}.png"


def picture_answer(sha256: str, notes: Sequence[str] = ()) -> str:
    """The answer that stands for a picture, wherever the store lies."""
    return json.dumps({"picture": sha256, "notes": list(notes)}, ensure_ascii=False)


def locate_picture(reply: Reply, store: Path) -> tuple[Reply, tuple[str, ...]]:
    """The reply with the place of its picture, if it is one, and what was noted of it."""
    if reply.text is None or not reply.text.startswith(_PICTURE_START):
        return reply, ()
    answer = json.loads(reply.text)
    place = picture_place(store, answer["picture"]).resolve()
    text = json.dumps({"path": str(place), "sha256": answer["picture"]}, ensure_ascii=False)
    return reply.model_copy(update={"text": text}), tuple(answer["notes"])
