"""The choices made when scoring, not when asking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from deadpan.core.questions import Language


@dataclass(frozen=True)
class Draws:
    """How samples of the items are drawn, where a benchmark scores samples; None is its own way."""

    seed: int = 0
    runs: int | None = None
    size: int | None = None


@dataclass(frozen=True)
class ScoringOptions:
    """Choices made when scoring, not when asking; they are part of the signature."""

    gate: str | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    """The models that metrics measure with: `bertscore`, or `bertscore:zh` for one language."""
    draws: Draws = Draws()

    def models_of(self, metric: str, languages: Iterable[Language]) -> dict[Language, str]:
        """The model of a metric in each language that has one."""
        everywhere = self.models.get(metric)
        found = {code: self.models.get(f"{metric}:{code}", everywhere) for code in languages}
        return {code: name for code, name in found.items() if name is not None}
