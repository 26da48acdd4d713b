"""What became of posts, in numbers, and of one of them, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.curation import Post, PostMedia, StageName
from deadpan.curate.running.folder import WorkFolder

STAGES: tuple[StageName, ...] = get_args(StageName)


@dataclass(frozen=True)
class StageCounts:
    """A stage: how many posts came into it, and how many it dropped, by reason."""

    stage: StageName
    came: int
    dropped: Mapping[str, int]
    flagged: Mapping[str, int] = field(default_factory=dict)

    @property
    def left(self) -> int:
        """How many went on."""
        return self.came - sum(self.dropped.values())


def stage_counts(posts: Sequence[Post]) -> list[StageCounts]:
    """What each stage dropped and flagged, in their order; those that did neither are left out."""
    left, found = len(posts), []
    for stage in STAGES:
        reasons = Counter(
            post.drop.reason for post in posts if post.drop and post.drop.stage == stage
        )
        flags = Counter(
            kind
            for post in posts
            for kind in {flag.kind for flag in post.flags if flag.stage == stage}
        )
        if reasons or flags or stage == "collect":
            found.append(StageCounts(stage, left, _by_count(reasons), _by_count(flags)))
        left -= sum(reasons.values())
    return found


def _by_count(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def latest_posts(work: WorkFolder) -> list[Post]:
    """All posts as the last stage that was reached left them; raises where none was."""
    now = work.current()
    for stage in ("people", "draft", "deduplicate", "prepare", "collect"):
        if stage in now:
            return [
                post for key in now[stage]["keys"] for post in work.read_posts(stage, key) or ()
            ]
    raise DeadpanError(f"{work.path}: nothing was done here yet; `deadpan curate run` does")


def explained(work: WorkFolder, item: str) -> Iterator[tuple[str, str]]:
    """What became of a post, stage by stage, as (stage, words); an unknown one raises."""
    posts = latest_posts(work)
    known = {post.id: post for post in posts}
    post = known.get(item) or _named_otherwise(posts, item)
    if post is None:
        raise DeadpanError(f"{item}: no such post{meant(item, known)}")
    item, now = post.id, work.current()
    yield "collect", f"from {post.source}, {post.where}" + (f" ({post.url})" if post.url else "")
    for one in post.media:
        size = f", {one.width} × {one.height}" if one.width else ""
        yield "open", f"{one.given}{size}" + (f", {one.file}" if one.file else "")
    if post.words:
        words = " ".join(post.words.split())[:200]
        yield "read", f"{post.language or 'no language'}: {words}"
    for flag in post.flags:
        yield flag.stage, f"flagged: {flag.kind}" + (f" ({flag.what})" if flag.what else "")
    kept = _kept_copies(posts)
    yield from _compared(work, now, item, kept)
    if copies := [name for name, best in kept.items() if best == item and name != item]:
        yield "deduplicate", f"the best of its copies, of which {_some(copies)} went"
    if post.group:
        mates = [one.id for one in posts if one.group == post.group and one.id != item]
        yield "deduplicate", f"group {post.group}, with {_some(mates)}"
    yield from _drafted(work, now, post)
    if post.drop:
        what = f" ({post.drop.what})" if post.drop.what else ""
        yield post.drop.stage, f"dropped: {post.drop.reason}{what}"
        return
    split = (work.read_json("split", now["split"]["keys"][0]) or {}) if "split" in now else {}
    if item in split.get("of", {}):
        yield "split", str(split["of"][item])
    if "release" in now:
        yield "release", f"released in {now['release'].get('folder', '')}"


def _named_otherwise(posts: Sequence[Post], item: str) -> Post | None:
    """The one post whose own id, with its source's name or without, or one of whose files is
    called so; None where there is none, or several."""
    found = [
        post
        for post in posts
        if item in (own := post.attributes.get("own_id", ""), f"{post.source}-{own}")
        or post.id == f"{post.source}-{item}"
        or any(_is_named(item, post.source, one) for one in post.media)
    ]
    return found[0] if len(found) == 1 else None


def _is_named(item: str, source: str, media: PostMedia) -> bool:
    """Whether a file is called so, with its ending and its source's name or without."""
    name = media.given.rpartition("/")[2]
    stem = name.rpartition(".")[0] or name
    return item in (media.given, media.file, name, stem, f"{source}-{name}", f"{source}-{stem}")


def _kept_copies(posts: Sequence[Post]) -> dict[str, str]:
    """By post the copy of it that stays: itself, or the one that its drop names."""
    copies = {
        post.id: post.drop.what.removeprefix("of ").partition(": ")[0]
        for post in posts
        if post.drop and post.drop.reason == "duplicate"
    }
    return {post.id: copies.get(post.id, post.id) for post in posts}


def _compared(
    work: WorkFolder, now: Mapping[str, Any], item: str, kept: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """What comparing it found, and of which copies it is the best one."""
    for key in now.get("deduplicate", {}).get("keys", ()):
        for one in (work.read_json("deduplicate", key) or {}).get("compared", ()):
            if item in (one["left"], one["right"]):
                other = one["right"] if one["left"] == item else one["left"]
                is_apart = one["verdict"] == "duplicate" and kept.get(item) != kept.get(other)
                apart = "; kept apart, as most of their copies differ" if is_apart else ""
                yield "deduplicate", f"{one['verdict']} beside {other}: {one['why']}{apart}"


def _drafted(work: WorkFolder, now: Mapping[str, Any], post: Post) -> Iterator[tuple[str, str]]:
    for key in now.get("draft", {}).get("keys", ()):
        told = work.read_json("draft", key) or {}
        for one in told.get("rounds", {}).get(post.id, ()):
            said = "; ".join(
                f"{name}: {' '.join(str(value).split())[:200]}"
                for name, value in (one["written"] | one["feedback"]).items()
            )
            yield "draft", f"round {one['number']}: {one['verdict']}; {said}"
        if post.id in told.get("failed", {}):
            yield "draft", f"failed: {told['failed'][post.id]}"
    for name, value in post.draft.items():
        yield "draft", f"{name}: {' '.join(str(value).split())[:200]}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return (", ".join(names[:5]) + more) if names else "no other"
