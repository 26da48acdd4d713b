"""Marks that many pictures have at the same place though they otherwise differ: a publisher's. A
template that many jokes share is the same all over, and so is no mark."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deadpan.core.curation import Post, PostMedia
from deadpan.curate.opening import with_verdict
from deadpan.curate.purify.fingerprints import same_picture, steps_of
from deadpan.curate.purify.lettering import ends_in_mark
from deadpan.curate.schema import Purifying

_BAND = 14  # steps that have to be equal in one of the parts of two codes
_FEWEST_STEPS = 4  # in such a part: one without steps is shared by all
_MOST_UNEQUAL = 8  # steps of 56 that noise may change
_FEWEST_PICTURES = 3
_BLOCKS = 2  # of a mark without words that have to be found again


@dataclass
class _Seen:
    """The posts that have a fingerprint, and what their pictures look like."""

    posts: set[int] = field(default_factory=set)
    looks: set[str] = field(default_factory=set)

    def add(self, other: _Seen) -> None:
        self.posts |= other.posts
        self.looks |= other.looks


def repeated_marks(posts: Iterable[Post], options: Purifying) -> Mapping[str, int]:
    """The fingerprints that stand at the same place in as many posts as make a publisher's mark,
    and in how many; those of pictures that are the same elsewhere too are left out."""
    seen: dict[str, _Seen] = defaultdict(_Seen)
    for number, post in enumerate(posts):
        for one in post.media:
            for mark, look in _marks_with_looks(one):
                seen[mark].posts.add(number)
                seen[mark].looks.add(look)
    found: dict[str, int] = {}
    for group in _groups(seen):
        together = _Seen()
        for mark in group:
            together.add(seen[mark])
        if len(together.posts) >= options.repeated and _differ(together.looks, options.repeated):
            found |= dict.fromkeys(group, len(together.posts))
    return found


def drop_repeated(
    posts: Sequence[Post], repeated: Mapping[str, int], options: Purifying
) -> list[Post]:
    """The posts, those with a publisher's mark dropped or flagged. Dropped posts come back as they
    are."""
    lettered = sorted(mark for mark in repeated if mark.startswith("text:"))
    return [
        post if post.drop else _without_repeated(post, repeated, lettered, options)
        for post in posts
    ]


def _without_repeated(
    post: Post, repeated: Mapping[str, int], lettered: Sequence[str], options: Purifying
) -> Post:
    for one in post.media:
        found = [mark for mark in one.marks if mark in repeated]
        words = [mark for mark in found if mark.startswith("text:")]
        words = words or [mark for mark in lettered if ends_in_mark(one, mark)][:1]
        if words or len(found) >= _BLOCKS:
            mark = (words or found)[0]
            what = f"the mark at {_place(mark)} is on {repeated[mark]} posts"
            return with_verdict(post, options.marks, "purify", "watermark", what)
    return post


def _place(mark: str) -> str:
    zone = mark.split(":")[1]
    vertical = {"t": "the top", "m": "mid-height", "b": "the bottom"}[zone[0]]
    return f"{vertical}, {({'l': 'left', 'c': 'centre', 'r': 'right'})[zone[1]]}"


def _marks_with_looks(one: PostMedia) -> Iterator[tuple[str, str]]:
    """Each fingerprint with the look of the end of the picture that it stands at."""
    parts = (mark.split(":") for mark in one.marks if mark.startswith("look:"))
    looks = {end: levels for _, end, levels in parts}
    if not looks:
        return
    for mark in one.marks:
        if not mark.startswith("look:"):
            zone = mark.split(":")[1]
            yield mark, looks.get(zone[0]) or looks.get(zone[1]) or next(iter(looks.values()))


def _groups(seen: Mapping[str, _Seen]) -> Iterator[list[str]]:
    """Fingerprints that are one mark: equal words at one place, and codes at one place of which a
    part is equal and the rest nearly so."""
    places: dict[str, list[str]] = defaultdict(list)
    for mark in seen:
        if mark.startswith("text:"):
            yield [mark]
        else:
            place, _, code = mark.rpartition(":")
            places[place].append(code)
    for place, codes in places.items():
        for group in _alike(codes):
            yield [f"{place}:{code}" for code in group]


def _alike(codes: Sequence[str]) -> Iterator[list[str]]:
    """Codes in groups, each with the first code of which a part is equal and few steps differ."""
    leaders: dict[tuple[int, tuple[int, ...]], str] = {}
    groups: dict[str, list[str]] = {}
    for code in codes:
        bands = list(_bands(code))
        near = (leaders[band] for band in bands if band in leaders)
        leader = next((one for one in near if _unequal(one, code) <= _MOST_UNEQUAL), code)
        groups.setdefault(leader, []).append(code)
        for band in bands:
            leaders.setdefault(band, leader)
    yield from groups.values()


def _bands(code: str) -> Iterator[tuple[int, tuple[int, ...]]]:
    steps = steps_of(code)
    for start in range(0, len(steps), _BAND):
        band = steps[start : start + _BAND]
        if sum(map(abs, band)) >= _FEWEST_STEPS:
            yield start, band


def _unequal(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(steps_of(one), steps_of(other), strict=True))


def _differ(looks: Iterable[str], repeated: int) -> bool:
    """Whether looks are of enough pictures: half as many as posts make a mark."""
    wanted = max(min(_FEWEST_PICTURES, repeated), repeated // 2)
    pictures: list[str] = []
    for look in sorted(looks):
        if not any(same_picture(look, other) for other in pictures):
            pictures.append(look)
            if len(pictures) >= wanted:
                return True
    return False
