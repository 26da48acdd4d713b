"""Each command as a user types it: what it prints, what it writes, how it ends."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan import cli
from deadpan.benchmarks import names
from deadpan.benchmarks.pixelhumor.records import MINI_SET
from deadpan.engine import baselines
from deadpan.pipeline.table_files import read_table
from tests.cli.conftest import Deadpan
from tests.cli.data_folder import edit, small_folder, table
from tests.collecting.fetch.loopback import Reply, Site, html
from tests.model_server import ModelServer

RANDOM = ("--model", "baseline/random")
FIGURE = [
    *("model", "task", "metric", "group", "value", "low", "high", "interval", "n"),
    *("invalid", "truncated", "refused", "unscored", "not_given", "read", "items", "of_items"),
]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The answers to every task, three comics each."""
    folder = tmp_path_factory.mktemp("run") / "answers"
    arguments = ["run", "pixelhumor", *RANDOM, "--limit", "3", "--store", str(folder)]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as left:
        patch.setattr(sys, "argv", ["deadpan", *arguments])
        cli.main()
    assert not left.value.code
    return folder


class TestList:
    def test_names_tasks_and_data(self, deadpan: Deadpan, tmp_path: Path) -> None:
        out = tmp_path / "list.json"
        result = deadpan("list", "--json", out)
        assert result.code == 0
        told = ("pixelhumor", "panel_order", "mini-set: 35 items, checksum", "baseline/ocr")
        for name in (*told, "local/FOLDER", "editor/caption"):
            assert name in result.out
        document = json.loads(out.read_text())
        assert list(document) == ["benchmarks", "models", "editors", "judges", "missing"]
        (found,) = [b for b in document["benchmarks"] if b["name"] == "pixelhumor"]
        assert found["languages"] == ["en", "zh"] and len(found["tasks"]) == 8
        assert found["data"]["mini-set"].startswith("35 items")
        extras = {
            "ocr",
            "text",
            "video",
            "data",
            "neural",
            "learn",
            "diffusion",
            "pandas",
            "notebook",
            "ray",
            "vllm",
            "calibrate",
            "curate",
            "studies",
            "web",
            "wandb",
        }
        assert set(document["missing"]) == extras

    def test_a_folder_that_is_missing_is_told_and_not_fatal(self, deadpan: Deadpan) -> None:
        result = deadpan("list", "--data", "nowhere")
        assert result.code == 0
        assert "data: missing: nowhere: no such folder" in result.out


