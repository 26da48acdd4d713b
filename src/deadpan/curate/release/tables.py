"""Tables that go along: where each item came from, and why each other post is not in it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath, PureWindowsPath

from deadpan.base.printable import in_cell
from deadpan.collecting.anonymise.text import scrub_text
from deadpan.core.curation import Post
from deadpan.curate.release.counts import NO_ITEM
from deadpan.curate.release.history import is_consented
from deadpan.curate.release.material import NOT_STATED, Material

PROVENANCE, DROPPED, ADDRESSES = "provenance.csv", "dropped.csv", "addresses.csv"
_OF_ITEMS = ("id", "split", "source", "where", "url", "licence", "media_urls", "sha256", "group")
_OF_DROPPED = ("id", "source", "where", "stage", "reason", "what")


def provenance(material: Material) -> str:
    """A line for each item: source, place, address, licence, checksums of its media, group and
    flags."""
    places = _Places.of(material)
    rows = []
    for row in material.rows:
        post = material.post_of(row)
        media_urls = " ".join(one.url for one in post.media if one.url)
        sums = " ".join(one.sha256 for one in post.media if one.sha256)
        flags = " ".join(dict.fromkeys(f"{flag.stage}:{flag.kind}" for flag in post.flags))
        told = (str(row["id"]), str(row["split"]), post.source, places.where(post), post.url)
        licence = post.licence or places.licences.get(post.source, "") or NOT_STATED
        rows.append((*told, licence, media_urls, sums, post.group, flags))
    return _csv((*_OF_ITEMS, "flags"), rows)


def dropped(material: Material) -> str:
    """A line for each post that is no item: stage, reason and what was seen, without what leads to
    a person."""
    places = _Places.of(material)
    in_rows = {material.post_of(row).id for row in material.rows}
    return _csv(_OF_DROPPED, _dropped_rows(material.posts, in_rows, places))


def addresses(material: Material, media: Mapping[str, str]) -> str:
    """A line for each picture or video that does not go along: what it is called beside the items,
    where it is published, and its checksum once it was cleaned. One without an address has none."""
    held = {one.file: one for post in material.posts for one in post.media if one.file}
    found = ((name, held.get(file)) for name, file in sorted(media.items()))
    rows = [(name, one.url if one else "", one.sha256 if one else "") for name, one in found]
    return _csv(("file", "url", "sha256"), rows)


def _dropped_rows(
    posts: Sequence[Post], in_rows: set[str], places: _Places
) -> Iterator[Sequence[str]]:
    for post in posts:
        if post.drop is not None:
            told: tuple[str, str, str] = (post.drop.stage, post.drop.reason, places.seen(post))
        elif post.id not in in_rows:
            told = ("release", NO_ITEM, "")
        else:
            continue
        yield (post.id, post.source, places.where(post), *told)


class _Places:
    """Where posts of each source came from, as far as that may be told."""

    def __init__(self, licences: Mapping[str, str], private: frozenset[str]) -> None:
        self.licences, self._private = licences, private

    @classmethod
    def of(cls, material: Material) -> _Places:
        sources = material.curation.collect
        private = frozenset(one.name for one in sources if is_consented(one))
        return cls({one.name: one.licence for one in sources}, private)

    def is_private(self, post: Post) -> bool:
        return post.source in self._private

    def seen(self, post: Post) -> str:
        """What a stage saw of a post that it dropped. Where copies are looked for that is the id of
        another post, whose digits must not be taken for somebody's number."""
        if post.drop is None or self.is_private(post):
            return ""
        what = post.drop.what
        return what if post.drop.stage == "deduplicate" else _scrubbed(what)

    def where(self, post: Post) -> str:
        """The place of a post in its source, without the folders of somebody's machine; nothing of
        what people gave with their consent."""
        if self.is_private(post):
            return ""
        given = post.where.replace("\\", "/")
        absolute = PurePosixPath(given).is_absolute() or PureWindowsPath(post.where).drive
        return given.rsplit("/", 1)[-1] if absolute else given


@lru_cache(maxsize=1_000)
def _scrubbed(what: str) -> str:
    """A text without what leads to a person; most that stages say they say often."""
    return scrub_text(what).text if what else ""


def _csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that no spreadsheet runs."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([in_cell(cell) for cell in row] for row in rows)
    return out.getvalue()
