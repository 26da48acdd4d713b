"""Pictures and videos by the checksum of what they hold: no address says where a file lies.

Only what a page names can be asked for, and only where it is one of ours or lies in a folder that
the user named; what a table of a stranger names elsewhere on this machine is not even looked at.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import sha256_of
from deadpan.media.images import open_image
from deadpan.reports.pictures import LONGEST_NAME, may_be_shown, small_picture

_PICTURES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}
_VIDEOS = {
    b"ftyp": (4, "video/mp4"),
    b"\x1a\x45\xdf\xa3": (0, "video/webm"),
}
"""How a video file begins, and where, by its kind."""


class Media:
    """The files that pages have named so far."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._paths: dict[str, Path] = {}
        self._lock = threading.Lock()

    def name(self, path: str | None) -> str:
        """The checksum of a file that may be shown, under which it can be asked for from now on;
        nothing of any other."""
        if not path or not may_be_shown(Path(path), self._folders):
            return ""
        try:
            state = Path(path).stat()
        except (OSError, ValueError):
            return ""
        found = _checksum(path, state.st_size, state.st_mtime_ns)
        if found:
            with self._lock:
                self._paths[found] = Path(path)
        return found

    def missing(self, path: str | None) -> str:
        """Why there is no picture."""
        if not path:
            return "No picture was recorded."
        name = Path(path).name[:LONGEST_NAME]
        if not may_be_shown(Path(path), self._folders):
            return f"The picture {name} is not in a folder named with --pictures."
        return f"The picture {name} is not there any more."

    def path(self, checksum: str) -> Path:
        """The file of a checksum; one that no page named raises."""
        with self._lock:
            path = self._paths.get(checksum)
        if path is None or not may_be_shown(path, self._folders):
            raise DeadpanError("no such picture")
        return path

    def small(self, checksum: str) -> bytes:
        """A picture as a small WebP; one that cannot be read raises."""
        return _small(str(self.path(checksum)), checksum, self._folders)

    def kind(self, checksum: str) -> str:
        """The content type of a file, by what it holds; one that is neither picture nor video
        raises."""
        path = self.path(checksum)
        if found := video_kind(path):
            return found
        try:
            with open_image(path) as image:
                return _PICTURES[image.format or ""]
        except (InputError, KeyError):
            raise DeadpanError("no picture that a browser shows") from None


def video_kind(path: Path) -> str:
    """The content type of a video, by how the file begins; nothing of any other."""
    try:
        with path.open("rb") as stream:
            start = stream.read(16)
    except OSError:
        return ""
    for mark, (at, kind) in _VIDEOS.items():
        if start[at : at + len(mark)] == mark:
            return kind
    return ""


@lru_cache(maxsize=4096)
def _checksum(path: str, size: int, changed: int) -> str:
    return sha256_of(Path(path)) or ""


@lru_cache(maxsize=256)
def _small(path: str, checksum: str, folders: tuple[Path, ...]) -> bytes:
    made = small_picture(path, folders)
    if not made.uri:
        raise DeadpanError(made.note)
    return base64.b64decode(made.uri.partition(",")[2])
