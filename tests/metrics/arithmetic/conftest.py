"""Hand-made cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from deadpan.core.relations import Cell

MakeCell = Callable[..., Cell]


@pytest.fixture
def cell() -> MakeCell:
    """A cell that prints something, of the model m unless other names are given."""

    def make(printed: str, metric: str = "x", **names: Any) -> Cell:
        key = {"table": "1", "model": "m", "task": "t", "group": "all", **names}
        return Cell(metric=metric, printed=printed, **key)

    return make
