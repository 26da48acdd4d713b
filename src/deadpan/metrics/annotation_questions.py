"""What annotators said to one question, by annotator and item."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from deadpan.core.annotations import Annotation
from deadpan.core.questions import Language
from deadpan.metrics.folding import normalize_text

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
Fold = Callable[[str], str]


@dataclass(frozen=True)
class Question:
    """What annotators said to one question, by annotator and item."""

    name: str
    said: Mapping[str, Mapping[str, Any]]
    languages: Mapping[str, Language]
    fold: Fold

    @classmethod
    def of(cls, name: str, annotations: Sequence[Annotation], fold: Fold) -> Question:
        """The answers to a question of that name; items' languages as rows tell them, else by
        script: words with Chinese characters are Chinese."""
        said: dict[str, dict[str, Any]] = {}
        languages: dict[str, Language] = {}
        for one in annotations:
            if one.question == name:
                said.setdefault(one.annotator, {})[one.item] = one.value
            if one.language:
                languages[one.item] = one.language
        for values in said.values():
            for item, value in values.items():
                if isinstance(value, str):
                    languages.setdefault(item, "zh" if _HAN.search(value) else "en")
        return cls(name, said, languages, fold)

    def among(self, annotators: Sequence[str], language: Language | None = None) -> Question:
        """The same of these annotators, and of the items in one language."""
        kept = {
            name: {
                item: value
                for item, value in self.said[name].items()
                if language in (None, self.languages.get(item))
            }
            for name in annotators
        }
        return replace(self, said=kept)

    @property
    def by_item(self) -> dict[str, list[Any]]:
        """The values that each item got."""
        found: dict[str, list[Any]] = {}
        for values in self.said.values():
            for item, value in values.items():
                found.setdefault(item, []).append(value)
        return found

    @property
    def units(self) -> list[list[Any]]:
        """The same without the items."""
        return list(self.by_item.values())

    @property
    def spoken(self) -> list[Language]:
        """The languages that there are."""
        own = {self.languages.get(item) for values in self.said.values() for item in values}
        names: tuple[Language, ...] = ("en", "zh")
        return [name for name in names if name in own]


def plain_words(text: str) -> str:
    """Words without case, width and what spaces there are."""
    return " ".join(normalize_text(text).casefold().split())
