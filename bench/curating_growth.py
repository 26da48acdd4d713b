"""How the steps of `deadpan curate` grow that look at all posts at once.

    python bench/curating_growth.py [--sizes 1000 10000 100000] [--seed 0]

Opening, reading, purifying, hashing and comparing work on shards of a fixed size: as many times the
posts are as many times the shards (`curating.py growth` has the whole of it, OCR included, for
sizes that a machine can read in an afternoon). What looks across posts need not be linear, and is
measured here, each step by itself in one process: marks that come back, candidates for copies,
clusters and groups, and the split. Posts are drawn, purified and hashed as ever; what OCR would
read in them is taken from what was drawn, and what comparing would find from the truth.
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.posts import PlantedPost, planned_posts  # noqa: E402
from deadpan.core.curation import Post  # noqa: E402
from deadpan.curate.deduplicate.candidates import candidate_pairs  # noqa: E402
from deadpan.curate.deduplicate.comparing import Compared  # noqa: E402
from deadpan.curate.deduplicate.grouping import group_posts  # noqa: E402
from deadpan.curate.deduplicate.hashing import hash_posts  # noqa: E402
from deadpan.curate.purify import drop_repeated, purify_posts, repeated_marks  # noqa: E402
from deadpan.curate.schema import Deduplicating, Purifying  # noqa: E402
from deadpan.curate.splitting import split_rows  # noqa: E402
from tests.curate.drawn_posts import opened_posts  # noqa: E402

_SHARD = 250
_SHARES = {"train": 0.7, "dev": 0.15, "test": 0.15}
T = TypeVar("T")


def main() -> None:
    """Prints CPU seconds of each step at each size, and the exponents between sizes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    before: dict[str, float] = {}
    size_before = 0
    for size in given.sizes:
        seconds, facts = measured(planned_posts(size, given.seed))
        print(f"{size:,} posts: {facts}; peak {_peak():,.0f} MiB")
        for step, spent in seconds.items():
            exponent = ""
            if before:
                grown = math.log(spent / before[step]) / math.log(size / size_before)
                exponent = f"exponent {grown:.2f}"
            each = 1e6 * spent / size
            print(f"    {step:20}{spent:9.2f} CPU s{each:9.0f} µs a post   {exponent}", flush=True)
        before, size_before = seconds, size


def measured(planted: Sequence[PlantedPost]) -> tuple[dict[str, float], str]:
    """CPU seconds by step, and what came of the posts."""
    seconds: dict[str, float] = {}

    def timed(step: str, work: Callable[[], T]) -> T:
        start = time.process_time()
        made = work()
        seconds[step] = time.process_time() - start
        return made

    options, truth = Purifying(), {one.id: one for one in planted}
    posts = [post for part in prepared(planted) for post in part]
    marks = timed("marks that come back", lambda: repeated_marks(posts, options))
    posts = timed("posts with such marks", lambda: drop_repeated(posts, marks, options))
    pairs = timed("candidates", lambda: candidate_pairs(posts, Deduplicating()))
    compared = [known(truth[left], truth[right]) for left, right in pairs]
    grouped = timed("clusters and groups", lambda: group_posts(posts, compared))
    kept = [post for post in grouped.posts if post.drop is None]
    rows = [{"id": post.id, "language": truth[post.id].language} for post in kept]
    groups = {post.id: post.group for post in kept}
    timed("split", lambda: split_rows(rows, groups, _SHARES, ("language",), 0))
    return seconds, f"{len(pairs) / len(planted):.1f} pairs a post, {len(kept):,} kept"


def prepared(planted: Sequence[PlantedPost]) -> Iterator[list[Post]]:
    """The posts as they come out of the stages before, shard by shard, drawn on all cores."""
    shards = [planted[start : start + _SHARD] for start in range(0, len(planted), _SHARD)]
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_prepared, shards)


def _prepared(planted: Sequence[PlantedPost]) -> list[Post]:
    import cv2

    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as name:
        opened = opened_posts(planted, Path(name))
        return hash_posts(purify_posts(opened, Purifying(), Path(name)), Path(name))


def known(one: PlantedPost, other: PlantedPost) -> Compared:
    """What comparing two posts would find, by the truth."""
    if one.joke == other.joke:
        return Compared(left=one.id, right=other.id, picture=1, words=1, verdict="duplicate")
    if one.template == other.template:
        return Compared(left=one.id, right=other.id, picture=1, words=0, verdict="same picture")
    same = one.wording == other.wording
    verdict = "same words" if same else "different"
    return Compared(left=one.id, right=other.id, picture=0, words=same, verdict=verdict)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
