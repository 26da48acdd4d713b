"""Two models on the same items: differences, tests, ranks, and what it would take."""

import numpy as np
import pytest

from deadpan.core.metric import Metric, mean
from deadpan.core.score import Score
from deadpan.metrics.statistics.comparing import Comparisons, turned_to
from deadpan.metrics.statistics.paired import Pair
from deadpan.metrics.statistics.significance import holm, sign_test
from tests.metrics.statistics.worlds import SHARE, measured

stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
KEY = ("task", "share", "all")
_noise = np.random.default_rng(4).normal(0, 0.2, 60)
NOISE = [_noise - _noise.mean() + shift for shift in (0.05, 0.005, 0.5)]


def test_the_permutation_test_is_scipys() -> None:
    chance = np.random.default_rng(1)
    one = chance.random(40)
    other = one + chance.normal(0.03, 0.1, 40)
    found = Pair(measured(one.tolist()), measured(other.tolist()), "all").difference(9999)
    expected = stats.permutation_test(
        (one, other),
        lambda a, b: np.mean(a) - np.mean(b),
        permutation_type="samples",
        n_resamples=9999,
        random_state=1,
    )
    assert found is not None
    assert found.value == pytest.approx(one.mean() - other.mean())
    assert found.p == pytest.approx(expected.pvalue, abs=0.015)


@pytest.mark.parametrize(
    ("ups", "downs"), [(26, 13), (33, 18), (5, 0), (0, 0), (7, 7), (1200, 900)]
)
def test_right_and_wrong_are_tested_exactly(ups: int, downs: int) -> None:
    """As McNemar's test does it; no draw decides on which side of a threshold p lies."""
    n = ups + downs
    expected = stats.binomtest(ups, n).pvalue if n else 1.0
    assert sign_test(ups, downs) == pytest.approx(expected)
    one = [1.0] * ups + [0.0] * downs + [1.0] * 5
    other = [0.0] * ups + [1.0] * downs + [1.0] * 5
    found = Pair(measured(one), measured(other), "all").difference()
    assert found is not None and (found.p, found.least_p) == (pytest.approx(expected), 0)


def test_other_values_are_tested_with_more_permutations_where_it_is_close() -> None:
    chance = np.random.default_rng(5)
    one = chance.random(60)
    apart = [Pair(measured(one), measured(one + shift), "all").difference() for shift in NOISE]
    steps = [0 if found is None else round(1 / found.least_p) for found in apart]
    assert steps == [10_000, 2_000, 2_000], "near 0.05; far from it; never reached"


