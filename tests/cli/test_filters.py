"""Stores with several benchmarks, tasks and runs: what is meant is said by an option."""

import json
from pathlib import Path

from tests.cli.conftest import Deadpan

RANDOM = ("--model", "baseline/random", "--limit", "6", "-q")


def test_benchmark_task_and_the_latest_run(
    deadpan: Deadpan, mixed_store: Path, tmp_path: Path
) -> None:
    mixed = deadpan("score", mixed_store)
    assert mixed.code == 2 and "--latest" in mixed.err
    latest = deadpan("score", mixed_store, "--latest", "--benchmark", "cfms")
    assert latest.code == 0 and "|temperature:1|" in latest.out
    assert "pixelhumor" not in latest.out and "temperature:0" not in latest.out
    out = tmp_path / "r.csv"
    assert deadpan("report", mixed_store, "--benchmark", "pixelhumor", "--out", out).code == 0
    assert "pixelhumor," in out.read_text() and "cfms," not in out.read_text()


def test_the_latest_run_is_what_it_asked_and_no_more(deadpan: Deadpan, mixed_store: Path) -> None:
    """A smaller run after a larger one: together they are one, the latest is the smaller."""
    smaller = ("pixelhumor/presence", "--model", "baseline/random", "--limit", 3, "-q")
    assert deadpan("run", *smaller, "--store", mixed_store).code == 0
    score = ("score", mixed_store, "--benchmark", "pixelhumor")
    assert "baseline/random presence: 6/6 answered" in deadpan(*score).out
    latest = deadpan(*score, "--latest").out
    assert "baseline/random presence: 3/3 answered" in latest
    assert "baseline/random style: 6/6 answered" in latest


def test_a_task_keeps_the_values_that_it_has_beside_the_others(
    deadpan: Deadpan, mixed_store: Path, tmp_path: Path
) -> None:
    """`style` is gated by `presence`, shown or not."""
    found = {}
    for name, more in {"all": (), "style": ("--task", "style")}.items():
        out = tmp_path / f"{name}.json"
        run = deadpan("score", mixed_store, "--benchmark", "pixelhumor", *more, "--json", out)
        assert run.code == 0
        rows = json.loads(out.read_text())["rows"]
        found[name] = {(row["task"], row["metric"], row["group"]): row["value"] for row in rows}
    assert {task for task, _, _ in found["style"]} == {"style"}
    assert found["style"].items() <= found["all"].items()
    page = tmp_path / "r.md"
    asked = ("--benchmark", "pixelhumor", "--task", "style", "--out", page)
    assert deadpan("report", mixed_store, *asked).code == 0
    assert "Tasks: Humour styles\\" in page.read_text("utf-8")
    assert "|gate:na|" in page.read_text("utf-8")


def test_what_is_there_is_named(deadpan: Deadpan, mixed_store: Path, tmp_path: Path) -> None:
    told = deadpan("report", mixed_store, "--benchmark", "pixelhumour")
    assert told.code == 2 and "there are results of pixelhumor, cfms; did you mean" in told.err
    told = deadpan("score", mixed_store, "--benchmark", "pixelhumor", "--task", "panel")
    assert told.code == 2 and "--task panel: there are results of presence, style" in told.err
    told = deadpan("score", "cfms", "--predictions", "x", "--latest")
    assert told.code == 2 and "--latest: no use with --predictions" in told.err


def test_failures_are_of_one_benchmark(deadpan: Deadpan, mixed_store: Path, tmp_path: Path) -> None:
    sample = ("failures", "sample", mixed_store, "--out", tmp_path / "people.jsonl", "--share", 1)
    told = deadpan(*sample)
    assert told.code == 2 and "results of cfms, pixelhumor; choose one with --benchmark" in told.err
    told = deadpan(*sample, "--benchmark", "cfms")
    assert told.code == 2 and "take the last run with --latest" in told.err
    assert deadpan(*sample, "--benchmark", "cfms", "--latest").code == 0
