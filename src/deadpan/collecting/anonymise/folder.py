"""The folder of the output, which appears whole or not at all; what killed calls left goes."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_there

FIXED_TIME = 946_684_800  # 2000-01-01 00:00 UTC: what every file of the output says of its age


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder that becomes `out` at the end, and vanishes on an error or when it is empty."""
    folder = out.parent / f".{out.name}.{secrets.token_hex(4)}"
    old = folder.with_name(f"{folder.name}.old")
    lock = None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(out)
        folder.mkdir()
        lock = _locked(folder)
        yield folder
        written = list(folder.iterdir())
        for path in [*written, folder]:
            os.utime(path, (FIXED_TIME, FIXED_TIME))
        if is_there(out) and any(out.iterdir()):
            os.replace(out, old)
        if written:
            os.replace(folder, out)
    except OSError as error:
        if is_there(old) and not is_there(out):
            os.replace(old, out)
        fix = "Free some space or choose another place; nothing was written."
        raise InputError(out, f"cannot be written ({error.strerror})", fix) from error
    finally:
        if lock is not None:
            os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _remove_stale(out: Path) -> None:
    """Removes what killed calls left beside the output: folders that no process holds. An output
    that was just to be replaced comes back."""
    name = re.compile(rf"\.{re.escape(out.name)}\.[0-9a-f]{{8}}(?P<old>\.old)?")
    for path in list(out.parent.iterdir()):
        found = name.fullmatch(path.name)
        if found is None or path.is_symlink() or not path.is_dir():
            continue
        held = path.with_name(path.name.removesuffix(".old"))
        lock = _locked(held) if held.is_dir() else None
        if held.is_dir() and lock is None:
            continue
        if found["old"] and not is_there(out):
            os.replace(path, out)
        else:
            shutil.rmtree(path, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _locked(folder: Path) -> int | None:
    """The handle that holds a folder; None where another process does."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held, or a file system without locks, where nothing is taken for stale
        os.close(handle)
        return None
    return handle
