"""`run --until` and `compare --until-decided` as they are typed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deadpan.engine.manifests import manifests_below, read_manifest
from tests.cli.conftest import Deadpan
from tests.model_server import ModelServer

RECOGNITION = ("run", "janusmm/recognition", "--model", "baseline/random")
MEMES = 62


def test_what_a_stopped_run_prints(deadpan: Deadpan, tmp_path: Path) -> None:
    told = deadpan(*RECOGNITION, "--until", "15", "--store", tmp_path / "a")
    assert told.code == 0 and "baseline/random ‡" in told.out
    assert "|until:accuracy±15@95;order:0|" in told.out
    assert "janusmm/recognition: accuracy 0.0 in [0.0, " in told.out
    assert "of 62 items: what all of them would give (exact)" in told.out
    assert "intervals hold with 95 % at whatever time asking stops" in told.out
    assert "saved: 42 of 62 calls" in told.out
    scored = deadpan("score", tmp_path / "a")
    assert "|until:accuracy±15@95;order:0|" in scored.out, "the store says it too"
    report = tmp_path / "report.html"
    assert deadpan("report", tmp_path / "a", "--out", report).code == 0
    assert "until:accuracy±15@95;order:0" in report.read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--until", "0.02"), "accuracy is in percent, from 0 to 100"),
        (("--until", "0.02"), "such as 2.0 for an interval no wider than 4 percent"),
        (("--until", "50"), "expected half of the interval's width in it"),
        (("--until", "-1"), "expected half of the interval's width in it"),
        (("--metric", "accuracy"), "--metric: no use without --until"),
        (("--order-seed", "1"), "--order-seed: no use without --until"),
        (("--until", "15", "--metric", "f1"), "has no metric f1; expected accuracy or "),
    ],
)
def test_what_a_run_refuses(
    deadpan: Deadpan, tmp_path: Path, given: tuple[str, ...], says: str
) -> None:
    told = deadpan(*RECOGNITION, *given, "--store", tmp_path / "a")
    assert told.code == 2 and says in " ".join(told.err.split())
    assert not (tmp_path / "a").exists()


def test_scores_of_samples_cannot_be_stopped_by(deadpan: Deadpan, tmp_path: Path) -> None:
    asked = ("run", "merbench", "--model", "editor/caption", "--judge", "judge/lexical")
    told = deadpan(*asked, "--until", "2", "--store", tmp_path / "a")
    assert told.code == 2 and "is scored on samples of the items; ask them all" in told.err


def test_models_that_so_few_items_cannot_tell_apart(deadpan: Deadpan, tmp_path: Path) -> None:
    out = tmp_path / "decided.json"
    pair = ("compare", "baseline/random", "baseline/majority")
    on = ("--until-decided", "--on", "pixelhumor/presence", "--store", tmp_path / "a")
    told = deadpan(*pair, *on, "--json", out)
    assert told.code == 0
    assert "are too close to call on pixelhumor/presence F1" in told.out
    assert "undecided after all 35 items" in told.out
    assert "all 70 calls were needed: nothing saved" in told.out
    (row,) = json.loads(out.read_text())["decisions"]
    assert (row["better"], row["decided"], row["items"]) == (None, False, 35)
    assert deadpan(*pair, "--store", tmp_path / "a").code == 0, "what was asked can be compared"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("a", "b", "--until-decided"), "name what to ask with --on BENCHMARK[/TASK,…]"),
        (("a", "--until-decided", "--on", "cfms"), "expected the names of two models to ask"),
        ((".", "b", "--until-decided", "--on", "cfms"), "expected the names of two models"),
        (("a", "b", "--on", "cfms"), "--on: no use without --until-decided"),
        (("a", "b", "--max-connections", "5"), "--max-connections: no use without"),
        (
            ("a", "b", "--until-decided", "--on", "cfms", "--latest"),
            "--latest: no use with --until-decided",
        ),
        (
            (
                *("baseline/random", "baseline/ocr", "--until-decided"),
                *("--on", "pixelhumor/style", "--metric", "gated"),
            ),
            "--until-decided: pixelhumor/style: gated neither is a mean",
        ),
    ],
)
def test_what_compare_refuses(deadpan: Deadpan, given: tuple[str, ...], says: str) -> None:
    told = deadpan("compare", *given)
    assert told.code == 2 and says in " ".join(told.err.split())


def test_kill_9_and_the_same_command_stop_where_one_run_does(tmp_path: Path) -> None:
    with ModelServer(lambda picture, prompt: "self-deprecation", delay=0.2) as server:
        env = {**os.environ, **server.environment}

        def command(store: str) -> list[str]:
            asked = [*RECOGNITION[:2], "--model", "openai-api/loopback/m", "--until", "6"]
            more = ["--store", str(tmp_path / store), "--max-connections", "4"]
            return [sys.executable, "-c", "from deadpan.cli import main; main()", *asked, *more]

        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command("a"), env=env, start_new_session=True, **quiet)
        deadline = time.monotonic() + 120
        while server.total < 26 and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert 26 <= server.total < MEMES
        before = server.total
        for store in "ab":
            subprocess.run(command(store), env=env, check=True, timeout=200, **quiet)
        assert server.total - before <= MEMES + 36 + 4
    asked = []
    for store in "ab":
        (files,) = manifests_below([tmp_path / store]).values()
        last = read_manifest(files[-1])
        asked.append({row.item for row in last.rows})
    assert asked[0] == asked[1]
