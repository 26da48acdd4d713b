"""A results table from elsewhere: columns, types, nulls and forms, each told with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks import find
from deadpan.core.questions import Reply
from deadpan.pipeline.table import graded_row
from deadpan.pipeline.table_files import read_table, write_table
from tests.benchmarks.reader_samples import results_of


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    return results_of(find("pixelhumor"))


def _written(folder: Path, table: pl.DataFrame, suffix: str = ".parquet") -> Path:
    path = folder / f"t{suffix}"
    write_table(table, path)
    return path


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
@pytest.mark.parametrize("name", ["pixelhumor", "janusmm", "merbench", "cfms", "vimu"])
def test_what_is_written_is_read_back(tmp_path: Path, name: str, suffix: str) -> None:
    made = results_of(find(name))
    read = read_table(_written(tmp_path, made, suffix))
    assert sorted(read.columns) == sorted(made.columns)
    assert read.select(made.columns).equals(made)


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_lists_that_older_tables_hold_as_joined_texts_are_read_as_lists(
    tmp_path: Path, suffix: str
) -> None:
    made = results_of(find("vimu"))
    older = made.with_columns(pl.col("attr.rhetoric", "attr.social").list.join("+"))
    read = read_table(_written(tmp_path, older, suffix))
    assert read.schema["attr.rhetoric"] == pl.List(pl.String)
    letters = [[one for one in cell if one] for cell in read["attr.rhetoric"]]
    assert letters == made["attr.rhetoric"].to_list()
    both = pl.concat([read, read_table(_written(tmp_path, made, suffix))], how="diagonal_relaxed")
    assert len(both) == 2 * len(made)


def test_a_question_of_an_older_store_has_its_lists_too() -> None:
    vimu = find("vimu")
    question = vimu.questions(vimu.read(None), "rm", vimu.prompts("rm"))[0]
    joined = {"rhetoric": "B+C", "difficulty": "a+b"}
    older = question.model_copy(update={"attributes": question.attributes | joined})
    row = graded_row(vimu, "rm", "m", older, Reply(text="B"), "")
    assert (row["attr.rhetoric"], row["attr.difficulty"]) == (["B", "C"], "a+b")


def test_numbers_in_place_of_lists_are_told(tmp_path: Path) -> None:
    made = results_of(find("vimu")).with_columns(pl.lit(3).alias("attr.social"))
    with pytest.raises(InputError, match=r"attr\.social: is Int\d+; expected lists of text"):
        read_table(_written(tmp_path, made))


def test_narrower_numbers_and_empty_columns_of_other_tools_pass(
    tmp_path: Path, table: pl.DataFrame
) -> None:
    other = table.with_columns(
        pl.col("epoch").cast(pl.Int16),
        pl.col("model").cast(pl.Categorical),
        pl.lit(None).alias("notes"),
        pl.col("input_tokens").cast(pl.Float64),
    )
    assert read_table(_written(tmp_path, other)).equals(table)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (pl.col("epoch").cast(pl.String), "epoch: is String; expected Int64"),
        (pl.lit(1.5).alias("epoch"), "epoch: is Float64; expected Int64"),
        (pl.lit(3).alias("item"), "item: is Int32; expected String"),
        (pl.lit(0, pl.Int64).alias("epoch"), "epoch: expected 1 or more"),
        (pl.lit(None, pl.String).alias("model"), "model: got null"),
        (pl.lit("fr").alias("language"), r'language: got "fr".*\(expected one of en, zh\)'),
        (pl.lit("NaN").alias("gold"), "gold: got .*NaN is no number"),
        (pl.lit("[" * 200).alias("gold"), "gold: got"),
        (pl.lit(None, pl.String).alias("parsed"), "parsed: got null, and the outcome is answered"),
        (pl.lit("{}").alias("gold"), "gold: got .*valid array"),
        (pl.lit("[1]").alias("parsed"), "parsed: got .*valid string"),
        (pl.lit("many").alias("attr.panels"), "attr.panels: is String; expected whole numbers"),
        (pl.lit(None, pl.Int64).alias("attr.panels"), "attr.panels: got null"),
        (pl.lit("no_such").alias("task"), "no_such: no such task"),
    ],
)
def test_what_is_wrong_is_told(
    tmp_path: Path, table: pl.DataFrame, change: pl.Expr, what: str
) -> None:
    rows = table.filter(pl.col("task") == "presence").with_columns(change)
    with pytest.raises(Exception, match=what) as raised:
        read_table(_written(tmp_path, rows))
    assert type(raised.value).__module__ == "deadpan.base.errors"


def test_columns_that_are_missing_are_told(tmp_path: Path, table: pl.DataFrame) -> None:
    for name in ("gold", "attr.styles"):
        with pytest.raises(InputError, match=f"no column {name}"):
            read_table(_written(tmp_path, table.drop(name)))
    with pytest.raises(InputError, match="holds no results"):
        read_table(_written(tmp_path, table.head(0)))


def test_a_damaged_file_is_one_error_and_prints_nothing(
    tmp_path: Path, table: pl.DataFrame, capfd: pytest.CaptureFixture[str]
) -> None:
    data = _written(tmp_path, table).read_bytes()
    path = tmp_path / "damaged.parquet"
    told = 0
    for at in range(4, len(data) - 8, 397):
        path.write_bytes(
            data[:at] + bytes(255 - byte for byte in data[at : at + 9]) + data[at + 9 :]
        )
        try:
            read_table(path)
        except InputError as error:
            told += "damaged.parquet" in str(error)
    assert told > 10
    assert capfd.readouterr().err == ""


def test_a_table_of_other_json_is_told_with_its_row(tmp_path: Path, table: pl.DataFrame) -> None:
    rows: list[dict[str, Any]] = table.to_dicts()
    rows[1]["gold"] = json.dumps({"Yes": 1})
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError, match=rf't\.jsonl "{rows[1]["item"]}" \(m, presence\) gold'):
        read_table(path)
