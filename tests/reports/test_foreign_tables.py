"""A table from a stranger takes nothing of this machine into a page, a sheet or a terminal."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from deadpan.base.files import cache_folder
from deadpan.base.printable import escaped_json, in_cell, out_of_cell
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.core.questions import Picture
from deadpan.media.prepared import prepare_image
from deadpan.reports import Section, report_text
from deadpan.reports.pictures import small_picture, small_pictures
from tests.reports.toy import toy_section, toy_table

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\u2066\x00\x7f"


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A picture that nobody meant to pass on."""
    path = tmp_path / "home" / "passport.png"
    path.parent.mkdir()
    Image.new("RGB", (30, 20), "purple").save(path)
    return path


def test_a_private_picture_is_not_pulled_in(
    private: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "logs"
    named.mkdir()
    (named / "link.png").symlink_to(private)
    (named / "away").symlink_to(private.parent)
    monkeypatch.chdir(named)
    paths = (
        str(private),
        "../home/passport.png",
        str(named / ".." / "home" / "passport.png"),
        str(named / "link.png"),
        str(named / "away" / "passport.png"),
        "link.png",
        str(cache_folder("pictures") / ".." / ".." / "home" / "passport.png"),
    )
    for small in small_pictures(paths, [named]).values():
        assert small.uri == "" and "--pictures" in small.note
    assert small_picture(str(private), [private.parent]).uri


def test_what_is_no_picture_is_never_embedded(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "ps.png").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n")
    (tmp_path / "key.png").write_text("-----BEGIN OPENSSH PRIVATE KEY-----")
    (tmp_path / "drawing.png").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    for name in ("pipe.png", "ps.png", "key.png", "drawing.png"):
        assert small_picture(str(tmp_path / name), [tmp_path]).uri == ""
    for path in (
        "/etc/passwd",
        "/home/somebody/.ssh/x.png",
        "../../../etc/passwd",
        "",
        "file:///etc/passwd",
    ):
        assert small_picture(path, [tmp_path]).uri == ""


def test_a_page_of_a_foreign_table_holds_no_private_picture(private: Path, tmp_path: Path) -> None:
    table = toy_table(tmp_path, items=4).with_columns(
        picture=pl.lit(str(private)), notes=pl.lit(str(private)), question=pl.lit(str(private))
    )
    section = replace(toy_section(tmp_path, table), picture_folders=())
    page = report_text([section], ".html")
    assert "data:image/webp" not in page and "passport.png is not in a folder" in page
    section = replace(section, picture_folders=(private.parent,))
    assert "data:image/webp" in report_text([section], ".html")


def test_pictures_of_ones_own_run_and_of_mini_sets_are_shown(private: Path) -> None:
    prepared = prepare_image(Picture(path=str(private))).path
    assert prepared is not None and small_picture(prepared).uri
    question = PIXELHUMOR.questions(
        PIXELHUMOR.read(None), "presence", PIXELHUMOR.prompts("presence")
    )[0]
    assert small_picture(question.pictures[0].path).uri


def test_a_cached_picture_is_shown_under_a_name_of_its_content_only(private: Path) -> None:
    folder = cache_folder("pictures")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "guessed.png").write_bytes(private.read_bytes())
    assert small_picture(str(folder / "guessed.png")).uri == ""
    link = folder / f"{hashlib.sha256(b'x').hexdigest()}.png"
    link.symlink_to(private)
    assert small_picture(str(link)).uri == ""
    link.unlink()


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_tables_carry_no_commands_for_terminals(section: Section, suffix: str) -> None:
    hostile = f"=cmd|' /C calc'!A0{ESCAPES}"
    scores = [one.model_copy(update={"model": hostile}) for one in section.scores]
    text = report_text([replace(section, scores=scores)], suffix)
    assert not set(text) & set("\x1b\x07\x9b\u202e\u2066\x00\x7f")
    if suffix == ".csv":
        lines = list(csv.reader(io.StringIO(text)))
        assert all(line[1].startswith("'=cmd") and "⟦U+001B⟧" in line[1] for line in lines[1:])
    else:
        assert json.loads(text)["rows"][0]["model"] == hostile


def test_no_cell_begins_a_formula() -> None:
    for start in ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"):
        assert in_cell(f"{start}1+1").startswith("'")
        if start != "\r":
            assert out_of_cell(in_cell(f"{start}1+1")) == f"{start}1+1"
    assert in_cell("plain – 普通") == "plain – 普通"


def test_escaped_json_says_the_same() -> None:
    value = {"a": f"词{ESCAPES}"}
    text = escaped_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value and text.isprintable() and "词" in text
