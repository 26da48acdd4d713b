"""Which of many 64-bit hashes lie within a few bits of each other: every pair, and no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deadpan.curate.deduplicate.buckets import (
    CHUNK,
    Packed,
    Places,
    Share,
    Table,
    Values,
    packed,
    planned,
    table_pairs,
    unpacked,
)

MOST_BITS = 8
Work = Callable[[Values, Sequence[Table], int], Packed]
Run = Callable[[Work, Values, Sequence[Share], int], Iterable[Packed]]
"""How shares are worked through: `work(values, share, distance)` for each, in any order, wherever
its module can be imported. A share is a few tables, and may be parted into single ones."""


@dataclass(frozen=True)
class NearPairs:
    """Pairs of places of hashes. Of those that are equal the first stands for all: `pairs` are of
    such representatives, `equal` has each later one with its representative. Both have rows
    (i, j), i < j, in ascending order, each once."""

    pairs: Places
    equal: Places

    def groups(self) -> list[Places]:
        """The places of hashes that are equal, for each that occurs more than once."""
        firsts, starts = np.unique(self.equal[:, 0], return_index=True)
        later = np.split(self.equal[:, 1], starts[1:])
        return [np.append(first, some) for first, some in zip(firsts, later, strict=False)]

    def edges(self) -> Places:
        """What is enough to verify and chain: each of several equal hashes with the first of them,
        and representatives with each other. No longer than `equal` and `pairs` together."""
        return _rows(np.concatenate([_packed_rows(self.pairs), _packed_rows(self.equal)]))

    def all_pairs(self) -> Places:
        """Every pair within the distance, of equal hashes too: m equal ones are m(m - 1) / 2 pairs,
        so this is for few copies, and for tests."""
        named = np.unique(np.concatenate([self.pairs.ravel(), self.equal.ravel()]))
        stands_for = named.copy()
        stands_for[np.searchsorted(named, self.equal[:, 1])] = self.equal[:, 0]
        order = np.argsort(stands_for, kind="stable")
        members, firsts = named[order], stands_for[order]
        own = np.unique(self.equal[:, 0])
        sides = np.concatenate([self.pairs, np.column_stack([own, own])])
        starts = np.searchsorted(firsts, sides)
        sizes = np.searchsorted(firsts, sides, side="right") - starts
        counts = sizes[:, 0] * sizes[:, 1]
        side = np.repeat(np.arange(len(sides)), counts)
        number = np.arange(len(side)) - np.repeat(np.cumsum(counts) - counts, counts)
        left = members[starts[side, 0] + number // sizes[side, 1]]
        right = members[starts[side, 1] + number % sizes[side, 1]]
        kept = (left < right) | (firsts[starts[side, 0]] != firsts[starts[side, 1]])
        return _rows(packed(left[kept], right[kept]))


def in_turn(work: Work, values: Values, shares: Sequence[Share], distance: int) -> Iterable[Packed]:
    """The pairs of one share after the other, in this process."""
    return (work(values, share, distance) for share in shares)


def near_pairs(hashes: npt.NDArray[np.uint64], distance: int = 4, run: Run = in_turn) -> NearPairs:
    """All pairs of hashes that differ in at most `distance` of their 64 bits (0 to 8).

    Time grows little faster than the hashes and their pairs: more hashes take longer keys and so
    more tables. It does for hashes that crowd as well: those that share a key are parted by the
    bits that they do not share. What cannot be avoided is what there is to tell: m different hashes
    in a ball of that diameter are m(m - 1) / 2 pairs."""
    if not 0 <= distance <= MOST_BITS:
        raise ValueError(f"distance: got {distance}; expected 0 to {MOST_BITS}")
    if hashes.ndim != 1 or hashes.dtype != np.uint64 or len(hashes) >= 2**32:
        raise ValueError(
            f"hashes: got {hashes.dtype} of shape {hashes.shape}; "
            "expected fewer than 2**32 of uint64, in a row"
        )
    spread = _spread(hashes)
    order = np.argsort(spread, kind="stable")
    ordered = spread[order]
    new = np.append(True, ordered[1:] != ordered[:-1])[: len(hashes)]
    values, firsts = ordered[new], order[new]
    equal = _packed_equal(order, new, firsts)
    del spread, ordered, order, new
    found = [np.empty(0, np.uint64)]
    if distance:
        for pairs in run(table_pairs, values, planned(values, distance), distance):
            left, right = unpacked(pairs)
            found.append(packed(firsts[left], firsts[right]))
    return NearPairs(_rows(np.concatenate(found)), _rows(equal))


def _packed_equal(order: Places, new: npt.NDArray[np.bool_], firsts: Places) -> Packed:
    """Each later one of equal hashes with the first of them."""
    later = np.flatnonzero(~new)
    group = np.searchsorted(np.flatnonzero(new), later) - 1
    return packed(firsts[group], order[later])


def _packed_rows(rows: Places) -> Packed:
    return packed(rows[:, 0], rows[:, 1])


def _rows(pairs: Packed) -> Places:
    """Pairs as rows, in ascending order; sorts what it is given."""
    pairs.sort()
    rows = np.empty((len(pairs), 2), np.int64)
    rows[:, 0], rows[:, 1] = unpacked(pairs)
    return rows


def _spread(hashes: Values) -> Values:
    """The hashes with their bits in another order, the same for all, which leaves distances as they
    are. Bits that are neighbours in the eight rows of eight that most picture hashes have say much
    the same; here they are far apart, so that the bits of a block say different things."""
    spread = hashes.copy()
    for start in range(0, len(spread), CHUNK):
        part = spread[start : start + CHUNK]
        for high, low in ((5, 0), (2, 1), (4, 2), (4, 3)):
            mask = sum(1 << bit for bit in range(64) if bit >> low & 1 and not bit >> high & 1)
            far = np.uint64((1 << high) - (1 << low))
            moved = ((part >> far) ^ part) & np.uint64(mask)
            part ^= moved ^ (moved << far)
    return spread
