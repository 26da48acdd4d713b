"""The first stage: every raw row of every source becomes one post, usable or dropped with why."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, is_folder, is_there, write_bytes
from deadpan.collecting.fetch import FetchSettings
from deadpan.core.curation import Post, PostMedia
from deadpan.core.questions import Language
from deadpan.curate.collect.chats import chat_posts, require_consent
from deadpan.curate.collect.consent import signed_names
from deadpan.curate.collect.fetching import Fetched, fetch_settings, fetched_media
from deadpan.curate.collect.folders import folder_posts
from deadpan.curate.collect.hashtags import LabelTags, label_tags
from deadpan.curate.collect.keywords import WordFinder, chosen_words, word_finder
from deadpan.curate.collect.languages import (
    foreign_language,
    named_language,
    script_language,
)
from deadpan.curate.collect.raw import RawPost, Refused, checksum, is_safe_id, short
from deadpan.curate.collect.tables import raw_post, table_rows
from deadpan.curate.schema import Curation, Source

Progress = Callable[[str, int], None]
"""Told of each raw row: its source's name, and how many there were of it."""
_MOST_LETTERS = 20_000
OWN_ID = "own_id"
"""Where a post's own id is kept that cannot be the name of a file."""
_TAGS = frozenset(
    ("tag", "tags", "hashtag", "hashtags", "topic", "topics", "keyword", "keywords", "title",
     "subreddit", "话题", "标签", "关键词", "标题")
)  # fmt: skip


def collect_posts(
    curation: Curation,
    base: Path,
    work: Path,
    progress: Progress | None = None,
    fetching: FetchSettings | None = None,
) -> Iterator[Post]:
    """A post for each raw row of each source, in their order; one that cannot be used is dropped
    and says why. `base` is the folder that sources' paths are relative to, and media that are
    addresses are fetched to `work`. What cannot be read at all raises before the first post."""
    opened = [(source, _raw_posts(source, base)) for source in curation.collect]
    for source in curation.collect:
        fetch_settings(source)
    making = _Making(
        base,
        work / "embedded",
        word_finder(chosen_words(curation.keywords)),
        word_finder(curation.keywords.without),
        label_tags(curation.keywords),
        splits=curation.read.several == "split",
    )

    def posts() -> Iterator[Post]:
        for source, found in opened:
            rows = islice(found, source.limit) if source.limit else found
            with_files = _with_addresses(source, rows, work, fetching)
            for count, (raw, fetched) in enumerate(with_files, 1):
                yield making.post(source, raw, fetched)
                if progress:
                    progress(source.name, count)

    return posts()


def _raw_posts(source: Source, base: Path) -> Iterator[RawPost]:
    path = base / source.path
    if not is_there(path):
        raise InputError(path, "there is no such file or folder", "Check the path.")
    kind = source.kind or _told_kind(source, path)
    if kind == "table":
        if not is_file(path):
            raise InputError(path, "is no file; expected a table", "Check the path.")
        rows = table_rows(path, source.fields)
        return (raw_post(where, row, source, path.parent) for where, row in rows)
    if not is_folder(path):
        raise InputError(path, f"is no folder; expected a folder of {kind}", "Check the path.")
    if kind == "folder":
        return folder_posts(path, source.path)
    consent = require_consent(source.name, source.consent)
    return chat_posts(path, source.path, signed_names(base / consent))


def _told_kind(source: Source, path: Path) -> str:
    if is_folder(path):
        return "chats" if source.consent else "folder"
    return "table"


def _with_addresses(
    source: Source, rows: Iterator[RawPost], work: Path, settings: FetchSettings | None
) -> Iterator[tuple[RawPost, Fetched]]:
    """Rows with what was fetched of them. All are read before the first is fetched, so that one
    host's turn comes while another's is waited for."""
    if not source.fetch:
        fetched = fetched_media(source, (), work)
        yield from ((raw, fetched) for raw in rows)
        return
    listed = list(rows)
    addresses = [one.given for raw in listed for one in raw.media if one.is_address]
    fetched = fetched_media(source, addresses, work, settings)
    yield from ((raw, fetched) for raw in listed)


