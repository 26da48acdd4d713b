"""Variance components against the textbook's mean squares and against worlds that are known."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from deadpan.metrics.statistics.components import REST, Components, Term, variance_components

ITEM, PROMPT, BOTH = ("item",), ("prompt",), ("item", "prompt")


def world(
    rng: np.random.Generator,
    deviations: dict[Term, float],
    levels: dict[str, int],
    kept: float = 1.0,
    rest: float = 0.3,
) -> tuple[list[float], dict[str, list[int]]]:
    """Scores of all combinations of levels, of which a share is kept."""
    effects = {
        term: rng.normal(0, deviation, tuple(levels[name] for name in term))
        for term, deviation in deviations.items()
    }
    scores: list[float] = []
    factors: dict[str, list[int]] = {name: [] for name in levels}
    names = list(levels)
    for cell in product(*(range(count) for count in levels.values())):
        if rng.random() >= kept:
            continue
        place = dict(zip(names, cell, strict=True))
        own = sum(effects[term][tuple(place[name] for name in term)] for term in effects)
        scores.append(0.5 + float(own) + rng.normal(0, rest))
        for name in names:
            factors[name].append(place[name])
    return scores, factors


def variances(found: Components) -> dict[Term, float]:
    return {part.term: part.variance for part in found.parts}


def test_balanced_data_give_the_mean_squares_of_the_textbook() -> None:
    """Three items × two prompts, one score each: items 1, 2, 6 and 2, 4, 9."""
    scores = [1.0, 2.0, 2.0, 4.0, 6.0, 9.0]
    factors = {"item": [0, 0, 1, 1, 2, 2], "prompt": [0, 1] * 3}
    found = variance_components(scores, factors, [ITEM, PROMPT, BOTH])
    # Means: items 1.5, 3, 7.5; prompts 3, 5; all 4. Squares: items 39, prompts 6, rest 1.
    between_items, between_prompts, rest = 39 / 2, 6 / 1, 1 / 2
    assert variances(found) == pytest.approx(
        {ITEM: (between_items - rest) / 2, PROMPT: (between_prompts - rest) / 3, REST: rest}
    )
    assert found.mean == 4.0
    assert sum(part.share for part in found.parts) == pytest.approx(1)
    # The mean's variance: items over 3, prompts over 2, the rest over 6.
    wanted = ((between_items - rest) / 2) / 3 + ((between_prompts - rest) / 3) / 2 + rest / 6
    assert found.standard_error == pytest.approx(wanted**0.5)
    assert found.error_of(ITEM) == pytest.approx(((between_items - rest) / 6) ** 0.5)


def test_nested_repeats_are_the_rest() -> None:
    scores = [1.0, 3.0, 5.0, 5.0]
    found = variance_components(scores, {"item": [0, 0, 1, 1]}, [ITEM])
    # Within: (1 + 1 + 0 + 0) / 2 = 1; between: 2 · ((2 − 3.5)² + (5 − 3.5)²) = 9.
    assert variances(found) == pytest.approx({ITEM: (9 - 1) / 2, REST: 1.0})


@pytest.mark.parametrize("kept", [1.0, 0.7])
def test_known_worlds_are_found_whole_or_with_gaps(kept: float) -> None:
    rng = np.random.default_rng(13)
    true = {ITEM: 0.5, PROMPT: 0.2, BOTH: 0.3}
    levels = {"item": 60, "prompt": 8, "epoch": 3}
    drawn = []
    for _ in range(60):
        scores, factors = world(rng, true, levels, kept)
        found = variance_components(scores, factors, list(true))
        drawn.append([found.parts[at].variance for at in range(4)])
    means, errors = np.mean(drawn, 0), np.std(drawn, 0, ddof=1) / 60**0.5
    wanted = np.array([0.25, 0.04, 0.09, 0.09])
    assert (np.abs(means - wanted) < 4 * errors + 0.003).all(), means


def test_one_change_at_a_time_is_enough() -> None:
    """Prompts in the usual order and orders in the usual words, as an audit asks them."""
    rng = np.random.default_rng(5)
    cells = [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (0, 3)]
    terms: list[Term] = [ITEM, PROMPT, ("order",), BOTH, ("item", "order")]
    drawn = []
    for _ in range(80):
        item = rng.normal(0, 0.5, 120)
        prompt, order = rng.normal(0, 0.15, 4), rng.normal(0, 0.1, 4)
        mixed, placed = rng.normal(0, 0.3, (120, 4)), rng.normal(0, 0.2, (120, 4))
        keys = [(i, p, o) for i in range(120) for p, o in cells]
        scores = [
            item[i] + prompt[p] + order[o] + mixed[i, p] + placed[i, o] + rng.normal(0, 0.25)
            for i, p, o in keys
        ]
        columns = zip(*keys, strict=True)
        factors = dict(zip(("item", "prompt", "order"), map(list, columns), strict=True))
        found = variance_components(scores, factors, terms)
        drawn.append([part.variance for part in found.parts])
    means, errors = np.mean(drawn, 0), np.std(drawn, 0, ddof=1) / 80**0.5
    wanted = np.array([0.25, 0.0225, 0.01, 0.09, 0.04, 0.0625])
    assert (np.abs(means - wanted) < 4 * errors + 0.004).all(), means


def test_the_standard_error_is_that_of_worlds_drawn_anew() -> None:
    rng = np.random.default_rng(3)
    true = {ITEM: 0.4, PROMPT: 0.2, BOTH: 0.2}
    means, told = [], []
    for _ in range(300):
        scores, factors = world(rng, true, {"item": 40, "prompt": 5, "epoch": 2})
        found = variance_components(scores, factors, list(true))
        means.append(found.mean)
        told.append(found.standard_error**2)
    assert np.mean(told) == pytest.approx(np.var(means, ddof=1), rel=0.2)


def test_a_negative_estimate_is_zero_and_says_so() -> None:
    """Prompts whose means are nearer than the rest's spread allows."""
    scores = [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0]
    factors = {"item": [0, 0, 1, 1, 2, 2, 3, 3], "prompt": [0, 1] * 4}
    found = variance_components(scores, factors, [ITEM, PROMPT])
    prompt = next(part for part in found.parts if part.term == PROMPT)
    assert (prompt.variance, prompt.is_negative) == (0.0, True)


