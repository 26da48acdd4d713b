"""`deadpan doctor`: what it prints, how it ends, and that it works where little else does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from deadpan.checkup import packages
from deadpan.checkup.imports import Imported
from tests.cli.conftest import Deadpan

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Nothing is imported; what is to fail on import may be put in."""
    faults: dict[str, str] = {}

    def import_each(modules: Sequence[str]) -> Iterator[tuple[str, Imported]]:
        return ((one, Imported(faults.get(one))) for one in modules)

    monkeypatch.setattr(packages, "import_each", import_each)
    return faults


def test_it_tells_what_there_is_in_80_columns(
    deadpan: Deadpan, quick: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    done = deadpan("doctor")
    assert done.code == 0, done.out
    for said in ("Deadpan ", "CPython", "[text]", "fonts", "store", "nrc", "data/merbench", "hub"):
        assert said in done.out, said
    assert done.out.splitlines()[-1].startswith("The core works")
    assert "\x1b" not in done.out
    long = [line for line in done.out.splitlines() if len(line) > 80]
    assert [line for line in long if " ok " not in line and "/" not in line] == []
    assert list(tmp_path.iterdir()) == []


def test_it_fails_by_the_core_and_by_what_is_asked_for(
    deadpan: Deadpan, quick: dict[str, str]
) -> None:
    quick["jieba"] = "ImportError: odd\nand long"
    done = deadpan("doctor")
    assert done.code == 0 and " broken.\n" in done.out
    done = deadpan("doctor", "text", "ocr")
    assert done.code == 1 and done.out.endswith("Not in order: text.\n")
    assert "does not import: ImportError: odd and" in done.out
    quick["polars"] = "ImportError: odd"
    assert deadpan("doctor").code == 1


def test_an_extra_that_there_is_not_is_told(deadpan: Deadpan) -> None:
    done = deadpan("doctor", "txt")
    assert done.code == 2 and "txt: no such extra; did you mean text?;" in done.err


def test_json_has_the_standard_output_to_itself(
    deadpan: Deadpan, quick: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", "very-hidden-secret")
    monkeypatch.setenv("ODD_BASE_URL", "http://\x1b[2J\u202e very-hidden-secret/v1")
    done = deadpan("doctor", "--json", "-")
    told = json.loads(done.out)
    assert told["works"] is True and "The core works" in done.err
    assert {one["section"] for one in told["findings"]} >= {"core", "extras", "servers", "keys"}
    assert deadpan("doctor", "--json", tmp_path / "found.json").code == 0
    for text in (done.out, done.err, (tmp_path / "found.json").read_text("utf-8")):
        assert "LOCAL_API_KEY" in text and "very-hidden" not in text
        assert "\x1b" not in text and "\u202e" not in text


def run_apart(folder: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with modules of a folder before all others."""
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{SOURCE}", **settings}
    command = [sys.executable, "-m", "deadpan", "doctor", *arguments]
    return subprocess.run(
        command,
        env=environment,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_it_works_where_packages_of_the_core_are_broken(tmp_path: Path) -> None:
    for name in ("torch", "ray", "transformers", "sentence_transformers", "diffusers"):
        (tmp_path / f"{name}.py").write_text("")  # quick to import
    (tmp_path / "polars.py").write_text("raise ImportError('no polars here')")
    (tmp_path / "altair.py").write_text("import os; os.abort()")
    done = run_apart(tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 1, done.stderr
    assert "polars" in done.stdout and "no polars here" in done.stdout
    assert "the import ends Python (SIGABRT)" in done.stdout
    assert "Traceback" not in done.stderr
