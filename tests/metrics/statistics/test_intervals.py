"""Intervals: Wilson's by its formula, the bootstrap by what it must cover, and what has none."""

import numpy as np
import pytest

from deadpan.core.metric import Metric, mean, percent, total
from deadpan.core.score import Score
from deadpan.metrics import labels
from deadpan.metrics.statistics.intervals import best_apart, bootstrap_interval, with_intervals
from deadpan.metrics.statistics.quantiles import student_quantile, unseen_share, wilson
from tests.metrics.statistics.worlds import SHARE, measured, of_statistics

stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")


@pytest.mark.parametrize(("right", "n"), [(0, 1), (0, 20), (1, 3), (17, 35), (35, 35), (900, 1000)])
def test_wilson_is_scipys(right: int, n: int) -> None:
    expected = stats.binomtest(right, n).proportion_ci(method="wilson")
    assert wilson(right, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("degrees", [4, 5, 9, 30, 200, 5000])
def test_students_quantiles(degrees: int) -> None:
    expected = stats.t.ppf(0.975, degrees)
    assert student_quantile(0.975, degrees) == pytest.approx(expected, rel=1e-3)
    assert student_quantile(0.025, degrees) == pytest.approx(-expected, rel=1e-3)
    with pytest.raises(ValueError, match="2 degrees"):
        student_quantile(0.5, 2)


def test_what_was_never_seen_is_bounded_exactly() -> None:
    expected = stats.binomtest(0, 35).proportion_ci(method="exact")
    assert unseen_share(35) == pytest.approx(expected.high)
    with pytest.raises(ValueError, match="no items"):
        unseen_share(0)
    with pytest.raises(ValueError, match="3 successes of 2"):
        wilson(3, 2)


def test_right_and_wrong_once_each_is_wilsons() -> None:
    (score,) = with_intervals([measured([1] * 22 + [0] * 13)])
    assert (score.low, score.high) == pytest.approx(wilson(22, 35))
    assert score.interval == "wilson"


def test_a_scale_of_percent_is_wilsons_too() -> None:
    metric = Metric("share", unit="percent", range=(0, 100), value=percent)
    (score,) = with_intervals([measured([1] * 22 + [0] * 13, metric)])
    assert (score.low, score.high) == pytest.approx([100 * end for end in wilson(22, 35)])


def test_a_count_that_happens_to_be_at_an_end_is_no_share() -> None:
    metric = Metric("off_by", unit="count", decimals=2, range=(0, 17), value=mean)
    (one,) = with_intervals([measured([0.0], metric)])
    assert one.value == 0 and one.low is None
    (many,) = with_intervals([measured([0.0] * 30, metric)])
    assert many.interval == "exact" and many.high == pytest.approx(17 * unseen_share(30))


def test_epochs_of_an_item_are_not_independent() -> None:
    once = [[1.0], [0.0]] * 20
    thrice = [row * 3 for row in once]
    (one,), (three,) = (with_intervals([measured(rows)]) for rows in (once, thrice))
    assert three.value == one.value
    assert three.interval == one.interval == "wilson"  # each item is at one end
    assert (three.low, three.high) == (one.low, one.high)
    mixed = [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]] * 20
    (score,) = with_intervals([measured(mixed)])
    assert score.interval == "bootstrap"
    assert score.low is not None and score.high is not None
    assert 0.05 < score.high - score.low < 0.15


def test_the_same_answers_have_the_same_interval() -> None:
    values = np.random.default_rng(1).random(50).tolist()
    (one,), (other,) = with_intervals([measured(values)]), with_intervals([measured(values)])
    assert (one.low, one.high) == (other.low, other.high)
    (longer,) = with_intervals([measured(values * 2, first=0)])
    assert (longer.low, longer.high) != (one.low, one.high)


def test_a_mean_is_about_students_interval() -> None:
    values = np.random.default_rng(2).normal(0.5, 0.1, 400)
    (score,) = with_intervals([measured(values.tolist(), Metric("m", value=mean))])
    half = stats.t.ppf(0.975, 399) * values.std(ddof=1) / 20
    expected = (values.mean() - half, values.mean() + half)
    assert (score.low, score.high) == pytest.approx(expected, abs=0.1 * half)


def test_all_alike_is_bounded_by_the_unseen() -> None:
    (score,) = with_intervals([measured([0.4] * 30)])
    share = unseen_share(30)
    assert score.interval == "exact"
    assert (score.low, score.high) == pytest.approx((0.4 - 0.4 * share, 0.4 + 0.6 * share))
    (open_ended,) = with_intervals([measured([0.4] * 30, Metric("wer", value=mean))])
    assert open_ended.low is None and open_ended.interval == ""


