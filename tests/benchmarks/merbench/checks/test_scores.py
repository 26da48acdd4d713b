"""Checks as scores, and their agreement with a judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deadpan.benchmarks.merbench.checks import Checks
from deadpan.benchmarks.merbench.checks.scores import agreement_scores, check_means
from deadpan.core.measurement import scores_of
from deadpan.core.metric import Statistics
from deadpan.core.score import Score

GOOD = Checks(
    panels_source=1,
    panels_edited=1,
    layout_source="1",
    layout_edited="1",
    panels_kept=True,
    regions_source=1,
    regions_edited=1,
    regions_iou=0.8,
    legibility=0.9,
    caption_cer=0.1,
    preserved_ssim=0.95,
    changed_share=0.05,
    largest_change=120.0,
    edited=True,
    resized=False,
    layout_kept=True,
)
BAD = replace(
    GOOD, layout_kept=False, panels_kept=False, regions_iou=0.2, legibility=0.5, caption_cer=1.5
)
BARE = replace(GOOD, regions_iou=None, legibility=None, caption_cer=None, edited=False)


def test_each_editor_has_a_mean_of_each_check_in_per_cent_and_counts_what_is_missing() -> None:
    checks = {
        ("1", "caption"): GOOD,
        ("2", "caption"): BARE,
        ("1", "flawed"): BAD,
        ("2", "flawed"): GOOD,
    }
    scores = {(f.model, f.metric): f for f in scores_of(check_means(checks))}
    assert [name for model, name in scores if model == "caption"] == [
        "layout_kept",
        "panels_kept",
        "regions_iou",
        "legibility",
        "caption_cer",
        "preserved_ssim",
        "edited",
    ]
    iou = scores["caption", "regions_iou"]
    assert iou.value == pytest.approx(80)
    assert (iou.n, iou.unscored, iou.task) == (1, 1, "checks")
    edited = scores["caption", "edited"]
    assert (edited.value, edited.n, edited.unscored) == (50, 2, 0)
    assert scores["flawed", "panels_kept"].value == 50
    assert scores["flawed", "caption_cer"].value == pytest.approx(80)


def test_a_check_measured_on_nothing_has_no_value() -> None:
    scores = {f.metric: f for f in scores_of(check_means({("1", "caption"): BARE}))}
    for name in ("regions_iou", "legibility", "caption_cer"):
        assert (scores[name].value, scores[name].n, scores[name].unscored) == (None, 0, 1)
    assert scores_of(check_means({})) == []


def _found(scores: list[Score], check: str, metric: str) -> dict[str, Score]:
    return {one.metric: one for one in scores if one.group == f"check={check},metric={metric}"}


def test_agreement_is_over_the_edits_that_have_both() -> None:
    checks = {
        ("1", "a"): GOOD,
        ("2", "a"): replace(GOOD, regions_iou=0.6),
        ("1", "b"): BAD,
        ("2", "b"): replace(BAD, regions_iou=0.1),
        ("3", "b"): BARE,
        ("4", "b"): BAD,
        ("5", "b"): BAD,
    }
    judged: Statistics = {"TGQ": 0.5, "VGQ": 1.0, "PES": 0.5}
    judgements: dict[tuple[str, str], Statistics | None] = {
        ("1", "a"): {**judged, "LC": 1.0},
        ("2", "a"): {**judged, "LC": 1.0},
        ("1", "b"): {**judged, "LC": 0.0},
        ("2", "b"): {**judged, "LC": 0.0},
        ("3", "b"): {**judged, "LC": 1.0},
        ("5", "b"): None,
    }
    scores = list(agreement_scores(checks, judgements))
    panels = _found(scores, "panels_kept", "LC")["pearson"]
    assert panels.n == 5 and panels.value == pytest.approx(1.0)
    regions = _found(scores, "regions_iou", "LC")
    assert regions["pearson"].n == 4
    # Deviations 0.375, 0.175, −0.225, −0.325 against ±0.5: 0.55 / √(0.3275 · 1).
    assert regions["pearson"].value == pytest.approx(0.55 / 0.3275**0.5)
    # Ranks 4, 3, 2, 1 against 3.5, 3.5, 1.5, 1.5: 4 / √(5 · 4).
    assert regions["spearman"].value == pytest.approx(4 / 20**0.5)
    text = _found(scores, "legibility", "TGQ")
    assert {(one.value, one.n) for one in text.values()} == {(None, 0)}, "TGQ is the same for all"


def test_too_few_edits_or_a_constant_check_have_no_agreement() -> None:
    ratings: Statistics = {"LC": 1.0, "TGQ": 0.5, "VGQ": 0.5, "PES": 0.0}
    pair = agreement_scores(
        {("1", "a"): GOOD, ("2", "a"): BAD}, {("1", "a"): ratings, ("2", "a"): {**ratings, "LC": 0}}
    )
    assert {(one.value, one.n) for one in pair} == {(None, 0)}, "two are too few"
    same = agreement_scores(
        {(str(i), "a"): GOOD for i in range(3)},
        {(str(i), "a"): {**ratings, "LC": float(i > 0)} for i in range(3)},
    )
    assert {one.value for one in same} == {None}


def test_agreement_is_reported_for_each_pair() -> None:
    scores = list(agreement_scores({("1", "a"): GOOD}, {}))
    assert len(scores) == 16
    assert scores[0].group == "check=layout_kept,metric=LC"
    assert (scores[0].metric, scores[1].metric) == ("pearson", "spearman")
    assert {score.value for score in scores} == {None}


def test_a_table_of_before_says_nothing_of_the_layout() -> None:
    before = replace(GOOD, layout_kept=None)
    scores = {f.metric: f for f in scores_of(check_means({("1", "caption"): before}))}
    assert (scores["layout_kept"].value, scores["layout_kept"].unscored) == (None, 1)
    assert scores["panels_kept"].value == 100
