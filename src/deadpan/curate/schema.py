"""What a curation's file may say; with the data it fully determines the result."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

from deadpan.core.questions import Language
from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES

OneT = TypeVar("OneT")
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Verdict = Literal["drop", "flag", "keep"]
"""What becomes of a post in which something is found."""
ListName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]


def _several(given: Any) -> Any:
    """A list, of one where its one entry stands by itself."""
    return [given] if isinstance(given, str) else given


Several = Annotated[tuple[OneT, ...], BeforeValidator(_several)]


class Said(BaseModel):
    """What a file says: nothing unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Fields(Said):
    """What the columns or fields of a table are called there; `pictures` may hold one name, a
    list, or names parted by `;`."""

    id: str = "id"
    """What a post is known by."""
    text: Several[str] = ("text",)
    """Joined, in this order, where there are several."""
    pictures: Several[str] = ("image", "images", "picture", "pictures")
    """One name, a list, or names parted by `;`."""
    videos: Several[str] = ("video", "videos")
    """Likewise."""
    comments: Several[str] = ("comments",)
    """What was answered to the post: texts, or objects with `text` and, where it is not the
    receiver's, `speaker` (sender, receiver, other)."""
    url: str = "url"
    """Where it was published."""
    language: str = "language"
    """`en`, `zh`, or what else it is in."""
    licence: str = "licence"
    """Under which it was published."""
    transcript: str = "transcript"
    """What is said in a video."""


class Source(Said):
    """Where posts come from: a folder of media, a table (JSONL, CSV, Parquet) of posts or of
    addresses, or a folder of chat exports with the consent of those who wrote them."""

    name: ListName
    """Stands before the ids of its posts."""
    path: Path
    """The folder or table."""
    kind: Literal["folder", "table", "chats"] | None = None
    """Told by the path where it is left out."""
    fields: Fields = Fields()
    """What its columns are called."""
    language: Language | None = None
    """Of all its posts, where they do not say; else it is told by the script."""
    licence: str = ""
    """Of its posts, where they do not say."""
    fetch: bool = False
    """Whether media that are addresses are fetched, politely."""
    contact: str = ""
    """An address that sites may write to, which the fetcher says it is of."""
    consent: Path | None = None
    """Of chats: a CSV of those who signed (`participant,signed,date`, or more)."""
    limit: Count | None = None
    """The first posts only."""


class Keywords(Said):
    """Which posts are looked at: those whose words hold one of these; all where none is named."""

    lists: Several[ListName] = ()
    """Lists that come along; `deadpan curate keywords` prints them."""
    words: Several[str] = ()
    """Words of your own."""
    without: Several[str] = ()
    """Posts that hold one of these are dropped."""
    tags: Literal["strip", "keep"] = "strip"
    """Hashtags that are one of the words, or say what a benchmark asks for (the list `labels`), are
    taken out of captions: a model would read the answer there."""


class Opening(Said):
    """How files are opened, and what may not be in them."""

    most_megapixels: Annotated[float, Field(gt=0, le=80)] = 40
    """Of a picture; larger ones are dropped."""
    most_megabytes: Annotated[float, Field(gt=0)] = 64
    """Of a file."""
    most_seconds: Annotated[float, Field(gt=0)] = 600
    """Of a video."""
    anonymise: bool = True
    """Whether names, numbers and addresses are taken out of texts."""
    faces: Verdict = "flag"
    """What becomes of pictures with faces."""
    screenshots: Verdict = "flag"
    """What becomes of screenshots of chats."""
    personal: Verdict = "flag"
    """What leads to a person in the words of a picture."""


class Reading(Said):
    """How words in pictures are read."""

    ocr: bool = True
    """Whether words in pictures are read at all."""
    confidence: Share = 0.5
    """Lines that OCR is less sure of are left out."""
    several: Literal["join", "first", "split"] = "join"
    """A post with several pictures: stays one post, keeps its first picture, or becomes several."""


class Purifying(Said):
    """What a picture has to be like, and what may not be on it."""

    shortest_side: Annotated[int, Field(ge=0)] = 200
    """In pixels, at least."""
    flattest: Annotated[float, Field(ge=1)] = 6.0
    """The longer side may be so many times the shorter."""
    mark_area: Share = 0.02
    """The share of a picture that marks laid over it may cover."""
    repeated: Count = 10
    """From so many posts on, a mark at the same place is a publisher's."""
    marks: Verdict = "drop"
    """What becomes of pictures under publishers' marks."""
    contacts: Verdict = "drop"
    """Telephone numbers, accounts and addresses that are written into a picture or caption."""
    adverts: Verdict = "drop"
    """What becomes of advertisements."""
    slurs: Verdict = "flag"
    """What becomes of posts with slurs."""


class Deduplicating(Said):
    """When two posts are one: hashes propose, picture and words decide."""

    bits: Annotated[int, Field(ge=0, le=8)] = 4
    """How many of 64 bits two hashes may differ in to be looked at."""
    captions: Literal["compare", "ignore"] = "compare"
    """Whether captions, where both have one, have to agree as well."""
    caption_agreement: Share = 0.8
    """How alike captions have to be."""


