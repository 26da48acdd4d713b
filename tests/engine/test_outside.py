"""A package beside Deadpan brings a benchmark by its folder and one entry-point line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.outside_package import PACKAGE


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An installed package `cointoss` with its entry point."""
    site = tmp_path / "site"
    prompts = site / "cointoss" / "prompts" / "en"
    prompts.mkdir(parents=True)
    (site / "cointoss" / "__init__.py").write_text(PACKAGE)
    (prompts / "system.txt").write_text("You see coins.")
    (prompts / "side.txt").write_text("Heads or tails?")
    info = site / "cointoss-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cointoss\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[deadpan.benchmarks]\ncointoss = cointoss:COINTOSS\n")
    places = filter(None, [str(site), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(places)}


def test_deadpan_and_inspect_both_know_it(tmp_path: Path, environment: dict[str, str]) -> None:
    def call(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            env=environment,
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return done.stdout

    deadpan = ("-c", "from deadpan.cli import main; main()")
    call(*deadpan, "run", "cointoss", "--model", "baseline/majority", "--json", "scores.json")
    document = json.loads((tmp_path / "scores.json").read_text())
    row, *_ = document["rows"]
    assert (row["metric"], row["n"]) == ("accuracy", 9)
    assert row["value"] == pytest.approx(6 / 9)

    call("-m", "inspect_ai", "eval", "deadpan/cointoss_side", "--model", "baseline/majority",
         "--log-dir", "inspect", "--display", "none")  # fmt: skip
    call(*deadpan, "score", "inspect", "--json", "again.json")
    assert json.loads((tmp_path / "again.json").read_text()) == document
    call(*deadpan, "report", "inspect", "--out", "report.html")
    assert "Coin toss" in (tmp_path / "report.html").read_text()
