"""Scores: the numbers that commands print, each with its count of questions and its signature."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from deadpan.core.outcomes import Coverage, WrongCounts
from deadpan.core.questions import Language
from deadpan.core.signature import UNAVAILABLE, Signature, parse_signature


class Score(BaseModel):
    """One number. `group` is `all` or `key=value`; a value of None means nothing was scored.

    `n` questions are scored, among them those that are `invalid`, `truncated` or `refused`;
    `unscored` ones are not, for want of a call or a judge, and `not_given` ones have no answer.
    `read` of the answers were read by a model, as no rule could. `low` and `high` are the ends of
    the 95 % interval, made as `interval` says, where there is one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    """Who answered."""
    task: str
    """What was asked."""
    metric: str
    """What was measured."""
    group: str = "all"
    """Of which items."""
    value: float | None
    """The score, in the metric's unit."""
    low: float | None = None
    """The lower end of the 95 % interval."""
    high: float | None = None
    """Its upper end."""
    interval: str = ""
    """How it was made: `bootstrap`, `wilson`, `jackknife`, `exact` or `sequence`."""
    n: int
    """Questions that are scored."""
    invalid: int = 0
    """Of them: cannot be read."""
    truncated: int = 0
    """Of them: cut off."""
    refused: int = 0
    """Of them: refused."""
    unscored: int = 0
    """Not among them: the call or the judge failed."""
    not_given: int = 0
    """Not among them: there is no answer."""
    read: int = 0
    """Of them: read by a model that was named."""
    signature: str = ""
    """What was measured, on what, and how."""

    @property
    def wrong_counts(self) -> WrongCounts:
        """How many of the questions count as wrong whatever the reply said."""
        return {"invalid": self.invalid, "truncated": self.truncated, "refused": self.refused}

    @classmethod
    def over(
        cls,
        coverage: Coverage,
        *,
        model: str,
        task: str,
        metric: str,
        group: str = "all",
        value: float | None,
        signature: str,
    ) -> Score:
        """A score whose counts come from the coverage of the questions it was computed over."""
        return cls(
            model=model,
            task=task,
            metric=metric,
            group=group,
            value=value,
            n=coverage.scored,
            unscored=coverage.unscored,
            not_given=coverage.not_given,
            signature=signature,
            **coverage.wrong_counts,
        )


@dataclass(frozen=True)
class DataScores:
    """Makes the scores that describe a data set."""

    signature: str

    @classmethod
    def of(cls, benchmark: str, items: int, data: str) -> DataScores:
        """Those of a benchmark's data of so many items and that checksum."""
        return cls(
            str(Signature(benchmark, "data", version="1", n=items, data=data, prompts="none"))
        )

    def __call__(self, metric: str, group: str, value: float, members: Sequence[object]) -> Score:
        """A score over some of the items."""
        return Score(
            model="gold",
            task="data",
            metric=metric,
            group=group,
            value=float(value),
            n=len(members),
            signature=self.signature,
        )


def unavailable(scores: Iterable[Score]) -> list[str]:
    """The metrics that have no number for want of a model, lexicon or extra, and how to get it, as
    their signatures tell: a line for each metric, language and remedy."""
    lines: dict[str, None] = {}
    for signature in dict.fromkeys(score.signature for score in scores if score.signature):
        for name, value in parse_signature(signature).settings.items():
            for part in re.split(r",(?=\w\w=)", value):
                language, _, how = part.rpartition(f"={UNAVAILABLE}")
                if language:
                    lines[f"{name} ({language}) {UNAVAILABLE}{how}"] = None
    return list(lines)


def select(
    scores: Iterable[Score],
    *,
    task: str | None = None,
    metric: str | None = None,
    group: str | None = None,
    model: str | None = None,
) -> list[Score]:
    """The scores that match every given field."""
    wanted = {"task": task, "metric": metric, "group": group, "model": model}
    return [
        f
        for f in scores
        if all(value is None or getattr(f, name) == value for name, value in wanted.items())
    ]


@dataclass(frozen=True)
class Draws:
    """How samples of the items are drawn, where a benchmark scores samples; None is its own way."""

    seed: int | None = None
    runs: int | None = None
    size: int | None = None


@dataclass(frozen=True)
class ScoringOptions:
    """Choices made when scoring, not when asking; they are part of the signature."""

    gate: str | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    """The models that metrics measure with: `bertscore`, or `bertscore:zh` for one language."""
    draws: Draws = Draws()
    lexicons: Mapping[Language, str] = field(default_factory=dict)
    """The lexicons that are not a benchmark's usual ones, by language."""
    reading: str | None = None
    """Another way of reading replies than the usual one, where a benchmark has it."""

    def models_of(self, metric: str, languages: Iterable[Language]) -> dict[Language, str]:
        """The model of a metric in each language that has one."""
        everywhere = self.models.get(metric)
        found = {code: self.models.get(f"{metric}:{code}", everywhere) for code in languages}
        return {code: name for code, name in found.items() if name is not None}
