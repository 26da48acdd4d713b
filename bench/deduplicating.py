"""How well copies of memes are told from other jokes on the same template, and what it costs.

    python bench/deduplicating.py --posts 5000 --seed 1 [--folder FOLDER] [--misses]

Posts are drawn (bench/posts): a few templates have hundreds of jokes, many jokes differ in one
word, copies are recompressed, resized, cropped, recoloured, mirrored, screenshotted, bordered,
marked, or copies of copies. Files that cannot be opened or are too small are left out, as earlier
stages do. All pictures are read by OCR first (kept in Deadpan's cache: a second run reads nothing).

Counted are pairs of posts. A pair is positive if the truth says that both are one joke: one
picture, one wording, one caption where both have one. A pair is found if both end up in one
cluster; for a hash alone, if any picture of the one is within the distance of any picture of the
other. "All pairs" pools them, so that a joke of 20 copies counts 190 times; "per post" averages,
over posts that have a copy, the share of each post's copies that are found, and over posts for
which something is found, the share of that which is right. Recall by kind is over pairs of a copy
and any other post of its joke. "Groups" are what a split keeps together: the share of pairs of one
template or one wording that are in one group, and the share of posts in the largest group.

Real posts differ: pictures are photographs with finer texture, of which points of interest are more
telling and hashes less crowded; letters come in hundreds of faces, hand-written and curved, where
OCR errs more; captions are covered, cut or re-lettered in copies, which nobody draws here; apps
look in many more ways; pictures are turned, cut to one panel, and put beside others. Words here
come from short lists, so that many jokes share most of their words, which is harder than life.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image
from posts import PlantedPost, make_posts
from posts.defects import BROKEN, SHAPES

from deadpan.core.curation import Post, PostMedia, ReadLine
from deadpan.curate.deduplicate.candidates import candidate_pairs
from deadpan.curate.deduplicate.comparing import Compared, compare_pairs
from deadpan.curate.deduplicate.grouping import Grouped, group_posts
from deadpan.curate.deduplicate.hashing import hash_posts
from deadpan.curate.schema import Deduplicating
from deadpan.media.ocr import read_text

Pair = tuple[str, str]
SURE = 0.5


class Found(NamedTuple):
    """What a method takes for pairs, and how long it took."""

    method: str
    pairs: set[Pair]
    seconds: float


def opened_posts(folder: Path, planted: Iterable[PlantedPost]) -> list[Post]:
    """The posts as they come out of the stages before, with what is written in their pictures."""
    made = []
    for number, one in enumerate(planted):
        if one.defect in (*BROKEN, *SHAPES):
            continue
        if sys.stderr.isatty() and number % 50 == 0:
            print(f"\rread {number}", end="", file=sys.stderr)
        media = tuple(_read(folder, name) for name in one.images)
        made.append(Post(id=one.id, source="drawn", where=one.id, text=one.text, media=media))
    return made


def _read(folder: Path, name: str) -> PostMedia:
    with Image.open(folder / name) as image:
        width, height = image.size
    lines = tuple(
        ReadLine(**box.model_dump(exclude={"turn"}))
        for box in read_text(folder / name)
        if box.confidence >= SURE
    )
    return PostMedia(given=name, file=name, width=width, height=height, lines=lines)


def pairs_within(clusters: Iterable[Sequence[str]]) -> set[Pair]:
    """All pairs of ids that are in one cluster."""
    return {pair for one in clusters for pair in itertools.combinations(sorted(one), 2)}


def by(planted: Iterable[PlantedPost], field: str) -> Iterable[list[str]]:
    """Ids of posts that have this in common."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in planted:
        found[getattr(one, field)].append(one.id)
    return found.values()


