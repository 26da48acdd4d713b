"""`deadpan audit shortcuts`: asked, read from a store, drawn, written; and what is refused."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Deadpan
from tests.model_server import ModelServer
from tests.pipeline import scripted

SHORT = ("--variants", "text-only,blank,shuffled-options", "--limit", 8)


def test_a_baseline_is_audited_and_the_store_says_the_same(
    deadpan: Deadpan, tmp_path: Path
) -> None:
    store, first, again = tmp_path / "answers", tmp_path / "a.json", tmp_path / "b.json"
    asked = deadpan(
        *("audit", "shortcuts", "cfms/identification", "--model", "baseline/random", *SHORT),
        *("--store", store, "--json", first, "--plots", tmp_path / "plots"),
    )
    assert asked.code == 0, asked.err
    assert "cfms/identification accuracy, baseline/random" in asked.out
    assert "blank picture" in asked.out and "chance" in asked.out
    read = deadpan("audit", "shortcuts", store, "--json", again)
    assert read.code == 0, read.err
    assert json.loads(first.read_text()) == json.loads(again.read_text())
    rows = json.loads(first.read_text())["shortcuts"]
    assert [one["variant"] for one in rows] == ["text-only", "blank", "shuffled-options"]
    assert {one["difference"] for one in rows} == {0.0}  # it looks at nothing
    assert {one["items"] for one in rows} == {8}
    verdict = json.loads(first.read_text())["verdicts"][0]
    assert verdict["verdict"].startswith("not surely better than chance")
    drawn = sorted(path.name for path in (tmp_path / "plots").iterdir())
    assert drawn == [
        *("variance-share-cfms.png", "variance-share-cfms.svg"),
        *("variants-cfms.png", "variants-cfms.svg"),
    ]


def test_only_what_is_over_a_part_is_marked(deadpan: Deadpan, tmp_path: Path) -> None:
    """An audit of some items makes the whole run beside it no part."""
    about = ("cfms/identification", "--model", "baseline/random", "--store", tmp_path / "answers")
    assert deadpan("run", *about).code == 0
    assert deadpan("audit", "shortcuts", *about, "--variants", "text-only", "--limit", 8).code == 0
    told = deadpan("score", tmp_path / "answers").out
    rows = [line for line in told.splitlines() if " identification  " in line]
    whole = [line for line in rows if "(text only)" not in line and "minus" not in line]
    assert whole and not any("‡" in line for line in whole)
    others = [line for line in rows if "(text only)" in line or "minus" in line]
    assert others and all("‡" in line for line in others)
    assert "baseline/random: scores with this mark are over 8 of 24 items" in told
    assert "baseline/random: answers to" not in told
    for suffix in ("md", "tex"):
        out = tmp_path / f"r.{suffix}"
        assert deadpan("report", tmp_path / "answers", "--out", out).code == 0
        text = out.read_text("utf-8")
        mark = "‡" if suffix == "md" else r"\textdaggerdbl"
        assert f"baseline/random (text only) {mark}" in text
        assert f"baseline/random {mark}" not in text


def test_paraphrases_are_told_as_variance(deadpan: Deadpan, tmp_path: Path) -> None:
    found = deadpan(
        *("audit", "shortcuts", "cfms/identification", "--model", "baseline/random"),
        *("--variants", "blank", "--paraphrases", "--limit", 8, "--json", "-"),
        *("--store", tmp_path / "answers"),
    )
    assert found.code == 0, found.err
    (spread,) = json.loads(found.out)["variance"]
    sources = {one["name"]: one for one in spread["sources"]}
    assert sources["items"]["share"] == pytest.approx(1)
    assert (sources["prompt"]["share"], sources["prompt"]["levels"]) == (0.0, 3)
    assert sources["option order"]["levels"] == 3
    assert "where the variance of single scores comes from" in found.err
    runs = deadpan("runs", tmp_path / "answers")
    assert runs.code == 0
    report = deadpan("report", tmp_path / "answers", "--out", tmp_path / "report.html")
    assert report.code == 0, report.err
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "What the scores need" in page and "baseline/random (paraphrase 1)" in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cfms"], "no such store; to ask, name a benchmark and --model MODEL"),
        (["merbench", "--model", "baseline/ocr"], "no variant applies"),
        (
            ["cfms/target", "--model", "baseline/random", "--variants", "dark"],
            "--variants dark: expected one of text-only",
        ),
        (
            ["pixelhumor/style", "--model", "baseline/random", "--variants", "picture-only"],
            "--variants picture-only: does not apply to pixelhumor/style",
        ),
        (["vimu/oe", "--model", "baseline/random"], "is graded by a judge: name one"),
        (["cfms/nothing", "--model", "baseline/random"], "no such task"),
        (["cfms/target", "--model", "baseline/random", "--latest"], "--latest: no use"),
    ],
)
def test_what_cannot_be_audited_is_refused(
    deadpan: Deadpan, tmp_path: Path, arguments: list[str], said: str
) -> None:
    found = deadpan("audit", "shortcuts", *arguments, "--store", tmp_path / "answers")
    assert found.code == 2
    assert said in found.err.replace("\n", " ")
    assert not (tmp_path / "answers").exists()


def test_a_store_without_variants_and_options_of_asking_are_refused(
    deadpan: Deadpan, tmp_path: Path
) -> None:
    store = tmp_path / "answers"
    common = ("--model", "baseline/random", "--limit", 3, "--store", store, "-q")
    assert deadpan("run", "cfms/identification", *common).code == 0
    alone = deadpan("audit", "shortcuts", store)
    assert alone.code == 2 and "no task was asked both in full and in a variant" in alone.err
    useless = deadpan("audit", "shortcuts", store, "--limit", 3)
    assert useless.code == 2 and "--limit: no use where nothing is asked" in useless.err


@pytest.mark.parametrize(
    "variant", ["blank", "swapped", "picture-only", "question-only", "shuffled-options"]
)
def test_every_variant_can_be_run_by_itself(deadpan: Deadpan, tmp_path: Path, variant: str) -> None:
    common = ("--model", "baseline/random", "--limit", 4, "--store", tmp_path / "answers")
    found = deadpan("run", "cfms/identification", *common, "--variant", variant)
    assert found.code == 0, found.err
    assert f"shown:{variant}" in found.out
    full = deadpan("run", "cfms/identification", *common)
    assert full.code == 0
    scored = deadpan("score", tmp_path / "answers")
    assert scored.code == 0, scored.err  # told apart, not refused
    assert "baseline/random (" in scored.out


def test_variants_in_run_refuse_what_does_not_fit(deadpan: Deadpan, tmp_path: Path) -> None:
    common = ("--model", "baseline/random", "--limit", 2, "--store", tmp_path / "answers")
    for arguments, said in (
        (["cfms", "--variant", "shuffled-panels"], "shuffled-panels does not apply"),
        (["vimu/eg", "--variant", "question-only", "--frames", "4"], "--frames: no use"),
        (["cfms/joint", "--variant", "blank", "--variant-seed", "1"], "--variant-seed: no use"),
        (["cfms/identification", "--paraphrase", "9"], "has 2 paraphrases"),
        (["cfms/joint", "--variant", "blank", "--fewshot", "random:1"], "--fewshot shows"),
    ):
        found = deadpan("run", *arguments, *common, "--judge", "judge/lexical")
        assert found.code == 2, found.out
        assert said in found.err, found.err


def test_a_killed_audit_continues(tmp_path: Path) -> None:
    command = [
        *(sys.executable, "-c", "from deadpan.cli import main; main()", "audit", "shortcuts"),
        *("cfms/identification", "--model", scripted.MODEL, "--store", str(tmp_path / "answers")),
        *("--variants", "blank,text-only", "--max-connections", "2", "-q"),
        *("--json", str(tmp_path / "found.json")),
    ]
    with ModelServer(scripted.looks, delay=0.1) as server:
        env = {**os.environ, **server.environment}
        process = subprocess.Popen(
            command,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + 120
        while sum(server.finished.values()) < 30 and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        before = server.total
        assert 30 <= before < 72 and not (tmp_path / "found.json").exists()
        again = subprocess.run(command, env=env, capture_output=True, text=True, timeout=180)
        assert again.returncode == 0, again.stderr
        assert server.total <= 72 + 2  # no more than what was under way is asked again
    verdict = json.loads((tmp_path / "found.json").read_text())["verdicts"][0]
    assert verdict["full"] == 100.0 and verdict["needs_looking"] > 0.5
