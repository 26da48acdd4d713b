"""What draws a picture from words alone, found by name: services and diffusers pipelines."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any, Protocol

from deadpan.base.errors import DeadpanError
from deadpan.core.editor import Edited
from deadpan.editing.diffusion import drawing_pipeline, made_by
from deadpan.editing.google_images import google_images
from deadpan.editing.openai_images import openai_images

NAMES = ("openai-images/MODEL", "google-images/MODEL", "diffusers/NAME-OR-FOLDER")


class Illustrator(Protocol):
    """What draws a picture from a prompt."""

    @property
    def name(self) -> str:
        """The name it is found by, part of signatures."""

    def draw(self, prompt: str) -> Edited:
        """The picture and what was odd about making it; raises NotEdited where there is none."""


@dataclass(eq=False)
class DiffusionIllustrator:
    """Draws with a text-to-image pipeline at the size it was made for, always from one seed."""

    model: str
    steps: int | None = None
    seed: int = 0
    _pipeline: Any = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """`diffusers/` and the pipeline."""
        return f"diffusers/{self.model}"

    def draw(self, prompt: str) -> Edited:
        """The picture; what the pipeline's own safety checker blacks out raises Refused."""
        with self._lock:
            if self._pipeline is None:
                self._pipeline = drawing_pipeline(self.model)
            return Edited(*made_by(self._pipeline, self.name, prompt, self.seed, self.steps))


def find_illustrator(name: str) -> Illustrator:
    """The illustrator of that name; an unknown one raises an error that says which there are."""
    kind, _, model = name.partition("/")
    if model and kind == "openai-images":
        return openai_images(model)
    if model and kind == "google-images":
        return google_images(model)
    if model and kind == "diffusers":
        return DiffusionIllustrator(model)
    raise DeadpanError(f'no illustrator "{name}"; expected one of {", ".join(NAMES)}')