class TestRun:
    def test_prints_and_writes_scores(self, deadpan: Deadpan, tmp_path: Path) -> None:
        out, rows = tmp_path / "scores.json", tmp_path / "rows.parquet"
        result = deadpan(
            *("run", "pixelhumor/presence,style", *RANDOM, "--limit", 3),
            *("--store", tmp_path / "answers", "--json", out, "--table", rows),
        )
        assert result.code == 0
        assert "baseline/random presence: 3/3 answered" in result.out
        assert f"wrote {out}" in result.out
        document = json.loads(out.read_text())
        assert list(document) == ["benchmark", "metrics", "signature", "rows"]
        assert document["metrics"]["f1"]["better"] == "higher"
        assert all(list(row) == FIGURE for row in document["rows"])
        assert document["signature"].startswith("pixelhumor/presence+style|v5|n:3/35|data:")
        assert Counter(read_table(rows)["task"]) == {"presence": 3, "style": 3}

    def test_a_second_run_asks_nothing_and_says_the_same(
        self, deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[str] = []
        answer = baselines.answer

        def counted(*arguments: object) -> str:
            asked.append("")
            return answer(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(baselines, "answer", counted)

        def run(name: str, *options: object) -> dict[str, object]:
            out = tmp_path / name
            where = ("--store", tmp_path / "answers", "--json", out)
            assert deadpan("run", "pixelhumor/panel", *RANDOM, *options, *where).code == 0
            found: dict[str, object] = json.loads(out.read_text())
            return found

        first = run("first.json", "--limit", 3)
        assert len(asked) == 3
        assert run("second.json", "--limit", 3) == first
        assert len(asked) == 3
        run("more.json", "--limit", 5)
        assert len(asked) == 5, "three were answered already"
        anew = run("again.json", "--limit", 3, "--again", "tuesday")
        assert len(asked) == 8
        assert "again:tuesday" in str(anew["signature"])
        assert anew["rows"] == first["rows"], "the baseline draws the same for an item"
        assert run("once.json", "--limit", 3, "--again", "tuesday") == anew
        assert run("last.json", "--limit", 3) == first and len(asked) == 8

    @pytest.mark.parametrize(
        ("arguments", "what"),
        [
            (("run", "chess", *RANDOM), "chess: no such benchmark; expected one of pixelhumor"),
            (("run", "pixelhumor/Q1", *RANDOM), "pixelhumor/Q1: no such task; expected one of"),
            (
                ("run", "pixelhumor", "--model", "baseline/best"),
                "expected one of baseline/majority",
            ),
            (("run", "pixelhumor", "--model", "nobody/best"), "nobody"),
            (("run", "pixelhumor", "--model", "best"), "best"),
            (("run", "pixelhumor", *RANDOM, "--data", "nowhere"), "nowhere: no such folder"),
            (("run", "pixelhumor", *RANDOM, "--gate", "maybe"), "--gate maybe: expected one of na"),
            (("run", "pixelhumor", *RANDOM, "--table", "a.xls"), "a.xls: unknown table format"),
            (("run", "pixelhumor", *RANDOM, "--prompts", "nowhere"), "nowhere: no such folder"),
            (("data", "verify", "chess"), "chess: no such benchmark"),
            (("data", "stats", "pixelhumor", "--data", "nowhere"), "nowhere: no such folder"),
            (("data", "verify", "cfms", "--data", "n" * 300), "name too long"),
            (("agreement", "chess"), "chess: no such benchmark"),
            (("report", "nowhere"), "nowhere: no such answer store, log or table"),
        ],
    )
    def test_a_wrong_name_ends_in_two_and_says_what_was_expected(
        self,
        deadpan: Deadpan,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        arguments: tuple[str, ...],
        what: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.delenv("DEADPAN_STORE")
        result = deadpan(*arguments)
        assert result.code == 2
        assert result.err.startswith("error: ") and what in result.err
        assert "Traceback" not in result.err
        assert not list(tmp_path.iterdir()), "a refused command leaves nothing behind"

    @pytest.mark.parametrize(
        ("option", "instead"), [(("--logs", "l"), "--store DIR"), (("--fresh",), "--again LABEL")]
    )
    def test_an_option_that_is_gone_says_what_took_its_place(
        self, deadpan: Deadpan, option: tuple[str, ...], instead: str
    ) -> None:
        result = deadpan("run", "pixelhumor/panel", *RANDOM, *option)
        said = " ".join(result.err.replace("│", " ").split())
        assert result.code == 2 and option[0] in said and "is gone;" in said and instead in said

    def test_json_has_the_standard_output_to_itself(self, deadpan: Deadpan, tmp_path: Path) -> None:
        asking = ("run", "pixelhumor/panel", *RANDOM, "--limit", 3, "--store", tmp_path / "answers")
        result = deadpan(*asking, "--json", "-")
        assert result.code == 0
        assert json.loads(result.out)["benchmark"] == "pixelhumor"
        assert "panel: 3/3 answered" in result.err

    def test_quiet_prints_scores_only(self, deadpan: Deadpan, tmp_path: Path) -> None:
        asking = ("run", "pixelhumor/panel", *RANDOM, "--limit", 3, "--store", tmp_path / "answers")
        result = deadpan(*asking, "-q")
        assert result.code == 0 and result.err == ""
        assert "recall" in result.out and "answers:" not in result.out
        assert "3/3 baseline/random" in deadpan(*asking, "--again", "loudly").err

    def test_a_folder_of_something_else_is_left_alone(
        self, deadpan: Deadpan, tmp_path: Path
    ) -> None:
        (tmp_path / "thesis.txt").write_text("…")
        result = deadpan("run", "pixelhumor/panel", *RANDOM, "--store", tmp_path)
        assert result.code == 2 and "is no answer store, and not empty" in result.err
        assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]

    def test_as_a_process_of_its_own(self, tmp_path: Path) -> None:
        result = subprocess.run(
            [sys.executable, "-c", "from deadpan.cli import main; main()", "run", "chess", *RANDOM],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "COLUMNS": "40"},
        )
        assert result.returncode == 2
        assert (
            result.stderr
            == f"error: chess: no such benchmark; expected one of {', '.join(names())}; "
            "where a package of its own brings it, install that\n"
        )

    @pytest.mark.parametrize(
        ("by", "status", "usual"),
        [
            (signal.SIGINT, 130, signal.SIG_DFL),
            (signal.SIGTERM, 143, signal.SIG_DFL),
            (signal.SIGTERM, 143, signal.SIG_IGN),
        ],
        ids=["ctrl-c", "sigterm", "sigterm in the background"],
    )
    def test_a_run_that_is_stopped_says_how_to_go_on(
        self, tmp_path: Path, by: signal.Signals, status: int, usual: signal.Handlers
    ) -> None:
        command = [sys.executable, "-c", "from deadpan.cli import main; main()", "run"]
        command += ["pixelhumor/presence,style", "--model", "openai-api/loopback/vision"]
        command += ["--store", str(tmp_path / "answers"), "--max-connections", "3"]
        with ModelServer(lambda picture, prompt: "Yes", delay=0.2) as server:
            process = subprocess.Popen(
                command,
                env={**os.environ, **server.environment},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                # A test run started in the background hands on that Ctrl-C is ignored.
                preexec_fn=lambda: signal.signal(signal.SIGINT, usual),
            )
            deadline = time.monotonic() + 180
            while server.total < 6 and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(by)
            _, said = process.communicate(timeout=180)
            assert 6 <= server.total < 35, said
        assert process.returncode == status
        assert "answers are kept; the same command goes on" in said.splitlines()[-1]
        assert "Traceback" not in said

    def test_a_file_where_answers_should_go_is_named(
        self, deadpan: Deadpan, tmp_path: Path
    ) -> None:
        (tmp_path / "answers").write_text("")
        result = deadpan("run", "pixelhumor/panel", *RANDOM, "--store", tmp_path / "answers")
        assert result.code == 2
        assert f"error: {tmp_path / 'answers'}" in result.err and "Traceback" not in result.err


class TestPrompts:
    def test_own_wording_changes_the_signature(self, deadpan: Deadpan, tmp_path: Path) -> None:
        own = tmp_path / "prompts" / "en" / "presence.txt"
        own.parent.mkdir(parents=True)
        own.write_text("Funny? Yes or No.\n")
        common = (
            "run",
            "pixelhumor/presence",
            *RANDOM,
            "--limit",
            2,
            "--store",
            tmp_path / "answers",
        )
        signatures = []
        for options in ((), ("--prompts", tmp_path / "prompts")):
            out = tmp_path / "scores.json"
            assert deadpan(*common, *options, "--json", out).code == 0
            signatures.append(json.loads(out.read_text())["signature"].split("|"))
        differing = [pair for pair in zip(*signatures, strict=True) if pair[0] != pair[1]]
        assert [part.partition(":")[0] for part, _ in differing] == ["prompts"]

        result = deadpan("report", tmp_path / "answers", "--out", tmp_path / "report.csv")
        assert result.code == 2
        assert "unequal signatures cannot share a table" in result.err and "--mix" in result.err
        assert not (tmp_path / "report.csv").exists()
        mixed = ("report", tmp_path / "answers", "--mix", "--out", tmp_path / "report.csv")
        assert deadpan(*mixed).code == 0
        assert (tmp_path / "report.csv").exists()

    @pytest.mark.parametrize("stray", ["en/humour.txt", "presence.txt", "fr/presence.txt"])
    def test_a_stray_file_is_named(self, deadpan: Deadpan, tmp_path: Path, stray: str) -> None:
        path = tmp_path / "prompts" / stray
        path.parent.mkdir(parents=True)
        path.write_text("Funny?")
        result = deadpan("run", "pixelhumor", *RANDOM, "--prompts", tmp_path / "prompts")
        assert result.code == 2
        assert f"unknown prompt file {stray}" in result.err

    def test_an_empty_prompt_is_named(self, deadpan: Deadpan, tmp_path: Path) -> None:
        path = tmp_path / "prompts" / "en" / "presence.txt"
        path.parent.mkdir(parents=True)
        path.write_text(" \n")
        result = deadpan("run", "pixelhumor/presence", *RANDOM, "--prompts", tmp_path / "prompts")
        assert result.code == 2
        assert "presence.txt: the file is empty" in result.err


class TestReport:
    @pytest.mark.parametrize(
        ("suffix", "start"),
        [
            (".html", "<!doctype html>"),
            (".md", "# "),
            (".tex", "%"),
            (".csv", "benchmark,"),
            (".json", "{"),
        ],
    )
    def test_each_suffix_from_a_store(
        self, deadpan: Deadpan, answers: Path, tmp_path: Path, suffix: str, start: str
    ) -> None:
        out = tmp_path / f"report{suffix}"
        result = deadpan("report", answers, "--out", out)
        assert result.code == 0
        assert f"report: {out}" in result.out
        text = out.read_text("utf-8")
        assert text.casefold().startswith(start)
        assert "panel_order" in text or "Reading order" in text
        assert "n:3" in text or suffix == ".csv", "scores carry their signature"

    def test_an_unknown_suffix_is_named(self, deadpan: Deadpan, answers: Path) -> None:
        result = deadpan("report", answers, "--out", "report.docx")
        assert result.code == 2
        assert "no report format has the suffix '.docx'" in result.err

    def test_a_folder_without_answers_is_named(self, deadpan: Deadpan, tmp_path: Path) -> None:
        result = deadpan("report", tmp_path)
        assert result.code == 2
        assert "holds no run" in result.err

    @pytest.mark.parametrize("share", [0.0, 0.5, 0.95])
    @pytest.mark.parametrize("kind", ["*.parquet", "runs/*.parquet"])
    def test_a_damaged_store_is_named(
        self, deadpan: Deadpan, answers: Path, tmp_path: Path, share: float, kind: str
    ) -> None:
        store = Path(shutil.copytree(answers, tmp_path / "copy"))
        file = sorted(store.glob(kind))[0]
        file.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)])
        result = deadpan("report", store, "--out", tmp_path / "report.md")
        assert result.code == 2
        assert file.name in result.err and "Traceback" not in result.err

    def test_answers_score_the_same_anew(
        self, deadpan: Deadpan, answers: Path, tmp_path: Path
    ) -> None:
        scores, report = tmp_path / "scores.json", tmp_path / "report.json"
        assert deadpan("score", answers, "--json", scores).code == 0
        assert deadpan("report", answers, "--out", report).code == 0
        ours, theirs = (json.loads(path.read_text())["rows"] for path in (scores, report))
        assert ours == theirs and len(ours) > 50

    def test_questions_that_are_not_there_are_told(
        self, deadpan: Deadpan, answers: Path, tmp_path: Path
    ) -> None:
        rows = tmp_path / "rows.jsonl"
        whole = deadpan("score", answers, "--table", rows)
        assert "not in the results" not in whole.out
        rows.write_text("".join(rows.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")
        missing = "baseline/random presence: 1 of 3 questions are not in the results"
        assert missing in deadpan("score", rows).out
        assert missing in deadpan("report", rows, "--out", tmp_path / "report.md").out


class TestData:
    def test_verify_the_mini_set(self, deadpan: Deadpan, tmp_path: Path) -> None:
        out = tmp_path / "scores.json"
        result = deadpan("data", "verify", "pixelhumor", "--json", out)
        assert result.code == 0
        assert "35 records, 0 anomalies" in result.out
        assert "anonymise" in deadpan("data", "--help").out
        (row,) = json.loads(out.read_text())["rows"]
        assert list(row) == FIGURE
        assert (row["metric"], row["group"], row["value"], row["n"]) == ("anomalies", "all", 0, 35)

    def test_verify_counts_by_kind(self, deadpan: Deadpan, tmp_path: Path) -> None:
        folder, out = small_folder(tmp_path / "data"), tmp_path / "scores.json"
        (folder / "comic_url.csv").unlink()
        result = deadpan("data", "verify", "pixelhumor", "--data", folder, "--json", out)
        assert result.code == 0
        assert "comic_url.csv: missing file: not in this folder" in result.out
        counts = {row["group"]: row["value"] for row in json.loads(out.read_text())["rows"]}
        assert counts == {"all": 2, "kind=missing file": 1, "kind=no pictures": 1}

    def test_stats(self, deadpan: Deadpan, tmp_path: Path) -> None:
        out = tmp_path / "scores.json"
        result = deadpan("data", "stats", "pixelhumor", "--json", out)
        assert result.code == 0 and "panels=2" in result.out
        rows = json.loads(out.read_text())["rows"]
        values = {(row["metric"], row["group"]): row["value"] for row in rows}
        assert values["comics", "all"] == 35
        assert values["comics", "language=en"] + values["comics", "language=zh"] == 35
        shares = [values["share", f"presence={label}"] for label in ("Yes", "No")]
        assert sum(shares) == pytest.approx(1.0)

    def test_agreement_and_gold(self, deadpan: Deadpan, tmp_path: Path) -> None:
        gold, out = tmp_path / "gold.csv", tmp_path / "scores.json"
        result = deadpan("agreement", "pixelhumor", "--gold", gold, "--json", out)
        assert result.code == 0
        assert "175 of 175 cells equal the released gold" in result.out
        assert table(gold) == table(MINI_SET / "subjective_label.csv")
        rows = json.loads(out.read_text())["rows"]
        assert {row["task"] for row in rows} == {"Q1", "Q2", "Q3", "Q4", "Q5", "overall"}
        exact = [row for row in rows if row["metric"] == "agreement_exact" and row["value"]]
        assert exact and all(0 < row["value"] <= 1 for row in exact)


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site()
    yield server
    server.close()


@pytest.fixture
def addressed(tmp_path: Path, site: Site) -> Path:
    """A data folder whose three comics are on the server, the second of them gone."""
    folder = small_folder(tmp_path / "data")
    for path in folder.glob("*.csv"):
        path.write_text(path.read_text("utf-8").replace("deadpan_", "xkcd_"), "utf-8")
    for number in (1, 2, 3):
        name = f"/comics/strip_{number}.png"
        body = (MINI_SET / "images" / f"deadpan_{number}.png").read_bytes()
        site.put(name, Reply(body=body, kind="image/png"))
        page = html(f'<div id="comic"><img src="{name}"></div>')
        site.put(f"/{number}/", Reply(404) if number == 2 else page)
    for name in ("full_label.csv", "comic_url.csv"):
        edit(
            folder / name,
            lambda rows: [
                row.update(comic_url=f"{site.base}/{row['comic_id'].removeprefix('xkcd_')}/")
                for row in rows
            ],
        )
    return folder


class TestFetch:
    def test_fetch_then_verify_then_run(
        self, deadpan: Deadpan, addressed: Path, site: Site, tmp_path: Path
    ) -> None:
        command = ("data", "get", "pixelhumor", "--data", addressed, "--interval", 0)
        refused = deadpan(*command)
        assert "3 refused" in refused.out and "--allow-private" in refused.out
        assert site.requests == []
        command = (*command, "--allow-private")
        first = deadpan(*command)
        assert first.code == 0
        assert "xkcd_2: gone: " in first.out
        assert "2 done, 0 robots, 1 gone" in first.out
        got = addressed / "images" / "xkcd_1.png"
        assert got.read_bytes() == (MINI_SET / "images" / "deadpan_1.png").read_bytes()

        asked = site.asked()
        assert "3 items settled by an earlier run" in deadpan(*command).out
        assert site.asked() == asked

        verified = deadpan("data", "verify", "pixelhumor", "--data", addressed)
        assert "xkcd_2 image: missing picture: run `deadpan data get" in verified.out
        assert "3 records, 1 anomaly" in verified.out

        ran = deadpan(
            *("run", "pixelhumor/presence", *RANDOM, "--data", addressed),
            *("--store", tmp_path / "answers"),
        )
        assert ran.code == 1, "a question failed"
        assert "baseline/random presence: 2/3 answered, 1 failed" in ran.out
        assert "1 question failed or was not judged, for example xkcd_2" in ran.err
        assert "there is no such picture" in ran.err
        assert "Run the same command again" not in ran.out + ran.err, "it would not help"

    def test_the_first_ones_only_and_elsewhere(
        self, deadpan: Deadpan, addressed: Path, tmp_path: Path
    ) -> None:
        result = deadpan(
            *("data", "get", "pixelhumor", "--data", addressed, "--interval", 0),
            *("--allow-private", "--limit", 1, "--out", tmp_path / "media"),
        )
        assert result.code == 0
        assert [path.name for path in (tmp_path / "media" / "images").iterdir()] == ["xkcd_1.png"]
        assert not (addressed / "images").exists()
