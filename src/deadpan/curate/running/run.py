"""A curation run from stage to stage: what was done before is taken as it is."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, NotWritten
from deadpan.base.files import write_text
from deadpan.core.curation import Post
from deadpan.core.usage import read_prices, usage_words
from deadpan.curate.configuration import CurationFile
from deadpan.curate.drafting import DraftedPosts, draft_posts
from deadpan.curate.people import (
    decided,
    has_study,
    settled,
    settled_words,
    study_of,
    template_of,
)
from deadpan.curate.release import Material, write_release
from deadpan.curate.running.batches import Runner
from deadpan.curate.running.collected import collected
from deadpan.curate.running.copies import deduplicated
from deadpan.curate.running.folder import WorkFolder, key_of
from deadpan.curate.running.prepared import prepared
from deadpan.curate.running.progress import CurationEvents
from deadpan.curate.splitting import Splits, split_rows
from deadpan.engine.segments import Busy, WriterLock

_VERSION = 1
Row = Mapping[str, JsonValue]


@dataclass(frozen=True)
class Outcome:
    """What came of a run: all posts, the release where it came so far, and what it waits for."""

    posts: Sequence[Post]
    release: Path | None = None
    waiting: str = ""
    """For people, or for a model that failed; the same command goes on then."""
    notes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    """By stage how long all workers together took just now."""


def run_curation(file: CurationFile, runner: Runner, events: CurationEvents) -> Outcome:
    """Runs every stage that was not done before, and stops where people or a model have to be
    waited for."""
    work = WorkFolder(file.out)
    with _working_alone(work):
        return _run(file, work, runner, events)


@contextmanager
def _working_alone(work: WorkFolder) -> Iterator[None]:
    """Nobody else works in the folder meanwhile: whoever tries is told."""
    try:
        work.media.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot be made ({error.strerror})"
        raise NotWritten(work.path, what, "Name another folder as out.") from error
    try:
        lock = WriterLock(work.path.with_name(f"{work.path.name}.lock")).acquire()
    except Busy as error:
        what = str(error).partition(" Wait until")[0]
        fix = "Wait until it is done, or name another folder as out."
        raise DeadpanError(f"{what} {fix}") from error
    try:
        yield
    finally:
        lock.release()


def _run(file: CurationFile, work: WorkFolder, runner: Runner, events: CurationEvents) -> Outcome:
    seconds = Counter[str]()
    write_text(work.path / "curation.yaml", file.text)
    _, shards = collected(file, work, events)
    names = prepared(file, work, shards, runner, events, seconds)
    key, posts = deduplicated(file, work, names, runner, events, seconds)
    if not posts:
        raise DeadpanError("the sources hold no post: no file in a folder, no row in a table")
    if not any(post.drop is None for post in posts):
        raise DeadpanError("every post was dropped; `deadpan curate status` says why")
    key, drafted, drafts = _drafted(file, work, key, posts, events)
    if waiting := _waits_for_model(file, drafts):
        return Outcome(drafted, waiting=waiting, seconds=seconds)
    return _Ending(file, work, key, drafted, drafts, events, seconds).outcome()


def _waits_for_model(file: CurationFile, drafts: DraftedPosts | None) -> str:
    """What is to be said where calls failed and nothing can follow; nothing where it can."""
    if drafts is None or not drafts.failed:
        return ""
    failed, why = count_noun(len(drafts.failed), "post"), next(iter(drafts.failed.items()))
    asked = (
        f"{failed} got no draft ({drafts.stopped or ': '.join(why)}); the same command asks again"
    )
    if drafts.stopped:
        return asked
    options = file.curation.draft
    skips = options is not None and options.on_failure == "skip"
    return "" if skips else f"{asked} (draft: on_failure: skip goes on without them)"


def _drafted(
    file: CurationFile, work: WorkFolder, before: str, posts: Sequence[Post], events: CurationEvents
) -> tuple[str, Sequence[Post], DraftedPosts | None]:
    """The posts with what a model drafted of them; as they are where none is asked."""
    options = file.curation.draft
    if options is None:
        return before, posts, None
    kept = [post for post in posts if post.drop is None]
    key = key_of(_VERSION, before, options)
    events.began("draft", len(kept), "posts")
    store = file.base / options.store if options.store else work.answers
    done = draft_posts(
        kept,
        file.building,
        file.benchmark.folder,
        options,
        work.media,
        store,
        events.advanced,
        read_prices(Path(named) if (named := os.environ.get("DEADPAN_PRICES")) else None),
    )
    drafted = {post.id: post for post in done.posts}
    found = [drafted.get(post.id, post) for post in posts]
    work.write_json(
        "draft",
        key,
        {"rounds": done.rounds, "yields": done.yields, "failed": done.failed},
    )
    work.write_posts("draft", key, found)
    work.mark("draft", [key])
    events.ended(", ".join(f"{step} {many:,}" for step, many in done.yields.items()))
    for line in usage_words(done.usage):
        events.ended(line)
    return key, found, done


def _undrafted(post: Post) -> Post:
    """A post that nobody drafted and nobody is asked about, dropped with why there is no draft."""
    told = next((flag for flag in reversed(post.flags) if flag.stage == "draft"), None)
    return post.dropped("draft", *((told.kind, told.what) if told else ("no draft",)))


@dataclass(frozen=True)
class _Ending:
    """The stages from people on."""

    file: CurationFile
    work: WorkFolder
    key: str
    posts: Sequence[Post]
    drafts: DraftedPosts | None
    events: CurationEvents
    seconds: Mapping[str, float]

    def outcome(self) -> Outcome:
        people = self.file.curation.people
        if people is None:
            if self.drafts is None:
                what = "nobody says what the posts are: name a model (draft:) or people (people:)"
                return Outcome(self.posts, waiting=what, seconds=self.seconds)
            posts = [post if post.draft or post.drop else _undrafted(post) for post in self.posts]
            self.work.write_posts("draft", self.key, posts)
            rows = {post.id: dict(post.draft) for post in posts if post.drop is None}
            return self._released(posts, rows, "")
        building = self.file.building
        kept = [post for post in self.posts if post.drop is None]
        folder = self.file.base / people.folder if people.folder else self.work.study
        template = template_of(people, self.file.curation.benchmark, building)
        self._require_same(folder, key_of(kept))
        candidates = building.candidates(kept, self.work.media)
        if not candidates.records:
            what = "no post can be put to people: none has the draft that its study begins with"
            raise DeadpanError(f"{what}; `deadpan curate status` says why")
        study = study_of(people, template, folder, candidates, self.file.curation.seed)
        if left := study.open_items:
            waiting = (
                f"{count_noun(left, 'item')} wait for people: `deadpan study invite {folder} "
                f"NAME`, `deadpan study serve {folder}`; then the same command again (`deadpan "
                f"study close {folder}` ends it as it is)"
            )
            return Outcome(self.posts, waiting=waiting, notes=study.notes, seconds=self.seconds)
        done = settled(study)
        posts, rows = decided(self.posts, done, building.item)
        key = key_of(self.key, rows)
        self.work.write_posts("people", key, posts)
        self.work.mark("people", [key])
        self.events.ended(settled_words(posts))
        return self._released(posts, rows, done.datasheet)

    def _require_same(self, folder: Path, made_from: str) -> None:
        """Raises where the folder's study was made from other posts; notes from which it is made
        where there is none yet."""
        if not has_study(folder):
            self.work.mark("study", [made_from])
        elif self.work.current().get("study", {}).get("keys", [made_from]) != [made_from]:
            raise DeadpanError(
                f"{folder}: this study was made from other posts, and is never made anew. Finish "
                "it with the file it was made by, or name another folder (people: folder: …)."
            )

    def _released(
        self, posts: Sequence[Post], settled_rows: Mapping[str, Row], sheet: str
    ) -> Outcome:
        file, building = self.file, self.file.building
        if not settled_rows:
            raise DeadpanError("no item is left to release; `deadpan curate status` says why")
        by_id = {post.id: post for post in posts}
        rows = [building.rows(by_id[name], row) for name, row in settled_rows.items()]
        groups = {
            name: post.group or post.id for post in posts for name in (building.item(post), post.id)
        }
        splits = self._split(rows, groups)
        material = Material(
            curation=file.curation,
            text=file.text,
            benchmark=file.benchmark,
            rows=[{**row, "split": splits.of[str(row["id"])]} for row in rows],
            posts=posts,
            splits=splits,
            media=self.work.media,
            yields=self.drafts.yields if self.drafts else {},
            rounds=self.drafts.rounds if self.drafts else {},
            study=sheet,
            collected=self.work.current()["collect"]["posts"],
        )
        write_release(material, self.work.release)
        self.work.mark("release", [], folder=str(self.work.release))
        self.events.ended(f"{count_noun(len(rows), 'item')} in {self.work.release}")
        return Outcome(posts, self.work.release, notes=splits.notes, seconds=self.seconds)

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
        splits = split_rows(rows, groups, shares, strata, self.file.curation.seed)
        splits = replace(splits, notes=(*splits.notes, *self._loose(splits)))
        key = key_of(self.key, shares, strata, sorted(splits.of.items()))
        called = {building.item(post): post.id for post in self.posts}
        of = {called.get(name, name): split for name, split in splits.of.items()}
        self.work.write_json("split", key, {"of": of, "sizes": splits.sizes})
        self.work.mark("split", [key])
        return splits
