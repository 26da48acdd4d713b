"""The judge against people: mapped scales, duels of variants, correlations, and the reader."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench import MERBENCH
from deadpan.benchmarks.merbench.edits import edits_predictions, read_edits
from deadpan.benchmarks.merbench.people import (
    Values,
    duel,
    human_values,
    judge_values,
    mean_distances,
    not_judged,
    validation_scores,
)
from deadpan.benchmarks.merbench.scoring import correlation_scores
from deadpan.core import rating_files
from deadpan.core.capabilities import Predictions
from deadpan.core.ratings import Rating
from deadpan.pipeline.table import results_of_predictions
from tests.benchmarks.merbench.meme_folder import folder, judgement, record


def rating(item: str, dimension: Any, value: int, rater: str = "r1") -> Rating:
    return Rating(item=item, model="M", rater=rater, metric=dimension, rating=value)


def read_ratings(path: Path) -> list[Rating]:
    assert MERBENCH.ratings
    return rating_files.read_ratings([path], MERBENCH.ratings.form())


def test_people_are_mapped_from_one_to_six_and_averaged() -> None:
    rated = human_values([rating("a", "VGQ", 6), rating("a", "VGQ", 1, "r2"), rating("b", "LC", 5)])
    assert rated == {"VGQ": {("a", "M"): 0.5}, "LC": {("b", "M"): 0.8}}


def test_the_closer_variant_wins_and_equal_ones_tie() -> None:
    first = {("a", "M"): 0.1, ("b", "M"): 0.3, ("c", "M"): 0.2, ("d", "M"): 0.0}
    second = {("a", "M"): 0.2, ("b", "M"): 0.1, ("c", "M"): 0.1 + 0.1, ("e", "M"): 0.0}
    assert duel(first, second) == {
        ("a", "M"): {"win": 1, "tie": 0, "n": 1},
        ("b", "M"): {"win": 0, "tie": 0, "n": 1},
        ("c", "M"): {"win": 0, "tie": 1, "n": 1},
    }
    assert duel(first, {}) == {}


def test_an_outputs_distance_is_the_mean_over_the_dimensions_people_rated() -> None:
    judge = {"VGQ": {("a", "M"): 1.0}, "LC": {("a", "M"): 0.0}, "TEA": {("a", "M"): 0.0}}
    people = {"VGQ": {("a", "M"): 0.5, ("b", "M"): 1.0}, "LC": {("a", "M"): 0.25}}
    assert mean_distances(judge, people) == {("a", "M"): (0.5 + 0.25) / 2}


def test_scores_of_two_variants_by_hand() -> None:
    """People give a 0.0, b 1.0. RF-VF says 0 and 1, RL-VL says 0.5 and 1: one win, one tie. Two
    outputs are too few for a correlation."""
    people = [rating("a", "VGQ", 1), rating("b", "VGQ", 6)]
    a, b, c = ("a", "M"), ("b", "M"), ("c", "M")
    variants: dict[str, Values] = {
        "reappraisal": {"VGQ": {a: 0.0, b: 1.0}},
        "reappraisal_rl_vl": {"VGQ": {a: 0.5, b: 1.0}},
        "reappraisal_rl_vf": {"VGQ": {}},
    }
    scores = validation_scores(people, variants)
    found = {(f.task, f.metric, f.group): f for f in scores}
    best = found["reappraisal", "win_rate", "against=reappraisal_rl_vl"]
    assert (best.value, best.n) == (0.5, 2)
    assert found["reappraisal", "tie_rate", "against=reappraisal_rl_vl"].value == 0.5
    assert found["reappraisal_rl_vl", "win_rate", "all"].value == 0
    assert found["reappraisal_rl_vl", "distance", "all"].value == 0.25
    assert found["reappraisal", "pearson", "dimension=VGQ"].value is None
    assert found["reappraisal_rl_vf", "distance", "all"].value is None
    assert found["reappraisal_rl_vf", "pearson", "dimension=VGQ"].value is None
    assert ("reappraisal_rl_vf", "win_rate", "all") not in found
    assert not_judged([*people, rating("c", "VGQ", 2)], variants) == {c}
    more = validation_scores(
        [*people, rating("c", "VGQ", 3)], {"reappraisal": {"VGQ": {a: 0.0, b: 1.0, c: 0.4}}}
    )
    values = {one.metric: one.value for one in more if one.group == "dimension=VGQ"}
    assert values["pearson"] == values["spearman"] == pytest.approx(1)


def test_correlations_have_fishers_interval() -> None:
    pairs = [(1.0, 1.0), (2.0, 3.0), (3.0, 2.0), (4.0, 4.0)]
    found = list(correlation_scores("judge", "reappraisal", "all", pairs, ""))
    assert [one.metric for one in found] == ["pearson", "spearman"]
    for one in found:
        assert (one.value, one.n, one.interval) == (pytest.approx(0.8), 4, "fisher")
        assert (one.low, one.high) == pytest.approx((-0.69694, 0.99560), abs=1e-4)


def test_the_variants_are_the_tasks_of_a_results_table(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", [record("0.png")], ("M",))
    dataset = MERBENCH.read(data)
    tasks = [spec.name for spec in MERBENCH.tasks]
    given: Predictions = edits_predictions(read_edits(data, dataset.records), dataset, tasks)["M"]
    table = results_of_predictions(MERBENCH, dataset, given, "M")
    cell = json.dumps([{"parts": judgement(VGQ=4, label="sad", VEA=1, TEA=1), "flags": []}])
    table = table.with_columns(outcome=pl.lit("answered"), judgements=pl.lit(cell))
    found = judge_values(table)
    assert list(found) == tasks
    output = ("0.png", "M")
    assert found["reappraisal_rl_vl"]["VGQ"][output] == 0.75
    assert found["reappraisal"]["PPE"][output] == 0.0 and found["reappraisal"]["LC"][output] == 1.0


HEADER = "item,model,rater,dimension,rating\n"


def test_ratings_are_read_from_csv_and_json_lines(tmp_path: Path) -> None:
    table, lines = tmp_path / "r.csv", tmp_path / "r.jsonl"
    table.write_text(HEADER + "0.png,M,r1,VGQ,6\n0.png,M,r2,VGQ, 5\n", "utf-8")
    lines.write_text(
        '{"item": "0.png", "model": "M", "rater": "r1", "dimension": "VGQ", "rating": 6}\n'
        '{"item": "0.png", "model": "M", "rater": "r2", "dimension": "VGQ", "rating": 5}\n',
        "utf-8",
    )
    assert read_ratings(table) == read_ratings(lines)
    assert [row.rating for row in read_ratings(table)] == [6, 5]


@pytest.mark.parametrize(
    ("line", "place", "what"),
    [
        ("0.png,M,r1,VGQ,7", ":2 rating", "expected 1 to 6"),
        ("0.png,M,r1,VGQ,0", ":2 rating", "expected 1 to 6"),
        ("0.png,M,r1,VGQ,5.5", ":2 rating", "a whole number"),
        ("0.png,M,r1,Beauty,5", ":2 dimension", 'got "Beauty"'),
        (",M,r1,VGQ,5", ":2 item", "is empty"),
        ("0.png,M,r1,VGQ", ":2", "cells under 5 headings"),
        ("0.png,M,r1,VGQ,5,9", ":2", "cells under 5 headings"),
        ("0.png,M,r1,VGQ,5\n0.png,M,r1,VGQ,4", ":3", "is there twice (first in"),
    ],
)
def test_a_wrong_rating_is_named(tmp_path: Path, line: str, place: str, what: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(HEADER + line + "\n", "utf-8")
    with pytest.raises(InputError) as raised:
        read_ratings(path)
    assert raised.value.where == f"{path}{place}" and what in raised.value.what


def test_a_file_without_ratings_or_of_another_form_is_refused(tmp_path: Path) -> None:
    for name, text, what in (
        ("r.csv", HEADER, "holds no rating"),
        ("s.csv", "item,rating\n0.png,3\n", "rater: is missing"),
        ("r.xlsx", "x", "unknown format"),
        ("r.jsonl", "", "the file is empty"),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        with pytest.raises(InputError, match=what):
            read_ratings(tmp_path / name)
