"""`deadpan run` with several models, all benchmarks, or a sample of the items."""

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import deadpan as package
from deadpan.core.signature import parse_signature
from tests.cli.conftest import Deadpan
from tests.model_server import ModelServer

RANDOM, MAJORITY = "baseline/random", "baseline/majority"
GOOD, BAD = "openai-api/good/pupil", "openai-api/bad/pupil"


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModelServer, ModelServer]]:
    """One that answers, and one whose every question fails."""
    with (
        ModelServer(lambda picture, prompt: "Yes") as good,
        ModelServer(lambda picture, prompt: "Yes", dict.fromkeys(range(99), "500!")) as bad,
    ):
        for name, server in (("GOOD", good), ("BAD", bad)):
            monkeypatch.setenv(f"{name}_API_KEY", "not-a-secret")
            monkeypatch.setenv(f"{name}_BASE_URL", server.url)
        yield good, bad


def _ask(store: Path, *models: str, what: str = "pixelhumor/presence") -> list[object]:
    named = [part for model in models for part in ("--model", model)]
    return ["run", what, *named, "--store", store, "--max-retries", 0]


def test_all_benchmarks_and_two_models_in_one_table(deadpan: Deadpan, tmp_path: Path) -> None:
    table, out = tmp_path / "all.parquet", tmp_path / "scores.json"
    files = ("--table", table, "--json", out, "--limit", 1)
    told = deadpan(*_ask(tmp_path / "answers", RANDOM, MAJORITY, what="all"), *files)
    assert told.code == 0
    assert f"{RANDOM}: merbench is left out: answered by editors only" in told.out
    assert told.out.count("signature: ") == 4, "a table for each benchmark"
    asked = pl.read_parquet(table).select("benchmark", "model").unique().rows()
    assert {("cfms", MAJORITY), ("cfms", RANDOM), ("vimu", RANDOM)} < set(asked)
    assert ("vimu", MAJORITY) not in asked
    documents = json.loads(out.read_text())
    assert {row["model"] for one in documents for row in one["rows"]} == {RANDOM, MAJORITY}


def test_a_model_that_gives_up_stops_no_other(
    deadpan: Deadpan, tmp_path: Path, servers: tuple[ModelServer, ModelServer]
) -> None:
    good, bad = servers
    told = deadpan(*_ask(tmp_path, BAD, GOOD))
    assert told.code == 1
    assert f"{BAD} was given up: {BAD}: the first " in told.err
    assert f"{GOOD} presence: 35/35 answered" in told.out and good.total == 35
    bad.faults = {}
    again = deadpan(*_ask(tmp_path, BAD, GOOD))
    assert again.code == 0 and good.total == 35, "what was answered is not asked again"
    assert f"{BAD} presence: 35/35 answered" in again.out


def test_all_models_are_tried_before_any_is_asked(
    deadpan: Deadpan, tmp_path: Path, servers: tuple[ModelServer, ModelServer]
) -> None:
    good, bad = servers
    bad.probe_fault = (401, "wrong key")
    told = deadpan(*_ask(tmp_path, GOOD, BAD))
    assert told.code == 2 and "the key is not accepted" in told.err and good.total == 0
    assert deadpan(*_ask(tmp_path, GOOD)).code == 0
    bad.probe_fault = ""
    bad.faults = {}
    assert deadpan(*_ask(tmp_path, GOOD, BAD)).code == 0 and good.total == 35


def test_where_every_model_gives_up_the_first_is_told(
    deadpan: Deadpan, tmp_path: Path, servers: tuple[ModelServer, ModelServer]
) -> None:
    servers[0].faults = dict.fromkeys(range(99), "500!")
    told = deadpan(*_ask(tmp_path, GOOD, BAD))
    assert told.code == 1 and f"error: {GOOD}: the first " in told.err


def test_a_sample_is_signed_nested_and_the_same_for_all(deadpan: Deadpan, tmp_path: Path) -> None:
    def items(size: int, *more: object) -> dict[tuple[str, str], list[str]]:
        table = tmp_path / "table.parquet"
        command = _ask(tmp_path / "answers", RANDOM, MAJORITY, what="pixelhumor/presence,style")
        told = deadpan(*command, "--sample", size, "--table", table, *more)
        assert told.code == 0, told.err
        rows = pl.read_parquet(table)
        for text in rows["signature"].unique():
            signed = parse_signature(text)
            assert signed.settings.get("sample") == (f"{size}@0" if size < 35 else None)
            assert signed.part == ((size, 35) if size < 35 else None)
        asked = rows.group_by("model", "task", maintain_order=True).agg("item")
        return {(model, task): own for model, task, own in asked.iter_rows()}

    few, more, every = items(6), items(12), items(99)
    for asked, size in ((few, 6), (more, 12), (every, 35)):
        own = list(asked.values())
        assert len(own) == 4 and all(one == own[0] for one in own) and len(own[0]) == size
    key = (RANDOM, "style")
    assert set(few[key]) < set(more[key]) and few[key] == sorted(few[key], key=every[key].index)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--sample", 3, "--limit", 3), "--limit takes the first items, --sample random ones"),
        (("--sample-seed", 3), "--sample-seed: no use without --sample"),
        (("--sample", 3, "--until", 5), "--sample: no use with --until"),
        (("--sample", 0), "--sample"),
    ],
)
def test_options_that_make_no_sense_together_are_refused(
    deadpan: Deadpan, tmp_path: Path, options: tuple[object, ...], why: str
) -> None:
    told = deadpan(*_ask(tmp_path, RANDOM), *options)
    assert told.code == 2 and why in told.err and not (tmp_path / "runs").exists()


def test_shortcuts_are_audited_on_a_sample(deadpan: Deadpan, tmp_path: Path) -> None:
    asked = ("audit", "shortcuts", "pixelhumor/presence", "--model", RANDOM, "--sample", 8)
    told = deadpan(*asked, "--variants", "blank", "--store", tmp_path)
    assert told.code == 0 and "|sample:8@0|" in told.out and "n:8/35" in told.out
    score = deadpan("score", tmp_path, "--sample", 3)
    assert score.code == 2 and "--draw-size" in score.err


def test_python_takes_several_models_and_a_sample(
    tmp_path: Path, servers: tuple[ModelServer, ModelServer]
) -> None:
    how = {"store": tmp_path, "tasks": "presence", "progress": False}
    results = package.evaluate("pixelhumor", model=[RANDOM, MAJORITY], sample=5, **how)
    assert set(results.table["model"]) == {RANDOM, MAJORITY} and len(results) == 10
    once = package.CallOptions(max_retries=0)
    with pytest.warns(UserWarning, match="bad/pupil is given up: "):
        asked = package.evaluate("pixelhumor", model=(BAD, GOOD), calls=once, **how)
    assert set(asked.table["model"]) == {GOOD} and len(asked) == 35
    every = package.evaluate("all", model=RANDOM, limit=1, store=tmp_path, progress=False)
    assert set(every.tables) == {"pixelhumor", "janusmm", "cfms", "vimu"}
