"""Commands that are killed half-way: the same command again does the whole of it, once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from deadpan.base.errors import DeadpanError
from deadpan.core.study.files import study_text
from deadpan.studies.backup import saving
from deadpan.studies.backup.saving import backup, restore
from deadpan.studies.lead import updating
from deadpan.studies.lead.updating import update_study
from deadpan.studies.making import creating
from deadpan.studies.making.creating import create_study, open_study
from deadpan.studies.results.export_files import write_export
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage import media
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import AnswerRow, ItemRow, SpecificationRow
from tests.studies.made_study import made_items, made_stage
from tests.studies.study_room import a_study, explained, left, served

STUDY = a_study(made_stage(), guidelines={"en": "Old words."})


def killed(work: Callable[[], object], module: Any, name: str, at: int = 1) -> None:
    """Does some work in a process that dies as it calls a function for the so many-th time."""
    process = os.fork()
    if process == 0:  # pragma: no cover
        calls, whole = [0], getattr(module, name)

        def dies(*arguments: Any, **more: Any) -> Any:
            calls[0] += 1
            if calls[0] == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return whole(*arguments, **more)

        setattr(module, name, dies)
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(process, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def counted(study: OpenStudy, table: Any) -> int:
    with study.database.read() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgresql" else ""


@pytest.mark.parametrize(
    ("module", "name", "at"),
    [
        (media, "write_bytes", 2),
        (creating, "migrate", 1),
        (creating, "write_text", 1),
        (creating, "write_place", 1),
        (creating, "_add_batch", 2),
    ],
)
def test_a_study_that_was_being_made(
    module: Any, name: str, at: int, database: str, tmp_path: Path
) -> None:
    items, folder = made_items(tmp_path / "sources"), tmp_path / "study"
    study = a_study(made_stage(), batches={"size": 1})
    killed(lambda: create_study(folder, study, items, database), module, name, at)
    with pytest.raises(DeadpanError, match="holds no study; make one"):
        open_study(folder, database)
    made = create_study(folder, study, items, database)
    assert (made.items, counted(made.opened, ItemRow), made.left_out) == (2, 2, [])
    made.opened.database.close()
    again = open_study(folder, database)
    assert counted(again, SpecificationRow) == 1
    again.database.close()
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".unf")]


def test_a_study_that_was_all_there(database: str, tmp_path: Path) -> None:
    items, folder = made_items(tmp_path / "sources"), tmp_path / "study"
    killed(lambda: create_study(folder, STUDY, items, database), creating, "unmark")
    with pytest.raises(DeadpanError, match="holds a study already"):
        create_study(folder, STUDY, items, database)
    found = open_study(folder, database)
    assert counted(found, ItemRow) == 2
    found.database.close()


def test_anothers_study_in_the_database_is_no_leftover(postgres_url: str, tmp_path: Path) -> None:
    items = made_items(tmp_path / "sources")
    one = create_study(tmp_path / "one", STUDY, items, postgres_url).opened
    killed(lambda: create_study(tmp_path / "two", STUDY, items), creating, "write_place")
    with pytest.raises(DeadpanError, match="holds a study called made already"):
        create_study(tmp_path / "two", STUDY, items, postgres_url)
    assert counted(one, ItemRow) == 2
    one.database.close()


@pytest.mark.parametrize(
    ("name", "at"),
    [("require_sound", 1), ("fill_tables", 1), ("write_place", 1), ("_move", 1), ("open_study", 1)],
)
def test_a_study_that_was_being_restored(name: str, at: int, database: str, tmp_path: Path) -> None:
    items, file = made_items(tmp_path / "sources"), tmp_path / "b.tar.gz"
    create_study(tmp_path / "first", STUDY, items).opened.database.close()
    backup(tmp_path / "first", file)
    folder = tmp_path / "again"
    killed(lambda: restore(file, folder, database), saving, name, at)
    if name == "open_study":  # everything was in its place
        with pytest.raises(DeadpanError, match="is not empty"):
            restore(file, folder, database)
        found = open_study(folder, database)
    else:
        found = restore(file, folder, database).opened
    assert (counted(found, ItemRow), counted(found, SpecificationRow)) == (2, 1)
    found.database.close()
    assert not [path for path in folder.iterdir() if path.name.startswith(".rest")]


def test_a_restore_that_was_moving_files(tmp_path: Path) -> None:
    items, file = made_items(tmp_path / "sources"), tmp_path / "b.tar.gz"
    create_study(tmp_path / "first", STUDY, items).opened.database.close()
    backup(tmp_path / "first", file)
    for at in range(1, 5):
        work = partial(restore, file, tmp_path / f"again-{at}")
        killed(work, saving.Path, "rename", at)
        found = work().opened
        assert counted(found, ItemRow) == 2
        found.database.close()


def test_what_lies_in_a_folder_is_never_cleared_away(tmp_path: Path) -> None:
    items, file = made_items(tmp_path / "sources"), tmp_path / "b.tar.gz"
    create_study(tmp_path / "first", STUDY, items).opened.database.close()
    backup(tmp_path / "first", file)
    (tmp_path / "own" / "media").mkdir(parents=True)
    (tmp_path / "own" / "media" / "photo.jpg").write_text("mine")
    killed(lambda: create_study(tmp_path / "own", STUDY, items), creating, "write_place")
    with pytest.raises(DeadpanError, match="is not empty"):
        restore(file, tmp_path / "own")
    create_study(tmp_path / "own", STUDY, items).opened.database.close()
    assert (tmp_path / "own" / "media" / "photo.jpg").read_text() == "mine"


@pytest.mark.parametrize("name", ["add_version", "_write_down"])
def test_a_study_that_was_being_changed(name: str, tmp_path: Path) -> None:
    room = served(tmp_path / "study", STUDY, made_items(tmp_path / "sources"))
    list(left(room))
    path = tmp_path / "changed.yaml"
    changed = STUDY.model_copy(update={"guidelines": {"en": "New words."}})
    path.write_text(study_text(changed), "utf-8")
    killed(lambda: update_study(open_study(tmp_path / "study"), path), updating, name)
    found = open_study(tmp_path / "study")
    assert update_study(found, path).version == 2
    assert counted(found, SpecificationRow) == 2
    assert "New words." in (tmp_path / "study" / "study.yaml").read_text("utf-8")
    found.database.close()


def test_an_export_that_was_being_written(tmp_path: Path) -> None:
    room = served(tmp_path / "study", a_study(), [explained("k", titan="x")])
    room.person("Ann").work(rating="4")
    whole = [path.name for path in _exported(room.study, tmp_path / "whole")]
    for at in range(1, len(whole) + 1):
        out = tmp_path / f"out-{at}"

        def work(out: Path = out) -> None:
            _exported(open_study(tmp_path / "study"), out)

        room.study.database.close()
        killed(work, os, "replace", at)
        _exported(room.study, out)
        assert sorted(path.name for path in out.iterdir()) == sorted(whole)
        for name in whole:
            assert (out / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert counted(room.study, AnswerRow) == 1
    list(left(room))


def _exported(study: OpenStudy, folder: Path) -> list[Path]:
    return write_export(gather(study), folder, "jsonl")
