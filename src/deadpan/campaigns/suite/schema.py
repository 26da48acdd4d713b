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
    output: Dollars


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


class _Asked(_Named):
    """Somebody who is asked: how many calls at once, how long and how often each is tried, and
    after how many seconds without any answer it is given up (0: never)."""

    max_connections: Count = 10
    max_retries: Annotated[int, Field(ge=0)] = MAX_RETRIES
    timeout: Count = ATTEMPT_SECONDS
    give_up: Annotated[int, Field(ge=0)] = GIVE_UP_SECONDS
    price: PriceEntry | None = None

    @property
    def calls(self) -> CallOptions:
        """How calls are made."""
        return CallOptions(self.max_connections, self.max_retries, self.timeout, self.give_up)


class ModelEntry(_Asked):
    """A model, what tables and plots call it, and how it is asked."""

    title: str = ""
    """What tables, plots and the report call it; its name where none is given."""
    engine: EngineKind = "auto"
    ray_address: str | None = None
    batch: bool = False
    variant: Variant = Variant.FULL
    fewshot: str | None = None
    again: str = ""
    """A label under which everything is asked anew."""
    temperature: Annotated[float, Field(ge=0)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    max_tokens: Count | None = None
    seed: int | None = None
    reasoning_effort: Effort | None = None
    reasoning_tokens: Count | None = None
    extra_body: dict[str, JsonValue] = Field(default_factory=dict)
    model_args: dict[str, JsonValue] = Field(default_factory=dict)

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
    sees: Several[str] = ()
    allow_self: bool = False


class ReaderEntry(_Asked):
    """Who reads the replies that the rules cannot."""

    allow_self: bool = False


class BenchmarkEntry(_Named):
    """What is asked: `pixelhumor`, `cfms/joint,identification` or `all`, of which data, and how
    much of it."""

    data: Path | None = None
    limit: Count | None = None
    """The first items."""
    sample: Count | None = None
    """So many items drawn at random, the same for all tasks and models."""
    sample_seed: Annotated[int, Field(ge=0)] = 0
    epochs: Count = 1
    exclude: Several[Exclusion] = ()
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
    models: dict[str, str] = Field(default_factory=dict)
    """By metric, `bertscore`, or metric and language, `bertscore:zh`."""
    lexicons: dict[Language, str] = Field(default_factory=dict)


class Suite(_Said):
    """A campaign: every model on every benchmark that it can answer."""

    title: str = ""
    store: Path = Path("answers")
    out: Path | None = None
    """Where tables, plots and the report go; a folder of the file's name where none is given."""
    models: Annotated[tuple[ModelEntry, ...], Field(min_length=1)]
    benchmarks: Annotated[tuple[BenchmarkEntry, ...], Field(min_length=1)]
    judge: JudgeEntry | None = None
    reader: ReaderEntry | None = None
    metrics: Metrics = Metrics()
    languages: Several[Language] = ()
    """The languages of items that are asked about; all where none is named."""
    audits: Audits = Audits()

    @property
    def is_mixed(self) -> bool:
        """Whether models that answer questions are asked with unlike settings."""
        asked = [one for one in self.models if not one.name.startswith("editor/")]
        ways = {(one.sampling.model_dump_json(), one.fewshot, one.variant) for one in asked}
        return len(ways) > 1
