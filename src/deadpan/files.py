"""Files read and written so that a wrong encoding, a full disk or a crash is told, not hidden."""

from __future__ import annotations

import codecs
import glob
import os
import re
import tempfile
from pathlib import Path

from deadpan.errors import InputError


def folder_name(text: str) -> str:
    """The text as one folder's name: letters and digits of all scripts, dots and dashes."""
    return re.sub(r"[^\w.-]+", "-", text)


def contained(path: Path, folder: Path) -> bool:
    """Whether a path of a data folder is still in that folder once links are followed.

    Links come with data from strangers, and what they lead to is shown to models: one that ends
    elsewhere, or runs in circles, is not contained. The one exception are the blobs of a Hugging
    Face cache, where the data folder is a snapshot in that cache. The folder may be a link itself.
    """
    try:
        real, root = path.resolve(), folder.resolve()
    except (OSError, RuntimeError, ValueError):
        return False
    snapshots = [one.parent for one in (root, *root.parents) if one.parent.name == "snapshots"]
    blobs = [one.with_name("blobs") for one in snapshots]
    return any(real.is_relative_to(place) for place in (root, *blobs))


def read_text(path: Path) -> str:
    """The file's text, UTF-8 with or without a byte-order mark; empty and undecodable raise."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(path, "no such file", "Check the path.") from None
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", "Check the path.") from error
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise InputError(path, "the file is empty", "Fetch or export it again.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        raise InputError(
            f"{path}:{line}",
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            "Save the file as UTF-8 (for example: "
            f"iconv -f {'UTF-16' if marked else 'GB18030'} -t UTF-8).",
        ) from None


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all: temporary file, fsync, rename. One that is killed in the
    midst leaves one of its `leftovers`."""
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise InputError(
            path,
            f"cannot be written ({error.strerror})",
            "Free some space or choose another place; what was there before is untouched.",
        ) from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """`write_bytes` for text, as UTF-8; lone surrogates are written as question marks."""
    write_bytes(path, text.encode("utf-8", "replace"))


def leftovers(path: Path) -> list[Path]:
    """What processes that were killed while they wrote this file left beside it."""
    return list(path.parent.glob(f".{glob.escape(path.name)}.{'[a-z0-9_]' * 8}"))
