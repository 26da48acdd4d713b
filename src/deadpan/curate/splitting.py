"""Items parted so that groups stay whole, sizes keep to the shares and strata to their proportions;
and what would have leaked had nobody looked at groups."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from pydantic import JsonValue

from deadpan.base.errors import InputError

Row = Mapping[str, JsonValue]
Signature = tuple[tuple[str, int], ...]
"""What a group holds: of each stratum how many, the strata in order."""
_SIZE_WEIGHT = 16.0
"""How much more an item too many in a split counts than one too many in a stratum of it."""
_FEWEST = 0.5
"""A stratum that should have fewer in a split counts as one that should have so many."""
_MOST_STEPS, _MOST_KINDS = 500, 24
"""Improvements that are made at most, and kinds of groups of each split that are looked at for
each: the smallest, which put right what the large ones leave."""
_LEAST_GAIN = 1e-9
EVERYTHING = "all"
"""The stratum where none is named."""


@dataclass(frozen=True)
class Leaks:
    """What a way of parting gives away: pairs of one group in two splits; and by split how many of
    its items have a mate of their group in the split that is learnt from."""

    pairs: int
    learnt: str
    """The split that is learnt from: `train`, else the one of the largest share."""
    exposed: Mapping[str, int]
    sizes: Mapping[str, int]

    def share(self, split: str) -> float:
        """The part of a split's items that have a mate in the split that is learnt from; an empty
        one has none."""
        return self.exposed[split] / self.sizes[split] if self.sizes[split] else 0.0


@dataclass(frozen=True)
class Splits:
    """The split of each item, and what is to be said of it."""

    of: Mapping[str, str]
    notes: tuple[str, ...]
    sizes: Mapping[str, int]
    wanted: Mapping[str, int]
    """The sizes that the shares come to."""
    by_stratum: Mapping[str, Mapping[str, int]]
    naive_leaks: Leaks
    """Of the same rows, shares and seed, in proportion by strata and blind to groups."""


@dataclass(frozen=True)
class _Group:
    """Items that stay together, with their place in the drawn order, which is that of texts."""

    name: str
    items: tuple[str, ...]
    signature: Signature
    place: str


def split_rows(
    rows: Sequence[Row],
    groups: Mapping[str, str],
    shares: Mapping[str, float],
    strata: Sequence[str],
    seed: int,
) -> Splits:
    """The split of each row by its `id`, the same whatever order the rows come in. An item without
    a group is one by itself. A group that is larger than the largest split goes there whole; every
    group that is larger than some split is told of. Shares are taken in proportion; none, or one
    that is not above 0, raises, and so does an id that is there twice."""
    _require_shares(shares)
    stratum_of = _strata(rows, strata)
    totals = Counter(stratum_of.values())
    wanted = largest_remainder(shares, len(stratum_of))
    together = _groups(stratum_of, {one: groups.get(one, "") for one in stratum_of}, seed)
    of = _Parting(shares, wanted, totals).part(together)
    alone = _Parting(shares, wanted, totals).part(_groups(stratum_of, {}, seed))
    found: dict[str, dict[str, int]] = {one: dict.fromkeys(shares, 0) for one in sorted(totals)}
    for item, split in of.items():
        found[stratum_of[item]][split] += 1
    sizes = Counter(of.values())
    return Splits(
        of=dict(sorted(of.items())),
        notes=tuple(_notes(together, of, wanted, sizes)),
        sizes={name: sizes[name] for name in shares},
        wanted=wanted,
        by_stratum=found,
        naive_leaks=leaks(alone, groups, shares),
    )


def leaks(of: Mapping[str, str], groups: Mapping[str, str], shares: Mapping[str, float]) -> Leaks:
    """What a way of parting items gives away; items without a group have no mates."""
    learnt = "train" if "train" in shares else max(shares, key=lambda name: shares[name])
    by_group: dict[str, Counter[str]] = defaultdict(Counter)
    for item, split in of.items():
        if groups.get(item):
            by_group[groups[item]][split] += 1
    pairs, exposed = 0, dict.fromkeys((name for name in shares if name != learnt), 0)
    for counts in by_group.values():
        every = sum(counts.values())
        pairs += (every**2 - sum(many**2 for many in counts.values())) // 2
        for name in exposed:
            exposed[name] += counts[name] if counts[learnt] else 0
    sizes = Counter(of.values())
    return Leaks(pairs, learnt, exposed, {name: sizes[name] for name in shares})


def largest_remainder(shares: Mapping[str, float], many: int) -> dict[str, int]:
    """Whole numbers in proportion to the shares that add up to `many`; what is left over goes to
    the largest remainders, of equal ones to the first."""
    whole = sum(shares.values())
    exact = {name: many * share / whole for name, share in shares.items()}
    found = {name: int(value) for name, value in exact.items()}
    # Rounded, so that equal remainders are equal whatever the last bit says.
    order = sorted(shares, key=lambda name: -round(exact[name] - found[name], 9))
    for name in order[: many - sum(found.values())]:
        found[name] += 1
    return found


def _require_shares(shares: Mapping[str, float]) -> None:
    fix = "Name at least one split, and give each a share above 0."
    if not shares:
        raise InputError("split.shares", "names no split", fix)
    for name, share in shares.items():
        if not share > 0:
            raise InputError(f"split.shares.{name}", f"got {share:g}", fix)


def _strata(rows: Sequence[Row], fields: Sequence[str]) -> dict[str, str]:
    """By id the stratum of each row: its values of the fields, those that it lacks as `–`."""
    found: dict[str, str] = {}
    for row in rows:
        item = str(row["id"])
        if item in found:
            raise InputError(item, "is the id of two rows", "Keep one of them.")
        found[item] = " · ".join(_shown(row.get(name)) for name in fields) or EVERYTHING
    return found


def _shown(value: JsonValue) -> str:
    """A value as part of a stratum's name."""
    if value is None or value == "":
        return "–"
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _groups(stratum_of: Mapping[str, str], named: Mapping[str, str], seed: int) -> list[_Group]:
    """The groups from the largest down, those of one size in the drawn order."""
    members: dict[tuple[str, str], list[str]] = defaultdict(list)
    for item in stratum_of:
        group = named.get(item, "")
        members[("group", group) if group else ("item", item)].append(item)
    made = []
    for (kind, name), items in members.items():
        counts = Counter(stratum_of[item] for item in items)
        signature = tuple(sorted(counts.items()))
        drawn = f"{seed}\0{kind}\0{name}".encode("utf-8", "surrogatepass")
        place = hashlib.sha256(drawn).hexdigest()
        made.append(_Group(name, tuple(sorted(items)), signature, place))
    return sorted(made, key=lambda one: (-len(one.items), one.place))


