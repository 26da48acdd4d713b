"""A judge's score moved by people's labels: against ppi-python, by hand, and in worlds of which the
truth is known."""

import numpy as np
import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.merbench.metrics import BASE, JUDGED
from deadpan.core.metric import Metric, mean, scored
from deadpan.metrics import labels
from deadpan.metrics.statistics.corrected import Correction
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.metrics.statistics.label_plans import Plan
from deadpan.metrics.statistics.ppi_library import library_estimate
from tests.metrics.statistics.worlds import SHARE, measured, of_statistics

MEAN = Metric("mean", value=mean)
BY_PPI = {0.0: 3.678, 0.75: 3.905625}
"""By ppi-python 0.2.3 of the values below, by its weight of the judge."""
TUNED, TUNED_LOW, TUNED_HIGH = 3.82663924, 3.61877936, 4.03449912
PEOPLE = [
    3.2,
    2.68,
    3.75,
    4.42,
    5.14,
    4.11,
    3.45,
    3.22,
    4.75,
    5.63,
    4.27,
    2.77,
    3.04,
    5.6,
    4.2,
    2.27,
    3.92,
    2.84,
    3.37,
    3.51,
    3.29,
    4.55,
    3.94,
    3.41,
    4.41,
    4.83,
    2.36,
    3.74,
    3.02,
    3.83,
    2.71,
    4.02,
    3.96,
    3.7,
    2.95,
    3.6,
    2.91,
    2.64,
    4.22,
    2.89,
]
JUDGE = [
    4.31,
    3.77,
    3.05,
    4.59,
    4.33,
    4.28,
    3.89,
    2.74,
    4.53,
    5.05,
    4.84,
    2.87,
    3.99,
    4.61,
    4.15,
    2.74,
    4.88,
    3.79,
    5.04,
    4.23,
    4.2,
    4.95,
    3.86,
    3.81,
    5.12,
    4.5,
    3.31,
    4.03,
    3.92,
    3.92,
    3.35,
    4.33,
    4.23,
    3.59,
    4.02,
    3.31,
    2.95,
    2.74,
    4.82,
    3.35,
]
OTHERS = [
    3.52,
    3.39,
    4.64,
    3.46,
    3.28,
    4.79,
    3.34,
    4.04,
    4.29,
    3.94,
    4.26,
    5.37,
    3.89,
    3.29,
    2.83,
    4.14,
    4.02,
    4.51,
    3.93,
    3.92,
    3.72,
    3.88,
    4.43,
    4,
    4.38,
    5.82,
    4.68,
    3.04,
    5.69,
    4.58,
    3.55,
    5.03,
    4.31,
    3.81,
    3.79,
    3.51,
    4.34,
    5.16,
    4.04,
    4.64,
    5.8,
    3.33,
    4.51,
    4.05,
    3.45,
    3.48,
    4.29,
    4.65,
    3.87,
    4.34,
    4.88,
    4.54,
    4.99,
    4.67,
    4.69,
    5.76,
    4.8,
    4.4,
    4.87,
    3.56,
    4.03,
    4.93,
    4.8,
    5.54,
    4.31,
    3.13,
    5.86,
    5.17,
    3.45,
    5.4,
    4.33,
    2.85,
    3.96,
    3.89,
    5.57,
    3.67,
    4.1,
    4.08,
    4,
    3.57,
    4.48,
    5.16,
    4.8,
    3.56,
    3.38,
    4.4,
    3.73,
    3.8,
    2.96,
    5.86,
    5.03,
    3.52,
    5.03,
    5.37,
    2.39,
    3.86,
    3.99,
    4.82,
    4.2,
    4.12,
    4.25,
    5.78,
    6.03,
    3.88,
    3.56,
    6.45,
    3.52,
    3.84,
    4.33,
    4.69,
    5.12,
    4.61,
    3.6,
    4.71,
    4.5,
    5.8,
    4.29,
    3.23,
    3.46,
    5.46,
]


def correction(
    people: list[float], judge: list[float], metric: Metric = MEAN, unjudged: int = 0
) -> Correction:
    """A mean: by people of the first answers, by the judge of all; the last need no judge."""
    marks = np.arange(len(judge)) < len(judge) - unjudged
    labelled = np.arange(len(judge)) < len(people)
    said = [*people, *judge[len(people) :]]
    return Correction(measured(judge, metric), measured(said, metric), marks, labelled)


