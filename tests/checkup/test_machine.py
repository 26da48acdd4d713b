"""Disks and fonts: what is there, and what is odd about where things should lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.checkup.data import data_findings, resource_findings
from deadpan.checkup.findings import Finding
from deadpan.checkup.machine import disk_findings, font_findings
from deadpan.collecting.releases.lock import NAME, Lock
from deadpan.media import fonts


def disks() -> dict[str, Finding]:
    return {one.name: one for one in disk_findings()}


def test_the_room_of_folders_that_are_not_there_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADPAN_STORE", str(tmp_path / "a" / "b"))
    told = disks()["store"]
    assert told.state in ("ok", "note") and "GB free" in told.text
    assert not (tmp_path / "a").exists()


def test_places_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DEADPAN_STORE", str(tmp_path / "file" / "store"))
    assert disks()["store"].state == "broken" and "is no folder" in disks()["store"].text
    monkeypatch.setenv("DEADPAN_CACHE", "x" * 5000)
    assert disks()["cache"].fix == ("export DEADPAN_CACHE=FOLDER",)
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    monkeypatch.setenv("DEADPAN_STORE", str(tmp_path / "circle"))
    assert disks()["store"].state == "broken"


def test_fonts_of_the_package_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (told,) = font_findings()
    assert told.state == "ok"
    (tmp_path / "odd.otf").write_bytes(b"odd")
    monkeypatch.setattr(fonts, "CHINESE", tmp_path / "odd.otf")
    (told,) = font_findings()
    assert (told.section, told.state) == ("core", "broken") and "odd.otf" in told.text


def test_resources_are_told_by_name() -> None:
    told = {one.state: one for one in resource_findings()}
    listed = ", ".join(one.text for one in told.values())
    assert "nrc" in listed and "minilm" in listed
    assert told["missing"].fix[-1].startswith("deadpan resources get")


def test_released_data_is_looked_for_where_data_get_lays_it(tmp_path: Path) -> None:
    (tmp_path / "pixelhumor").mkdir()
    (tmp_path / "pixelhumor" / "annotation.csv").write_text("")
    (tmp_path / "vimu").mkdir()
    (tmp_path / "vimu" / NAME).write_text("{}")
    told = {one.name: one for one in data_findings(tmp_path)}
    assert told["pixelhumor"].state == "ok" and "not laid there" in told["pixelhumor"].text
    assert told["merbench"].fix == ("deadpan data get merbench",)
    assert told["janusmm"].state == "note" and "no release" in told["janusmm"].text
    assert told["vimu"].state == "broken"


def test_a_download_that_got_no_file_is_no_data(tmp_path: Path) -> None:
    (tmp_path / "pixelhumor").mkdir()
    lock = Lock(
        benchmark="pixelhumor", source="GitHub", revision="main", commit="0" * 40, licence="none"
    )
    (tmp_path / "pixelhumor" / NAME).write_text(lock.model_dump_json())
    (told,) = (one for one in data_findings(tmp_path) if one.name == "pixelhumor")
    assert told.state == "missing" and "holds none of the files" in told.text
    assert told.fix == ("deadpan data get pixelhumor",)
