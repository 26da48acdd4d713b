"""Choices between two: whether a judge prefers what stands left more often than people do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from deadpan.base.errors import DeadpanError
from deadpan.core.choices import Choice
from deadpan.core.metric import Metric, mean, scored
from deadpan.metrics.statistics.opinions import Estimated, Opinion, estimate, measure_opinions
from deadpan.metrics.statistics.resampled import Resampled

_PEOPLE = "people"


@dataclass(frozen=True)
class PositionLean:
    """How often somebody chose what stood left, of choices that were no ties."""

    who: str
    left: Estimated
    choices: int

    @property
    def is_sure(self) -> bool:
        """Whether one side is surely preferred."""
        low, high = self.left.low, self.left.high
        return low is not None and high is not None and not low <= 0.5 <= high


def position_leans(choices: Sequence[Choice], judges: Collection[str]) -> list[PositionLean]:
    """Of each judge among the raters, and of all people together; no judge among them raises."""
    found = []
    raters = list(dict.fromkeys(one.rater for one in choices))
    if not set(raters) & set(judges):
        held = ", ".join(raters[:8])
        raise DeadpanError(f"--choices: none is by {', '.join(judges)}; they are by {held}")
    for who in (*(one for one in raters if one in judges), _PEOPLE):
        own = [
            one
            for one in choices
            if one.chosen is not None
            and (one.rater == who if who != _PEOPLE else one.rater not in judges)
        ]
        if own:
            found.append(PositionLean(who, _share_of_left(own), len(own)))
    return found


def _share_of_left(choices: Sequence[Choice]) -> Estimated:
    opinions = [Opinion(one.item, "", (0.0,), (0.0,)) for one in choices]
    rows = [scored(one.chosen == one.left) for one in choices]
    measured = measure_opinions(opinions, rows)
    return estimate(measured, Resampled(measured), Metric("exact", range=(0, 1), value=mean))
