"""Studies whose database or disk is not as it should be: said in words, with what to do."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError
from deadpan.cli import app as cli
from deadpan.studies.making.creating import open_study
from deadpan.studies.serving import require_writable
from deadpan.studies.storage.database import DatabaseTrouble
from tests.studies.study_room import Room, a_study, explained, left, served

DAMAGED = "restore it from a backup"
NONE = b"no database at all " * 400


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    items = [explained(f"k{at}", titan="x" * 500) for at in range(60)]
    yield from left(served(tmp_path / "study", a_study(), items))


def _told(*command: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["study", *command])
    said = done.output + (str(done.exception) if done.exception else "")
    return done.exit_code, " ".join(said.split())


@pytest.mark.parametrize("data", [NONE, b"SQLite format 3\0" + b"x" * 8_000])
def test_a_database_that_is_none_is_called_damaged(room: Room, data: bytes) -> None:
    room.study.database.close()
    for path in room.study.folder.glob("study.db*"):
        path.unlink()
    (room.study.folder / "study.db").write_bytes(data)
    with pytest.raises(DeadpanError, match=DAMAGED):
        open_study(room.study.folder)


def test_a_page_that_is_overwritten_is_found_before_people_come(room: Room) -> None:
    room.study.database.close()
    path = room.study.folder / "study.db"
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 8192] = os.urandom(8192)
    path.write_bytes(data)
    with pytest.raises(DeadpanError, match=DAMAGED):
        require_writable(open_study(room.study.folder))


def test_what_cannot_be_written_is_not_served(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    require_writable(room.study)
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda path, mode: False)
        with pytest.raises(DeadpanError, match="cannot be written"):
            require_writable(room.study)
    _make_readonly(room)
    with pytest.raises(DatabaseTrouble, match="cannot be written"):
        require_writable(room.study)


def _make_readonly(room: Room) -> None:
    """Has the database refuse everything that writes, as on a disk that is for reading only."""
    room.study.database.close()

    @event.listens_for(room.study.database.engine, "do_execute")
    def _refused(cursor: object, statement: str, *rest: object) -> None:
        if statement == "BEGIN IMMEDIATE" or statement.startswith(("INSERT", "UPDATE", "DELETE")):
            error = sqlite3.OperationalError("attempt to write a readonly database")
            error.sqlite_errorname = "SQLITE_READONLY"
            raise error


def test_people_are_told_that_nothing_is_saved(room: Room) -> None:
    ann = room.person("Ann")
    task = str(ann.task())
    _make_readonly(room)
    found = ann.post(f"/t/{task}/answer/rating", fragment=True, value="4")
    assert found.status_code == 503 and "cannot save" in found.text and found.headers["retry-after"]
    assert "study.db" not in found.text and found.headers["x-content-type-options"] == "nosniff"


def test_inviting_says_what_is_wrong(room: Room) -> None:
    room.study.database.close()
    folder = room.study.folder
    (folder / "study.db").write_bytes(NONE)
    for name in ("study.db-wal", "study.db-shm"):
        (folder / name).unlink(missing_ok=True)
    for command in (
        ("invite", str(folder), "Ann"),
        ("serve", str(folder)),
        ("status", str(folder)),
    ):
        code, said = _told(*command)
        assert code != 70 and DAMAGED in said, (command, code, said)
    shutil.rmtree(folder)
