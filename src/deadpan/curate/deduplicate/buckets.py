"""Pairs of distinct 64-bit values within a Hamming distance, exactly, table by table.

The bits are cut into blocks. Values that differ in few bits agree in most blocks, so there is a
family of keys (sets of blocks) of which such a pair always shares one; values are sorted by each
key in turn, and only those that share it are compared. A pair belongs to the first key that it
shares, so that each is found once, in whatever order and place the tables are worked through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, groupby, pairwise, product
from math import ceil, comb
from operator import and_

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.uint64]
Packed = npt.NDArray[np.uint64]
"""Pairs of places, each in 32 bits of its own: the smaller above the larger."""
Places = npt.NDArray[np.int64]
Found = Iterator[tuple[Places, Places]]

LONG = 128
"""Values that share a key are compared all with all up to so many; more are looked into first."""
_DIRECT = 1000
"""So many values are compared all with all at once: planning would take as long."""
CHUNK = 1 << 16
"""Values or comparisons at a time: what stays in a processor's cache."""
_MOST_TABLES, _SAMPLE, _LOOKED_AT = 500, 1 << 15, 3
"""Keys of a family at most; values on which families are tried, and keys of each that are."""
_PASS, _VALUE, _COMPARISON, _TABLE = 9.0, 15.0, 2.0, 200_000.0
"""Nanoseconds: sorting a value by 16 bits of a key, the rest that a value costs in a table, a
comparison, and a table. Only their ratios matter, and only for speed."""
_HALF, _LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)


@dataclass(frozen=True)
class Table:
    """What to find: the pairs that agree in all bits of `key`, and in all of none of the `earlier`
    keys. Without a key, all are compared with all."""

    key: int = 0
    earlier: tuple[int, ...] = ()


Share = tuple[Table, ...]
"""Tables that are worked through together."""


@dataclass(frozen=True)
class Family:
    """A way to make keys: blocks in groups, and every choice of `size` blocks of one group is a
    key. Of `groups * (size - 1) + 1` blocks that agree, some group holds `size`, whichever they
    are; so many and as many as may differ are all the blocks."""

    groups: int
    blocks: int
    size: int

    @property
    def tables(self) -> int:
        """How many keys there are."""
        return sum(comb(len(one), self.size) for one in _cut(range(self.blocks), self.groups))

    def least_cost(self, bits: int, count: int) -> float:
        """Nanoseconds for values that fill the bits evenly; any others share keys more often."""
        long = bits * self.size / self.blocks
        pairs = count * count / 2.0 ** (long + 1)
        return self.tables * _table_cost(count, ceil(long / 16), min(pairs, count * _DIRECT / 2))


def packed(left: Places, right: Places) -> Packed:
    """Pairs of places, each as one number."""
    small, large = np.minimum(left, right), np.maximum(left, right)
    return (small.astype(np.uint64) << _HALF) | large.astype(np.uint64)


def unpacked(pairs: Packed) -> tuple[Places, Places]:
    """The smaller and the larger place of each pair."""
    return (pairs >> _HALF).astype(np.int64), (pairs & _LOWER).astype(np.int64)


def table_pairs(values: Values, tables: Sequence[Table], distance: int) -> Packed:
    """The pairs of some tables, each once in no particular order, as places in `values`, which are
    distinct. Tables whose keys have bits in common take less time together."""
    found = [packed(left, right) for left, right in _of_tables(values, tables, distance)]
    return np.concatenate([np.empty(0, np.uint64), *found])