def deduplicated(
    posts: Sequence[Post], folder: Path
) -> tuple[list[Compared], Grouped, dict[str, float]]:
    """What the stage makes of the posts, and the seconds of each step."""
    options, seconds = Deduplicating(), {}
    start = time.perf_counter()
    hashed = hash_posts(posts, folder)
    seconds["hash"] = time.perf_counter() - start
    start = time.perf_counter()
    proposed = candidate_pairs(hashed, options)
    seconds["propose"] = time.perf_counter() - start
    start = time.perf_counter()
    known = {post.id: post for post in hashed}
    compared = compare_pairs(
        [(known[left], known[right]) for left, right in proposed], folder, options
    )
    seconds["compare"] = time.perf_counter() - start
    start = time.perf_counter()
    grouped = group_posts(hashed, compared)
    seconds["group"] = time.perf_counter() - start
    return compared, grouped, seconds


def by_hash(posts: Sequence[Post], folder: Path) -> Iterable[Found]:
    """What imagehash's pHash and PDQ take for pairs, at several distances; PDQ also at the distance
    that is best for it here."""
    import imagehash
    import pdqhash

    start = time.perf_counter()
    owners = [post.id for post in posts for _ in post.media]
    files = [folder / one.file for post in posts for one in post.media]
    phash, pdq = [], []
    for file in files:
        with Image.open(file) as image:
            colours = image.convert("RGB")
        phash.append(imagehash.phash(colours).hash.ravel())
        pdq.append(pdqhash.compute(np.asarray(colours))[0])
    taken = time.perf_counter() - start
    yield from _within("pHash", np.array(phash, bool), owners, (4, 8), taken)
    yield from _within("PDQ", np.array(pdq, bool), owners, tuple(range(3, 100, 4)), taken)


def _within(
    name: str, bits: np.ndarray, owners: Sequence[str], distances: Sequence[int], taken: float
) -> Iterable[Found]:
    signs = bits.astype(np.float32) * 2 - 1
    apart = ((bits.shape[1] - signs @ signs.T) / 2).round().astype(np.int16)
    apart[np.tril_indices(len(owners))] = 9999
    for distance in distances:
        rows, columns = np.nonzero(apart <= distance)
        pairs = {
            (min(owners[a], owners[b]), max(owners[a], owners[b]))
            for a, b in zip(rows, columns, strict=True)
            if owners[a] != owners[b]
        }
        yield Found(f"{name} ≤ {distance}", pairs, taken)


class Score(NamedTuple):
    """Precision and recall, over all pairs and per post."""

    precision: float
    recall: float
    post_precision: float
    post_recall: float

    @property
    def f1(self) -> float:
        """Of all pairs."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def scored(found: set[Pair], true: set[Pair]) -> Score:
    """How well the pairs that were found are those that are true."""
    right = found & true
    mine, theirs, common = (_partners(pairs) for pairs in (found, true, right))
    precision = [len(common[one]) / len(others) for one, others in mine.items()]
    recall = [len(common[one]) / len(others) for one, others in theirs.items()]
    return Score(
        len(right) / max(1, len(found)),
        len(right) / max(1, len(true)),
        float(np.mean(precision or [0])),
        float(np.mean(recall or [0])),
    )


def _partners(pairs: Iterable[Pair]) -> defaultdict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for left, right in pairs:
        found[left].add(right)
        found[right].add(left)
    return found


def recall_by_kind(
    found: set[Pair], true: set[Pair], kinds: Mapping[str, str]
) -> dict[str, tuple[int, float]]:
    """For each kind of copy, how many pairs it is in, and the share that is found."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for pair in true:
        for kind in {kinds[one] for one in pair}:
            counts[kind][0] += 1
            counts[kind][1] += pair in found
    return {kind: (count, right / count) for kind, (count, right) in sorted(counts.items())}


