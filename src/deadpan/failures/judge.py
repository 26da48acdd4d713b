"""The judge that says by agreed criteria why an answer failed (JanusMM, section 3.3)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import StringConstraints

from deadpan.core.judge import Brief, BrokenReply, Judge, Judged, Judgement
from deadpan.core.prompts import Prompts
from deadpan.failures.cases import Case
from deadpan.failures.criteria import NAME, NEW, Criteria, Words
from deadpan.metrics.lexical import coverage

_PROMPTS = Prompts.read(Path(__file__).parent / "prompts", "failure_types", ("en", "zh"))
_EXAMPLE = json.dumps({"type": "…", "new_type": None, "reason": "…"}, ensure_ascii=False)
_NO_TEXT = "–"
UNSORTED = "unsorted"
"""What the lexical stand-in proposes where an answer shares no word with any definition."""


class ProposedType(Judged):
    """A type that the judge found missing."""

    name: Annotated[str, StringConstraints(pattern=NAME)]
    title: Words
    definition: Words


class Sorting(Judged):
    """The reply: a known type, or "new" with a proposal, and why."""

    type: str
    new_type: ProposedType | None
    reason: Annotated[str, StringConstraints(max_length=2000)]


@dataclass(frozen=True)
class FailureTypes(Judge):
    """Labels a wrong answer with one of the criteria's types, or proposes a new one."""

    criteria: Criteria

    name = "failure_types"
    version = 1
    reply = Sorting
    system: ClassVar = _PROMPTS.system
    user: ClassVar = {
        code: text.replace("{example}", _EXAMPLE) for code, text in _PROMPTS.user.items()
    }

    @property
    def identity(self) -> str:
        """As every judge's, with the checksum of the criteria."""
        return f"{super().identity}.{self.criteria.checksum}"

    def brief(self, case: Case) -> Brief:
        """What the judge is told about one failure, in the language of the case."""
        told = {
            "criteria": self.criteria.described(case.language),
            "question": case.question or _NO_TEXT,
            "gold": case.gold,
        }
        return Brief(language=case.language, answer=case.answer or _NO_TEXT, told=told)

    def checked(self, reply: Judged) -> Judgement:
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
            kind.name: coverage(kind.described(brief.language), brief.answer)
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
