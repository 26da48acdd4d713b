"""Drawn posts are the same for the same seed, and their truth says what was done to them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from bench.posts.copies import COPIES
from bench.posts.defects import BROKEN
from tests.curate.drawn_posts import make_posts, planned_posts


def test_the_same_seed_gives_the_same_files(tmp_path: Path) -> None:
    posts = make_posts(tmp_path / "one", 12, 4)
    assert make_posts(tmp_path / "two", 12, 4) == posts
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))
    assert len(files) == 2 + sum(len(post.images) for post in posts)
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    assert planned_posts(12, 5) != posts


def test_rows_and_truth_go_together(tmp_path: Path) -> None:
    posts = make_posts(tmp_path, 10, 0)
    rows, truths = (
        [json.loads(line) for line in (tmp_path / name).read_text("utf-8").splitlines()]
        for name in ("posts.jsonl", "truth.jsonl")
    )
    assert [row["id"] for row in rows] == [truth["id"] for truth in truths]
    assert set(rows[0]) == {"id", "text", "images", "url", "language", "licence"}
    assert set(truths[0]) == {"id", "joke", "template", "kind", "of", "defect"}
    assert [row["images"] for row in rows] == [list(post.images) for post in posts]


def test_copies_are_of_their_joke_and_others_are_not() -> None:
    posts = planned_posts(3000, 1)
    known = {post.id: post for post in posts}
    for post in posts:
        copy = post.kind in (*COPIES, "chain")
        assert copy == (post.joke != f"j{post.id[1:]}")
        if copy:
            assert known[post.of].joke == post.joke
        if post.kind == "one word changed":
            assert known[post.of].template == post.template
            assert known[post.of].wording != post.wording
    kinds, defects = (Counter(getattr(post, name) for post in posts) for name in ("kind", "defect"))
    assert set(kinds) >= {*COPIES, "chain", "same words", "other panel", "other caption"}
    assert set(defects) >= {*BROKEN, "tiny", "flat", "advert", "publisher", "contact", "slur"}
    # A few templates have very many jokes.
    jokes = Counter(post.template for post in {post.joke: post for post in posts}.values())
    assert jokes.most_common(1)[0][1] > 100 > 20 * sorted(jokes.values())[len(jokes) // 2]
    assert {post.language for post in posts} == {"en", "zh"}
