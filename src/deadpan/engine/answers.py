"""An answer as the store keeps it: what came back, and what was in fact sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from pydantic import JsonValue

from deadpan.core.questions import Reply

COLUMNS: dict[str, pl.DataType] = {
    "key": pl.String(),
    "model": pl.String(),
    "server": pl.String(),
    "served_model": pl.String(),
    "text": pl.String(),
    "reasoning": pl.String(),
    "stop": pl.String(),
    "error": pl.String(),
    "input_tokens": pl.Int64(),
    "output_tokens": pl.Int64(),
    "cached_tokens": pl.Int64(),
    "seconds": pl.Float64(),
    "calls": pl.Int64(),
    "finished": pl.String(),
    "images": pl.Int64(),
    "schema": pl.Boolean(),
    "max_tokens": pl.Int64(),
    "shown": pl.String(),
}
"""The fields of an answer, and their types in Parquet."""
_PYTHON: dict[type[pl.DataType], tuple[type, ...]] = {
    pl.String: (str,),
    pl.Int64: (int,),
    pl.Float64: (float, int),
    pl.Boolean: (bool,),
}
_TYPES = {name: _PYTHON[type(kind)] for name, kind in COLUMNS.items()}
_LARGEST = 2**63 - 1
"""What a column of whole numbers holds."""


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
        return Reply(
            text=self.text,
            reasoning=self.reasoning,
            error=self.error,
            stop=self.stop,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            seconds=self.seconds,
        )

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


def shown_json(shown: Sequence[Mapping[str, JsonValue]]) -> str | None:
    """What was shown, as the store keeps it; None for nothing."""
    return json.dumps(list(shown), ensure_ascii=False) if shown else None
