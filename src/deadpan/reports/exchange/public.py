"""What of results may leave the machine: models by names that others know, data by where they are
released, signatures without addresses and folders."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.release import HubData, RepositoryData
from deadpan.core.signature import SERVER, annotations_of, checksum, parse_signature
from deadpan.reports.section import Section
from deadpan.reports.text import readable

_FOLDER = re.compile(r"(?<![\w.:/~-])(?:~|[A-Za-z]:)?[/\\](?:[\w.@+-]+[/\\])+([\w.@+-]+)")
_ENGINES = {
    "vllm": "vLLM",
    "sglang": "SGLang",
    "ollama": "Ollama",
    "llama-cpp-python": "llama.cpp",
    "hf": "transformers",
    "local": "transformers",
}
"""What runs a model's weights on one's own machines, by Inspect's names."""
_OWN = ("openai", "anthropic", "google", "mistral", "grok", "deepseek", "perplexity")
"""Services that serve models of their own: their name is the developer's."""
_SERVICES = (
    *("azureai", "bedrock", "together", "groq", "fireworks", "openrouter", "cloudflare"),
    *("sambanova", "hf-inference-providers", "nebius"),
)
"""Services that serve models of others."""


@dataclass(frozen=True)
class PublicModel:
    """A model as others know it; what is not known is empty."""

    name: str
    id: str
    platform: str = ""
    engine: str = ""
    deployment: str = "unknown"

    @property
    def developer(self) -> str:
        """What its id begins with, or `unknown`."""
        head, slash, _ = self.id.partition("/")
        return head if slash and head else "unknown"


def public_model(name: str, known_as: str = "") -> PublicModel:
    """The model of an Inspect name, under the id that it is given or that follows from the name."""
    provider, slash, rest = name.partition("/")
    if not slash:
        return PublicModel(name, known_as or name)
    if provider in _ENGINES:
        own = _last(rest) if rest.startswith((".", "/", "~", "\\")) or ":\\" in rest else rest
        shown = f"{provider}/{own}"
        engine = _ENGINES[provider]
        return PublicModel(shown, known_as or own, engine=engine, deployment="self_deployed")
    if provider == "openai-api":
        service, _, own = rest.partition("/")
        return PublicModel(name, known_as or own or rest, platform=service)
    if provider in _SERVICES:
        made = (known_as or rest, provider)
        return PublicModel(name, *made, deployment="externally_managed")
    if provider in _OWN:
        return PublicModel(name, known_as or name, provider, deployment="externally_managed")
    return PublicModel(without_folders(name), known_as or without_folders(name))


def _last(path: str) -> str:
    """The last part of a path, of whichever system."""
    pure = PureWindowsPath(path) if "\\" in path else PurePosixPath(path)
    return pure.name or "model"


def without_folders(text: str) -> str:
    """The text with absolute paths cut to their last parts."""
    return _FOLDER.sub(r"…/\1", text)


def public_signature(text: str) -> str:
    """A signature without the addresses of servers and the folders of models."""
    signature = parse_signature(text)
    settings = {key: without_folders(value) for key, value in signature.settings.items()}
    model, at, wording = signature.judge.partition("@")
    judge = f"{public_model(model).name}{at}{wording}"
    if SERVER in settings:
        settings[SERVER] = checksum(settings[SERVER])
    return str(replace(signature, settings=settings, judge=judge))


_TEXTS = ("question", "judgements", "reasoning", "reason", "reader", "reader_outcome", "judge")
_NUMBERS = ("input_tokens", "output_tokens", "seconds")
_OPTIONAL: dict[str, Any] = dict.fromkeys((*_TEXTS, *_NUMBERS)) | {"epoch": 1}


def whole_rows(table: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """The rows of a results table, with nothing for the columns that an older one lacks."""
    return (_OPTIONAL | row for row in table.iter_rows(named=True))


@dataclass(frozen=True)
class DataSource:
    """The data behind scores: whether they are the released ones, the mini-set, or others."""

    name: str
    kind: str
    """`released`, `mini-set` or `other`."""
    checksum: str
    licence: str
    hub: str = ""
    """The repository of a data set on the hub."""
    url: str = ""


def data_source(benchmark: Benchmark[Any], data: str) -> DataSource:
    """The data of a signature's checksum."""
    title, _, _ = benchmark.title.partition(":")
    annotations = annotations_of(data)
    if benchmark.released and annotations == benchmark.released:
        source = benchmark.release.source if benchmark.release else None
        return DataSource(
            title,
            "released",
            data,
            benchmark.licence,
            hub=source.repository if isinstance(source, HubData) else "",
            url=f"https://github.com/{source.repository}/tree/{source.revision}"
            if isinstance(source, RepositoryData)
            else "",
        )
    embedded = ""
    with suppress(DeadpanError, OSError):
        embedded = benchmark.read(None).checksum
    if embedded and annotations == embedded:
        return DataSource(f"{title} mini-set", "mini-set", data, "CC0-1.0")
    return DataSource(f"{title}, other data", "other", data, "not stated")


def references(section: Section, row: Mapping[str, Any]) -> list[str]:
    """Gold as texts that people read: each label, or the whole of what is no list."""
    if row["gold"] is None:
        return []
    gold = json.loads(row["gold"])
    if isinstance(gold, list):
        return [without_folders(readable(one)) for one in gold]
    return [without_folders(section.benchmark.report.gold_text(row["task"], gold))]
