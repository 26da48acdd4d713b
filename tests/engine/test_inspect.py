"""`inspect eval` and `deadpan run` are one, and Inspect is spoken to in one place."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deadpan import benchmarks
from deadpan.base.errors import InputError
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs

SOURCE = Path(benchmarks.__file__).parents[1]


def test_inspect_is_imported_in_one_place() -> None:
    importers = {
        path.relative_to(SOURCE).parts[0]
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        and any(
            name.split(".")[0] == "inspect_ai"
            for name in (
                [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
            )
        )
    }
    assert importers == {"engine"}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `inspect eval` left of one task."""
    folder = tmp_path_factory.mktemp("inspect")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "inspect_ai",
            "eval",
            "deadpan/pixelhumor_panel_order",
            "--model",
            "baseline/random",
            "--log-dir",
            str(folder),
            "--display",
            "none",
            "--no-log-images",
        ],
        check=True,
        cwd=folder,
        env={**os.environ, "DEADPAN_CACHE": str(tmp_path_factory.getbasetemp() / "cache")},
        capture_output=True,
        timeout=120,
    )
    return folder


def test_inspect_eval_gives_the_same_table(logs: Path, tmp_path: Path) -> None:
    settings = RunSettings(store=tmp_path / "deadpan")
    ours = results_of_runs(run({"pixelhumor": ["panel_order"]}, "baseline/random", settings))
    theirs = results_of_runs([logs])
    columns = [name for name in ours.columns if name not in ("seconds",)]
    assert ours.select(columns).sort("item").equals(theirs.select(columns).sort("item"))


@pytest.mark.parametrize("share", [0.0, 0.5, 0.95])
def test_a_damaged_log_is_named(logs: Path, tmp_path: Path, share: float) -> None:
    (log,) = logs.glob("*.eval")
    copy = tmp_path / log.name
    copy.write_bytes(log.read_bytes()[: int(log.stat().st_size * share)])
    with pytest.raises(InputError, match="cannot be read as an Inspect log") as told:
        results_of_runs([copy])
    assert log.name in str(told.value)
