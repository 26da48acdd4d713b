"""What any study of ratings says, by hand and against the krippendorff package."""

import krippendorff
import numpy as np
import pytest

from deadpan.core.ratings import Rating, RatingStudy, Scale
from deadpan.core.score import Score, select
from deadpan.metrics.rating_scores import rating_scores

LIKERT = Scale("Q6", {}, 1, 7, task="interpretation")
GIVEN = {("a", "c1"): (6, 7), ("a", "c2"): (2, 5), ("a", "c3"): (4,), ("b", "c1"): (1, 1)}


def study(scale: Scale = LIKERT) -> RatingStudy:
    rows = [
        Rating(item, model, scale.name, f"r{n}", rating)
        for (model, item), ratings in GIVEN.items()
        for n, rating in enumerate(ratings)
    ]
    rows.append(Rating("c9", "b", scale.name, "r0", None))
    return RatingStudy("pixelhumor", [scale], rows, {"c1": "en", "c2": "zh", "c3": "zh"})


def value(model: str, metric: str, group: str = "all", scale: Scale = LIKERT) -> Score:
    (found,) = select(rating_scores(study(scale)), model=model, metric=metric, group=group)
    return found


def test_means_are_of_rater_means_per_answer() -> None:
    mean = value("a", "rating_mean")  # 6.5, 3.5 and 4
    assert (mean.value, mean.n, mean.unscored) == (pytest.approx(14 / 3), 3, 0)
    assert mean.task == "interpretation"
    assert value("a", "rating_median").value == 4
    assert value("a", "rating_std").value == pytest.approx(np.std([6.5, 3.5, 4], ddof=1))
    one = value("b", "rating_mean")
    assert (one.value, one.n, one.unscored) == (1, 1, 1)
    assert value("b", "rating_std").value is None


def test_agreement_of_a_model_and_of_all() -> None:
    assert value("a", "exact_match").value == 0 and value("overall", "exact_match").n == 3
    assert value("overall", "exact_match").value == pytest.approx(1 / 3)
    assert value("a", "difference_mean").value == 2
    assert value("overall", "difference_median").value == 1
    assert value("overall", "difference_std").value == pytest.approx(np.std([1, 3, 0], ddof=1))
    matrix = np.array([[6, 2, 1], [7, 5, 1]], float)
    for level in ("nominal", "ordinal", "interval"):
        expected = krippendorff.alpha(matrix, level_of_measurement=level)
        scale = Scale("Q6", {}, 1, 7, level=level)
        assert value("overall", "alpha", scale=scale).value == pytest.approx(expected)
    assert value("b", "alpha").value is None
    assert not select(rating_scores(study()), model="overall", metric="rating_mean")


def test_languages_stand_within_the_group_of_a_scale() -> None:
    assert value("a", "rating_mean", "language=zh").value == pytest.approx(3.75)
    scale = Scale("VGQ", {}, 1, 7, group="dimension=VGQ")
    assert value("a", "rating_mean", "dimension=VGQ,language=en", scale).value == 6.5
