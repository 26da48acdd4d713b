"""A disk that fills up: a clear end, nothing finished is lost, the same command continues."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from deadpan.engine.store import AnswerStore
from deadpan.pipeline.table_files import read_table
from tests.cli.conftest import Deadpan, Finished, SmallDisk
from tests.model_server import ModelServer

RUN = ("run", "pixelhumor/presence", "--model", "baseline/random")
COMICS = 35
ENOUGH = 50_000


def check_end(result: Finished, where: Path) -> None:
    """An error of exit code 2 that says where, what and what to do, and shows no scores."""
    assert result.code == 2
    (line,) = [text for text in result.err.splitlines() if text.startswith("error: ")]
    assert str(where) in line and "cannot be written (No space left on device)" in line
    assert "Free some space" in line
    assert "Traceback (most recent call last)" not in result.err
    assert "signature:" not in result.out


class TestRun:
    def test_answers_that_no_longer_fit(
        self, deadpan: Deadpan, small_disk: SmallDisk, tmp_path: Path
    ) -> None:
        """In processes of their own: answers that were written outlive the first."""
        table, store = tmp_path / "results.parquet", small_disk.folder / "answers"
        small_disk.hold(28)
        command = [sys.executable, "-c", "from deadpan.cli import main; main()"]
        command += ["run", "pixelhumor/presence", "--model", "openai-api/loopback/vision"]
        command += ["--store", str(store), "--table", str(table), "--max-connections", "2"]
        with ModelServer(lambda picture, prompt: "Yes") as server:
            environment = {**os.environ, **server.environment}

            def run() -> Finished:
                ended = subprocess.run(
                    command, env=environment, capture_output=True, text=True, timeout=120
                )
                return Finished(ended.returncode, ended.stdout, ended.stderr)

            check_end(run(), store)
            assert not table.exists() and server.total < COMICS
            written = len(AnswerStore(store).answers())
            assert 0 < written <= server.total
            unfinished = deadpan("score", store)
            assert unfinished.code == 0
            assert f"{COMICS - written} of {COMICS} questions are not in" in unfinished.out

            small_disk.hold(ENOUGH)
            before = server.total
            assert run().code == 0
            assert server.total - before == COMICS - written, "what was written is not asked again"
        rows = read_table(table)
        assert set(rows["outcome"]) == {"answered"} and rows["item"].n_unique() == COMICS

    def test_a_manifest_that_does_not_fit(self, deadpan: Deadpan, small_disk: SmallDisk) -> None:
        small_disk.hold(12)
        command = (*RUN, "--store", small_disk.folder / "answers")
        check_end(deadpan(*command), small_disk.folder / "answers" / "runs")
        unfinished = deadpan("report", small_disk.folder / "answers")
        assert unfinished.code == 2 and "holds no run" in unfinished.err
        small_disk.hold(ENOUGH)
        again = deadpan(*command)
        assert again.code == 0
        assert "presence: 35/35 answered" in again.out

    def test_folders_of_others_that_are_full_cost_nothing(
        self,
        deadpan: Deadpan,
        small_disk: SmallDisk,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Nothing but the store has to be written: no temporary file, no buffer of Inspect's."""
        small_disk.hold(4)
        (small_disk.folder / "full").write_bytes(b"x" * 4096)
        monkeypatch.setattr(tempfile, "tempdir", str(small_disk.folder))
        monkeypatch.setenv("XDG_DATA_HOME", str(small_disk.folder))
        result = deadpan(*RUN, "--store", tmp_path / "answers")
        assert result.code == 0
        assert "presence: 35/35 answered" in result.out

    def test_a_full_cache_costs_time_only(
        self,
        deadpan: Deadpan,
        small_disk: SmallDisk,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("DEADPAN_CACHE", str(small_disk.folder))
        result = deadpan(*RUN, "--limit", 3, "--store", tmp_path / "answers")
        assert result.code == 0
        assert "presence: 3/3 answered" in result.out


class TestReport:
    def test_what_was_there_stays_until_the_new_one_is_whole(
        self, deadpan: Deadpan, small_disk: SmallDisk, tmp_path: Path
    ) -> None:
        answers, table = tmp_path / "a.jsonl", tmp_path / "results.jsonl"
        line = {"item": "deadpan_1", "task": "presence", "answer": "Yes"}
        answers.write_text(json.dumps(line))
        score = ("score", "pixelhumor", "--predictions", answers, "--table", table)
        assert deadpan(*score).code == 0
        page = small_disk.folder / "report.html"
        page.write_text("old")
        command = ("report", table, "--out", page)
        result = deadpan(*command)
        assert result.code == 2
        assert f"error: {page}: cannot be written (No space left on device)" in result.err
        assert page.read_text() == "old" and list(small_disk.folder.iterdir()) == [page]
        small_disk.hold(ENOUGH)
        assert deadpan(*command).code == 0
        assert page.stat().st_size > 100_000

    @pytest.mark.parametrize("option", ["--json", "--table"])
    def test_scores_and_tables_too(
        self, deadpan: Deadpan, small_disk: SmallDisk, tmp_path: Path, option: str
    ) -> None:
        small_disk.hold(4)
        answers = tmp_path / "a.jsonl"
        answers.write_text('{"item": "deadpan_1", "task": "style", "answer": "Pun"}')
        out = small_disk.folder / "out.jsonl"
        command = ("score", "pixelhumor", "--predictions", answers, option, out)
        result = deadpan(*command)
        assert result.code == 2
        assert "cannot be written (No space left on device)" in result.err
        assert not list(small_disk.folder.iterdir())
