"""What turns one meme into another, found by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.editors import Edited, Editor

# Those that also draw from words alone.
MODELS = ("openai-images/MODEL", "google-images/MODEL", "diffusers/NAME-OR-FOLDER")
EDITOR = "editor/"  # how the name of an editor begins where a model's is expected
NAMES = ("caption", "folder:PATH", *MODELS, "flawed-layout", "flawed-text")


class Illustrator(Protocol):
    """What draws a picture from a prompt."""

    @property
    def name(self) -> str:
        """The name it is found by, part of signatures."""

    def draw(self, prompt: str) -> Edited:
        """The picture and what was odd about making it; raises NotEdited where there is none."""


RECIPE = 2
"""Raised when our own editors make another picture of the same source and plan."""


class _Model(Editor, Illustrator, Protocol):
    """What edits and draws."""


def find_editor(name: str) -> Editor:
    """The editor of that name; an unknown one raises an error that says which there are."""
    from deadpan.editing.caption import CaptionEditor, FlawedLayout, FlawedText
    from deadpan.editing.received import FolderEditor

    for embedded in (CaptionEditor(), FlawedLayout(), FlawedText()):
        if embedded.name == name:
            return embedded
    if name.startswith("folder:") and name != "folder:":
        return FolderEditor(Path(name.removeprefix("folder:")))
    if found := _find_model(name):
        return found
    raise DeadpanError(
        f'no editor "{name}"; expected one of {", ".join(NAMES)}{meant(name, NAMES)}'
    )


def find_illustrator(name: str) -> Illustrator:
    """The illustrator of that name; an unknown one raises an error that says which there are."""
    found = _find_model(name)
    if found is None:
        raise DeadpanError(f'no illustrator "{name}"; expected one of {", ".join(MODELS)}')
    return found


def _find_model(name: str) -> _Model | None:
    """The model behind a service or pipeline, which edits and draws; None for other names."""
    from deadpan.editing.diffusion import DiffusionModel
    from deadpan.editing.image_services import GoogleImages, OpenAIImages

    kind, _, model = name.partition("/")
    kinds: dict[str, Callable[[str], _Model]] = {
        "diffusers": DiffusionModel,
        OpenAIImages.kind: OpenAIImages.from_environment,
        GoogleImages.kind: GoogleImages.from_environment,
    }
    return kinds[kind](model) if model and kind in kinds else None
