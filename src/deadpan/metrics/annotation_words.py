"""How far annotators' own words agree: the same words, BLEU-4 between them, and alpha by the
distance of their sentence vectors, or of their spelling where no encoder is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from deadpan.core.metric import Metric, Statistics
from deadpan.core.questions import Language
from deadpan.metrics.annotation_bleu import bleu_rows, mean_bleu_of
from deadpan.metrics.annotation_measures import (
    Found,
    compared_items,
    defined,
    found_by_sums,
    rate,
)
from deadpan.metrics.annotation_questions import Question
from deadpan.metrics.bleu import bleu_signature
from deadpan.metrics.encoders import Vectors
from deadpan.metrics.statistics import agreement
from deadpan.metrics.statistics.intervals import Interval
from deadpan.metrics.statistics.text_alpha import (
    TextAlpha,
    mean_text_alpha,
    text_alpha,
    text_alpha_interval,
)
from deadpan.metrics.text_scores import LEXICAL, NOT_THERE, named_encoder, reason

BLEU, EMBEDDED, SPELLED = "agreement_bleu4", "alpha_embedding", "alpha_lexical"


class TextVectors:
    """The unit vectors of texts by the encoder of their language, each made once: the one that was
    named, else by spelling."""

    def __init__(self, encoders: Mapping[Language, str]) -> None:
        self._names = encoders
        self._known: dict[tuple[str, str], Vectors] = {}

    def metrics(self, languages: Sequence[Language]) -> dict[str, list[Language]]:
        """The alphas that there are, each with the languages that it is measured in."""
        found: dict[str, list[Language]] = {}
        for language in languages:
            metric = SPELLED if self._name(language) == LEXICAL else EMBEDDED
            found.setdefault(metric, []).append(language)
        return found

    def how(self, language: Language) -> str:
        """The encoder of a language, down to its weights, or why it cannot be had."""
        try:
            return named_encoder(self._name(language)).name
        except NOT_THERE as error:
            return reason(error)

    def of(self, texts: Sequence[str], language: Language) -> dict[str, Vectors]:
        """The vector of each text; an empty one raises ValueError, an encoder that cannot be had as
        `NOT_THERE` says."""
        name = self._name(language)
        if new := [one for one in dict.fromkeys(texts) if (name, one) not in self._known]:
            made = named_encoder(name).encode(new)
            self._known |= {(name, text): row for text, row in zip(new, made, strict=True)}
        return {text: self._known[name, text] for text in texts}

    def _name(self, language: Language) -> str:
        return self._names.get(language, LEXICAL)


def word_agreement(question: Question, vectors: TextVectors) -> Iterator[Found]:
    """Of words: exact after folding, where words of which nothing is left equal none, then BLEU-4
    and alpha, of each language by its own means and over languages by their items."""
    folded = [(item, list(map(question.fold, values))) for item, values in question.rows]
    yield rate("agreement_exact", folded, lambda a, b: a != "" and a == b)
    yield _bleu(question)
    for metric, languages in vectors.metrics(question.spoken).items():
        parts = [_text_alpha(question, language, vectors) for language in languages]
        known = [one for one in parts if one is not None]
        value = mean_text_alpha(known) if known else None
        n = sum(one.n for one in known)
        yield Found(metric, value, n, partial(_interval, known))


def _interval(parts: Sequence[TextAlpha], metric: Metric) -> Interval | None:
    return text_alpha_interval(parts, metric) if parts else None


def _text_alpha(question: Question, language: Language, vectors: TextVectors) -> TextAlpha | None:
    """Alpha over the texts in one language; None where it is undefined or cannot be measured."""
    rows = question.among(list(question.said), language).rows
    try:
        made = vectors.of([text for _, values in rows for text in values], language)
    except (ValueError, *NOT_THERE):
        return None
    return defined(text_alpha, rows, made)


def _bleu(question: Question) -> Found:
    weighted: list[tuple[float, int]] = []
    rows: dict[str, Statistics] = {}
    for language in question.spoken:
        part = question.among(list(question.said), language)
        try:
            value = defined(agreement.mean_bleu, part.said, language, part.pairs)
        except NOT_THERE:
            value = None
        if value is not None:
            weighted.append((value, len(compared_items(part.rows))))
            rows |= bleu_rows(question, language)
    total = sum(n for _, n in weighted)
    bleu = sum(value * n for value, n in weighted) / total if weighted else None
    return found_by_sums(BLEU, bleu, total, list(rows.items()), mean_bleu_of)


def how_worded(metric: str, question: Question, vectors: TextVectors) -> dict[str, str]:
    """What a metric of words is made by, for its signature; nothing of any other metric."""
    if metric == BLEU:
        made = {name: _how_bleu(name) for name in question.spoken}
    else:
        languages = vectors.metrics(question.spoken).get(metric, [])
        made = {name: vectors.how(name) for name in languages}
    told = ",".join(f"{name}={how}" for name, how in made.items())
    return {metric: told} if metric in (BLEU, EMBEDDED, SPELLED) else {}


def _how_bleu(language: Language) -> str:
    try:
        return bleu_signature(language, effective_order=True)
    except NOT_THERE as error:
        return reason(error)
