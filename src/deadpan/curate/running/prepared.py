"""From posts as they were collected to posts that were opened, read, purified and hashed, shard by
shard; a shard that was done before is taken as it is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.curation import Post
from deadpan.curate.configuration import CurationFile
from deadpan.curate.running.batches import BatchLost, Runner, run_batches
from deadpan.curate.running.folder import WorkFolder, key_of
from deadpan.curate.running.progress import CurationEvents
from deadpan.curate.running.shards import VERSION, PreparedShard, prepare_shard, prepared_posts

STAGE = "prepare"
_AGAIN = "Run the same command again; what was done is kept."


def prepared(
    file: CurationFile,
    work: WorkFolder,
    shards: Sequence[str],
    runner: Runner,
    events: CurationEvents,
    seconds: Counter[str],
) -> list[str]:
    """The names of the shards once all are done, in their order."""
    names: list[str] = []
    todo: dict[str, bytes] = {}
    sizes: dict[str, int] = {}
    for shard in shards:
        posts = _collected(work, shard)
        name = shard_key(file, posts)
        names.append(name)
        if not work.place(STAGE, name).is_file():
            todo[name] = _payload(file, work, posts)
            sizes[name] = len(posts)
    events.began("prepare", sum(sizes.values()), "posts")
    lost: list[str] = []
    for name, result in run_batches(prepare_shard, todo, runner):
        if isinstance(result, BatchLost):
            lost.append(name)
            continue
        done, spent = prepared_posts(result)
        seconds.update(spent)
        work.write_posts(STAGE, name, done)
        events.advanced(sizes[name])
    for name in lost:
        _one_by_one(file, work, name, todo[name], runner, events)
    work.mark(STAGE, names)
    known = len(names) - len(todo)
    reused = f", {count_noun(known, 'shard')} from before" if known else ""
    events.ended(f"{count_noun(sum(sizes.values()), 'post')}{reused}")
    return names


def shard_key(file: CurationFile, posts: Sequence[Post]) -> str:
    """The name of what becomes of these posts, their files being as they are now."""
    curation = file.curation
    options = (curation.open, curation.read, curation.purify, curation.languages)
    return key_of(VERSION, options, posts, list(_files(posts, file.base)))


def _files(posts: Sequence[Post], base: Path) -> Iterator[list[object]]:
    for post in posts:
        for one in post.media:
            try:
                state = os.stat(base / one.given)
                yield [state.st_size, state.st_mtime_ns]
            except (OSError, ValueError):
                yield []


def _collected(work: WorkFolder, shard: str) -> list[Post]:
    posts = work.read_posts("collect", shard)
    if posts is None:
        raise InputError(work.place("collect", shard), "is missing", _AGAIN)
    return posts


def _payload(file: CurationFile, work: WorkFolder, posts: Sequence[Post]) -> bytes:
    shard = PreparedShard(
        posts=tuple(posts),
        curation=file.curation,
        base=file.base.resolve(),
        media=work.media.resolve(),
    )
    return shard.model_dump_json().encode()


def _one_by_one(
    file: CurationFile,
    work: WorkFolder,
    name: str,
    payload: bytes,
    runner: Runner,
    events: CurationEvents,
) -> None:
    """Does a shard that ends its workers post by post: what still does so is dropped."""
    posts = PreparedShard.model_validate_json(payload).posts
    batches = {str(at): _payload(file, work, [post]) for at, post in enumerate(posts)}
    found: dict[int, list[Post]] = {}
    lost: list[int] = []
    for key, result in run_batches(prepare_shard, batches, runner):
        at = int(key)
        if isinstance(result, BatchLost):
            lost.append(at)
            found[at] = [posts[at].dropped("open", "ends its worker", result.why)]
        else:
            found[at], _ = prepared_posts(result)
        events.advanced()
    if len(posts) > 1 and len(lost) == len(posts):
        what = "every post ends its worker: something is wrong with this machine, not with them"
        raise DeadpanError(f"{what} (memory?). What was done is kept; run the same command again.")
    work.write_posts(STAGE, name, [post for at in sorted(found) for post in found[at]])
