"""`inspect eval` and `deadpan run` are one, and Inspect is spoken to in one place."""

import ast
import subprocess
import sys
from pathlib import Path

from deadpan import benchmarks
from deadpan.engine.run import RunSettings, run
from deadpan.results import results_of_runs

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


def test_inspect_eval_gives_the_same_table(tmp_path: Path) -> None:
    logs = tmp_path / "inspect"
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
            str(logs),
            "--display",
            "none",
            "--no-log-images",
        ],
        check=True,
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
    )
    settings = RunSettings(store=tmp_path / "deadpan")
    ours = results_of_runs(run({"pixelhumor": ["panel_order"]}, "baseline/random", settings))
    theirs = results_of_runs([logs])
    columns = [name for name in ours.columns if name not in ("seconds",)]
    assert ours.select(columns).sort("item").equals(theirs.select(columns).sort("item"))
