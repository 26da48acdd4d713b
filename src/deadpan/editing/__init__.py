"""What turns one meme into another, found by name."""

from __future__ import annotations

from pathlib import Path

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.editor import Edited, Editor, Instruction, NotEdited

__all__ = ["NAMES", "Edited", "Editor", "Instruction", "NotEdited", "find_editor"]

NAMES = (
    "caption",
    "folder:PATH",
    "openai-images/MODEL",
    "google-images/MODEL",
    "diffusers/NAME-OR-FOLDER",
    "flawed-layout",
    "flawed-text",
)


def find_editor(name: str) -> Editor:
    """The editor of that name; an unknown one raises an error that says which there are."""
    found = _embedded(name) or _with_setting(name)
    if found is None:
        raise DeadpanError(
            f'no editor "{name}"; expected one of {", ".join(NAMES)}{meant(name, NAMES)}'
        )
    return found


def _embedded(name: str) -> Editor | None:
    """An editor that needs nothing but its name; None for other names."""
    if name == "caption":
        from deadpan.editing.caption import CaptionEditor

        return CaptionEditor()
    if name in ("flawed-layout", "flawed-text"):
        from deadpan.editing.flawed import FlawedLayout, FlawedText

        return FlawedLayout() if name == "flawed-layout" else FlawedText()
    return None


def _with_setting(name: str) -> Editor | None:
    """An editor whose name goes on with a folder or a model; None for other names."""
    if name.startswith("folder:") and name != "folder:":
        from deadpan.editing.folder import FolderEditor

        return FolderEditor(Path(name.removeprefix("folder:")))
    kind, _, model = name.partition("/")
    if not model:
        return None
    if kind == "openai-images":
        from deadpan.editing.openai_images import openai_images

        return openai_images(model)
    if kind == "google-images":
        from deadpan.editing.google_images import google_images

        return google_images(model)
    if kind == "diffusers":
        from deadpan.editing.diffusion import DiffusionEditor

        return DiffusionEditor(model)
    return None
