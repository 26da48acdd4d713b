"""In what a judge leans, of made-up leanings; and how far it is from itself."""

from math import log2, sqrt

import numpy as np
import pytest

from deadpan.metrics.statistics.judge_bias import leanings, retest
from deadpan.metrics.statistics.opinions import Opinion


def made(
    by_length: float = 0.0, own: float = 0.0, chinese: float = 0.0, items: int = 80
) -> list[Opinion]:
    """Answers of two models, one of the judge's family, with a judge that leans by so much."""
    chance = np.random.default_rng(1)
    found = []
    for at in range(items):
        language = "zh" if at % 2 else "en"
        for model in ("gpt", "qwen"):
            length = int(2 ** chance.uniform(4, 10))
            lean = by_length * (log2(length) - 7) + own * (model == "gpt")
            lean += chinese * (language == "zh")
            people = float(chance.integers(1, 8))
            judge = (people + lean + chance.normal(0, 0.5),)
            found.append(Opinion(f"i{at}", model, judge, (people,), language, length))
    return found


def family(model: str) -> str:
    return model


def test_no_leaning_is_found_where_there_is_none() -> None:
    found = leanings(made(), family, "gpt")
    assert [one.is_sure for one in found.leans] == [False] * 3
    assert found.notes == ()


def test_each_leaning_is_found_with_its_size() -> None:
    found = {one.about: one for one in leanings(made(0.3, 1.0, -0.8), family, "gpt").leans}
    assert list(found) == [
        "length, each doubling",
        "language en (less zh)",
        "own family gpt (less qwen)",
    ]
    for about, size in zip(found, (0.3, 0.8, 1.0), strict=True):
        lean = found[about]
        assert lean.is_sure and lean.adjusted < 0.001
        assert lean.difference.value == pytest.approx(size, abs=0.25)
        assert lean.difference.low is not None and lean.difference.low > 0


def test_p_is_adjusted_for_all_that_was_looked_at() -> None:
    found = leanings(made(0.06), family, "gpt").leans
    assert all(one.adjusted >= one.p for one in found)
    assert max(one.adjusted / one.p for one in found) == pytest.approx(3.0)


def test_quarters_of_lengths_run_from_short_to_long() -> None:
    found = leanings(made(0.5), family, "gpt").quarters
    values = [one.value for _, one in found]
    assert len(values) == 4 and values == sorted(values)  # type: ignore[type-var]
    assert found[0][0].endswith("characters")


def test_what_has_too_few_answers_is_said() -> None:
    few = [one for one in made(items=80) if one.language == "en"][:12]
    found = leanings(few, family, "claude")
    notes = " ".join(found.notes)
    assert "length: 12 answers" in notes
    assert "language: all answers are of one (en)" in notes
    assert "no answer is by a model of claude" in notes
    assert "too few" in notes
    assert "not known" in " ".join(leanings(few, family, "").notes)


def test_three_families_are_each_held_against_the_others() -> None:
    rows = [
        Opinion(one.item, f"{one.model}{at % 3}", one.judge, one.people, "en", one.length)
        for at, one in enumerate(made())
    ]
    found = leanings(rows, lambda model: model[-1], "2")
    assert [one.about for one in found.leans[1:]] == ["own family 2", "family 0", "family 1"]


def test_retest_by_hand() -> None:
    """Two answers judged twice, (1, 3) and (2, 2): a variance of 1 within, half of pairs differ."""
    found = retest([("a", [1.0, 3.0]), ("b", [2.0, 2.0])])
    assert found is not None
    assert (found.answers, found.repeats) == (2, 2)
    assert found.deviation == pytest.approx(1.0)
    assert found.flips == pytest.approx(0.5)
    assert found.added == pytest.approx(sqrt(2 * 1 / 2) / 2)
    assert found.added_by_one == pytest.approx(sqrt(1 / 2))


def test_nothing_is_known_of_a_judge_asked_once() -> None:
    assert retest([("a", [1.0]), ("b", [2.0])]) is None
    assert retest([]) is None


def test_the_judges_own_share_of_the_variance() -> None:
    chance = np.random.default_rng(3)
    rows = [
        (f"i{at}", list(chance.normal(middle, 0.5, 3)))
        for at, middle in enumerate(chance.normal(0, 1, 400))
    ]
    found = retest(rows)
    assert found is not None
    assert found.deviation == pytest.approx(0.5, rel=0.05)
    assert found.share == pytest.approx((0.25 / 3) / (1 + 0.25 / 3), rel=0.2)
