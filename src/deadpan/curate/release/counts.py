"""How many posts each stage took and why it dropped them, and how many items there are of what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from deadpan.core.curation import Post, StageName
from deadpan.curate.release.material import Items, Material

STAGES: tuple[StageName, ...] = get_args(StageName)
NO_ITEM = "no item was made of it"
"""The reason of posts that no stage dropped and that no row is of."""


@dataclass(frozen=True)
class StageCount:
    """One stage: the posts that came to it, and how many it dropped for which reason."""

    stage: StageName
    came: int
    dropped: Mapping[str, int]

    @property
    def left(self) -> int:
        """The posts that went on."""
        return self.came - sum(self.dropped.values())


@dataclass(frozen=True)
class Funnel:
    """From all posts to the items, stage by stage; what was dropped and what is left add up."""

    collected: int
    parted: int
    """How many more posts there were once those with several pictures had become several."""
    stages: tuple[StageCount, ...]

    @property
    def items(self) -> int:
        """What is left in the end."""
        return self.stages[-1].left

    @property
    def dropped(self) -> int:
        """All that were dropped."""
        return sum(sum(one.dropped.values()) for one in self.stages)


def funnel_of(material: Material) -> Funnel:
    """The way of the posts. A post that no stage dropped and that no row is of is counted with the
    release."""
    every = len(material.posts)
    in_rows = {str(row["id"]) for row in material.rows}
    lost = sum(post.drop is None and post.id not in in_rows for post in material.posts)
    came, found = every, []
    for stage in STAGES:
        dropped = drop_reasons(material.posts, stage)
        if stage == "release" and lost:
            dropped[NO_ITEM] += lost
        found.append(StageCount(stage, came, _sorted(dropped)))
        came = found[-1].left
    first = every if material.collected is None else material.collected
    return Funnel(first, every - first, tuple(found))


def drop_reasons(posts: Sequence[Post], stage: StageName) -> Counter[str]:
    """Why a stage dropped posts, and how many for each reason."""
    return Counter(post.drop.reason for post in posts if post.drop and post.drop.stage == stage)


def flag_counts(posts: Sequence[Post]) -> dict[tuple[StageName, str], int]:
    """By stage and kind how many of the posts have such a flag."""
    found = Counter(
        key for post in posts for key in {(flag.stage, flag.kind) for flag in post.flags}
    )
    order = sorted(found, key=lambda key: (STAGES.index(key[0]), -found[key], key[1]))
    return {key: found[key] for key in order}


def counts_by(items: Items, field: str) -> dict[str, dict[str, int]]:
    """By value of a field, the most frequent first, how many items each split has."""
    counted = Counter(zip(items.of(field), items.of("split"), strict=True))
    values = _sorted(Counter(items.of(field)))
    return {
        value: {split: counted[value, split] for split in items.splits if split} for value in values
    }


def crossed(items: Items, one: str, two: str) -> dict[tuple[str, str], int]:
    """How many items there are of each two values."""
    return dict(sorted(Counter(zip(items.of(one), items.of(two), strict=True)).items()))


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts from the largest down, equal ones by name."""
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
