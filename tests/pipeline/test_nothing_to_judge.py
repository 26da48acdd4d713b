"""A judge that found nothing to judge: models of a campaign still share a table."""

from pathlib import Path

import pytest

import deadpan
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/silent"


def test_answers_that_need_no_judge_are_signed_as_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", "none")
    asked = {"tasks": "interpretation", "judge": "judge/lexical", "limit": 2, "progress": False}
    with ModelServer(lambda picture, prompt: "") as server:
        monkeypatch.setenv("LOOPBACK_BASE_URL", server.url)
        models = ["baseline/random", MODEL]
        results = deadpan.evaluate("pixelhumor", model=models, store=tmp_path / "kept", **asked)
    signed = results.table.select("model", "signature").unique()
    assert len(signed) == 2
    assert all("|judge:judge/lexical@" in one for one in signed["signature"])
    assert {row["model"] for row in results.scores().iter_rows(named=True)} == set(models)
    assert len(deadpan.read_results(tmp_path / "kept").scores()) > 0
