"""A campaign in one command: asked once, judged, written; stopped, killed and gone on with."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import deadpan
from deadpan.campaigns.suite.outputs import CHECKSUMS
from deadpan.campaigns.suite.reading import WrongSuite, read_suite
from deadpan.campaigns.suite.running import Unfinished, dry_run
from deadpan.engine.store import AnswerStore
from tests.campaigns.suite_world import FIRST, FormServer, campaign


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> FormServer:
    with FormServer() as made:
        made.offer(monkeypatch)
        yield made


def _estimates(file: Path) -> dict[tuple[str, str, str], tuple[int, int]]:
    _, found = dry_run(read_suite(file))
    return {
        (one.job.model.shown, one.job.title, one.role): (one.calls, one.missing) for one in found
    }


def test_a_campaign_is_counted_before_and_asked_once(tmp_path: Path, server: FormServer) -> None:
    more = "audits: {shortcuts: blank, published: yes}\nlanguages: en\n"
    file = campaign(tmp_path, "pixelhumor/presence,interpretation", limit=3, more=more)
    before = _estimates(file)
    assert before["First & best", "pixelhumor", "model"] == (6, 6)
    assert before["First & best", "pixelhumor", "judge"] == (3, 3)
    assert before["第二", "pixelhumor, blank picture", "model"] == (6, 6)
    assert server.total == 0 and not (tmp_path / "answers").exists()

    results = deadpan.run_suite(file, progress=False)
    assert set(results.table["model"]) == {"First & best", "第二"}
    assert server.total == len(server.calls) == len(AnswerStore(tmp_path / "answers").answers())
    after = _estimates(file)
    assert {missing for _, missing in after.values()} == {0}
    calls = server.total
    first = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    deadpan.run_suite(file, progress=False)
    assert server.total == calls
    again = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert first == again
    _check_outputs(tmp_path / "out", file)


def _check_outputs(out: Path, file: Path) -> None:
    assert (out / "suite.yaml").read_text("utf-8") == file.read_text("utf-8")
    _check_sums(out)
    tex = (out / "tables" / "pixelhumor.tex").read_text("utf-8")
    assert "\n% Two models 两个模型\n" in tex and tex.endswith("\\clearpage\n")
    assert r"First \& best" in tex and "第二" in tex and "documentclass" not in tex
    page = (out / "report.html").read_text("utf-8")
    assert "<title>Two models 两个模型 – Deadpan</title>" in page
    assert "First &amp; best" in page and FIRST not in page
    scores = json.loads((out / "scores.json").read_text("utf-8"))
    assert {row["model"] for one in scores for row in one["rows"]} == {"First & best", "第二"}
    table = pl.read_parquet(out / "results.parquet")
    assert set(table["outcome"]) <= {"answered", "invalid"}
    assert list((out / "plots").glob("*.svg"))
    found = json.loads((out / "shortcuts.json").read_text("utf-8"))
    assert {row["variant"] for row in found["shortcuts"]} == {"blank"}
    assert "findings" in json.loads((out / "published.json").read_text("utf-8"))


def _check_sums(out: Path) -> None:
    """Every file that is there is in the checksums, and as it was."""
    told = subprocess.run(["sha256sum", "-c", "--quiet", CHECKSUMS], cwd=out, check=False)
    assert told.returncode == 0
    lines = (out / CHECKSUMS).read_text("utf-8").splitlines()
    there = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert sorted(line.split("  ", 1)[1] for line in lines) == sorted(there - {CHECKSUMS})


def test_chance_alone_and_pages_beside_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No plot of models is drawn where there is none; one benchmark is a list too."""
    monkeypatch.setattr("deadpan.reports.sample_pages.items_a_page", lambda section, items: 1)
    file, out = tmp_path / "paper.yaml", tmp_path / "out"
    file.write_text(
        f"store: {tmp_path / 'answers'}\nout: {out}\nmodels: [baseline/random]\n"
        "benchmarks: [{name: cfms/metaphor, limit: 2}]\naudits: {shortcuts: blank}\n",
        encoding="utf-8",
    )
    deadpan.run_suite(file, progress=False)
    _check_sums(out)
    made = {path.relative_to(out).as_posix() for path in out.rglob("*.*")}
    assert "plots/cfms-overview.png" in made and "plots/abilities.png" not in made
    assert {"shortcuts/variants-cfms.svg", "shortcuts/variants-cfms.png"} <= made
    assert {"report-samples/cfms-002.html", "shortcuts-samples/cfms-002.html"} <= made
    (scores,) = json.loads((out / "scores.json").read_text("utf-8"))
    assert scores["benchmark"] == "cfms"
    page = (out / "report.html").read_text("utf-8")
    assert '<h1 id="title"><bdi>baseline/random on CFMS</bdi></h1>' in page


def test_it_stops_where_the_money_ends_and_goes_on(tmp_path: Path, server: FormServer) -> None:
    file = campaign(tmp_path, "pixelhumor/interpretation", limit=8)
    with pytest.raises(Unfinished, match=r"calls remain, for about \$") as stopped:
        deadpan.run_suite(file, max_cost=2.0, progress=False)
    assert stopped.value.exit_code == 1
    asked = server.total
    kept = AnswerStore(tmp_path / "answers").rows()
    assert 0 < asked == len(kept)
    tokens = kept["input_tokens"].sum() + kept["output_tokens"].sum()
    assert tokens / 1000 <= 2.0  # a dollar for a thousand tokens
    assert not (tmp_path / "out").exists()
    with pytest.raises(Unfinished):  # what was spent before counts
        deadpan.run_suite(file, max_cost=tokens / 1000, progress=False)
    assert server.total == asked
    deadpan.run_suite(file, max_cost=1e6, progress=False)
    assert server.total == len(server.calls)


def test_whoever_has_no_price_is_refused_with_max_cost(tmp_path: Path, server: FormServer) -> None:
    file = campaign(tmp_path, "pixelhumor/interpretation", limit=1)
    text = file.read_text("utf-8").replace("price: {input: 1000, output: 1000}", "epochs: 1", 9)
    file.write_text(text.replace("title: First & best, epochs: 1", "title: First"), "utf-8")
    file.write_text(
        file.read_text("utf-8").replace("title: 第二, epochs: 1", "title: 第二"), "utf-8"
    )
    with pytest.raises(WrongSuite, match=r"paper.yaml:5: models\[0\]: .* has no price") as found:
        deadpan.run_suite(file, max_cost=1.0, progress=False)
    assert "paper.yaml:9: judge: " in str(found.value)
    assert server.total == 0


def test_killed_and_started_again(tmp_path: Path, server: FormServer) -> None:
    """What arrived and was not kept when it was killed is all that is asked again."""
    server.delay = 0.05
    file = campaign(tmp_path, "pixelhumor/interpretation", limit=4)
    command = [sys.executable, "-m", "deadpan", "suite", str(file), "-q"]
    process = subprocess.Popen(command, start_new_session=True)
    deadline = time.monotonic() + 60
    while server.total < 6 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    in_flight = server.total - len(AnswerStore(tmp_path / "answers").answers())
    deadpan.run_suite(file, progress=False)
    assert server.total - len(server.calls) <= in_flight <= 4
    answers = AnswerStore(tmp_path / "answers").answers()
    assert len(answers) == len(server.calls) == answers["key"].n_unique()
    assert (tmp_path / "out" / CHECKSUMS).is_file()
