"""What is done with a shard of posts: opened, read, purified, hashed; and with a shard of pairs:
compared. Each is one function from bytes to bytes, so that any process can do it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from pydantic import TypeAdapter

from deadpan.base.errors import DeadpanError, MissingExtra, NotWritten
from deadpan.core.curation import Post, StageName
from deadpan.core.questions import Language
from deadpan.curate.deduplicate.comparing import Compared, compare_pairs
from deadpan.curate.deduplicate.hashing import hash_posts
from deadpan.curate.opening import open_posts
from deadpan.curate.purify import purify_posts
from deadpan.curate.reading import keep_languages, read_posts
from deadpan.curate.schema import Curation, Deduplicating, Said

VERSION = 5
"""Raised when a shard would come out otherwise."""
_Posts = TypeAdapter(list[Post])
_Pairs = TypeAdapter(list[Compared])
Batch = Sequence[Post]


class PreparedShard(Said):
    """A shard of posts as it is handed to a worker."""

    posts: tuple[Post, ...]
    curation: Curation
    base: Path
    media: Path


class ComparedShard(Said):
    """A shard of pairs as it is handed to a worker: posts by id, and which are compared."""

    posts: Mapping[str, Post]
    pairs: tuple[tuple[str, str], ...]
    options: Deduplicating
    media: Path


def is_of_the_run(error: Exception) -> bool:
    """Whether an error says nothing of a post: a full disk, a missing package, no memory."""
    if isinstance(error, OSError):
        return error.errno is not None
    return isinstance(error, NotWritten | MissingExtra | MemoryError)


@dataclass
class Timed:
    """Seconds of each stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    def run(
        self, stage: StageName, name: str, work: Callable[[Batch], list[Post]], posts: Batch
    ) -> list[Post]:
        """What a stage makes of posts. Where one of them breaks it, the others are done one by one,
        and that one is dropped with what went wrong; what the user can mend raises."""
        start = perf_counter()
        try:
            return work(posts)
        except Exception as error:
            if is_of_the_run(error):
                raise
            return [one for post in posts for one in _alone(stage, work, post)]
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - start


def _alone(stage: StageName, work: Callable[[Batch], list[Post]], post: Post) -> list[Post]:
    try:
        return work([post])
    except Exception as error:  # a defect of ours, or of a library: one post, never the run
        if is_of_the_run(error):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return [post.dropped(stage, "internal error", what)]


def prepare_shard(payload: bytes) -> bytes:
    """The posts of a shard once they were opened, read, purified and hashed, with how long each
    stage took, as JSON; or what ended it that is no post's fault."""
    return _told(_prepared, payload)


def compare_shard(payload: bytes) -> bytes:
    """What came of comparing the pairs of a shard, and how long it took, as JSON; or what ended it
    that is no post's fault."""
    return _told(_compared, payload)


def _told(work: Callable[[bytes], bytes], payload: bytes) -> bytes:
    """What the work answers. What ends it is told as an answer too: whoever runs workers takes an
    exception for one that died."""
    import cv2

    cv2.setNumThreads(1)  # a process on every core already
    try:
        return work(payload)
    except Exception as error:
        if not is_of_the_run(error):
            raise
        what = str(error) or type(error).__name__
        return json.dumps({"ended": what}, ensure_ascii=False).encode()


def _prepared(payload: bytes) -> bytes:
    shard = PreparedShard.model_validate_json(payload)
    timed, media, curation = Timed(), shard.media, shard.curation
    posts: list[Post] = list(shard.posts)
    steps: tuple[tuple[StageName, str, Callable[[Batch], list[Post]]], ...] = (
        (
            "open",
            "open",
            lambda some: open_posts(some, curation.open, shard.base, media),
        ),
        ("read", "read", lambda some: read_posts(some, curation.read, curation.open, media)),
        ("read", "read", partial(_in_languages, languages=curation.languages)),
        (
            "purify",
            "purify",
            lambda some: purify_posts(some, curation.purify, media, curation.read.ocr),
        ),
        ("deduplicate", "hash", lambda some: hash_posts(some, media)),
    )
    for stage, name, work in steps:
        posts = timed.run(stage, name, work, posts)
    return _answer(_Posts.dump_python(posts, mode="json"), timed)


def _in_languages(posts: Batch, languages: Sequence[Language]) -> list[Post]:
    return keep_languages(posts, languages)


def _compared(payload: bytes) -> bytes:
    """A pair that breaks the comparison is told to be different, and why."""
    shard = ComparedShard.model_validate_json(payload)
    start = perf_counter()
    pairs = [(shard.posts[left], shard.posts[right]) for left, right in shard.pairs]
    compare = partial(compare_pairs, media=shard.media, options=shard.options)
    try:
        found = compare(pairs)
    except Exception as error:
        if is_of_the_run(error):
            raise
        found = [one for pair in pairs for one in _pair_alone(compare, pair)]
    timed = Timed({"compare": perf_counter() - start})
    return _answer(_Pairs.dump_python(found, mode="json"), timed)


def _pair_alone(
    compare: Callable[[Sequence[tuple[Post, Post]]], list[Compared]], pair: tuple[Post, Post]
) -> list[Compared]:
    try:
        return compare([pair])
    except Exception as error:  # a defect of ours, or of a library: one pair, never the run
        if is_of_the_run(error):
            raise
        why = " ".join(f"internal error: {type(error).__name__}: {error}".split())[:300]
        left, right = pair
        return [
            Compared(left=left.id, right=right.id, picture=0, words=0, verdict="different", why=why)
        ]


def _answer(found: Any, timed: Timed) -> bytes:
    return json.dumps({"found": found, "seconds": timed.seconds}, ensure_ascii=False).encode()


def prepared_posts(answer: bytes) -> tuple[list[Post], dict[str, float]]:
    """What `prepare_shard` answered; raises where something else than posts ended it."""
    told = _answered(answer)
    return _Posts.validate_python(told["found"]), told["seconds"]


def compared_pairs(answer: bytes) -> tuple[list[Compared], dict[str, float]]:
    """What `compare_shard` answered; raises where something else than posts ended it."""
    told = _answered(answer)
    return _Pairs.validate_python(told["found"]), told["seconds"]


def _answered(answer: bytes) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(answer)
    if "ended" in told:
        raise DeadpanError(f"{told['ended']} What was done is kept; run the same command again.")
    return told
