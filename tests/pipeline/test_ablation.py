"""Runs with and without pictures: told apart, paired by item, their difference worked by hand."""

from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import MixedSignatures
from deadpan.core.signature import parse_signature
from deadpan.pipeline.reading import read_results
from deadpan.pipeline.results import Results
from tests.benchmarks.janusmm.meme_folder import answered, chinese_row, data, row

YES, NO = "He mocks himself.", "He is angry."
FULL = {"a": YES, "b": YES, "zh": YES, "lost": YES}
TEXT = {"a": YES, "b": NO, "zh": NO, "lost": None}


def table(folder: Path, said: dict[str, str | None], text_only: bool) -> pl.DataFrame:
    rows = [row("a"), row("b"), chinese_row("zh"), row("lost")]
    made = answered(data(folder, rows), {"recognition": said})
    if not text_only:
        return made
    signature = parse_signature(made["signature"][0]).with_settings(shown="text")
    return made.with_columns(signature=pl.lit(str(signature)))


@pytest.fixture
def both(tmp_path: Path) -> Results:
    return Results(
        pl.concat([table(tmp_path, FULL, False), table(tmp_path, TEXT, True)])  # type: ignore[arg-type]
    )


def test_the_two_are_told_apart_without_mix(both: Results) -> None:
    found = {
        (one.model, one.group): one.value
        for one in both.by_benchmark["janusmm"]
        if one.metric == "accuracy"
    }
    assert found["m", "all"] == 100.0
    assert found["m (text only)", "all"] == pytest.approx(100 / 3)
    assert found["m (text only)", "language=zh"] == 0.0


def test_what_the_picture_adds_is_of_items_scored_both_ways(both: Results) -> None:
    """a: both right; b and zh: right with the picture alone; lost: failed by text alone."""
    gains = {
        one.group: one
        for one in both.by_benchmark["janusmm"]
        if one.metric == "accuracy_minus_text_only"
    }
    assert gains["all"].value == pytest.approx(100 - 100 / 3)
    assert (gains["all"].n, gains["all"].unscored, gains["all"].model) == (3, 1, "m")
    assert gains["language=en"].value == pytest.approx(50.0)
    assert gains["language=zh"].value == pytest.approx(100.0)
    assert "recognition" in gains["all"].signature


def test_the_report_has_a_table_of_it(both: Results, tmp_path: Path) -> None:
    text = both.report(tmp_path / "report.md").read_text("utf-8")
    assert "### What the picture adds: Recognition" in text
    assert "| **m** | 50.0 | 100.0 |" in text
    metric = next(one for one in both.scores().iter_rows(named=True) if "minus" in one["metric"])
    assert metric["better"] == "neither"


def test_one_way_alone_keeps_its_name_and_adds_nothing(tmp_path: Path) -> None:
    alone = Results(table(tmp_path, FULL, True))  # type: ignore[arg-type]
    scores = alone.by_benchmark["janusmm"]
    assert {one.model for one in scores} == {"m"}
    assert not [one for one in scores if "minus" in one.metric]


def test_a_written_table_reads_the_same(both: Results, tmp_path: Path) -> None:
    both.write(tmp_path / "both.parquet")
    again = read_results(tmp_path / "both.parquet")
    assert again.by_benchmark == both.by_benchmark


def test_other_differences_still_need_mix(tmp_path: Path) -> None:
    text = table(tmp_path, TEXT, True)
    signature = parse_signature(text["signature"][0]).with_settings(temperature="0.7")
    other = text.with_columns(signature=pl.lit(str(signature)))
    with pytest.raises(MixedSignatures):
        Results(pl.concat([text, other]))
