"""What a question says, and the ideal answer to it in the form the prompt asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from pydantic import JsonValue

from deadpan.benchmarks.cfms.answers import LABELS
from deadpan.benchmarks.cfms.records import Pair
from deadpan.core.questions import Language, unframed

YES_NO: Mapping[Language, tuple[str, str]] = MappingProxyType(
    {"en": ("yes", "no"), "zh": ("是", "否")}
)
NONE: Mapping[Language, str] = MappingProxyType({"en": "none", "zh": "无"})
_COLON: Mapping[Language, str] = MappingProxyType({"en": ": ", "zh": "："})
_SLOT = re.compile(r"\{(?:ocr_)?text\}")


def question_text(template: str, pair: Pair) -> str:
    """The prompt with the post's text and the words read in its picture; a slot inside either
    stays as it is."""
    said = {"{text}": pair.row.text, "{ocr_text}": pair.row.ocr_text}
    nothing = f"({NONE[pair.row.language]})"

    def filled(slot: re.Match[str]) -> str:
        return unframed(" ".join(said[slot[0]].split())) or nothing

    return _SLOT.sub(filled, template)


def worded(task: str, gold: Mapping[str, JsonValue], language: Language) -> str:
    """The gold of a task in words, as its prompt asks for it."""
    if task in ("target", "explanation"):
        return str(gold[task])
    label = gold["metaphor" if task == "metaphor" else "sarcastic"]
    said = YES_NO[language][0 if label else 1]
    if task != "joint":
        return said
    texts = (said, *(str(gold.get(name) or NONE[language]) for name in ("target", "explanation")))
    pairs = zip(LABELS[language], texts, strict=True)
    return "\n".join(f"{name}{_COLON[language]}{text}" for name, text in pairs)
