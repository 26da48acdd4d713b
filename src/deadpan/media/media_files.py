"""Picture, video and sound files opened: regular ones only, so that none blocks or never ends."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import write_bytes

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.stream import Stream

FETCH = "Fetch it again (deadpan data get), or remove it to count the item as missing."
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
# A pipe opened without this waits for somebody to write into it.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

# Playlists and the like are left out: they name other files and addresses to be read.
_FORMATS = (
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,asf,ogg,gif,apng,"
    "h264,hevc,obu,ivf,m4v,mjpeg,nut,wav,mp3,aac,flac"
)


@contextmanager
def open_media(path: Path, noun: str) -> Iterator[BufferedReader]:
    """The file opened for reading; what is missing, no regular file or unreadable raises. A link is
    followed to the file it ends in. Whether a link may be followed at all is decided where a data
    folder is read, by `deadpan.base.files.contained`."""
    try:
        _require_regular(path, os.stat(path).st_mode)
        with open(os.open(path, _FLAGS), "rb") as stream:
            _require_regular(path, os.fstat(stream.fileno()).st_mode)
            yield stream
    except (OSError, ValueError) as error:
        raise _unreadable(path, noun, error) from None


def read_media(path: Path, noun: str, most: int) -> bytes:
    """The whole of a file of at most `most` bytes; a larger one raises."""
    with open_media(path, noun) as stream:
        # No more than there is: a buffer of that size is made before anything is read.
        data = stream.read(min(os.fstat(stream.fileno()).st_size, most) + 1)
    if len(data) > most:
        what = f"the {noun} has more than {most // 1_000_000} MB"
        raise InputError(path, what, "Make it smaller.")
    return data


def content_sha256(path: Path, noun: str) -> str:
    """The file's SHA-256, read in pieces; what cannot be opened raises as `open_media` does."""
    with open_media(path, noun) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def keep_in_cache(path: Path, data: bytes) -> str | None:
    """Writes what can be made again and says where; a full or read-only cache only costs time."""
    try:
        write_bytes(path, data)
    except InputError:
        return None
    return str(path)


def is_media(path: Path) -> bool:
    """Whether a regular file is there; a name that no file system takes is no file."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def require_reader() -> None:
    """Raises where PyAV is not installed."""
    try:
        import av  # noqa: F401
    except ImportError:
        raise MissingExtra("Reading videos", "video") from None


@contextmanager
def open_container(path: Path) -> Iterator[InputContainer]:
    """The file opened for reading; what is missing, empty or no video or sound file raises."""
    require_reader()
    import av

    with open_media(path, "video") as stream:
        if not stream.read(1):
            raise InputError(path, "the file is empty", FETCH)
    try:
        container = av.open(
            f"file:{os.path.abspath(path)}",
            "r",
            options={"format_whitelist": _FORMATS, "protocol_whitelist": "file"},
            **_lenient(av.__version__),
        )
    except (av.FFmpegError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        what = f"is not a video or sound file that can be read ({reason})"
        raise InputError(path, what, FETCH) from None
    with container:
        yield container


def _lenient(version: str) -> dict[str, Any]:
    """What lets PyAV of that version open a file whose metadata are no text."""
    return {"metadata_errors": "replace"} if int(version.partition(".")[0]) < 19 else {}


def check_decoder(path: Path, stream: Stream) -> None:
    """Raises for a track in a format that libav does not know."""
    if stream.codec_context is None:
        what = f"the {stream.type} track is in a format that cannot be decoded"
        raise InputError(path, what, "Convert it to H.264 and AAC.")


def _require_regular(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "something else")
        what = f"cannot be read: it is {kind}, not a regular file"
        raise InputError(path, what, "Put the file itself there, or remove it.")


def _unreadable(path: Path, noun: str, error: OSError | ValueError) -> InputError:
    if not isinstance(error, OSError):
        return InputError(_shorten(path), f"is no file name ({error})", "Correct the name.")
    if error.errno == errno.ENAMETOOLONG:
        return InputError(_shorten(path), "the name is longer than files have", "Shorten the name.")
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        if path.is_symlink():
            return InputError(path, "is a link that leads nowhere", FETCH)
        return InputError(
            path, f"there is no such {noun}", "Put it there, or fetch it (deadpan data get)."
        )
    return InputError(path, f"cannot be read ({error.strerror})", "Check the file.")


def _shorten(path: Path) -> str:
    """A path that may be of any length, short enough to be read."""
    text = str(path)
    return text if len(text) <= 120 else f"{text[:60]}…{text[-40:]}"
