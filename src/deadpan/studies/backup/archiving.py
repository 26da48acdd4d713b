"""Archives of studies: a tar file, packed with Zstandard or gzip, whose last member is a manifest
with the checksum of every other. Only names that a backup has are ever unpacked."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol

import zstandard
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deadpan.base.errors import InputError, NotWritten
from deadpan.base.files import is_there
from deadpan.core.study.words import STUDY_NAME
from deadpan.studies.storage.media import FOLDER as MEDIA

FORMAT = 1
MANIFEST, TABLES = "manifest.json", "tables"
SUFFIXES = (".tar.zst", ".tar.gz")
_KNOWN = re.compile(
    rf"manifest\.json|study\.yaml|{TABLES}/[a-z_]{{1,60}}\.jsonl"
    rf"|{MEDIA}/[0-9a-f]{{2}}/[0-9a-f]{{64}}|(?:opinions|drafts)/\w[\w.@+-]{{0,200}}"
)
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_LEVEL = 6
_PIECE = 1 << 20
_MOST_MANIFEST = 200_000_000
LEAST_BOUND, MOST_GROWTH = 2_000_000_000, 100
"""How many bytes an archive may hold unpacked: so many in any case, else so many times its own."""
_FIX = "Take another backup: this one is not whole."
_DAMAGE = (tarfile.TarError, zstandard.ZstdError, zlib.error, EOFError, OSError, ValueError)


class Member(BaseModel):
    """A file of an archive."""

    model_config = ConfigDict(frozen=True)

    size: int
    sha256: str


class Manifest(BaseModel):
    """What an archive holds: of which study, by which version, how many rows, which files."""

    model_config = ConfigDict(frozen=True)

    format: int
    study: str = Field(pattern=STUDY_NAME)
    package: str
    revision: str
    """Of the tables."""
    made_at: str
    rows: dict[str, int]
    """By table."""
    files: dict[str, Member]
    missing: tuple[str, ...] = ()
    """Files that the study should have had."""


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


class _Hashed:
    """A stream that remembers the checksum of what was read from it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self.digest = stream, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.digest.update(data)
        return data


class ArchiveWriter:
    """Adds files to an archive, and notes their checksums."""

    def __init__(self, tar: tarfile.TarFile, at: float) -> None:
        self._tar, self._at = tar, at
        self.files: dict[str, Member] = {}

    def add(self, name: str, stream: IO[bytes], size: int) -> Member:
        """Adds that many bytes of a stream."""
        info = tarfile.TarInfo(name)
        info.size, info.mtime, info.mode = size, int(self._at), 0o600
        hashed = _Hashed(stream)
        self._tar.addfile(info, hashed)
        self.files[name] = Member(size=size, sha256=hashed.digest.hexdigest())
        return self.files[name]

    def add_file(self, name: str, path: Path) -> Member:
        """Adds a file as long as it is now."""
        with path.open("rb") as stream:
            return self.add(name, stream, os.fstat(stream.fileno()).st_size)

    def add_bytes(self, name: str, data: bytes) -> Member:
        """Adds what is in memory."""
        return self.add(name, io.BytesIO(data), len(data))


@contextmanager
def new_archive(out: Path, at: float) -> Iterator[ArchiveWriter]:
    """An archive to add to. It is there under its name once it is whole, and only its owner can
    read it. One that is there already raises."""
    if not out.name.endswith(SUFFIXES):
        raise InputError(out, f"expected a name in {' or '.join(SUFFIXES)}", "Name it so.")
    if is_there(out):
        raise InputError(out, "is there already", "Name another file, or move it away.")
    partial: str | None = None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
        with os.fdopen(handle, "wb") as raw:
            with _packing(raw, out) as tar:
                yield ArchiveWriter(tar, at)
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(partial, out)
        partial = None
    except OSError as error:
        what = f"cannot be written ({error.strerror or error})"
        raise NotWritten(out, what, "Free some space, or choose another place.") from error
    finally:
        if partial is not None:
            Path(partial).unlink(missing_ok=True)


@contextmanager
def _packing(raw: BinaryIO | IO[bytes], out: Path) -> Iterator[tarfile.TarFile]:
    if out.name.endswith(".gz"):
        with tarfile.open(fileobj=raw, mode="w|gz") as tar:
            yield tar
        return
    packer = zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True)
    with (
        packer.stream_writer(raw, closefd=False) as stream,
        tarfile.open(fileobj=stream, mode="w|") as tar,
    ):
        yield tar


