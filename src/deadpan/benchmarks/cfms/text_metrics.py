"""What targets and explanations are compared by: exact words, sentence vectors, BLEU, BERTScore."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from deadpan.core.questions import Language
from deadpan.core.scoring_options import ScoringOptions
from deadpan.metrics.bleu import corpus_bleu
from deadpan.metrics.folding import folded
from deadpan.metrics.text_scores import (
    ENCODER,
    NOT_THERE,
    BertScore,
    TextMetric,
    encoder_names,
    named_encoder,
    reason,
)

BERTSCORE = "bertscore"
METRIC_MODELS = (ENCODER, BERTSCORE)
ALIKE = 0.8
"""The cosine from which two targets count as the same by their sentence vectors."""
_ARTICLE = re.compile(r"^(?:the|a|an)\s+")
_HASHTAG = re.compile(r"#([^#]+)#")
_TELLING = re.compile(r"[^\W_](?:\++|(?<=[a-z])#|(?<=\d)%)?")
"""Letters, digits, and the marks that make another word of them: C++, C#, 100%."""


@dataclass(frozen=True)
class TextMetrics:
    """The metrics that need a model: of targets by vectors, of explanations by BERTScore."""

    embedding: TextMetric
    bertscore: TextMetric


def text_metrics(options: ScoringOptions, languages: Sequence[Language]) -> TextMetrics:
    """The metrics with the models that were named for them."""
    embedding = EmbeddingMatch(encoder_names(options, languages))
    return TextMetrics(embedding, BertScore(options.models_of(BERTSCORE, languages)))


def plain_target(text: str) -> str:
    """A target without case, width, punctuation, spaces and a leading article; the marks of C++, C#
    and 100% stay."""
    words = _ARTICLE.sub("", folded(text).casefold().strip())
    return "".join(_TELLING.findall(_HASHTAG.sub(r"\1", words)))


def is_exact(reference: str, given: str) -> bool:
    """Whether two targets are the same words; a target without any letter matches nothing."""
    return plain_target(given) != "" and plain_target(reference) == plain_target(given)


class EmbeddingMatch:
    """1 where the cosine of two targets' sentence vectors reaches the threshold, else 0."""

    def __init__(self, encoders: Mapping[Language, str], threshold: float = ALIKE) -> None:
        self.encoders, self.threshold = encoders, threshold

    def __call__(
        self, references: Sequence[str], hypotheses: Sequence[str], language: Language
    ) -> list[float]:
        encoder = named_encoder(self.encoders[language])
        one, other = encoder.encode(references), encoder.encode(hypotheses)
        cosines = (one * other).sum(axis=1)
        # Vectors are single precision: equal ones may miss 1 by a hair.
        return [float(cosine >= self.threshold - 1e-6) for cosine in cosines.tolist()]

    def signature(self, language: Language) -> str:
        """The threshold and the encoder; raises where it cannot be had."""
        return f"cosine{self.threshold}-{named_encoder(self.encoders[language]).name}"


@cache
def bleu_signature(language: Language) -> str:
    """sacrebleu's own signature of how a language's BLEU is computed, or why it cannot be."""
    try:
        return corpus_bleu(["a"], ["a"], language).signature
    except NOT_THERE as error:
        return reason(error)


def bleu4(references: Sequence[str], hypotheses: Sequence[str], language: Language) -> float | None:
    """Corpus BLEU-4, 0 to 100, a missing answer as an empty text; None without sacrebleu."""
    try:
        return corpus_bleu(hypotheses, references, language).score
    except NOT_THERE:
        return None
