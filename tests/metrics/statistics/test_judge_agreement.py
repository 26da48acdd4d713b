"""Judge and people, against the measures of two annotators that are there."""

import numpy as np
import pytest

from deadpan.metrics.statistics.agreement import (
    cohen_kappa,
    interval,
    krippendorff_alpha,
    nominal,
    ordinal,
)
from deadpan.metrics.statistics.correlation import pearson
from deadpan.metrics.statistics.correlation import spearman as rank_correlation
from deadpan.metrics.statistics.judge_agreement import Agreement, ScaleForm, agreement
from deadpan.metrics.statistics.opinions import Estimated, Opinion, spearman

SEVEN = tuple(float(one) for one in range(1, 8))


def opinions(
    items: int = 40, raters: int = 2, lean: float = 0.0, noise: float = 0.8, seed: int = 0
) -> list[Opinion]:
    chance = np.random.default_rng(seed)

    def given(middle: float, spread: float) -> float:
        return float(np.clip(round(chance.normal(middle, spread)), 1, 7))

    made = []
    for at in range(items):
        for model in ("a", "b"):
            middle = chance.normal(4, 1.3)
            people = tuple(given(middle, 0.8) for _ in range(raters))
            made.append(Opinion(f"i{at}", model, (given(middle + lean, noise),), people))
    return made


def test_with_one_rater_the_judge_is_a_second_annotator() -> None:
    own = opinions(raters=1)
    first, second = [one.judge[0] for one in own], [one.people[0] for one in own]
    units = list(zip(first, second, strict=True))
    for level, distance in (
        ("interval", interval),
        ("nominal", nominal),
        ("ordinal", ordinal(units)),
    ):
        found = agreement(own, ScaleForm(SEVEN, level))  # type: ignore[arg-type]
        assert found.judge["alpha"].value == pytest.approx(krippendorff_alpha(units, distance))
    found = agreement(own, ScaleForm(SEVEN))
    weighted = cohen_kappa(first, second, "quadratic", SEVEN)
    assert found.judge["kappa"].value == pytest.approx(weighted)
    assert found.judge["exact"].value == pytest.approx(np.mean(np.equal(first, second)))
    assert found.judge["pearson"].value == pytest.approx(pearson(first, second).r)
    assert found.judge["spearman"].value == pytest.approx(rank_correlation(first, second).r)
    assert found.judge["difference"].value == pytest.approx(np.mean(np.subtract(first, second)))
    plain = agreement(own, ScaleForm(SEVEN, "nominal"))
    assert plain.judge["kappa"].value == pytest.approx(cohen_kappa(first, second))
    assert (found.answers, found.items, found.repeated, found.people) == (80, 40, 0, {})


def test_people_agree_as_in_a_study_of_ratings() -> None:
    own = opinions(raters=3)
    found = agreement(own, ScaleForm(SEVEN))
    assert found.people["alpha"].value == pytest.approx(
        krippendorff_alpha([one.people for one in own], interval)
    )
    assert found.repeated == 80


def test_scales_that_differ_have_no_exact_share() -> None:
    found = agreement(opinions(), ScaleForm())
    assert not {"exact", "kappa"} & {*found.judge, *found.people}
    assert found.judge["alpha"].value is not None


def test_an_answer_counts_once_however_often_it_was_judged() -> None:
    own = opinions()
    again = [Opinion(one.item, one.model, one.judge * 5, one.people) for one in own]
    once, five = (agreement(rows, ScaleForm(SEVEN)) for rows in (own, again))
    for name, value in once.judge.items():
        assert five.judge[name].value == pytest.approx(value.value)


def test_intervals_resample_items_and_not_answers() -> None:
    own = opinions(30)
    alike = [Opinion(one.item, f"{one.model}{k}", one.judge, one.people)
             for one in own for k in range(6)]  # fmt: skip
    once, six = (agreement(rows, ScaleForm(SEVEN)).judge["alpha"] for rows in (own, alike))
    assert six.low == pytest.approx(once.low, abs=0.02)


@pytest.mark.parametrize(
    ("lean", "noise", "words"),
    [
        (2.0, 0.8, "less well than"),
        (0.0, 0.1, "better than"),
        (0.0, 0.8, "about as well as"),
    ],
)
def test_the_comparison_is_told_in_words(lean: float, noise: float, words: str) -> None:
    found = agreement(opinions(300, lean=lean, noise=noise), ScaleForm(SEVEN))
    assert words in found.verdict()
    assert found.verdict("gpt").startswith("gpt ")


