"""Standard errors of scores."""

import numpy as np
import pytest

from deadpan.metrics.statistics.errors import standard_errors
from tests.metrics.statistics.worlds import measured


def test_of_a_mean_it_is_the_usual_one() -> None:
    values = [0.1, 0.9, 0.4, 0.4, 0.7, 0.2]
    found = standard_errors([measured(values)])
    usual = np.std(values, ddof=1) / np.sqrt(len(values))
    assert found == {("m", "task", "share", "all"): pytest.approx(usual)}


def test_epochs_of_an_item_are_not_items() -> None:
    pairs = [[0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]
    twice = standard_errors([measured(pairs)])
    once = standard_errors([measured([row[0] for row in pairs])])
    assert twice[("m", "task", "share", "all")] == pytest.approx(
        once[("m", "task", "share", "all")]
    )


def test_few_items_and_items_that_all_agree_have_none() -> None:
    assert standard_errors([measured([0.0, 1.0, 1.0])]) == {}
    assert standard_errors([measured([1.0] * 9)]) == {}
