"""A study saved and brought back: one file with everything it is made of, as it was at one moment.

The file is the same whatever the database, so that a study can move from one to the other. Who is
signed in is not in it; of invitations and passwords it has hashes, as the database does.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, select

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_folder, is_there, list_folder, sha256_of
from deadpan.base.version import __version__
from deadpan.core.study.files import study_of
from deadpan.studies.backup.archiving import (
    FORMAT,
    MANIFEST,
    TABLES,
    ArchiveWriter,
    Manifest,
    new_archive,
    unpack,
)
from deadpan.studies.backup.checking import require_sound
from deadpan.studies.backup.table_rows import fill_tables, saved_tables, snapshot, write_table
from deadpan.studies.making.creating import (
    DATABASE,
    PLACE,
    SPECIFICATION,
    open_study,
    study_database,
    write_place,
)
from deadpan.studies.models.adviser import FOLDER as OPINIONS
from deadpan.studies.models.drafting import FOLDER as DRAFTS
from deadpan.studies.storage.database import Database, file_database, make_private, server_database
from deadpan.studies.storage.media import FOLDER as MEDIA
from deadpan.studies.storage.media import media_path, private_folder
from deadpan.studies.storage.migrating import current_form, migrate, newest_form
from deadpan.studies.storage.opened import COPY, OpenStudy, new_token
from deadpan.studies.storage.tables import MediaRow, SettingRow, SpecificationRow
from deadpan.studies.storage.unfinished import MARK, clear, require_own_place, unmark

_UNTOUCHED = "lost+found"
"""What an empty disk holds."""
_STAGING = ".restoring-"
_PARTS = (f"{_STAGING}*", f"{DATABASE}*", SPECIFICATION, MEDIA, OPINIONS, DRAFTS)
"""What a restore puts into a folder."""


@dataclass(frozen=True)
class BackedUp:
    """A backup: how many rows and files are in it, and the files that the study lacks."""

    path: Path
    rows: int
    files: int
    missing: tuple[str, ...]


def backup(
    folder: Path, out: Path, database: str = "", now: Callable[[], float] = time.time
) -> BackedUp:
    """Saves the study of a folder in one file, OUT.tar.zst or OUT.tar.gz, while it may be running.
    A file that the study lacks is named; what is there already under that name is not overwritten.
    """
    found, at = study_database(folder, database), now()
    try:
        with snapshot(found) as connection, new_archive(out, at) as archive:
            form = current_form(connection)
            if form is None or form != newest_form():
                what = f"{folder}: its tables are of another version of Deadpan ({form})"
                raise DeadpanError(f"{what}; open it once with this one: deadpan study status")
            rows = _add_tables(connection, archive)
            missing = _add_files(connection, archive, folder)
            manifest = Manifest(
                format=FORMAT,
                study=_name_of(connection, folder),
                package=__version__,
                revision=form,
                made_at=datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds"),
                rows=rows,
                files=archive.files,
                missing=missing,
            )
            archive.add_bytes(MANIFEST, manifest.model_dump_json(indent=1).encode())
    finally:
        found.close()
    files = len(manifest.files) - len(rows)
    return BackedUp(out, sum(rows.values()), files, missing)


def _name_of(connection: Connection, folder: Path) -> str:
    newest = select(SpecificationRow.text).order_by(SpecificationRow.version.desc()).limit(1)
    return study_of(connection.scalar(newest) or "", folder).name


def _add_tables(connection: Connection, archive: ArchiveWriter) -> dict[str, int]:
    """How many rows each table has, once they are added."""
    rows = {}
    for table in saved_tables():
        with tempfile.TemporaryFile() as stream:
            rows[table.name] = write_table(connection, table, stream)
            size = stream.tell()
            stream.seek(0)
            archive.add(f"{TABLES}/{table.name}.jsonl", stream, size)
    return rows


def _add_files(connection: Connection, archive: ArchiveWriter, folder: Path) -> tuple[str, ...]:
    """Adds the study's files; those that are missing or damaged are returned."""
    missing = []
    for checksum in connection.scalars(select(MediaRow.checksum).order_by(MediaRow.checksum)).all():
        path = media_path(folder, checksum)
        name = f"{MEDIA}/{path.relative_to(folder / MEDIA).as_posix()}"
        found = sha256_of(path)
        if found is None and is_there(path):
            raise InputError(path, "cannot be read", "Check who may read the study's files.")
        if found == checksum:
            archive.add_file(name, path)
        else:
            missing.append(name)
    if (folder / SPECIFICATION).is_file():
        archive.add_file(SPECIFICATION, folder / SPECIFICATION)
    for path in _replies(folder):
        # A segment is only added to, and read to its last whole line.
        with suppress(FileNotFoundError):
            archive.add_file(f"{path.parent.name}/{path.name}", path)
    return tuple(missing)


