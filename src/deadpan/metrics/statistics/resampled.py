"""A measurement over resamples of its items: sums, values, and values without each item."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from deadpan.core.measurement import Measurement
from deadpan.core.metric import Array, Metric, Sums
from deadpan.metrics.statistics.resampling import RESAMPLES, SEED, kept_weights


class Resampled:
    """What the items of a measurement add up to, in resamples and without each one. Measurements
    that share statistics share it."""

    def __init__(self, one: Measurement, resamples: int = RESAMPLES, seed: int = SEED) -> None:
        self._one = one
        self._how = resamples, seed
        self._known: dict[tuple[str, str], list[Sums]] = {}

    def is_of(self, other: Measurement) -> bool:
        """Whether the other measurement is of the same statistics."""
        one = self._one
        same = one.statistics is other.statistics and one.units is other.units
        return same and one.draws is other.draws and one.group == other.group

    @property
    def is_drawn(self) -> bool:
        """Whether values are means over draws that are not all alike."""
        draws = self._one.draws
        return draws is not None and bool((draws != draws[0]).any())

    @cached_property
    def items(self) -> tuple[str, ...]:
        """The items, each once."""
        return tuple(dict.fromkeys(item for item, _ in self._one.units.keys))

    @cached_property
    def _rows(self) -> npt.NDArray[np.intp]:
        """Of each unit the place of its item."""
        places = {item: place for place, item in enumerate(self.items)}
        return np.array([places[item] for item, _ in self._one.units.keys], np.intp)

    def _added(self, group: str) -> tuple[npt.NDArray[np.intp], list[Array]]:
        """The places of a group's items, and what each adds in each of the draws."""
        keys, matrix, lines = self._one.stacked
        members = self._one.members_of(group)
        members = members[lines[members] >= 0]
        rows, places = np.unique(self._rows[members], return_inverse=True)
        own = matrix[lines[members]]
        draws = self._one.draws
        found = []
        for weights in [None] if draws is None else draws[:, members]:
            added = own if weights is None else own * weights[:, None]
            if len(rows) < len(members):
                whole = np.zeros((len(rows), len(keys)))
                np.add.at(whole, places, added)
                added = whole
            elif len(members) and (np.diff(places) < 0).any():
                added = added[np.argsort(places)]
            found.append(added)
        return rows, found

    def items_in(self, group: str) -> int:
        """How many items of a group add something."""
        return len(self._group(group)[0])

    def _group(self, group: str) -> tuple[npt.NDArray[np.intp], list[Array]]:
        if getattr(self, "_last", None) != group:
            self._last, self._last_added = group, self._added(group)
        return self._last_added

    def _sums(self, kind: str, group: str) -> list[Sums]:
        if (kind, group) not in self._known:
            keys = self._one.stacked[0]
            rows, added = self._group(group)
            if kind == "own":
                made = added
            elif kind == "left out":
                made = [one.sum(axis=0) - one for one in added]
            else:
                drawn = kept_weights(*self._how).of([self.items[row] for row in rows])
                made = [(one.T @ drawn).T for one in added]
            self._known[kind, group] = [Sums(keys, one) for one in made]
        return self._known[kind, group]

    def _values(self, kind: str, metric: Metric, group: str, label: str) -> Array:
        every = []
        for sums in self._sums(kind, group):
            found = metric.values(sums)
            if label:
                at = sums.labels.index(label.removeprefix(f"{metric.each}="))
                found = found[..., at]
            every.append(found)
        if len(every) == 1:
            return every[0]
        known = np.stack(every)
        has = ~np.isnan(known)
        with np.errstate(all="ignore"):
            mean: Array = np.where(has, known, 0).sum(axis=0) / has.sum(axis=0)
        return mean

    def values(self, metric: Metric, group: str, label: str = "") -> Array:
        """The metric's value in each resample."""
        return self._values("resampled", metric, group, label)

    def own_values(self, metric: Metric, group: str, label: str = "") -> Array:
        """The metric's value of each item by itself."""
        return self._values("own", metric, group, label)

    def left_out(self, metric: Metric, group: str, label: str = "") -> Array:
        """The metric's value without each of the items."""
        return self._values("left out", metric, group, label)
