"""Questions to unit vectors: words beside pictures, by CLIP or by hash, colours, edges and OCR."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from deadpan.base.errors import InputError
from deadpan.base.files import cache_folder, write_bytes
from deadpan.core.questions import Question
from deadpan.engine.fewshot.demonstration import Pool, pictures_of
from deadpan.media.images import read_image
from deadpan.media.media_files import content_sha256
from deadpan.media.ocr import read_text
from deadpan.metrics.encoders import SentenceEncoder, Vectors, lexical_encoder, sentence_encoder
from deadpan.metrics.neural import checked_device, library, loading, locate_model

TEXT_MODELS = {"bge": "BAAI/bge-large-zh-v1.5", "minilm": "minilm"}
IMAGE_MODELS = {"clip": "openai/clip-vit-base-patch32"}
"""Short names; every other name is a resource, a folder or a name on the hub."""

PLAIN, NONE = "plain", "none"
"""The embedded image encoder without OCR, and no image encoder at all."""

_IMAGE_SHARE = 0.5
_WORDS_WIDTH = 512
_CLIP_MEAN = (0.48145466, 0.4578275, 0.40821073)
_CLIP_DEVIATION = (0.26862954, 0.26130258, 0.27577711)
_AT_ONCE = 32
_FEW = 16
"""Pictures below which no bar is shown."""


@dataclass(frozen=True, eq=False)
class ImageEncoder:
    """Pictures to unit vectors, one row each, by a function that is asked only for pictures that
    were not seen before, here or in an earlier run; `name` tells which, down to its weights."""

    name: str
    make: Callable[[Sequence[Path]], Vectors]
    at_once: int = _AT_ONCE
    """Pictures that are encoded, and then kept, together."""

    def encode(self, pictures: Sequence[Path]) -> Vectors:
        """One unit row per picture; no picture raises ValueError."""
        folder = cache_folder("embeddings") / hashlib.sha256(self.name.encode()).hexdigest()[:24]
        places = {path: folder / f"{content_sha256(path, 'picture')}.npy" for path in pictures}
        known = {place: row for place in places.values() if (row := _read(place)) is not None}
        missing = {place: path for path, place in places.items() if place not in known}
        pending = list(missing.items())
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        quiet = len(pending) < _FEW
        with Progress(*columns, console=Console(stderr=True), disable=quiet) as bars:
            bar = bars.add_task("encoding pictures", total=len(pending))
            for start in range(0, len(pending), self.at_once):
                part = pending[start : start + self.at_once]
                rows = self.make([path for _, path in part])
                for (place, _), row in zip(part, rows, strict=True):
                    known[place] = row
                    _keep(place, row)
                bars.advance(bar, len(part))
        return np.stack([known[places[path]] for path in pictures])


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
    with suppress(InputError):
        write_bytes(place, stream.getvalue())


@dataclass(frozen=True, eq=False)
class JointEncoder:
    """Text and image side by side: the cosine of two questions is the mean of both cosines."""

    text: SentenceEncoder
    image: ImageEncoder | None

    @property
    def name(self) -> str:
        """Which encoders, joined how."""
        image = f"+{self.image.name}@{_IMAGE_SHARE:g}" if self.image else ""
        return f"{self.text.name}{image}"

    def encode(self, questions: Sequence[Question], pool: Pool) -> Vectors:
        """One unit row per question; a side that it lacks is 0, one that lacks both raises."""
        if not questions:
            raise ValueError("no questions")
        rows = self._texts([pool.words(question) for question in questions])
        if self.image is not None:
            shares = np.sqrt([1 - _IMAGE_SHARE, _IMAGE_SHARE]).astype(np.float32)
            shown = self._pictures(questions, self.image)
            rows = np.concatenate([shares[0] * rows, shares[1] * shown], axis=1)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not lengths.all():
            item = questions[int(np.argmin(lengths))].item
            raise InputError(item, "has nothing to be compared by", "Name an image encoder.")
        return np.asarray(rows / lengths, np.float32)

    def _texts(self, words: Sequence[str]) -> Vectors:
        said = [row for row, text in enumerate(words) if text]
        # Where no question says anything, any text tells how wide a row is.
        vectors = self.text.encode([words[row] for row in said] or ["-"])
        rows = np.zeros((len(words), vectors.shape[1]), np.float32)
        if said:
            rows[said] = vectors
        return rows

    def _pictures(self, questions: Sequence[Question], image: ImageEncoder) -> Vectors:
        """The mean over a question's pictures, or over the frames that came with its clip."""
        seen = [pictures_of(question) for question in questions]
        flat = list(dict.fromkeys(path for shown in seen for path in shown))
        if not flat:
            raise InputError(questions[0].item, "has no picture", "Use image=none.")
        encoded = image.encode([Path(path) for path in flat])
        vectors = dict(zip(flat, encoded, strict=True))
        rows = np.zeros((len(questions), encoded.shape[1]), np.float32)
        for row, shown in enumerate(seen):
            if shown:
                mean = np.mean([vectors[path] for path in shown], axis=0)
                rows[row] = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return rows


