"""How fast a study goes: how long answers take, and when the last one may be there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from math import ceil
from statistics import median

_FAST = 1 / 3
"""The share of what an answer usually takes below which it was hardly thought about."""
_DAYS_LOOKED_AT = 7
_LEAST_DAYS, _LEAST_ANSWERS = 2, 20
_LONGEST = 3650
"""Days beyond which nobody plans."""
DAY = 86_400


@dataclass(frozen=True)
class Times:
    """Seconds that answers took: the middle one, and the one that nine of ten are below."""

    n: int
    median: float
    ninetieth: float


def times_of(seconds: Iterable[float]) -> Times | None:
    """How long answers took; None where there is none."""
    ordered = sorted(seconds)
    if not ordered:
        return None
    return Times(len(ordered), median(ordered), _quantile(ordered, 0.9))


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The value at a share of the way through, between two neighbours in proportion."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def is_too_fast(seconds: float, usual: float) -> bool:
    """Whether an answer took less than a third of what it usually takes."""
    return seconds < usual * _FAST


@dataclass(frozen=True)
class Forecast:
    """When the answers that are still to come may be there, as fast as the last ones came."""

    remaining: int
    per_day: float
    ends: date


def forecast(remaining: int, answered: Mapping[date, int], now: datetime) -> Forecast | None:
    """The forecast from the answers of the last seven days on which there were any, idle days among
    them counted; None where they are too few to say, or the end is out of sight."""
    active = sorted(day for day, answers in answered.items() if answers)[-_DAYS_LOOKED_AT:]
    answers = sum(answered[day] for day in active)
    if len(active) < _LEAST_DAYS or answers < _LEAST_ANSWERS:
        return None
    began = datetime.combine(active[0], time(), UTC)
    per_day = answers / max(1.0, (now - began).total_seconds() / DAY)
    days = remaining / per_day
    if days > _LONGEST:
        return None
    return Forecast(remaining, per_day, (now + timedelta(days=ceil(days))).date())


def by_day(moments: Iterable[float]) -> dict[date, int]:
    """How many moments each day has, in UTC."""
    found: dict[date, int] = {}
    for at in moments:
        day = datetime.fromtimestamp(at, UTC).date()
        found[day] = found.get(day, 0) + 1
    return found


def last_days(answered: Mapping[date, int], today: date, days: int) -> list[tuple[date, int]]:
    """The days up to today with their answers, idle ones too; from the first answer on where that
    is later than so many days ago."""
    first = min(answered, default=today)
    begin = max(today - timedelta(days=days - 1), min(first, today))
    wanted = (begin + timedelta(days=at) for at in range((today - begin).days + 1))
    return [(day, answered.get(day, 0)) for day in wanted]
