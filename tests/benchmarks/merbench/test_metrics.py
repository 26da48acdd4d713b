"""Metrics of MER-Bench, by hand."""

from math import exp, sqrt
from typing import Any

import numpy as np
import pytest

from deadpan.benchmarks.merbench.metrics import (
    BASE,
    GATE,
    JUDGED,
    OTHERS,
    TASK_METRICS,
    composites,
    geometric_mean,
    harmonic_mean,
    judgement_values,
    mean_values,
    soft_and,
)
from deadpan.benchmarks.merbench.scoring import judged_metrics, plain_units
from deadpan.core.measurement import scores_of
from deadpan.core.metric import Array, Statistics, Sums, stack
from deadpan.core.score import Score
from tests.benchmarks.merbench.meme_folder import judgement


def scored(target: str = "calm", **changes: Any) -> dict[Any, float]:
    return dict(judgement_values(judgement(**changes), target))


def run_values(*outputs: Statistics) -> dict[str, float]:
    """Every metric of one run over outputs."""
    keys, matrix, lines = stack(outputs)
    sums = Sums(keys, matrix[lines].sum(axis=0))
    return {metric.name: float(metric.value(sums)) for metric in JUDGED if metric.value}


def over_runs(outputs: list[Statistics | None], draws: list[list[int]]) -> dict[str, Score]:
    units = plain_units(f"{number}.png" for number in range(len(outputs)))
    weights = np.array(draws, float)
    found = scores_of(judged_metrics("M", "reappraisal", units, outputs, "", weights))
    return {score.metric: score for score in found}


def arrays(*values: float) -> list[Array]:
    return [np.array(value, float) for value in values]


def test_ratings_are_mapped_and_layout_and_target_are_yes_or_no() -> None:
    one = scored(VGQ=4, VEA=3, TGQ=2, TEA=1, HGQ=5, PES=3, consistent=False)
    assert one == {
        **{"VGQ": 0.75, "VEA": 0.5, "TGQ": 0.25, "TEA": 0.0},
        **{"LC": 0.0, "HGQ": 1.0, "PPE": 1.0, "PES": 0.5},
        **{GATE: 0.0, "n": 1.0},
    }
    assert scored("happy", VEA=1, TEA=1)["PPE"] == 0.0


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
    assert one[GATE] == float(broken)
    assert one["VEA"] == (vea - 1) / 4


@pytest.mark.parametrize("rating", [0, 6, 2.5, True, "3", None])
def test_parts_that_are_no_judgement_raise(rating: Any) -> None:
    parts: Any = judgement()
    parts["visual_assessment"]["generation_quality_1_5"] = rating
    with pytest.raises(ValueError, match="no rating from 1 to 5"):
        judgement_values(parts, "calm")
    with pytest.raises(KeyError):
        judgement_values({}, "calm")


def test_composites_by_hand() -> None:
    base = {"VGQ": 0.8, "VEA": 0.6, "TGQ": 0.4, "TEA": 0.3}
    base |= {"LC": 0.5, "HGQ": 0.2, "PPE": 0.5, "PES": 0.5}
    made = composites({name: np.array(value) for name, value in base.items()})
    assert made["TAS"] == pytest.approx(0.5 * (2 * 0.6 * 0.3 / 0.9))  # 0.2
    assert made["CFS"] == pytest.approx(0.5 * 0.064 ** (1 / 3))  # 0.2
    assert made["SSS"] == pytest.approx(1 - exp(-1.5))
    product = 0.201 * 0.201 * (1.001 - exp(-1.5))
    assert made["RFS"] == pytest.approx((product ** (1 / 3) - 0.001) / 0.999)


