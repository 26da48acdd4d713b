"""The extraction rules of a benchmark's sites, as validated data."""

from __future__ import annotations

import re
from pathlib import Path

import soupsieve
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from deadpan.base.errors import InputError
from deadpan.base.files import read_bytes
from deadpan.collecting.fetch.errors import RulesError

STRICT = ConfigDict(frozen=True, extra="forbid")


def checked_pattern(pattern: str | None) -> str | None:
    """The pattern; `ValueError` when it is not a regular expression."""
    try:
        re.compile(pattern or "")
    except re.error as error:
        raise ValueError(f"expected a regular expression: {error}") from None
    return pattern


class ImageRule(BaseModel):
    """Where a page keeps its picture: elements, attributes in order, and which URLs count.

    An attribute whose name ends in `srcset` gives its largest picture.
    """

    model_config = STRICT

    select: str
    attributes: tuple[str, ...] = Field(default=("src",), min_length=1)
    require: str | None = None
    exclude: str | None = None

    @field_validator("select")
    @classmethod
    def _is_css(cls, selector: str) -> str:
        try:
            soupsieve.compile(selector)
        except soupsieve.SelectorSyntaxError as error:
            reason = str(error).splitlines()[0]
            raise ValueError(f"expected a CSS selector: {reason}") from None
        return selector

    @field_validator("require", "exclude")
    @classmethod
    def _is_pattern(cls, pattern: str | None) -> str | None:
        return checked_pattern(pattern)

    def accepts(self, url: str) -> bool:
        """Whether a URL fits `require` and not `exclude`, both without regard to case."""
        wanted = self.require is None or re.search(self.require, url, re.IGNORECASE) is not None
        unwanted = self.exclude and re.search(self.exclude, url, re.IGNORECASE)
        return wanted and not unwanted


class Source(BaseModel):
    """One site: its hosts, the id prefixes of its items, and its rules in order."""

    model_config = STRICT

    name: str = Field(min_length=1)
    hosts: tuple[str, ...] = ()
    id_prefixes: tuple[str, ...] = ()
    note: str | None = None
    page: str | None = None
    """A pattern for the address of a comic's page; its groups tell one comic from another."""
    rules: tuple[ImageRule, ...] = Field(min_length=1)

    @field_validator("page")
    @classmethod
    def _is_pattern(cls, pattern: str | None) -> str | None:
        return checked_pattern(pattern)

    @model_validator(mode="after")
    def _can_match(self) -> Source:
        if not self.hosts and not self.id_prefixes:
            raise ValueError("expected at least one of hosts and id_prefixes")
        return self

    def same_comic(self, asked: str, reached: str) -> bool:
        """Whether a redirect still leads to the comic asked for, as far as `page` can tell."""
        before = re.search(self.page, asked) if self.page else None
        if not self.page or before is None or asked == reached:
            return True
        after = re.search(self.page, reached)
        return after is not None and before.groups() == after.groups()


class SourceRules(BaseModel):
    """All sources of a benchmark, and the file they came from."""

    model_config = STRICT

    sources: tuple[Source, ...] = ()
    origin: Path = Path("sources.json")

    def source_for(self, item_id: str, host: str) -> Source | None:
        """The first source with this host, or else the first with a prefix of this id."""
        for source in self.sources:
            if host in source.hosts:
                return source
        for source in self.sources:
            if item_id.startswith(source.id_prefixes):
                return source
        return None


def load_rules(path: Path) -> SourceRules:
    """The rules in a JSON file; `RulesError` names the file and every bad field."""
    try:
        rules = SourceRules.model_validate_json(read_bytes(path))
    except InputError as error:
        raise RulesError(f"{path}: {error.what}; expected a JSON file") from error
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in found['loc']) or 'file'}: {found['msg']}"
            f" (got {str(found['input'])[:80]!r})"
            for found in error.errors()
        )
        raise RulesError(f"{path}: {problems}; correct the file") from None
    return rules.model_copy(update={"origin": path})
