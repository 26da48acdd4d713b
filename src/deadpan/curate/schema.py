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
    text: Several[str] = ("text",)
    """Joined, in this order, where there are several."""
    pictures: Several[str] = ("image", "images", "picture", "pictures")
    videos: Several[str] = ("video", "videos")
    comments: Several[str] = ("comments",)
    """What was answered to the post: texts, or objects with `text` and, where it is not the
    receiver's, `speaker` (sender, receiver, other)."""
    url: str = "url"
    language: str = "language"
    licence: str = "licence"
    transcript: str = "transcript"


class Source(Said):
    """Where posts come from: a folder of media, a table (JSONL, CSV, Parquet) of posts or of
    addresses, or a folder of chat exports with the consent of those who wrote them."""

    name: ListName
    path: Path
    kind: Literal["folder", "table", "chats"] | None = None
    """Told by the path where it is left out."""
    fields: Fields = Fields()
    language: Language | None = None
    """Of all its posts, where they do not say; else it is told by the script."""
    licence: str = ""
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
    words: Several[str] = ()
    without: Several[str] = ()
    """Posts that hold one of these are dropped."""
    tags: Literal["strip", "keep"] = "strip"
    """Hashtags that are one of the words, or say what a benchmark asks for (the list `labels`), are
    taken out of captions: a model would read the answer there."""


class Opening(Said):
    """How files are opened, and what may not be in them."""

    most_megapixels: Annotated[float, Field(gt=0, le=80)] = 40
    most_megabytes: Annotated[float, Field(gt=0)] = 64
    most_seconds: Annotated[float, Field(gt=0)] = 600
    """Of a video."""
    anonymise: bool = True
    """Whether names, numbers and addresses are taken out of texts."""
    faces: Verdict = "flag"
    screenshots: Verdict = "flag"
    personal: Verdict = "flag"
    """What leads to a person in the words of a picture."""


class Reading(Said):
    """How words in pictures are read."""

    ocr: bool = True
    confidence: Share = 0.5
    """Lines that OCR is less sure of are left out."""
    several: Literal["join", "first", "split"] = "join"
    """A post with several pictures: stays one post, keeps its first picture, or becomes several."""


class Purifying(Said):
    """What a picture has to be like, and what may not be on it."""

    shortest_side: Annotated[int, Field(ge=0)] = 200
    flattest: Annotated[float, Field(ge=1)] = 6.0
    """The longer side may be so many times the shorter."""
    mark_area: Share = 0.02
    """The share of a picture that marks laid over it may cover."""
    repeated: Count = 10
    """From so many posts on, a mark at the same place is a publisher's."""
    marks: Verdict = "drop"
    contacts: Verdict = "drop"
    """Telephone numbers, accounts and addresses that are written into a picture or caption."""
    adverts: Verdict = "drop"
    slurs: Verdict = "flag"


class Deduplicating(Said):
    """When two posts are one: hashes propose, picture and words decide."""

    bits: Annotated[int, Field(ge=0, le=8)] = 4
    """How many of 64 bits two hashes may differ in to be looked at."""
    captions: Literal["compare", "ignore"] = "compare"
    """Whether captions, where both have one, have to agree as well."""
    caption_agreement: Share = 0.8


class Drafting(Said):
    """Who drafts, and who validates, by the benchmark's protocol."""

    model: str
    validator: str | None = None
    """Another model, where the protocol has one look at what was written; the same if left out."""
    blind: str | None = None
    """A model that tries to answer questions without seeing anything; the same if left out."""
    rounds: Annotated[int, Field(ge=1, le=10)] = 3
    """How often what is sent back is written anew, at most."""
    store: Path | None = None
    """The answer store; in the work folder where it is left out."""
    max_connections: Count = 10
    max_retries: Annotated[int, Field(ge=0)] = MAX_RETRIES
    timeout: Count = ATTEMPT_SECONDS
    give_up: Annotated[int, Field(ge=0)] = GIVE_UP_SECONDS
    temperature: Annotated[float, Field(ge=0)] | None = None
    max_tokens: Count | None = None
    seed: int | None = None
    max_cost: Annotated[float, Field(gt=0)] | None = None
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
    url: str = ""
    email: str = ""


def _day(given: str) -> str:
    """A day of the calendar, or nothing."""
    try:
        return str(date.fromisoformat(given)) if given else ""
    except ValueError:
        raise ValueError("expected a day such as 2026-03-31") from None


class Releasing(Said):
    """What goes out, and what is said of it."""

    version: str = "1.0.0"
    licence: str = "not stated"
    """Of the annotations: an SPDX name or an address."""
    media: Literal["files", "addresses"] = "files"
    """Whether pictures are in the release, or only where they are published."""
    creators: tuple[Creator, ...] = ()
    url: str = ""
    description: str = ""
    citation: str = ""
    date: Annotated[str, AfterValidator(_day)] = ""
    """The day it is published, YYYY-MM-DD."""
    use_cases: Several[str] = ()
    limitations: Several[str] = ()
    biases: Several[str] = ()
    social_impact: str = ""
    personal_information: str = ""
    plugin: bool = True
    """Whether a Deadpan plug-in skeleton goes along."""


class Curation(Said):
    """From raw posts to a benchmark."""

    name: ListName
    title: str = ""
    benchmark: str
    """Whose format, protocol and study."""
    out: Path | None = None
    """The work folder; the file's name where it is left out."""
    languages: Several[Language] = ()
    """Posts in others are dropped; none named: all."""
    seed: int = 0
    shard: Annotated[int, Field(ge=1, le=10_000)] = 50
    """Posts that are worked on, and lost by a kill, together."""
    collect: Annotated[tuple[Source, ...], Field(min_length=1)]
    keywords: Keywords = Keywords()
    open: Opening = Opening()
    read: Reading = Reading()
    purify: Purifying = Purifying()
    deduplicate: Deduplicating = Deduplicating()
    draft: Drafting | None = None
    people: People | None = None
    split: Splitting = Splitting()
    release: Releasing = Releasing()

    @property
    def shown(self) -> str:
        """What it is called."""
        return self.title or self.name


JsonRow = dict[str, JsonValue]
