"""Texts to unit vectors: by a sentence-transformers model, or by their character n-grams."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from deadpan.base.compatibility import compatibility_form
from deadpan.base.files import cache_folder
from deadpan.metrics.neural import checked_device, library, loading, locate_model, well_formed

Vectors = npt.NDArray[np.float32]

_WIDTH = 4096
_LONGEST_NGRAM = 3


class SentenceEncoder(Protocol):
    """What turns texts into unit vectors, one row each."""

    @property
    def name(self) -> str:
        """Which encoder, down to its weights."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text; an empty text or no text raises ValueError."""
        ...


def sentence_encoder(name: str, *, device: str | None = None) -> SentenceEncoder:
    """A sentence-transformers model by resource, folder or hub name; vectors are cached.

    What cannot be had raises `Unavailable`, or `MissingExtra` where the library is missing.
    """
    sentence_transformers = library("sentence_transformers")
    place, identity = locate_model(name)
    with loading(name):
        network = sentence_transformers.SentenceTransformer(place, device=checked_device(device))
    return _Cached(_Transformer(identity, network))


def lexical_encoder() -> SentenceEncoder:
    """Character 1- to 3-grams hashed into 4,096 places: likeness of spelling, not of meaning."""
    return _Lexical()


@dataclass(frozen=True, eq=False)
class _Transformer:
    name: str
    network: Any

    def encode(self, texts: Sequence[str]) -> Vectors:
        _require(texts)
        vectors: Vectors = self.network.encode(
            [well_formed(text) for text in texts],
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return vectors.astype(np.float32)


@dataclass(frozen=True)
class _Lexical:
    name: str = f"lexical-{_LONGEST_NGRAM}grams-{_WIDTH}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        _require(texts)
        vectors = np.zeros((len(texts), _WIDTH), np.float32)
        for row, text in enumerate(texts):
            for ngram, uses in Counter(_ngrams(text)).items():
                # Later uses of an n-gram count for less than the first.
                vectors[row, zlib.crc32(ngram.encode()) % _WIDTH] += 1 + np.log(uses)
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


def _ngrams(text: str) -> Iterable[str]:
    """The n-grams of the text in lower case, white space made single, bounded by spaces."""
    plain = compatibility_form(well_formed(text)).casefold()
    bounded = f" {' '.join(plain.split())} "
    for size in range(1, _LONGEST_NGRAM + 1):
        for start in range(len(bounded) - size + 1):
            ngram = bounded[start : start + size]
            if not ngram.isspace():
                yield ngram


@dataclass(frozen=True, eq=False)
class _Cached:
    """An encoder that asks another only for texts it has not seen, here or in an earlier run."""

    encoder: SentenceEncoder

    @property
    def name(self) -> str:
        return self.encoder.name

    def encode(self, texts: Sequence[str]) -> Vectors:
        _require(texts)
        keys = {text: hashlib.sha256(well_formed(text).encode()).digest() for text in texts}
        stem = hashlib.sha256(self.name.encode()).hexdigest()[:24]
        store = cache_folder("embeddings") / f"{stem}.sqlite"
        known = _read(store, set(keys.values()))
        missing = {key: text for text, key in keys.items() if key not in known}
        if missing:
            made = self.encoder.encode(list(missing.values()))
            new = dict(zip(missing, made, strict=True))
            _write(store, new)
            known |= new
        return np.stack([known[keys[text]] for text in texts])


def _read(store: Path, keys: set[bytes]) -> dict[bytes, Vectors]:
    """The vectors that are there; a cache that cannot be read only costs time."""
    if not store.is_file():
        return {}
    try:
        with closing(sqlite3.connect(store)) as base:
            asked = "select row from vectors where key = ?"
            rows = {key: base.execute(asked, (key,)).fetchone() for key in keys}
    except sqlite3.Error:
        return {}
    return {key: np.frombuffer(row[0], np.float32) for key, row in rows.items() if row}


def _write(store: Path, vectors: dict[bytes, Vectors]) -> None:
    """Adds vectors; a full, damaged or read-only cache only costs time."""
    rows = [(key, vector.tobytes()) for key, vector in vectors.items()]
    with suppress(OSError, sqlite3.Error):
        store.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(store)) as base, base:
            base.execute("create table if not exists vectors (key blob primary key, row blob)")
            base.executemany("insert or ignore into vectors values (?, ?)", rows)


def _require(texts: Sequence[str]) -> None:
    if not len(texts):
        raise ValueError("no texts")
    for number, text in enumerate(texts):
        if not text.strip():
            raise ValueError(f"text {number} is empty")
