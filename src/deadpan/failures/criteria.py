"""The types of failures, and the judge that says by them why an answer failed (JanusMM, 3.3)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import BaseModel, StringConstraints, ValidationError, model_validator

from deadpan.base.errors import InputError
from deadpan.base.files import is_file
from deadpan.base.rows import json_document
from deadpan.core.judge import Brief, BrokenReply, Judge, Judged, Judgement
from deadpan.core.questions import Language, Picture, Prompts
from deadpan.core.signature import checksum
from deadpan.failures.cases import Case
from deadpan.metrics.lexical import coverage
from deadpan.reports.pictures import may_be_shown

NEW = "new"  # what a label says where no known type fits; no type may be called so

NAME = r"^\w[\w-]{0,39}$"
"""What a type may be called: letters of any script, digits, _ and -, at most 40."""

_FIX = 'Expected {"refused": NAME, "types": [{"name", "title", "definition"}, …]}.'

_PROMPTS = Prompts.read(Path(__file__).parent / "prompts", "failure_types", ("en", "zh"))
_EXAMPLE = json.dumps({"type": "…", "new_type": None, "reason": "…"}, ensure_ascii=False)
_NO_TEXT = "–"
UNSORTED = "unsorted"
"""What the lexical stand-in proposes where an answer shares no word with any definition."""

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


class Bilingual(BaseModel, frozen=True, extra="forbid"):
    """A text in both languages."""

    en: Words
    zh: Words


def in_language(words: Bilingual | str, language: Language) -> str:
    """A text in a language; one there is in one language only serves for both."""
    return words if isinstance(words, str) else str(getattr(words, language))


class FailureType(BaseModel, frozen=True, extra="forbid"):
    """One type. A title or definition in one language only serves for both."""

    name: Annotated[str, StringConstraints(pattern=NAME)]
    title: Bilingual | Words
    definition: Bilingual | Words

    def describe(self, language: Language) -> str:
        """The type as a line of a prompt."""
        title, definition = (
            in_language(words, language) for words in (self.title, self.definition)
        )
        form = "{} ({}): {}" if language == "en" else "{}（{}）：{}"
        return form.format(self.name, title, definition)


class Criteria(BaseModel, frozen=True, extra="forbid"):
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
        return tuple(kind.name for kind in self.types)

    @property
    def checksum(self) -> str:
        """Changes with any word of the criteria."""
        return checksum(self.model_dump(mode="json"))

    def describe(self, language: Language) -> str:
        """All types as lines of a prompt."""
        return "\n".join(f"- {kind.describe(language)}" for kind in self.types)


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


class ProposedType(Judged):
    """A type that the judge found missing."""

    name: Annotated[str, StringConstraints(pattern=NAME)]
    title: Words
    definition: Words


class Sorting(Judged):
    """The reply: a known type, or "new" with a proposal, and why."""

    type: str
    new_type: ProposedType | None = None
    reason: Annotated[str, StringConstraints(max_length=2000)]


@dataclass(frozen=True)
class FailureTypes(Judge):
    """Labels a wrong answer with one of the criteria's types, or proposes a new one."""

    criteria: Criteria
    pictures: tuple[Path, ...] | None = ()
    """The folders of which pictures may be shown to the judge, besides those that Deadpan itself
    made; None shows it none."""

    name = "failure_types"
    version = 2
    reply = Sorting
    system: ClassVar = _PROMPTS.system
    user: ClassVar = {
        code: text.replace("{example}", _EXAMPLE) for code, text in _PROMPTS.user.items()
    }

    @property
    def identity(self) -> str:
        """As every judge's, with the checksum of the criteria, and whether it sees no pictures."""
        blind = "" if self.pictures is not None else ".blind"
        return f"{super().identity}.{self.criteria.checksum}{blind}"

    def brief(self, case: Case) -> Brief:
        """What the judge is told about one failure, in the language of the case."""
        fields = {
            "criteria": self.criteria.describe(case.language),
            "question": case.question or _NO_TEXT,
            "gold": case.gold,
            "details": "\n\n".join(f"{name}: {text}" for name, text in case.details.items())
            or _NO_TEXT,
        }
        answer = case.whole_answer or _NO_TEXT
        return Brief(
            language=case.language, answer=answer, fields=fields, pictures=self._shown(case)
        )

    def _shown(self, case: Case) -> tuple[Picture, ...]:
        """The picture of the case, where it is still there and may be shown."""
        if self.pictures is None or case.picture is None:
            return ()
        path = Path(case.picture)
        there = may_be_shown(path, self.pictures) and is_file(path)
        return (Picture(path=case.picture),) if there else ()

    def check(self, reply: Judged) -> Judgement:
        """The label; a type the criteria lack, or a proposal that does not fit it, raises."""
        if not isinstance(reply, Sorting):
            raise TypeError(f"expected a Sorting, got {type(reply).__name__}")
        known = self.criteria.names
        if reply.type == NEW:
            if reply.new_type is None:
                raise BrokenReply(f'type is "{NEW}" and new_type is null')
            if reply.new_type.name.casefold() in {name.casefold() for name in (*known, NEW)}:
                raise BrokenReply(f"new_type.name: {reply.new_type.name} is there already")
        elif reply.type not in known:
            raise BrokenReply(f'type: expected one of {", ".join(known)}, or "{NEW}"')
        elif reply.new_type is not None:
            raise BrokenReply(f"new_type must be null where type is {reply.type}")
        return Judgement(parts=reply.model_dump())

    def stand_in(self, brief: Brief) -> str:
        """The type whose definition the answer shares most words with, the first of equals; with
        none at all, a new one: word overlap says nothing about why an answer is wrong."""
        shared = {
            kind.name: coverage(kind.describe(brief.language), brief.answer)
            for kind in self.criteria.types
        }
        best = max(shared, key=lambda name: shared[name])
        nothing = ProposedType(name=UNSORTED, title=UNSORTED, definition="no word in common")
        reply = Sorting(
            type=best if shared[best] else NEW,
            new_type=None if shared[best] else nothing,
            reason="words shared with the definition",
        )
        return reply.model_dump_json()
