"""Measurements of made-up answers."""

from collections.abc import Sequence

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Metric, Statistics, mean, scored
from deadpan.core.units import Units

SHARE = Metric("share", range=(0, 1), value=mean)


def measured(
    values: Sequence[Sequence[float] | float],
    metric: Metric = SHARE,
    model: str = "m",
    first: int = 0,
) -> Measurement:
    """A mean over items, of which a sequence of values is one with several epochs."""
    rows = [one if isinstance(one, Sequence) else [one] for one in values]
    return of_statistics([[scored(value) for value in row] for row in rows], metric, model, first)


def of_statistics(
    rows: Sequence[Sequence[Statistics | None]],
    metric: Metric,
    model: str = "m",
    first: int = 0,
) -> Measurement:
    """A measurement of items with what each of their epochs adds."""
    keys = tuple(
        (f"item-{first + at}", epoch)
        for at, row in enumerate(rows)
        for epoch in range(1, len(row) + 1)
    )
    units = Units(keys, ("answered",) * len(keys), ((),) * len(keys))
    every = [one for row in rows for one in row]
    return Measurement(model, "task", metric, units, every, "toy/task|v1|n:1|data:x|prompts:y")
