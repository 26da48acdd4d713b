"""Hashes and words propose; the number of proposals grows with the posts, not with their pairs."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from PIL import Image

from bench.posts.copies import Drawn, copied
from bench.posts.scenes import scene
from deadpan.core.curation import Post, PostMedia, ReadLine
from deadpan.curate.deduplicate.candidates import candidate_pairs
from deadpan.curate.deduplicate.hashing import (
    COARSE,
    FINE,
    MIRROR,
    fine_distance,
    hash_posts,
    picture_hashes,
)
from deadpan.curate.deduplicate.pictures import content_box
from deadpan.curate.schema import Deduplicating
from tests.curate.drawn_posts import opened_post, opened_posts, planned_posts

OPTIONS = Deduplicating()


def worded(id: str, text: str, hashes: tuple[str, ...] = ()) -> Post:
    line = ReadLine(text=text, confidence=1, x1=0, y1=0, x2=9, y2=9)
    media = PostMedia(given=id, lines=(line,) if text else (), hashes=hashes)
    return Post(id=id, source="s", where="w", media=(media,))


def test_hashes_of_a_mirrored_picture_are_known_from_those_of_the_picture() -> None:
    grey = np.asarray(scene("any", 320, 240).convert("L"))
    turned_grey = np.ascontiguousarray(grey[:, ::-1])
    plain, turned = (picture_hashes(one, content_box(one)) for one in (grey, turned_grey))
    assert len(plain) == COARSE + FINE and all(len(one) == 16 for one in plain)
    # Hardly a frequency is so weak that resizing turns its sign.
    assert ((int(plain[0], 16) ^ int(MIRROR)) ^ int(turned[0], 16)).bit_count() <= 2
    direct, mirrored = fine_distance(plain, turned)
    assert mirrored < 20 < 80 < direct
    assert fine_distance(plain, ()) == (256, 256)


def test_copies_are_proposed_by_their_hashes(tmp_path: Path) -> None:
    posts = []
    for number in range(6):
        original = Drawn(scene(f"{number}", 400, 300), ())
        posts.append(opened_post(f"{number}", [original], tmp_path))
        for kind in ("recompressed", "mirrored", "bordered", "screenshotted"):
            made = copied(f"{number}", [kind], original)
            posts.append(opened_post(f"{number}-{kind}", [made], tmp_path))
    found = candidate_pairs(hash_posts(posts, tmp_path), OPTIONS)
    right = [(left, right) for left, right in found if left[0] == right[0]]
    assert len({one for pair in right for one in pair if "-" in one}) >= 22
    assert len(right) >= 0.8 * len(found)


def test_words_are_proposed_in_both_scripts_in_spite_of_misreadings() -> None:
    posts = [
        worded("a", "nobody absolutely nobody my cat at midnight"),
        worded("b", "nobody absolutely nobady my cat at midnight 12:30"),
        worded("c", "老板说好的加薪呢结果只有免费咖啡"),
        worded("d", "搞笑图片 老板说好的加薪呢结果只有免费咖啡 点赞"),
        worded("e", "the umbrella of the doctor was broken"),
        worded("f", ""),
        worded("g", "哈"),
    ]
    assert candidate_pairs(posts, OPTIONS) == [("a", "b"), ("c", "d")]


def test_a_very_common_phrase_proposes_a_few_for_each() -> None:
    posts = [worded(f"p{number:04}", "when my boss asks for the report") for number in range(1500)]
    found = candidate_pairs(posts, OPTIONS)
    assert 1500 <= len(found) <= 20 * 1500
    # All hang together, so that none is lost from the cluster.
    reached, edge = {"p0000"}, {"p0000"}
    partners: dict[str, set[str]] = {}
    for left, right in found:
        partners.setdefault(left, set()).add(right)
        partners.setdefault(right, set()).add(left)
    while edge:
        edge = {other for one in edge for other in partners[one]} - reached
        reached |= edge
    assert len(reached) == 1500


def test_many_equal_pictures_propose_a_few_for_each() -> None:
    grey = np.asarray(scene("x", 160, 160).convert("L"))
    hashes = picture_hashes(grey, content_box(grey))
    posts = [worded(f"p{number:04}", "", hashes) for number in range(2500)]
    assert 2499 <= len(candidate_pairs(posts, OPTIONS)) <= 35 * 2500


def test_order_dropped_posts_and_nothing_at_all(tmp_path: Path) -> None:
    posts = hash_posts(opened_posts(planned_posts(40, 3), tmp_path), tmp_path)
    found = candidate_pairs(posts, OPTIONS)
    assert found and found == sorted(found) and all(left < right for left, right in found)
    mixed = random.Random(0).sample(posts, len(posts))
    assert candidate_pairs(mixed, OPTIONS) == found
    assert candidate_pairs([post.dropped("open", "broken") for post in posts], OPTIONS) == []
    assert candidate_pairs([], OPTIONS) == []


def test_posts_without_pictures_get_no_hashes(tmp_path: Path) -> None:
    Image.new("L", (2, 2)).save(tmp_path / "small.png")
    (tmp_path / "bad.png").write_bytes(b"")
    posts = [
        Post(id="a", source="s", where="w"),
        Post(id="b", source="s", where="w", media=(PostMedia(given="x", file="bad.png"),)),
        Post(id="c", source="s", where="w", media=(PostMedia(given="x", file="small.png"),)),
        Post(id="d", source="s", where="w", media=(PostMedia(given="x", kind="video"),)),
    ]
    made = hash_posts(posts, tmp_path)
    assert [len(one.hashes) for post in made for one in post.media] == [0, COARSE + FINE, 0]
    dropped = posts[2].dropped("open", "broken")
    assert hash_posts([dropped], tmp_path) == [dropped]
