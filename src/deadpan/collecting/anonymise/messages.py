"""The messages of a chat, and where one conversation ends and another begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

_APART = r"[-/.年月]"
_SILENCE = 6 * 3600  # seconds after which another conversation begins


@dataclass(frozen=True)
class Said:
    """A message: who said it, what, when, and the files it came with."""

    speaker: str
    text: str
    time: str = ""
    files: tuple[str, ...] = ()


class Chat(NamedTuple):
    """What an export holds, and how many of its lines or entries are no messages."""

    messages: list[Said]
    passed_over: int


def conversations(messages: Sequence[Said]) -> Iterator[list[Said]]:
    """The messages parted where nobody wrote for six hours; all in one where times are not read."""
    part: list[Said] = []
    before: datetime | None = None
    for said in messages:
        now = _moment(said.time)
        if part and now and before and abs((now - before).total_seconds()) > _SILENCE:
            yield part
            part = []
        before = now or before
        part.append(said)
    if part:
        yield part


def _moment(text: str) -> datetime | None:
    """The time of a stamp that has the year first or last; None for any other."""
    if found := re.match(
        rf"(\d{{4}}){_APART}(\d\d?){_APART}(\d\d?)日?[ T,]{{1,2}}(\d\d?):(\d\d)", text
    ):
        year, month, day, hour, minute = map(int, found.groups())
    elif found := re.match(
        r"(\d\d?)[-/.](\d\d?)[-/.](\d{2,4}),?[ \u202f]{1,2}(\d\d?):(\d\d)", text
    ):
        # Day and month may be either way round; only the distance counts.
        first, second, year, hour, minute = map(int, found.groups())
        year, month, day = year % 100 + 2000, min(first, second), max(first, second)
        if second <= 12:
            month, day = second, first
    else:
        return None
    try:
        return datetime(year, month, day, hour, minute)
    except ValueError:
        return None
