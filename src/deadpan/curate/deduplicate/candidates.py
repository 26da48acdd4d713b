"""Which posts may be copies of each other, or share a picture or words: hashes and words propose,
and no post has more than a fixed number of proposals, so that their number grows with the posts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from deadpan.core.curation import Post
from deadpan.curate.deduplicate.hashing import COARSE, FINE, FINE_MIRROR, MIRROR
from deadpan.curate.deduplicate.neighbours import near_pairs
from deadpan.curate.deduplicate.wording import (
    BANDS,
    ROWS,
    Sketches,
    plain_words,
    sketch_likeness,
    sketches,
)
from deadpan.curate.schema import Deduplicating

NEAREST, ALONE = 4, 16
"""By picture, so many of the nearest are proposed for each, by the whole and by the content; more
for posts whose words find nobody, as those of mirrored pictures, ..."""
WORDED = 10
"""... and so many by words. Of a very common phrase each post is compared only with those that
stand near it, in an order that is another for each band of the sketches."""
_FURTHEST = 100
"""Fine hashes of 256 bits further apart say nothing; those of strangers are 128 apart."""
_NEAR = 80
"""Those so near are proposed in whatever neighbourhood they are: jokes that are written large into
one picture."""
_CROWD = 2000
"""Only so many pictures at a time are ranked, in the order of their hashes."""
_STANDING = 64
_SHARED = 0.3
"""The share of common shingles from which on words propose a pair."""
_MOSTLY = 0.5
Rows = npt.NDArray[np.int64]


def candidate_pairs(posts: Sequence[Post], options: Deduplicating) -> list[tuple[str, str]]:
    """Pairs of ids, each once and in order, the same whatever the order of posts; posts that are
    dropped are left out."""
    kept = sorted((post for post in posts if not post.drop), key=lambda post: post.id)
    worded, companions = _by_words(kept)
    found = np.concatenate([_by_hashes(kept, options.bits, companions), worded])
    found = np.unique(np.sort(found[found[:, 0] != found[:, 1]], axis=1), axis=0)
    return [(kept[left].id, kept[right].id) for left, right in found]


def _by_hashes(posts: Sequence[Post], bits: int, companions: npt.NDArray[np.bool_]) -> Rows:
    """Within each neighbourhood of near hashes, mirrored or not, the nearest of each picture, and
    the neighbourhood's first, which keeps it together; `companions` tells whose words have found
    somebody."""
    owners, hashes = _pictures(posts)
    if not len(owners):
        return np.empty((0, 2), np.int64)
    labels = _neighbourhoods(hashes[:, :COARSE], bits)
    order = np.lexsort((hashes[:, 1], labels))
    most = np.where(companions[owners], NEAREST, ALONE)
    parts = [np.empty((0, 2), np.int64)]
    for crowd in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        if len(crowd) < 2:
            continue
        parts.append(np.column_stack([np.full(len(crowd), crowd.min()), crowd]))
        parts += _ranked(crowd, hashes, most, _FURTHEST)
    parts += _ranked(np.argsort(hashes[:, 1], kind="stable"), hashes, most, _NEAR)
    return owners[np.concatenate(parts)]


def _ranked(
    crowd: Rows, hashes: npt.NDArray[np.uint64], most: Rows, furthest: int
) -> Iterator[Rows]:
    """The nearest of each picture by its fine hashes, of the whole and of the content."""
    for start in range(0, len(crowd), _CROWD):
        part = crowd[start : start + _CROWD]
        for first in range(COARSE, COARSE + FINE, len(FINE_MIRROR)):
            own = hashes[part, first : first + len(FINE_MIRROR)]
            yield _nearest(part, own, most[part], furthest)


def _pictures(posts: Sequence[Post]) -> tuple[Rows, npt.NDArray[np.uint64]]:
    """The pictures that have hashes: the place of the post of each, and the hashes."""
    rows = [
        (place, [int(text, 16) for text in one.hashes])
        for place, post in enumerate(posts)
        for one in post.media
        if len(one.hashes) == COARSE + FINE
    ]
    owners = np.array([place for place, _ in rows], np.int64)
    return owners, np.array([row for _, row in rows], np.uint64).reshape(-1, COARSE + FINE)


def _neighbourhoods(coarse: npt.NDArray[np.uint64], bits: int) -> Rows:
    """For each picture the first of those that its hashes lead to, mirrored or not. Where very many
    hang together bit by bit, some of them stand for all in what is further apart, since the pairs
    of a crowd would be as many as its square."""
    values = np.concatenate([coarse.T.ravel(), coarse.T.ravel() ^ MIRROR])
    close = near_pairs(values, min(1, bits)).edges()
    crowds = _components(len(values), close)
    order = np.lexsort((values, crowds))
    starts = np.searchsorted(crowds[order], crowds[order])
    sizes = np.bincount(crowds, minlength=len(values))[crowds[order]]
    standing = order[(np.arange(len(order)) - starts) % np.maximum(1, sizes // _STANDING) == 0]
    further = standing[near_pairs(values[standing], bits).edges()]
    return _components(len(coarse), np.concatenate([close, further]) % len(coarse))


def _components(count: int, edges: Rows) -> Rows:
    """For each place the least that it is connected with."""
    labels = np.arange(count)
    while True:
        least = labels[edges].min(axis=1)
        lower = labels.copy()
        for side in (0, 1):
            np.minimum.at(lower, labels[edges[:, side]], least)
            np.minimum.at(lower, edges[:, side], least)
        lower = lower[lower]
        if (lower == labels).all():
            return labels
        labels = lower


def _nearest(crowd: Rows, own: npt.NDArray[np.uint64], most: Rows, furthest: int) -> Rows:
    """Each picture of a crowd with the most that it may have of those whose own fine hashes are
    nearest, mirrored or not, and no further."""
    apart = np.zeros((len(crowd), len(crowd)), np.int16)
    turned = np.zeros_like(apart)
    for word, mask in enumerate(FINE_MIRROR):
        differing = own[:, None, word] ^ own[None, :, word]
        apart += np.bitwise_count(differing)
        turned += np.bitwise_count(differing ^ mask)
    nearer = np.minimum(apart, turned)
    np.fill_diagonal(nearer, 256)
    count = min(ALONE, len(crowd) - 1)
    places = np.argsort(nearer, axis=1, kind="stable")[:, :count]
    close = np.take_along_axis(nearer, places, axis=1) <= furthest
    close &= np.arange(count) < most[:, None]
    left = np.repeat(crowd, count).reshape(-1, count)
    return np.column_stack([left[close], crowd[places][close]])


def _by_words(posts: Sequence[Post]) -> tuple[Rows, npt.NDArray[np.bool_]]:
    """Posts that share much of what is written in their pictures, and which of all posts share
    most of it with another."""
    texts = [plain_words(post.picture_text or post.text) for post in posts]
    sketch = sketches(texts)
    known = np.flatnonzero(sketch[:, 0] > 0) if len(sketch) else np.empty(0, np.int64)
    parts = [found[:, 0] * len(posts) + found[:, 1] for found in _in_bands(sketch, known)]
    pairs = np.column_stack(np.divmod(np.unique(np.concatenate(parts)), max(1, len(posts))))
    shares = sketch_likeness(sketch, pairs[:, 0], pairs[:, 1]) if len(pairs) else np.empty(0)
    pairs, shares = pairs[shares >= _SHARED], shares[shares >= _SHARED]
    companions = np.zeros(len(posts), np.bool_)
    companions[pairs[shares >= _MOSTLY].ravel()] = True
    return pairs[_among_best(pairs, shares)], companions


def _in_bands(sketch: Sketches, known: Rows) -> Iterator[Rows]:
    """Band by band the pairs that are equal in it, each with the next few in its own order."""
    for band in range(BANDS):
        keys = sketch[known][:, band * ROWS : (band + 1) * ROWS]
        # Equal texts stand in the order of another band, which is a different one each time.
        later = sketch[known][:, (band * ROWS + ROWS) % sketch.shape[1]]
        order = np.lexsort((known, later, *keys.T))
        parts = []
        for step in range(1, WORDED + 1):
            left, right = order[:-step], order[step:]
            same = (keys[left] == keys[right]).all(axis=1)
            parts.append(np.column_stack([known[left[same]], known[right[same]]]))
        yield np.sort(np.concatenate(parts), axis=1)


def _among_best(pairs: Rows, shares: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which pairs are among the best WORDED of one of their two; among equally good ones those are
    taken that a mix of their places tells, so that all of them hang together."""
    chosen = np.zeros(len(pairs), np.bool_)
    mixed = (pairs[:, 0] * 2_654_435_761 + pairs[:, 1] * 40_503) % 1_000_003
    for side in (0, 1):
        order = np.lexsort((mixed, -shares, pairs[:, side]))
        owners = pairs[order, side]
        starts = np.searchsorted(owners, owners)
        chosen[order[np.arange(len(order)) - starts < WORDED]] = True
    return chosen
