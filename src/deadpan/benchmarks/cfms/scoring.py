"""CFMS's scores: of labels, targets and explanations, task by task, and metaphor's gap."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

import numpy as np

from deadpan.benchmarks.cfms.judge import TARGETED, verdicts
from deadpan.core.answers import Answer, AnswerKey, Answers, TaskAnswers
from deadpan.core.measurement import Measurement, measure_metric, over_tasks
from deadpan.core.metric import Array, Metric, Statistics, Sums, mean, percent, ratio, scored
from deadpan.core.questions import Language
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import join_signatures, parse_signature
from deadpan.core.units import GroupBy, Units
from deadpan.metrics import text_scores
from deadpan.metrics.annotation_scores import AGREEMENT_METRICS
from deadpan.metrics.bleu import bleu, bleu_signature, bleu_statistics
from deadpan.metrics.folding import normalize_text
from deadpan.metrics.rating_scores import RATING_METRICS
from deadpan.metrics.text_scores import Measure, TextMetric, parts_of_mean, where_measured

NO_TYPE = "none"
"""The target type of a pair that is not sarcastic."""
GROUPS = (GroupBy("language"), GroupBy("target_type", nothing=(NO_TYPE,)))
COLUMNS = ("judgements", "attr.target_type")
METRIC_MODELS = (text_scores.ENCODER, "bertscore")
GAP_TASKS = ("metaphor", "metaphor_sarcasm")
LABELLED = ("joint", "identification", *GAP_TASKS)
EXPLAINED = ("joint", "explanation")
_WAITING = "waiting"
"""What an answer adds whose target no judge has judged."""
_ALIKE = 0.8
"""The cosine from which two targets count as the same by their sentence vectors."""
_ARTICLE = re.compile(r"^(?:the|a|an)\s+")
_HASHTAG = re.compile(r"#([^#]+)#")
_TELLING = re.compile(r"[^\W_](?:\++|(?<=[a-z])#|(?<=\d)%)?")
"""Letters, digits, and the marks that make another word of them: C++, C#, 100%."""


def label_gold(answer: Answer) -> bool:
    """Whether the pair is what the task asks about: sarcastic, or a metaphor."""
    return bool(answer.gold[_label_of(answer)])


def label_said(answer: Answer) -> bool | None:
    """What the answer says of it; None where it does not say."""
    found = (answer.parsed or {}).get(_label_of(answer))
    return found if isinstance(found, bool) else None


def _label_of(answer: Answer) -> str:
    return "metaphor" if "metaphor" in answer.gold else "sarcastic"


def text_said(answer: Answer, part: str) -> str:
    """A part of the answer; empty where it is missing."""
    return str((answer.parsed or {}).get(part) or "")


def _label_counts(answer: Answer) -> Statistics:
    """An answer that does not say is a miss where gold is positive, and neither a false alarm nor
    right where it is negative."""
    gold, said = label_gold(answer), label_said(answer)
    if gold:
        return {"n": 1.0, "tp" if said else "fn": 1.0}
    return {"n": 1.0} if said is None else {"n": 1.0, "fp" if said else "tn": 1.0}


def _accuracy(sums: Sums) -> Array:
    return 100 * ratio(sums["tp"] + sums["tn"], sums["n"])


def _share_of_hits(others: str, sums: Sums) -> Array:
    return 100 * ratio(sums["tp"], sums["tp"] + sums[others])


def _f1(sums: Sums) -> Array:
    return 100 * ratio(2 * sums["tp"], 2 * sums["tp"] + sums["fp"] + sums["fn"])


def _gap(sums: Sums) -> Array:
    metaphor, sarcasm = (_f1(sums.of_label(task)) for task in GAP_TASKS)
    return metaphor - sarcasm


def _judged_target(answer: Answer) -> Statistics:
    """The share of judgements that find the target to be gold's; an answer without one is wrong."""
    if same := verdicts(answer):
        return {**scored(fmean(same)), "judged": 1.0}
    return {_WAITING: 1.0} if text_said(answer, "target") else scored(0)


def _judged_percent(sums: Sums) -> Array:
    """The mean in percent; none where answers wait for a judge and not one was judged."""
    return np.where((sums[_WAITING] > 0) & (sums["judged"] == 0), np.nan, percent(sums))


def plain_target(text: str) -> str:
    """A target without case, width, punctuation, spaces and a leading article; the marks of C++, C#
    and 100% stay."""
    words = _ARTICLE.sub("", normalize_text(text).casefold().strip())
    return "".join(_TELLING.findall(_HASHTAG.sub(r"\1", words)))