def planned(values: Values, distance: int) -> list[Share]:
    """The tables that together find every pair, those that go well together in one share: the
    family of keys that a sample of the values says will take the least time. The choice moves the
    time, never the pairs."""
    count = len(values)
    best, least = [0], _COMPARISON * count * count / 2
    if count <= _DIRECT:
        return _shares(best)
    bits = _bits_of(int(np.bitwise_or.reduce(values ^ values[0])))
    share = max(_DIRECT, min(_SAMPLE, count / 8)) / count
    # A multiplier spreads neighbours: taking every eighth would part those that share high bits.
    spread = values * np.uint64(0x9E3779B97F4A7C15)
    sample = values[spread <= np.uint64(int(share * (2**64 - 1)))]
    for family in _families(len(bits), distance):
        if family.least_cost(len(bits), count) >= least:
            continue
        keys = _keys(bits, family)
        step = -(-len(keys) // _LOOKED_AT)
        costs = [_cost(sample, key, count, share) for key in keys[::step]]
        cost = len(keys) * sum(costs) / len(costs)
        if cost < least:
            best, least = keys, cost
    return _shares(best)


def _shares(keys: Sequence[int]) -> list[Share]:
    """Tables by the block that their keys start with."""
    tables = (Table(key, tuple(keys[:place])) for place, key in enumerate(keys))
    return [tuple(some) for _, some in groupby(tables, lambda one: one.key & -one.key)]


def _of_tables(values: Values, tables: Sequence[Table], distance: int) -> Found:
    """The places of pairs of some tables, some at a time."""
    shared = reduce(and_, (table.key for table in tables))
    for places, part, rest in _parts(values, shared):
        taken = shared & ~rest
        for table in tables:
            for left, right in _of_part(part, table.key & ~taken, table, distance):
                kept = _belonging(part[left] ^ part[right], table)
                yield places[left[kept]], places[right[kept]]


def _of_part(values: Values, rest: int, table: Table, distance: int) -> Found:
    """The places of pairs that share the key, of values that share all of it but the rest."""
    if not table.key:
        yield from _of_all(values, distance)
        return
    order = _order(values, rest)
    values = values[order]
    starts, lengths = _runs(values, rest)
    for left, right in _of_short_runs(values, starts, lengths, distance):
        yield order[left], order[right]
    for run in np.flatnonzero(lengths > LONG):
        places = order[starts[run] : starts[run] + lengths[run]]
        inside = values[starts[run] : starts[run] + lengths[run]]
        varying = int(np.bitwise_or.reduce(inside ^ inside[0]))
        if not all(key & varying for key in table.earlier):
            continue  # all of them share an earlier key
        for share in planned(inside, distance):
            for left, right in _of_tables(inside, share, distance):
                yield places[left], places[right]


def _bits_of(mask: int) -> list[int]:
    return [place for place in range(64) if mask >> place & 1]


@lru_cache(maxsize=1024)
def _families(bits: int, distance: int) -> tuple[Family, ...]:
    """Ways to make keys of so many bits, fewest tables first, leaving out those that have both more
    tables and shorter keys than another."""
    each = product(range(1, distance + 2), range(1, 5))
    found = [Family(groups, distance + groups * (size - 1) + 1, size) for groups, size in each]
    found = [one for one in found if one.blocks <= bits and one.tables <= _MOST_TABLES]
    kept: list[Family] = []
    for one in sorted(found, key=lambda one: (one.tables, -one.size / one.blocks)):
        if not kept or one.size / one.blocks > kept[-1].size / kept[-1].blocks:
            kept.append(one)
    return tuple(kept)


def _cut(items: Sequence[int], parts: int) -> list[Sequence[int]]:
    """Items in so many parts, of the same number or one more."""
    ends = [len(items) * part // parts for part in range(parts + 1)]
    return [items[start:end] for start, end in pairwise(ends)]


def _keys(bits: Sequence[int], family: Family) -> list[int]:
    """The keys of a family over these bits, as masks."""
    masks = [sum(1 << bit for bit in block) for block in _cut(bits, family.blocks)]
    groups = _cut(masks, family.groups)
    return [sum(some) for group in groups for some in combinations(group, family.size)]


def _cost(sample: Values, key: int, count: int, share: float) -> float:
    """Nanoseconds that a table of `count` values will take, by what a share of them shows."""
    _, lengths = _runs(sample[_order(sample, key)], key)
    seen, whole = lengths.astype(np.float64), lengths / share
    # Long runs are looked into, for about what a comparison with so many costs each value.
    long = whole * np.minimum(whole, _DIRECT)
    pairs = np.where(whole <= LONG, seen * (seen - 1) / share**2, long)
    return _table_cost(count, len(_digits(key)), float(pairs.sum()) / 2)


def _table_cost(count: int, digits: int, pairs: float) -> float:
    return _TABLE + count * (_PASS * digits + _VALUE) + _COMPARISON * pairs


def _digits(key: int) -> list[dict[int, int]]:
    """By how far to move which bits of a value to have its key in numbers of 16 bits, the lowest
    first."""
    bits = _bits_of(key)
    found: list[dict[int, int]] = [{} for _ in range(0, len(bits), 16)]
    for place, bit in enumerate(bits):
        moves, far = found[place // 16], bit - place % 16
        moves[far] = moves.get(far, 0) | 1 << bit
    return found


def _parts(values: Values, key: int) -> Iterator[tuple[Places, Values, int]]:
    """The values in parts that agree in some bits of the key, with their places and the bits that
    are left of it: few enough values to stay in a processor's cache, which sorting jumps about."""
    width = min(8, (len(values) // CHUNK).bit_length(), key.bit_count())
    if not width:
        yield np.arange(len(values)), values, key
        return
    first = sum(1 << bit for bit in _bits_of(key)[-width:])
    digit = _digit(values, _digits(first)[0])
    order = np.argsort(digit, kind="stable")
    ends = np.cumsum(np.bincount(digit))
    for places in np.split(order, ends[:-1]):
        for inner, part, rest in _parts(values[places], key & ~first):
            yield places[inner], part, rest


def _order(values: Values, key: int) -> Places:
    """Places in the order of the key's bits: sorting by 16 of them at a time takes linear time."""
    order = np.arange(len(values))
    for moves in _digits(key):
        order = order[np.argsort(_digit(values, moves)[order], kind="stable")]
    return order


def _digit(values: Values, moves: dict[int, int]) -> npt.NDArray[np.uint16]:
    digit = np.empty(len(values), np.uint16)
    for start in range(0, len(values), CHUNK):
        part = values[start : start + CHUNK]
        moved = np.zeros_like(part)
        for shift, mask in moves.items():
            moved |= (part & np.uint64(mask)) >> np.uint64(shift)
        digit[start : start + CHUNK] = moved
    return digit


def _runs(sorted_values: Values, key: int) -> tuple[Places, Places]:
    """Where values that share the key start, and how many they are; single ones are left out."""
    differing = (sorted_values[1:] ^ sorted_values[:-1]) & np.uint64(key)
    starts = np.append(0, np.flatnonzero(differing) + 1)
    lengths = np.diff(starts, append=len(sorted_values))
    return starts[lengths > 1], lengths[lengths > 1]


def _of_short_runs(values: Values, starts: Places, lengths: Places, distance: int) -> Found:
    """Places of pairs within the distance, in runs of up to `LONG`; runs of one length together."""
    small = np.minimum(lengths, LONG + 1).astype(np.uint8)
    for length in np.flatnonzero(np.bincount(small, minlength=LONG + 2)[: LONG + 1]).tolist():
        firsts = starts[small == length]
        upper, lower = _each_two(length)
        step = max(1, CHUNK // len(upper))
        for begin in range(0, len(firsts), step):
            some = firsts[begin : begin + step]
            members = values[some + np.arange(length)[:, None]]
            near = np.bitwise_count(members[upper] ^ members[lower]) <= distance
            pair, run = np.divmod(np.flatnonzero(near), len(some))
            if len(pair):
                yield some[run] + upper[pair], some[run] + lower[pair]


@lru_cache(maxsize=LONG)
def _each_two(count: int) -> tuple[Places, Places]:
    return np.triu_indices(count, 1)


def _of_all(values: Values, distance: int) -> Found:
    """Places of pairs within the distance, by comparing all with all."""
    start = 0
    while start < len(values):
        rest = values[start:]
        rows = max(1, CHUNK // len(rest))
        near = np.bitwise_count(rest[:rows, None] ^ rest) <= distance
        left, right = np.divmod(np.flatnonzero(near), len(rest))
        yield left[left < right] + start, right[left < right] + start
        start += rows


def _belonging(differing: Values, table: Table) -> npt.NDArray[np.bool_]:
    """Which pairs, by the bits in which they differ, agree in no earlier key."""
    kept = np.ones(len(differing), bool)
    for key in table.earlier:
        kept &= (differing & np.uint64(key)) != 0
    return kept
