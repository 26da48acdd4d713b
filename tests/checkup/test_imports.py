"""Modules are imported where nothing that they do can reach us."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.checkup.imports import import_each

ODD = {
    "sound_one": "print('noise' * 100_000)",
    "raises_one": "raise ImportError('libodd.so.1: cannot open shared object file')",
    "leaves_one": "raise SystemExit('no')",
    "aborts_one": "import os; os.abort()",
    "ends_one": "import os; os._exit(7)",
    "hangs_one": "import time; time.sleep(60)",
    "sound_two": "import sys; sys.stdin.read()",
}


@pytest.fixture
def odd_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in ODD.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def test_each_costs_itself_alone(odd_modules: None) -> None:
    told = dict(import_each([*ODD, "json", "not_there"], seconds=5))
    assert list(told) == [*ODD, "json", "not_there"]
    errors = {name: one.error for name, one in told.items()}
    assert errors["sound_one"] is errors["sound_two"] is errors["json"] is None
    assert "libodd.so.1" in str(errors["raises_one"])
    assert errors["leaves_one"] == "SystemExit: no"
    assert errors["aborts_one"] == "the import ends Python (SIGABRT)"
    assert errors["ends_one"] == "the import ends Python (status 7)"
    assert errors["hangs_one"] == "the import is not done after 5 s"
    assert str(errors["not_there"]).startswith("ModuleNotFoundError")


def test_nothing_to_import_starts_nothing() -> None:
    assert list(import_each([])) == []
