"""The benchmark of the plug-in tutorial, installed beside the package and run as it stands."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import polars as pl
import pytest

from deadpan.studies.making.creating import open_study
from tests.installed_haiku import Haiku, install
from tests.studies.robots import everybody, served, work_together

ANSWERS = {
    "close": {"syllables": {"pond": "**5**", "snow": "4", "moon": "It has 7."}, "mood": "calm"},
    "far": {"syllables": {"pond": "9", "snow": "no idea", "moon": "1"}, "mood": "cold"},
}

REPORTS = """
import sys
from deadpan.cli import main
for suffix in sys.argv[1:]:
    sys.argv = ["deadpan", "report", "table.parquet", "--out", f"report.{suffix}"]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code
"""
"""The command once for each form, in one process: starting takes longer than reporting."""


@pytest.fixture
def call(tmp_path: Path) -> Haiku:
    """The command line where the benchmark is installed."""
    return install(tmp_path)


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


def test_it_prints_groups_compares_and_reports_right(call: Haiku, tmp_path: Path) -> None:
    predictions(tmp_path / "answers.jsonl")
    said = call(
        *("score", "haiku", "--predictions", "answers.jsonl", "--judge", "judge/lexical"),
        *("--groups", "--json", "scores.json", "--table", "table.parquet"),
    )
    assert re.search(r"close +syllables +off_by ↓ +all +0\.33 +3 ", said)
    assert re.search(r"far +syllables +off_by ↓ +all +5\.00 +3 +1 ", said)
    assert re.search(r"close +mood +fits % +season=winter +0\.0 ", said)
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

    done = call.run("-c", REPORTS, "html", "tex", "csv", "json", "md")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "↓" in page and "0.33" in page
    assert not re.search(r"<(?:strong|b)[^>]*>0\.33</", page), "three items cannot tell"
    tex = (tmp_path / "report.tex").read_text(encoding="utf-8")
    assert "0.33" in tex and "66.7" in tex and r"\textbf{" not in tex
    marked = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "syllables? syllables off ↓" in marked and "**0.33**" not in marked
    with (tmp_path / "report.csv").open(encoding="utf-8") as file:
        found = [row for row in csv.DictReader(file) if row["metric"] == "off_by"]
    assert {row["better"] for row in found} == {"lower"}
    again = json.loads((tmp_path / "report.json").read_text())
    assert again["rows"] == document["rows"]

    # By season in every format: spring, autumn and winter, in this order.
    assert re.search(r"\*\*close\*\* \| 0\.00[^|]* \| 0\.00[^|]* \| 1\.00", marked)
    assert re.search(r"far\S* \| 4\.00[^|]* \| 6\.00[^|]* \| 5\.00", marked)
    assert re.search(r"far & 4\.00[^&]* & 6\.00[^&]* & 5\.00", tex) and "{spring}" in tex
    table = page[page.index("How many syllables? by season</bdi></h3>") :].partition("</table>")[0]
    cells = re.findall(r">\s*(spring|autumn|winter|\d\.\d\d)\s*<", table)
    assert cells[:3] == ["spring", "autumn", "winter"] and sorted(cells[3:]) == [
        *("0.00", "0.00", "1.00", "4.00", "5.00", "6.00")
    ]
    by_group = {(row["model"], row["group"]): float(row["value"]) for row in found}
    assert by_group["close", "season=winter"] == 1 and by_group["far", "season=autumn"] == 6

    refused = call.deadpan("report", "table.parquet", "--only", "1")
    assert refused.returncode == 2
    assert "error: --only 1: no published tables of haiku" in refused.stderr


def test_it_is_asked_listed_and_loaded(call: Haiku, tmp_path: Path) -> None:
    assert "off_by" in call("list")
    run = ("run", "haiku", "--model", "baseline/random", "--judge", "judge/lexical")
    assert "baseline/random syllables: 3/3 answered" in call(*run)
    assert "3/3 answered" in call(*run), "again, from the store"


def test_inspect_asks_and_logs_and_deadpan_scores(call: Haiku) -> None:
    for task, graded in (("syllables", ()), ("mood", ("--judge", "judge/lexical"))):
        asked = ("eval", f"deadpan/haiku_{task}", "--model", "baseline/random", "--log-dir", task)
        done = call.run("-m", "inspect_ai", *asked, "--display", "plain")
        assert done.returncode == 0, done.stderr
        assert "off_by" not in done.stdout and "fits" not in done.stdout
        metric = "fits %" if graded else "off_by ↓"
        assert re.search(rf"{task} +{metric} +\d+\.\d+ +3 ", call("score", task, *graded))


def test_its_study_is_made_answered_and_exported(call: Haiku, tmp_path: Path) -> None:
    assert "haiku/mood" in call("study", "list")
    refused = call.deadpan("study", "create", "haiku/mood", "--set", "people=0", "--out", "none")
    assert refused.returncode == 2 and "expected 1 or more" in refused.stderr
    call("study", "create", "haiku/mood", "--set", "people=2", "--out", "lines")
    room = served(open_study(tmp_path / "lines"))
    with everybody(room.joined("Ann"), room.joined("Bo")) as people:
        work_together(people, lambda question, item, draw: "cold" if item.key == "snow" else "calm")
    room.study.database.close()
    call("study", "export", "lines", "--format", "csv", "--out", "out")
    with (tmp_path / "out/gold.csv").open(encoding="utf-8") as file:
        gold = {row["item"]: row["value"] for row in csv.DictReader(file) if row["by"] == "agreed"}
    assert gold == {"pond": "calm", "snow": "cold", "moon": "calm"}
    assert re.search(r"mood +agreement_exact +1\.000", call("study", "agreement", "lines"))