def test_a_mean_is_that_of_ppi_python() -> None:
    found = correction(PEOPLE, [*JUDGE, *OTHERS])
    n, others = len(PEOPLE), len(OTHERS)
    for weight, value in BY_PPI.items():
        # There the judge speaks of the unlabelled answers alone, here of all.
        ours = found.estimate(weight * (n + others) / others)
        assert ours.value == pytest.approx(value)
    tuned = found.corrected()
    # Its weight takes the judge's variance from all answers, ours what each item does.
    assert tuned.value == pytest.approx(TUNED, abs=0.05)
    assert tuned.low == pytest.approx(TUNED_LOW, abs=0.05)
    assert tuned.high == pytest.approx(TUNED_HIGH, abs=0.05)
    assert found.people_only().value == pytest.approx(np.mean(PEOPLE))


def test_ppi_python_says_so_itself() -> None:
    pytest.importorskip("ppi_py", reason="the extra [calibrate] is not installed")
    found = correction(PEOPLE, [*JUDGE, *OTHERS])
    plain = found.plain_mean()
    assert plain is not None
    assert library_estimate(*plain).value == pytest.approx(found.corrected().value, abs=0.05)


def test_without_the_library_it_is_said_which_extra_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ppi_py", None)
    with pytest.raises(DeadpanError, match=r"deadpan\[calibrate\]"):
        library_estimate(*(np.zeros(2) for _ in range(3)))


def test_a_judge_who_knows_nothing_is_left_out() -> None:
    found = correction([0.0, 1.0] * 20, [1.0] * 200, SHARE)
    assert found.weight == 0.0
    assert found.corrected().value == 0.5
    assert found.worth() == 0


def test_a_judge_who_goes_against_people_counts_for_nothing() -> None:
    people = [0.0, 1.0] * 20
    assert correction(people, [1 - one for one in people] + [0.0, 1.0] * 50).weight == 0.0


def test_a_judge_who_is_right_throughout_is_worth_what_the_unseen_leaves() -> None:
    people = [0.0, 1.0, 1.0, 1.0] * 10
    found = correction(people, people * 5, SHARE)
    assert found.weight == pytest.approx(1.0)
    assert found.corrected().value == pytest.approx(0.75)
    # By hand: ±1.96 errors and 1 - 0.025^(1/40) of the rest, as wide as people's 75 would be.
    width = 3.919928 * found.error(1.0)
    width += 0.088097 * (1 - width)
    by_people = 0.75 * 0.25 * 40 / 39 * (3.919928 / width) ** 2
    assert found.worth() == pytest.approx(by_people - 40, abs=1)
    # What was not seen may be otherwise: it is wider than the judge's own.
    alone = with_intervals([measured(people * 5, SHARE)])[0]
    both = found.corrected()
    assert both.low is not None and both.low < alone.low  # type: ignore[operator]
    assert both.high is not None and both.high > alone.high  # type: ignore[operator]


def test_a_constant_leaning_is_taken_off() -> None:
    people = [float(one % 5) for one in range(50)]
    judge = [one + 2 for one in people] * 4
    found = correction(people, judge)
    assert found.corrected().value == pytest.approx(2.0)
    assert found.weight == pytest.approx(1.0)


def test_where_all_is_labelled_people_speak_alone() -> None:
    people = [float(one % 7) for one in range(60)]
    found = correction(people, [one / 2 for one in people])
    assert found.corrected().value == pytest.approx(np.mean(people))
    assert found.weight == 0.0


def test_answers_that_need_no_judge_keep_their_score() -> None:
    """100 judged ones that people find 1 higher, and 100 that count as 0."""
    people = [float(one % 4) + 1 for one in range(40)]
    judge = [float(one % 4) for one in range(100)] + [0.0] * 100
    found = correction(people, judge, unjudged=100)
    assert found.graded == 100
    assert found.corrected().value == pytest.approx((np.mean(people) * 100 + 0) / 200)


def test_f1_is_corrected_as_the_function_of_sums_that_it_is() -> None:
    chance = np.random.default_rng(2)
    gold = [frozenset(chance.choice(list("abc"), 1)) for _ in range(400)]
    said = [one if chance.random() < 0.6 else frozenset("a") for one in gold]
    read = [gold[at] if chance.random() < 0.4 else one for at, one in enumerate(said)]
    metric = Metric("f1", range=(0, 1), value=labels.weighted_f1)
    people, judge = (
        of_statistics(
            [[labels.label_counts(g, s)] for g, s in zip(gold, given, strict=True)], metric
        )
        for given in (said, read)
    )
    labelled = np.arange(400) < 150
    found = Correction(judge, people, np.ones(400, bool), labelled).corrected()
    truth, alone = (next(one.scores()).value for one in (people, judge))
    assert truth is not None and alone is not None and found.low is not None
    assert found.low <= truth <= (found.high or 0) < alone


