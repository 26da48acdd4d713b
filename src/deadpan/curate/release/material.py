"""What a release is made from, and what is to be said of a data set however it came about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.base.version import __version__
from deadpan.core.benchmark import Benchmark
from deadpan.core.curation import Building, Post, Round
from deadpan.core.questions import Language
from deadpan.curate.schema import Creator, Curation
from deadpan.curate.splitting import Splits

Row = Mapping[str, JsonValue]
NOT_STATED = "not stated"
"""What is said of whatever nobody has said."""


@dataclass(frozen=True)
class About:
    """What its makers say of a data set; what is empty was not stated."""

    name: str
    title: str
    benchmark: str
    """Whose format it has."""
    benchmark_title: str
    shows: str = "picture"
    """Pictures or videos."""
    version: str = ""
    licence: str = NOT_STATED
    licensed: str = "the annotations"
    """What is under that licence."""
    description: str = ""
    citation: str = ""
    url: str = ""
    date: str = ""
    creators: tuple[Creator, ...] = ()
    use_cases: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    biases: tuple[str, ...] = ()
    social_impact: str = ""
    personal_information: str = ""
    has_media: bool = True
    """Whether pictures and videos go along, or only where they are published."""
    shown_licences: tuple[str, ...] = ()
    """Those of the pictures and videos that go along."""
    trial: str = "--model baseline/random"
    """With which options `deadpan run` asks without a model or a key."""
    deadpan: str = __version__


@dataclass(frozen=True)
class Items:
    """The items of a data set: by each field that counts are given for, the value of each item."""

    values: Mapping[str, Sequence[str]]
    splits: Sequence[str]
    """The names of splits in their order."""

    def __len__(self) -> int:
        return len(next(iter(self.values.values()), ()))

    def of(self, field: str) -> Sequence[str]:
        """The value of each item, in their order."""
        return self.values[field]

    @property
    def fields(self) -> tuple[str, ...]:
        """What counts are given for, besides splits: language, source and labels."""
        return tuple(name for name in self.values if name != "split")


@dataclass(frozen=True)
class Material:
    """Everything that a release says: the rows of the items, and all posts, those that were dropped
    too. Rows have the `id` of their post, and their `split`."""

    curation: Curation
    text: str
    """The configuration as it was run."""
    benchmark: Benchmark[Any]
    rows: Sequence[Row]
    posts: Sequence[Post]
    splits: Splits
    media: Path
    """The work folder's cleaned files."""
    yields: Mapping[str, int] = field(default_factory=dict)
    """By step of drafting how many posts passed it."""
    rounds: Mapping[str, Sequence[Round]] = field(default_factory=dict)
    """By post what was written and said of it."""
    study: str = ""
    """The datasheet of the study in which people decided, in Markdown."""
    agreement: Sequence[str] = ()
    collected: int | None = None
    """How many posts there were before some became several; as many as there are if left out."""
    version: str = __version__
    """Of Deadpan."""

    @cached_property
    def building(self) -> Building:
        """How the benchmark's files are made; one that cannot be built from posts raises."""
        if self.benchmark.building is None:
            raise DeadpanError(f"{self.benchmark.name} cannot be built from posts")
        return self.benchmark.building

    @cached_property
    def by_id(self) -> Mapping[str, Post]:
        """The posts by their ids, and by what the benchmark calls them."""
        called = {self.building.item(post): post for post in self.posts}
        return called | {post.id: post for post in self.posts}

    def post_of(self, row: Row) -> Post:
        """The post that a row came of; a row of none raises."""
        name = str(row["id"])
        if name not in self.by_id:
            raise DeadpanError(f"{name}: there is no post of this id that the item came of")
        return self.by_id[name]

    @cached_property
    def label_fields(self) -> tuple[str, ...]:
        """The fields of rows by which splits are kept in proportion, but for the language."""
        fields = self.curation.split.by or self.building.strata
        return tuple(name for name in fields if name != "language")

    @property
    def languages(self) -> tuple[Language, ...]:
        """Those that items are in, of those that the benchmark has."""
        spoken = set(self.items.of("language"))
        return tuple(one for one in self.benchmark.languages if one in spoken)

    @cached_property
    def items(self) -> Items:
        """The items as they are counted."""
        posts = [self.post_of(row) for row in self.rows]
        spoken = [row.get("language") for row in self.rows]
        # Some benchmarks have a label of that name, which is not where the post was collected.
        source = "collected from" if "source" in self.label_fields else "source"
        values = {
            "split": [str(row["split"]) for row in self.rows],
            "language": [
                str(own or post.language or NOT_STATED)
                for own, post in zip(spoken, posts, strict=True)
            ],
            **{name: [shown(row.get(name)) for row in self.rows] for name in self.label_fields},
            source: [post.source for post in posts],
        }
        return Items(values, tuple(self.splits.sizes))

    @cached_property
    def licences(self) -> Mapping[str, int]:
        """The licences of what is shown, by how many items have them."""
        by_source = {one.name: one.licence for one in self.curation.collect}
        posts = [self.post_of(row) for row in self.rows]
        found = Counter(one.licence or by_source.get(one.source, "") or NOT_STATED for one in posts)
        return dict(sorted(found.items(), key=lambda entry: (-entry[1], entry[0])))

    @property
    def about(self) -> About:
        """What its makers say of it."""
        said = self.curation.release
        return About(
            name=self.curation.name,
            title=self.curation.shown,
            benchmark=self.benchmark.name,
            benchmark_title=self.benchmark.title,
            shows=self.building.media,
            version=said.version,
            licence=said.licence,
            description=said.description,
            citation=said.citation,
            url=said.url,
            date=said.date,
            creators=said.creators,
            use_cases=said.use_cases,
            limitations=said.limitations,
            biases=said.biases,
            social_impact=said.social_impact,
            personal_information=said.personal_information,
            has_media=said.media == "files",
            shown_licences=tuple(self.licences) if said.media == "files" else (),
            trial=trial_of(self.benchmark),
            deadpan=self.version,
        )


def trial_of(benchmark: Benchmark[Any]) -> str:
    """The options with which `deadpan run` asks about a benchmark without a model or a key."""
    model = "editor/caption" if benchmark.edits else "baseline/random"
    judged = any(task.judge and not task.judge_optional for task in benchmark.tasks)
    return f"--model {model}" + (" --judge judge/lexical" if judged else "")


def shown(value: JsonValue) -> str:
    """A value of a row as counts name it."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(shown(one) for one in value)
    return str(value)
