"""Rows of the view: the report's verdicts, attributes, scores, for every benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from deadpan.core.score import ScoringOptions
from deadpan.pipeline.table import read_tables
from deadpan.reports import Section
from deadpan.reports.verdicts import OWN_SCORE, verdict
from deadpan.viewing.rows import COLUMNS, view_rows, with_ids
from deadpan.viewing.snapshots import overall, score
from tests.reports.toy import Toy, toy_table


def test_verdicts_are_those_of_the_report(made_store: Path) -> None:
    table = with_ids(read_tables([made_store]))
    for _, own in table.group_by("benchmark", maintain_order=True):
        section = overall(score(own, ScoringOptions()))
        rows = view_rows(section)
        assert rows.columns == list(COLUMNS)
        told = [verdict(section, row) for row in section.table.iter_rows(named=True)]
        assert rows["verdict"].to_list() == told and len(set(told)) > 1


def test_every_outcome_and_attribute_of_a_toy(tmp_path: Path) -> None:
    table = with_ids(toy_table(tmp_path)).with_columns(
        pl.lit("here").alias("source"),
        pl.lit([["a", None], ["b"]][0]).alias("attr.list"),
        pl.when(pl.col("outcome") == "answered").then(1.0).alias(f"{OWN_SCORE}f1"),
        judgements=pl.lit(json.dumps([{"parts": {"verdict": "fine"}}])),
    )
    section = Section(Toy(), table, ())
    rows = view_rows(section)
    told = [verdict(section, row) for row in table.iter_rows(named=True)]
    assert rows["verdict"].to_list() == told
    assert {"right", "unscored", "wrong", "judged"} <= set(told)
    first = rows["attributes"][0].to_list()
    assert "list=a" in first and not any(text.endswith("=") for text in first)
    assert rows["scores"][0].to_list() in ([], [{"metric": "f1", "value": 1.0}])


def test_names_of_answers_say_which_answer_it_is() -> None:
    row = {"benchmark": "b", "task": "t", "model": "m", "item": "i", "epoch": 1, "answer": "yes"}
    rows = [row, row, {**row, "answer": "no"}, {**row, "epoch": 2}, {**row, "answer": None}]
    ids = with_ids(pl.DataFrame(rows))["id"].to_list()
    assert ids[0] == ids[1] and len(set(ids)) == 4


@pytest.mark.parametrize("harm", ["harm", "non-harm"])
def test_harmful_items_are_marked(made_store: Path, harm: str) -> None:
    table = with_ids(read_tables([made_store])).filter(benchmark="pixelhumor")
    table = table.with_columns(pl.lit(harm).alias("attr.harm"))
    section = overall(score(table, ScoringOptions()))
    assert view_rows(section)["harmful"].unique().to_list() == [harm == "harm"]
