"""kill -9 in mid-run, then the same command again."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from deadpan.benchmarks import find
from deadpan.engine.run import RunSettings, run
from deadpan.errors import InputError
from deadpan.results import read_table, results_of_runs
from tests.model_server import ModelServer

QUESTIONS = 35 + 35


def command(tmp_path: Path, table: str) -> list[str]:
    return [
        sys.executable,
        "-c",
        "from deadpan.cli import main; main()",
        "run",
        "pixelhumor/presence,style",
        "--model",
        "openai-api/loopback/vision",
        "--logs",
        str(tmp_path / "logs"),
        "--max-connections",
        "4",
        "--table",
        str(tmp_path / table),
    ]


def test_a_killed_run_continues(tmp_path: Path) -> None:
    def answer(picture: str, prompt: str) -> str:
        return "Yes" if "Yes or No" in prompt or "一个字" in prompt else "Pun"

    with ModelServer(answer, delay=0.15) as server:
        env = {**os.environ, **server.environment}
        process = subprocess.Popen(
            command(tmp_path, "never.parquet"),
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + 90
        while server.total < 20 and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        in_flight = 4
        before = server.total
        assert 20 <= before < QUESTIONS

        subprocess.run(
            command(tmp_path, "results.parquet"),
            env=env,
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=120,
        )
        table = read_table(tmp_path / "results.parquet")
        assert len(table) == QUESTIONS
        assert Counter(table["outcome"]) == {"answered": QUESTIONS}
        assert table.select("task", "item").is_unique().all()
        assert QUESTIONS <= server.total <= QUESTIONS + in_flight
        assert max(server.calls.values()) <= 2

        done = server.total
        subprocess.run(
            command(tmp_path, "again.parquet"),
            env=env,
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=120,
        )
        assert server.total == done, "a finished run calls nothing"
        again = read_table(tmp_path / "again.parquet")
        columns = ["task", "item", "outcome", "parsed", "signature"]
        assert again.select(columns).sort(columns).equals(table.select(columns).sort(columns))


GRADE = json.dumps(
    {
        "core_intent": 4,
        "implicit_signal": 2,
        "target_or_social_meaning": 1,
        "hallucination_penalty": 0,
        "literal_only_penalty": 0,
        "total": 7,
        "verdict": "good",
        "reason": "ok",
    }
)


def test_a_run_killed_while_it_is_judged_pays_nobody_twice(tmp_path: Path) -> None:
    films = len(find("vimu").read(None).records)
    grading: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        if "core_intent" not in prompt:
            return "Somebody says one thing and does another."
        grading.append(prompt)
        return GRADE

    def judged_run(table: str) -> list[str]:
        models = ["--model", "openai-api/loopback/pupil", "--judge", "openai-api/loopback/teacher"]
        places = ["--logs", str(tmp_path / "logs"), "--table", str(tmp_path / table)]
        entry = [sys.executable, "-c", "from deadpan.cli import main; main()"]
        return [*entry, "run", "vimu/oe", *models, *places, "--max-connections", "2"]

    with ModelServer(answer, delay=0.2) as server:
        env = {**os.environ, **server.environment, "DEADPAN_CACHE": str(tmp_path / "cache")}
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL}
        process = subprocess.Popen(
            judged_run("never.parquet"), env=env, start_new_session=True, **quiet
        )
        deadline = time.monotonic() + 120
        while len(grading) < films // 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert films // 2 <= len(grading) < films

        subprocess.run(judged_run("all.parquet"), env=env, check=True, timeout=120, **quiet)
        table = read_table(tmp_path / "all.parquet")
        assert Counter(table["outcome"]) == {"answered": films}
        assert server.total - len(grading) == films, "no answer was asked for twice"
        assert films <= len(grading) <= films + 2, "only what was in flight was judged again"


def test_a_damaged_log_is_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = RunSettings(store=tmp_path, limit=3, display="none")
    (log,) = run({"pixelhumor": ["panel"]}, "baseline/random", settings)
    log.write_bytes(log.read_bytes()[:2000])
    with pytest.raises(InputError, match="cannot be read as an Inspect log"):
        results_of_runs([tmp_path])
    again = run({"pixelhumor": ["panel"]}, "baseline/random", settings)
    assert len(results_of_runs(again)) == len(results_of_runs([tmp_path])) == 3
    assert (tmp_path / f"{log.name}.damaged").exists()
    assert log.name in caplog.text


def test_fewer_epochs_throw_no_answer_away(tmp_path: Path) -> None:
    for epochs in (2, 1):
        settings = RunSettings(store=tmp_path, limit=3, epochs=epochs, display="none")
        table = results_of_runs(run({"pixelhumor": ["presence"]}, "baseline/random", settings))
        assert len(table) == 6
        assert "|epochs:2|" in table["signature"][0]
