"""Answers that come in while the app runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.engine.following import FollowedStore
from deadpan.engine.store import AnswerStore, compact
from deadpan.pipeline.growing import Choices, GrowingTable
from deadpan.pipeline.table import read_tables
from deadpan.viewing import snapshots
from tests.viewing.conftest import a_view, signed_in
from tests.viewing.stores import running


def test_a_followed_store_reads_only_what_is_new(made_store: Path, tmp_path: Path) -> None:
    run = running(made_store, tmp_path / "answers")
    store = FollowedStore(run.folder)
    assert store.look() and not store.look()
    run.write(1)
    read = len(store._answers.frames)
    assert store.look() and len(store._answers.frames) == read + 1
    assert len(store._answers.frames[-1]) == 1
    run.write(1, torn=True)
    assert not store.look(), "a torn line does not count"
    run.write(1)  # its end
    assert store.look()


def test_a_growing_table_is_what_a_whole_read_gives(made_store: Path, tmp_path: Path) -> None:
    run = running(made_store, tmp_path / "answers")
    growing = GrowingTable([run.folder])
    for count in (0, 1, 2, 1):
        run.write(count)
        growing.look()
        table = growing.table()
        assert table is not None
        whole = read_tables([run.folder])
        # Runs that began in one second stand in any order.
        key = ["benchmark", "task", "model", "item", "epoch", "signature"]
        assert table.select(whole.columns).sort(key).equals(whole.sort(key))
    label = run.segment.name.rpartition(".")[0].rpartition(".")[0]
    compact(AnswerStore(run.folder), label)
    assert not growing.look(), "compacted answers are no new ones"
    assert growing.table() is not None


def test_choices_hold_for_growing_tables(made_store: Path) -> None:
    with pytest.raises(DeadpanError, match="graded by judge/lexical"):
        growing = GrowingTable([made_store], Choices(judge="openai/gpt-4o"))
        growing.look()
        growing.table()
    with pytest.raises(DeadpanError, match="no such answer store"):
        GrowingTable([made_store / "nowhere"])


def test_single_runs_of_a_store(made_store: Path) -> None:
    run = next((made_store / "runs").glob("pixelhumor-style*.parquet"))
    growing = GrowingTable([run])
    growing.look()
    table = growing.table()
    assert table is not None and len(table) == 4
    assert table["source"].unique().to_list() == [str(made_store)]


def test_pages_move_on_with_the_run(made_store: Path, tmp_path: Path) -> None:
    run = running(made_store, tmp_path / "answers")
    view = a_view(run.folder)
    client = signed_in(view)
    before = client.get("/state")
    run.write(2)
    view.watch.look()
    again = client.get("/state", headers={"if-none-match": before.headers["etag"]})
    assert again.status_code == 200
    assert again.json()["answers"] == before.json()["answers"] + 2
    page = client.get("/answers?task=presence&model=baseline/random")
    assert re.search(r"1 to 2 of 2<", page.text)
    assert "2 of 4 questions are not in the results" in client.get("/").text


def test_an_empty_folder_becomes_a_store(made_store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    view = a_view(folder)
    client = signed_in(view)
    assert "No answers yet" in client.get("/").text
    folder.rmdir()
    running(made_store, folder)
    view.watch.look()
    assert "PixelHumor" in client.get("/").text


def test_what_cannot_be_read_is_told_and_the_last_answers_stay(
    made_store: Path, tmp_path: Path
) -> None:
    run = running(made_store, tmp_path / "answers")
    view = a_view(run.folder)
    client = signed_in(view)
    (run.folder / "broken.000099-00000000.parquet").write_bytes(b"PAR1")
    view.watch.look()
    assert "cannot be read" in view.watch.problem
    page = client.get("/")
    assert "The newest answers cannot be shown" in page.text and "PixelHumor" in page.text


def test_a_store_that_did_not_change_is_not_scored_again(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = a_view(store).watch.snapshot

    def never(*about: object) -> None:
        raise AssertionError("scored again")

    monkeypatch.setattr(snapshots, "score", never)
    assert a_view(store).watch.snapshot == first
