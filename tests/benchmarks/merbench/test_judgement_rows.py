"""Judgements from a file: runs as given, broken judgements counted, broken lines refused."""

import json
from math import exp, sqrt
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench import MERBENCH
from deadpan.benchmarks.merbench.edits import read_dataset
from deadpan.benchmarks.merbench.judgement_rows import judged_rows
from deadpan.benchmarks.merbench.metrics import JUDGED
from deadpan.benchmarks.merbench.records import Meme
from deadpan.benchmarks.merbench.scoring import ALL_MODELS
from deadpan.core.dataset import Dataset
from deadpan.core.parts import parts_in
from deadpan.core.score import Score, ScoringOptions
from deadpan.pipeline.table_files import read_table, table_of, write_table
from tests.benchmarks.merbench.meme_folder import folder, judgement, record

PERCEIVED = ("perceived", "row")


def row(run: int | str, name: str, model: str = "M", **changes: Any) -> dict[str, Any]:
    said = changes.pop("judgement", None) or judgement(**changes)
    return {"run": run, "id": name, "model": model, "tgt_emo": "calm", "judgement": said}


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows), "utf-8")
    return path


def scores_of_judgements(path: Path, dataset: Dataset[Meme] | None = None) -> list[Score]:
    return MERBENCH.score(table_of(judged_rows(path, dataset)), ScoringOptions())


def by_metric(scores: list[Score], model: str = "M", group: str = "all") -> dict[str, Score]:
    return {f.metric: f for f in scores if f.model == model and f.group == group}


def test_scores_by_hand(tmp_path: Path) -> None:
    """Run 1: VEA 5 and 3, one hit of two, one layout kept. Run 2: one perfect output."""
    rows = [
        row(1, "0.png", VGQ=5, VEA=5, TEA=3),
        row(1, "1.png", VGQ=3, VEA=3, TEA=1, label="sad", consistent=False, PES=1),
        row(2, "0.png"),
    ]
    found = by_metric(scores_of_judgements(written(tmp_path / "j.jsonl", rows)))
    judged = {f"{one.name}{end}" for one in JUDGED for end in ("", "_std")}
    assert set(found) == judged | {"comparable_memes"} and found["comparable_memes"].value == 2
    assert found["VGQ"].value == pytest.approx((75 + 100) / 2)
    assert found["VGQ_std"].value == pytest.approx(25 / sqrt(2))
    assert found["PPE"].value == found["LC"].value == pytest.approx(75)
    first = 0.5 * (2 * 0.75 * 0.25 / 1.0)
    assert found["TAS"].value == pytest.approx(100 * (first + 1) / 2)
    fidelity = 0.5 * (0.75 * 1 * 1) ** (1 / 3)
    assert found["CFS"].value == pytest.approx(100 * (fidelity + 1) / 2)
    assert found["SSS"].value == pytest.approx(100 * (2 - exp(-1.5) - exp(-3)) / 2)
    assert found["gate_broken"].value == pytest.approx((50 + 0) / 2)
    assert (found["RFS"].n, found["RFS"].unscored, found["RFS"].task) == (3, 0, "reappraisal")


def test_judgements_may_be_of_a_variant_of_the_prompt(tmp_path: Path) -> None:
    path = written(tmp_path / "j.jsonl", [row(1, "0.png", VGQ=3)])
    found = MERBENCH.score(table_of(judged_rows(path, task="reappraisal_rf_vl")), ScoringOptions())
    (quality,) = [one for one in found if (one.metric, one.model) == ("VGQ", "M")]
    assert (quality.task, quality.value) == ("reappraisal_rf_vl", 50)
    assert quality.signature.startswith("merbench/reappraisal_rf_vl|")


def test_a_model_of_which_fewer_memes_are_judged_is_a_part(tmp_path: Path) -> None:
    """M has both memes, B one; what all have is compared."""
    rows = [row(1, "0.png"), row(1, "1.png"), {**row(1, "0.png"), "model": "B"}]
    path = written(tmp_path / "j.jsonl", rows)
    table = table_of(judged_rows(path))
    assert parts_in(table) == {"B": {"reappraisal": (1, 2)}}
    found = MERBENCH.score(table, ScoringOptions())
    counts = {one.model: one.value for one in found if one.metric == "comparable_memes"}
    assert counts == {"M": 1, "B": 1}


