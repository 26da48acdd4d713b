"""kill -9 in mid-run, then the same command again."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from deadpan.engine.run import RunSettings, run
from deadpan.errors import InputError
from deadpan.results import read_table, results_of_logs
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


def test_a_damaged_log_is_set_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = RunSettings(log_dir=tmp_path, limit=3, display="none")
    (log,) = run("pixelhumor", ["panel"], "baseline/random", settings)
    log.write_bytes(log.read_bytes()[:2000])
    with pytest.raises(InputError, match="cannot be read as an Inspect log"):
        results_of_logs([tmp_path])
    again = run("pixelhumor", ["panel"], "baseline/random", settings)
    assert len(results_of_logs(again)) == len(results_of_logs([tmp_path])) == 3
    assert (tmp_path / f"{log.name}.damaged").exists()
    assert log.name in caplog.text
