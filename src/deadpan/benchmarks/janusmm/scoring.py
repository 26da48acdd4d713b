"""JanusMM's scores: recognition, reasonings beside people's, and both perspectives together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from statistics import fmean

import numpy as np

from deadpan.benchmarks.janusmm import irc, metrics
from deadpan.core.answers import Answer, Answers, TaskAnswers
from deadpan.core.measurement import Measurement
from deadpan.core.metric import Metric, Statistics, scored
from deadpan.core.outcomes import LEFT_OUT, OUTCOMES
from deadpan.core.questions import Language
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import join_signatures, parse_signature
from deadpan.core.units import Units
from deadpan.metrics import synonyms, text_scores
from deadpan.metrics.bartscore import log_likelihoods
from deadpan.metrics.greedy import greedy_matches
from deadpan.metrics.meteor import NLTK_PARAMETERS, Stem, chinese_tokens, english_tokens, meteor
from deadpan.metrics.neural import TextModel, seq2seq_model
from deadpan.metrics.porter import stem
from deadpan.metrics.synonyms import Synonyms

NEURAL = ("bertscore", "bartscore")
Texts = Sequence[str]
TextMetrics = Mapping[str, text_scores.TextMetric]
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
        return _bartscore_model(text_scores.named_model(self.models, "bartscore", language))


def text_metrics(options: ScoringOptions, languages: Sequence[Language]) -> TextMetrics:
    """Every metric, with the models that were named for it."""
    bert, bart = (options.models_of(name, languages) for name in NEURAL)
    return {
        "meteor": Meteor(),
        "greedy_match": GreedyMatch(),
        "bartscore": BartScore(bart),
        "bertscore": text_scores.BertScore(bert),
    }


def measure_janusmm(
    answers: Answers, texts: TextMetrics, parts: irc.Parts
) -> Iterator[Measurement]:
    """Every metric, model by model; what one lacks to measure with stands in the signature."""
    for model in answers.models:
        tasks = answers.of(model)
        for name, own in tasks.items():
            if name == "recognition":
                yield from _recognition(model, own)
            else:
                yield from _reasoning(model, own, texts, answers.languages)
        if "initiator" in tasks and "responder" in tasks:
            sides = tasks["initiator"], tasks["responder"]
            if len({parse_signature(side.signature).data for side in sides}) == 1:
                yield from _dual(model, *sides, parts, answers.languages)


def irc_by_item(answers: Answers, parts: irc.Parts) -> dict[tuple[str, str], float]:
    """The IRC of each model and meme that was answered from both sides, the mean over its epochs;
    a part that cannot be measured raises as its loader does."""
    found: dict[tuple[str, str], list[float]] = {}
    for model in answers.models:
        tasks = answers.of(model)
        both = pair_answers(tasks.get("initiator", ()), tasks.get("responder", ()))
        for language in answers.languages:
            if own := _in_language(both, language):
                pairs = [one.parsed for one in own]
                values = irc.irc({name: parts[name](language).values(pairs) for name in irc.PARTS})
                for one, value in zip(own, values, strict=True):
                    found.setdefault((model, one.item), []).append(value)
    return {key: fmean(values) for key, values in found.items()}


def _in_language(answers: Iterable[Answer], language: Language) -> list[Answer]:
    return [one for one in answers if one.language == language and one.is_answered]


def pair_answers(initiator: Iterable[Answer], responder: Iterable[Answer]) -> list[Answer]:
    """The self-deprecating memes of either side, each as one answer that says a `Pair`. It ended as
    the first of OUTCOMES that one of its sides counts as wrong by; a side that was not asked, or
    has no score, leaves the pair out."""
    sides = [
        {one.key: one for one in side if one.attributes["self_deprecating"]}
        for side in (initiator, responder)
    ]
    found = []
    for key in dict.fromkeys([*sides[0], *sides[1]]):
        own = [side[key] for side in sides if key in side]
        ended = {one.outcome for one in own}
        if len(own) < 2 or LEFT_OUT & ended:
            found.append(own[0].ending("not_given" if "not_given" in ended else "failed"))
        elif ended == {"answered"}:
            said = (irc.Perspective(one.parsed["emotion"], one.parsed["reasoning"]) for one in own)
            found.append(own[0].ending("answered", irc.Pair(*said)))
        else:
            found.append(own[0].ending(next(name for name in OUTCOMES[1:] if name in ended)))
    return found


def _recognition(model: str, own: TaskAnswers) -> Iterator[Measurement]:
    """Accuracy over self-deprecating memes, false alarms over the others, where there are any."""
    ours = [one for one in own if one.attributes["self_deprecating"]]
    others = [one for one in own if not one.attributes["self_deprecating"]]
    for metric, chosen in zip(metrics.RECOGNITION, (ours, others, own.answers), strict=True):
        if chosen:
            part = replace(own, answers=tuple(chosen))
            yield from _measure_task(model, part, _own_statistics(part, [metric]))


def _reasoning(
    model: str, own: TaskAnswers, texts: TextMetrics, languages: Sequence[Language]
) -> Iterator[Measurement]:
    """Text metrics over memes with a reference, and what the answers consist of."""
    settings = {
        name: ",".join(f"{code}={text_scores.how_measured(metric, code)}" for code in languages)
        for name, metric in texts.items()
    }
    own = _with_settings(own, settings)
    ours = [one for one in own if one.attributes["self_deprecating"]]
    compared = [one for one in ours if one.gold.get("reference") is not None]
    given = {
        metric: _statistics(
            compared,
            {code: _compare(texts[metric.name], compared, code) for code in languages},
            floor=None if metric is metrics.BARTSCORE else 0.0,
        )
        for metric in metrics.TEXTS
    }
    yield from _measure_task(model, replace(own, answers=tuple(compared)), given)
    replied = (metrics.REPLY_GIVEN,) if own.task == "responder" else ()
    shares: dict[Metric, Sequence[Statistics | None]] = {
        **_own_statistics(own, (*metrics.SHARES, *replied)),
        metrics.REPEATED_ANSWERS: metrics.said_again(own, lambda one: [one.parsed["reasoning"]]),
    }
    yield from _measure_task(model, own, shares)


def _compare(
    metric: text_scores.TextMetric, answers: Iterable[Answer], language: Language
) -> Sequence[float] | None:
    """The scores of a language's reasonings; None where the metric is unavailable."""
    own = _in_language(answers, language)
    references = [one.gold["reference"] for one in own]
    try:
        return metric(references, [one.parsed["reasoning"] for one in own], language) if own else []
    except text_scores.NOT_THERE:
        return None


