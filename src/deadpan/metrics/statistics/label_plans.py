"""How narrow an interval becomes with more labels by people, and how many a width takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from deadpan.metrics.statistics.quantiles import LEVEL, normal_quantile, unseen_share

_CLOSE = 1e-9


@dataclass(frozen=True)
class Plan:
    """How the interval of an estimate narrows with the number of labels: its variance by each of
    them, and what stays, of `most` answers that can be labelled. Where all labels say the same the
    variance knows no doubt: the value and its range then tell how far unseen answers could move it.
    """

    by_label: float
    stays: float
    most: int
    value: float = 0.0
    unseen: tuple[float, float] | None = None
    """The range of the value, where unseen answers count."""
    scale: float = 1.0
    """How much wider the interval is that is there than the one that follows from the variance."""

    def error(self, labels: int) -> float:
        """The standard error with so many labels."""
        return sqrt(max(0.0, self.by_label / labels + self.stays))

    def width(self, labels: int) -> float:
        """The width of the 95 % interval with so many labels."""
        return self._width(self.error(labels), labels)

    def _width(self, error: float, labels: int) -> float:
        half = normal_quantile((1 + LEVEL) / 2) * error
        if self.unseen is None:
            return self.scale * 2 * half
        lowest, highest = self.unseen
        share = unseen_share(labels)
        low, high = max(lowest, self.value - half), min(highest, self.value + half)
        return self.scale * (high - low + share * (low - lowest) + share * (highest - high))

    def labels_for(self, width: float) -> int | None:
        """How many labels make the interval so narrow; None where labelling everything does not."""
        wanted = width * (1 + _CLOSE)
        if self.width(max(2, self.most)) > wanted:
            return None
        return _fewest(lambda labels: self.width(labels) <= wanted, max(2, self.most))

    def answers_for(self, width: float) -> int:
        """How many answers, all of them labelled, make the interval so narrow."""
        if width <= 0:
            raise ValueError(f"a width of {width}; expected more than 0")
        error, wanted = self.error(self.most), width * (1 + _CLOSE)

        def is_enough(answers: int) -> bool:
            return self._width(error * sqrt(self.most / answers), answers) <= wanted

        enough = 2
        while not is_enough(enough):
            enough *= 2
        return _fewest(is_enough, enough)


def _fewest(is_enough: Callable[[int], bool], enough: int) -> int:
    """The smallest number from 2 on that is enough, as all above it are."""
    low, high = 2, enough
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return high
