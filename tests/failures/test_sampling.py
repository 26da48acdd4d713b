"""Drawing a share: sizes by hand, the same for the same seed, languages kept in proportion."""

from collections import Counter

import pytest

from deadpan.failures.cases import (
    Case,
    allocation,
    cases_of,
    draw_cases,
    is_unequal,
    rules_in_words,
)
from tests.failures.wrong_answers import a_table


def answered() -> list[Case]:
    return [case for case in cases_of(a_table(), [is_unequal]) if case.outcome != "refused"]


def test_a_tenth_of_each_model_at_least_one_by_language() -> None:
    found = draw_cases(answered(), 0.1, seed=0)
    assert Counter((case.model, case.language) for case in found) == {
        ("loud", "en"): 2,
        ("loud", "zh"): 1,
        ("meek", "en"): 1,
    }


def test_the_seed_alone_decides_and_other_models_do_not() -> None:
    cases = answered()
    assert draw_cases(cases, 0.3, 1) == draw_cases(cases, 0.3, 1)
    assert draw_cases(cases, 0.3, 1) != draw_cases(cases, 0.3, 2)
    loud = [case for case in cases if case.model == "loud"]
    assert draw_cases(loud, 0.3, 1) == [
        case for case in draw_cases(cases, 0.3, 1) if case.model == "loud"
    ]


def test_tasks_are_drawn_in_proportion() -> None:
    """Of 40 failures to recognise and 20 bad reasonings a tenth is 4 and 2, whatever the seed."""
    (first, *_) = answered()
    tasks = ["recognition"] * 40 + ["reasoning"] * 20
    cases = [
        first.model_copy(update={"item": f"i{n:02}", "task": task}) for n, task in enumerate(tasks)
    ]
    for seed in range(5):
        found = draw_cases(cases, 0.1, seed)
        assert Counter(case.task for case in found) == {"recognition": 4, "reasoning": 2}
        assert found == draw_cases(cases, 0.1, seed)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("", ""),
        ("own", "Wrong by: the benchmark's own rule."),
        (
            "own,badly_explained=greedy_match:q0.25",
            "Wrong by: the benchmark's own rule; or greedy_match of the explanation in the "
            "lowest 25%.",
        ),
        ("badly_explained=meteor:20", "Wrong by: meteor of the explanation below 20."),
        ("unequal,mine.jsonl", "Wrong by: the answer read is not gold; or mine.jsonl."),
    ],
)
def test_rules_are_told_in_words(wrong: str, told: str) -> None:
    assert rules_in_words(wrong) == told


@pytest.mark.parametrize(
    ("sizes", "share", "wanted"),
    [
        ({"en": 20, "zh": 10}, 0.1, {"en": 2, "zh": 1}),
        ({"en": 5, "zh": 5}, 0.1, {"en": 1, "zh": 0}),
        ({"en": 1, "zh": 3}, 0.1, {"en": 0, "zh": 1}),
        ({"en": 13, "zh": 7}, 0.5, {"en": 7, "zh": 3}),  # 6.5 and 3.5: the tie goes to en
        ({"en": 4, "zh": 2}, 1.0, {"en": 4, "zh": 2}),
        ({"zh": 1}, 0.01, {"zh": 1}),
    ],
)
def test_allocation_by_hand(sizes: dict[str, int], share: float, wanted: dict[str, int]) -> None:
    assert allocation(sizes, share) == wanted


def test_nothing_to_draw_raises() -> None:
    with pytest.raises(ValueError, match="no cases"):
        draw_cases([], 0.1, 0)
    for share in (0.0, -0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="cannot be drawn"):
            draw_cases(answered(), share, 0)
