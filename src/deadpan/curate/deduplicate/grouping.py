"""Duplicates in clusters, of which the best copy stays; and groups that no split may part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deadpan.core.curation import Post
from deadpan.curate.deduplicate.best import best_of
from deadpan.curate.deduplicate.comparing import Compared, Finding


@dataclass(frozen=True)
class Grouped:
    """All posts, in their order, copies dropped and groups set; and the clusters of more than one,
    the kept post first. `loose` are pairs of kept posts that share words, or seem to share a
    picture, and are in two groups: with them, one group would hold too much of the data to be put
    anywhere."""

    posts: list[Post]
    clusters: tuple[tuple[str, ...], ...]
    loose: tuple[tuple[str, str], ...] = ()


class _Sets:
    """Ids that belong together; each set is named by its least."""

    def __init__(self, ids: Iterable[str]) -> None:
        self.name = {id: id for id in ids}
        self.members = {id: [id] for id in self.name}

    def join(self, one: str, other: str) -> None:
        first, second = sorted((self.name[one], self.name[other]))
        if first != second:
            for id in self.members[second]:
                self.name[id] = first
            self.members[first] += self.members.pop(second)

    def are_one(self, pair: Compared) -> bool:
        """Whether both posts are in one set."""
        return self.name[pair.left] == self.name[pair.right]

    def agree(
        self, pair: Compared, between: Mapping[str, Sequence[Compared]], wanted: Sequence[Finding]
    ) -> bool:
        """Whether more comparisons between the sets of two posts find what is wanted than not."""
        names = self.name[pair.left], self.name[pair.right]
        smaller, larger = sorted(names, key=lambda name: (len(self.members[name]), name))
        votes = 0
        for id in self.members[smaller]:
            for one in between[id]:
                if self.name[one.right if one.left == id else one.left] == larger:
                    votes += 1 if one.verdict in wanted else -1
        return votes > 0


def group_posts(posts: Sequence[Post], compared: Sequence[Compared]) -> Grouped:
    """The posts with groups, and without all but the best of each cluster of duplicates; the order
    of posts and of comparisons does not matter. Posts that were dropped before are left alone."""
    kept = {post.id: post for post in posts if not post.drop}
    known = {
        (one.left, one.right): one for one in compared if one.left in kept and one.right in kept
    }
    clusters = _clusters(kept, known)
    groups, loose = _groups(kept, known)
    whys: dict[str, str] = {}
    told: list[tuple[str, ...]] = []
    for members in clusters.members.values():
        best = best_of([kept[id] for id in members]).id
        others = sorted(id for id in members if id != best)
        whys |= {id: f"of {best}: {_why(id, best, known)}" for id in others}
        if others:
            told.append((best, *others))
    made = []
    for post in posts:
        if post.drop is None:
            post = post.changed(group=f"g-{groups.name[post.id]}")
            if post.id in whys:
                post = post.dropped("deduplicate", "duplicate", whys[post.id])
        made.append(post)
    left = tuple(pair for pair in loose if whys.keys().isdisjoint(pair))
    return Grouped(made, tuple(sorted(told)), left)


_ONE_PICTURE: tuple[Finding, ...] = ("duplicate", "same picture")
_LARGEST, _FEWEST = 0.1, 20
"""Groups that words or doubtful pictures join hold at most this share of the posts, or so many."""


def _groups(
    kept: Iterable[str], known: dict[tuple[str, str], Compared]
) -> tuple[_Sets, list[tuple[str, str]]]:
    """Posts that share a picture, or whose words are the same, joined; and the pairs that are not
    although they share words, or a picture by fewer comparisons than deny it: such pairs link
    templates to each other, in the end most of them, and one group of most posts would leave
    nothing to split."""
    groups = _Sets(kept)
    between = _by_post(known.values())
    doubtful = []
    for one in sorted(known.values(), key=_surest_first):
        if one.verdict not in _ONE_PICTURE or groups.are_one(one):
            continue
        if one.verdict == "duplicate" or groups.agree(one, between, _ONE_PICTURE):
            groups.join(one.left, one.right)
        else:
            doubtful.append((one.left, one.right))
    most = max(_FEWEST, int(_LARGEST * len(groups.name)))
    worded = sorted(pair for pair, one in known.items() if one.verdict == "same words")
    loose = []
    for left, right in (*doubtful, *worded):
        first, second = groups.name[left], groups.name[right]
        if first == second:
            continue
        if len(groups.members[first]) + len(groups.members[second]) <= most:
            groups.join(left, right)
        else:
            loose.append((left, right))
    return groups, [pair for pair in loose if groups.name[pair[0]] != groups.name[pair[1]]]


def _clusters(kept: Iterable[str], known: dict[tuple[str, str], Compared]) -> _Sets:
    """Posts joined by comparisons that call them duplicates, the surest first. Two clusters are
    joined only if, of all comparisons between them, more call them duplicates than not, so that one
    wrong finding does not chain two jokes whose other copies are known to differ."""
    sets = _Sets(kept)
    between = _by_post(known.values())
    same = [one for one in known.values() if one.verdict == "duplicate"]
    for one in sorted(same, key=lambda one: (-min(one.picture, one.words), one.left, one.right)):
        if not sets.are_one(one) and sets.agree(one, between, ("duplicate",)):
            sets.join(one.left, one.right)
    return sets


def _by_post(compared: Iterable[Compared]) -> dict[str, list[Compared]]:
    found: defaultdict[str, list[Compared]] = defaultdict(list)
    for one in compared:
        found[one.left].append(one)
        found[one.right].append(one)
    return found


def _surest_first(one: Compared) -> tuple[bool, float, str, str]:
    return one.verdict != "duplicate", -one.picture, one.left, one.right


def _why(id: str, best: str, known: dict[tuple[str, str], Compared]) -> str:
    """What the comparison with the kept one says, or that there is a chain of copies."""
    left, right = sorted((id, best))
    one = known.get((left, right))
    return one.why if one and one.verdict == "duplicate" else "a copy of a copy"
