"""How long somebody's answers took: the same seconds for `deadpan study status`, the lead's pages
and the datasheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from deadpan.studies.work.answering import DONE, LEFT_OUT


class Timed(NamedTuple):
    """A task as far as its time is concerned; its kind is `check` where a hidden check is asked."""

    kind: str
    state: str
    seconds: float | None


def answer_seconds(tasks: Iterable[Timed]) -> list[float]:
    """The seconds of each answer that somebody submitted about an item of the study, by themselves,
    and whether it is left out or not. Practice, hidden checks, discussions, reviews and what they
    answered as the third person are none."""
    return [
        seconds
        for kind, state, seconds in tasks
        if kind == "answer" and state in (*DONE, LEFT_OUT) and seconds is not None
    ]
