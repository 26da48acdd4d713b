"""What was fetched into a data folder: from where, at which commit, each file with its checksum.
The file lies beside the data, so that later runs fetch the same and changes are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import is_there, read_text, write_text
from deadpan.base.http import utc_now
from deadpan.core.dataset import Anomaly
from deadpan.media.checksums import MISSING, file_checksums

NAME = "deadpan-data.json"
COMMIT = r"^[0-9a-f]{40}$"


class Fetched(BaseModel):
    """One file as it came."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    size: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


class Lock(BaseModel):
    """A folder's record of what was fetched into it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    benchmark: str
    source: str
    revision: str
    """As it was asked for."""
    commit: str = Field(pattern=COMMIT)
    licence: str
    updated: datetime = Field(default_factory=utc_now)
    files: dict[str, Fetched] = {}


def read_lock(folder: Path) -> Lock | None:
    """The record of a folder; None where nothing was fetched into it. A spoiled one raises."""
    path = folder / NAME
    if not is_there(path):
        return None
    try:
        return Lock.model_validate_json(read_text(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "file"
        what = f"{place}: {first['msg']}"
        fix = "Remove it: what is there is then compared with the release anew."
        raise InputError(path, what, fix) from None


def write_lock(folder: Path, lock: Lock, files: Mapping[str, Fetched]) -> Lock:
    """The record with more files, on the disk."""
    every = dict(sorted({**lock.files, **files}.items()))
    made = lock.model_copy(update={"files": every, "updated": utc_now()})
    write_text(folder / NAME, made.model_dump_json(indent=1) + "\n")
    return made


def recorded(folder: Path, names: Iterable[str]) -> dict[str, Fetched]:
    """The files of a folder as they are now."""
    listed = list(names)
    paths = [folder / name for name in listed]
    found = zip(listed, paths, file_checksums(map(str, paths)), strict=True)
    return {
        name: Fetched(size=path.stat().st_size, sha256=sha256)
        for name, path, sha256 in found
        if sha256 != MISSING
    }


def changes_since(folder: Path) -> Iterator[Anomaly]:
    """What is no longer as it was fetched."""
    lock = read_lock(folder)
    if lock is None:
        return
    now = recorded(folder, (name for name in lock.files if is_inside(name)))
    for name, file in lock.files.items():
        if name not in now:
            yield Anomaly(name, "fetched file missing", "run `deadpan data get` to fetch it again")
        elif now[name].sha256 != file.sha256:
            what = f"SHA-256 begins {now[name].sha256[:8]}, was {file.sha256[:8]} when it came"
            yield Anomaly(name, "fetched file changed", what)


def is_inside(name: str) -> bool:
    """Whether a path that others named stays inside the folder it is put into."""
    path = PurePosixPath(name)
    odd = path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name
    return bool(path.parts) and not odd and name.isprintable()
