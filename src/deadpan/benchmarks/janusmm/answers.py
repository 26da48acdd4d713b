"""Replies to JanusMM's questions → what they say, as pinned: nothing is guessed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from pydantic import JsonValue

from deadpan.benchmarks.janusmm.equivalents import naming
from deadpan.benchmarks.janusmm.parts import PARTS, Part, answer_parts
from deadpan.core.questions import Language
from deadpan.metrics.text_errors import words
from deadpan.parsing.replies import Parse, Unparseable

FEWEST: Mapping[Language, int] = MappingProxyType({"en": 15, "zh": 20})
"""Words (English) or characters (Chinese) below which a reasoning is flagged as very short."""


def recognition(text: str) -> JsonValue:
    """Whether the answer names self-deprecation, and by which words; marks alone are none."""
    if not any(sign.isalnum() for sign in text):
        raise Unparseable("expected an answer in words; there is none")
    found = naming(text)
    return {"named": found is not None, "words": found}


def parts(text: str, wanted: tuple[Part, ...], bare: bool) -> JsonValue:
    """The wanted parts, None for those not there; without a reasoning there is no answer.

    With `bare`, text that no label claims is the reasoning where none is labelled.
    """
    read = answer_parts(text)
    found: dict[str, JsonValue] = {name: read.part(name) for name in wanted}
    if bare:
        found["reasoning"] = found["reasoning"] or read.bare
    if found["reasoning"] is None:
        raise Unparseable("expected a part labelled Reasoning (推理); there is none")
    return found


def is_short(reasoning: str, language: Language) -> bool:
    """Whether a reasoning is too short for a meaningful comparison."""
    return len(words(reasoning)) < FEWEST[language]


PARSERS: Mapping[str, Parse] = MappingProxyType(
    {
        "recognition": recognition,
        "reasoning": partial(parts, wanted=PARTS[:2], bare=True),
        "initiator": partial(parts, wanted=PARTS[:2], bare=False),
        "responder": partial(parts, wanted=PARTS, bare=False),
    }
)
