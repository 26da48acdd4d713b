"""What annotators said to one question, by annotator and item."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from deadpan.core.annotations import Annotation, AnnotationQuestion, Level
from deadpan.core.questions import Language
from deadpan.metrics.folding import normalize_text

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
Fold = Callable[[str], str]


@dataclass(frozen=True)
class Question:
    """What annotators said to one question, by annotator and item; `ranks` are its labels from the
    lowest to the highest, where they have an order. With a `rater`, that one's values are compared
    with those of each of the others, and no others are compared."""

    name: str
    said: Mapping[str, Mapping[str, Any]]
    languages: Mapping[str, Language]
    fold: Fold
    batches: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The batch of what an annotator said about an item, where it is known."""
    level: Level | None = None
    ranks: tuple[str, ...] = ()
    rater: str | None = None

    @classmethod
    def of(
        cls,
        name: str,
        annotations: Sequence[Annotation],
        fold: Fold,
        asked: AnnotationQuestion | None = None,
    ) -> Question:
        """The answers to a question of that name; items' languages as rows tell them, else by
        script: words with Chinese characters are Chinese."""
        said: dict[str, dict[str, Any]] = {}
        languages: dict[str, Language] = {}
        batches: dict[tuple[str, str], str] = {}
        for one in annotations:
            if one.question == name:
                said.setdefault(one.annotator, {})[one.item] = one.value
                if one.batch:
                    batches[one.annotator, one.item] = one.batch
            if one.language:
                languages[one.item] = one.language
        for values in said.values():
            for item, value in values.items():
                if isinstance(value, str):
                    languages.setdefault(item, "zh" if _HAN.search(value) else "en")
        level, ranks = (asked.level, asked.ranks) if asked else (None, ())
        return cls(name, said, languages, fold, batches, level, ranks)

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

    def in_batch(self, batch: str) -> Question:
        """The same of what was said in one batch, by those who said something in it."""
        kept = {
            name: {
                item: value
                for item, value in values.items()
                if self.batches.get((name, item)) == batch
            }
            for name, values in self.said.items()
        }
        return replace(self, said={name: own for name, own in kept.items() if own})

    def of_rater(self, rater: str) -> Question:
        """One annotator's values against each of the others', on the items that are theirs."""
        own = self.said[rater]
        kept = {
            name: {item: value for item, value in values.items() if item in own}
            for name, values in self.said.items()
        }
        return replace(self, said=kept, rater=rater)

    @property
    def ranked(self) -> Question:
        """The same with the places of ranked labels; what is no such label is left out."""
        places = {frozenset({label}): float(place) for place, label in enumerate(self.ranks)}
        kept = {
            name: {item: places[value] for item, value in values.items() if value in places}
            for name, values in self.said.items()
        }
        return replace(self, said=kept)

    @property
    def rows(self) -> list[tuple[str, list[Any]]]:
        """An item and values of it that are compared with each other: all that it got, or the
        rater's with each of the others'."""
        if self.rater is None:
            found: dict[str, list[Any]] = {}
            for values in self.said.values():
                for item, value in values.items():
                    found.setdefault(item, []).append(value)
            return list(found.items())
        others = [values for name, values in self.said.items() if name != self.rater]
        rows = []
        for item, own in self.said[self.rater].items():
            pairs = [[own, values[item]] for values in others if item in values]
            rows += [(item, values) for values in pairs or [[own]]]
        return rows

    @property
    def units(self) -> list[list[Any]]:
        """The same without the items."""
        return [values for _, values in self.rows]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The annotators who are compared with each other."""
        every = combinations(self.said, 2)
        return [pair for pair in every if self.rater is None or self.rater in pair]

    @property
    def named_batches(self) -> list[str]:
        """The batches, where what was said is not all of one."""
        names = [self.batches.get((who, item)) for who in self.said for item in self.said[who]]
        found = dict.fromkeys(names)
        return [name for name in found if name] if len(found) > 1 else []

    @property
    def spoken(self) -> list[Language]:
        """The languages that there are."""
        own = {self.languages.get(item) for values in self.said.values() for item in values}
        names: tuple[Language, ...] = ("en", "zh")
        return [name for name in names if name in own]


def plain_words(text: str) -> str:
    """Words without case, width and what spaces there are."""
    return " ".join(normalize_text(text).casefold().split())
