"""Captions that begin alike are no watermark, however many pictures have one."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.core.curation import Post, PostMedia, ReadLine
from deadpan.curate.purify import drop_repeated, purify_posts, repeated_marks
from deadpan.curate.schema import Purifying
from tests.curate.small_pictures import encoded, scene, worded


def _line(text: str, y1: int) -> ReadLine:
    return ReadLine(text=text, confidence=0.95, x1=8, y1=y1, x2=260, y2=y1 + 26)


@pytest.mark.parametrize("is_read", [True, False])
def test_when_you_is_no_mark(tmp_path: Path, is_read: bool) -> None:
    posts = []
    for number in range(14):
        second = f"{'abcdefghijklmn'[number] * 6} joke {number}"
        image = worded(scene(number), {(8, 6): "When you hear that", (8, 48): second}, 26)
        (tmp_path / f"{number}.png").write_bytes(encoded(image))
        lines = (_line("When you hear that", 6), _line(second, 48)) if is_read else ()
        one = PostMedia(
            given="x", file=f"{number}.png", width=image.width, height=image.height, lines=lines
        )
        posts.append(Post(id=f"p{number}", source="s", where="w", language="en", media=(one,)))
    options = Purifying()
    purified = purify_posts(posts, options, tmp_path, is_read)
    found = drop_repeated(purified, repeated_marks(purified, options), options)
    assert [post.drop for post in found] == [None] * 14
