"""What turns one picture into another: what it is told, what it makes, and who makes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PIL import Image

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Language


@dataclass(frozen=True)
class Instruction:
    """A meme and what should become of it. `captions` has one text per caption region in reading
    order, or a single text that the editor spreads over the regions it finds."""

    source: Path
    captions: tuple[str, ...]
    old_caption: str | None = None
    emotion: str | None = None
    target: str | None = None
    specification: str = ""
    language: Language = "en"


@dataclass(frozen=True)
class Edited:
    """An edited picture in RGB, of the source's size, and what was odd about making it."""

    image: Image.Image
    notes: tuple[str, ...] = ()


class NotEdited(DeadpanError):
    """An editor could not edit this meme; the message says why and what to do."""


class Editor(Protocol):
    """What turns one meme into another."""

    @property
    def name(self) -> str:
        """The name it is found by, part of signatures."""

    def edit(self, instruction: Instruction) -> Edited:
        """The edited meme; raises NotEdited where there is none, InputError for a bad picture."""