def test_a_perfect_f1_is_not_taken_for_certain() -> None:
    metric = Metric("f1", range=(0, 1), value=labels.weighted_f1)
    rows = [[labels.label_counts(frozenset("a"), frozenset("a"))] for _ in range(35)]
    (score,) = with_intervals([of_statistics(rows, metric)])
    assert score.value == 1.0 and score.high == 1.0
    assert score.low == pytest.approx(wilson(35, 35)[0])


@pytest.mark.parametrize("right", [5, 6, 7])
def test_a_precision_of_one_in_nearly_all_resamples_is_not_taken_for_certain(right: int) -> None:
    metric = Metric("precision", range=(0, 1), value=labels.weighted_precision)
    yes, none = frozenset({"yes"}), frozenset[str]()
    rows = [[labels.label_counts(yes, yes if at < right else none)] for at in range(10)]
    (score,) = with_intervals([of_statistics(rows, metric)])
    assert (score.value, score.high, score.interval) == (1.0, 1.0, "exact")
    assert score.low == pytest.approx(1 - unseen_share(10))


def test_counts_and_too_few_items_have_none() -> None:
    metric = Metric("gated", unit="count", decimals=0, value=total)
    (count,) = with_intervals([measured([1.0] * 30, metric)])
    assert count.value == 30 and count.low is None
    (few,) = with_intervals([measured([0.1, 0.2, 0.3, 0.4])])
    assert few.value == 0.25 and few.low is None
    nothing = of_statistics([[None]] * 9, SHARE)
    assert with_intervals([nothing])[0].low is None
    made = Score(model="m", task="t", metric="x", value=1.0, n=3)
    assert with_intervals([made]) == [made]


def test_labels_have_intervals_of_their_own_items() -> None:
    metric = Metric("recall", range=(0, 1), value=labels.label_recall, each="style")
    said = [("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "b")]
    rows = [[labels.label_counts(frozenset(gold), frozenset(given))] for gold, given in said]
    found = {one.group: one for one in with_intervals([of_statistics(rows, metric)])}
    assert (found["style=a"].low, found["style=a"].high) == pytest.approx(wilson(20, 25))
    assert (found["style=b"].low, found["style=b"].high) == pytest.approx(wilson(1, 1))


def test_draws_are_resampled_with_their_items() -> None:
    from dataclasses import replace

    values = np.random.default_rng(5).random(60).tolist()
    chance = np.random.default_rng(6)
    draws = np.stack([chance.permutation([1.0] * 30 + [0.0] * 30) for _ in range(10)])
    score, spread = with_intervals([replace(measured(values), draws=draws)])
    (whole,) = with_intervals([measured(values)])
    assert spread.metric == "share_std" and spread.low is None
    assert score.low is not None and score.high is not None
    assert whole.low is not None and whole.high is not None
    # Ten halves hold almost all items: little more doubt than with all of them.
    assert 0.9 < (score.high - score.low) / (whole.high - whole.low) < 1.4


def test_resamples_that_mostly_say_nothing_give_no_interval() -> None:
    unknown = np.full(100, np.nan)
    assert bootstrap_interval(0.5, unknown, np.array([0.4, 0.6]), 9) is None
    assert bootstrap_interval(0.5, np.full(100, 0.5), np.array([0.5, 0.5]), 9) is None


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_intervals_cover(share: float) -> None:
    """A small seeded version of bench/coverage.py."""
    chance = np.random.default_rng(9)
    held = 0
    for world in range(200):
        ease = chance.beta(8 * share, 8 * (1 - share), 100)
        rows = (chance.random((100, 3)) < ease[:, None]).astype(float).tolist()
        (score,) = with_intervals([measured(rows, first=1000 * world)])
        held += score.low <= share <= score.high
    assert 0.90 <= held / 200 <= 0.99


def ended(*ends: tuple[float, float] | None) -> dict[str, Score]:
    about = {"task": "t", "metric": "share", "value": 0.5, "n": 9}
    found = [dict(zip(("low", "high"), one, strict=True)) if one else {} for one in ends]
    return {f"m{at}": Score(model=f"m{at}", **about, **one) for at, one in enumerate(found)}


@pytest.mark.parametrize(
    ("rivals", "higher", "lower"),
    [
        (ended((0.1, 0.3), (0.5, 0.7), (0.4, 0.45)), "m1", "m0"),
        (ended((0.1, 0.3), (0.3, 0.7)), None, None),
        (ended((0.1, 0.3), (0.5, 0.7), (0.2, 0.4)), "m1", None),
        (ended((0.1, 0.3), (0.5, 0.7), None), None, None),
        (ended((0.1, 0.3)), None, None),
        ({}, None, None),
    ],
)
def test_the_best_is_apart_from_all_others_or_there_is_none(
    rivals: dict[str, Score], higher: str | None, lower: str | None
) -> None:
    assert best_apart(rivals, Metric("share")) == higher
    assert best_apart(rivals, Metric("share", better="lower")) == lower
    assert best_apart(rivals, Metric("share", better="neither")) is None
