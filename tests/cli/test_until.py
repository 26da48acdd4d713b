"""`run --until` and `compare --until-decided` as they are typed."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from deadpan.engine.manifests import manifests_below, read_manifest
from tests.cli.conftest import Deadpan
from tests.model_server import ModelServer

RECOGNITION = ("run", "janusmm/recognition", "--model", "baseline/random")
MEMES = 96
ORDER = ("run", "pixelhumor/panel_order", "--model", "baseline/random")


def test_what_a_stopped_run_prints(deadpan: Deadpan, tmp_path: Path) -> None:
    told = deadpan(*RECOGNITION, "--until", "15", "--store", tmp_path / "a")
    assert told.code == 0 and "baseline/random ‡" in told.out
    assert "|until:accuracy±15@95;order:0|" in told.out
    assert "janusmm/recognition: accuracy 0.0 in [0.0, " in told.out
    assert "of 96 items: what all of them would give (exact)" in told.out
    assert "intervals hold with 95 % at whatever time asking stops" in told.out
    assert "saved: 76 of 96 calls" in told.out
    assert "other intervals are those of a fixed number of items" in told.out
    scored = deadpan("score", tmp_path / "a")
    assert "|until:accuracy±15@95;order:0|" in scored.out, "the store says it too"
    report = tmp_path / "report.html"
    assert deadpan("report", tmp_path / "a", "--out", report).code == 0
    assert "until:accuracy±15@95;order:0" in report.read_text("utf-8")


def test_every_table_and_format_has_the_interval_it_ended_with(
    deadpan: Deadpan, tmp_path: Path
) -> None:
    store, out = tmp_path / "a", tmp_path / "run.json"
    told = deadpan(*ORDER, "--until", "0.2", "--store", store, "--json", out)
    row = _row(json.loads(out.read_text()))
    assert row["interval"] == "sequence"
    ends = f"in [{row['low']:.3f}, {row['high']:.3f}] after 20 of 35 items"
    assert ends in told.out
    shown = f"{row['low']:.3f} to {row['high']:.3f}"
    assert shown in told.out
    assert shown in deadpan(*ORDER, "--until", "0.2", "--store", store, "-q").out
    for kind in ("json", "csv", "md", "tex", "html"):
        assert deadpan("report", store, "--out", tmp_path / f"r.{kind}").code == 0
    assert _row(json.loads((tmp_path / "r.json").read_text())) == row
    lines = csv.DictReader((tmp_path / "r.csv").read_text("utf-8").splitlines())
    (line,) = [one for one in lines if (one["metric"], one["group"]) == ("accuracy", "all")]
    assert (float(line["low"]), float(line["high"])) == (row["low"], row["high"])
    method = "by a confidence sequence, of what all items would give"
    for kind, between in {"md": ", ", "tex": ", ", "html": " – "}.items():
        text = (tmp_path / f"r.{kind}").read_text("utf-8")
        assert f"{row['low']:.3f}{between}{row['high']:.3f}" in text
        assert "Asking stopped by a score" in text and (method in text or kind == "html")
    card = tmp_path / "card.md"
    asked = ("--model", "baseline/random", "--out", card)
    assert deadpan("export", "model-card", store, *asked).code == 0
    assert shown in card.read_text("utf-8") and "Asking stopped by a score" in card.read_text()


def _row(document: dict[str, Any]) -> dict[str, Any]:
    (row,) = [
        one for one in document["rows"] if (one["metric"], one["group"]) == ("accuracy", "all")
    ]
    return row


def test_a_store_that_holds_everything_saves_nothing(deadpan: Deadpan, tmp_path: Path) -> None:
    assert deadpan(*RECOGNITION, "--store", tmp_path / "a").code == 0
    told = deadpan(*RECOGNITION, "--until", "15", "--store", tmp_path / "a")
    assert "nothing asked: all 20 answers from the store" in told.out
    assert "nothing saved: the store holds the other 76 answers too" in told.out
    assert "saved: 76" not in told.out
    told = deadpan(*RECOGNITION, "--until", "0.1", "--store", tmp_path / "a")
    assert "nothing asked: all 96 answers from the store" in told.out
    assert "were needed" not in told.out


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
    assert row["order_seed"] == 0
    for side in ("first", "second"):
        assert row[f"{side}_signature"].startswith("pixelhumor/presence|v")
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
