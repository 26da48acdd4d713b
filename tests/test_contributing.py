"""The benchmark that CONTRIBUTING.md shows, installed beside the package and run as it stands."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
BLOCK = re.compile(r"```(?:python|text)\n# (haiku/\S+)\n(.*?)```", re.S)
ENTRY = re.compile(r"```toml\n(\[project\.entry-points.*?)```", re.S)
ANSWERS = {
    "close": {"syllables": {"pond": "5", "snow": "4", "moon": "7"}, "mood": "calm"},
    "far": {"syllables": {"pond": "9", "snow": "no idea", "moon": "1"}, "mood": "cold"},
}
Call = Callable[..., str]


@pytest.fixture
def call(tmp_path: Path) -> Call:
    """Runs the command line where the benchmark is installed."""
    site = tmp_path / "site"
    text = PAGE.read_text(encoding="utf-8")
    for name, content in BLOCK.findall(text):
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    info = site / "haiku-1.0.dist-info"
    info.mkdir()
    entry = ENTRY.findall(text)[0].replace("[project.entry-points.", "[").replace('"', "")
    (info / "entry_points.txt").write_text(entry)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: haiku\nVersion: 1.0\n")
    path = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "COLUMNS": "200"}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", "from deadpan.cli import main; main()", *arguments],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def predictions(path: Path) -> None:
    rows = [
        {"item": item, "task": "syllables", "answer": answer, "model": model}
        for model, said in ANSWERS.items()
        for item, answer in said["syllables"].items()
    ]
    rows += [
        {"item": item, "task": "mood", "answer": said["mood"], "model": model}
        for model, said in ANSWERS.items()
        for item in ("pond", "snow", "moon")
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_it_prints_groups_bolds_and_reports_right(call: Call, tmp_path: Path) -> None:
    predictions(tmp_path / "answers.jsonl")
    said = call(
        *("score", "haiku", "--predictions", "answers.jsonl", "--judge", "judge/lexical"),
        *("--groups", "--json", "scores.json", "--table", "table.parquet"),
    )
    assert re.search(r"close +syllables +off_by ↓ +all +0\.33 +3 ", said)
    assert re.search(r"far +syllables +off_by ↓ +all +5\.00 +3 +1 ", said)
    assert re.search(r"close +mood +fits +season=winter +0\.0 ", said)
    document = json.loads((tmp_path / "scores.json").read_text())
    assert document["metrics"]["off_by"]["better"] == "lower"
    rows = {(r["model"], r["metric"], r["group"]): r["value"] for r in document["rows"]}
    assert rows["close", "off_by", "all"] == pytest.approx(1 / 3)
    assert rows["far", "off_by", "season=winter"] == 5, "what cannot be read is off by all"
    assert rows["close", "fits", "all"] == pytest.approx(200 / 3)
    assert rows["far", "fits", "season=winter"] == 100
    seasons = [r["group"] for r in document["rows"] if r["model"] == "close"][1:4]
    assert seasons == ["season=spring", "season=autumn", "season=winter"]

    own = pl.read_parquet(tmp_path / "table.parquet").filter(pl.col("task") == "syllables")
    scores = dict(zip(own["model"] + " " + own["item"], own["score.off_by"], strict=True))
    assert scores["close snow"] == 1 and scores["far moon"] == 6

    for suffix in ("html", "tex", "csv", "json", "md"):
        call("report", "table.parquet", "--out", f"report.{suffix}")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "↓" in page and re.search(r"<(?:strong|b)[^>]*>0\.33</", page)
    tex = (tmp_path / "report.tex").read_text(encoding="utf-8")
    assert r"\textbf{0.33}" in tex and r"\textbf{66.7}" in tex and r"\textbf{5.00}" not in tex
    with (tmp_path / "report.csv").open(encoding="utf-8") as file:
        found = [row for row in csv.DictReader(file) if row["metric"] == "off_by"]
    assert {row["better"] for row in found} == {"lower"}
    again = json.loads((tmp_path / "report.json").read_text())
    assert again["rows"] == document["rows"]


def test_it_is_asked_listed_and_loaded(call: Call, tmp_path: Path) -> None:
    assert "off_by" in call("list")
    run = ("run", "haiku", "--model", "baseline/random", "--judge", "judge/lexical")
    assert "baseline/random syllables: 3/3 answered" in call(*run)
    assert "3/3 answered" in call(*run), "again, from the store"