def test_equal_scores_have_no_variance() -> None:
    factors = {"item": [0, 0, 1, 1], "prompt": [0, 1, 0, 1]}
    found = variance_components([1.0] * 4, factors, [ITEM, PROMPT])
    assert [part.variance for part in found.parts] == pytest.approx([0, 0, 0])
    assert not any(part.is_negative for part in found.parts)
    assert found.standard_error == 0


def test_a_factor_with_one_level_is_left_out_with_all_it_does_together() -> None:
    factors = {"item": [0, 0, 1, 1], "prompt": [0] * 4}
    found = variance_components([1.0, 2.0, 3.0, 4.0], factors, [ITEM, PROMPT, BOTH])
    assert [part.term for part in found.parts] == [ITEM, REST]


@pytest.mark.parametrize(
    ("scores", "factors", "terms", "said"),
    [
        ([1.0], {"item": [0]}, [ITEM], "got 1 scores"),
        ([1.0, float("nan")], {"item": [0, 1]}, [ITEM], "no number"),
        ([1.0, 2.0], {"item": [0]}, [ITEM], "1 levels for 2 scores"),
        ([1.0, 2.0], {"item": [0, 1]}, [PROMPT], "no factor prompt"),
        ([1.0, 2.0], {"item": [0, 1]}, [()], "empty"),
        (
            [1.0, 2.0, 3.0, 4.0],
            {"item": [0, 0, 1, 1], "prompt": [0, 0, 1, 1]},
            [ITEM, PROMPT],
            "item and prompt changed together",
        ),
    ],
)
def test_what_cannot_be_told_raises(
    scores: Sequence[float], factors: dict[str, list[int]], terms: list[Term], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        variance_components(scores, factors, terms)
