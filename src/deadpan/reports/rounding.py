"""How many decimals scores are printed with, in the terminal and in reports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from deadpan.core.score import Score

_FRACTION = 3
_COUNTS = re.compile(
    r"n|count|support|[tf][pn]|met|dropped|calls|\w+_(?:tokens|outputs|sources|ratings|min|max)|"
    r"anomalies|comics|memes|videos|questions|targets|(?:metaphor_)?pairs|comparable_\w+|"
    r"styles_predicted|times_selected|failures(?:_\w\w)?|corrected_to_\w+"
)
"""The names of what is counted."""


def decimals(values: Iterable[float | None]) -> int:
    """How many decimals a column of values is printed with."""
    known = [abs(value) for value in values if value is not None]
    if known and _whole(known) and max(known) > 1:
        return 0
    least, largest = min(known, default=0.0), max(known, default=0.0)
    return 3 if least < 1 and largest < 10 else 2 if largest < 20 else 1


def places(scores: Iterable[Score]) -> Mapping[str, int]:
    """How many decimals each metric is printed with where metrics stand below each other: none for
    counts, alike for all fractions, alike for all on a larger scale. What is 0 or 1 everywhere
    tells no scale and is printed like the larger ones, if there are some."""
    values: dict[str, list[float]] = {}
    for score in scores:
        if score.value is not None:
            values.setdefault(score.metric, []).append(score.value)
    counts = {name for name, found in values.items() if _COUNTS.fullmatch(name) and _whole(found)}
    measured = {name: found for name, found in values.items() if name not in counts}
    small = {name for name, found in measured.items() if all(abs(one) <= 1 for one in found)}
    large = [one for name, found in measured.items() if name not in small for one in found]
    alike = max(1, decimals(large)) if large else _FRACTION
    fractions = {name: _FRACTION for name in small if not _whole(measured[name])}
    return dict.fromkeys(measured, alike) | fractions | dict.fromkeys(counts, 0)


def _whole(values: Sequence[float]) -> bool:
    return all(value == int(value) for value in values)
