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

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks import find
from deadpan.engine.answers import COLUMNS, answer_of
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs
from deadpan.pipeline.table_files import read_table
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/vision"
QUESTIONS = 35 + 35


def command(tmp_path: Path, table: str) -> list[str]:
    return [
        sys.executable,
        "-c",
        "from deadpan.cli import main; main()",
        "run",
        "pixelhumor/presence,style",
        "--model",
        MODEL,
        "--store",
        str(tmp_path / "answers"),
        "--max-connections",
        "4",
        "--table",
        str(tmp_path / table),
    ]


def test_a_killed_run_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        server.offer(monkeypatch)
        settings = RunSettings(store=tmp_path / "answers")
        again = results_of_runs(run({"pixelhumor": ["presence", "style"]}, MODEL, settings))
        assert server.total == done, "a finished run calls nothing"
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
        places = ["--store", str(tmp_path / "answers"), "--table", str(tmp_path / table)]
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


def presence(settings: RunSettings) -> pl.DataFrame:
    return results_of_runs(run({"pixelhumor": ["presence"]}, MODEL, settings))


def as_killed(store: Path) -> Path:
    """Puts a store's compacted answers back into a segment, as a killed writer leaves them."""
    (compacted,) = store.glob("*.parquet")
    rows = pl.read_parquet(compacted).sort("offset").select(list(COLUMNS)).iter_rows(named=True)
    segment = compacted.with_suffix(".jsonl")
    segment.write_bytes(b"".join(answer_of(row).line for row in rows))
    compacted.unlink()
    return segment


def test_a_damaged_line_is_told_and_its_question_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings = RunSettings(store=tmp_path / "answers", limit=4)
    with ModelServer(lambda picture, prompt: "Yes") as server:
        server.offer(monkeypatch)
        first = presence(settings)
        segment = as_killed(settings.store)
        lines = segment.read_bytes().splitlines(keepends=True)
        lines[1] = lines[1][:40] + b"\x00\xff" + lines[1][42:]
        segment.write_bytes(b"".join(lines))
        assert len(results_of_runs([settings.store])) == 3
        assert f"{segment}:2: is not an answer" in caplog.text
        assert presence(settings).drop("seconds").equals(first.drop("seconds"))
        assert server.total == 5
        (kept,) = settings.store.glob("*.damaged")
        assert kept.read_bytes() == b"".join(lines), "what cannot be read is not thrown away"
        presence(settings)
        assert server.total == 5


def test_a_line_cut_off_by_a_kill_never_counted_and_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings = RunSettings(store=tmp_path / "answers", limit=4)
    with ModelServer(lambda picture, prompt: "Yes") as server:
        server.offer(monkeypatch)
        first = presence(settings)
        segment = as_killed(settings.store)
        segment.write_bytes(segment.read_bytes()[:-20])
        assert len(results_of_runs([settings.store])) == 3
        assert presence(settings).drop("seconds").equals(first.drop("seconds"))
        assert server.total == 5 and not caplog.records
    assert not list(settings.store.glob("*.damaged"))


def test_a_damaged_manifest_is_told_and_the_same_command_makes_it_again(tmp_path: Path) -> None:
    settings = RunSettings(store=tmp_path / "answers", limit=3)
    (manifest,) = run({"pixelhumor": ["panel"]}, "baseline/random", settings)
    whole = results_of_runs([manifest])
    manifest.write_bytes(manifest.read_bytes()[:200])
    with pytest.raises(InputError, match=r"cannot be read as a manifest.*Run its command again"):
        results_of_runs([settings.store])
    again = run({"pixelhumor": ["panel"]}, "baseline/random", settings)
    assert results_of_runs(again).equals(whole)
    assert results_of_runs([settings.store]).equals(whole)


def test_fewer_epochs_throw_no_answer_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(lambda picture, prompt: "Yes") as server:
        server.offer(monkeypatch)
        for epochs, rows in ((2, 6), (1, 3), (2, 6)):
            settings = RunSettings(store=tmp_path / "answers", limit=3, epochs=epochs)
            table = presence(settings)
            assert len(table) == rows
            assert ("|epochs:2|" in table["signature"][0]) == (epochs == 2)
            together = results_of_runs([settings.store])
            assert len(together) == 6 and "|epochs:2|" in together["signature"][0]
        assert server.total == 6
