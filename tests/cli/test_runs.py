"""`deadpan runs`: a line for each run, whole and copyable however narrow the terminal is."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Deadpan


@pytest.fixture
def store(deadpan: Deadpan, tmp_path: Path) -> Path:
    folder = tmp_path / "a store with a long name, 答案"
    for limit in (1, 2):
        asking = ("run", "pixelhumor/presence", "--model", "baseline/random", "--limit", limit)
        assert deadpan(*asking, "--store", folder).code == 0
    return folder


def test_every_run_is_a_line_that_names_its_file(
    deadpan: Deadpan, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    heading, first, file, second, other, common = deadpan("runs", store).out.splitlines()
    assert heading.split() == ["answered", "task", "model"], "columns without a word are left out"
    assert first.startswith("1/1 of 35  pixelhumor/presence  baseline/random")
    assert second.startswith("2/2 of 35 ") and len(first) < 60
    assert common.startswith("in all of them: ") and "from:mini-set" in common
    for line in (file, other):
        path = Path(line.strip())
        assert path.is_file() and deadpan("score", path, "-q").code == 0


def test_runs_as_json(deadpan: Deadpan, store: Path) -> None:
    found = json.loads(deadpan("runs", store, "--json", "-").out)
    assert [run["answered"] for run in found] == ["1/1 of 35", "2/2 of 35"]
    assert found[0]["settings"]["temperature"] == "0" and found[0]["reader"] == ""


def test_a_store_that_is_not_there_is_told(deadpan: Deadpan, tmp_path: Path) -> None:
    told = deadpan("runs", tmp_path / "nowhere")
    assert told.code == 2 and "nowhere: no such store" in told.err
