"""A server that is killed while many answer: what was acknowledged is there, and there once.
`bench/study_kills.py` does it a hundred times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studies.killing import kill_often


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_nothing_acknowledged_is_lost_or_there_twice(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("postgres_url") if kind == "postgresql" else ""
    found = kill_often(tmp_path, kills=3, raters=8, database=database)
    assert found.answers > 9 and found.submits
    assert (found.lost, found.doubled, found.unknown, found.wrong) == (0, 0, 0, [])