def joint_encoder(text: str | None, image: str | None, pictured: bool) -> JointEncoder:
    """The encoder of these names; None is the embedded one, by text alone without pictures."""
    words = lexical_encoder() if text is None else sentence_encoder(TEXT_MODELS.get(text, text))
    if image == NONE or (image is None and not pictured):
        return JointEncoder(words, None)
    if image is None or image == PLAIN:
        return JointEncoder(words, embedded_encoder(ocr=False if image == PLAIN else None))
    return JointEncoder(words, clip_encoder(IMAGE_MODELS.get(image, image)))


def embedded_encoder(ocr: bool | None = None) -> ImageEncoder:
    """Looks and words of a picture, without a model: words where OCR is installed, or as told."""
    reads = bool(find_spec("rapidocr") and find_spec("onnxruntime")) if ocr is None else ocr
    name = f"looks-1{'+ocr' if reads else ''}"
    return ImageEncoder(name, lambda paths: np.stack([_looks(path, reads) for path in paths]), 1)


def clip_encoder(name: str) -> ImageEncoder:
    """CLIP's image side by resource, folder or hub name; vectors are cached."""
    transformers = library("transformers")
    place, identity = locate_model(name)
    with loading(name):
        network = transformers.CLIPVisionModelWithProjection.from_pretrained(place)
    device = checked_device(None)
    network = network.eval().to(device)

    def vectors(pictures: Sequence[Path]) -> Vectors:
        pixels = np.stack([_clip_pixels(path, int(network.config.image_size)) for path in pictures])
        torch = library("torch")
        with torch.inference_mode():
            found = network(pixel_values=torch.from_numpy(pixels).to(device))
        rows: Vectors = found.image_embeds.float().cpu().numpy()
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)

    return ImageEncoder(identity, vectors)


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


def _looks(path: Path, ocr: bool) -> Vectors:
    """Perceptual hash, colour histogram, directions of edges and words, each of equal weight."""
    image = read_image(path)
    parts = [_hash_signs(image), _colours(image), _edges(image), *([_words(path)] if ocr else [])]
    return _unit(np.concatenate([_unit(part) for part in parts])).astype(np.float32)


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
    return np.asarray((cells / (lengths + 1)).ravel(), np.float32)


def _words(path: Path) -> Vectors:
    """The n-grams of the text in the picture, folded; 0 where nothing can be read in it."""
    said = " ".join(box.text for box in read_text(path)).strip()
    if not said:
        return np.zeros(_WORDS_WIDTH, np.float32)
    folded: Vectors = lexical_encoder().encode([said])[0].reshape(-1, _WORDS_WIDTH).sum(0)
    return folded


def _unit(vector: Vectors) -> Vectors:
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else vector
