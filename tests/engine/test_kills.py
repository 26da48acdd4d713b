"""A few kills of each kind; `bench/kills.py` does it by the hundred."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.engine.store import ABOUT, AnswerStore
from tests.engine.kill_harness import (
    Accounts,
    CountingServer,
    Harness,
    copied_and_touched,
)

CONNECTIONS = 4


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[Harness]:
    with CountingServer(delay=0.05) as server:
        yield Harness(server, tmp_path, CONNECTIONS, seed=1)


def check(accounts: Accounts) -> None:
    assert accounts.lost == accounts.doubled == 0, accounts.line
    assert 0 <= accounts.most_in_flight <= CONNECTIONS, accounts.line
    assert accounts.calls - accounts.distinct <= accounts.repeats, accounts.line
    assert not [note for note in accounts.notes if "exit" in note or "stored" in note]


def test_killed_while_a_model_is_asked_then_copied(harness: Harness) -> None:
    selection = "pixelhumor/presence,interpretation"
    accounts = harness.model(1, selection)
    check(accounts)
    assert accounts.kills == 1
    assert accounts.rows == accounts.distinct == 70
    store = harness.folder / "model"
    arguments = harness.run(selection, store, harness.folder / "model.parquet")
    assert copied_and_touched(harness, store, arguments) == (0, "exit 0")


def test_killed_while_segments_become_one_file(harness: Harness) -> None:
    accounts = harness.compaction(1)
    check(accounts)
    assert accounts.rows == accounts.distinct == 6


def test_two_runs_at_once(harness: Harness) -> None:
    store, table = harness.folder / "two", harness.folder / "two.parquet"
    arguments = harness.run("pixelhumor/presence", store, table)
    harness.server.delay = 6.0
    first = harness.start(arguments)
    while not harness.server.total and first.poll() is None:
        time.sleep(0.01)
    status, told = harness.finish(arguments)
    harness.server.delay = 0.01
    first.communicate(timeout=120)
    assert first.returncode == 0
    assert status == 2
    assert "is being written by process" in told
    assert harness.server.total == len(harness.server.calls) == 35


def test_killed_before_the_store_was_made(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / f".{ABOUT}.a1b2c3d4").write_text('{"sch')
    AnswerStore(folder).create()
    assert AnswerStore(folder).answers().is_empty()
