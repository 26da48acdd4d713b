"""The criteria by which failures are labelled: the types there are and what each one means."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator

from deadpan.base.errors import InputError
from deadpan.base.json_lines import json_document
from deadpan.core.questions import Language
from deadpan.core.signature import checksum

NEW = "new"
"""What a label says where no known type fits; no type may be called so."""

NAME = r"^\w[\w-]{0,39}$"
"""What a type may be called: letters of any script, digits, _ and -, at most 40."""

_FIX = 'Expected {"refused": NAME, "types": [{"name", "title", "definition"}, …]}.'

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Bilingual(_Frozen):
    """A text in both languages."""

    en: Words
    zh: Words


class FailureType(_Frozen):
    """One type. A title or definition in one language only serves for both."""

    name: Annotated[str, StringConstraints(pattern=NAME)]
    title: Bilingual | Words
    definition: Bilingual | Words

    def described(self, language: Language) -> str:
        """The type as a line of a prompt."""
        title, definition = (
            words if isinstance(words, str) else getattr(words, language)
            for words in (self.title, self.definition)
        )
        form = "{} ({}): {}" if language == "en" else "{}（{}）：{}"
        return form.format(self.name, title, definition)


class Criteria(_Frozen):
    """The types in order; `refused` names the one that refusals have by their outcome."""

    refused: str
    types: tuple[FailureType, ...]

    @model_validator(mode="after")
    def _consistent(self) -> Criteria:
        seen: set[str] = set()
        for kind in self.types:
            if kind.name.casefold() in seen:
                raise ValueError(f"{kind.name} is there twice")
            seen.add(kind.name.casefold())
        if NEW in seen:
            raise ValueError(f'no type may be called "{NEW}"')
        if self.refused not in self.names:
            raise ValueError(f"refused names {self.refused}, which is no type")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the types."""
        return tuple(kind.name for kind in self.types)

    @property
    def checksum(self) -> str:
        """Changes with any word of the criteria."""
        return checksum(self.model_dump(mode="json"))

    def described(self, language: Language) -> str:
        """All types as lines of a prompt."""
        return "\n".join(f"- {kind.described(language)}" for kind in self.types)


@cache
def shipped_criteria() -> Criteria:
    """JanusMM's eight types, in our own words."""
    return Criteria.model_validate_json(shipped_text())


def shipped_text() -> str:
    """The file of the eight types, to be copied and edited."""
    return files("deadpan.failures").joinpath("types.json").read_text("utf-8")


def read_criteria(path: Path | None) -> Criteria:
    """The criteria of a file, whole, or the shipped ones where none is given."""
    if path is None:
        return shipped_criteria()
    try:
        return Criteria.model_validate(json_document(path, _FIX))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{path} {place}".strip(), first["msg"], _FIX) from None
