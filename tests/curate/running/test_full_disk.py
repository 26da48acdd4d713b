"""What is the machine's fault is never a verdict on a post."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

pytest.importorskip("cv2")

from deadpan.base.errors import DeadpanError, MissingExtra, NotWritten
from deadpan.core.curation import Post, PostMedia
from deadpan.curate.running import shards
from deadpan.curate.running.shards import PreparedShard, prepare_shard, prepared_posts
from deadpan.curate.schema import Curation

CURATION = Curation.model_validate(
    {"name": "x", "benchmark": "cfms", "collect": [{"name": "s", "path": "p"}]}
)


def _payload(folder: Path) -> bytes:
    posts = tuple(
        Post(id=f"p{n}", source="s", where="w", language="en", media=(PostMedia(given="x.png"),))
        for n in range(3)
    )
    shard = PreparedShard(posts=posts, curation=CURATION, base=folder, media=folder)
    return shard.model_dump_json().encode()


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        NotWritten("media", "cannot be written (No space left on device)", "Free some space."),
        MissingExtra("OCR", "ocr"),
        MemoryError(),
    ],
)
def test_it_ends_the_run(error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> list[Post]:
        raise error

    monkeypatch.setattr(shards, "open_posts", full)
    answer = prepare_shard(_payload(tmp_path))
    assert "ended" in json.loads(answer)
    with pytest.raises(DeadpanError, match="What was done is kept"):
        prepared_posts(answer)


def test_one_post_that_breaks_something_is_dropped_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(posts: list[Post], *_: object) -> list[Post]:
        if any(post.id == "p1" for post in posts):
            raise OSError("cannot identify image file")  # as Pillow says it, with no number
        return [post.dropped("open", "seen") for post in posts]

    monkeypatch.setattr(shards, "open_posts", breaks)
    posts, seconds = prepared_posts(prepare_shard(_payload(tmp_path)))
    assert [post.drop.reason for post in posts if post.drop] == ["seen", "internal error", "seen"]
    assert set(seconds) == {"open", "read", "purify", "hash"}
