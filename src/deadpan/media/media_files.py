"""Picture, video and sound files opened: regular ones only, so that none blocks or never ends."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from io import BufferedReader
from pathlib import Path

from deadpan.base.errors import InputError

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


def open_media(path: Path, noun: str) -> BufferedReader:
    """The file opened for reading; what is missing, no regular file or unreadable raises.

    A link is followed to the file it ends in. Whether a link may be followed at all is decided
    where a data folder is read, by `deadpan.base.files.contained`.
    """
    try:
        _require_regular(path, os.stat(path).st_mode)
        handle = os.open(path, _FLAGS)
        try:
            _require_regular(path, os.fstat(handle).st_mode)
            return os.fdopen(handle, "rb")
        except BaseException:
            os.close(handle)
            raise
    except (OSError, ValueError) as error:
        raise _unreadable(path, noun, error) from None


def read_media(path: Path, noun: str, most: int) -> bytes:
    """The whole of a file of at most `most` bytes; a larger one raises."""
    with open_media(path, noun) as stream:
        try:
            # No more than there is: a buffer of that size is made before anything is read.
            data = stream.read(min(os.fstat(stream.fileno()).st_size, most) + 1)
        except OSError as error:
            raise _unreadable(path, noun, error) from None
    if len(data) > most:
        what = f"the {noun} has more than {most // 1_000_000} MB"
        raise InputError(path, what, "Make it smaller.")
    return data


def content_sha256(path: Path, noun: str) -> str:
    """The file's SHA-256, read in pieces; what cannot be opened raises as `open_media` does."""
    with open_media(path, noun) as stream:
        try:
            return hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise _unreadable(path, noun, error) from None


def is_media(path: Path) -> bool:
    """Whether a regular file is there; a name that no file system takes is no file."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _require_regular(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "something else")
        what = f"cannot be read: it is {kind}, not a regular file"
        raise InputError(path, what, "Put the file itself there, or remove it.")


def _unreadable(path: Path, noun: str, error: OSError | ValueError) -> InputError:
    if not isinstance(error, OSError):
        return InputError(_cut(path), f"is no file name ({error})", "Correct the name.")
    if error.errno == errno.ENAMETOOLONG:
        return InputError(_cut(path), "the name is longer than files have", "Shorten the name.")
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        if path.is_symlink():
            return InputError(path, "is a link that leads nowhere", FETCH)
        return InputError(
            path, f"there is no such {noun}", "Put it there, or fetch it (deadpan data get)."
        )
    return InputError(path, f"cannot be read ({error.strerror})", "Check the file.")


def _cut(path: Path) -> str:
    """A path that may be of any length, short enough to be read."""
    text = str(path)
    return text if len(text) <= 120 else f"{text[:60]}…{text[-40:]}"
