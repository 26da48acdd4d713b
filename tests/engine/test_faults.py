"""Servers with every kind of fault: each question ends in one declared outcome, and is counted."""

import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from deadpan.core.outcomes import OUTCOMES as DECLARED
from deadpan.core.outcomes import Coverage
from deadpan.engine.calls import CallOptions
from deadpan.engine.run import run
from deadpan.engine.store import AnswerStore
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs
from tests.engine.faulty_server import KEY, OUTCOMES, FaultyServer, ThinkingServer, seeded
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/vision"
KINDS = list(OUTCOMES)
QUESTIONS = 35
CALLS = CallOptions(max_connections=20, max_retries=1, timeout=15, give_up=0)


def yes(picture: str, prompt: str) -> str:
    return "Yes"


@pytest.fixture
def settings(tmp_path: Path) -> RunSettings:
    return RunSettings(tmp_path / "store", calls=CALLS)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No waiting between tries where the server asks for none."""
    monkeypatch.setattr("deadpan.engine.calls._backoff", lambda calls: 0.0)


def presence(settings: RunSettings) -> pl.DataFrame:
    return results_of_runs(run({"pixelhumor": ["presence"]}, MODEL, settings))


def check_accounts(table: pl.DataFrame) -> None:
    assert len(table) == QUESTIONS
    assert table.select("item", "epoch").is_unique().all()
    assert set(table["outcome"]) <= set(DECLARED)
    assert Coverage.of(table["outcome"]).total == QUESTIONS
    failed = table.filter(pl.col("outcome") == "failed")
    assert failed["reason"].is_not_null().all()


def test_every_fault_that_lasts_ends_in_its_outcome(
    settings: RunSettings, hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(place: int, call: int) -> str | None:
        return KINDS[place] if place < len(KINDS) else None

    settings = replace(settings, calls=replace(CALLS, timeout=8))
    with FaultyServer(yes, choose) as server:
        server.offer(monkeypatch)
        table = presence(settings)
        check_accounts(table)
        expected = Counter(OUTCOMES.values())
        expected["answered"] += QUESTIONS - len(KINDS)
        assert Counter(table["outcome"]) == expected
        assert max(server.calls.values()) == 2
        assert {fault for met in server.met.values() for fault in met} == set(KINDS)

        asked = dict(server.calls)
        server.choose = lambda place, call: None
        again = presence(settings)
        more = {key for key, count in server.calls.items() if count > asked[key]}
        assert len(more) == expected["failed"], "only what failed is asked again"
        assert all(OUTCOMES[server.met[key][0]] == "failed" for key in more)
        check_accounts(again)
        assert Counter(again["outcome"])["failed"] == 0


def test_faults_that_pass_are_outlasted(
    settings: RunSettings, hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    passing = [
        *("429 seconds", "429 forever", "500", "502 page", "503"),
        *("timeout", "cut before", "cut within", "chunked garbage"),
    ]

    def choose(place: int, call: int) -> str | None:
        return passing[place] if place < len(passing) and call == 1 else None

    with FaultyServer(yes, choose) as server:
        server.offer(monkeypatch)
        table = presence(replace(settings, calls=replace(CALLS, timeout=8)))
    check_accounts(table)
    assert Counter(table["outcome"]) == {"answered": QUESTIONS}
    assert server.total == QUESTIONS + len(passing)


def test_a_server_that_fails_three_times_in_ten(
    settings: RunSettings, hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(settings, calls=replace(CALLS, timeout=8, max_retries=2))
    with FaultyServer(yes, seeded(1, 0.3)) as server:
        server.offer(monkeypatch)
        table = presence(settings)
        check_accounts(table)
        assert server.total <= 3 * QUESTIONS
        for _ in range(4):
            failed = set(table.filter(pl.col("outcome") == "failed")["item"])
            asked = dict(server.calls)
            table = presence(settings)
            check_accounts(table)
            more = [key for key, count in server.calls.items() if count > asked[key]]
            assert len(more) == len(failed), "only what failed is asked again"
    assert sum(map(len, server.met.values())) > 5
    assert all(count <= 1 for count in server.finished.values())
    kept = AnswerStore(settings.store).rows()
    assert kept["calls"].sum() == server.total, "the store accounts for every call"


@pytest.mark.parametrize("fault", ["500", "429 forever", "cut before", "chunked garbage"])
def test_retries_do_not_multiply(
    settings: RunSettings, hurried: None, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    with FaultyServer(yes, lambda place, call: fault if place < 3 else None) as server:
        server.offer(monkeypatch)
        table = presence(replace(settings, calls=replace(CALLS, max_retries=5)))
    check_accounts(table)
    assert sorted(server.calls.values())[-3:] == [6, 6, 6]
    assert server.total == QUESTIONS - 3 + 18
    failed = table.filter(pl.col("outcome") == "failed")
    assert failed["reason"].str.ends_with("(tried 6 times)").all()


@pytest.mark.parametrize(("fault", "least"), [("429 seconds", 2.0), ("429 date", 1.9)])
def test_what_a_server_asks_to_wait_is_waited(
    settings: RunSettings,
    hurried: None,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    least: float,
) -> None:
    with FaultyServer(
        yes, lambda place, call: fault if place < 2 and call == 1 else None
    ) as server:
        server.offer(monkeypatch)
        table = presence(settings)
    assert Counter(table["outcome"]) == {"answered": QUESTIONS}
    gaps = [times[1] - times[0] for times in server.arrivals.values() if len(times) == 2]
    assert len(gaps) == 2
    assert min(gaps) >= least


def deadpan(
    environment: dict[str, str], folder: Path, *arguments: str
) -> tuple[subprocess.CompletedProcess[str], float]:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", "from deadpan.cli import main; main()", *arguments],
        env={**os.environ, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    return done, time.monotonic() - began


def test_an_echoed_key_is_nowhere(tmp_path: Path) -> None:
    def choose(place: int, call: int) -> str | None:
        return ("key in error", "key in reply", None)[place % 3]

    with FaultyServer(yes, choose) as server:
        env = server.environment
        asked = ("run", "pixelhumor/presence", "--model", MODEL, "--store", "store")
        ran, _ = deadpan(env, tmp_path, *asked, "--table", "table.jsonl", "--json", "out.json")
        assert ran.returncode == 1, ran.stderr
        for name in ("report.html", "report.md"):
            told, _ = deadpan(env, tmp_path, "report", "store", "--out", name)
            assert told.returncode == 0, told.stderr
            ran.stdout += told.stdout + told.stderr
    assert sum(met[0] == "key in reply" for met in server.met.values()) == 12
    assert KEY not in ran.stdout + ran.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 5
    for path in files:
        data = path.read_bytes()
        if path.suffix == ".parquet":
            data += str(pl.read_parquet(path).rows()).encode()
        assert KEY.encode() not in data, path
    table = (tmp_path / "table.jsonl").read_text()
    assert "Your key is [redacted]" in table
    assert "provided: [redacted]" in table


@pytest.mark.parametrize("tags", [True, False])
def test_a_model_that_thinks_is_scored_by_its_answer(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch, tags: bool
) -> None:
    with ThinkingServer(yes, tags) as server:
        server.offer(monkeypatch)
        table = presence(settings)
        assert Counter(table["outcome"]) == {"answered": QUESTIONS}
        assert set(table["parsed"]) == {'["Yes"]'}
        assert set(table["answer"]) == {"Yes"}
        reasoning = AnswerStore(settings.store).answers()["reasoning"]
        assert reasoning.str.starts_with("No, it is not funny.").all()


@pytest.mark.parametrize("tags", [True, False])
def test_a_model_that_is_cut_off_while_it_thinks_has_not_answered(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch, tags: bool
) -> None:
    sampling = settings.sampling.model_copy(update={"max_tokens": 300})
    with ThinkingServer(yes, tags) as server:
        server.offer(monkeypatch)
        table = presence(replace(settings, sampling=sampling))
    assert set(AnswerStore(settings.store).answers()["stop"]) == {"max_tokens"}
    if "truncated" in DECLARED:
        assert Counter(table["outcome"]) == {"truncated": QUESTIONS}


ASKED = ("run", "pixelhumor/presence", "--model", MODEL, "--store", "store")
HURRY = ("--max-retries", "1", "--timeout", "3", "--give-up", "4")


def test_a_dead_server_is_told_at_once(tmp_path: Path) -> None:
    with ModelServer(yes) as server:
        environment = server.environment
    done, seconds = deadpan(environment, tmp_path, *ASKED)
    assert done.returncode == 2
    assert "no server answers at http://127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "store").exists(), "a refused command leaves nothing behind"
    assert seconds < 240


def test_a_server_that_dies_ends_the_run_and_keeps_what_it_said(tmp_path: Path) -> None:
    def choose(place: int, call: int) -> str | None:
        return None if place < 10 else "cut before"

    with FaultyServer(yes, choose) as server:
        done, _ = deadpan(server.environment, tmp_path, *ASKED, *HURRY, "--max-connections", "2")
        assert done.returncode == 1
        assert "has not answered for" in done.stderr
        assert "Traceback" not in done.stderr
        assert AnswerStore(tmp_path / "store").answers()["error"].is_null().sum() == 10
        server.choose = lambda place, call: None
        asked = dict(server.calls)
        again, _ = deadpan(server.environment, tmp_path, *ASKED)
        assert again.returncode == 0, again.stderr
        assert len(server.calls) == QUESTIONS
        assert all(server.finished[key] == 1 for key in server.calls)
        assert sum(server.calls.values()) - sum(asked.values()) == QUESTIONS - 10


def test_a_server_that_never_answers_ends_the_run(tmp_path: Path) -> None:
    with FaultyServer(yes, lambda place, call: "timeout") as server:
        done, seconds = deadpan(server.environment, tmp_path, *ASKED, *HURRY)
    assert done.returncode == 1
    assert "has not answered for" in done.stderr
    assert "Traceback" not in done.stderr
    assert seconds < 300


def test_a_server_that_lies_ends_the_run(tmp_path: Path) -> None:
    with FaultyServer(yes, lambda place, call: "wrong shape") as server:
        done, seconds = deadpan(server.environment, tmp_path, *ASKED, "--max-retries", "1")
    assert done.returncode == 1
    assert "questions all failed" in done.stderr
    assert "Traceback" not in done.stderr
    assert seconds < 300
