"""Numbers of one kind have one number of decimals, wherever they stand."""

import pytest

from deadpan.core.score import Score
from deadpan.reports.rounding import places


def scores(**values: list[float | None]) -> list[Score]:
    return [
        Score(model="m", task="t", metric=metric, value=value, n=1)
        for metric, found in values.items()
        for value in found
    ]


def test_scores_of_a_scale_are_rounded_alike_and_counts_not_at_all() -> None:
    found = places(
        scores(TAS=[100.0], PES=[50.0], SSS=[99.107], TEA=[0.0], missing_outputs=[0.0])
        + scores(comparable_memes=[8.0], pearson=[-0.442, 1.0], huc=[None])
    )
    assert found == {
        **dict.fromkeys(("TAS", "PES", "SSS", "TEA"), 1),
        **dict.fromkeys(("missing_outputs", "comparable_memes"), 0),
        "pearson": 3,
    }


def test_nothing_but_0_and_1_is_a_fraction_where_nothing_is_larger() -> None:
    assert places(scores(f1=[0.5], out_of_range=[0.0], answered=[1.0])) == {
        "f1": 3,
        "out_of_range": 3,
        "answered": 3,
    }
    assert places(scores(accuracy=[62.5], target_exact=[0.0]))["target_exact"] == 1


@pytest.mark.parametrize(
    ("metric", "values", "expected"),
    [
        ("words_max", [30.0, 42.0], 0),
        ("seconds_max", [7.8], 2),
        ("short_pairs", [0.0, 0.25], 3),
        ("met", [3.0, 4.0, 3.5], 2),
        ("failures_zh", [1.0], 0),
        ("false_alarms", [1.0], 3),
    ],
)
def test_a_count_is_told_by_its_name_and_whole_numbers(
    metric: str, values: list[float | None], expected: int
) -> None:
    assert places(scores(**{metric: values})) == {metric: expected}
