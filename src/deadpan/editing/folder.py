"""The editor whose work is done: already edited pictures lie in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import contained, is_folder
from deadpan.core.editor import Edited, Instruction, NotEdited
from deadpan.editing.received import received
from deadpan.media.images import MOST_BYTES, read_image
from deadpan.media.media_files import is_media, read_media

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"})
"""The endings of files taken for pictures, in lower case."""


@dataclass(frozen=True)
class FolderEditor:
    """Finds the edited picture by the source's file name, else by its name without the ending."""

    folder: Path

    def __post_init__(self) -> None:
        if not is_folder(self.folder):
            what = "no such folder of edited pictures"
            raise InputError(self.folder, what, "Expected folder:PATH with one picture a meme.")

    @property
    def name(self) -> str:
        """`folder:` and the path."""
        return f"folder:{self.folder}"

    def edit(self, instruction: Instruction) -> Edited:
        """The picture that lies there, at the size it has; none, or several, raises NotEdited."""
        size = read_image(instruction.source).size
        path = self.edited_file(instruction.source)
        if not contained(path, self.folder):
            raise NotEdited(f"{path} leads out of the folder; put the picture itself there")
        try:
            data = read_media(path, "picture", MOST_BYTES)
        except InputError as error:
            raise NotEdited(str(error)) from error
        return received(data, str(path), size)

    def edited_file(self, source: Path) -> Path:
        """Where the edit of a source lies; raises NotEdited where that is not one file."""
        same = self.folder / source.name
        if is_media(same):
            return same
        found = sorted(path for path in self._pictures() if path.stem == source.stem)
        if len(found) == 1:
            return found[0]
        if not found:
            raise NotEdited(f"{self.folder} has no picture named {source.name} or {source.stem}.*")
        names = ", ".join(path.name for path in found)
        raise NotEdited(f"{self.folder} has several pictures for {source.name}: {names}; keep one")

    def _pictures(self) -> list[Path]:
        try:
            files = list(self.folder.iterdir())
        except OSError as error:
            what = f"cannot be read ({error.strerror})"
            raise InputError(self.folder, what, "Check the path.") from error
        return [path for path in files if path.suffix.lower() in PICTURES and path.is_file()]
