"""Pictures to unit vectors: by CLIP, or by hash, colours, edges and the words that OCR reads."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from PIL import Image
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from deadpan.base.caches import cache_folder
from deadpan.base.errors import InputError
from deadpan.base.files import write_bytes
from deadpan.media.images import read_image
from deadpan.media.media_files import content_sha256
from deadpan.media.ocr import read_text
from deadpan.metrics.encoders import Vectors, lexical_encoder
from deadpan.metrics.neural import checked_device, library, loading, located, torch_library

_WORDS_WIDTH = 512
_CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
_CLIP_DEVIATION = (0.26862954, 0.26130258, 0.27577711)
_AT_ONCE = 32
_FEW = 16
"""Pictures below which no bar is shown."""


class ImageEncoder(Protocol):
    """What turns pictures into unit vectors, one row each."""

    @property
    def name(self) -> str:
        """Which encoder, down to its weights."""
        ...

    def encode(self, pictures: Sequence[Path]) -> Vectors:
        """One unit row per picture; no picture raises ValueError."""
        ...


def embedded_encoder(ocr: bool | None = None) -> ImageEncoder:
    """Looks and words of a picture, without a model: words where OCR is installed, or as told."""
    reads = bool(find_spec("rapidocr") and find_spec("onnxruntime")) if ocr is None else ocr
    return _Cached(_Looks(reads), at_once=1)


def clip_encoder(name: str, *, device: str | None = None) -> ImageEncoder:
    """CLIP's image side by resource, folder or hub name; vectors are cached."""
    transformers = library("transformers")
    place, identity = located(name)
    with loading(name):
        network = transformers.CLIPVisionModelWithProjection.from_pretrained(place)
    chosen = checked_device(device)
    return _Cached(_Clip(identity, network.eval().to(chosen), chosen))


