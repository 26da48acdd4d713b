"""What each item adds to the sums of a judge and of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array, Key


@dataclass(frozen=True, eq=False)
class Part:
    """What each item adds in one draw: by answers that need no judge, by those that were graded,
    and how many these are."""

    other: Array
    judge: Array
    graded: Array


def whole(own: Array) -> Array:
    """All items once."""
    total: Array = own.sum(axis=0, keepdims=True)
    return total


def without_each(own: Array) -> Array:
    """All items but each one."""
    rest: Array = own.sum(axis=0) - own
    return rest


def aligned(one: Measurement, other: Measurement) -> tuple[tuple[Key, ...], Array, Array]:
    """The statistics of each unit of both by the keys of both, 0 where a unit has none."""
    keys = tuple(dict.fromkeys([*one.stacked[0], *other.stacked[0]]))
    return keys, _rows(one, keys), _rows(other, keys)


def _rows(one: Measurement, keys: Sequence[Key]) -> Array:
    own, matrix, lines = one.stacked
    places = {key: at for at, key in enumerate(keys)}
    found = np.zeros((len(lines), len(keys)))
    has = lines >= 0
    columns = np.array([places[key] for key in own], np.intp)
    found[np.flatnonzero(has)[:, None], columns] = matrix[lines[has]]
    return found


def by_item(rows: Array, places: npt.NDArray[np.intp], items: int) -> Array:
    """Rows of units summed by their items."""
    found = np.zeros((items, rows.shape[1]))
    np.add.at(found, places, rows)
    return found
