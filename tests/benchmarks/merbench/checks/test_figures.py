"""Checks as scores, and their agreement with a judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deadpan.benchmarks.merbench.checks import (
    Agreement,
    CheckedEdit,
    Checks,
    agreement,
    agreement_scores,
    check_scores,
)

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
)
BAD = replace(GOOD, panels_kept=False, regions_iou=0.2, legibility=0.5, caption_cer=1.5)
BARE = replace(GOOD, regions_iou=None, legibility=None, caption_cer=None, edited=False)


def test_each_editor_has_a_mean_of_each_check_in_per_cent_and_counts_what_is_missing() -> None:
    rows = [
        CheckedEdit("caption", "1", GOOD),
        CheckedEdit("caption", "2", BARE),
        CheckedEdit("caption", "3", None),
        CheckedEdit("flawed", "1", BAD),
        CheckedEdit("flawed", "2", GOOD),
    ]
    scores = {(f.model, f.metric): f for f in check_scores(rows, signature="s")}
    assert [name for model, name in scores if model == "caption"] == [
        "panels_kept",
        "regions_iou",
        "legibility",
        "caption_cer",
        "preserved_ssim",
        "edited",
    ]
    iou = scores["caption", "regions_iou"]
    assert iou.value == pytest.approx(80)
    assert (iou.n, iou.unscored, iou.task) == (1, 2, "reappraisal")
    edited = scores["caption", "edited"]
    assert (edited.value, edited.n, edited.unscored) == (50, 2, 1)
    assert scores["flawed", "panels_kept"].value == 50
    assert scores["flawed", "caption_cer"].value == pytest.approx(80)


def test_a_check_measured_on_nothing_has_no_value() -> None:
    scores = check_scores([CheckedEdit("caption", "1", None)])
    assert {score.value for score in scores} == {None}
    assert {(score.n, score.unscored) for score in scores} == {(0, 1)}
    assert check_scores([]) == []


def _found(rows: list[Agreement], check: str, metric: str) -> Agreement:
    return next(row for row in rows if (row.check, row.metric) == (check, metric))


def test_agreement_is_over_the_edits_that_have_both() -> None:
    checks = {
        ("a", "1"): GOOD,
        ("a", "2"): replace(GOOD, regions_iou=0.6),
        ("b", "1"): BAD,
        ("b", "2"): replace(BAD, regions_iou=0.1),
        ("b", "3"): BARE,
        ("b", "4"): BAD,
    }
    judged = {"TGQ": 0.5, "VGQ": 1.0, "PES": 0.5}
    judgements = {
        ("a", "1"): {**judged, "LC": 1.0},
        ("a", "2"): {**judged, "LC": 1.0},
        ("b", "1"): {**judged, "LC": 0.0},
        ("b", "2"): {**judged, "LC": 0.0},
        ("b", "3"): {**judged, "LC": 1.0},
    }
    rows = agreement(checks, judgements)
    panels = _found(rows, "panels_kept", "LC")
    assert panels.n == 5 and panels.pearson is not None
    assert panels.pearson.r == pytest.approx(1.0)
    regions = _found(rows, "regions_iou", "LC")
    assert regions.n == 4 and regions.pearson is not None and regions.spearman is not None
    # Deviations 0.375, 0.175, −0.225, −0.325 against ±0.5: 0.55 / √(0.3275 · 1).
    assert regions.pearson.r == pytest.approx(0.55 / 0.3275**0.5)
    # Ranks 4, 3, 2, 1 against 3.5, 3.5, 1.5, 1.5: 4 / √(5 · 4).
    assert regions.spearman.r == pytest.approx(4 / 20**0.5)
    text = _found(rows, "legibility", "TGQ")
    assert (text.pearson, text.spearman) == (None, None)
    assert text.reason == "TGQ is the same for all 4 edits"


def test_too_few_edits_or_a_constant_check_have_a_reason() -> None:
    ratings = {"LC": 1.0, "TGQ": 0.5, "VGQ": 0.5, "PES": 0.0}
    few = agreement({("a", "1"): GOOD}, {("a", "1"): ratings})
    assert {row.reason for row in few} == {"edits that have both: 1; at least 3 are needed"}
    same = agreement(
        {("a", str(i)): GOOD for i in range(3)},
        {("a", str(i)): {**ratings, "LC": float(i > 0)} for i in range(3)},
    )
    assert _found(same, "panels_kept", "LC").reason == "panels_kept is the same for all 3 edits"


def test_agreement_is_reported_as_scores() -> None:
    rows = agreement({("a", "1"): GOOD}, {})
    scores = agreement_scores(rows)
    assert len(scores) == 2 * len(rows)
    assert scores[0].group == "check=panels_kept,metric=LC"
    assert (scores[0].metric, scores[1].metric) == ("pearson", "spearman")
    assert {score.value for score in scores} == {None}
