"""Resources on this machine: under the cache, each version whole or not at all."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import cache_folder
from deadpan.base.resources.entries import Hub, Resource, catalogue, find


class Unavailable(DeadpanError):
    """A lexicon or model is not on this machine; the message says how to get it."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"unavailable: {what}; {remedy}")


def place(resource: Resource) -> Path:
    """The folder that holds the resource once it is there."""
    return cache_folder("resources") / resource.name / resource.version


def is_present(resource: Resource) -> bool:
    """Whether all its files are there, by name and, where known, by size."""
    folder = place(resource)
    if isinstance(resource.source, Hub):
        return all((folder / name).is_file() for name in resource.source.needs)
    sizes = {folder / name: file.size for name, file in resource.files.items()}
    return all(path.is_file() and path.stat().st_size == size for path, size in sizes.items())


def is_sound(resource: Resource) -> bool:
    """Whether it is present and, where checksums are known, every file still has its own."""
    folder = place(resource)
    return is_present(resource) and all(
        sha256_of(folder / name) == file.sha256 for name, file in resource.files.items()
    )


def size_on_disk(resource: Resource) -> int | None:
    """Bytes it takes here; None where it is not present."""
    if not is_present(resource):
        return None
    return sum(path.stat().st_size for path in place(resource).rglob("*") if path.is_file())


def path_of(name: str) -> Path:
    """Where a resource lies: its file, or its folder; what is not there raises `Unavailable`.

    A name that is none of ours and leads to a file or folder is that file or folder.
    """
    if name not in {resource.name for resource in catalogue()}:
        path = _existing(name)
        if path is not None:
            return path
        known = ", ".join(resource.name for resource in catalogue())
        raise Unavailable(
            f"no resource, file or folder is called {name!r}",
            f"name a folder on this machine or one of: {known}",
        )
    resource = find(name)
    if not is_present(resource):
        raise Unavailable(
            f"{name} {resource.version} ({resource.purpose}) is not on this machine",
            f"get it with: deadpan resources get {name}",
        )
    if resource.shape == "folder":
        return place(resource)
    (file,) = resource.files
    return place(resource) / file


@contextmanager
def staging_folder(final: Path) -> Iterator[Path]:
    """An empty folder that takes the place of `final` when the block ends, or leaves no trace."""
    with writing(final):
        final.parent.mkdir(parents=True, exist_ok=True)
        staging = final.with_name(f".{final.name}.{secrets.token_hex(4)}")
        staging.mkdir()
    try:
        yield staging
        with writing(final):
            publish(staging, final)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def publish(folder: Path, final: Path) -> None:
    """Moves a finished folder to its place; what lay there before goes only then."""
    try:
        folder.replace(final)
    except OSError:
        if not final.exists():
            raise
        old = Path(tempfile.mkdtemp(dir=final.parent, prefix=f".{final.name}.old."))
        final.replace(old / final.name)
        folder.replace(final)
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def writing(place: Path, setting: str = "DEADPAN_CACHE") -> Iterator[None]:
    """Tells a full disk or a forbidden place, and which setting leads to another one."""
    try:
        yield
    except OSError as error:
        raise InputError(
            place,
            f"cannot be written ({error.strerror or error})",
            f"Free some space, or set {setting} to another folder; nothing half-done is kept.",
        ) from error


def sync_file(path: Path) -> None:
    """Makes a written file survive a power cut."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sha256_of(path: Path) -> str:
    """The hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _existing(name: str) -> Path | None:
    """The file or folder a name leads to; None where it leads nowhere or is no path at all."""
    try:
        path = Path(name).expanduser()
        return path if name and path.exists() else None
    except (OSError, RuntimeError, ValueError):
        return None
