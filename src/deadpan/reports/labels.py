"""Where the labels of a scatter plot go so that few of them overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "right", "center"]
_CHARACTER, _WIDE_CHARACTER, _LINE = 6.6, 12.0, 14.0
_DOT = 6.0


@dataclass(frozen=True)
class Place:
    """How far a label stands from its point, in pixels, and which side of it faces the point."""

    dx: float
    dy: float
    align: Align


_PLACES = (
    Place(9, 0, "left"),
    Place(-9, 0, "right"),
    Place(0, -13, "center"),
    Place(0, 13, "center"),
    *(
        Place(side * 7, dy, "left" if side > 0 else "right")
        for dy in (-12, 12, -24, 24, -36, 36)
        for side in (1, -1)
    ),
)


@dataclass(frozen=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: _Box) -> float:
        """The area both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, wide) * max(0.0, high)


def label_places(
    points: Sequence[tuple[float, float]], labels: Sequence[str], width: float, height: float
) -> list[Place]:
    """A place for each label of points given in pixels: the first free one, else the freest."""
    ground = _Box(0, 0, width, height)
    dots = [_Box(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in points]
    taken: list[_Box] = []
    found: list[Place] = []
    for i, (point, label) in enumerate(zip(points, labels, strict=True)):
        others = [*dots[:i], *dots[i + 1 :], *taken]
        tries = [(place, _box(point, label, place)) for place in _PLACES]
        place, box = min(
            tries,
            key=lambda tried: sum(map(tried[1].overlap, others)) + 3 * _outside(tried[1], ground),
        )
        taken.append(box)
        found.append(place)
    return found


def _outside(box: _Box, ground: _Box) -> float:
    area = (box.right - box.left) * (box.bottom - box.top)
    return area - box.overlap(ground)


def _box(point: tuple[float, float], label: str, place: Place) -> _Box:
    wide = sum(_WIDE_CHARACTER if ord(letter) > 0x2E7F else _CHARACTER for letter in label)
    x, y = point[0] + place.dx, point[1] + place.dy
    left = x - {"left": 0.0, "right": wide, "center": wide / 2}[place.align]
    return _Box(left, y - _LINE / 2, left + wide, y + _LINE / 2)
