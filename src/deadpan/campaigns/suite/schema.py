"""What a campaign's file may say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    JsonValue,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue

from deadpan.core.questions import Language
from deadpan.core.selection import Exclusion
from deadpan.core.usage import Dollars
from deadpan.core.variants import Variant
from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES
from deadpan.engine.calls import CallOptions, EngineKind
from deadpan.engine.requests import Effort, Sampling

Name = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
ALL = "all"
Shortcut = Literal[
    "all",
    "text-only",
    "blank",
    "swapped",
    "picture-only",
    "question-only",
    "shuffled-options",
    "shuffled-panels",
]
"""The variants that models may be asked in besides; `all` that apply."""
OneT = TypeVar("OneT")


def _several(given: Any) -> Any:
    """A list, of one where its one entry stands by itself."""
    return [given] if isinstance(given, str) else given


Several = Annotated[tuple[OneT, ...], BeforeValidator(_several)]


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PriceEntry(_Said):
    """US dollars per million tokens read and written."""

    input: Dollars
    """Per million tokens that are read."""
    output: Dollars
    """Per million tokens that are written, reasoning included."""


class _Shortened(_Said):
    """What may be said by one of its fields alone."""

    alone: ClassVar[str]

    @model_validator(mode="before")
    @classmethod
    def _said_alone(cls, given: Any) -> Any:
        return {cls.alone: given} if isinstance(given, str) else given

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: Any, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"anyOf": [handler(schema), {"type": "string"}]}


class _Named(_Shortened):
    alone = "name"
    name: Name
    """As on the command line."""


class _Asked(_Named):
    """Somebody who is asked: how many calls at once, how long and how often each is tried, and
    after how many seconds without any answer it is given up (0: never)."""

    max_connections: Count = 10
    """Calls in flight at once."""
    max_retries: Annotated[int, Field(ge=0)] = MAX_RETRIES
    """How often a failing call is tried again."""
    timeout: Count = ATTEMPT_SECONDS
    """Seconds that one attempt may take."""
    give_up: Annotated[int, Field(ge=0)] = GIVE_UP_SECONDS
    """Stop when nothing succeeded for so many seconds; 0 never stops."""
    price: PriceEntry | None = None
    """What it costs, where the price table does not know or is wrong."""

    @property
    def calls(self) -> CallOptions:
        """How calls are made."""
        return CallOptions(self.max_connections, self.max_retries, self.timeout, self.give_up)


class ModelEntry(_Asked):
    """A model, what tables and plots call it, and how it is asked."""

    title: str = ""
    """What tables, plots and the report call it; its name where none is given."""
    engine: EngineKind = "auto"
    """What runs `local/…` models, or `ray`."""
    ray_address: str | None = None
    """The cluster, with `ray`."""
    batch: bool = False
    """Whether it is asked through its provider's batch API."""
    variant: Variant = Variant.FULL
    """How items are shown, or what is left out of them."""
    fewshot: str | None = None
    """Worked examples in the prompt, such as `retrieval:1`."""
    again: str = ""
    """A label under which everything is asked anew."""
    temperature: Annotated[float, Field(ge=0)] | None = None
    """In place of the papers'."""
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    """In place of the papers'."""
    max_tokens: Count | None = None
    """How long a reply may be, reasoning included."""
    seed: int | None = None
    """Sent to providers that take one."""
    reasoning_effort: Effort | None = None
    """How hard it thinks, if it reasons."""
    reasoning_tokens: Count | None = None
    """Tokens for reasoning, where that can be set."""
    extra_body: dict[str, JsonValue] = Field(default_factory=dict)
    """Fields added to each request's body."""
    model_args: dict[str, JsonValue] = Field(default_factory=dict)
    """Arguments of the provider or engine, as `-M` gives them."""

    @property
    def shown(self) -> str:
        """What it is called."""
        return self.title or self.name

    @property
    def sampling(self) -> Sampling:
        """How it writes."""
        return Sampling(**{name: getattr(self, name) for name in Sampling.model_fields})


class JudgeEntry(_Asked):
    """Who judges: how often each answer, what it is shown beyond the paper's judge, and whether it
    may judge answers of its own."""

    epochs: Count = 1
    """How often each answer is judged."""
    sees: Several[str] = ()
    """What it is shown that the paper's judge is not."""
    allow_self: bool = False
    """Whether a model may judge its own answers."""


class ReaderEntry(_Asked):
    """Who reads the replies that the rules cannot."""

    allow_self: bool = False
    """Whether a model may read its own replies."""


class BenchmarkEntry(_Named):
    """What is asked: `pixelhumor`, `cfms/joint,identification` or `all`, of which data, and how
    much of it."""

    data: Path | None = None
    """Its folder (for `all`: with one for each); the mini-set where left out."""
    limit: Count | None = None
    """The first items."""
    sample: Count | None = None
    """So many items drawn at random, the same for all tasks and models."""
    sample_seed: Annotated[int, Field(ge=0)] = 0
    """Draws others."""
    epochs: Count = 1
    """How often each question is asked."""
    exclude: Several[Exclusion] = ()
    """Items that are left out: `harmful`."""
    judge: JudgeEntry | None = None
    """Who judges here, in place of the campaign's judge."""


class Audits(_Said):
    """What is looked at besides: what scores rest on, and what papers print."""

    shortcuts: Several[Shortcut] = ()
    """The variants that every model is asked in too."""
    published: bool = False
    """Whether the numbers that the papers print are checked."""
    contamination: bool = False
    """Whether every model is given half of each text of its benchmarks, to see what it recites."""


class Metrics(_Shortened):
    """What metrics measure with. `paper`: the models and lexicons that stand for each paper's,
    which are fetched where they are not here; `models` and `lexicons` name others."""

    alone = "preset"
    preset: Literal["paper"] | None = None
    """`paper`: what stands for the papers' own models and lexicons."""
    models: dict[str, str] = Field(default_factory=dict)
    """By metric, `bertscore`, or metric and language, `bertscore:zh`."""
    lexicons: dict[Language, str] = Field(default_factory=dict)
    """The lexicon of emotions, by language."""


class Suite(_Said):
    """A campaign: every model on every benchmark that it can answer."""

    title: str = ""
    """What the report is called."""
    store: Path = Path("answers")
    """The answer store."""
    out: Path | None = None
    """Where tables, plots and the report go; a folder of the file's name where none is given."""
    models: Annotated[tuple[ModelEntry, ...], Field(min_length=1)]
    """Who is asked."""
    benchmarks: Annotated[tuple[BenchmarkEntry, ...], Field(min_length=1)]
    """What is asked."""
    judge: JudgeEntry | None = None
    """Who grades open answers; they have no score without one."""
    reader: ReaderEntry | None = None
    """Who reads what the rules cannot; nobody where it is left out."""
    metrics: Metrics = Metrics()
    """What metrics measure with."""
    languages: Several[Language] = ()
    """The languages of items that are asked about; all where none is named."""
    audits: Audits = Audits()
    """What is looked at besides."""

    @property
    def is_mixed(self) -> bool:
        """Whether models that answer questions are asked with unlike settings."""
        asked = [one for one in self.models if not one.name.startswith("editor/")]
        ways = {(one.sampling.model_dump_json(), one.fewshot, one.variant) for one in asked}
        return len(ways) > 1
