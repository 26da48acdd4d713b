"""`deadpan compare`: stores, tables and models; what is sure, what is too close, what differs."""

import json
from pathlib import Path

import polars as pl
import pytest

import deadpan as package
from deadpan.pipeline.comparing import join_sources
from tests.cli.conftest import Deadpan

PRESENCE = ("pixelhumor/presence,panel", "-q", "--model")


@pytest.fixture
def store(deadpan: Deadpan, tmp_path: Path) -> Path:
    folder = tmp_path / "answers"
    for name in ("random", "majority"):
        assert deadpan("run", *PRESENCE, f"baseline/{name}", "--store", folder).code == 0
    return folder


def test_two_models_of_a_store(deadpan: Deadpan, store: Path, tmp_path: Path) -> None:
    out = tmp_path / "pairs.json"
    found = deadpan("compare", store, "--json", out)
    assert found.code == 0
    assert "pixelhumor/presence F1" in found.out and "pixelhumor/panel F1" in found.out
    assert "items show a difference of" in found.out and "signature: pixelhumor/" in found.out
    document = json.loads(out.read_text())
    assert [row["task"] for row in document["pairs"]] == ["presence", "panel"]
    for row in document["pairs"]:
        assert row["difference"] == pytest.approx(row["first_value"] - row["second_value"])
        assert row["low"] <= row["difference"] <= row["high"] and row["n"] == 35
        assert row["is_sure"] == (row["adjusted_p"] <= 0.05)
        assert row["adjusted_by"] == "Holm over 1" and "pixelhumor/" in row["first_signature"]
    assert {row["model"] for row in document["ranks"]} == {"baseline/random", "baseline/majority"}


def test_models_are_named_without_a_store(deadpan: Deadpan, store: Path) -> None:
    named = ("compare", "baseline/majority", "baseline/random", "--store", store)
    found = deadpan(*named, "--task", "panel", "--metric", "recall", "--difference", 0.01)
    assert found.code == 0 and "show one of 0.01" in found.out and "presence" not in found.out
    unknown = deadpan("compare", "baseline/majorty", "baseline/random", "--store", store)
    assert unknown.code == 2 and "baseline/majority" in unknown.err
    metric = deadpan(*named, "--metric", "f2")
    assert metric.code == 2 and "--metric f2: expected one of" in metric.err
    group = deadpan(*named, "--group", "language=xx")
    assert group.code == 2 and "--group language=xx: expected one of all, " in group.err
    assert "did you mean language=" in group.err
    alone = deadpan("compare", "baseline/random", "--store", store)
    assert alone.code == 2 and "two models" in alone.err
    twice = deadpan("compare", "baseline/random", "baseline/random", "--store", store)
    assert twice.code == 2 and "baseline/random: named twice" in twice.err
    missing = deadpan("compare", "a", "b", "--store", store.parent / "none")
    assert missing.code == 2


def test_one_model_in_two_stores_is_two(deadpan: Deadpan, tmp_path: Path) -> None:
    for seed in (1, 2):
        how = ("baseline/random", "--seed", seed, "--store", tmp_path / f"seed{seed}")
        assert deadpan("run", *PRESENCE, *how).code == 0
    found = deadpan("compare", tmp_path / "seed1", tmp_path / "seed2")
    assert found.code == 0
    assert "baseline/random (seed1)" in found.out and "too close to call" in found.out
    assert "asked unequally (presence, panel): " in found.out and "seed:1" in found.out
    pairs = package.compare(tmp_path / "seed1", tmp_path / "seed2", metrics=["precision"])
    assert pairs["metric"].unique().to_list() == ["precision"] and len(pairs) == 2


def test_one_store_asked_in_two_ways(deadpan: Deadpan, tmp_path: Path) -> None:
    """A prompt against another: told apart by what differs."""
    folder = tmp_path / "answers"
    for warm in (0, 1):
        how = ("baseline/random", "--temperature", warm, "--store", folder)
        assert deadpan("run", *PRESENCE, *how).code == 0
    found = deadpan("compare", folder)
    assert found.code == 0 and "(temperature:1)" in found.out


def test_ways_of_asking_are_no_rivals_unless_named(deadpan: Deadpan, store: Path) -> None:
    """They would make every p larger, and nobody asked whether they are better."""
    blind = ("baseline/random", "--variant", "text-only", "--store", store)
    assert deadpan("run", *PRESENCE, *blind).code == 0
    found = deadpan("compare", store)
    assert found.code == 0
    assert "asked otherwise, and compared where named: baseline/random (text only)" in found.out
    assert "Holm" not in found.out, "one pair"
    named = ("baseline/random", "baseline/majority", "baseline/random (text only)")
    both = deadpan("compare", store, *named, "--task", "presence")
    assert both.code == 0 and "(Holm over 3 pairs; " in both.out
    assert "intervals are of each pair by itself" in both.out


def test_what_shares_no_item_is_said(deadpan: Deadpan, store: Path, tmp_path: Path) -> None:
    table = tmp_path / "all.parquet"
    assert deadpan("score", store, "--table", table).code == 0
    rows = pl.read_parquet(table).filter(pl.col("task") == "presence")
    items = rows["item"].unique().sort().to_list()
    own = rows.filter(pl.col("model") == "baseline/random")
    parts = {"first": items[:10], "last": items[-10:]}
    made = [
        own.filter(pl.col("item").is_in(some)).with_columns(model=pl.lit(name))
        for name, some in parts.items()
    ]
    pl.concat([rows, *made]).write_parquet(table)
    found = deadpan("compare", table)
    assert found.code == 0
    assert "first and last share no scored item, and are not compared" in found.out
    out = tmp_path / "pairs.json"
    assert deadpan("compare", table, "--json", out).code == 0
    ranks = {row["model"]: row for row in json.loads(out.read_text())["ranks"]}
    assert ranks["first"]["n"] == 10 and ranks["baseline/random"]["n"] == 35


def test_unequal_data_is_refused(deadpan: Deadpan, store: Path, tmp_path: Path) -> None:
    table = tmp_path / "other.parquet"
    assert deadpan("score", store, "--table", table).code == 0
    rows = pl.read_parquet(table)
    other = rows.with_columns(pl.col("signature").str.replace("data:[0-9a-f]{8}", "data:00000000"))
    other.write_parquet(table)
    found = deadpan("compare", store, table)
    assert found.code == 2 and "unequal data" in found.err


def test_paths_are_told_apart_by_their_last_parts() -> None:
    rows = pl.DataFrame({"model": ["m", "only"], "item": ["a", "a"]})
    one, other = Path("runs/a/answers"), Path("runs/b/answers")
    joined = join_sources({one: rows, other: rows.head(1)})
    assert joined["model"].to_list() == ["m (a/answers)", "only", "m (b/answers)"]


def test_python_compares_results(deadpan: Deadpan, store: Path) -> None:
    results = package.read_results(store)
    pairs = package.compare(results, group="language=en")
    assert set(pairs["group"]) == {"language=en"} and pairs["n"].max() < 35
    with pytest.raises(package.DeadpanError, match="name results"):
        package.compare()
