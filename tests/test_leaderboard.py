"""The picture of published values beside our own takes scores of the released data alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import deadpan
from deadpan.core.published import read_published

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "leaderboard.py"
TASKS = ("presence", "modality", "style", "panel", "panel_order", "panel_text")


def document(signature: str) -> str:
    """A file of scores as `deadpan run --json` writes it, of two baselines."""
    rows = [
        {"model": f"baseline/{name}", "task": task, "metric": metric, "group": "all"}
        | {"value": 0.5, "low": 0.4, "high": 0.6125}
        for name in ("majority", "random")
        for task in TASKS
        for metric in ("f1", "accuracy")
    ]
    return json.dumps({"benchmark": "pixelhumor", "signature": signature, "rows": rows})


def draw(folder: Path, signature: str) -> subprocess.CompletedProcess[str]:
    (folder / "scores.json").write_text(document(signature), encoding="utf-8")
    command = [sys.executable, SCRIPT, folder / "scores.json", folder / "board"]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


def test_the_leaderboard_draws_published_values_and_ours(tmp_path: Path) -> None:
    done = draw(tmp_path, "pixelhumor/presence|v5|n:2800|data:7afd9730|gate:none|shown:text")
    assert done.returncode == 0, done.stderr
    published = read_published(deadpan.load("pixelhumor").benchmark.folder)
    assert published is not None
    best = published.rows.filter(task="panel_order", metric="accuracy", model="GPT-4o")
    assert f"| {best['printed'][0]} |" in done.stdout.splitlines()[2]
    assert "| most frequent answer (ours) | 0.500 [0.400, 0.613] |" in done.stdout
    for name in ("board.png", "board-narrow.png", "board-zh.png", "board-zh-narrow.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")
    drawn = (tmp_path / "board.svg").read_text("utf-8")
    assert "shown:text" in drawn and "GPT-4o" in drawn


def test_scores_of_other_data_are_refused(tmp_path: Path) -> None:
    done = draw(tmp_path, "pixelhumor/presence|v5|n:35|data:60c6d87d|shown:text")
    assert done.returncode == 1
    assert "not of all released data" in done.stderr


def test_scores_behind_a_gate_are_refused(tmp_path: Path) -> None:
    done = draw(tmp_path, "pixelhumor/presence|v5|n:2800|data:7afd9730|gate:na|shown:text")
    assert done.returncode == 1
    assert "expected --gate none" in done.stderr