def is_exact(reference: str, given: str) -> bool:
    """Whether two targets are the same words; a target without any letter matches nothing."""
    return plain_target(given) != "" and plain_target(reference) == plain_target(given)


class EmbeddingMatch:
    """1 where the cosine of two targets' sentence vectors reaches the threshold, else 0."""

    def __init__(self, encoders: Mapping[Language, str], threshold: float = _ALIKE) -> None:
        self.encoders, self.threshold = encoders, threshold

    def __call__(
        self, references: Sequence[str], hypotheses: Sequence[str], language: Language
    ) -> list[float]:
        encoder = text_scores.named_encoder(self.encoders[language])
        one, other = encoder.encode(references), encoder.encode(hypotheses)
        cosines = (one * other).sum(axis=1)
        # Vectors are single precision: equal ones may miss 1 by a hair.
        return [float(cosine >= self.threshold - 1e-6) for cosine in cosines.tolist()]

    def signature(self, language: Language) -> str:
        """The threshold and the encoder; raises where it cannot be had."""
        return f"cosine{self.threshold}-{text_scores.named_encoder(self.encoders[language]).name}"


def _is_complete(answer: Answer) -> Statistics:
    """Whether a joint answer has the label and, where it says sarcastic, both other parts."""
    said = label_said(answer)
    given = bool(text_said(answer, "target") and text_said(answer, "explanation"))
    return scored(said is not None and (given or not said))


_LANGUAGE = ("language",)
_percent = partial(Metric, unit="percent", decimals=1, range=(0, 100))
_label = partial(_percent, source="CFMS, tables 7 and 9", statistics=_label_counts)
_share = partial(Metric, range=(0, 1), value=mean, groups=_LANGUAGE)
_count = partial(Metric, better="neither", unit="count", decimals=0)
F1 = _label("f1", "F1", value=_f1, groups=_LANGUAGE)
LABEL_METRICS = (
    _label("accuracy", value=_accuracy, groups=_LANGUAGE, mean_over="n"),
    _label("precision", value=partial(_share_of_hits, "fp"), groups=_LANGUAGE),
    _label("recall", value=partial(_share_of_hits, "fn")),
    F1,
)
GAP = _percent(
    "gap", better="neither", unit="points", range=(-100, 100), source="CFMS, table 9", value=_gap
)
TARGET_ACCURACY = _percent(
    "target_accuracy",
    source="CFMS, equation 3",
    statistics=_judged_target,
    value=_judged_percent,
    mean_over="n",
)
TARGET_EXACT = _percent(
    "target_exact",
    statistics=lambda one: scored(is_exact(one.gold["target"], text_said(one, "target"))),
    value=percent,
)
TARGET_EMBEDDING = _percent("target_embedding", value=where_measured(percent), mean_over="n")
TARGET_METRICS = (TARGET_ACCURACY, TARGET_EXACT, TARGET_EMBEDDING)
_text = partial(_percent, source="CFMS, table 7")
TEXT_METRICS = (
    _text("bleu4", "BLEU-4", value=where_measured(bleu)),
    _text("bertscore", "BERTScore", value=where_measured(percent), mean_over="n"),
)
ANSWERED = _share("answered", statistics=lambda answer: scored(answer.is_answered))
COMPLETE = _share("complete", statistics=_is_complete)
JOINT_METRICS = (*LABEL_METRICS, *TARGET_METRICS, *TEXT_METRICS, ANSWERED, COMPLETE)
OTHERS = (
    _count("pairs", source="CFMS, table 2"),
    _count("targets", source="CFMS, figure 3"),
    *(
        _count(f"{text}_characters_{what}", decimals=places, source="CFMS, table 1")
        for text in ("text", "target", "explanation")
        for what, places in (("mean", 2), ("max", 0), ("min", 0))
    ),
    _count("metaphor_pairs", source="CFMS, table 5"),
    _count("met", "pictures that meet the effect", decimals=1, source="CFMS, table 6"),
    _count("met_of", "pictures judged", decimals=1),
    _percent("met_share", "share that meets the effect", source="CFMS, table 6"),
    *AGREEMENT_METRICS,
    *RATING_METRICS,
)
"""Metrics of the data, of its annotators, and of people's ratings of generated pictures."""


@dataclass(frozen=True)
class TextMetrics:
    """The metrics that need a model: of targets by vectors, of explanations by BERTScore."""

    embedding: TextMetric
    bertscore: TextMetric

    @classmethod
    def of(cls, options: ScoringOptions, languages: Sequence[Language]) -> TextMetrics:
        """The metrics with the models that were named for them."""
        embedding = EmbeddingMatch(text_scores.encoder_names(options, languages))
        return cls(embedding, text_scores.BertScore(options.models_of("bertscore", languages)))


