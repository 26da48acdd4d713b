"""The first stage: raw rows become posts, in shards that stay while their sources do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from deadpan.base.counting import count_noun, in_parts
from deadpan.base.files import is_file, is_folder, sha256_of
from deadpan.core.curation import Post
from deadpan.curate.collect import collect_posts
from deadpan.curate.configuration import CurationFile
from deadpan.curate.running.folder import WorkFolder, key_of
from deadpan.curate.running.progress import CurationEvents

STAGE = "collect"
_VERSION = 3


def collected(
    file: CurationFile, work: WorkFolder, events: CurationEvents
) -> tuple[str, list[str]]:
    """The name of what was collected, and those of its shards. What was collected from the same
    sources before is taken as it is."""
    curation = file.curation
    key = key_of(_VERSION, curation.collect, curation.keywords, curation.shard, _inputs(file))
    known = work.read_json(STAGE, key)
    if known is None:
        events.began("collect", None, "posts")
        count, shards = 0, 0
        for number, posts in enumerate(_shards(file, work, events)):
            work.write_posts(STAGE, f"{key}-{number:05d}", posts)
            count, shards = count + len(posts), number + 1
        known = {"posts": count, "shards": shards}
        work.write_json(STAGE, key, known)
        events.ended(f"{count_noun(count, 'post')} in {count_noun(shards, 'shard')}")
    names = [f"{key}-{number:05d}" for number in range(known["shards"])]
    work.mark("collect", names, posts=known["posts"])
    return key, names


def _shards(
    file: CurationFile, work: WorkFolder, events: CurationEvents
) -> Iterator[tuple[Post, ...]]:
    found = collect_posts(file.curation, file.base, work.fetched)
    for posts in in_parts(found, file.curation.shard):
        events.advanced(len(posts))
        yield posts


def _inputs(file: CurationFile) -> list[list[object]]:
    """What tells whether sources are what they were: checksums of tables, listings of folders."""
    found: list[list[object]] = []
    for source in file.curation.collect:
        for path in (source.path, source.consent):
            if path is not None:
                found.append([str(path), *_state(file.base / path)])
    return found


def _state(path: Path) -> Iterator[object]:
    if is_file(path):
        yield sha256_of(path)
    elif is_folder(path):
        yield from _listing(path)


def _listing(path: Path) -> Iterator[list[object]]:
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in sorted(files):
            state = os.lstat(os.path.join(folder, name))
            place = os.path.relpath(os.path.join(folder, name), path)
            yield [place, state.st_size, state.st_mtime_ns]
