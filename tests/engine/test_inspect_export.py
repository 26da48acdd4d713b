"""Answers as Inspect logs, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from deadpan.base.errors import InputError
from deadpan.engine.inspect_logs import export_logs
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs


def test_exported_logs_score_as_the_store_does(tmp_path: Path) -> None:
    settings = RunSettings(store=tmp_path / "answers", limit=4, epochs=2)
    run({"pixelhumor": ["panel_order", "style"]}, "baseline/random", settings)
    written = export_logs([tmp_path / "answers"], tmp_path / "logs")
    assert len(written) == 2

    ours = results_of_runs([tmp_path / "answers"]).sort("task", "item", "epoch")
    theirs = results_of_runs([tmp_path / "logs"]).sort("task", "item", "epoch")
    columns = ["task", "item", "epoch", "answer", "parsed", "outcome", "gold", "signature"]
    assert ours.select(columns).equals(theirs.select(columns))

    log = read_eval_log(str(written[0]))
    assert log.status == "success" and len(log.samples or ()) == 8
    assert export_logs([tmp_path / "answers"], tmp_path / "logs") == written, "names are stable"


def test_a_failed_question_is_one_in_the_logs_too(tmp_path: Path) -> None:
    """The majority knows no explanation: every question fails, and has no reply to export."""
    settings = RunSettings(store=tmp_path / "answers", limit=2)
    run({"cfms": ["explanation"]}, "baseline/majority", settings)
    export_logs([tmp_path / "answers"], tmp_path / "logs")
    ours, theirs = (results_of_runs([tmp_path / name]) for name in ("answers", "logs"))
    assert set(ours["outcome"]) == set(theirs["outcome"]) == {"failed"}
    assert ours["reason"].to_list() == theirs["reason"].to_list()


def test_a_store_without_runs_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no run"):
        export_logs([tmp_path], tmp_path / "logs")
