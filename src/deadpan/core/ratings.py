"""People's ratings of models' answers: the scales they are given on, and all ratings of a study."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from deadpan.base.errors import InputError
from deadpan.core.questions import Language
from deadpan.core.signature import Signature, checksum
from deadpan.core.study_rows import skip_notes

Level = Literal["nominal", "ordinal", "interval"]
Output = tuple[str, str]
"""Model and item: what is rated."""
POOLED = "overall"
"""The model's name of scores over all models together."""
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_YES_NO = {
    **dict.fromkeys(("1", "yes", "y", "true", "是"), 1),
    **dict.fromkeys(("0", "no", "n", "false", "否"), 0),
}


@dataclass(frozen=True)
class Scale:
    """What raters rate and on which scale: its name in files, its title and question in each
    language, its bounds. A study's scores on it stand under `task` and `group`; `level` is how
    far apart alpha takes two ratings to be."""

    name: str
    title: Mapping[Language, str] = field(default_factory=dict)
    lowest: float = 1
    highest: float = 5
    kind: Literal["integers", "numbers", "yes_no"] = "integers"
    level: Level = "interval"
    task: str = "ratings"
    group: str = "all"
    question: Mapping[Language, str] = field(default_factory=dict)
    ends: tuple[Mapping[Language, str], Mapping[Language, str]] | None = None
    """What its lowest and its highest rating are called, where that is said."""
    is_choice: bool = False
    """Whether it says which of several answers was chosen: counted, and not averaged."""

    @classmethod
    def yes_no(cls, name: str, title: Mapping[Language, str], task: str = "ratings") -> Scale:
        """The scale of a question that is answered by yes, 1, or no, 0."""
        return cls(name, title, 0, 1, "yes_no", "nominal", task)

    def read(self, value: object) -> float | None:
        """The rating that a cell or a JSON value gives, None for none; any other raises ValueError
        with what was expected."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None
        text = str(value).strip() if isinstance(value, str | int | float) else ""
        if isinstance(value, str) and not text:
            return None
        if self.kind == "yes_no":
            if text.removesuffix(".0").casefold() not in _YES_NO:
                raise ValueError("expected 1 or 0 (yes or no)")
            return _YES_NO[text.removesuffix(".0").casefold()]
        bounds = f"{self.lowest:g} to {self.highest:g}"
        if isinstance(value, bool) or not _NUMBER.fullmatch(text):
            raise ValueError(f"expected {self._kind_of_number} from {bounds}")
        number = float(text)
        if self.kind == "integers" and not number.is_integer():
            raise ValueError(f"expected {self._kind_of_number} from {bounds}")
        if not self.lowest <= number <= self.highest:
            raise ValueError(f"expected {bounds}")
        return int(number) if number.is_integer() else number

    @property
    def _kind_of_number(self) -> str:
        return "a whole number" if self.kind == "integers" else "a number"


@dataclass(frozen=True)
class Rating:
    """One rater's rating of one answer; None where the rater gave none. `run` tells ratings apart
    that a rater gave to the same answer at different times; `where` is its place in a file."""

    item: str
    model: str
    metric: str
    rater: str
    rating: float | None
    language: Language | None = None
    note: str | None = None
    run: str | None = None
    where: str = field(default="", compare=False, repr=False)

    @property
    def key(self) -> tuple[str, ...]:
        """What may be rated once."""
        own = (self.item, self.model, self.metric, self.rater)
        return own if self.run is None else (*own, self.run)


@dataclass(frozen=True)
class RatingStudy:
    """All ratings of a study; `languages` gives the language of items whose rows do not."""

    benchmark: str
    scales: Sequence[Scale]
    ratings: Sequence[Rating]
    languages: Mapping[str, Language] = field(default_factory=dict)
    grouped: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The groups of each item that mean ratings are also given for, such as `panels=4`."""

    def __post_init__(self) -> None:
        known = dict(self.languages)
        for row in self.ratings:
            if row.language and known.setdefault(row.item, row.language) != row.language:
                what = f"got {row.language}; {row.item} is {known[row.item]} elsewhere"
                raise InputError(f"{row.where} language", what, "Give an item one language.")
        _require_one_choice(self.scales, self.ratings)

    def rated(
        self, metric: str, model: str | None = None, language: Language | None = None
    ) -> dict[Output, list[float]]:
        """The ratings each answer got for a metric, possibly none; missing ones left out."""
        known = self.known_languages if language else {}
        answers: dict[Output, list[float]] = {}
        for row in self.ratings:
            if (
                row.metric == metric
                and model in (None, row.model)
                and language in (None, known.get(row.item))
            ):
                given = answers.setdefault((row.model, row.item), [])
                given += [row.rating] if row.rating is not None else []
        return answers

    @property
    def known_languages(self) -> dict[str, Language]:
        """The language of each item that has one, by its rows before `languages`."""
        own = {row.item: row.language for row in self.ratings if row.language is not None}
        return {**self.languages, **own}

    @property
    def models(self) -> list[str]:
        """The models whose answers were rated, in order of first appearance."""
        return list(dict.fromkeys(row.model for row in self.ratings))

    @property
    def skipped(self) -> list[str]:
        """Who gave no rating where another one did, in a line for each scale."""
        lines = []
        for metric in dict.fromkeys(row.metric for row in self.ratings):
            own = [row for row in self.ratings if row.metric == metric]
            # Of several answers to an item one is chosen: that is one thing to say, not several.
            parts = 1 if metric in _choices(self.scales) else 2
            given = {
                who: [row.key[:parts] for row in own if row.rater == who and row.rating is not None]
                for who in dict.fromkeys(row.rater for row in own)
            }
            known = self.known_languages
            dealt = {row.key[:parts]: known.get(row.item) for row in own}
            lines += skip_notes(metric, given, dealt)
        return lines

    @property
    def raters(self) -> list[str]:
        """Who rated, in order of first appearance."""
        return list(dict.fromkeys(row.rater for row in self.ratings if row.rating is not None))

    @property
    def used_scales(self) -> list[Scale]:
        """The scales that any answer was rated on."""
        rated = {row.metric for row in self.ratings if row.rating is not None}
        return [scale for scale in self.scales if scale.name in rated]

    @property
    def groups(self) -> dict[str, Language | None]:
        """All, and each language there is."""
        known = self.known_languages
        spoken = {known.get(row.item) for row in self.ratings}
        names: tuple[Language, ...] = ("en", "zh")
        return {"all": None, **{f"language={name}": name for name in names if name in spoken}}

    @property
    def signature(self) -> Signature:
        """What the scores are made from; an empty cell is no rating, and does not count."""
        given = [row for row in self.ratings if row.rating is not None]
        rows = [
            [*row.key, row.rating, row.language] for row in sorted(given, key=lambda row: row.key)
        ]
        return Signature(
            benchmark=self.benchmark,
            task="ratings",
            version="1",
            n=len(given),
            data=checksum(rows),
            prompts="none",
        )


def _choices(scales: Sequence[Scale]) -> set[str]:
    return {scale.name for scale in scales if scale.is_choice}


def _require_one_choice(scales: Sequence[Scale], ratings: Sequence[Rating]) -> None:
    """Raises where one rater chose two answers to an item."""
    seen: dict[tuple[str | None, ...], Rating] = {}
    for row in ratings:
        if row.rating and row.metric in _choices(scales):
            first = seen.setdefault((row.item, row.metric, row.rater, row.run), row)
            if first.model != row.model:
                what = (
                    f"{row.rater} chose {row.model} for {row.item}, and {first.model} in "
                    f"{first.where}"
                )
                raise InputError(row.where, what, "A rater chooses one answer to an item.")
