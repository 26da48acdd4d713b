"""A release written: whole or not at all, and over nothing that is not a release of ours."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_there, is_within, read_text, sha256_of, write_text
from deadpan.collecting.anonymise.folder import new_folder
from deadpan.curate.release.croissant import FILE as CROISSANT
from deadpan.curate.release.croissant import ReleasedFile, require_valid, sums

SUMS = "SHA256SUMS"
_AT_ONCE = 8
_KEEP = "Move it away, or name another folder; the release is written anew then."


def write_folder(
    folder: Path, texts: Mapping[str, str | bytes], media: Mapping[str, Path]
) -> list[Path]:
    """Writes texts, pictures and media under their names, `SHA256SUMS` of all last, and gives their
    paths. A description in Croissant that is not valid raises, and nothing is written."""
    require_replaceable(folder)
    with new_folder(folder) as made:
        for name, content in texts.items():
            _write(made / _safe(name), content)
        copies = [(source, made / _safe(name)) for name, source in media.items()]
        with ThreadPoolExecutor(_AT_ONCE) as pool:  # each waits for the disk
            list(pool.map(lambda one: _copy(*one), copies))
        names = sorted([*texts, *media])
        files = [named_file(name, made / name) for name in names]
        write_text(made / SUMS, sums(files))
        if CROISSANT in texts:
            require_valid(made / CROISSANT)
        for place in sorted({(made / name).parent for name in names} | {made}):
            _sync(place)
    _sync(folder.parent)
    return [folder / name for name in [*names, SUMS]]


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _copy(source: Path, target: Path) -> None:
    """Copies a file; one that is not there raises."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with source.open("rb") as stream, target.open("wb") as copy:
            shutil.copyfileobj(stream, copy)
            copy.flush()
            os.fsync(copy.fileno())
    except FileNotFoundError as error:
        what = "is not in the work folder any more"
        raise InputError(source, what, "Run the curation again from its posts.") from error


def _sync(folder: Path) -> None:
    """Has a folder's own entries written to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _safe(name: str) -> str:
    """A path inside of the release; any other raises."""
    path = PurePosixPath(name)
    if path.is_absolute() or not path.parts or ".." in path.parts or "\n" in name or "\\" in name:
        raise InputError(name, "is no path inside of a release", "Give the item a plain id.")
    return name


def named_file(name: str, path: Path) -> ReleasedFile:
    """A file under its name in a release, with size and checksum; one that is not there raises."""
    found = sha256_of(path)
    if found is None:
        raise InputError(path, "no such file", "Check the path.")
    return ReleasedFile(name, path.stat().st_size, found)


def content_file(name: str, content: str | bytes) -> ReleasedFile:
    """A file that is yet to be written, with its size and checksum."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    return ReleasedFile(name, len(data), hashlib.sha256(data).hexdigest())


def require_replaceable(folder: Path) -> None:
    """Raises unless the folder is empty, not there, or a release of ours that nobody has changed or
    put anything into."""
    if folder.is_symlink() or (is_there(folder) and not is_folder(folder)):
        raise InputError(folder, "is no folder", "Name a new folder.")
    if not is_there(folder) or not any(folder.iterdir()):
        return
    if not (folder / SUMS).is_file():
        raise InputError(folder, "is there, and is no release", _KEEP)
    known = dict(_known(folder))
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if (path.is_dir() and not path.is_symlink()) or name == SUMS:
            continue
        if name not in known:
            raise InputError(path, "did not come with the release that is there", _KEEP)
        if not is_within(path, folder) or sha256_of(path) != known[name]:
            raise InputError(path, "was changed since the release was written", _KEEP)


def _known(folder: Path) -> list[tuple[str, str]]:
    """The files of a release with their checksums."""
    lines = read_text(folder / SUMS).splitlines()
    parted = (line.partition("  ") for line in lines)
    return [(name, checksum) for checksum, _, name in parted]
