"""Questions to unit vectors: what they say and what they show, joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from deadpan.base.errors import InputError
from deadpan.core.questions import Question
from deadpan.engine.fewshot.demonstration import Pool, paths
from deadpan.engine.fewshot.pictures import ImageEncoder, clip_encoder, embedded_encoder
from deadpan.metrics.encoders import SentenceEncoder, Vectors, lexical_encoder, sentence_encoder

TEXT_MODELS = {"bge": "BAAI/bge-large-zh-v1.5", "minilm": "minilm"}
IMAGE_MODELS = {"clip": "openai/clip-vit-base-patch32"}
"""Short names; every other name is a resource, a folder or a name on the hub."""

PLAIN, NONE = "plain", "none"
"""The embedded image encoder without OCR, and no image encoder at all."""


@dataclass(frozen=True, eq=False)
class JointEncoder:
    """Text and image side by side: the cosine of two questions is the mean of both cosines."""

    text: SentenceEncoder
    image: ImageEncoder | None
    image_share: float = 0.5

    @property
    def name(self) -> str:
        """Which encoders, joined how."""
        if self.image is None:
            return self.text.name
        return f"{self.text.name}+{self.image.name}@{self.image_share:g}"

    def encode(self, questions: Sequence[Question], pool: Pool) -> Vectors:
        """One unit row per question. A side that a question lacks is 0; one with neither words of
        its own nor pictures raises."""
        if not questions:
            raise ValueError("no questions")
        rows = self._texts([pool.words(question) for question in questions])
        if self.image is not None:
            shares = np.sqrt([1 - self.image_share, self.image_share]).astype(np.float32)
            shown = self._pictures(questions, self.image)
            rows = np.concatenate([shares[0] * rows, shares[1] * shown], axis=1)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not lengths.all():
            item = questions[int(np.argmin(lengths))].item
            raise InputError(item, "has nothing to be compared by", "Name an image encoder.")
        unit: Vectors = rows / lengths
        return unit.astype(np.float32)

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
        seen = [[Path(path) for path in _pictures(question)] for question in questions]
        flat = list(dict.fromkeys(path for shown in seen for path in shown))
        if not flat:
            raise InputError(questions[0].item, "has no picture", "Use image=none.")
        vectors = dict(zip(flat, image.encode(flat), strict=True))
        rows = np.zeros((len(questions), len(next(iter(vectors.values())))), np.float32)
        for row, shown in enumerate(seen):
            if shown:
                mean = np.mean([vectors[path] for path in shown], axis=0)
                rows[row] = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return rows


def joint_encoder(text: str | None, image: str | None, pictured: bool) -> JointEncoder:
    """The encoder of these names; None is the embedded one. Questions without pictures, as
    `pictured` tells, are compared by text alone."""
    words = lexical_encoder() if text is None else sentence_encoder(TEXT_MODELS.get(text, text))
    if image == NONE or (image is None and not pictured):
        return JointEncoder(words, None)
    if image is None or image == PLAIN:
        return JointEncoder(words, embedded_encoder(ocr=False if image == PLAIN else None))
    return JointEncoder(words, clip_encoder(IMAGE_MODELS.get(image, image)))


def is_pictured(pool: Pool) -> bool:
    """Whether the pool's questions show pictures that can be compared."""
    return any(_pictures(one.question) for one in pool.demonstrations)


def _pictures(question: Question) -> list[str]:
    clip = question.clip
    return paths(question) if clip is None else list(clip.frames)