class _Bounded:
    """A stream of which no more than so many bytes are read; one that has more raises."""

    def __init__(self, stream: _Readable, most: int | None, file: Path) -> None:
        self._stream, self._left, self._file = stream, most, file

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        if self._left is not None:
            self._left -= len(data)
            if self._left < 0:
                what = "is far larger unpacked than packed"
                raise InputError(self._file, what, "If you trust it, name --any-size.")
        return data


def unpack(file: Path, folder: Path, any_size: bool = False) -> Manifest:
    """Unpacks an archive into a folder, and returns its manifest, once everything in it is as its
    checksums say. Other names than a backup has, links, and damage raise, and so does what grows
    beyond measure, unless `any_size` is right."""
    found: dict[str, Member] = {}
    try:
        most = None if any_size else max(LEAST_BOUND, MOST_GROWTH * file.stat().st_size)
        with file.open("rb") as raw, _unpacking(raw, most, file) as tar:
            for info in tar:
                if not info.isreg() or not _KNOWN.fullmatch(info.name) or info.name in found:
                    what = f"holds {info.name[:100]!r}, which no backup has"
                    raise InputError(file, what, "It is not of this program: leave it alone.")
                stream = tar.extractfile(info)
                if stream is not None:
                    found[info.name] = _write(stream, folder / info.name)
    except FileNotFoundError:
        raise InputError(file, "no such file", "Check the path.") from None
    except _DAMAGE as error:
        raise InputError(file, f"is no backup, or is damaged ({error})", _FIX) from None
    return _checked(file, folder, found)


@contextmanager
def _unpacking(
    raw: BinaryIO | IO[bytes], most: int | None, file: Path
) -> Iterator[tarfile.TarFile]:
    beginning = raw.read(4)
    raw.seek(0)
    if beginning.startswith(_GZIP):
        unpacked: Any = gzip.GzipFile(fileobj=raw)
    elif beginning == _ZSTD:
        unpacked = zstandard.ZstdDecompressor().stream_reader(raw, closefd=False)
    else:
        raise ValueError(f"expected {' or '.join(SUFFIXES)}")
    bounded: Any = _Bounded(unpacked, most, file)
    with unpacked, tarfile.open(fileobj=bounded, mode="r|") as tar:
        yield tar


def _write(stream: IO[bytes], path: Path) -> Member:
    digest, size = hashlib.sha256(), 0
    with _writing(path) as file:
        while piece := stream.read(_PIECE):
            digest.update(piece)
            size += len(piece)
            with _told(path):
                file.write(piece)
    return Member(size=size, sha256=digest.hexdigest())


@contextmanager
def _writing(path: Path) -> Iterator[IO[bytes]]:
    """A new file of its owner's alone."""
    with _told(path):
        for parent in (path.parent.parent, path.parent):
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    try:
        yield file
    finally:
        with _told(path):
            file.close()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Says of a place that cannot be written that it is the place, and not the backup."""
    try:
        yield
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        fix = "Free some space or choose another place; the backup is as it was."
        raise InputError(path.parent, what, fix) from None


def _checked(file: Path, folder: Path, found: dict[str, Member]) -> Manifest:
    """The manifest of what was unpacked; anything that is not as it says raises."""
    path = folder / MANIFEST
    if MANIFEST not in found or found[MANIFEST].size > _MOST_MANIFEST:
        raise InputError(file, "has no manifest", _FIX)
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except ValidationError:
        raise InputError(file, "has a manifest that cannot be read", _FIX) from None
    if manifest.format != FORMAT:
        what = f"is a backup of form {manifest.format}; this Deadpan knows {FORMAT}"
        raise InputError(file, what, "Install the version that made it, or a newer one.")
    del found[MANIFEST]
    for name in sorted({*found, *manifest.files}):
        is_named = name.startswith(f"{MEDIA}/") and name in found
        if found.get(name) != manifest.files.get(name) or (
            is_named and found[name].sha256 != name.rpartition("/")[2]
        ):
            raise InputError(file, f"{name} is not as its checksum says", _FIX)
    with suppress(OSError):
        path.unlink()
    return manifest
