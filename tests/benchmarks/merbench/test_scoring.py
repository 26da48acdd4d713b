"""Metrics of MER-Bench, by hand."""

from math import exp, sqrt
from typing import Any

import pytest

from deadpan.benchmarks.merbench.judge import GATE_BROKEN
from deadpan.benchmarks.merbench.scoring import (
    BASE,
    Judged,
    composites,
    geometric_mean,
    harmonic_mean,
    judged,
    output_values,
    over_runs,
    run_scores,
    soft_and,
)
from tests.benchmarks.merbench.meme_folder import judgement


def scored(target: str = "calm", **changes: Any) -> Judged:
    return judged(judgement(**changes), target)


def test_ratings_are_mapped_and_layout_and_target_are_yes_or_no() -> None:
    one = scored(VGQ=4, VEA=3, TGQ=2, TEA=1, HGQ=5, PES=3, consistent=False)
    assert one.values == {
        **{"VGQ": 0.75, "VEA": 0.5, "TGQ": 0.25, "TEA": 0.0},
        **{"LC": 0.0, "HGQ": 1.0, "PPE": 1.0, "PES": 0.5},
    }
    assert list(one.values) == list(BASE)
    assert scored("happy", VEA=1, TEA=1).values["PPE"] == 0.0


@pytest.mark.parametrize(
    ("label", "vea", "tea", "broken"),
    [
        ("calm", 5, 5, False),
        ("happy", 2, 2, False),
        ("happy", 3, 1, True),
        ("happy", 1, 3, True),
        ("other", 5, 5, True),
        ("other", 2, 1, False),
    ],
)
def test_a_broken_gate_is_flagged_and_scored_as_given(
    label: str, vea: int, tea: int, broken: bool
) -> None:
    one = scored(label=label, VEA=vea, TEA=tea)
    assert one.flags == ((GATE_BROKEN,) if broken else ())
    assert one.values["VEA"] == (vea - 1) / 4


@pytest.mark.parametrize("rating", [0, 6, 2.5, True, "3", None])
def test_parts_that_are_no_judgement_raise(rating: Any) -> None:
    parts: Any = judgement()
    parts["visual_assessment"]["generation_quality_1_5"] = rating
    with pytest.raises(ValueError, match="no rating from 1 to 5"):
        judged(parts, "calm")
    with pytest.raises(KeyError):
        judged({}, "calm")


def test_composites_by_hand() -> None:
    base = {"VGQ": 0.8, "VEA": 0.6, "TGQ": 0.4, "TEA": 0.3}
    base |= {"LC": 0.5, "HGQ": 0.2, "PPE": 0.5, "PES": 0.5}
    made = composites(base)
    assert made["TAS"] == pytest.approx(0.5 * (2 * 0.6 * 0.3 / 0.9))  # 0.2
    assert made["CFS"] == pytest.approx(0.5 * 0.064 ** (1 / 3))  # 0.2
    assert made["SSS"] == pytest.approx(1 - exp(-1.5))
    product = 0.201 * 0.201 * (1.001 - exp(-1.5))
    assert made["RFS"] == pytest.approx((product ** (1 / 3) - 0.001) / 0.999)


def test_zeros_pull_down_as_each_composite_has_it() -> None:
    assert harmonic_mean(0, 1) == harmonic_mean(0, 0) == 0
    assert geometric_mean(0, 1, 1) == 0
    assert soft_and(0, 0, 0) == pytest.approx(0)
    assert soft_and(1, 1, 1) == pytest.approx(1 / 0.999)
    assert soft_and(0, 1, 1) == pytest.approx(((0.001 * 1.001**2) ** (1 / 3) - 0.001) / 0.999)
    assert composites(dict.fromkeys(BASE, 1.0))["TAS"] == 1
    assert list(composites(dict.fromkeys(BASE, 0.0)).values()) == pytest.approx([0, 0, 0, 0])


def test_a_runs_composites_are_made_of_its_means_not_averaged() -> None:
    hit = output_values([scored()])
    miss = output_values([scored(label="sad", VEA=1, TEA=1)])
    run = run_scores([hit, miss])
    assert run is not None
    assert (run["PPE"], run["VEA"], run["TEA"]) == (50, 50, 50)
    assert run["TAS"] == pytest.approx(25), "the mean of the two outputs' own TAS would be 50"
    assert run["SSS"] == pytest.approx(100 * (1 - exp(-3)))
    assert run["gate_broken"] == 0
    assert run_scores([]) is None


def test_an_output_judged_twice_is_the_mean_of_both() -> None:
    twice = output_values([scored(VGQ=5), scored(VGQ=4, label="happy")])
    assert twice["VGQ"] == 0.875 and twice["PPE"] == 0.5 and twice["gate_broken"] == 0.5
    with pytest.raises(ValueError, match="without a judgement"):
        output_values([])


def test_the_deviation_over_runs_is_unbiased_and_a_ratings_is_mapped_by_four() -> None:
    """Mean ratings 4 and 5 in two runs: deviation sqrt(1/2) on the 1–5 scale, / 4 in fractions."""
    runs = [run_scores([output_values([scored(VGQ=rating)])]) for rating in (4, 5)]
    spread = over_runs(runs)["VGQ"]
    assert spread.mean == pytest.approx(87.5)
    assert spread.std == pytest.approx(100 * sqrt(0.5) / 4)


def test_runs_without_scores_are_left_out() -> None:
    one = run_scores([output_values([scored()])])
    spread = over_runs([None, one, None])["RFS"]
    assert spread.mean is not None and spread.std is None
    assert over_runs([None, None])["RFS"].mean is None
