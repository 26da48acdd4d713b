"""Edited pictures from the command line: judged where a sample holds them, checked, and scored."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.merbench.meme_folder import folder, judgement, picture, record
from tests.cli.conftest import Deadpan
from tests.model_server import ModelServer

JUDGE = "openai-api/loopback/judge"
READER = ("run", "vimu/oe", "--model", "baseline/random")
EDITOR = ("run", "merbench", "--model", "editor/caption")


def scores(path: Path) -> dict[tuple[str, str, str, str], dict[str, Any]]:
    rows = json.loads(path.read_text("utf-8"))["rows"]
    return {(r["model"], r["task"], r["metric"], r["group"]): r for r in rows}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    place = folder(tmp_path / "data", [record(f"{n}.png") for n in range(6)], ("A", "B"))
    for number in range(6):
        for model, shade in (("A", 40), ("B", 60)):
            edited = place / "EditedResults" / model / f"{number}.png"
            picture(edited, f"rgb({shade},{number},0)")
    return place


def test_only_what_is_drawn_is_judged_and_nothing_twice(
    deadpan: Deadpan, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "EditedResults" / "B" / "5.png").unlink()
    out, table = tmp_path / "out.json", tmp_path / "t.parquet"
    asked = ["score", "merbench", "--data", data, "--edits", data, "--judge", JUDGE]
    with ModelServer(lambda picture, prompt: json.dumps(judgement())) as server:
        server.offer(monkeypatch)
        first = deadpan(*asked, "--store", tmp_path / "answers", "--json", out, "--table", table)
        assert first.code == 0, first.err
        assert server.total == 10, "the meme that B lacks is judged for nobody"
        assert server.requests[0]["images"] == 2, "source and edit"
        again = deadpan(*asked, "--store", tmp_path / "answers")
        assert again.code == 0 and server.total == 10
    found = scores(out)
    assert found["A", "reappraisal", "VGQ", "all"]["value"] == 100
    assert found["A", "reappraisal", "comparable_memes", "all"]["value"] == 5
    assert found["B", "reappraisal", "missing_outputs", "all"]["value"] == 1
    assert found["B", "edits", "usable_outputs", "all"]["value"] == 5
    for number in ("2", "3"):
        page = tmp_path / f"{number}.md"
        assert deadpan("report", table, "--only", number, "--out", page).code == 0
        assert page.read_text("utf-8").count("\n### ") == 1
    assert deadpan("report", table, "--only", "9").code == 2


def test_judgements_made_elsewhere_are_scored(deadpan: Deadpan, data: Path, tmp_path: Path) -> None:
    rows = [
        {"run": run, "id": f"{n}.png", "model": "A", "tgt_emo": "calm", "judgement": judgement()}
        for run in (0, 1)
        for n in range(3)
    ]
    file, out = tmp_path / "j.jsonl", tmp_path / "out.json"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    told = deadpan("score", "merbench", "--judgements", file, "--data", data, "--json", out)
    assert told.code == 0, told.err
    found = scores(out)
    assert found["A", "reappraisal", "TAS", "all"]["value"] == 100
    assert found["all models", "reappraisal", "VGQ", "all"]["n"] == 6
    variant = ("merbench/reappraisal_rf_vl", "--judgements", file, "--data", data)
    assert "merbench/reappraisal_rf_vl|" in deadpan("score", *variant).out
    alone = deadpan("score", "merbench", "--judgements", file, "--json", out)
    assert alone.code == 0, "ids that the mini-set has too are not taken for its memes"
    keys = {group.partition("=")[0] for *_, group in scores(out)}
    assert keys == {"all", "perceived", "row"}
    table, page = tmp_path / "t.parquet", tmp_path / "report.md"
    kept = deadpan("score", "merbench", "--judgements", file, "--data", data, "--table", table)
    assert kept.code == 0, kept.err
    assert deadpan("report", table, "--out", page).code == 0
    told = page.read_text("utf-8")
    for title in ("Models", "Categories, all models together", "Perceived emotion, share of edits"):
        assert f"\n### {title}\n" in told
    assert "|judgements:" in told and "|runs:2|" in told and "- judged elsewhere" in told
    assert "| A ‡ | Reappraisal | 6 | 6 |" in told and "answers to 3 of 6 items" in told
    compared = told[told.index("### What was compared") :]
    assert "| Model | comparable memes | gate broken % ↓ |" in compared
    assert "| **A ‡** | 3 | 0.0 |" in compared
    file.write_text("{}\n", "utf-8")
    broken = deadpan("score", "merbench", "--judgements", file, "--data", data)
    assert broken.code == 2 and "j.jsonl:1" in broken.err


def test_a_judge_sees_more_where_it_is_told_to_and_its_scores_say_so(
    deadpan: Deadpan, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, table, page = tmp_path / "answers", tmp_path / "t.parquet", tmp_path / "report.md"
    asked = ["score", "merbench", "--data", data, "--edits", data, "--judge", JUDGE]
    asked += ["--store", store, "--table", table]
    caption = "The build takes a while."
    prompts: list[str] = []

    def judge(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        return json.dumps(judgement())

    with ModelServer(judge) as server:
        server.offer(monkeypatch)
        assert deadpan(*asked).code == 0
        assert len(prompts) == 12 and not any(caption in prompt for prompt in prompts)
        more = deadpan(*asked, "--judge-sees", "specification,caption")
        assert more.code == 0 and len(prompts) == 24, "another question"
        assert all(caption in prompt for prompt in prompts[12:])
        assert "+caption+specification|" in more.out
        assert deadpan("report", table, "--out", page).code == 0
        assert "- the judge also sees: caption, specification" in page.read_text("utf-8")
        again = deadpan(*asked)
        assert again.code == 0 and len(prompts) == 24, "both are kept"
        assert "+caption" not in again.out, "the judge that was asked for counts, not the newest"
    assert deadpan("report", table, "--out", page).code == 0
    assert "also sees" not in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run", "merbench", "--model", "baseline/ocr"), "answered by editors"),
        (("run", "merbench", "--model", "editor/caption"), "name one with --judge"),
        (("run", "pixelhumor", "--model", "editor/caption"), "no pictures to be edited"),
        (("run", "merbench", "--model", "editor/none", "--judge", "judge/lexical"), "no editor"),
        (("score", "pixelhumor", "--edits", "."), "has no edited pictures"),
        (("score", "pixelhumor", "--judgements", "x.jsonl"), "scores no file of judgements"),
        (
            (
                "score",
                "merbench/reappraisal_rf_vl,reappraisal_rl_vf",
                *("--judgements", "x"),
            ),
            "--judgements are of one task; name one",
        ),
        (("score", "merbench", "--edits", ".", "--judgements", "x"), "give one of"),
        (("score", "merbench", "--edits", "nowhere"), "nowhere"),
        (("score", "merbench", "--judgements", "x", "--judge", "judge/lexical"), "--judge: no use"),
        ((*EDITOR, "--judge", "judge/lexical", "--variant", "text-only"), "--variant: no use"),
        (
            (*EDITOR, "--judge", "judge/lexical", "--judge-sees", "mood"),
            "expected source-emotion, ",
        ),
        ((*EDITOR, "--judge-sees", "caption"), "name one with --judge"),
        ((*READER, "--judge", "judge/lexical", "--judge-sees", "caption"), "may see more"),
        (
            ("score", "merbench", "--edits", ".", "--judge-sees", "caption"),
            "no use without --judge",
        ),
    ],
)
def test_what_does_not_go_together_is_told(
    deadpan: Deadpan,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = deadpan(*arguments)
    assert result.code == 2 and told in result.err and "Traceback" not in result.err


def test_an_editor_runs_in_a_model_s_place_and_continues(deadpan: Deadpan, tmp_path: Path) -> None:
    pytest.importorskip("rapidocr", reason="the caption editor reads by OCR")
    run = ["run", "merbench", "--model", "editor/caption", "--judge", "judge/lexical"]
    run += ["--limit", "2", "--store", tmp_path / "answers"]
    assert deadpan(*run).code == 0
    edited = sorted((tmp_path / "answers" / "pictures").rglob("*.png"))
    assert len(edited) == 2
    page = tmp_path / "report.md"
    assert deadpan("report", tmp_path / "answers", "--out", page).code == 0
    assert "editor/caption" in page.read_text("utf-8")
    stamps = [path.stat().st_mtime_ns for path in edited]
    again = deadpan(*run)
    assert again.code == 0 and "2/2 answered" in again.out
    assert [path.stat().st_mtime_ns for path in edited] == stamps
