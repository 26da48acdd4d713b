"""A server that is killed while many answer: what was acknowledged is there, and there once.
`bench/study_kills.py` does it a hundred times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from psycopg import OperationalError
from psycopg.errors import DeadlockDetected
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from deadpan.studies.storage.tables import AnswerRow
from deadpan.studies.work import answering
from tests.studies.killing import kill_often
from tests.studies.study_room import a_study, explained, left, rated, served


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_nothing_acknowledged_is_lost_or_there_twice(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("postgres_url") if kind == "postgresql" else ""
    found = kill_often(tmp_path, kills=3, raters=8, database=database)
    assert found.answers > 9 and found.submits
    assert (found.lost, found.doubled, found.unknown, found.wrong) == (0, 0, 0, [])


def test_a_transaction_that_gave_way_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = served(tmp_path / "study", a_study(rated()), [explained("one", model="It is a pun.")])
    person = room.person("Ann")
    task = person.task()
    tries = iter([DeadlockDetected(), OperationalError("server closed the connection"), None])
    save = answering.save_answer

    def gives_way(*arguments: Any, **more: Any) -> Any:
        if (error := next(tries, None)) is not None:
            lost = isinstance(error, OperationalError)
            raise DBAPIError("UPDATE", {}, error, connection_invalidated=lost)
        return save(*arguments, **more)

    monkeypatch.setattr(answering, "save_answer", gives_way)
    assert task is not None
    person.answer(task, rating="3")
    with room.study.database.read() as session:
        assert [row.value for row in session.scalars(select(AnswerRow))] == [3]
    list(left(room))
