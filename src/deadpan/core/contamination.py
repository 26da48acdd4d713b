"""Texts of a benchmark that a model could have learnt by heart, and the mark of items whose it
recites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from deadpan.core.questions import Language

RECITED = "recited"
"""The attribute, and the group of scores, of items whose texts a model recites: `yes` or `no`."""


@dataclass(frozen=True)
class RecitableText:
    """One text of an item: a caption, what is said, or gold; `kind` names which."""

    item: str
    language: Language
    kind: str
    text: str


def recitable_texts(
    item: str, language: Language, texts: Mapping[str, str | None]
) -> Iterator[RecitableText]:
    """The texts of an item by kind, without those that are not there."""
    for kind, text in texts.items():
        if text and text.strip():
            yield RecitableText(item, language, kind, text.strip())
