"""The real client path: Inspect's OpenAI-compatible provider against a server that misbehaves."""

from pathlib import Path

import polars as pl
import pytest

from deadpan.benchmarks import find
from deadpan.core.outcomes import Coverage
from deadpan.core.score import ScoringOptions, select
from deadpan.engine.calls import CallOptions
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/vision"
FAULTS = {
    1: "429",
    2: "500",
    3: "cut",
    4: "timeout",
    5: "500!",
    6: "timeout!",
    7: "cut!",
    8: "malformed!",
    9: "empty!",
    10: "filter!",
    11: "refusal!",
    12: "nonsense!",
}
EXPECTED = {"answered": 16, "invalid": 2, "refused": 2, "failed": 4}


@pytest.fixture
def settings(tmp_path: Path) -> RunSettings:
    return RunSettings(
        store=tmp_path / "logs",
        limit=24,
        calls=CallOptions(max_connections=12, max_retries=1, timeout=8),
    )


def outcomes(table: pl.DataFrame) -> dict[str, int]:
    counts = table["outcome"].value_counts()
    return dict(zip(counts["outcome"], counts["count"], strict=True))


def test_every_sample_ends_in_the_right_outcome(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(lambda picture, prompt: "Yes", FAULTS) as server:
        server.offer(monkeypatch)
        table = results_of_runs(run({"pixelhumor": ["presence"]}, MODEL, settings))
        assert outcomes(table) == EXPECTED
        assert Coverage.of(table["outcome"]).total == len(table) == 24
        reasons = " ".join(table.filter(pl.col("outcome") == "failed")["reason"])
        for name in ("InternalServerError", "Timeout", "Connection", "JSONDecodeError"):
            assert name in reasons
        assert {request["temperature"] for request in server.requests} == {0}

        scores = find("pixelhumor").score(table, ScoringOptions())
        (recall,) = select(scores, metric="recall", group="all")
        assert (recall.n, recall.invalid, recall.refused, recall.unscored) == (20, 2, 2, 4)

        finished = server.total
        again = results_of_runs(run({"pixelhumor": ["presence"]}, MODEL, settings))
        assert outcomes(again) == EXPECTED
        repeated = {key for key, count in server.calls.items() if server.finished[key]}
        assert server.total > finished, "failed samples are asked again"
        assert all(server.finished[key] == 1 for key in repeated), "finished ones are not"


def test_one_bad_picture_never_kills_a_run(
    settings: RunSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deadpan.benchmarks.pixelhumor.records import MINI_SET

    data = tmp_path / "data"
    (data / "images").mkdir(parents=True)
    for source in MINI_SET.glob("*.csv"):
        (data / source.name).write_bytes(source.read_bytes())
    for source in (MINI_SET / "images").glob("*.png"):
        (data / "images" / source.name).write_bytes(source.read_bytes())
    (data / "images" / "deadpan_1.png").unlink()
    cut = data / "images" / "deadpan_2.png"
    cut.write_bytes(cut.read_bytes()[:900])
    (data / "images" / "deadpan_3.png").write_bytes(b"")
    changed = RunSettings(**{**settings.__dict__, "data": data, "limit": 8})
    with ModelServer(lambda picture, prompt: "Yes") as server:
        server.offer(monkeypatch)
        table = results_of_runs(run({"pixelhumor": ["presence"]}, MODEL, changed))
    assert outcomes(table) == {"answered": 5, "failed": 3}
    reasons = dict(table.filter(pl.col("outcome") == "failed").select("item", "reason").iter_rows())
    assert "no such picture" in reasons["deadpan_1"]
    assert "truncated" in reasons["deadpan_2"]
    assert "not a picture" in reasons["deadpan_3"]
    assert server.total == 5
