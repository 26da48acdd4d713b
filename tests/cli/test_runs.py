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
    heading, first, second = deadpan("runs", store).out.splitlines()
    assert heading.split() == ["task", "model", "judge", "answered", "settings", "file"]
    assert " 1/1 " in first and " 2/2 " in second and "from:mini-set" in first
    for line in (first, second):
        file = Path(line[line.index(str(store)) :])
        assert file.is_file() and deadpan("score", file, "-q").code == 0


def test_runs_as_json(deadpan: Deadpan, store: Path) -> None:
    found = json.loads(deadpan("runs", store, "--json", "-").out)
    assert [run["answered"] for run in found] == ["1/1 of 35", "2/2 of 35"]


def test_a_store_that_is_not_there_is_told(deadpan: Deadpan, tmp_path: Path) -> None:
    told = deadpan("runs", tmp_path / "nowhere")
    assert told.code == 2 and "nowhere: no such store" in told.err
