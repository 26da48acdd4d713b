"""What draws a picture from words alone, found by name: services and diffusers pipelines."""

from __future__ import annotations

from typing import Protocol

from deadpan.base.errors import DeadpanError
from deadpan.core.editor import Edited
from deadpan.editing import MODELS, find_model


class Illustrator(Protocol):
    """What draws a picture from a prompt."""

    @property
    def name(self) -> str:
        """The name it is found by, part of signatures."""

    def draw(self, prompt: str) -> Edited:
        """The picture and what was odd about making it; raises NotEdited where there is none."""


def find_illustrator(name: str) -> Illustrator:
    """The illustrator of that name; an unknown one raises an error that says which there are."""
    found = find_model(name)
    if found is None:
        raise DeadpanError(f'no illustrator "{name}"; expected one of {", ".join(MODELS)}')
    return found