class Drafting(Said):
    """Who drafts, and who validates, by the benchmark's protocol."""

    model: str
    """Who writes."""
    validator: str | None = None
    """Another model, where the protocol has one look at what was written; the same if left out."""
    blind: str | None = None
    """A model that tries to answer questions without seeing anything; the same if left out."""
    rounds: Annotated[int, Field(ge=1, le=10)] = 3
    """How often what is sent back is written anew, at most."""
    store: Path | None = None
    """The answer store; in the work folder where it is left out."""
    max_connections: Count = 10
    """Calls in flight at once."""
    max_retries: Annotated[int, Field(ge=0)] = MAX_RETRIES
    """How often a failing call is tried again."""
    timeout: Count = ATTEMPT_SECONDS
    """Seconds that one attempt may take."""
    give_up: Annotated[int, Field(ge=0)] = GIVE_UP_SECONDS
    """Stop when nothing succeeded for so many seconds; 0 never stops."""
    temperature: Annotated[float, Field(ge=0)] | None = None
    """In place of the protocol's."""
    max_tokens: Count | None = None
    """How long a reply may be."""
    seed: int | None = None
    """Sent to providers that take one."""
    max_cost: Annotated[float, Field(gt=0)] | None = None
    """US dollars, after which no call begins."""
    on_failure: Literal["wait", "skip"] = "wait"
    """Whether posts that a model could not be asked about hold up what follows, or are left
    without a draft, as refused ones are."""


class People(Said):
    """The study in which people decide."""

    template: str | None = None
    """BENCHMARK/STUDY; the benchmark's own where it is left out."""
    set: dict[str, str | int | float] = Field(default_factory=dict)
    """The template's options."""
    folder: Path | None = None
    """Where the study lies; in the work folder where it is left out."""


class Splitting(Said):
    """How items are parted: groups stay together, strata are kept in proportion."""

    shares: dict[str, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    """By split; the benchmark's own where they are left out."""
    by: Several[str] = ()
    """Fields of records; the benchmark's own where they are left out."""


class Creator(Said):
    """Who made the data set."""

    name: str
    """As it is to be cited."""
    url: str = ""
    """Their page."""
    email: str = ""
    """Where they can be asked."""


def _day(given: str) -> str:
    """A day of the calendar, or nothing."""
    try:
        return str(date.fromisoformat(given)) if given else ""
    except ValueError:
        raise ValueError("expected a day such as 2026-03-31") from None


class Releasing(Said):
    """What goes out, and what is said of it."""

    version: str = "1.0.0"
    """Of the data set."""
    licence: str = "not stated"
    """Of the annotations: an SPDX name or an address."""
    media: Literal["files", "addresses"] = "files"
    """Whether pictures are in the release, or only where they are published."""
    creators: tuple[Creator, ...] = ()
    """Who made it."""
    url: str = ""
    """Where it can be had."""
    description: str = ""
    """What is in it, in two or three sentences."""
    citation: str = ""
    """How it is to be cited."""
    date: Annotated[str, AfterValidator(_day)] = ""
    """The day it is published, YYYY-MM-DD."""
    use_cases: Several[str] = ()
    """What it is for."""
    limitations: Several[str] = ()
    """What it cannot tell."""
    biases: Several[str] = ()
    """In what it leans."""
    social_impact: str = ""
    """What it may do."""
    personal_information: str = ""
    """What is in it of people."""
    plugin: bool = True
    """Whether a Deadpan plug-in skeleton goes along."""


class Curation(Said):
    """From raw posts to a benchmark."""

    name: ListName
    """Of the data set."""
    title: str = ""
    """What it is called; its name where it is left out."""
    benchmark: str
    """Whose format, protocol and study."""
    out: Path | None = None
    """The work folder; the file's name where it is left out."""
    languages: Several[Language] = ()
    """Posts in others are dropped; none named: all."""
    seed: int = 0
    """Decides whatever is drawn."""
    shard: Annotated[int, Field(ge=1, le=10_000)] = 50
    """Posts that are worked on, and lost by a kill, together."""
    collect: Annotated[tuple[Source, ...], Field(min_length=1)]
    """Where posts come from."""
    keywords: Keywords = Keywords()
    """Which posts are looked at."""
    open: Opening = Opening()
    """How files are opened."""
    read: Reading = Reading()
    """How words in pictures are read."""
    purify: Purifying = Purifying()
    """What a picture has to be like."""
    deduplicate: Deduplicating = Deduplicating()
    """When two posts are one."""
    draft: Drafting | None = None
    """A model that goes first; nobody does where it is left out."""
    people: People | None = None
    """The study that settles drafts; drafts are released where it is left out."""
    split: Splitting = Splitting()
    """How items are parted."""
    release: Releasing = Releasing()
    """What goes out."""

    @property
    def shown(self) -> str:
        """What it is called."""
        return self.title or self.name


JsonRow = dict[str, JsonValue]
