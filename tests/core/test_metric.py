"""Metrics and tasks as they are declared."""

from __future__ import annotations

from typing import Any

import pytest

from deadpan.core.benchmark import Task
from deadpan.core.metric import Metric


@pytest.mark.parametrize("given", [{"better": "smaller"}, {"unit": "parsecs"}])
def test_a_metric_of_an_unknown_direction_or_unit_raises(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"metric off: .* expected "):
        Metric("off", **given)


def test_a_task_has_each_metric_once() -> None:
    recall = Metric("recall")
    assert Task("style", "Style", 1, (recall, Metric("recall", each="style")))
    with pytest.raises(ValueError, match="task style has the metric recall twice"):
        Task("style", "Style", 1, (recall, recall))