def test_zeros_pull_down_as_each_composite_has_it() -> None:
    assert harmonic_mean(*arrays(0, 1)) == harmonic_mean(*arrays(0, 0)) == 0
    assert geometric_mean(*arrays(0, 1, 1)) == 0
    assert soft_and(*arrays(0, 0, 0)) == pytest.approx(0)
    assert soft_and(*arrays(1, 1, 1)) == pytest.approx(1 / 0.999)
    one_zero = ((0.001 * 1.001**2) ** (1 / 3) - 0.001) / 0.999
    assert soft_and(*arrays(0, 1, 1)) == pytest.approx(one_zero)
    ones, zeros = (dict.fromkeys(BASE, np.array(value)) for value in (1.0, 0.0))
    assert composites(ones)["TAS"] == 1
    assert list(composites(zeros).values()) == pytest.approx([0, 0, 0, 0])


def test_values_are_of_many_runs_at_once_and_none_where_there_is_nothing() -> None:
    keys, matrix, _ = stack([scored(), scored(label="sad", VEA=1, TEA=1)])
    runs = Sums(keys, np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]) @ matrix)
    for metric in JUDGED:
        assert metric.value is not None
        first, second, nothing = metric.value(runs)
        assert np.isnan(nothing) and (first, second) == (
            pytest.approx(run_values(scored())[metric.name]),
            pytest.approx(run_values(scored(label="sad", VEA=1, TEA=1))[metric.name]),
        )


def test_a_runs_composites_are_made_of_its_means_not_averaged() -> None:
    run = run_values(scored(), scored(label="sad", VEA=1, TEA=1))
    assert (run["PPE"], run["VEA"], run["TEA"]) == (50, 50, 50)
    assert run["TAS"] == pytest.approx(25), "the mean of the two outputs' own TAS would be 50"
    assert run["SSS"] == pytest.approx(100 * (1 - exp(-3)))
    assert run["gate_broken"] == 0


def test_an_output_judged_twice_is_the_mean_of_both() -> None:
    twice = mean_values([scored(VGQ=5), scored(VGQ=4, label="happy")])
    assert twice is not None
    assert twice["VGQ"] == 0.875 and twice["PPE"] == 0.5 and twice["gate_broken"] == 0.5
    assert twice["n"] == 1
    assert mean_values([]) is None


def test_the_deviation_over_runs_is_unbiased_and_a_ratings_is_mapped_by_four() -> None:
    """Mean ratings 4 and 5 in two runs: deviation sqrt(1/2) on the 1–5 scale, / 4 in fractions."""
    found = over_runs([scored(VGQ=4), scored(VGQ=5)], [[1, 0], [0, 1]])
    assert found["VGQ"].value == pytest.approx(87.5)
    assert found["VGQ_std"].value == pytest.approx(100 * sqrt(0.5) / 4)


def test_runs_without_scores_are_left_out() -> None:
    found = over_runs([None, scored(), None], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert found["RFS"].value is not None and found["RFS_std"].value is None
    assert (found["RFS"].n, found["RFS"].unscored, found["RFS_std"].n) == (1, 2, 0)
    nothing = over_runs([None, None], [[1, 0], [0, 1]])["RFS"]
    assert (nothing.value, nothing.n, nothing.unscored) == (None, 0, 2)


def test_runs_that_all_draw_the_same_have_no_deviation() -> None:
    found = over_runs([scored(VGQ=4), scored(), None], [[1, 1, 0], [1, 1, 0]])
    assert found["VGQ"].value == pytest.approx(87.5) and found["VGQ_std"].value is None
    assert (found["VGQ"].n, found["VGQ"].unscored) == (2, 0), "the third was never drawn"


def test_every_metric_is_declared_once() -> None:
    names = [metric.name for metric in (*TASK_METRICS, *OTHERS)]
    assert len(names) == len(set(names)) and names[0] == "RFS"
    lower = {metric.name for metric in (*TASK_METRICS, *OTHERS) if metric.is_lower_better}
    assert lower == {
        *("gate_broken", "missing_outputs", "unreadable_outputs", "refused_outputs"),
        *("missing_sources", "caption_cer", "distance", "wrongly_named_outputs"),
        *("difference_mean", "difference_median"),
    }
