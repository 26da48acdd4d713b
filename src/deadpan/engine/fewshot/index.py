"""The nearest of many unit vectors by inner product: FAISS where it is installed, else numpy.

An index is built once and kept with the checksum of its vectors and of its own file; one that is
stale or damaged is built again, and said. Candidates that FAISS finds are scored and ordered here,
so that both ways give the same rows: nearest first, of equally near ones the first.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from deadpan.base.caches import cache_folder
from deadpan.base.errors import InputError
from deadpan.base.files import write_bytes, write_text
from deadpan.metrics.encoders import Vectors

_logger = logging.getLogger("deadpan")

_MARGIN = 16
"""How many more than wanted are fetched, so that equally near ones at the end are told apart."""
_PLACES = 6
"""Decimals that count when two are compared: below that, ways of adding up differ."""

Engine = Literal["faiss", "numpy"]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Index:
    """Vectors that can be searched; `store` is FAISS's index, None where numpy searches."""

    vectors: Vectors
    store: Any

    def nearest(
        self, queries: Vectors, count: int, among: Sequence[int] | None = None
    ) -> tuple[Rows, Vectors]:
        """The rows of the nearest `count` of each query and their cosines, nearest first; of those
        `among` alone, where given. Fewer than `count` raises ValueError."""
        there = len(self.vectors) if among is None else len(among)
        if not 1 <= count <= there:
            raise ValueError(f"{count} nearest of {there} vectors")
        chosen = None if among is None else np.asarray(among, np.int64)
        search = _searched_plainly if self.store is None else _searched
        found = search(self, queries, min(count + _MARGIN, there), chosen)
        near = np.einsum("qcw,qw->qc", self.vectors[found], queries, dtype=np.float64)
        order = np.lexsort((found, -near.round(_PLACES)))[:, :count]
        return (
            np.take_along_axis(found, order, 1),
            np.take_along_axis(near, order, 1).astype(np.float32),
        )


def built(vectors: Vectors, engine: Engine | None = None) -> Index:
    """An index in memory; by numpy where FAISS is not installed, or as told."""
    if not len(vectors):
        raise ValueError("no vectors")
    whole = np.ascontiguousarray(vectors, np.float32)
    faiss = _faiss() if engine != "numpy" else None
    if faiss is None:
        return Index(whole, None)
    store = faiss.IndexFlatIP(whole.shape[1])
    store.add(whole)
    return Index(whole, store)


def kept_index(vectors: Vectors, name: str, folder: Path | None = None) -> Index:
    """The index of that name, from the folder (the cache's, when left out) where it was kept for
    these very vectors, else built and kept there."""
    faiss = _faiss()
    if faiss is None:
        return built(vectors)
    place = (folder or cache_folder("indexes")) / f"{name}.faiss"
    card = place.with_suffix(".json")
    checksum = hashlib.sha256(np.ascontiguousarray(vectors, np.float32).tobytes()).hexdigest()
    store = _read(faiss, place, card, checksum)
    if store is not None:
        return Index(np.ascontiguousarray(vectors, np.float32), store)
    index = built(vectors)
    data = faiss.serialize_index(index.store).tobytes()
    about = {"vectors": checksum, "file": hashlib.sha256(data).hexdigest()}
    try:
        write_bytes(place, data)
        write_text(card, json.dumps(about))
    except InputError as error:
        _logger.warning("the index could not be kept: %s", error)
    return index


def _read(faiss: Any, place: Path, card: Path, checksum: str) -> Any:
    """FAISS's index, or None, with the reason said, where it is not the one of these vectors."""
    if not place.exists():
        return None
    try:
        about = json.loads(card.read_bytes())
        data = place.read_bytes()
        stale = about["vectors"] != checksum
        damaged = about["file"] != hashlib.sha256(data).hexdigest()
    except (OSError, ValueError, LookupError, TypeError):
        stale, damaged = False, True
    if stale or damaged:
        why = "is damaged" if damaged else "was built from other data"
        _logger.warning("%s %s: it is built again", place, why)
        return None
    return faiss.deserialize_index(np.frombuffer(data, np.uint8))


def _faiss() -> Any:
    try:
        return importlib.import_module("faiss")
    except ModuleNotFoundError:
        return None


def _searched(
    index: Index, queries: Vectors, count: int, among: npt.NDArray[np.int64] | None
) -> Rows:
    faiss = _faiss()
    limits = None
    if among is not None:
        limits = faiss.SearchParameters(sel=faiss.IDSelectorBatch(among))
    _, rows = index.store.search(np.ascontiguousarray(queries, np.float32), count, params=limits)
    found: Rows = rows.astype(np.intp)
    return found


def _searched_plainly(
    index: Index, queries: Vectors, count: int, among: npt.NDArray[np.int64] | None
) -> Rows:
    near = queries @ (index.vectors if among is None else index.vectors[among]).T
    if count < near.shape[1]:
        places = np.argpartition(-near, count - 1, axis=1)[:, :count]
    else:
        places = np.broadcast_to(np.arange(near.shape[1]), near.shape)
    found: Rows = (places if among is None else among[places]).astype(np.intp)
    return found
