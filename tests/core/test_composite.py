"""A metric over the measurements of several tasks."""

import numpy as np
import pytest

from deadpan.core.measurement import Measurement, over_tasks
from deadpan.core.metric import Array, Metric, Statistics, Sums, mean, scored
from deadpan.core.outcomes import Outcome
from deadpan.core.units import Units


def part(task: str, answers: dict[str, tuple[Outcome, float | None]]) -> Measurement:
    outcomes = tuple(outcome for outcome, _ in answers.values())
    units = Units(tuple((item, 1) for item in answers), outcomes, ((),) * len(answers))
    rows: list[Statistics | None] = [
        None if value is None else scored(value) for _, value in answers.values()
    ]
    return Measurement("m", task, Metric("accuracy", value=mean), units, rows, task)


def difference(sums: Sums) -> Array:
    return mean(sums.of_label("second")) - mean(sums.of_label("first"))


FIRST = part("first", {"a": ("answered", 1), "b": ("invalid", 0), "c": ("failed", None)})
SECOND = part("second", {"d": ("refused", 0), "b": ("answered", 1), "a": ("answered", 1)})


def test_parts_are_labelled_by_task_and_counted_as_the_least_and_the_most() -> None:
    made = over_tasks(Metric("gain", value=difference), [FIRST, SECOND], "signed", "both")
    (score,) = made.scores()
    assert (score.task, score.metric, score.group) == ("both", "gain", "all")
    assert score.value == pytest.approx(2 / 3 - 1 / 2)
    assert (score.n, score.unscored) == (2, 1)
    assert (score.invalid, score.truncated, score.refused) == (1, 0, 1)
    assert [item for item, _ in made.units.keys] == ["a", "b", "c", "d"]
    assert np.array_equal(made.item_values(), [0, 1, np.nan, np.nan], equal_nan=True)


def test_without_a_value_nothing_is_counted() -> None:
    nothing = part("second", {"a": ("failed", None)})
    (score,) = over_tasks(Metric("gain", value=difference), [FIRST, nothing], "", "both").scores()
    assert (score.value, score.n) == (None, 0)


def test_parts_that_count_labels_are_refused() -> None:
    rows: list[Statistics | None] = [{("tp", "A"): 1.0}]
    labels = Measurement("m", "first", Metric("f1"), FIRST.units, [*rows, None, None], "")
    with pytest.raises(ValueError, match="counts labels"):
        over_tasks(Metric("gain", value=difference), [labels], "")
