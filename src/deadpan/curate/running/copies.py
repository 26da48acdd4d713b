"""The stage that finds copies: candidates by hashes and words, verified in shards of pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from deadpan.base.counting import count_noun, in_parts
from deadpan.core.curation import Post
from deadpan.curate.configuration import CurationFile
from deadpan.curate.deduplicate.candidates import candidate_pairs
from deadpan.curate.deduplicate.comparing import Compared
from deadpan.curate.deduplicate.grouping import group_posts
from deadpan.curate.purify import drop_repeated, repeated_marks
from deadpan.curate.running.batches import BatchLost, Runner, run_batches
from deadpan.curate.running.folder import WorkFolder, key_of
from deadpan.curate.running.progress import CurationEvents
from deadpan.curate.running.shards import VERSION, ComparedShard, compare_shard, compared_pairs

STAGE = "deduplicate"
_GROUPING = 2
_PAIRS = 400
"""Pairs that are compared, and lost by a kill, together."""


def deduplicated(
    file: CurationFile,
    work: WorkFolder,
    prepared: Sequence[str],
    runner: Runner,
    events: CurationEvents,
    seconds: Counter[str],
) -> tuple[str, list[Post]]:
    """All posts, those that are copies of others dropped, each of the rest with its group; and the
    name under which they are kept."""
    options = (file.curation.purify, file.curation.deduplicate)
    key = key_of(VERSION, _GROUPING, options, prepared)
    known = work.read_posts(STAGE, key)
    if known is None:
        posts = [post for name in prepared for post in work.read_posts("prepare", name) or ()]
        posts = drop_repeated(
            posts, repeated_marks(posts, file.curation.purify), file.curation.purify
        )
        pairs = _compared(file, work, posts, runner, events, seconds)
        grouped = group_posts(posts, pairs)
        known = grouped.posts
        found = [one for one in pairs if one.verdict != "different"]
        work.write_json(STAGE, key, {"compared": found, "loose": grouped.loose})
        work.write_posts(STAGE, key, known)
        copies = sum(bool(post.drop and post.drop.stage == STAGE) for post in known)
        events.ended(
            f"{copies:,} {'copy' if copies == 1 else 'copies'} of {count_noun(len(pairs), 'pair')}"
        )
    work.mark("deduplicate", [key])
    return key, known


def _compared(
    file: CurationFile,
    work: WorkFolder,
    posts: Sequence[Post],
    runner: Runner,
    events: CurationEvents,
    seconds: Counter[str],
) -> list[Compared]:
    options = file.curation.deduplicate
    kept = {post.id: post for post in posts if post.drop is None}
    pairs = candidate_pairs(list(kept.values()), options)
    todo: dict[str, bytes] = {}
    names: list[str] = []
    for some in in_parts(pairs, _PAIRS):
        own = {name: kept[name] for pair in some for name in pair}
        name = key_of(VERSION, options, own, some)
        names.append(name)
        if work.read_json("compare", name) is None:
            shard = ComparedShard(
                posts=own, pairs=some, options=options, media=work.media.resolve()
            )
            todo[name] = shard.model_dump_json().encode()
    events.began("deduplicate", len(todo), "batches of pairs")
    for name, result in run_batches(compare_shard, todo, runner):
        if isinstance(result, BatchLost):
            raise result
        found, spent = compared_pairs(result)
        seconds.update(spent)
        work.write_json("compare", name, found)
        events.advanced()
    return [
        Compared.model_validate(row) for name in names for row in work.read_json("compare", name)
    ]
