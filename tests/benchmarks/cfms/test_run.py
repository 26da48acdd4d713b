"""CFMS asked and judged end to end in both languages, by a model and a judge on loopback."""

import json
from pathlib import Path

import pytest

from deadpan.pipeline.table import read_tables
from tests.benchmarks.cfms.pair_folder import chinese_row, plain_row, row, write
from tests.cli.conftest import Deadpan, deadpan
from tests.model_server import ModelServer

__all__ = ["deadpan"]

MODEL, JUDGE = "openai-api/loopback/tested", "openai-api/loopback/judge"
JOINT_ZH = "是否讽刺：是\n讽刺对象：公司加班\n讽刺解释：用夸奖反衬深夜工作，讽刺加班文化。"
JOINT_EN = {"sarcastic": True, "target": "cats", "explanation": "The boss is praised."}


def answer(picture: str, prompt: str) -> str:
    """A judge that finds Chinese targets right; a model that calls every post sarcastic."""
    if "same_meaning" in prompt:
        return json.dumps({"same_meaning": "加班文化" in prompt, "reason": "…"})
    return JOINT_ZH if "随图文字" in prompt else json.dumps(JOINT_EN)


def test_the_joint_task_is_asked_judged_and_scored(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    folder = write(tmp_path / "data", [row("e"), plain_row("n"), chinese_row("z")])
    logs, scores = tmp_path / "logs", tmp_path / "f.json"
    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        asking = ("run", "cfms/joint", "--model", MODEL, "--judge", JUDGE, "--data", folder)
        choices = ("--metric-model", "encoder=lexical", "--store", logs, "--json", scores)
        run = deadpan(*asking, *choices)
        assert run.code == 0, run
        # Three answers; the post that is not sarcastic has no target to judge.
        assert server.total == 3 + 2
    rows = json.loads(scores.read_text("utf-8"))["rows"]
    found = {(one["metric"], one["group"]): one["value"] for one in rows}
    assert found["accuracy", "all"] == pytest.approx(200 / 3)
    assert found["precision", "all"] == pytest.approx(200 / 3)
    assert found["recall", "all"] == 100
    assert found["target_accuracy", "language=zh"] == 100
    assert found["target_accuracy", "language=en"] == 0
    assert found["target_accuracy", "all"] == 50
    assert found["bleu4", "language=zh"] > 0


def test_demonstrations_leave_out_the_tasks_without_examples(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    rows = [row("e"), plain_row("m", split="metaphor", metaphor=True), row("t", split="train")]
    folder = write(tmp_path / "data", rows)
    scores = tmp_path / "f.json"
    how = ("--model", MODEL, "--judge", JUDGE, "--fewshot", "random:1", "--data", folder)
    where = ("--store", tmp_path / "logs", "--json", scores, "--metric-model", "encoder=lexical")
    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        run = deadpan("run", "cfms", *how, *where)
        assert run.code == 0, run
        said = " ".join(f"{run}".split())
        assert "left out, without examples for --fewshot: metaphor, metaphor_sarcasm" in said
        named = deadpan("run", "cfms/metaphor", *how, *where)
    assert named.code != 0
    assert "Tasks that have some: joint, identification, target, explanation" in f"{named}"
    asked = {one["task"] for one in json.loads(scores.read_text("utf-8"))["rows"]}
    assert asked == {"joint", "identification", "target", "explanation"}


def test_a_model_that_names_no_target_shares_a_table_with_others(
    deadpan: Deadpan, tmp_path: Path
) -> None:
    """Nothing of it has to be judged; it is signed by the judge of the others all the same."""
    for model in ("majority", "random"):
        asking = ("run", "cfms/joint", "--model", f"baseline/{model}", "--judge", "judge/lexical")
        assert deadpan(*asking, "--store", tmp_path / "answers", "--limit", 6).code == 0
    table = read_tables([tmp_path / "answers"])
    assert table["signature"].n_unique() == 1 and table["model"].n_unique() == 2
