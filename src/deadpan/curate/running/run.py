"""A curation run from stage to stage: what was done before is taken as it is."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
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
    has_people,
    has_study,
    settled,
    settled_words,
    study_of,
    template_of,
)
from deadpan.curate.running.batches import Runner
from deadpan.curate.running.collected import collected
from deadpan.curate.running.copies import deduplicated
from deadpan.curate.running.folder import WorkFolder, key_of
from deadpan.curate.running.prepared import prepared
from deadpan.curate.running.progress import CurationEvents
from deadpan.curate.running.releasing import Releasing
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
        {
            "rounds": done.rounds,
            "yields": done.yields,
            "failed": done.failed,
            "asked": done.asked,
        },
    )
    work.write_posts("draft", key, found)
    work.mark("draft", [key])
    events.ended(", ".join(f"{step} {many:,}" for step, many in done.yields.items()))
    for line in usage_words(done.usage):
        events.ended(f"{line}, whenever it was asked")
    return key, found, done


def _undrafted(post: Post) -> Post:
    """A post that nobody drafted and nobody is asked about, dropped with why there is no draft."""
    told = next((flag for flag in reversed(post.flags) if flag.stage == "draft"), None)
    bare = post.changed(flags=tuple(flag for flag in post.flags if flag != told))
    return bare.dropped("draft", *((told.kind, told.what) if told else ("no draft",)))


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
        self._require_same(folder, key_of(kept, template.name, people.set))
        candidates = building.candidates(kept, self.work.media)
        if not candidates.records:
            what = "no post can be put to people: none has the draft that its study begins with"
            raise DeadpanError(f"{what}; `deadpan curate status` says why")
        study = study_of(people, template, folder, candidates, self.file.curation.seed)
        if left := study.open_items:
            waiting = (
                f"{count_noun(left, 'item')} wait{'s' if left == 1 else ''} for people: `deadpan "
                f"study invite {folder} NAME`, `deadpan study serve {folder}`; then the same "
                f"command again (`deadpan study close {folder}` ends it as it is)"
            )
            notes = (*study.notes, *study.invitations)
            return Outcome(self.posts, waiting=waiting, notes=notes, seconds=self.seconds)
        done = settled(study)
        posts, rows = decided(self.posts, done, building.item)
        key = key_of(self.key, rows)
        self.work.write_posts("people", key, posts)
        self.work.mark("people", [key])
        self.events.ended(settled_words(posts))
        return self._released(posts, rows, done.datasheet)

    def _require_same(self, folder: Path, made_from: str) -> None:
        """Raises where the folder's study was made from other posts, or with other options, and
        somebody is in it; where nobody is, it is made anew. Notes from which it is made where there
        is none yet."""
        was = self.work.current().get("study", {}).get("keys", [made_from])
        if has_study(folder) and was != [made_from]:
            if has_people(folder):
                raise DeadpanError(
                    f"{folder}: people are in this study, which was made from other posts or with "
                    "other options, and is never made anew. Finish it with the file it was made "
                    "by, or name another folder (people: folder: …)."
                )
            shutil.rmtree(folder)
        if not has_study(folder):
            self.work.mark("study", [made_from])

    def _released(
        self, posts: Sequence[Post], settled_rows: Mapping[str, Row], sheet: str
    ) -> Outcome:
        done = Releasing(self.file, self.work, self.key, posts, self.drafts)
        notes = done.released(settled_rows, sheet)
        many = count_noun(len(settled_rows), "item")
        self.events.ended(f"{many} in {self.work.release}")
        return Outcome(posts, self.work.release, notes=notes, seconds=self.seconds)