def _dual(
    model: str,
    initiator: TaskAnswers,
    responder: TaskAnswers,
    parts: irc.Parts,
    languages: Sequence[Language],
) -> Iterator[Measurement]:
    """IRC and its parts over self-deprecating memes asked from both sides, and the shares of pairs
    with a very short answer, and with one that other memes have too. A pair with a side that counts
    as wrong tells no story at all: 0."""
    both = pair_answers(initiator, responder)
    found = {
        code: irc.measure_pairs([one.parsed for one in _in_language(both, code)], code, parts)
        for code in languages
    }
    signature = join_signatures(metrics.DUAL, [initiator.signature, responder.signature])
    own = _with_settings(
        TaskAnswers(metrics.DUAL, tuple(both), signature), irc.instrument_settings(found)
    )
    given = {
        metric: _statistics(both, {code: found[code].values.get(metric.name) for code in languages})
        for metric in metrics.CONSISTENCIES
    }
    shares = {
        **_own_statistics(own, [metrics.SHORT_PAIRS]),
        metrics.REPEATED_PAIRS: metrics.said_again(
            own, lambda one: [side.reasoning for side in one.parsed]
        ),
    }
    yield from _measure_task(model, own, {**given, **shares})


def _statistics(
    answers: Iterable[Answer],
    values: Mapping[Language, Sequence[float] | None],
    floor: float | None = 0.0,
) -> list[Statistics | None]:
    """What each answer adds, by the values of each language's answered ones in their order, None
    where the metric is unavailable. An answer that counts as wrong has the `floor`: what the metric
    gives to an empty text, if anything."""
    left = {code: iter(own) for code, own in values.items() if own is not None}
    found: list[Statistics | None] = []
    for one in answers:
        if one.language not in left:
            found.append(text_scores.UNMEASURED)
        elif one.is_answered:
            found.append(scored(next(left[one.language])))
        else:
            found.append(scored(floor) if one.is_wrong and floor is not None else None)
    return found


def _measure_task(
    model: str, own: TaskAnswers, given: Mapping[Metric, Sequence[Statistics | None]]
) -> Iterator[Measurement]:
    """The metrics on a task's answers, by what each answer adds. Only what has no score of its own
    is unscored: an answer that counts as wrong may add nothing."""
    units = Units.of(own, metrics.GROUPS)
    left_out = np.array([not one.is_scored for one in own], np.bool_)
    for metric, adds in given.items():
        yield Measurement(model, own.task, metric, units, adds, own.signature, left_out=left_out)


def _own_statistics(
    own: TaskAnswers, wanted: Iterable[Metric]
) -> dict[Metric, Sequence[Statistics | None]]:
    return {metric: own.statistics_of(metric.statistics) for metric in wanted if metric.statistics}


def _with_settings(own: TaskAnswers, settings: Mapping[str, str]) -> TaskAnswers:
    """The answers with settings in their signature."""
    signature = parse_signature(own.signature).with_settings(**settings)
    return replace(own, signature=str(signature))
