"""How far annotators' own words agree: the same words, BLEU-4 between them, and alpha by the
distance of their sentence vectors, or of their spelling where no encoder is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from deadpan.core.metric import Metric, Statistics
from deadpan.core.questions import Language
from deadpan.metrics.annotation_bleu import bleu_rows, mean_bleu_of, mean_of_pairs, remembered
from deadpan.metrics.annotation_measures import Found, defined, found_by_sums, rate
from deadpan.metrics.annotation_questions import Question
from deadpan.metrics.bleu import bleu_signature, bleu_statistics
from deadpan.metrics.statistics.intervals import Interval
from deadpan.metrics.statistics.text_alpha import (
    TextAlpha,
    TextDistances,
    mean_text_alpha,
    text_alpha,
    text_alpha_interval,
)
from deadpan.metrics.text_scores import LEXICAL, NOT_THERE, named_encoder, reason

BLEU, EMBEDDED, SPELLED = "agreement_bleu4", "alpha_embedding", "alpha_lexical"


class Wording:
    """What one question's words are compared by, in all groups of annotators: n-grams, and
    distances by the encoder of their language, the one that was named or else spelling."""

    def __init__(self, question: Question, encoders: Mapping[Language, str]) -> None:
        self._question = question
        self._encoders = encoders
        self._apart: dict[Language, TextDistances | None] = {}
        self.ngrams = remembered(bleu_statistics)

    def alphas(self, languages: Sequence[Language]) -> dict[str, list[Language]]:
        """The alphas that there are, each with the languages that it is measured in."""
        found: dict[str, list[Language]] = {}
        for language in languages:
            metric = SPELLED if self._encoder(language) == LEXICAL else EMBEDDED
            found.setdefault(metric, []).append(language)
        return found

    def apart(self, language: Language) -> TextDistances | None:
        """How far the texts in a language are apart; None where the encoder cannot be had, or a
        text is empty."""
        if language not in self._apart:
            self._apart[language] = self._measured(language)
        return self._apart[language]

    def _measured(self, language: Language) -> TextDistances | None:
        own = self._question.among(list(self._question.said), language)
        texts = list(dict.fromkeys(text for values in own.units for text in values))
        try:
            return TextDistances(texts, named_encoder(self._encoder(language)).encode(texts))
        except (ValueError, *NOT_THERE):
            return None

    def signature(self, metric: str, languages: Sequence[Language]) -> dict[str, str]:
        """What a metric of words is made by in each language; nothing of any other metric."""
        if metric == BLEU:
            made = {name: _how_bleu(name) for name in languages}
        elif metric in (EMBEDDED, SPELLED):
            made = {name: self._how(name) for name in self.alphas(languages).get(metric, [])}
        else:
            return {}
        return {metric: ",".join(f"{name}={how}" for name, how in made.items())}

    def _how(self, language: Language) -> str:
        """The encoder of a language, down to its weights, or why it cannot be had."""
        try:
            return named_encoder(self._encoder(language)).name
        except NOT_THERE as error:
            return reason(error)

    def _encoder(self, language: Language) -> str:
        return self._encoders.get(language, LEXICAL)


def word_agreement(question: Question, wording: Wording) -> Iterator[Found]:
    """Of words: exact after folding, where words of which nothing is left equal none, then BLEU-4
    and alpha, of each language by its own means and over languages by their items."""
    folded = [(item, list(map(question.fold, values))) for item, values in question.rows]
    yield rate("agreement_exact", folded, lambda a, b: a != "" and a == b)
    yield _bleu(question, wording)
    for metric, languages in wording.alphas(question.spoken).items():
        parts = [_text_alpha(question, language, wording) for language in languages]
        known = [one for one in parts if one is not None]
        value = mean_text_alpha(known) if known else None
        n = sum(one.n for one in known)
        yield Found(metric, value, n, partial(_interval, known))


def _interval(parts: Sequence[TextAlpha], metric: Metric) -> Interval | None:
    return text_alpha_interval(parts, metric) if parts else None


def _text_alpha(question: Question, language: Language, wording: Wording) -> TextAlpha | None:
    """Alpha over the texts in one language; None where it is undefined or cannot be measured."""
    apart = wording.apart(language)
    rows = question.among(list(question.said), language).rows
    return None if apart is None else defined(text_alpha, rows, apart)


def _bleu(question: Question, wording: Wording) -> Found:
    weighted: list[tuple[float, int]] = []
    rows: dict[str, Statistics] = {}
    for language in question.spoken:
        try:
            own = bleu_rows(question, language, wording.ngrams)
        except (ValueError, *NOT_THERE):
            continue
        if own:
            weighted.append((mean_of_pairs(own.values(), language), len(own)))
            rows |= own
    total = sum(n for _, n in weighted)
    bleu = sum(value * n for value, n in weighted) / total if weighted else None
    return found_by_sums(BLEU, bleu, total, list(rows.items()), mean_bleu_of)


def _how_bleu(language: Language) -> str:
    try:
        return bleu_signature(language, effective_order=True)
    except NOT_THERE as error:
        return reason(error)
