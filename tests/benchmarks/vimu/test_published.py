"""The paper's main table as we keep it."""

import csv
from pathlib import Path

import polars as pl
import pytest

from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.metrics import AVERAGES
from deadpan.core.published import Published, read_published

MAIN = "1"
"""The paper's main table."""
SOURCE = Path(__file__).resolve().parents[3].parent / "shared/published/vimu_main_results.csv"
HALF_A_DIGIT = 0.005 + 1e-9


@pytest.fixture(scope="module")
def published() -> Published:
    found = read_published(VIMU.folder)
    assert found is not None
    return found


def printed(published: Published) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for row in published.rows.iter_rows(named=True):
        name = row["task"] if row["metric"] == "score" else row["metric"]
        table.setdefault(row["model"], {})[name] = row["value"]
    return table


def test_sixteen_models_and_six_columns(published: Published) -> None:
    table = printed(published)
    assert len(table) == 16
    assert all(set(row) == {"oe", "eg", "rm", "sv", "ssu_avg", "all_avg"} for row in table.values())
    assert published.rows["value"].is_between(0, 100).all()
    assert table["GPT-5.2"]["oe"] == 73.15 and table["o4-mini"]["all_avg"] == 46.91


@pytest.mark.skipif(not SOURCE.is_file(), reason="the table's source is not on this machine")
def test_every_value_is_the_sources(published: Published) -> None:
    columns = {"oe": "OE", "eg": "EG", "rm": "RM", "sv": "SV"}
    columns |= {"ssu_avg": "SSU_Avg", "all_avg": "All_Avg"}
    with SOURCE.open(encoding="utf-8") as file:
        source = {row["model"]: row for row in csv.DictReader(file)}
    table = printed(published)
    assert list(table) == list(source)
    for model, row in table.items():
        assert {name: float(source[model][column]) for name, column in columns.items()} == row


def test_the_printed_averages_are_the_means_of_the_printed_scores(published: Published) -> None:
    off = [
        (model, metric.name)
        for model, row in printed(published).items()
        for metric, tasks in AVERAGES
        if metric.name in row
        and abs(row[metric.name] - sum(row[task] for task in tasks) / len(tasks)) > HALF_A_DIGIT
    ]
    assert {"ssu_avg", "all_avg"} <= {name for row in printed(published).values() for name in row}
    assert off == []
    assert any("none is off" in oddity for oddity in published.oddities)


def test_what_the_table_does_not_say_is_noted(published: Published) -> None:
    assert "with or without guidance" in published.notes[MAIN]
    assert published.url.endswith("2605.14607")


def test_the_main_table_shows_what_was_published(published: Published) -> None:
    main = next(layout for layout in VIMU.report.tables if layout.published == MAIN)
    shown = {(task, metric, group) for _, task, metric, group in main.columns}
    rows = published.rows.select("task", "metric", "group").unique().rows()
    assert shown == set(rows)
    assert published.rows.filter(pl.col("table") != MAIN).is_empty()