def test_few_answers_cannot_tell() -> None:
    assert "cannot tell" in agreement(opinions(12, noise=0.9), ScaleForm(SEVEN)).verdict()
    none = agreement(opinions(raters=1), ScaleForm(SEVEN))
    assert "too few" in none.verdict()
    for repeated, words in ((0, "0 answers were rated"), (1, "1 answer was rated")):
        said = Agreement(1, 1, 1, repeated, {}, {}, Estimated(None)).verdict()
        assert said.startswith(words)


def coin_flips(items: int, chance: np.random.Generator, answers: int = 1) -> list[Opinion]:
    """Yes or no by judge and people who know nothing of each other."""
    return [
        Opinion(f"i{at}", f"m{model}", *((float(one),) for one in chance.integers(0, 2, 2)))
        for at in range(items)
        for model in range(answers)
    ]


@pytest.mark.parametrize(("items", "answers"), [(8, 1), (20, 1), (20, 3), (50, 1)])
def test_few_yes_and_no_leave_a_correlation_open(items: int, answers: int) -> None:
    """Of 100 worlds without any agreement at most ten say that there is some."""
    chance, wrong = np.random.default_rng(items), dict.fromkeys(("pearson", "spearman"), 0)
    for _ in range(100):
        found = agreement(coin_flips(items, chance, answers), ScaleForm((0.0, 1.0), "nominal"))
        for name in wrong:
            one = found.judge[name]
            is_open = one.low is None or one.high is None or one.low <= 0 <= one.high
            wrong[name] += not is_open
    assert max(wrong.values()) <= 10


def test_a_correlation_is_no_surer_than_fisher_says() -> None:
    """One no of the judge among twenty: most of what resamples say is missing."""
    people = [0.0, 1.0] * 10
    own = [Opinion(f"i{at}", "m", (float(at > 0),), (one,)) for at, one in enumerate(people)]
    found = agreement(own, ScaleForm((0.0, 1.0), "nominal")).judge
    judge = [one.judge[0] for one in own]
    for name, measure in (("pearson", pearson), ("spearman", rank_correlation)):
        plain = measure(judge, people)
        low, high = found[name].low, found[name].high
        assert low is not None and plain.low is not None and low <= plain.low
        assert high is not None and plain.high is not None and high >= plain.high


def test_answers_that_say_the_same_of_an_item_count_once() -> None:
    own = coin_flips(20, np.random.default_rng(2))
    alike = [Opinion(one.item, f"m{k}", one.judge, one.people) for one in own for k in range(5)]
    form = ScaleForm((0.0, 1.0), "nominal")
    once, five = (agreement(rows, form).judge["pearson"] for rows in (own, alike))
    assert (five.low, five.high) == pytest.approx((once.low, once.high), abs=0.02)


def test_a_perfect_correlation_has_no_interval() -> None:
    own = [Opinion(f"i{at}", "m", (float(at % 2),), (float(at % 2),)) for at in range(20)]
    found = agreement(own, ScaleForm((0.0, 1.0), "nominal")).judge
    for name in ("pearson", "spearman", "kappa"):
        assert found[name] == Estimated(pytest.approx(1.0))


def test_one_value_throughout_has_no_alpha() -> None:
    same = [Opinion(f"i{at}", "m", (3.0,), (3.0, 3.0)) for at in range(20)]
    found = agreement(same, ScaleForm(SEVEN))
    assert found.judge["alpha"].value is None and found.judge["pearson"].value is None
    exact = found.judge["exact"]
    assert exact.value == 1.0 and exact.low is not None and exact.low < 1.0


def test_nothing_said_by_both_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing was said"):
        agreement([], ScaleForm(SEVEN))


def test_ranks_of_weighted_rows_are_those_of_repeated_ones() -> None:
    x, y = [1.0, 2.0, 2.0, 5.0, 4.0], [2.0, 1.0, 3.0, 5.0, 3.0]
    weights = [1.0, 3.0, 1.0, 2.0, 1.0]
    rows = [(f"i{at}", w, a, b) for at, (w, a, b) in enumerate(zip(weights, x, y, strict=True))]
    long_x, long_y = (
        [value for value, w in zip(side, weights, strict=True) for _ in range(int(w))]
        for side in (x, y)
    )
    assert spearman(rows).value == pytest.approx(rank_correlation(long_x, long_y).r)