@dataclass
class _Parting:
    """Splits while they are filled: how many of each stratum each has and should have."""

    shares: Mapping[str, float]
    wanted: Mapping[str, int]
    totals: Mapping[str, int]
    sizes: Counter[str] = field(default_factory=Counter)
    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    is_filled: bool = False
    """While splits are filled an item counts by what its split still lacks, so that large groups
    are dealt to small splits too; then sizes count most."""

    def part(self, groups: Sequence[_Group]) -> dict[str, str]:
        """By item its split: group by group where it fits best, then exchanged while that helps."""
        held: dict[str, dict[Signature, list[_Group]]] = {
            name: defaultdict(list) for name in self.shares
        }
        largest = max(self.shares, key=lambda name: self.wanted[name])
        for group in groups:
            if len(group.items) > self.wanted[largest]:
                best = largest
            else:
                best = min(self.shares, key=lambda name: self._change(name, group.signature))
            self._put(best, group.signature, 1)
            held[best][group.signature].append(group)
        self.is_filled = True
        self._improve(held)
        return {
            item: name
            for name, by_signature in held.items()
            for several in by_signature.values()
            for group in several
            for item in group.items
        }

    def _put(self, split: str, signature: Signature, sign: int) -> None:
        for stratum, many in signature:
            self.counts[split][stratum] += sign * many
            self.sizes[split] += sign * many

    def _change(self, split: str, more: Iterable[tuple[str, int]]) -> float:
        """By how much a split is further from what it should be with so many more of strata."""
        every, worse = 0, 0.0
        part = self.shares[split] / sum(self.shares.values())
        for stratum, many in more:
            every += many
            target = self.totals[stratum] * part
            off = self.counts[split][stratum] - target
            worse += ((off + many) ** 2 - off**2) / max(target, _FEWEST)
        off = float(self.sizes[split] - self.wanted[split])
        weight = _SIZE_WEIGHT if self.is_filled else 1 / max(self.wanted[split], _FEWEST)
        return worse + weight * ((off + every) ** 2 - off**2)

    def _exchange(self, one: str, out: Signature, two: str, back: Signature) -> float:
        """What it changes that one group goes from split to split, and another comes back."""
        net: Counter[str] = Counter(dict(back))
        net.subtract(dict(out))
        moved = sorted(net.items())
        back_again = ((stratum, -many) for stratum, many in moved)
        return self._change(one, moved) + self._change(two, back_again)

    def _improve(self, held: Mapping[str, dict[Signature, list[_Group]]]) -> None:
        """Moves and exchanges groups, the best way first, as long as it brings the splits nearer to
        what they should be. A group that is larger than any split stays where it is."""
        most = max(self.wanted.values())
        for _ in range(_MOST_STEPS):
            best: tuple[float, str, Signature, str, Signature] | None = None
            for one, two in product(self.shares, repeat=2):
                leave = _signatures(held[one], most) if one != two else []
                come: list[Signature] = [(), *_signatures(held[two], most)]
                for out, back in product(leave, come):
                    gain = self._exchange(one, out, two, back)
                    if gain < -_LEAST_GAIN and (best is None or gain < best[0] - _LEAST_GAIN):
                        best = (gain, one, out, two, back)
            if best is None:
                return
            _, one, out, two, back = best
            self._move(held, one, two, out)
            if back:
                self._move(held, two, one, back)

    def _move(
        self,
        held: Mapping[str, dict[Signature, list[_Group]]],
        one: str,
        two: str,
        signature: Signature,
    ) -> None:
        """Moves the group of a signature that stands last in the drawn order."""
        group = held[one][signature].pop()
        held[two][signature].append(group)
        held[two][signature].sort(key=lambda one: one.place)
        self._put(one, signature, -1)
        self._put(two, signature, 1)


def _signatures(held: Mapping[Signature, list[_Group]], most: int) -> list[Signature]:
    """What the smallest groups of a split hold, and no group of more than `most` items."""
    present = ((sum(many for _, many in one), one) for one, several in held.items() if several)
    return [one for size, one in sorted(present)[:_MOST_KINDS] if size <= most]


def _notes(
    groups: Sequence[_Group],
    of: Mapping[str, str],
    wanted: Mapping[str, int],
    sizes: Mapping[str, int],
) -> Iterable[str]:
    """What is to be said: groups that are larger than a split, and splits that are not of the size
    that was wanted."""
    for group in groups:
        many = len(group.items)
        small = [f"{name} ({size})" for name, size in wanted.items() if many > size]
        if many > 1 and small:
            where = of[group.items[0]]
            yield f"A group of {many} items is larger than {', '.join(small)}; it is in {where}."
    for name, size in wanted.items():
        if sizes.get(name, 0) != size:
            yield f"{name} has {sizes.get(name, 0)} items; its share comes to {size}."
