"""A benchmark's data once read: validated records, what is odd in them, where media come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Literal, TypeVar, get_args

from pydantic import BaseModel

from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_file

Split = Literal["train", "validation"]
"""The splits that are never evaluated."""


def require_split(benchmark: str, name: str) -> None:
    """Raises for a split that there is not, with those there are."""
    if name not in get_args(Split):
        known = ", ".join(get_args(Split))
        raise DeadpanError(f"{benchmark}: no split {name}; expected one of {known}")


RecordT = TypeVar("RecordT", bound=BaseModel)


@dataclass(frozen=True)
class Anomaly:
    """Something odd in the data that is reported and not fatal."""

    where: str
    kind: str
    what: str


@dataclass(frozen=True)
class Dataset(Generic[RecordT]):
    """Validated records, where they came from and the checksum of what they say. `media` are the
    files of pictures and videos that they are about, there or not."""

    records: tuple[RecordT, ...]
    origin: str
    """Where they came from, in words."""
    checksum: str
    """Of what they say: part of signatures."""
    anomalies: tuple[Anomaly, ...] = ()
    media: tuple[str, ...] = ()


def missing_media(dataset: Dataset[RecordT]) -> list[Anomaly]:
    """The files of its media that are not there; one line where there is none of several."""
    files = list(dict.fromkeys(dataset.media))
    missing = [one for one in files if not is_file(Path(one))]
    if len(missing) == len(files) > 1:
        what = f"not one of {len(files)} is there; the first is {files[0]}"
        return [Anomaly(dataset.origin, "no media", what)]
    return [Anomaly(one, "missing file", "not there") for one in missing]


@dataclass(frozen=True)
class Comparison:
    """Cells made anew against released ones."""

    cells: int
    equal: int
    differing: tuple[str, ...] = ()


@dataclass(frozen=True)
class MediaSource:
    """What to fetch: (item id, address) pairs, and the rules that find the picture on a page."""

    items: tuple[tuple[str, str], ...]
    rules: Path
    widths: Mapping[str, int] = field(default_factory=dict)
    """How wide the picture of an item was when it was annotated, where that is known: of several
    sizes this one is fetched."""
