"""Texts scored by metrics that may lack a model: BERTScore, and what an unavailable one says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Protocol, runtime_checkable

import numpy as np

from deadpan.base.errors import MissingExtra
from deadpan.base.resources import Unavailable, path_of
from deadpan.core.metric import Statistics, Value, scored
from deadpan.core.questions import Language
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import UNAVAILABLE
from deadpan.metrics.bertscore import bertscore, named_bertscore_model
from deadpan.metrics.encoders import SentenceEncoder, lexical_encoder, sentence_encoder
from deadpan.metrics.neural import TextModel

TextMetric = Callable[[Sequence[str], Sequence[str], Language], Sequence[float]]
"""References and hypotheses of one language → a score for each pair."""

NOT_THERE = (MissingExtra, Unavailable)
"""What a metric raises whose extra, lexicon or model is missing; it has no number then."""

Measure = Callable[[Sequence[str], Sequence[str], Language], Sequence[Statistics]]
"""References and hypotheses of one language → what each pair adds."""

UNMEASURED: Statistics = {"unmeasured": 1.0}
"""What a text adds in a language that the metric cannot measure."""

NO_MODEL = f"{UNAVAILABLE}needs a model (deadpan[neural]) and none was named"


ENCODER = "encoder"
"""What `--metric-model` calls the sentence encoder."""
LEXICAL = "lexical"
"""The encoder's name for likeness of spelling."""
ENCODERS: Mapping[Language, str] = MappingProxyType({"en": "minilm", "zh": "bge-small-zh"})
"""The sentence encoders by resource name, where none is named."""


def encoder_names(options: ScoringOptions, languages: Sequence[Language]) -> Mapping[Language, str]:
    """The sentence encoder of each language: the one that was named, else ours."""
    return {**ENCODERS, **options.models_of(ENCODER, languages)}


@cache
def named_encoder(name: str) -> SentenceEncoder:
    """The encoder of that name; one that is not here raises with how to get it."""
    if name == LEXICAL:
        return lexical_encoder()
    if name in ENCODERS.values():
        path_of(name)  # tells what is missing before the library, slow to load, is asked
    return sentence_encoder(name)


@runtime_checkable
class Signed(Protocol):
    """A metric that can say how it measures, for the signature."""

    def signature(self, language: Language) -> str:
        """The settings in one word; what is missing raises as the metric itself does."""


def reason(error: Exception) -> str:
    """What a missing extra, lexicon or model is reported as."""
    text = str(error)
    return text if text.startswith(UNAVAILABLE) else f"{UNAVAILABLE}{text}"


def how_measured(metric: TextMetric | None, language: Language) -> str:
    """How a metric measures in a language, for the signature, or why it cannot."""
    if metric is None:
        return NO_MODEL
    if not isinstance(metric, Signed):
        return "unsigned"
    try:
        return metric.signature(language)
    except NOT_THERE as error:
        return reason(error)


def parts_of_mean(metric: TextMetric) -> Measure:
    """What each pair adds to the metric's mean: an empty hypothesis 0, whatever the metric."""

    def measure(
        references: Sequence[str], hypotheses: Sequence[str], language: Language
    ) -> list[Statistics]:
        if isinstance(metric, Signed):
            metric.signature(language)  # raises where it could not measure anything
        given = [at for at, hypothesis in enumerate(hypotheses) if hypothesis]
        asked = [references[at] for at in given], [hypotheses[at] for at in given]
        values = metric(*asked, language) if given else []
        by_place = dict(zip(given, values, strict=True))
        return [scored(by_place.get(at, 0.0)) for at in range(len(hypotheses))]

    return measure


def where_measured(value: Value) -> Value:
    """The value, none where some text is in a language that the metric cannot measure."""
    return lambda sums: np.where(sums["unmeasured"] > 0, np.nan, value(sums))


def named_model(models: Mapping[Language, str], metric: str, language: Language) -> str:
    """The model that was named for a metric in a language; none raises Unavailable."""
    if language in models:
        return models[language]
    raise Unavailable(
        "it needs a model and none was named", f"--metric-model {metric}:{language}=NAME-OR-FOLDER"
    )


class BertScore:
    """BERTScore's F1 by a model for each language; a language without one has no score."""

    def __init__(self, models: Mapping[Language, str]) -> None:
        self.models = models

    def __call__(
        self, references: Sequence[str], hypotheses: Sequence[str], language: Language
    ) -> Sequence[float]:
        return bertscore(hypotheses, references, self._model(language)).f1

    def signature(self, language: Language) -> str:
        """The model's name, weights and layer."""
        return f"f1-{self._model(language).identity}"

    def _model(self, language: Language) -> TextModel:
        return named_bertscore_model(named_model(self.models, "bertscore", language))
