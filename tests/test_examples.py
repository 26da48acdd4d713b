"""The examples' campaigns, studies and predictions are what the commands take, as they lie."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path

import pytest
import yaml
from pydantic import JsonValue

from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import Question
from deadpan.studies.making.creating import open_study
from tests.cli.conftest import Deadpan
from tests.cli.conftest import deadpan as deadpan
from tests.studies.robots import any_answer, everybody, served, work_together

EXAMPLES = Path(__file__).parents[1] / "examples"
CAMPAIGNS = EXAMPLES / "campaigns"
STUDIES = {"preference": "choices", "rating": "ratings", "annotation": "annotations"}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written beside the examples; keys are there, and no server behind them."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "LAB_API_KEY"):
        monkeypatch.setenv(name, "none")
    monkeypatch.setenv("LAB_BASE_URL", "http://127.0.0.1:9/v1")


def test_every_file_is_tested_and_told_of() -> None:
    about = (EXAMPLES / "README.md").read_text("utf-8")
    assert {path.stem for path in CAMPAIGNS.iterdir()} == {"demo", "paper", "local"}
    assert {path.name for path in (EXAMPLES / "studies").iterdir()} == set(STUDIES)
    files = [path for path in EXAMPLES.rglob("*") if path.suffix in (".ipynb", ".yaml", ".jsonl")]
    for path in (one for one in files if one.parent.parent.name != "studies"):
        assert path.relative_to(EXAMPLES).as_posix() in about
    assert all(f"studies/{name}" in about for name in STUDIES)


@pytest.mark.parametrize("name", ["demo", "paper"])
def test_a_campaign_is_counted_as_it_lies(name: str, deadpan: Deadpan, tmp_path: Path) -> None:
    run = deadpan("suite", CAMPAIGNS / f"{name}.yaml", "--dry-run")
    assert run.code == 0, run.err
    assert re.search(r"^all +[\d,]+ +[\d,]+ ", run.out + run.err, re.M)
    assert not list(tmp_path.iterdir())


def test_the_local_campaign_is_counted_where_its_model_is(deadpan: Deadpan, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the [learn] extra")
    from tests.learning.finetune.tiny_models import tiny_qwen

    tiny_qwen(tmp_path / "models" / "base")
    run = deadpan("suite", CAMPAIGNS / "local.yaml", "--dry-run")
    assert run.code == 0, run.err
    assert "Base, text only" in run.out + run.err


def test_the_demo_runs_limited(deadpan: Deadpan, tmp_path: Path) -> None:
    campaign = yaml.safe_load((CAMPAIGNS / "demo.yaml").read_text("utf-8"))
    campaign["benchmarks"] = [{"name": name, "limit": 3} for name in campaign["benchmarks"]]
    (tmp_path / "less.yaml").write_text(yaml.safe_dump(campaign), "utf-8")
    run = deadpan("suite", "less.yaml")
    assert run.code == 0, run.err
    out = tmp_path / campaign["out"]
    assert {"report.html", "scores.json", "SHA256SUMS"} <= {path.name for path in out.iterdir()}


def said(question: Question, item: StudyItem, draw: random.Random) -> JsonValue:
    """What is right where it is known; else an answer that two people often differ on."""
    return item.gold.get(question.name) or any_answer(question, item, draw)


@pytest.mark.parametrize(("name", "produces"), STUDIES.items())
def test_a_study_is_made_answered_and_exported(
    name: str, produces: str, deadpan: Deadpan, tmp_path: Path
) -> None:
    folder = EXAMPLES / "studies" / name
    made = deadpan(
        *("study", "create", folder / "study.yaml", "--from", folder / "items.jsonl"),
        *("--out", "made"),
    )
    assert made.code == 0 and "warning" not in made.err and "note:" not in made.err, made.err
    room = served(open_study(tmp_path / "made"))
    study = room.study.study
    assert study.produces == produces
    both = {"languages": ["en", "zh"]}
    people = [room.joined(f"rater {n}", **both) for n in range(study.stages[0].people or 1)]
    thirds = [room.joined("third", "adjudicator", **both)] if name == "annotation" else []
    with everybody(*people, *thirds) as working:
        work_together(working, said)
    room.study.database.close()
    exported = deadpan("study", "export", "made", "--format", "csv", "--out", "out")
    assert exported.code == 0, exported.err
    with (tmp_path / "out" / f"{produces}.csv").open(encoding="utf-8") as file:
        told = {row["item"].partition(" / ")[0] for row in csv.DictReader(file)}
    lines = (folder / "items.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert told == {row["key"] for row in rows if "kind" not in row}
    assert not re.search(r"\d open", deadpan("study", "status", "made").out)


def test_predictions_are_scored(deadpan: Deadpan) -> None:
    run = deadpan("score", "cfms", "--predictions", EXAMPLES / "predictions" / "cfms.jsonl")
    assert run.code == 0, run.err
    assert "16/24 answered, 6 invalid, 2 refused" in run.out + run.err
