"""`--batch`: questions go through a provider's batch API, and none is submitted twice unsaid."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from inspect_ai.model import BatchConfig
from inspect_ai.model._providers.util import batch_log

from deadpan.base.errors import DeadpanError
from deadpan.engine import batching
from deadpan.engine.asker import AskerEvents
from deadpan.engine.batches import FOLDER, left_in_batches
from deadpan.engine.calls import CallOptions, GaveUp
from deadpan.engine.opening import open_engine
from deadpan.engine.requests import Sampling
from deadpan.engine.run import run
from deadpan.engine.store import AnswerStore
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs
from tests.batch_server import MODEL, BatchServer

ROOT = Path(__file__).parents[2]
REPLY = "Yes"
PRESENCE = {"pixelhumor": ["presence"]}
QUICK = BatchConfig(size=4, send_delay=60, tick=0.02)
SAMPLING = Sampling(model_args={"responses_api": False})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    monkeypatch.setattr(batching, "CONFIG", QUICK)
    with BatchServer(lambda *_: REPLY) as server:
        server.offer(monkeypatch)
        yield server
    batch_log.set_batch_status_callback(None)
    batch_log.set_batch_log_callback(None)


def _settings(store: Path, batch: bool = True, retries: int = 0) -> RunSettings:
    calls = CallOptions(batch=batch, max_retries=retries, give_up=1, timeout=1)
    return RunSettings(store, limit=4, calls=calls, sampling=SAMPLING)


class Heard(AskerEvents):
    """Keeps what is said of batches."""

    def __init__(self, server: BatchServer) -> None:
        self.lines: list[str] = []
        self._server = server

    def batches(self, text: str) -> None:
        self.lines.append(text)
        if "under way" in text:
            self._server.may_finish.set()

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        return float(input_tokens + output_tokens)


def test_one_batch_holds_all_and_the_table_is_the_same(
    server: BatchServer, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server.may_finish.clear()  # until a batch was seen under way
    heard = Heard(server)
    in_batches = results_of_runs(run(PRESENCE, MODEL, _settings(tmp_path / "batch"), heard))
    assert (len(server.batches), server.total) == (1, 0)
    assert len(server.probes) == 1
    assert set(server.submitted.values()) == {1}
    assert "1 batch under way, 0 of 4 answered there" in heard.lines
    assert not (tmp_path / "batch" / FOLDER).exists()
    assert capfd.readouterr().out == ""
    settings = _settings(tmp_path / "usual", batch=False)
    usual = results_of_runs(run(PRESENCE, MODEL, settings))
    timing = [one for one in usual.columns if "seconds" in one]
    assert in_batches.drop(timing).equals(usual.drop(timing))
    # How it was asked is no part of the question.
    run(PRESENCE, MODEL, _settings(tmp_path / "batch", batch=False))
    assert server.total == 4


def test_a_question_that_is_turned_down_fails_alone(server: BatchServer, tmp_path: Path) -> None:
    server.turned_down = 1
    table = results_of_runs(run(PRESENCE, MODEL, _settings(tmp_path)))
    assert sorted(table["outcome"].to_list()) == ["answered"] * 3 + ["failed"]
    (reason,) = table.filter(pl.col("outcome") == "failed")["reason"]
    assert "that is not allowed" in reason
    assert set(server.submitted.values()) == {1}


def test_a_batch_that_cannot_be_made_ends_the_run(server: BatchServer, tmp_path: Path) -> None:
    server.create_status = 400
    with pytest.raises(GaveUp, match=r"a batch could not be made: .*billing hard limit.*again"):
        run(PRESENCE, MODEL, _settings(tmp_path))
    assert not (tmp_path / FOLDER).exists()
    server.create_status = 200
    table = results_of_runs(run(PRESENCE, MODEL, _settings(tmp_path)))
    assert table["outcome"].to_list() == ["answered"] * 4


def test_results_that_cannot_be_had_are_not_asked_again_unsaid(
    server: BatchServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.loses_results = True
    with pytest.raises(GaveUp, match="the answers of a batch could not be had: batch_1 failed"):
        run(PRESENCE, MODEL, _settings(tmp_path, retries=0))
    assert set(server.submitted.values()) == {1}
    server.loses_results = False
    with caplog.at_level(logging.WARNING, "deadpan"):
        run(PRESENCE, MODEL, _settings(tmp_path))
    assert "up to 4 of these questions were in batches (batch_1)" in caplog.text


SCRIPT = f"""
import sys
from pathlib import Path
from inspect_ai.model import BatchConfig
from deadpan.engine import batching
from deadpan.engine.calls import CallOptions
from deadpan.engine.requests import Sampling
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
batching.CONFIG = BatchConfig(size=2, send_delay=60, tick=0.02)
calls = CallOptions(batch=True, max_retries=0)
sampling = Sampling(model_args={{"responses_api": False}})
settings = RunSettings(Path(sys.argv[1]), limit=4, calls=calls, sampling=sampling)
run({PRESENCE!r}, {MODEL!r}, settings)
"""


def test_after_a_kill_it_is_told_what_is_paid_again(
    server: BatchServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = tmp_path / "answers"
    run(PRESENCE, MODEL, RunSettings(store, limit=2, calls=CallOptions(), sampling=SAMPLING))
    server.may_finish.clear()
    paths = f"{ROOT / 'src'}:{ROOT}"
    environment = {**os.environ, **server.environment, "PYTHONPATH": paths}
    command = [sys.executable, "-c", SCRIPT, str(store)]
    records = store / FOLDER
    with subprocess.Popen(command, env=environment) as process:
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            if any("batch_1" in path.read_text() for path in records.glob("*.jsonl")):
                break
            time.sleep(0.02)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    server.may_finish.set()
    with caplog.at_level(logging.WARNING, "deadpan"):
        monkeypatch.setattr(batching, "CONFIG", BatchConfig(size=2, send_delay=60, tick=0.02))
        table = results_of_runs(run(PRESENCE, MODEL, _settings(store), Heard(server)))
    told = [record.getMessage() for record in caplog.records]
    (line,) = [one for one in told if "in batches" in one]
    assert f"{MODEL}: up to 2 of these questions were in batches (batch_1)" in line
    assert "paid for, again (about $206.00 at list prices)" in line
    assert table["outcome"].to_list() == ["answered"] * 4
    assert sorted(server.submitted.values()) == [2, 2]
    assert not (store / FOLDER).exists()
    assert left_in_batches(AnswerStore(store), MODEL, []) is None


@pytest.mark.parametrize(
    "model", ["openai-api/loopback/x", "ollama/x", "baseline/random", "local/x", "google/vertex/x"]
)
def test_a_model_without_a_batch_api_is_refused(model: str) -> None:
    with pytest.raises(DeadpanError, match=rf"--batch: {model} has no batch API; leave it out"):
        open_engine(model, Sampling(), CallOptions(batch=True))


def test_a_judge_without_a_batch_api_is_asked_as_usual(caplog: pytest.LogCaptureFixture) -> None:
    batching._report_usual.cache_clear()
    with caplog.at_level(logging.WARNING, "deadpan"):
        for _ in range(2):
            judge = open_engine("judge/lexical", Sampling(), CallOptions(batch=True), "--judge")
    assert not isinstance(judge, batching.BatchModel)
    assert [record.getMessage() for record in caplog.records] == [
        "--batch: judge/lexical has no batch API: it is asked as usual"
    ]


def test_the_providers_are_those_that_inspect_has_batches_for() -> None:
    folder = Path(batch_log.__file__).parents[1]
    found = {path.name[1:].removesuffix("_batch.py") for path in folder.glob("_*_batch.py")}
    assert found == batching.PROVIDERS