@dataclass(frozen=True)
class _Looks:
    """Perceptual hash, colour histogram, directions of edges and words, each of equal weight."""

    ocr: bool

    @property
    def name(self) -> str:
        return f"looks-1{'+ocr' if self.ocr else ''}"

    def encode(self, pictures: Sequence[Path]) -> Vectors:
        _require(pictures)
        return np.stack([self._vector(path) for path in pictures])

    def _vector(self, path: Path) -> Vectors:
        image = read_image(path)
        parts = [_hash_signs(image), _colours(image), _edges(image)]
        if self.ocr:
            parts.append(_words(path))
        joined = np.concatenate([_unit(part) for part in parts])
        return _unit(joined).astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Clip:
    name: str
    network: Any
    device: str

    def encode(self, pictures: Sequence[Path]) -> Vectors:
        _require(pictures)
        torch = torch_library()
        side = int(self.network.config.image_size)
        rows = []
        for start in range(0, len(pictures), _AT_ONCE):
            pixels = np.stack([_clip_pixels(path, side) for path in pictures[start:][:_AT_ONCE]])
            with torch.inference_mode():
                found = self.network(pixel_values=torch.from_numpy(pixels).to(self.device))
            rows.append(found.image_embeds.float().cpu().numpy())
        vectors = np.concatenate(rows)
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit.astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Cached:
    """An encoder that asks another only for pictures it has not seen, here or in an earlier run."""

    encoder: ImageEncoder
    at_once: int = _AT_ONCE
    """Pictures that are encoded, and then kept, together."""

    @property
    def name(self) -> str:
        return self.encoder.name

    def encode(self, pictures: Sequence[Path]) -> Vectors:
        _require(pictures)
        places = [self._place(path) for path in pictures]
        known = {place: vector for place in places if (vector := _read(place)) is not None}
        missing = {
            place: path for place, path in zip(places, pictures, strict=True) if place not in known
        }
        pending = list(missing.items())
        with _bar(len(pending)) as advance:
            for start in range(0, len(pending), self.at_once):
                part = pending[start : start + self.at_once]
                rows = self.encoder.encode([path for _, path in part])
                for (place, _), row in zip(part, rows, strict=True):
                    known[place] = row
                    _keep(place, row)
                advance(len(part))
        return np.stack([known[place] for place in places])

    def _place(self, path: Path) -> Path:
        content = content_sha256(path, "picture")
        folder = hashlib.sha256(self.name.encode()).hexdigest()[:24]
        return cache_folder("embeddings") / folder / f"{content}.npy"


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int], None]]:
    """A bar of pictures on standard error; for a few there is none."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    quiet = total < _FEW
    with Progress(*columns, console=Console(stderr=True), disable=quiet) as bars:
        bar = bars.add_task("encoding pictures", total=total)
        yield lambda count: bars.advance(bar, count)


def _read(place: Path) -> Vectors | None:
    try:
        vector: Vectors = np.load(io.BytesIO(place.read_bytes()))
    except (OSError, ValueError, EOFError):
        return None
    return vector


def _keep(place: Path, row: Vectors) -> None:
    """Keeps a vector; a full or read-only cache only costs time."""
    stream = io.BytesIO()
    np.save(stream, row)
    try:
        write_bytes(place, stream.getvalue())
    except InputError:
        return


def _hash_signs(image: Image.Image) -> Vectors:
    """The signs of the 8 × 8 lowest frequencies of the picture in grey (the bits of pHash)."""
    side, kept = 32, 8
    grey = np.asarray(image.convert("L").resize((side, side)), np.float32)
    angles = np.pi / side * (np.arange(side) + 0.5)[None, :] * np.arange(kept)[:, None]
    waves = np.cos(angles).astype(np.float32)
    low = (waves @ grey @ waves.T).ravel()[1:]
    return np.where(low > np.median(low), 1, -1).astype(np.float32)


def _colours(image: Image.Image) -> Vectors:
    """The roots of the shares of 4 × 4 × 4 colours."""
    pixels = np.asarray(image.resize((64, 64)), np.int64) // 64
    codes = pixels[..., 0] * 16 + pixels[..., 1] * 4 + pixels[..., 2]
    return np.sqrt(np.bincount(codes.ravel(), minlength=64)).astype(np.float32)


def _edges(image: Image.Image) -> Vectors:
    """How strong edges of nine directions are in 8 × 8 cells, each cell by itself (as in HOG)."""
    grey = np.asarray(image.convert("L").resize((64, 64)), np.float32)
    down, across = np.gradient(grey)
    strength = np.hypot(down, across)
    direction = (np.arctan2(down, across) % np.pi / np.pi * 9).astype(np.int64) % 9
    rows, columns = np.indices(grey.shape) // 8
    codes = (rows * 8 + columns) * 9 + direction
    cells = np.bincount(codes.ravel(), strength.ravel(), minlength=576).reshape(64, 9)
    lengths = np.linalg.norm(cells, axis=1, keepdims=True)
    levelled: Vectors = (cells / (lengths + 1)).ravel().astype(np.float32)
    return levelled


def _words(path: Path) -> Vectors:
    """The n-grams of the text in the picture, folded; 0 where nothing can be read in it."""
    said = " ".join(box.text for box in read_text(path)).strip()
    if not said:
        return np.zeros(_WORDS_WIDTH, np.float32)
    folded: Vectors = lexical_encoder().encode([said])[0].reshape(-1, _WORDS_WIDTH).sum(0)
    return folded


def _clip_pixels(path: Path, side: int) -> Vectors:
    """The picture as CLIP takes it: its shorter side resized, its middle cut out, standardised."""
    image = read_image(path)
    factor = side / min(image.size)
    size = (max(side, round(image.width * factor)), max(side, round(image.height * factor)))
    resized = image.resize(size, Image.Resampling.BICUBIC)
    left, top = (size[0] - side) // 2, (size[1] - side) // 2
    middle = np.asarray(resized.crop((left, top, left + side, top + side)), np.float32) / 255
    standard = (middle - np.array(_CLIP_MEAN)) / np.array(_CLIP_DEVIATION)
    return np.ascontiguousarray(standard.transpose(2, 0, 1), np.float32)


def _unit(vector: Vectors) -> Vectors:
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else vector


def _require(pictures: Sequence[Path]) -> None:
    if not len(pictures):
        raise ValueError("no pictures")