@dataclass
class _Making:
    """Makes posts of raw rows, and remembers their ids."""

    base: Path
    embedded: Path
    """Where media go that tables hold themselves."""
    wanted: WordFinder
    unwanted: WordFinder
    labels: LabelTags
    splits: bool
    ids: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def post(self, source: Source, raw: RawPost, fetched: Fetched) -> Post:
        """The post of a raw row; dropped where it cannot be used."""
        name, refused = self._id(source, raw)
        post = Post(
            id=name,
            source=source.name,
            where=raw.where,
            text=raw.text,
            turns=raw.turns,
            url=raw.url,
            licence=raw.licence or source.licence,
            transcript=raw.transcript,
            attributes=dict(raw.attributes)
            | ({OWN_ID: raw.own_id} if raw.own_id and not name.endswith(raw.own_id) else {}),
        )
        try:
            if refused is not None:
                raise refused
            post = post.changed(language=_language(source, raw), media=self._media(raw, fetched))
            return self._chosen(post)
        except Refused as why:
            kept = post.media or tuple(
                PostMedia(kind=one.kind, given=one.given, url=one.given if one.is_address else "")
                for one in raw.media
            )
            return post.changed(media=kept).dropped("collect", why.reason, why.what)

    def _id(self, source: Source, raw: RawPost) -> tuple[str, Refused | None]:
        """The source's own id where it can be a file's name, else one of the row's checksum; a row
        whose id is taken gets one of its place."""
        own = raw.own_id
        # Where posts are split, their parts are numbered: what looks like a part is renamed.
        numbered = self.splits and own.rpartition("-")[2].isdecimal() and "-" in own
        plain = own if is_safe_id(own) and not numbered else checksum(own or raw.content)
        name, refused = f"{source.name}-{plain}", raw.refused
        if name.casefold() in self.ids and name not in self.names:
            name = f"{name}-{checksum(own)[:6]}"  # files may not tell capitals apart
        if refused is None and name.casefold() in self.ids:
            what = f"{short(own)} is there before" if own else "the same row is there before"
            refused = Refused("id twice", what)
        if refused is not None and name.casefold() in self.ids:
            name = f"{source.name}-{checksum(raw.where, raw.content)}"
        self.ids.add(name.casefold())
        self.names.add(name)
        return name, refused

    def _media(self, raw: RawPost, fetched: Fetched) -> tuple[PostMedia, ...]:
        if not raw.media and not raw.text:
            raise Refused("no media and no text", "the row shows and says nothing")
        if not raw.media:
            raise Refused("no media", "the row names no picture and no video")
        found = []
        for one in raw.media:
            if not one.is_address:
                given = self._written(one.data) if one.data else one.given
                found.append(PostMedia(kind=one.kind, given=given))
                continue
            path = fetched.file(one.given)
            if path is None:
                raise Refused("not fetched", f"{short(one.given)}: {fetched.why(one.given)}")
            given = Path(os.path.relpath(path, self.base)).as_posix()
            found.append(PostMedia(kind=one.kind, given=given, url=one.given))
        return tuple(found)

    def _written(self, data: bytes) -> str:
        """Where a medium that a table holds lies once it was written."""
        path = self.embedded / hashlib.sha256(data).hexdigest()[:32]
        if not is_file(path):
            write_bytes(path, data)
        return Path(os.path.relpath(path, self.base)).as_posix()

    def _chosen(self, post: Post) -> Post:
        """The post, where its words are wanted and not unwanted."""
        tags = [value for name, value in post.attributes.items() if name.casefold() in _TAGS]
        words = "\n".join((post.words, post.transcript, *tags))
        if len(words) > _MOST_LETTERS:
            raise Refused("too much text", f"{len(words):,} characters; at most {_MOST_LETTERS:,}")
        if found := self.unwanted.found(words):
            raise Refused("excluded word", ", ".join(found))
        post = self.labels.stripped(post)
        if not self.wanted.words:
            return post
        found = self.wanted.found(words)
        if not found:
            raise Refused("no keyword", "none of the words that are searched by is in it")
        return post.changed(attributes={**post.attributes, "found_by": "; ".join(found)})


def _language(source: Source, raw: RawPost) -> Language | None:
    if raw.language:
        said = named_language(raw.language)
        if said is None:
            raise Refused("unknown language", short(raw.language))
        return said
    if source.language:
        return source.language
    words = "\n".join((raw.text, *(turn.text for turn in raw.turns)))
    said_in = script_language(words)
    if said_in == "other":
        raise Refused("unknown language", "it is written in another script")
    # What is not English beyond doubt is told by the words of its pictures too.
    return None if said_in == "en" and foreign_language(words) else said_in
