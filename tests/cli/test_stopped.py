"""Runs that were broken off are parts of the data, as predictions that lack answers are."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from deadpan.core.signature import checksum, parse_signature
from deadpan.pipeline.table import results_of_runs
from tests.cli.conftest import Deadpan

ASK = ("run", "pixelhumor/presence,style", "--model", "baseline/random", "-q")
COMICS = 35


@pytest.fixture
def stopped(deadpan: Deadpan, tmp_path: Path) -> Callable[[int], Path]:
    """A store of whose answers to `style` the first few are there, as after kill -9."""

    def make(kept: int, *more: object) -> Path:
        store = tmp_path / f"answers {kept}"
        assert deadpan(*ASK, "--store", store, *more).code == 0
        for path in store.glob("pixelhumor-style*.parquet"):
            pl.read_parquet(path).head(kept).write_parquet(path)
        return store

    return make


def test_a_run_that_was_broken_off_is_a_part(
    deadpan: Deadpan, stopped: Callable[[int], Path], tmp_path: Path
) -> None:
    store, out = stopped(20), tmp_path / "scores.json"
    told = deadpan("score", store, "--json", out)
    assert "baseline/random ‡" in told.out and "answers to 20 of 35 items" in told.out
    assert "baseline/random style: 15 of 35 questions are not in the results" in told.out
    table = results_of_runs([store])
    style = parse_signature(table.filter(task="style")["signature"][0])
    items = checksum(sorted(table.filter(task="style")["item"]))
    assert (style.n, style.total, style.asked) == (20, COMICS, COMICS)
    assert style.settings["items"] == items
    presence = parse_signature(table.filter(task="presence")["signature"][0])
    assert presence.part is None and "asked" not in presence.settings
    document = json.loads(out.read_text())
    assert "|n:presence=35,style=20/35|" in document["signature"]
    assert f"|items:style={items}|" in document["signature"]
    parts = {row["task"]: (row["items"], row["of_items"]) for row in document["rows"]}
    assert parts == {"presence": (35, None), "style": (20, 35)}


@pytest.mark.parametrize("suffix", [".csv", ".html", ".md"])
def test_reports_mark_it(
    deadpan: Deadpan, stopped: Callable[[int], Path], tmp_path: Path, suffix: str
) -> None:
    out = tmp_path / f"report{suffix}"
    assert deadpan("report", stopped(20), "--out", out).code == 0
    text = out.read_text("utf-8")
    assert "n:20/35|" in text and "items:" in text
    if suffix == ".csv":
        rows = list(csv.DictReader(text.splitlines()))
        (row,) = [one for one in rows if (one["task"], one["metric"], one["group"]) == F1]
        assert (row["items"], row["of_items"], row["not_given"]) == ("20", "35", "0")
    else:
        assert "‡" in text and "answers to 20 of 35 items" in text


F1 = ("style", "f1", "all")


def test_it_stands_beside_a_whole_run_of_another_model(
    deadpan: Deadpan, stopped: Callable[[int], Path], tmp_path: Path
) -> None:
    store = stopped(20)
    other = ("run", "pixelhumor/presence,style", "--model", "baseline/majority", "-q")
    assert deadpan(*other, "--store", store).code == 0
    told = deadpan("score", store)
    assert told.code == 0 and "baseline/majority  " in told.out and "baseline/random ‡" in told.out


def test_a_run_with_a_limit_that_was_broken_off_misses_what_it_asked(
    deadpan: Deadpan, stopped: Callable[..., Path]
) -> None:
    told = deadpan("score", stopped(3, "--limit", 5))
    assert "n:presence=5/35,style=3/35" in told.out
    assert "style: 2 of 5 questions are not in the results" in told.out
    assert "presence: 30" not in told.out, "nobody asked them"
