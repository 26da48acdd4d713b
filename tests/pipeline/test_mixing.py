"""Results that were not made alike do not share a table by accident."""

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from deadpan.base.errors import InputError, MixedSignatures
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.cli import app
from deadpan.core.signature import signature_differences
from deadpan.pipeline.results import disambiguate_models
from deadpan.pipeline.table import read_tables

ITEMS = [comic.comic_id for comic in PIXELHUMOR.read(None).records]


def predictions(path: Path, model: str, answers: dict[str, str]) -> list[str]:
    return [
        json.dumps({"item": item, "task": task, "answer": answer, "model": model})
        for task, answer in answers.items()
        for item in ITEMS
    ]


def scored(tmp_path: Path, name: str, lines: list[str], *more: str) -> Path:
    source, table = tmp_path / f"{name}.jsonl", tmp_path / f"{name}.parquet"
    source.write_text("\n".join(lines))
    command = ["score", "pixelhumor", "--predictions", str(source), "--table", str(table), *more]
    result = CliRunner().invoke(app, command)
    if result.exception:
        raise result.exception
    return table


def test_unequal_gates_do_not_mix(tmp_path: Path) -> None:
    gated = predictions(tmp_path, "a", {"presence": "Yes", "style": "Pun"})
    ungated = predictions(tmp_path, "b", {"style": "Pun"})
    with pytest.raises(MixedSignatures, match="gate:na"):
        scored(tmp_path, "both", gated + ungated)
    table = scored(tmp_path, "both", gated + ungated, "--mix")
    assert table.exists()
    report = CliRunner().invoke(app, ["report", str(table), "--out", str(tmp_path / "r.md")])
    assert isinstance(report.exception, MixedSignatures)


def test_two_answers_under_one_name_are_told(tmp_path: Path) -> None:
    one = scored(tmp_path, "one", predictions(tmp_path, "m", {"style": "Pun"}))
    two = scored(tmp_path, "two", predictions(tmp_path, "m", {"style": "Dark"}))
    assert len(read_tables([one, one])) == len(ITEMS)
    moved = tmp_path / "moved.parquet"
    pl.read_parquet(one).with_columns(picture=pl.lit("/elsewhere/1.png")).write_parquet(moved)
    assert read_tables([one, moved]).equals(read_tables([one])), "where pictures lie is no result"
    with pytest.raises(InputError, match="m has two different results"):
        read_tables([one, two])
    named = predictions(tmp_path, "m", {"style": "Dark"})
    apart = scored(tmp_path, "two", named, "--model", "m-again")
    assert set(read_tables([one, apart])["model"]) == {"m", "m-again"}


def test_one_model_asked_in_two_ways_is_shown_twice() -> None:
    shared = "cfms/joint|v1|n:2|data:a|prompts:b|judge:none"
    ways = ["demos:random:1;seed:0;pool:c", "demos:retrieval:1;pool:c"]
    random, retrieval = (f"{shared}|{way}|deadpan:0.1" for way in ways)
    other = "cfms/target|v1|n:2|data:a|prompts:b|judge:none|deadpan:0.1"
    rows = [("joint", "m", random), ("joint", "m", retrieval), ("joint", "m", random),
            ("joint", "k", retrieval), ("target", "m", other)]  # fmt: skip
    columns = ["task", "model", "signature"]
    results = pl.DataFrame(rows, columns, orient="row").with_columns(benchmark=pl.lit("cfms"))
    assert disambiguate_models(results)["model"].to_list() == [
        "m (demos:random:1;seed:0)", "m (demos:retrieval:1)", "m (demos:random:1;seed:0)", "k", "m",
    ]  # fmt: skip
    assert disambiguate_models(results).drop("model").equals(results.drop("model"))


def test_how_many_there_are_is_told_where_nothing_else_differs() -> None:
    few, many, warm = (
        f"cfms/joint|v1|n:{n}|data:a|prompts:b|judge:none|temperature:{t}|deadpan:0.1"
        for n, t in ((2, 0), (3, 0), (3, 1))
    )
    assert signature_differences([few, many]) == ["n:2", "n:3"]
    assert signature_differences([few, warm]) == ["temperature:0", "temperature:1"]
    assert signature_differences([few]) == [""]