def test_only_shared_items_count_and_epochs_are_averaged() -> None:
    one = measured([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    other = measured([0.0, 1.0, 1.0], first=1)
    found = Pair(one, other, "all").difference()
    assert found is not None
    assert (found.first, found.second, found.items) == (0.5, 0.5, 2)
    assert Pair(one, measured([1.0], first=9), "all").difference() is None


def test_a_model_and_itself_are_too_close_to_call() -> None:
    values = np.random.default_rng(2).integers(0, 2, 35).tolist()
    contest = Comparisons([measured(values, model="a"), measured(values, model="b")]).contest(
        KEY, SHARE, ["a", "b"]
    )
    assert contest is not None
    (pair,) = contest.pairs
    assert pair.difference.value == 0 and pair.adjusted == 1 and not pair.is_sure
    assert pair.difference.low < 0 < pair.difference.high  # what was not seen is not known
    assert contest.leader is None
    assert {(one.best, one.worst) for one in contest.ranks} == {(1, 2)}


def three_models(better: str = "higher") -> tuple[Comparisons, Metric]:
    chance = np.random.default_rng(3)
    metric = Metric("share", better=better, range=(0, 1), value=mean)  # type: ignore[arg-type]
    good = (chance.random(200) < 0.9).astype(float).tolist()
    weak, poor = ((chance.random(200) < share).astype(float).tolist() for share in (0.52, 0.5))
    named = {"good": good, "weak": weak, "poor": poor}
    return Comparisons([measured(own, metric, name) for name, own in named.items()]), metric


def test_ranks_say_what_is_sure() -> None:
    found, metric = three_models()
    contest = found.contest(KEY, metric, found.models)
    assert contest is not None and contest.leader == "good"
    assert found.leader(KEY, found.models) == "good"
    ranks = {one.model: (one.best, one.worst) for one in contest.ranks}
    assert ranks == {"good": (1, 1), "weak": (2, 3), "poor": (2, 3)}


def test_a_rank_stands_beside_the_models_own_score() -> None:
    """Also where it shares three items with one model, and none with another."""
    whole = [1.0] * 70 + [0.0] * 30
    found = Comparisons(
        [
            measured(whole, model="whole"),
            measured([1.0] * 3, model="few"),
            measured([0.0, 1.0] * 10, model="far", first=90),
        ]
    )
    contest = found.contest(KEY, SHARE, found.models)
    assert contest is not None
    assert {one.model: (one.value, one.items) for one in contest.ranks} == {
        "few": (1.0, 3),
        "whole": (pytest.approx(0.7), 100),
        "far": (0.5, 20),
    }
    assert {(one.first, one.second) for one in contest.pairs} == {
        ("whole", "few"),
        ("whole", "far"),
    }
    assert set(contest.signatures) == {"whole", "few", "far"}


def test_where_lower_is_better_the_lowest_leads() -> None:
    found, metric = three_models("lower")
    assert found.leader(KEY, found.models) is None  # the two low ones are too close
    assert found.leader(KEY, ["good", "poor"]) == "poor"
    contest = found.contest(KEY, metric, ["good", "poor"])
    assert contest is not None and contest.leader == "poor"


def test_what_is_neither_better_nor_worse_has_no_leader() -> None:
    found, _ = three_models("neither")
    assert found.leader(KEY, found.models) is None


def test_a_pair_can_be_turned() -> None:
    found, metric = three_models()
    contest = found.contest(KEY, metric, ["good", "poor"])
    assert contest is not None
    (pair,) = contest.pairs
    other = turned_to(pair, "poor")
    assert turned_to(other, "good") == pair
    assert other.difference.value == -pair.difference.value
    assert other.difference.low == -pair.difference.high


def test_holm_is_statsmodels() -> None:
    # statsmodels.stats.multitest.multipletests(p, method="holm")
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_what_it_takes_follows_from_the_standard_error() -> None:
    chance = np.random.default_rng(4)
    one, other = chance.normal(0.5, 0.1, 100), chance.normal(0.52, 0.1, 100)
    found = Pair(
        measured(one.tolist(), Metric("m", value=mean)),
        measured(other.tolist(), Metric("m", value=mean)),
        "all",
    ).difference()
    assert found is not None and found.visible is not None
    error = (one - other).std(ddof=1) / 10
    assert found.error == pytest.approx(error, rel=0.1)
    assert found.visible == pytest.approx(2.8016 * found.error, rel=1e-4)
    needed = found.items_needed(found.visible)
    assert needed in (100, 101)
    assert found.items_needed(found.visible / 2) == pytest.approx(400, abs=2)
    assert found.items_needed(0.0) is None


def test_scores_and_counts_are_not_compared() -> None:
    made = Score(model="m", task="t", metric="x", value=1.0, n=3)
    count = Metric("n", unit="count", decimals=0, value=mean)
    assert Comparisons([made, measured([1.0], count)]).keys == []


def test_a_random_model_under_two_names_is_seldom_told_apart() -> None:
    """A small seeded version of bench/coverage.py: 35 items, nothing to find."""
    chance = np.random.default_rng(5)
    sure = 0
    for world in range(200):
        one, other = (measured(chance.integers(0, 2, 35).tolist(), first=99 * world) for _ in "ab")
        found = Pair(one, other, "all").difference(499)
        sure += found is not None and found.p <= 0.05
    assert sure / 200 <= 0.08


def test_many_models_can_still_be_told_apart() -> None:
    """With twenty models 190 pairs are compared: p must be able to get that small."""
    chance = np.random.default_rng(8)
    names = [f"m{n:02}" for n in range(20)]
    rows = {name: (chance.random(150) < 0.3).astype(float).tolist() for name in names}
    rows["m07"] = [1.0] * 150
    found = Comparisons([measured(own, SHARE, name) for name, own in rows.items()])
    assert found.leader(KEY, found.models) == "m07"
    contest = found.contest(KEY, SHARE, found.models)
    assert contest is not None and contest.leader == "m07"
    assert Pair(measured(rows["m07"]), measured(rows["m01"]), "all").difference(5001).p < 0.0003
