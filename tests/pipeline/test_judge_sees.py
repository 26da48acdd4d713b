"""What a judge is shown beyond its paper, from Python."""

import json
from pathlib import Path

import pytest

import deadpan
from deadpan import DeadpanError
from deadpan.benchmarks.merbench import MERBENCH
from tests.benchmarks.merbench.meme_folder import folder, judgement, record
from tests.model_server import ModelServer

JUDGE = "openai-api/loopback/judge"


def test_what_a_judge_sees_is_chosen_in_python_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = folder(tmp_path / "data", [record(f"{n}.png") for n in range(2)], ("A",))
    found = MERBENCH.edits.read(data, MERBENCH.read(data), (), ()).answers["A"]
    answers = {item: reply.text for item, reply in found.replies["reappraisal"].items()}
    merbench = deadpan.load("merbench", data)
    with ModelServer(lambda picture, prompt: json.dumps(judgement())) as server:
        server.offer(monkeypatch)
        results = merbench.score(
            answers,
            task="reappraisal",
            judge=JUDGE,
            judge_sees=["source-emotion"],
            store=tmp_path / "answers",
        )
    signature = results.table["signature"][0]
    assert "+source-emotion|" in signature
    deviations = [line for section in results.sections() for line in section.deviations]
    assert "the judge also sees: source emotion" in deviations
    with pytest.raises(DeadpanError, match="--judge-sees mood: expected source-emotion"):
        merbench.score(answers, task="reappraisal", judge=JUDGE, judge_sees=["mood"])