def measure_cfms(answers: Answers, texts: TextMetrics) -> Iterator[Measurement]:
    """Every metric, model by model; what a metric lacks is said in the signature."""
    for model in answers.models:
        f1: dict[str, Measurement] = {}
        for task, asked in answers.of(model).items():
            signature = _signature(asked, texts, answers.languages)
            own = TaskAnswers(task, tuple(map(_without_judge, asked)), signature)
            for one in _task_measurements(model, own, texts):
                if one.metric is F1:
                    f1[task] = one
                yield one
        if f1.keys() >= set(GAP_TASKS):
            parts = [f1[task] for task in GAP_TASKS]
            signature = join_signatures("metaphor_gap", [part.signature for part in parts])
            yield over_tasks(GAP, parts, signature)


def _without_judge(answer: Answer) -> Answer:
    """An answer whose judge failed says what it says; its target waits for a judge."""
    if answer.is_scored or answer.parsed is None:
        return answer
    return replace(answer, outcome="answered", judgements=None)


def _task_measurements(model: str, own: TaskAnswers, texts: TextMetrics) -> Iterator[Measurement]:
    units = Units.of(own, GROUPS[:1] if own.task in GAP_TASKS else GROUPS)
    if own.task in LABELLED:
        silent = np.array([one.is_answered and label_said(one) is None for one in own], bool)
        for metric in LABEL_METRICS:
            yield replace(measure_metric(model, own, metric, units), silent=silent)
    sarcastic = replace(own, answers=tuple(one for one in own if one.gold.get("sarcastic")))
    if own.task in TARGETED:
        yield from _targets(model, sarcastic, texts.embedding)
    if own.task in EXPLAINED:
        of_sarcastic = Units.of(sarcastic, GROUPS)
        measures = (bleu_statistics, parts_of_mean(texts.bertscore))
        for metric, measure in zip(TEXT_METRICS, measures, strict=True):
            # An answer without an explanation counts as an empty text.
            given = _compare(sarcastic, "explanation", measure)
            yield measure_metric(model, sarcastic, metric, of_sarcastic, given)
    yield measure_metric(model, own, ANSWERED, units)
    if own.task == "joint":
        yield measure_metric(model, own, COMPLETE, units)


def _targets(model: str, own: TaskAnswers, embedding: TextMetric) -> Iterator[Measurement]:
    """Targets that are gold's: as judged, where those that wait for a judge are unscored, word by
    word, and by their vectors."""
    units = Units.of(own, GROUPS)
    judged = measure_metric(model, own, TARGET_ACCURACY, units)
    waiting = [row is None or _WAITING in row for row in judged.statistics]
    yield replace(judged, left_out=np.array(waiting, bool))
    yield measure_metric(model, own, TARGET_EXACT, units)
    vectors = _compare(own, "target", parts_of_mean(embedding))
    yield measure_metric(model, own, TARGET_EMBEDDING, units, vectors)


def _compare(
    answers: TaskAnswers, part: str, measure: Measure
) -> dict[AnswerKey, Statistics | None]:
    """What the part of each scored answer adds, measured against gold's language by language."""
    found: dict[AnswerKey, Statistics | None] = {}
    given = [one for one in answers if one.is_scored]
    for language in sorted({one.language for one in given}):
        own = [one for one in given if one.language == language]
        references = [str(one.gold[part]) for one in own]
        try:
            rows = measure(references, [text_said(one, part) for one in own], language)
        except text_scores.NOT_THERE:
            rows = [text_scores.UNMEASURED] * len(own)
        found |= {one.key: row for one, row in zip(own, rows, strict=True)}
    return found


def _signature(own: TaskAnswers, texts: TextMetrics, languages: Sequence[Language]) -> str:
    """The signature with how each text metric measures in each language, or why it cannot."""

    def each(how: Callable[[Language], str]) -> str:
        return ",".join(f"{code}={how(code)}" for code in languages)

    how: dict[str, str] = {}
    if own.task in TARGETED:
        how["target_embedding"] = each(partial(text_scores.how_measured, texts.embedding))
    if own.task in EXPLAINED:
        how["bleu4"] = each(_bleu_signature)
        how["bertscore"] = each(partial(text_scores.how_measured, texts.bertscore))
    return str(parse_signature(own.signature).with_settings(**how)) if how else own.signature


def _bleu_signature(language: Language) -> str:
    try:
        return bleu_signature(language)
    except text_scores.NOT_THERE as error:
        return text_scores.reason(error)
