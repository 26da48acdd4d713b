"""Studies and items that come from a stranger, and exports that go to one."""

from __future__ import annotations

import csv
import json
import os
import stat
from pathlib import Path

import polars as pl
import pytest
from PIL import Image
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError, InputError
from deadpan.cli import app as cli
from deadpan.core.study.files import read_study, study_of
from deadpan.studies.making.catalogue import make_study
from deadpan.studies.making.creating import create_study
from deadpan.studies.results.export_files import write_export
from deadpan.studies.results.gathering import gather
from tests.studies.study_room import a_study, explained, rated, served

STUDY = """
name: own
title: Own
stages:
- name: s
  title: S
  questions:
  - {kind: likert, name: q, title: Q}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A stranger's folder, with a private picture of ours beside it."""
    found = tmp_path / "strangers"
    found.mkdir()
    (found / "own.yaml").write_text(STUDY)
    for path in (tmp_path / "private.png", found / "own.png"):
        Image.new("RGB", (9, 9), "red").save(path)
    return found


def _items(folder: Path, *paths: str, output: bool = False) -> Path:
    """A file of items that names files."""
    parts = [{"name": "p", "kind": "picture", "path": path} for path in paths]
    rows = [
        {"key": f"k{at}", "outputs": [{"source": "s", "parts": [part]}]}
        if output
        else {"key": f"k{at}", "parts": [part]}
        for at, part in enumerate(parts)
    ]
    found = folder / "items.jsonl"
    found.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return found


class TestFilesOfItems:
    @pytest.mark.parametrize("output", [False, True])
    @pytest.mark.parametrize(
        "path",
        ["../private.png", "{outside}", "link.png", "sub/../../private.png", "a\0b", "circle"],
    )
    def test_outside_of_their_folder_are_not_read(
        self, folder: Path, path: str, output: bool
    ) -> None:
        outside = folder.parent / "private.png"
        (folder / "link.png").symlink_to(outside)
        (folder / "circle").symlink_to(folder / "circle")
        items = _items(folder, "own.png", path.format(outside=outside), output=output)
        with pytest.raises(InputError, match=r"k1 names .* not in the same folder") as told:
            make_study(str(folder / "own.yaml"), [items])
        assert "--files-anywhere" in str(told.value)

    def test_outside_are_read_where_that_is_allowed(self, folder: Path) -> None:
        outside = folder.parent / "private.png"
        (folder / "link.png").symlink_to(outside)
        items = _items(folder, "own.png", str(outside), "link.png", "../private.png")
        made = make_study(str(folder / "own.yaml"), [items], anywhere=True)
        created = create_study(folder.parent / "made", made.study, made.items)
        assert (created.items, list(created.left_out)) == (4, [])
        command = ["study", "create", str(folder / "own.yaml"), "--from", str(items), "--out"]
        done = CliRunner().invoke(cli, [*command, str(folder / "cli"), "--files-anywhere"])
        assert done.exit_code == 0

    def test_are_looked_for_beside_their_file_and_nowhere_else(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(folder.parent)
        made = make_study(str(folder / "own.yaml"), [_items(folder, "private.png")])
        with pytest.raises(DeadpanError, match="no such picture"):
            create_study(folder.parent / "made", made.study, made.items)

    def test_that_are_no_plain_files_are_left_out_and_wait_for_nothing(self, folder: Path) -> None:
        os.mkfifo(folder / "pipe.png")
        (folder / "folder.png").mkdir()
        (folder / "text.png").write_text("root:x:0:0")
        (folder / "script.png").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
        names = ["own.png", "pipe.png", "folder.png", "text.png", "script.png", "none.png"]
        made = make_study(str(folder / "own.yaml"), [_items(folder, *names)])
        created = create_study(folder.parent / "made", made.study, made.items)
        assert created.items == 1 and len(created.left_out) == 5

    def test_of_a_study_are_for_its_owner_alone(self, tmp_path: Path) -> None:
        created = create_study(tmp_path / "new" / "study", a_study(), [explained("k", titan="x")])
        assert stat.S_IMODE(created.opened.folder.stat().st_mode) == 0o700


class TestStudiesOfStrangers:
    @pytest.mark.parametrize(
        "text",
        [
            "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
            "title: !!python/object/apply:os.system ['touch /tmp/owned']",
            "title: !!python/name:os.system",
            "<<: {name: x}",
            "[" * 5_000,
            "{a: " * 3_000,
            "- " * 20_000 + "x",
            "name: " + "9" * 10_000,
            "",
            "name: own\x00",
            "%TAG ! tag:evil,2000:\n---\n!x y",
        ],
        ids=lambda text: text[:20],
    )
    def test_are_told_and_run_nothing(self, text: str) -> None:
        with pytest.raises(InputError):
            study_of(text, "stranger.yaml")

    def test_that_are_enormous_are_not_parsed(self, tmp_path: Path) -> None:
        (tmp_path / "huge.yaml").write_text(STUDY + "#" * 2_100_000)
        with pytest.raises(InputError, match="expected a study"):
            read_study(tmp_path / "huge.yaml")

    @pytest.mark.parametrize(
        "more",
        [
            "teams: 1000000000",
            "practice: {sessions: 1000000000}",
            "recruiting: {return_to: 'javascript:alert(1)'}",
            "recruiting: {return_to: 'https://{code}.evil.example'}",
            "languages: [<script>]",
            "unknown: field",
        ],
    )
    def test_with_fields_that_would_harm_are_told(self, more: str) -> None:
        with pytest.raises(InputError):
            study_of(STUDY + more, "stranger.yaml")

    def test_names_are_told_on_the_command_line(self, folder: Path) -> None:
        command = ["study", "create", str(folder / "own.yaml"), "--from"]
        command += [str(_items(folder, "own.png")), "--name", "../../etc"]
        done = CliRunner().invoke(cli, command)
        assert isinstance(done.exception, DeadpanError) or done.exit_code == 2


FORMULAS = ('=HYPERLINK("http://evil.example")', "+1", "-1+1", "@SUM(1)", "\t=1", "＝1", "=1\n=2")


class TestExports:
    def test_hold_no_formula_and_no_name(self, tmp_path: Path) -> None:
        items = [explained(text, **{text: "x"}) for text in FORMULAS]
        room = served(tmp_path / "study", a_study(rated()), items)
        person = room.person("=Ann Amber")
        while (task := person.task()) is not None:
            person.submit(task, rating="3", why=FORMULAS[0])
        for form in ("csv", "parquet"):
            paths = write_export(gather(room.study), tmp_path / form, form)
            assert not any(b"Amber" in path.read_bytes() for path in paths)
        for path in (tmp_path / "csv").glob("*.csv"):
            rows = list(csv.reader(path.open(newline="")))
            cells = [cell for row in rows[1:] for cell in row]
            assert not [cell for cell in cells if cell.startswith(tuple("=+-@\t\r\n＝"))], path
        table = pl.read_parquet(tmp_path / "parquet" / "ratings.parquet")
        assert set(table["note"]) == {FORMULAS[0]}, "what is no spreadsheet keeps the text"
