"""A database that goes away while people answer, and comes back: told once, and nothing is lost."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from deadpan.studies.app import Outages
from deadpan.studies.storage.tables import AnswerRow
from deadpan.studies.storage.troubles import DatabaseGone, DatabaseTrouble
from tests.studies.postgres import USER, cluster, programs, server_user
from tests.studies.study_room import Person, a_study, explained, left, served


@pytest.fixture
def own_cluster() -> Iterator[Path]:
    """A cluster that only this test uses, and may stop."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    with cluster(found) as folder:
        yield folder


def control(folder: Path, *what: str) -> None:
    """Stops a cluster, or starts it anew."""
    found = programs()
    assert found is not None
    settings = f"-c listen_addresses='' -c unix_socket_directories={folder}"
    command = [found / "pg_ctl", "-D", folder / "data", "-w", "-l", folder / "data" / "again.log"]
    subprocess.run([*command, "-o", settings, *what], check=True, user=server_user(), cwd=folder)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def page(person: Person, language: str) -> str:
    """What is shown in place of a page, in the browser's language."""
    found = person.get("/mine", **{"accept-language": language})
    assert found.status_code == 503 and found.headers["retry-after"]
    assert found.headers["content-type"].startswith("text/html")
    assert "content-security-policy" in found.headers
    return found.text


def test_people_are_told_and_the_log_says_it_once(
    own_cluster: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = f"postgresql://{USER}@/postgres?host={own_cluster}"
    items = [explained("k", titan="x")]
    room = served(tmp_path / "study", a_study(), items, database=database)
    ann = room.person("Ann")
    task = str(ann.task())
    ann.answer(task, rating="4")
    control(own_cluster, "stop", "-m", "fast")
    for _ in range(4):
        sent = ann.post(f"/t/{task}/answer/rating", fragment=True, value="5", key="again")
        assert sent.status_code == 503
        assert "cannot be saved just now" in page(ann, "en")
        assert "目前无法保存" in page(ann, "zh")
        assert ann.get("/nosuch").status_code == 404
    (gone,) = told(caplog)
    assert "cannot be reached" in gone and f"{USER}@{own_cluster}/postgres" in gone
    control(own_cluster, "start")
    for _ in range(2):
        sent = ann.post(f"/t/{task}/answer/rating", fragment=True, value="5", key="again")
        assert sent.status_code == 200
    assert told(caplog)[1:] == ["the database works again: answers are saved"]
    with room.study.database.read() as session:
        assert [row.value for row in session.scalars(select(AnswerRow))] == [4, 5]
    list(left(room))
    control(own_cluster, "stop", "-m", "fast")


def test_what_cannot_be_written_is_over_once_something_is(
    caplog: pytest.LogCaptureFixture,
) -> None:
    outages = Outages()
    for trouble in (None, DatabaseTrouble("full"), DatabaseGone("gone"), None, None):
        outages.note(trouble)
    assert len(told(caplog)) == 2 and os.linesep not in told(caplog)[0]


def test_who_only_looks_does_not_end_an_outage(tmp_path: Path) -> None:
    room = served(tmp_path / "study", a_study(), [explained("k", titan="x")])
    database = room.study.database
    heard: list[DatabaseTrouble | None] = []
    database.told = heard.append
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorname = "SQLITE_FULL"
    with pytest.raises(DatabaseTrouble), database.write():
        raise OperationalError("UPDATE", {}, full)
    with database.write() as session:
        list(session.scalars(select(AnswerRow)))
        session.execute(update(AnswerRow).where(AnswerRow.id < 0).values(key="none"))
    assert len(heard) == 1 and heard[0] is not None
    with database.write() as session:
        room.study.note(session, None, "tried")
    assert heard[1:] == [None]
    list(left(room))
