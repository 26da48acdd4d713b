"""What a run would do, counted without doing it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deadpan.base.counting import count_noun, in_parts
from deadpan.curate.collect import collect_posts
from deadpan.curate.configuration import CurationFile
from deadpan.curate.running.folder import WorkFolder
from deadpan.curate.running.prepared import STAGE, shard_key


@dataclass(frozen=True)
class Plan:
    """How many posts there are, and what is to do at each stage, in words."""

    posts: int
    lines: tuple[tuple[str, str], ...]
    document: dict[str, Any]


def planned(file: CurationFile) -> Plan:
    """The plan; sources are read, nothing is fetched, opened, asked or written."""
    curation, work = file.curation, WorkFolder(file.out)
    drops: Counter[str] = Counter()
    by_source: Counter[str] = Counter()
    posts = media = done = 0
    quiet = curation.model_copy(
        update={
            "collect": tuple(one.model_copy(update={"fetch": False}) for one in curation.collect)
        }
    )
    with TemporaryDirectory() as nowhere:
        found = collect_posts(quiet, file.base, Path(nowhere))
        for shard in in_parts(found, curation.shard):
            posts += len(shard)
            by_source.update(post.source for post in shard)
            drops.update(post.drop.reason for post in shard if post.drop)
            usable = [post for post in shard if post.drop is None]
            media += sum(len(post.media) for post in usable)
            if work.place(STAGE, shard_key(file, shard)).is_file():
                done += len(usable)
    usable_count = posts - sum(drops.values())
    sources = ", ".join(f"{name} {many:,}" for name, many in by_source.items())
    lost = ", ".join(f"{many:,} {reason}" for reason, many in drops.most_common())
    lines = [
        ("collect", f"{count_noun(posts, 'post')} ({sources})" + (f"; {lost}" if lost else ""))
    ]
    lines.append(
        ("prepare", f"{count_noun(media, 'file')}; {done:,} of {usable_count:,} posts done")
    )
    if curation.draft:
        steps = len(file.building.steps)
        least = count_noun(usable_count * steps, "call")
        lines.append(("draft", f"at most {least} of {curation.draft.model} in a first round"))
    if curation.people:
        template = curation.people.template or f"{curation.benchmark}/{file.building.template}"
        lines.append(("people", template))
    document = {"posts": posts, "usable": usable_count, "files": media, "done": done}
    return Plan(
        posts, tuple(lines), document | {"dropped": dict(drops), "sources": dict(by_source)}
    )
