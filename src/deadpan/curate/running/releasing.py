"""The last stages of a run: settled items parted into splits, and released."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, meant
from deadpan.core.curation import Post
from deadpan.curate.configuration import CurationFile
from deadpan.curate.drafting import DraftedPosts
from deadpan.curate.release import Material, write_release
from deadpan.curate.running.folder import WorkFolder, key_of
from deadpan.curate.splitting import Splits, split_rows

Row = Mapping[str, JsonValue]


@dataclass(frozen=True)
class Releasing:
    """What is settled of posts on its way out."""

    file: CurationFile
    work: WorkFolder
    key: str
    """The name of what was done before."""
    posts: Sequence[Post]
    drafts: DraftedPosts | None

    def released(self, settled_rows: Mapping[str, Row], sheet: str) -> tuple[str, ...]:
        """Writes the release of what was settled, by post, with the datasheet of the study that it
        was settled in; returns what is to be said of it."""
        file, building = self.file, self.file.building
        if not settled_rows:
            raise DeadpanError("no item is left to release; `deadpan curate status` says why")
        by_id = {post.id: post for post in self.posts}
        rows = [self._row(by_id[name], row) for name, row in settled_rows.items()]
        notes = tuple(self._unaddressed([by_id[name] for name in settled_rows]))
        groups = {
            name: post.group or post.id
            for post in self.posts
            for name in (building.item(post), post.id)
        }
        splits = self._split(rows, groups)
        material = Material(
            curation=file.curation,
            text=file.text,
            benchmark=file.benchmark,
            rows=[{**row, "split": splits.of[str(row["id"])]} for row in rows],
            posts=self.posts,
            splits=splits,
            media=self.work.media,
            yields=self.drafts.yields if self.drafts else {},
            rounds=self.drafts.rounds if self.drafts else {},
            study=sheet,
            collected=self.work.current()["collect"]["posts"],
        )
        write_release(material, self.work.release)
        self.work.mark("release", [], folder=str(self.work.release))
        return (*splits.notes, *notes, *self._unreadable())

    def _row(self, post: Post, settled_row: Row) -> Row:
        """A post's row; one that does not bear the name of the post raises."""
        building = self.file.building
        row = building.rows(post, settled_row)
        if row.get("id") not in (post.id, building.item(post)):
            what = f"its row of {post.id} has {row.get('id')!r} as id"
            raise DeadpanError(f"{self.file.curation.benchmark}: {what}; expected that of the post")
        return row

    def _unaddressed(self, posts: Sequence[Post]) -> Iterator[str]:
        """What is to be said where addresses go out instead of media, and some have none. Where
        none has one, nobody could ever complete the data, and it raises."""
        if self.file.curation.release.media == "files":
            return
        lacking = sum(not any(one.url for one in post.media) for post in posts)
        if lacking == len(posts):
            what = "release: media: addresses, but no item says where its picture is published"
            raise DeadpanError(f"{what}; name addresses as pictures of posts, or release files")
        if lacking:
            yield f"{lacking:,} of {count_noun(len(posts), 'item')} have no address of their media"

    def _unreadable(self) -> Iterator[str]:
        """What is to be said where the benchmark cannot read its own release."""
        if self.file.curation.release.media != "files":
            return
        try:
            self.file.benchmark.read(self.work.release)
        except DeadpanError as error:
            yield f"{self.file.curation.benchmark} cannot read the release: {error}"

    def _loose(self, splits: Splits) -> Iterator[str]:
        """What is to be said of items that may have something in common and are in two splits."""
        item = self.file.building.item
        of = {post.id: splits.of.get(item(post)) or splits.of.get(post.id) for post in self.posts}
        (key,) = self.work.current()["deduplicate"]["keys"]
        pairs = self.work.read_json("deduplicate", key)["loose"]
        apart = [pair for pair in pairs if all(map(of.get, pair)) and len({*map(of.get, pair)}) > 1]
        if apart:
            yield (
                f"{count_noun(len(apart), 'pair')} of items share words, or perhaps a picture, and "
                "are in two splits: joined by them, one group would hold too much of the data."
            )

    def _split(self, rows: Sequence[Row], groups: Mapping[str, str]) -> Splits:
        options, building = self.file.curation.split, self.file.building
        shares, strata = options.shares or building.splits, options.by or building.strata
        known = {name for row in rows for name in row}
        if unknown := [name for name in strata if name not in known]:
            what = f"split: by: no item has a field {unknown[0]}{meant(unknown[0], known)}"
            raise DeadpanError(f"{what}; expected some of {', '.join(sorted(known))}")
        splits = split_rows(rows, groups, shares, strata, self.file.curation.seed)
        splits = replace(splits, notes=(*splits.notes, *self._loose(splits)))
        key = key_of(self.key, shares, strata, sorted(splits.of.items()))
        called = {building.item(post): post.id for post in self.posts}
        of = {called.get(name, name): split for name, split in splits.of.items()}
        self.work.write_json("split", key, {"of": of, "sizes": splits.sizes})
        self.work.mark("split", [key])
        return splits