@pytest.mark.parametrize(
    "broken", [None, "no", 3, [], {}, {**judgement(), "layout_consistency": {"consistent": 1}}]
)
def test_a_judgement_that_breaks_the_schema_is_left_out_and_counted(
    tmp_path: Path, broken: Any, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [row(1, "0.png", VGQ=3), {**row(1, "1.png"), "judgement": broken}]
    found = by_metric(scores_of_judgements(written(tmp_path / "j.jsonl", rows)))["VGQ"]
    assert (found.value, found.n, found.unscored) == (50, 1, 1)
    assert "1 of 2 judgements break the judge's schema" in caplog.text and ":2" in caplog.text


def test_what_enters_no_score_may_be_missing_or_added(tmp_path: Path) -> None:
    """A judge of another make may give no rationales, or name them otherwise."""
    blocks = {
        name: {key: value for key, value in block.items() if key != "rationale"} | more
        for (name, block), more in zip(
            judgement(VGQ=3).items(), [{"brief_rationale": "…"}, *[{}] * 5], strict=True
        )
    }
    rows = [row(1, "0.png", judgement={**blocks, "note": "…"})]
    rows.append(row(1, "1.png", judgement=f"Here it is:\n{json.dumps(blocks)}"))
    found = by_metric(scores_of_judgements(written(tmp_path / "j.jsonl", rows)))["VGQ"]
    assert (found.value, found.n, found.unscored) == (50, 2, 0)


def test_a_run_with_nothing_scored_is_no_run(tmp_path: Path) -> None:
    rows = [row(1, "0.png"), row(2, "0.png", judgement={"broken": True})]
    found = by_metric(scores_of_judgements(written(tmp_path / "j.jsonl", rows)))
    assert found["PPE"].value == 100 and found["PPE_std"].value is None
    nothing = written(tmp_path / "k.jsonl", [row(1, "0.png", judgement={"broken": True})])
    assert by_metric(scores_of_judgements(nothing))["PPE"].value is None


def test_a_reply_may_be_given_as_text(tmp_path: Path) -> None:
    text = f"```json\n{json.dumps(judgement())}\n```"
    path = written(tmp_path / "j.jsonl", [row("first", "0.png", judgement=text)])
    assert by_metric(scores_of_judgements(path))["PPE"].value == 100


def test_groups_are_told_where_the_memes_are_known(tmp_path: Path) -> None:
    records = [record("0.png"), record("1.png", layout_type="MultiPanel_Meme")]
    dataset = read_dataset(folder(tmp_path / "data", records))
    rows = [
        *(
            row(1, name, model, VGQ=rated)
            for model, rated in (("M", 5), ("N", 3))
            for name in ("0.png", "1.png")
        ),
        row(1, "unknown.png", "N", VGQ=1),
    ]
    path = written(tmp_path / "j.jsonl", rows)
    groups = {f.group for f in scores_of_judgements(path)}
    assert {group for group in groups if group.partition("=")[0] not in PERCEIVED} == {"all"}
    scores = scores_of_judgements(path, dataset)
    multi = "layout_type=MultiPanel_Meme"
    assert by_metric(scores, "M", multi)["VGQ"].value == 100
    assert by_metric(scores, "N", multi)["VGQ"].value == 50
    assert by_metric(scores, ALL_MODELS, multi)["VGQ"].value == 75
    assert by_metric(scores, "N")["VGQ"].n == 3
    assert by_metric(scores, "M", "language=en")["VGQ"].n == 2


@pytest.mark.parametrize(
    ("line", "place", "what"),
    [
        ("{", "", "is not JSON"),
        ("[1]", "", "expected a JSON object"),
        (json.dumps({"run": 1}), " id", "is missing"),
        (json.dumps({**row(1, "1.png"), "tgt_emo": "joy"}), " tgt_emo", 'got "joy"'),
        (json.dumps({**row(1, "1.png"), "model": ""}), " model", "at least 1 character"),
        (json.dumps({**row(1, "1.png"), "run": 1.5}), " run", "got 1.5"),
        (json.dumps(row(1, "0.png")), "", "run 1 has M's 0.png twice"),
    ],
)
def test_a_broken_line_is_refused_with_its_number(
    tmp_path: Path, line: str, place: str, what: str
) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text(json.dumps(row(1, "0.png")) + "\n\n" + line + "\n", "utf-8")
    with pytest.raises(InputError) as raised:
        scores_of_judgements(path)
    assert raised.value.where.startswith(f"{path}:3{place}")
    assert what in raised.value.what


def test_a_target_that_is_not_the_memes_is_refused(tmp_path: Path) -> None:
    dataset = read_dataset(folder(tmp_path / "data", [record("0.png")]))
    path = written(tmp_path / "j.jsonl", [{**row(1, "0.png"), "tgt_emo": "happy"}])
    with pytest.raises(InputError, match='is to become "calm"'):
        scores_of_judgements(path, dataset)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "j.jsonl").write_text("\n")
    with pytest.raises(InputError, match="the file is empty"):
        scores_of_judgements(tmp_path / "j.jsonl")


def test_a_table_of_judgements_is_read_as_it_was_written(tmp_path: Path) -> None:
    dataset = read_dataset(folder(tmp_path / "data", [record("0.png")]))
    rows = [row(run, name, VGQ=run) for run in (3, 5) for name in ("0.png", "other.png")]
    rows.append(row(3, "1.png", judgement={"broken": True}))
    table = table_of(judged_rows(written(tmp_path / "j.jsonl", rows), dataset))
    write_table(table, tmp_path / "t.parquet")
    again = read_table(tmp_path / "t.parquet")
    options = ScoringOptions()
    assert MERBENCH.score(again, options) == MERBENCH.score(table, options)
    known = again.filter(item="0.png").row(0, named=True)
    assert (known["attr.layout_type"], known["attr.run"]) == ("SinglePanel_Meme", "3")
    assert known["epoch"] == 1
    assert known["picture"] == str(tmp_path / "data" / "Original" / "0.png")
    unknown = again.filter(item="other.png").row(0, named=True)
    assert (unknown["attr.layout_type"], unknown["picture"]) == ("", None)
    broken = again.filter(item="1.png").row(0, named=True)
    assert broken["outcome"] == "judge_failed" and "schema" in broken["reason"]
    assert "|runs:2|" in known["signature"] and "|judge:external|" in known["signature"]


def test_rationales_are_kept_where_there_are_some(tmp_path: Path) -> None:
    (kept,) = judged_rows(written(tmp_path / "j.jsonl", [row(1, "0.png")]))
    (said,) = json.loads(kept["judgements"])
    assert said == {"parts": judgement(), "flags": []}
