"""What annotators may say, read from a cell or a JSON value: labels, numbers, orders, boxes. A
wrong value raises ValueError with what was expected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from deadpan.base.rows import json_value

Box = tuple[float, float, float, float]
"""A rectangle: left, upper, right and lower edge."""
_EDGES = ("x1", "y1", "x2", "y2")
_BETWEEN = re.compile(r"[;；,，、>＞→]")
_MOST_BOXES = 200


@dataclass(frozen=True)
class Order:
    """What comes first, and so on to the last, such as panels as they are read."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Boxes:
    """Rectangles that were drawn, such as those of panels, whatever came first."""

    boxes: tuple[Box, ...]


Value = frozenset[str] | float | str | Order | Boxes
"""Labels, of which there may be one; a number; words; an order; boxes."""


def read_number(value: object) -> float:
    """A finite number."""
    try:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError
        number = float(value)
    except (ValueError, OverflowError):
        raise ValueError("expected a number") from None
    if not isfinite(number):
        raise ValueError("expected a number")
    return number


def read_labels(value: object, several: bool) -> frozenset[str]:
    """The labels of a JSON list, also one that is written as text, or of a text that joins them by
    a semicolon."""
    value = _parsed(value, "a JSON list of labels")
    if isinstance(value, list):
        if not all(isinstance(one, str) and one.strip() for one in value):
            raise ValueError("expected a list of labels")
        return frozenset(one.strip() for one in value)
    if isinstance(value, bool):
        return frozenset({str(value).lower()})
    if not isinstance(value, str | int | float):
        raise ValueError("expected a label")
    parts = str(value).replace("；", ";").split(";") if several else [str(value)]
    return frozenset(part.strip() for part in parts if part.strip())


def read_order(value: object) -> Order:
    """The order of a JSON list, or of a text such as `3 > 1 > 2`, also with commas or semicolons:
    one name or more, each once."""
    value = _parsed(value, "a JSON list of names")
    given = _BETWEEN.split(value) if isinstance(value, str) else value
    if not isinstance(given, list):
        given = [given]
    if any(isinstance(one, bool) or not isinstance(one, str | int) for one in given):
        raise ValueError("expected names in order, such as 3 > 1 > 2")
    names = tuple(str(one).strip() for one in given)
    if not all(names) or len(set(names)) < len(names):
        raise ValueError("expected names in order, each once, such as 3 > 1 > 2")
    return Order(names)


def read_boxes(value: object) -> Boxes:
    """The boxes of a JSON list, each as [x1, y1, x2, y2] or as an object of these; none where it is
    empty."""
    value = _parsed(value, "a JSON list of boxes")
    if not isinstance(value, list):
        raise ValueError("expected a list of boxes [x1, y1, x2, y2]")
    if len(value) > _MOST_BOXES:
        raise ValueError(f"expected {_MOST_BOXES} boxes at most, not {len(value)}")
    return Boxes(tuple(sorted(map(_box, value))))


def _box(value: object) -> Box:
    edges = [value.get(name) for name in _EDGES] if isinstance(value, Mapping) else value
    if not isinstance(edges, list) or len(edges) != len(_EDGES):
        raise ValueError("expected boxes as [x1, y1, x2, y2]")
    x1, y1, x2, y2 = map(read_number, edges)
    if x1 >= x2 or y1 >= y2:
        raise ValueError("expected boxes with x1 < x2 and y1 < y2")
    return x1, y1, x2, y2


def _parsed(value: object, expected: str) -> object:
    """A text that begins as a JSON list does, as that list; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return value
    try:
        return json_value(value)
    except (ValueError, RecursionError):
        raise ValueError(f"expected {expected}") from None
