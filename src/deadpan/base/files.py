"""Files read and written so that a wrong encoding, a full disk or a crash is told, not hidden."""

from __future__ import annotations

import codecs
import errno
import glob
import hashlib
import os
import re
import secrets
import stat
from pathlib import Path, PurePath

from platformdirs import user_cache_dir

from deadpan.base.errors import InputError, NotWritten

_LONGEST_NAME = 255
"""Bytes that file systems take in one name."""


def folder_name(text: str) -> str:
    """The text as one folder's name: letters and digits of all scripts, dots and dashes."""
    return re.sub(r"[^\w.-]+", "-", text)


def is_within(path: Path, folder: Path) -> bool:
    """Whether a path of a data folder is still in that folder once links are followed.

    Links come with data from strangers, and what they lead to is shown to models: one that ends
    elsewhere, or runs in circles, is not contained. The one exception are the blobs of a Hugging
    Face cache, where the data folder is a snapshot in that cache. The folder may be a link itself.
    """
    try:
        real, root = path.resolve(), folder.resolve()
        # From Python 3.13 on circles are left as they are instead of raising.
        if any(map(os.path.islink, (real, *real.parents))):
            return False
    except (OSError, RuntimeError, ValueError):
        return False
    snapshots = [one.parent for one in (root, *root.parents) if one.parent.name == "snapshots"]
    blobs = [one.with_name("blobs") for one in snapshots]
    return any(real.is_relative_to(place) for place in (root, *blobs))


def is_file(path: Path) -> bool:
    """Whether a plain file is there; what cannot be looked at (names too long, links in circles,
    folders that are closed to us) raises."""
    state = _state(path)
    return state is not None and stat.S_ISREG(state.st_mode)


def is_folder(path: Path) -> bool:
    """Whether a folder is there; what cannot be looked at raises."""
    state = _state(path)
    return state is not None and stat.S_ISDIR(state.st_mode)


def is_there(path: Path) -> bool:
    """Whether anything is there; what cannot be looked at raises."""
    return _state(path) is not None


def require_file(path: Path, fix: str = "Check the path.") -> None:
    """Raises where no plain file is there, and says what is there instead."""
    if not is_there(path):
        raise InputError(path, "no such file", fix)
    if is_folder(path):
        raise InputError(path, "is a folder; expected a file", fix)
    if not is_file(path):
        raise InputError(path, "is no plain file", fix)


def _state(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", _advice(error)) from None
    except ValueError:  # a NUL byte in the name
        raise InputError(path, "is no name of a file", "Check the path.") from None


def _advice(error: OSError) -> str:
    """What to do about something that cannot be read."""
    is_refused = error.errno in (errno.EACCES, errno.EPERM)
    return "Check who may read it, and the folders above it." if is_refused else "Check the path."


def list_folder(folder: Path) -> list[Path]:
    """What a folder holds, by name; one that cannot be read raises."""
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise InputError(folder, f"cannot be read ({error.strerror})", _advice(error)) from None


def fits_file_system(path: PurePath) -> bool:
    """Whether each part of a path is short enough to be the name of a file."""
    return all(len(os.fsencode(part)) <= _LONGEST_NAME for part in path.parts)


def read_bytes(path: Path) -> bytes:
    """The file's bytes. What is no plain file (a folder, a pipe, a device), or cannot be read,
    raises; nothing is waited for."""
    try:
        # Opening a pipe that nobody writes to would wait for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(handle, "rb") as stream:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise InputError(path, "is no plain file", "Give the path of a file.")
            return stream.read()
    except FileNotFoundError:
        raise InputError(path, "no such file", "Check the path.") from None
    except IsADirectoryError:
        raise InputError(path, "is a folder; expected a file", "Check the path.") from None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", _advice(error)) from error
    except ValueError:  # a NUL byte in the name
        raise InputError(path, "is no name of a file", "Check the path.") from None


def read_text(path: Path, if_empty: str = "Fetch, export or write it again.") -> str:
    """The file's text, UTF-8 with or without a byte-order mark; empty and undecodable raise, and
    so do NUL bytes, which no text holds. `if_empty` is what to do about an empty one."""
    data = read_bytes(path)
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise InputError(path, "the file is empty", if_empty)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"byte 0x{data[error.start]:02x} is not UTF-8"
        marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        encoding = "UTF-16" if marked else "GB18030"
        fix = f"Save the file as UTF-8 (for example: iconv -f {encoding} -t UTF-8)."
        raise InputError(f"{path}:{line}", what, fix) from None
    if (nul := text.find("\0")) >= 0:
        line = text.count("\n", 0, nul) + 1
        fix = "Save the file as UTF-8 text, or fetch it again."
        raise InputError(f"{path}:{line}", "holds a NUL byte", fix)
    return text


def write_bytes(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Writes a file whole or not at all: temporary file, fsync, rename. One that is killed in the
    midst leaves one of its `leftovers`. `mode` says who may read it, within the umask. What is no
    plain file (a pipe, /dev/stdout) is written to as it is; a folder raises."""
    temporary: Path | None = None
    try:
        if _is_stream(path):
            _write_into(path, data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        made = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        temporary = made
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
        temporary = None
    except FileExistsError as error:
        what = f"cannot be written ({path.parent} is no folder)"
        raise NotWritten(path, what, "Choose another place.") from error
    except OSError as error:
        fix = "Free some space or choose another place"
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            fix = "Choose a place that can be written"
        elif error.errno in (errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP):
            fix = "Choose another place"
        what = f"cannot be written ({error.strerror})"
        raise NotWritten(path, what, f"{fix}; what was there before is untouched.") from error
    except ValueError:  # a NUL byte in the name
        raise NotWritten(path, "is no name of a file", "Choose another place.") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _is_stream(path: Path) -> bool:
    """Whether a pipe, a terminal or another device is there, which no file may replace."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _write_into(path: Path, data: bytes) -> None:
    # Opening a pipe that nobody reads would wait for ever; once it is open, readers may be slow.
    handle = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(handle, True)
    with open(handle, "wb") as stream:
        stream.write(data)


def write_text(path: Path, text: str) -> None:
    """`write_bytes` for text, as UTF-8; lone surrogates are written as question marks."""
    write_bytes(path, text.encode("utf-8", "replace"))


def leftovers(path: Path) -> list[Path]:
    """What processes that were killed while they wrote this file left beside it."""
    return list(path.parent.glob(f".{glob.escape(path.name)}.{'[a-z0-9_]' * 8}"))


def sha256_of(path: Path) -> str | None:
    """The hexadecimal SHA-256 of a file; None when there is no readable file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def cache_folder(purpose: str) -> Path:
    """The folder for one purpose: under $DEADPAN_CACHE, else under the user's cache."""
    root = os.environ.get("DEADPAN_CACHE") or user_cache_dir("deadpan")
    return Path(root) / purpose
