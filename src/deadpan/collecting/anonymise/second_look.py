"""A model's second look: it lists spans of texts that the rules have been over. A span has to stand
in the text exactly; what it is certain of and is no plain word goes, the rest is for a person."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deadpan.base.files import folder_name
from deadpan.collecting.anonymise.chinese_words import is_chinese_word
from deadpan.collecting.anonymise.doubts import Spotted
from deadpan.collecting.anonymise.english_words import is_word
from deadpan.collecting.anonymise.patterns import PLACEHOLDER
from deadpan.collecting.anonymise.text import language_of
from deadpan.core.judge import BrokenReply
from deadpan.core.questions import Prompts, escape_frames
from deadpan.engine.asker import Asker
from deadpan.engine.conversation import FormRequest, Unanswered, ask_form
from deadpan.engine.loops import run_async

_PROMPTS = Path(__file__).parent / "prompts"
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST = 4000  # characters of a text that are shown


class ListedSpan(BaseModel):
    """A part of a message, as the model copied it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = Field(min_length=1, max_length=200)
    kind: Literal["name", "address", "account", "plate", "organisation", "time", "number"]
    certain: bool


class ListedSpans(BaseModel):
    """The reply: nothing may be missing, nothing added."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    spans: list[ListedSpan] = Field(max_length=100)


class ModelLook:
    """Gathers texts, has a model read them, and tells what it listed for each."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._texts: dict[str, str] = {}
        self._found: Mapping[str, Sequence[Spotted]] | None = None
        self.asked = self.dropped = self.unanswered = 0
        self.reason = ""  # why one of them got no usable reply

    def spotted(self, text: str, masked: str) -> Sequence[Spotted]:
        """What it listed; before it was asked nothing, and the text is noted for asking."""
        if self._found is not None:
            return self._found.get(text, ())
        if _LETTER.search(PLACEHOLDER.sub("", masked)):
            self._texts[text] = masked
        return ()

    def ask(self) -> None:
        """Asks about every text that was noted; one without a usable reply is counted."""
        self.asked = len(self._texts)
        self._found = run_async(self._ask_all())

    async def _ask_all(self) -> dict[str, Sequence[Spotted]]:
        found: dict[str, Sequence[Spotted]] = {}
        async with self._asker as asker:
            async for (text, _), spans in asker.each(self._texts.items(), self._one):
                found[text] = spans
        return found

    async def _one(self, item: tuple[str, str]) -> Sequence[Spotted]:
        masked = item[1][:_LONGEST]
        language = language_of(masked)
        prompts = _prompts("spans")
        request = FormRequest(
            label=f"anonymise.{folder_name(self._asker.engine.name)}",
            system=prompts.system[language],
            text=prompts.user[language].replace("{message}", escape_frames(masked)),
            images=(),
            form=ListedSpans,
            read=_read,
            again=_prompts("again").user[language],
        )
        try:
            reply = await ask_form(self._asker, request)
        except Unanswered as error:
            self.unanswered += 1
            self.reason = self.reason or str(error)
            return ()
        there = PLACEHOLDER.sub("\ufffc", item[1])
        kept = [one for one in reply.spans if one.text.strip() and one.text in there]
        self.dropped += len(reply.spans) - len(kept)
        return [
            Spotted(one.kind, one.text, one.certain and not _is_plain(one.text)) for one in kept
        ]


def _is_plain(text: str) -> bool:
    """Whether it is a word of the language, which a model's word alone does not take away."""
    bare = text.strip()
    if bare.isascii():
        return len(bare) < 2 or (bare.islower() and is_word(bare))
    return len(bare) < 2 or is_chinese_word(bare)


def _read(text: str) -> ListedSpans:
    bare = re.sub(r"^```(?:json)?\s*|\s*```$", "", text.strip())
    try:
        return ListedSpans.model_validate(json.loads(bare))
    except (json.JSONDecodeError, RecursionError):
        raise BrokenReply("it is no JSON object") from None
    except ValidationError as error:
        found = [(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors()[:3]]
        raise BrokenReply("; ".join(map(": ".join, found))) from None


@cache
def _prompts(name: str) -> Prompts:
    return Prompts.read(_PROMPTS, name, ("en", "zh"))
