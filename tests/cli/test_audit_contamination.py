"""`deadpan audit contamination`: what it prints and writes, and tags in report and compare."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Deadpan
from tests.model_server import ModelServer
from tests.pipeline.contamination.parrot import MODEL, parrot


def test_the_command_prints_writes_and_tags(
    deadpan: Deadpan, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store, tags, document = tmp_path / "answers", tmp_path / "tags.csv", tmp_path / "audit.json"
    recites = parrot("cfms", lambda first: len(first) % 3 == 0)
    with ModelServer(lambda picture, prompt: "Yes") as server:
        server.offer(monkeypatch)
        for model in (MODEL, "baseline/random"):
            run = ("cfms/identification", "--model", model, "--store", store, "-q")
            assert deadpan("run", *run).code == 0
        server.answer = recites
        audit = ("audit", "contamination", "cfms", "--model", MODEL, "--store", store)
        done = deadpan(*audit, "--out", tags, "--json", document)
        assert done.code == 0, done.err
        found = json.loads(document.read_text())
        flagged = found["recited_items"]
        assert flagged and f"recites {len(flagged)} of {found['items']} items" in done.out
        assert "the longest run by chance is" in done.out
        (effect,) = [one for one in found["effects"] if one["task"] == "identification"]
        assert effect["difference"] == effect["recited"] - effect["others"]
        calls = sum(server.calls.values())
        assert deadpan(*audit, "-q").code == 0 and sum(server.calls.values()) == calls
    report = tmp_path / "report.md"
    assert deadpan("report", store, "--recited", tags, "--out", report).code == 0
    text = report.read_text()
    assert "Items that models recite" in text and "not recited" in text
    assert f"{MODEL}: " in text.replace("\\", "") and "None is left out" in text
    compared = deadpan("compare", store, "--recited", tags, "--group", "recited=no")
    assert compared.code == 0 and "recited=no" in compared.out
    refused = deadpan("audit", "contamination", "cfms", "--model", "baseline/random")
    assert refused.code == 2 and "has learnt no text" in refused.err
