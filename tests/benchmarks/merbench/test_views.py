"""The views: shared samples, categories and all outputs, from a results table."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench import MERBENCH
from deadpan.benchmarks.merbench.edits import edits_predictions, read_edits
from deadpan.benchmarks.merbench.metrics import JUDGED
from deadpan.benchmarks.merbench.records import Meme
from deadpan.benchmarks.merbench.sampling import Sampling, Views, shared_samples
from deadpan.benchmarks.merbench.scoring import ALL_MODELS, measure_views, needs_judging
from deadpan.core.dataset import Dataset
from deadpan.core.measurement import scores_of
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import parse_signature
from deadpan.pipeline.table import results_of_predictions
from tests.benchmarks.merbench.meme_folder import folder, judgement, record

RECORDS = [
    *(record(f"{n}.png", layout_type="MultiPanel_Meme") for n in range(2)),
    *(record(f"{n}.png", pos_txt="慢慢来。") for n in range(2, 4)),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return folder(tmp_path / "data", RECORDS, ("A", "B"))


def table_of(data: Path) -> tuple[pl.DataFrame, Dataset[Meme]]:
    dataset = MERBENCH.read(data)
    given = edits_predictions(read_edits(data, dataset.records), dataset)
    tables = [results_of_predictions(MERBENCH, dataset, p, name) for name, p in given.items()]
    return pl.concat(tables, how="diagonal_relaxed"), dataset


def judged(table: pl.DataFrame, said: dict[tuple[str, str], Any]) -> pl.DataFrame:
    """The table with a judgement for each (model, item) named."""
    rows = []
    for row in table.iter_rows(named=True):
        if (parts := said.get((row["model"], row["item"]))) is not None:
            cell = json.dumps([{"parts": parts, "flags": []}])
            row |= {"outcome": "answered", "judgements": cell, "reason": None}
        rows.append(row)
    return pl.DataFrame(rows, schema=table.schema)


def scores_in(table: pl.DataFrame, views: Views | None = None) -> list[Score]:
    return scores_of(measure_views(table, views or Views()))


def values(scores: list[Score], model: str, group: str = "all") -> dict[str, Score]:
    return {f.metric: f for f in scores if f.model == model and f.group == group}


def everything(table: pl.DataFrame, parts: dict[str, Any]) -> dict[tuple[str, str], Any]:
    return {(row["model"], row["item"]): parts[row["model"]] for row in table.to_dicts()}


def test_each_model_all_models_and_categories_have_every_metric(data: Path) -> None:
    table, _ = table_of(data)
    said = everything(table, {"A": judgement(), "B": judgement(label="sad", VEA=1, TEA=3)})
    scores = MERBENCH.score(judged(table, said), ScoringOptions())
    a, b, both = (values(scores, name) for name in ("A", "B", ALL_MODELS))
    metrics = MERBENCH.task("reappraisal").metrics
    declared = {metric.name for metric in metrics if not metric.each}
    each = {metric.name for metric in metrics if metric.each}
    assert {one.metric for one in scores if one.metric in each} == each
    assert set(a) == declared | {f"{metric.name}_std" for metric in JUDGED}
    assert a["PPE"].value == 100 and a["TAS"].value == 100 and a["gate_broken"].value == 0
    assert a["RFS_std"].value is None, "all four memes are in every run: nothing deviates"
    assert b["PPE"].value == b["TAS"].value == 0 and b["TEA"].value == 50
    assert b["gate_broken"].value == 100
    assert both["PPE"].value == 50 and both["gate_broken"].value == 50
    assert (a["RFS"].n, both["RFS"].n) == (4, 8)
    multi = values(scores, ALL_MODELS, "layout_type=MultiPanel_Meme")
    assert multi["PPE"].value == 50 and multi["PPE"].n == 4
    assert values(scores, "A", "layout_type=MultiPanel_Meme")["RFS"].n == 2
    assert values(scores, "A", "language=zh")["PPE"].value == 100
    assert values(scores, "A", "det_emo=angry")["RFS"].n == 4
    assert a["comparable_memes"].value == 4 and a["missing_outputs"].value == 0


def test_the_signature_tells_what_was_compared_and_drawn_and_is_one_for_all(data: Path) -> None:
    scores = MERBENCH.score(table_of(data)[0], ScoringOptions())
    (signature,) = {score.signature for score in scores}
    assert parse_signature(signature).settings == {
        "comparable": "4",
        "sample": "10x4@0",
        "factor_sample": "10x8@0",
        "overall_sample": "10x8@0",
    }


def test_only_memes_that_every_model_has_edited_are_compared(data: Path) -> None:
    (data / "EditedResults/B/0.png").unlink()
    (data / "EditedResults/B/1.png").write_bytes(b"no picture")
    (data / "Original/2.png").unlink()
    table, _ = table_of(data)
    assert dict(table.filter(pl.col("model") == "B").select("item", "outcome").iter_rows()) == {
        **{"0.png": "not_given", "1.png": "invalid", "2.png": "failed", "3.png": "judge_failed"}
    }
    said = everything(table, {"A": judgement(), "B": judgement()})
    graded = judged(table, {key: parts for key, parts in said.items() if key[1] == "3.png"})
    scores = scores_in(graded)
    a, b = values(scores, "A"), values(scores, "B")
    assert a["comparable_memes"].value == b["comparable_memes"].value == 1
    assert (b["missing_outputs"].value, b["unreadable_outputs"].value) == (1, 1)
    assert b["missing_sources"].value == a["missing_sources"].value == 1
    assert (a["missing_outputs"].value, a["unreadable_outputs"].value) == (0, 0)
    assert a["RFS"].n == 1 and b["RFS"].invalid == 1


def test_an_output_that_no_judge_has_judged_is_left_out_and_counted(data: Path) -> None:
    table, _ = table_of(data)
    good, bad = judgement(), judgement(VGQ=1)
    said = {("A", "0.png"): good, ("A", "1.png"): bad, ("B", "0.png"): good}
    scores = scores_in(judged(table, said))
    a = values(scores, "A")["VGQ"]
    assert (a.value, a.n, a.unscored) == (50, 2, 2)
    assert values(scores, "B", "language=zh")["VGQ"].value is None


def test_nothing_judged_and_nothing_comparable_have_no_value(data: Path) -> None:
    table, _ = table_of(data)
    assert values(scores_in(table), "A")["RFS"].value is None
    for number in range(4):
        (data / f"EditedResults/{'A' if number < 2 else 'B'}/{number}.png").unlink()
    scores = scores_in(table_of(data)[0])
    assert {f.value for f in scores if f.metric in ("RFS", "RFS_std")} == {None}
    assert values(scores, "A")["comparable_memes"].value == 0


def test_runs_are_those_of_the_seed(data: Path) -> None:
    """With one meme a run, a run's score is that meme's."""
    table, _ = table_of(data)
    marks = {f"{n}.png": n + 1 for n in range(4)}
    said = {
        (model, item): judgement(VGQ=mark) for item, mark in marks.items() for model in ("A", "B")
    }
    views = Views(model=Sampling(5, 1, 3))
    found = values(scores_in(judged(table, said), views), "A")["VGQ"].value
    drawn = [marks[run[0]] for run in shared_samples(marks, views.model)]
    assert found == pytest.approx(100 * (sum(drawn) / 5 - 1) / 4)


def test_only_what_is_sampled_needs_a_judge(data: Path) -> None:
    table, _ = table_of(data)
    views = Views(Sampling(1, 1), Sampling(1, 1), Sampling(1, 1))
    wanted = needs_judging(table, views)
    assert 2 <= len(wanted) <= 2 + 4 + 1 < len(table)
    every = {key: judgement() for key in wanted.select("model", "item").iter_rows()}
    scores = scores_in(judged(table, every), views)
    assert not [f for f in scores if f.unscored]
    assert len(needs_judging(table, Views())) == len(table)


def test_a_table_that_is_none_of_ours_is_refused(data: Path) -> None:
    table, _ = table_of(data)
    with pytest.raises(InputError, match=r"no column attr\.visual_type"):
        MERBENCH.score(table.drop("attr.visual_type"), ScoringOptions())
    broken = judged(table, {("A", "0.png"): {"total": 3}})
    with pytest.raises(InputError, match=r"0\.png judgements: cannot be used"):
        scores_in(broken)


def test_an_edit_of_several_epochs_is_one_with_the_judgements_of_all(data: Path) -> None:
    table, _ = table_of(data)
    said = everything(table, {"A": judgement(VGQ=5), "B": judgement()})
    first = judged(table, said)
    second = judged(table, {key: judgement(VGQ=3) for key in said}).with_columns(epoch=pl.lit(2))
    gone = pl.col("item") == "0.png"
    lost = [pl.when(gone).then(None).otherwise(pl.col(name)).alias(name) for name in ("parsed",)]
    lost.append(pl.when(gone).then(pl.lit("invalid")).otherwise(pl.col("outcome")).alias("outcome"))
    both = pl.concat([first, second.with_columns(lost)], how="diagonal_relaxed")
    a = values(scores_in(both), "A")
    assert a["comparable_memes"].value == 4 and a["unreadable_outputs"].value == 0
    assert (a["VGQ"].n, a["VGQ"].invalid) == (4, 0)
    assert a["VGQ"].value == pytest.approx((100 + 3 * 75) / 4)