def test_a_composite_does_not_leave_its_range() -> None:
    """RFS of parts of which people find nothing: no root of a negative mean."""
    rfs = next(one for one in JUDGED if one.name == "RFS")
    nothing = {name: 0.0 for name in BASE} | {"n": 1.0}
    some = {name: 0.4 for name in BASE} | {"n": 1.0}
    people = of_statistics([[nothing]] * 60, rfs)
    judge = of_statistics([[some if at % 2 else nothing] for at in range(60)], rfs)
    marks = np.ones(60, bool)
    found = Correction(judge, people, marks, np.arange(60) < 30).corrected()
    assert found.value == pytest.approx(0.0)


def test_epochs_of_an_item_are_not_independent() -> None:
    """The same answers ten times over say no more than once."""
    chance = np.random.default_rng(4)
    people = chance.normal(3, 1, 120).round(1).tolist()
    judge = [one + chance.normal(0.5, 0.5) for one in people]
    once = correction(people[:60], judge).error(0.8)
    rows = [[one] * 10 for one in judge]
    said = [[people[at]] * 10 for at in range(120)]
    ten = Correction(
        measured(rows, MEAN),
        measured(said, MEAN),
        np.ones(1200, bool),
        np.array([epoch == 0 and at < 60 for at in range(120) for epoch in range(10)]),
    )
    assert ten.error(0.8) == pytest.approx(once)
    assert ten.labels == 60


def test_draws_weigh_what_the_judge_says() -> None:
    """A score over draws: the mean of the corrected values of each."""
    judge, people = measured([1.0, 3.0] * 20, MEAN), measured([0.0, 2.0] * 20, MEAN)
    draws = np.array([[1.0, 0.0] * 20, [0.0, 1.0] * 20])
    drawn = type(judge)(
        judge.model, judge.task, judge.metric, judge.units, judge.statistics, "", draws=draws
    )
    found = Correction(drawn, people, np.ones(40, bool), np.arange(40) < 20)
    assert found.estimate(1.0).value == pytest.approx(1.0)


def test_a_plan_tells_how_many_labels_a_width_takes() -> None:
    plan = Plan(by_label=4.0, stays=0.01, most=1000)
    assert plan.width(100) == pytest.approx(2 * 1.959964 * 0.05**0.5)
    needed = plan.labels_for(0.6)
    assert needed is not None
    assert plan.width(needed) <= 0.6 < plan.width(needed - 1)
    assert plan.labels_for(0.3) is None, "what stays is wider"
    assert plan.answers_for(0.2) == pytest.approx(1000 * (plan.width(1000) / 0.2) ** 2, abs=1)


def test_where_all_people_agree_the_plan_is_of_the_unseen() -> None:
    """81 judged answers, 40 of them labelled yes, and two invalid ones that count as wrong."""
    found = correction([1.0] * 40, [1.0] * 81 + [0.0] * 2, SHARE, unjudged=2)
    people, both, plan = found.people_only(), found.corrected(), found.plan()
    assert (people.value, people.low, people.high) == (both.value, both.low, both.high)
    assert both.value == pytest.approx(81 / 83)
    assert found.worth() == 0
    assert plan.width(40) == pytest.approx(both.width)
    labels = [50, 60, 81]
    every = [correction([1.0] * n, [1.0] * 81 + [0.0] * 2, SHARE, unjudged=2) for n in labels]
    for n, later in zip(labels, every, strict=True):
        assert plan.width(n) == pytest.approx(later.corrected().width, rel=0.1)
    needed = plan.labels_for(0.13)
    assert needed is not None and plan.width(needed) <= 0.13 < plan.width(needed - 1)
    assert plan.labels_for(0.05) is None


def test_what_is_unseen_shrinks_with_each_label() -> None:
    """No variance at all: the width is 1 - 0.025^(1/n) of the range."""
    plan = Plan(by_label=0.0, stays=0.0, most=40, value=100.0, unseen=(0, 100))
    assert plan.width(40) == pytest.approx(100 * (1 - 0.025 ** (1 / 40)))
    assert plan.labels_for(10) == 36
    assert plan.answers_for(5) == 72
    assert Plan(0.0, 0.0, 40).answers_for(5) == 2
    with pytest.raises(ValueError, match="expected more than 0"):
        plan.answers_for(0)


def test_people_who_always_agree_are_not_helped_by_a_judge_who_varies() -> None:
    chance = np.random.default_rng(5)
    judge = [*(chance.random(80) < 0.8).astype(float).tolist(), 0.0, 0.0, 0.0]
    found = correction([1.0] * 40, judge, SHARE, unjudged=3)
    assert found.weight == 0.0 and found.worth() == 0
    assert found.corrected() == found.people_only()


