"""The text metrics that reasonings are scored by, with a model or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from deadpan.core.questions import Language
from deadpan.core.scoring_options import ScoringOptions
from deadpan.metrics import synonyms
from deadpan.metrics.bartscore import log_likelihoods
from deadpan.metrics.greedy import greedy_matches
from deadpan.metrics.meteor import NLTK_PARAMETERS, Stem, chinese_tokens, english_tokens, meteor
from deadpan.metrics.neural import TextModel, seq2seq_model
from deadpan.metrics.porter import stem
from deadpan.metrics.synonyms import Synonyms
from deadpan.metrics.text_scores import BertScore, TextMetric, named_model

NEURAL = ("bertscore", "bartscore")
Texts = Sequence[str]
_bartscore_model = cache(seq2seq_model)


class Meteor:
    """METEOR with nltk's parameters: WordNet and Porter stems, or jieba's words and Cilin."""

    def __call__(self, references: Texts, hypotheses: Texts, language: Language) -> list[float]:
        tokens = english_tokens if language == "en" else chinese_tokens
        stems, names = self._means(language)
        return [
            meteor([tokens(reference)], tokens(hypothesis), stem=stems, synonyms=names)
            for reference, hypothesis in zip(references, hypotheses, strict=True)
        ]

    def signature(self, language: Language) -> str:
        """The parameters, as the metric states them."""
        return NLTK_PARAMETERS.signature(*self._means(language))

    def _means(self, language: Language) -> tuple[Stem | None, Synonyms]:
        return (stem, synonyms.english()) if language == "en" else (None, synonyms.chinese())


class GreedyMatch:
    """The lexical Greedy Match, F1 of equal words: English words, jieba's words."""

    def __call__(self, references: Texts, hypotheses: Texts, language: Language) -> list[float]:
        tokens = english_tokens if language == "en" else chinese_tokens
        return [found.f1 for found in greedy_matches(hypotheses, references, tokens=tokens)]

    def signature(self, language: Language) -> str:
        """The kind of likeness and of words; raises where jieba is missing."""
        if language == "en":
            return "lexical-words"
        chinese_tokens("")
        return "lexical-jieba"


class BartScore:
    """BARTScore's recall, the reference given the answer, by a model for each language."""

    def __init__(self, models: Mapping[Language, str]) -> None:
        self.models = models

    def __call__(self, references: Texts, hypotheses: Texts, language: Language) -> Sequence[float]:
        return log_likelihoods(hypotheses, references, self._model(language)).values

    def signature(self, language: Language) -> str:
        """The model's name and weights."""
        return f"recall-{self._model(language).identity}"

    def _model(self, language: Language) -> TextModel:
        return _bartscore_model(named_model(self.models, "bartscore", language))


def text_metrics(
    options: ScoringOptions, languages: Sequence[Language]
) -> Mapping[str, TextMetric]:
    """Every metric, with the models that were named for it."""
    bert, bart = (options.models_of(name, languages) for name in NEURAL)
    return {
        "meteor": Meteor(),
        "greedy_match": GreedyMatch(),
        "bartscore": BartScore(bart),
        "bertscore": BertScore(bert),
    }
