"""`deadpan data anonymise`: exit status, what is printed, where the report goes."""

from __future__ import annotations

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from deadpan.base.errors import InputError
from deadpan.cli.data import anonymise

APP = typer.Typer()
APP.command()(anonymise)


def chat(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "chat.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_a_good_folder_ends_with_status_zero_and_a_report(tmp_path: Path) -> None:
    line = '{"dialogue": [{"speaker": "张伟", "text": "张伟的电话13812345678"}]}\n'
    source = chat(tmp_path / "in", line)
    result = CliRunner().invoke(APP, [str(source), "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert "2 name, 1 phone" in result.output and "1 of 1 records" in result.output
    assert "张伟" not in result.output and "13812345678" not in result.output
    told = json.loads((tmp_path / "out-report.json").read_text(encoding="utf-8"))
    assert told["replaced_by_kind"] == {"name": 2, "phone": 1} and told["problems"] == []


def test_something_left_out_ends_with_status_one(tmp_path: Path) -> None:
    source = chat(tmp_path / "in", '{"text": "ok"}\n{"text": \n')
    report = tmp_path / "told.json"
    result = CliRunner().invoke(
        APP, [str(source), "--out", str(tmp_path / "out"), "--report", str(report)]
    )
    assert result.exit_code == 1
    assert "left out: chat.jsonl:2: is not JSON" in result.output and report.exists()
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_a_report_inside_of_the_output_is_refused(tmp_path: Path) -> None:
    source = chat(tmp_path / "in", '{"text": "ok"}\n')
    out = tmp_path / "out"
    result = CliRunner().invoke(APP, [str(source), "--out", str(out), "--report", str(out / "r")])
    assert isinstance(result.exception, InputError) and not out.exists()