def print_tables(
    methods: Sequence[Found], true: set[Pair], kinds: Mapping[str, str], shown: Sequence[str]
) -> None:
    """Precision and recall of each method, and recall by kind of copy."""
    print("\n| method | precision | recall | precision per post | recall per post | s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for one in methods:
        score = scored(one.pairs, true)
        print(f"| {one.method} | " + " | ".join(f"{value:.3f}" for value in score), end="")
        print(f" | {one.seconds:.0f} |")
    known = {one.method: one for one in methods}
    tables = [recall_by_kind(known[name].pairs, true, kinds) for name in shown]
    print("\n| kind | pairs | " + " | ".join(shown) + " |")
    print("| --- " * (len(shown) + 2) + "|")
    for kind in tables[0]:
        values = " | ".join(f"{table[kind][1]:.3f}" for table in tables)
        print(f"| {kind} | {tables[0][kind][0]} | {values} |")


def print_wrong(found: set[Pair], true: set[Pair], kinds: Mapping[str, str],
                compared: Sequence[Compared]) -> None:  # fmt: skip
    """Pairs that are wrongly found or missed, with what was compared of them."""
    known = {(one.left, one.right): one for one in compared}
    for name, pairs in (("wrong", found - true), ("missed", true - found)):
        for left, right in sorted(pairs):
            one = known.get((left, right))
            print(name, left, kinds[left], right, kinds[right], one.why if one else "not compared")


def print_groups(grouped: Grouped, planted: Sequence[PlantedPost]) -> None:
    """Whether what must not be parted is in one group."""
    group = {post.id: post.group for post in grouped.posts}
    kept = [one for one in planted if one.id in group]
    for field in ("template", "wording"):
        pairs = pairs_within(by(kept, field))
        together = sum(group[left] == group[right] for left, right in pairs)
        print(f"pairs of one {field} in one group: {together / len(pairs):.3f} of {len(pairs)}")
    sizes = sorted(map(len, _members(group).values()), reverse=True)
    print(f"groups: {len(sizes)}, the largest with {sizes[0] / len(group):.3f} of all posts")


def _members(group: Mapping[str, str]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for id, name in group.items():
        found[name].append(id)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--posts", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where posts are drawn; they stay there")
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        start = time.perf_counter()
        planted = make_posts(folder, given.posts, given.seed)
        drawn, start = time.perf_counter() - start, time.perf_counter()
        posts = opened_posts(folder, planted)
        read = time.perf_counter() - start
        report(planted, posts, folder, {"draw": drawn, "read": read}, given.misses)


def report(planted: Sequence[PlantedPost], posts: Sequence[Post], folder: Path,
           before: Mapping[str, float], misses: bool) -> None:  # fmt: skip
    """Runs the stage and the hashes, and prints what came of it."""
    there = {post.id for post in posts}
    true = pairs_within([id for id in ids if id in there] for ids in by(planted, "joke"))
    kinds = {one.id: one.kind for one in planted}
    compared, grouped, seconds = deduplicated(posts, folder)
    ours = Found("deadpan", pairs_within(grouped.clusters), sum(seconds.values()))
    others = list(by_hash(posts, folder))
    best = max(others[2:], key=lambda one: scored(one.pairs, true).f1)
    methods = [ours, *(one for one in others if one.method in SHOWN or one is best)]
    print(f"{len(posts)} posts, {len(true)} pairs of one joke, {len(compared)} pairs compared")
    verdicts = [one.verdict for one in compared]
    print(json.dumps({one: verdicts.count(one) for one in sorted(set(verdicts))}))
    proposed = {(one.left, one.right) for one in compared}
    print(f"pairs of one joke among the proposed: {len(true & proposed)}")
    print("seconds:", {name: round(taken, 1) for name, taken in {**before, **seconds}.items()})
    print_tables(methods, true, kinds, list(dict.fromkeys(("deadpan", *SHOWN[1:], best.method))))
    print_groups(grouped, planted)
    if misses:
        print_wrong(ours.pairs, true, kinds, compared)


SHOWN = ("pHash ≤ 4", "pHash ≤ 8", "PDQ ≤ 31")


if __name__ == "__main__":
    main()
