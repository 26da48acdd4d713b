"""What raw posts become on their way to a benchmark: the post with all that is known of it, what a
model drafts of it, and what a benchmark has to have so that one of its kind can be built."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, Literal, Protocol, Self, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue

from deadpan.base.errors import InputError
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Language

StageName = Literal[
    "collect", "open", "read", "purify", "deduplicate", "draft", "people", "split", "release"
]
"""The stages in their order."""
Speaker = Literal["sender", "receiver", "other"]
"""Who shares something, whom it is for, and anybody else."""
FormT = TypeVar("FormT", bound=BaseModel)
_LONGEST_NAME = 150
"""Bytes of an item's name, so that endings and temporary names fit behind it."""


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReadLine(_Fact):
    """A line of words in a picture, and where it stands, in the picture's own pixels."""

    text: str
    confidence: float
    x1: int
    y1: int
    x2: int
    y2: int


class PostMedia(_Fact):
    """A picture or a video of a post."""

    kind: Literal["picture", "video"] = "picture"
    given: str
    """The file or address that the post names."""
    url: str = ""
    """Where it is published, if it is."""
    file: str = ""
    """The cleaned file's name in the work folder's `media`; empty before it was opened."""
    sha256: str = ""
    """Of the cleaned file."""
    width: int = 0
    height: int = 0
    seconds: float = 0.0
    """Of a video."""
    lines: tuple[ReadLine, ...] = ()
    """What is written in it, in reading order."""
    hashes: tuple[str, ...] = ()
    """Perceptual hashes, hexadecimal, by which copies are looked for."""
    content: float = 1.0
    """The share of it that is neither a frame nor a bar."""
    bytes: int = 0
    """Of the cleaned file."""
    colours: float = 100.0
    """How far its colours lie apart: nothing where it is grey, little where it is toned."""
    marks: tuple[str, ...] = ()
    """Fingerprints of what may be a watermark or logo, to be counted across posts."""


class PostTurn(_Fact):
    """A message of the conversation in which something was shared, or a comment on a post."""

    speaker: Speaker
    text: str
    shares_media: bool = False


class Flag(_Fact):
    """Something that people should look at; it drops nothing."""

    stage: StageName
    kind: str
    what: str = ""


class Drop(_Fact):
    """Why a post is not in the benchmark: the stage, the reason by which drops are counted, and
    what was seen of this post."""

    stage: StageName
    reason: str
    what: str = ""


class Post(_Fact):
    """One post and all that is known of it so far. A stage gives it back with more; one that drops
    it says why, and later stages leave it alone."""

    id: str
    source: str
    """The entry of the configuration that it came from."""
    where: str
    """Its place there: file, or file and line."""
    text: str = ""
    language: Language | None = None
    media: tuple[PostMedia, ...] = ()
    turns: tuple[PostTurn, ...] = ()
    url: str = ""
    licence: str = ""
    transcript: str = ""
    """What is said in its video."""
    attributes: Mapping[str, str] = {}
    """What else its source tells."""
    flags: tuple[Flag, ...] = ()
    drop: Drop | None = None
    group: str = ""
    """Posts of one group share a picture, a template or their words, and stay in one split."""
    draft: Mapping[str, JsonValue] = {}
    """What a model drafted, in the benchmark's own terms."""

    def changed(self, **fields: object) -> Self:
        """The post with some fields otherwise."""
        return self.model_copy(update=fields)

    def dropped(self, stage: StageName, reason: str, what: str = "") -> Self:
        """The post, dropped for a reason."""
        return self.changed(drop=Drop(stage=stage, reason=reason, what=what))

    def flagged(self, stage: StageName, kind: str, what: str = "") -> Self:
        """The post with one more flag."""
        return self.changed(flags=(*self.flags, Flag(stage=stage, kind=kind, what=what)))

    @property
    def caption(self) -> str:
        """What is said beside its media: its text, or else the conversation that they were shared
        in, a line each."""
        if self.text or not self.is_shared_in_turns:
            return self.text
        return "\n".join(turn.text for turn in self.turns if turn.text.strip())

    @property
    def is_shared_in_turns(self) -> bool:
        """Whether its turns are the conversation in which it was shared; else they are what was
        answered to it."""
        return any(turn.shares_media for turn in self.turns)

    @property
    def picture_text(self) -> str:
        """What is written in all of its pictures, a line each."""
        return "\n".join(line.text for one in self.media for line in one.lines)

    @property
    def words(self) -> str:
        """Everything that it says: caption, turns, and what is written in its pictures."""
        said = [self.text, *(turn.text for turn in self.turns), self.picture_text]
        return "\n".join(filter(None, (one.strip() for one in said)))

    @property
    def picture(self) -> PostMedia | None:
        """The first of its pictures that could be opened; None where there is none."""
        return next((one for one in self.media if one.kind == "picture" and one.file), None)

    @property
    def written_in(self) -> Language:
        """Its language; where it has none, which is where it has no words, English."""
        return self.language or "en"

    def file_name(self, media: PostMedia) -> str:
        """What a file of it is called in a release: its id, or a checksum of an id that no file
        system takes, with the ending of the file."""
        plain = re.fullmatch(r"[\w-][\w.-]*", self.id) and len(self.id.encode()) <= _LONGEST_NAME
        name = self.id if plain else sha256(self.id.encode()).hexdigest()[:16]
        return f"{name}{PurePosixPath(media.file).suffix}"