def _replies(folder: Path) -> Iterator[Path]:
    """What models said: the files of both stores, but for locks and what is being written."""
    for store in (folder / OPINIONS, folder / DRAFTS):
        paths = sorted(store.iterdir()) if store.is_dir() else []
        for path in paths:
            if path.is_file() and path.suffix != ".lock" and not path.name.startswith("."):
                yield path


@dataclass(frozen=True)
class Restored:
    """A study that was brought back, and what its backup says of itself."""

    opened: OpenStudy
    manifest: Manifest


def restore(file: Path, folder: Path, database: str = "", any_size: bool = False) -> Restored:
    """Brings a study back from a backup, into an empty folder and, where one is named, a PostgreSQL
    database that does not hold it. Nothing is half there: what is damaged or in the way raises, and
    everything is as before."""
    with _staging(folder) as staging:
        manifest = unpack(file, staging, any_size)
        tables = staging / TABLES
        require_sound(file, staging, tables, manifest)
        with _new_database(folder, staging, manifest.study, database) as found:
            migrate(found, manifest.revision)
            with found.write() as session:
                fill_tables(session.connection(), tables, manifest.rows)
            migrate(found)
            with found.write() as session:
                session.merge(SettingRow(name=COPY, value=new_token()))
            shutil.rmtree(tables)
            # Raises before anything is in its place.
            write_place(staging, OpenStudy.of(found, staging))
            found.close()  # before its file is moved
            _move(staging, folder)
    return Restored(open_study(folder, database), manifest)


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """A new folder inside of an empty one, on the same disk; it is gone afterwards, and so is the
    folder where nothing came of it. What is left of a restore that was cut off is taken away."""
    made = not is_folder(folder)
    left = [] if made else [path.name for path in list_folder(folder)]
    if PLACE not in left and any(name.startswith(_STAGING) for name in left):
        clear(folder, _PARTS)
        left = [path.name for path in list_folder(folder)]
    if set(left) - {_UNTOUCHED, MARK}:
        raise InputError(folder, "is not empty", "Name a new folder; nothing is overwritten.")
    private_folder(folder)
    try:
        staging = Path(tempfile.mkdtemp(dir=folder, prefix=_STAGING))
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise InputError(folder, what, "Choose another place.") from error
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        unmark(folder)
        if made:
            with suppress(OSError):  # where the study is in it
                folder.rmdir()


@contextmanager
def _new_database(folder: Path, staging: Path, study: str, database: str) -> Iterator[Database]:
    """A database without anything; one on a server is taken away again where nothing came of it."""
    if not database:
        make_private(staging / DATABASE)
        found = file_database(staging / DATABASE)
        try:
            yield found
        finally:
            found.close()
        return
    found = server_database(database, study)
    require_own_place(folder, found)
    try:
        yield found
    except BaseException:
        found.drop_schema()
        raise
    finally:
        found.close()


def _move(staging: Path, folder: Path) -> None:
    """Moves everything up; what makes the folder a study's comes last. Where one cannot be moved,
    none is."""
    moved: list[Path] = []
    try:
        for path in sorted(staging.iterdir(), key=lambda path: path.name == PLACE):
            moved.append(path.rename(folder / path.name))
    except BaseException:
        for path in moved:
            path.rename(staging / path.name)
        raise
