"""Where the marks of a lead's small charts stand, in percent of the width: pages hold no style of
their own, and these numbers as attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil

SHOWN_STATES = (
    "settled",
    "third",
    "discussing",
    "disputed",
    "returned",
    "discarded",
    "answered",
    "begun",
    "untouched",
    "later",
)
"""Items' states from what is done to what is far off."""
_HEIGHT, _FOOT, _HEAD = 132, 22, 18
_MOST_LABELS, _LEAST_DAYS = 10, 14


@dataclass(frozen=True)
class Segment:
    """A part of a bar."""

    name: str
    count: int
    start: float
    width: float


def segments(states: Mapping[str, int]) -> list[Segment]:
    """A bar of items by state; states without items are left out."""
    total = sum(states.values())
    found: list[Segment] = []
    start = 0.0
    for name in SHOWN_STATES:
        if states.get(name, 0):
            width = 100 * states[name] / total
            found.append(Segment(name, states[name], round(start, 3), round(width, 3)))
            start += width
    return found


@dataclass(frozen=True)
class DayBar:
    """The answers of a day: the bar's left and middle in percent, its top and height in pixels; its
    label where there is room for one."""

    day: date
    count: int
    left: float
    width: float
    middle: float
    top: float
    height: float
    label: str


@dataclass(frozen=True)
class DayChart:
    """Answers per day, as bars over a foot with days."""

    bars: Sequence[DayBar]
    height: int
    foot: int
    most: int


def day_chart(days: Sequence[tuple[date, int]]) -> DayChart:
    """The bars of some days; the highest is as high as the chart."""
    most = max((count for _, count in days), default=0)
    room = _HEIGHT - _FOOT - _HEAD
    step = 100 / max(len(days), _LEAST_DAYS)
    each = ceil(len(days) / _MOST_LABELS)
    bars = []
    for at, (day, count) in enumerate(days):
        height = room * count / most if most else 0.0
        is_labelled = (len(days) - 1 - at) % each == 0
        bars.append(
            DayBar(
                day=day,
                count=count,
                left=round(at * step + step * 0.14, 3),
                width=round(step * 0.72, 3),
                middle=round((at + 0.5) * step, 3),
                top=round(_HEAD + room - height, 1),
                height=round(height, 1),
                label=f"{day:%m-%d}" if is_labelled else "",
            )
        )
    return DayChart(bars, _HEIGHT, _HEIGHT - _FOOT, most)