class Unusable(Exception):
    """A model gave no reply that a protocol can go on with; `refused` where it would not. The
    protocol that it ends says which rounds and steps came before, so that they count."""

    rounds: tuple[Round, ...] = ()
    steps: tuple[str, ...] = ()

    def __init__(self, message: str, refused: bool = False) -> None:
        super().__init__(message)
        self.refused = refused

    def after(self, rounds: Sequence[Round], steps: Sequence[str]) -> Self:
        """The same, after these rounds and steps."""
        self.rounds, self.steps = tuple(rounds), tuple(steps)
        return self


class Interview(Protocol):
    """How a protocol asks a model about a post: one step of it, in a form that the reply has to
    have. Raises `Unusable`. `check` raises ValueError for a reply that has the form and still
    cannot be used; the model is told why and asked again."""

    async def __call__(
        self,
        step: str,
        form: type[FormT],
        values: Mapping[str, str],
        media: Sequence[Path] = (),
        check: Callable[[FormT], None] = lambda reply: None,
        role: Literal["writer", "validator"] = "writer",
        attempt: int = 1,
    ) -> FormT: ...


class Round(_Fact):
    """One round of a protocol that writes, checks and writes again: what was written, what was said
    of it, and by what rule it was kept, sent back or rejected."""

    number: int
    written: Mapping[str, JsonValue]
    verdict: str
    feedback: Mapping[str, JsonValue] = {}


class Drafted(_Fact):
    """What a protocol made of a post: fields in the benchmark's own terms, or why there are none;
    every round; and how far it came, for the yield of each step."""

    draft: Mapping[str, JsonValue] = {}
    rejected: str = ""
    """The reason, by which such posts are counted; empty where the draft is kept."""
    what: str = ""
    rounds: tuple[Round, ...] = ()
    steps: tuple[str, ...] = ()
    """The steps that it passed, in order."""


DraftProtocol = Callable[[Post, Interview, Path, int], Awaitable[Drafted]]
"""From a post, whom to ask, the folder of its media and how many rounds there may be at most."""


@dataclass(frozen=True)
class ReleasedFiles:
    """What a benchmark's own files hold: their texts by name, and which media go where."""

    texts: Mapping[str, str]
    media: Mapping[str, str] = field(default_factory=dict)
    """By the name in the release, the name in the work folder's `media`."""


def split_folder(split: str) -> str:
    """Where in a release the items of a split lie, of a benchmark whose files know no splits: those
    of `test`, which is what is evaluated, at the top, others in a data folder of their own. A name
    that is no folder's raises."""
    if not re.fullmatch(r"[\w-]+", split):
        raise InputError(f"split {split}", "is no name", "Use letters, digits, - and _.")
    return "" if split == "test" else f"splits/{split}/"


@dataclass(frozen=True)
class Building:
    """How a benchmark of this kind is built from posts."""

    media: Literal["picture", "video"]
    """What a post has to show."""
    steps: tuple[str, ...]
    """The steps of its drafting protocol, each a prompt `curation/prompts/LANGUAGE/STEP.txt`."""
    draft: DraftProtocol
    candidates: Callable[[Sequence[Post], Path], Dataset[Any]]
    """Posts, with their drafts, as records that the benchmark's study templates take; what nobody
    has said yet is missing in them. The path is the folder of media."""
    template: str
    """The study that people settle them in, where the configuration names none."""
    rows: Callable[[Post, Mapping[str, JsonValue]], dict[str, JsonValue]]
    """One settled item as a row: from the post, and what was settled (a line of what the study
    template writes, or the draft where nobody is asked)."""
    files: Callable[[Sequence[Mapping[str, JsonValue]]], ReleasedFiles]
    """The benchmark's own files from rows, each with its `split`."""
    needs_people: bool = False
    """Whether drafts alone make no benchmark: its gold is what people say."""
    item: Callable[[Post], str] = lambda post: post.id
    """What the post is called in the records of `candidates` and in what is settled of it."""
    strata: tuple[str, ...] = ()
    """Fields of rows by which splits are stratified where the configuration names none."""
    splits: Mapping[str, float] = field(default_factory=lambda: {"test": 1.0})
    """The usual splits and their shares; those of the paper."""
    slang: tuple[str, ...] = ()
    """The lists of keywords that its paper searched by."""
