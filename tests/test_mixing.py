"""Results that were not made alike do not share a table by accident."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.cli import app
from deadpan.errors import InputError, MixedSignatures
from deadpan.results import read_results

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
    assert len(read_results([one, one])) == len(ITEMS)
    with pytest.raises(InputError, match="m has two different results"):
        read_results([one, two])
