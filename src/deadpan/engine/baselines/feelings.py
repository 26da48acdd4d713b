"""Answers in labelled parts: a feeling in one word, then sentences, as a question asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from deadpan.core.questions import Card, Language

FEELINGS: Mapping[Language, tuple[str, ...]] = MappingProxyType(
    {
        "en": ("sadness", "anger", "fear", "joy", "shame", "helplessness", "boredom", "pride"),
        "zh": ("难过", "生气", "害怕", "开心", "羞愧", "无奈", "无聊", "得意"),
    }
)
_COLON: Mapping[Language, str] = MappingProxyType({"en": ": ", "zh": "："})


def in_parts(card: Card, feeling: str, sentences: Sequence[str]) -> str:
    """The sentences, each after its label where the question names labels: the first label is for
    the feeling, or for the choice where the question offers one. Without labels the sentences stand
    alone; the last one fills what is left over."""
    if not card.labels:
        return " ".join(sentences)
    texts = [feeling, *sentences, *([sentences[-1]] * len(card.labels))]
    pairs = zip(card.labels, texts, strict=False)
    return "\n".join(f"{label}{_COLON[card.language]}{text}" for label, text in pairs)
