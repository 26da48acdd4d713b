"""Sampling: seeded, shared, without repeats, spread evenly."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadpan.benchmarks.merbench.sampling import (
    Sampling,
    Views,
    sampled_outputs,
    shared_samples,
    spread_samples,
)
from deadpan.core.score import Draws

MEMES = [f"{number}.png" for number in range(300)]
MODELS = [f"model {number}" for number in range(14)]


def test_the_papers_samplings_are_the_default() -> None:
    views = Views()
    assert [(s.runs, s.size) for s in (views.model, views.factor, views.overall)] == [
        (10, 100),
        (10, 50),
        (10, 700),
    ]
    assert Views.of(Draws()) == Views()
    assert Views.of(Draws(7)).overall == Sampling(10, 700, 7)
    assert Views.of(Draws(7, 2, 5)) == Views(
        Sampling(2, 5, 7), Sampling(2, 3, 7), Sampling(2, 35, 7)
    )


def test_a_shared_sample_has_no_meme_twice_and_is_the_same_for_the_same_seed() -> None:
    runs = shared_samples(MEMES, Sampling(10, 100, 3))
    assert len(runs) == 10
    assert all(len(run) == len(set(run)) == 100 for run in runs)
    assert len(set(runs)) == 10, "each run draws anew"
    assert runs == shared_samples(list(reversed(MEMES)), Sampling(10, 100, 3))
    assert runs != shared_samples(MEMES, Sampling(10, 100, 4))


def test_where_there_are_fewer_memes_all_are_taken() -> None:
    assert shared_samples(["b", "a"], Sampling(2, 100)) == [("a", "b"), ("a", "b")]


def test_outputs_are_spread_evenly_over_models_and_over_memes() -> None:
    for run in spread_samples(MEMES, MODELS, Sampling(10, 50)):
        assert len(set(run)) == 50
        per_model = Counter(model for _, model in run)
        assert set(per_model.values()) == {3, 4} and len(per_model) == 14
        assert len({meme for meme, _ in run}) == 50
    for run in spread_samples(MEMES, MODELS, Sampling(3, 700)):
        assert Counter(model for _, model in run) == dict.fromkeys(MODELS, 50)


@given(
    memes=st.integers(1, 12),
    models=st.integers(1, 9),
    size=st.integers(1, 120),
    seed=st.integers(0, 5),
)
def test_no_output_comes_twice_and_none_is_left_out_while_there_is_room(
    memes: int, models: int, size: int, seed: int
) -> None:
    (run,) = spread_samples(MEMES[:memes], MODELS[:models], Sampling(1, size, seed))
    assert len(run) == len(set(run)) == min(size, memes * models)
    counts = Counter(model for _, model in run)
    assert max(counts.values()) - min(counts.get(name, 0) for name in MODELS[:models]) <= 1


def test_what_a_judge_has_to_see_is_all_that_any_view_samples_and_no_more() -> None:
    views = Views(Sampling(1, 2, 1), Sampling(1, 3, 1), Sampling(1, 4, 1))
    memes, models = MEMES[:20], MODELS[:3]
    groups = {"layout_type=MultiPanel_Meme": MEMES[:5], "layout_type=None": []}
    wanted = sampled_outputs(memes, models, groups, views)
    (shared,) = shared_samples(memes, views.model)
    assert {(meme, model) for meme in shared for model in models} <= wanted
    (factor,) = spread_samples(MEMES[:5], models, views.factor)
    (overall,) = spread_samples(memes, models, views.overall)
    assert wanted == {(m, model) for m in shared for model in models} | {*factor, *overall}
    assert len(wanted) <= 2 * 3 + 3 + 4 < 20 * 3


def test_nothing_to_sample_from_raises() -> None:
    with pytest.raises(ValueError, match="nothing to sample"):
        shared_samples([], Sampling(1, 1))
    with pytest.raises(ValueError, match="nothing to sample"):
        spread_samples(MEMES, [], Sampling(1, 1))
    for wrong in ((0, 1, 0), (1, 0, 0), (1, 1, -1)):
        with pytest.raises(ValueError, match="runs and size"):
            Sampling(*wrong)
