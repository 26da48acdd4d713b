"""`deadpan resources`: what is listed, what is got, how it ends when something is not."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.resources import path_of
from deadpan.cli.resources import app
from tests.collecting.resources.conftest import WORDS

runner = CliRunner()

pytestmark = pytest.mark.usefixtures("toys")


def test_the_list_tells_present_from_missing(registry: Path, tmp_path: Path) -> None:
    assert runner.invoke(app, ["get", "words"]).exit_code == 0
    out = tmp_path / "list.json"
    result = runner.invoke(app, ["list", "--json", str(out)])
    assert result.exit_code == 0
    rows = {row["name"]: row for row in json.loads(out.read_text())["resources"]}
    assert {name: row["present"] for name, row in rows.items()} == {
        "words": True,
        "encoder": False,
        "remote": False,
    }
    assert rows["words"]["sha256"] == WORDS.checksum and rows["words"]["licence"] == "CC0"
    assert rows["remote"]["sha256"] is None and rows["remote"]["size"] is None
    assert "toy/remote on the hub, revision abc123def" in rows["remote"]["source"]


def test_one_failure_stops_no_other(registry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    result = runner.invoke(app, ["get", "remote", "words", "words"])
    assert isinstance(result.exception, DeadpanError)
    assert str(result.exception) == "1 of 2 could not be fetched: remote"
    assert path_of("words").is_file()


def test_from_is_for_one_resource(tmp_path: Path) -> None:
    result = runner.invoke(app, ["get", "words", "encoder", "--from", str(tmp_path)])
    assert isinstance(result.exception, InputError)


def test_an_unknown_name_is_told_before_anything_is_fetched(cache: Path) -> None:
    result = runner.invoke(app, ["get", "words", "wrods"])
    assert isinstance(result.exception, InputError) and "no such resource" in str(result.exception)
    assert not cache.exists()