def test_a_plan_labels_items_and_not_epochs() -> None:
    judge = measured([[1.0, 0.0, 1.0]] * 20 + [[0.0, 1.0, 0.0]] * 20, SHARE)
    labelled = np.array([epoch == 1 and at < 60 for at, (_, epoch) in enumerate(judge.units.keys)])
    found = Correction(judge, judge, np.ones(120, bool), labelled)
    assert (found.labels, found.graded, found.plan().most) == (20, 120, 40)


def test_bias_is_held_against_people_answer_by_answer() -> None:
    """Six answers that all differ: p is 2 / 2^6; five are too few, whatever their size."""
    six = correction([0.0] * 6, [1.0] * 80, SHARE).bias()
    assert six.value == pytest.approx(1.0)
    assert six.p == pytest.approx(1 / 32, abs=0.005)
    assert six.low == pytest.approx(1 - 2 * (1 - 0.025 ** (1 / 6)))
    five = correction([0.0] * 5, [1.0] * 80, SHARE).bias()
    assert five.p > 0.05 and five.low is not None and five.low < 0
    alike = correction([0.0, 1.0] * 20, [0.0, 1.0] * 40, SHARE).bias()
    assert (alike.value, alike.p) == (0.0, 1.0)
    assert alike.low is not None and alike.low < 0 < (alike.high or 0)


def test_bias_of_a_composite_at_the_end_of_its_range_is_seen() -> None:
    rfs = next(one for one in JUDGED if one.name == "RFS")
    nothing, some = ({name: at for name in BASE} | {"n": 1.0} for at in (0.0, 0.4))
    judge, people = (of_statistics([[own]] * 60, rfs) for own in (some, nothing))
    found = Correction(judge, people, np.ones(60, bool), np.arange(60) < 30).bias()
    assert found.p < 0.001 and found.value > 0


def test_a_fair_judge_is_seldom_said_to_be_off() -> None:
    """300 worlds of 100 answers, 40 of them labelled; the judge errs as often up as down."""
    chance, off, outside = np.random.default_rng(3), 0, 0
    for _ in range(300):
        truth = (chance.random(100) < 0.5).astype(float)
        judge = np.where(chance.random(100) < 0.3, 1 - truth, truth)
        found = correction(truth[:40].tolist(), judge.tolist(), SHARE)
        bias = found.bias()
        off += bias.p <= 0.05 and not (bias.low or 0) <= 0 <= (bias.high or 0)
        outside += bias.low is None or bias.high is None or not bias.low <= 0 <= bias.high
    assert off <= 15
    assert outside <= 30


def test_more_labels_are_as_narrow_as_was_planned() -> None:
    chance = np.random.default_rng(6)
    truth = chance.normal(0, 1, 4000)
    judge = (truth + chance.normal(0.3, 0.7, 4000)).tolist()
    few, many = (correction(truth[:n].tolist(), judge) for n in (200, 800))
    assert few.plan().error(800) == pytest.approx(many.error(many.weight), rel=0.1)


def test_what_cannot_be_corrected_is_refused() -> None:
    with pytest.raises(ValueError, match="expected two or more"):
        correction([1.0], [1.0, 2.0])
    each = Metric("each", value=mean, each="label")
    with pytest.raises(ValueError, match="no one value"):
        correction([1.0, 0.0], [1.0, 2.0], each)
    one, other = measured([1.0, 2.0], MEAN), measured([1.0, 2.0], MEAN, first=5)
    with pytest.raises(ValueError, match="same units"):
        Correction(one, other, np.ones(2, bool), np.ones(2, bool))


def test_an_answer_without_statistics_is_no_label() -> None:
    rows = [[scored(1.0)], [None], [scored(0.0)], [scored(1.0)]]
    judge = of_statistics(rows, MEAN)
    people = of_statistics([[scored(0.0)]] * 4, MEAN)
    found = Correction(judge, people, np.ones(4, bool), np.arange(4) < 3)
    assert (found.labels, found.graded) == (2, 3)


def test_corrected_intervals_hold_the_truth_where_the_judges_do_not() -> None:
    """80 worlds of 200 items, 100 of them labelled, and a judge that passes half of what fails."""
    chance = np.random.default_rng(8)
    held = {"judge": 0, "corrected": 0}
    for _ in range(80):
        truth = (chance.random(200) < 0.5).astype(float)
        judge = np.where(chance.random(200) < 0.5, 1.0, truth)
        found = correction(truth[:100].tolist(), judge.tolist(), SHARE).corrected()
        alone = with_intervals([measured(judge.tolist(), SHARE)])[0]
        for name, one in (("judge", alone), ("corrected", found)):
            held[name] += (one.low or 0) <= 0.5 <= (one.high or 0)
    assert held["judge"] == 0
    assert held["corrected"] >= 72
