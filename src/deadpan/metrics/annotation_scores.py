"""How far annotators agree, question by question: on labels by rates, kappa and alpha with the
distance that fits, on numbers by their differences, on words by BLEU-4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

from deadpan.core.annotations import Annotation
from deadpan.core.metric import Metric, Statistics, Value
from deadpan.core.questions import Language
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.metrics.annotation_questions import Fold, Question, plain_words
from deadpan.metrics.bleu import bleu_signature
from deadpan.metrics.statistics import agreement, coincidences
from deadpan.metrics.statistics.coincidences import Additive, interval_fields, item_interval
from deadpan.metrics.statistics.intervals import Interval
from deadpan.metrics.text_scores import NOT_THERE, reason

ANNOTATORS = "annotators"
"""Whose scores these are, in a model's place; a pair of them is the group `annotators=A+B`."""
_share = partial(Metric, range=(0, 1))
AGREEMENT_METRICS = (
    _share("agreement_exact", "exact agreement"),
    _share("agreement_overlap", "overlap agreement"),
    Metric("cohen_kappa", "Cohen's kappa", source="Cohen (1960)"),
    Metric("cohen_kappa_linear", "Cohen's kappa, linear weights", source="Cohen (1968)"),
    Metric("cohen_kappa_quadratic", "Cohen's kappa, quadratic weights", source="Cohen (1968)"),
    Metric("fleiss_kappa", "Fleiss' kappa", source="Fleiss (1971)"),
    *(
        Metric(f"alpha_{name}", f"Krippendorff's alpha, {name}", source="Krippendorff (2011)")
        for name in ("nominal", "jaccard", "masi", "overlap", "ordinal", "interval")
    ),
    _share("agreement_bleu4", "BLEU-4 between annotators"),
    Metric("difference_mean", "mean difference", better="lower"),
)
T = TypeVar("T")
ByItem = Mapping[str, Sequence[Any]]
"""The values that each item got."""
_KNOWN = {metric.name: metric for metric in AGREEMENT_METRICS}


class Found(NamedTuple):
    """Metric, value, how many items it is over, what each of them adds, and the value of sums;
    None where it does not add up."""

    metric: str
    value: float | None
    n: int
    rows: Sequence[tuple[str, Statistics | None]] = ()
    value_of: Value | None = None

    @property
    def interval(self) -> Interval | None:
        """The interval over items."""
        if self.value_of is None:
            return None
        return item_interval(self.rows, self.value_of, self.value, _KNOWN[self.metric])


def annotation_scores(
    benchmark: str, annotations: Sequence[Annotation], folds: Mapping[str, Fold] | None = None
) -> list[Score]:
    """Agreement on every question: over all annotators, per language where rows tell it, and of
    each pair where there are more than two. None where it is undefined; `unscored` counts items
    that are not compared. `folds` are questions' own ways to tell whether words are the same."""
    rows = sorted((one.item, one.annotator, one.question, _plain(one.value)) for one in annotations)
    signature = Signature(benchmark, "agreement", "1", len(rows), checksum(rows), prompts="none")
    return [
        Score(
            model=ANNOTATORS,
            task=name,
            metric=found.metric,
            group=group,
            value=found.value,
            n=found.n if found.value is not None else 0,
            unscored=len(part.units) - found.n,
            signature=str(_signed(signature, found.metric, part)),
            **interval_fields(found.interval),
        )
        for name in dict.fromkeys(one.question for one in annotations)
        for group, part in _parts(
            Question.of(name, annotations, (folds or {}).get(name, plain_words))
        )
        for found in _agreement(part)
    ]


def _parts(question: Question) -> Iterator[tuple[str, Question]]:
    names = list(question.said)
    yield "all", question
    if len(question.spoken) > 1:
        for language in question.spoken:
            yield f"language={language}", question.among(names, language)
    if len(names) > 2:
        for first, second in combinations(names, 2):
            yield f"{ANNOTATORS}={first}+{second}", question.among((first, second))


def _agreement(question: Question) -> Iterator[Found]:
    units = question.units
    kind = type(next(value for unit in units for value in unit)) if units else None
    if kind is None:
        return
    if kind is str:
        yield from _of_words(question)
    elif kind is float:
        yield from _of_numbers(question)
    else:
        yield from _of_labels(question)


def _of_labels(question: Question) -> Iterator[Found]:
    """Sets of labels are values of their own for kappa: equal or not."""
    own = question.by_item
    several = any(len(value) != 1 for unit in own.values() for value in unit)
    yield _rate("agreement_exact", own, agreement.exact)
    if several:
        yield _rate("agreement_overlap", own, agreement.overlap)
    yield from _kappas(question, ("cohen_kappa", None))
    yield _fleiss(own)
    yield _alpha("alpha_nominal", own, agreement.nominal)
    if several:
        yield _alpha("alpha_jaccard", own, agreement.jaccard)
        yield _alpha("alpha_masi", own, agreement.masi)
        yield _alpha("alpha_overlap", own, agreement.overlap_distance)


def _of_numbers(question: Question) -> Iterator[Found]:
    own = question.by_item
    yield _rate("agreement_exact", own, agreement.exact)
    apart = _defined(agreement.differences, own.values())
    mean = None if apart is None else fmean(apart)
    yield _additive("difference_mean", mean, own, coincidences.mean_difference())
    weighted = (("cohen_kappa_linear", "linear"), ("cohen_kappa_quadratic", "quadratic"))
    yield from _kappas(question, ("cohen_kappa", None), *weighted)
    yield _alpha("alpha_ordinal", own, agreement.ordinal(question.units))
    yield _alpha("alpha_interval", own, agreement.interval)


def _of_words(question: Question) -> Iterator[Found]:
    """BLEU of each language by its own tokens, weighted by items; exact after folding, where words
    of which nothing is left equal none."""
    folded = {
        item: [question.fold(value) for value in unit] for item, unit in question.by_item.items()
    }
    yield _rate("agreement_exact", folded, lambda a, b: a != "" and a == b)
    weighted: list[tuple[float, int]] = []
    for language in question.spoken:
        part = question.among(list(question.said), language)
        try:
            value = _defined(agreement.mean_bleu, part.said, language)
        except NOT_THERE:
            value = None
        if value is not None:
            weighted.append((value, sum(len(unit) > 1 for unit in part.units)))
    total = sum(n for _, n in weighted)
    bleu = sum(value * n for value, n in weighted) / total if weighted else None
    yield Found("agreement_bleu4", bleu, total)


def _kappas(question: Question, *kinds: tuple[str, Any]) -> Iterator[Found]:
    """The mean over pairs of annotators of what is defined, over the items that a pair shares."""
    said = list(question.said.values())
    items = question.by_item
    order = sorted({value for unit in items.values() for value in unit}, key=agreement.sort_key)
    for metric, weights in kinds:
        values, compared = [], set()
        for first, second in combinations(said, 2):
            shared = [item for item in first if item in second]
            both = ([one[item] for item in shared] for one in (first, second))
            value = _defined(agreement.cohen_kappa, *both, weights)
            if value is not None:
                values.append(value)
                compared |= set(shared)
        pairs = list(combinations(range(len(said)), 2))
        added = coincidences.PairKappas(pairs, order, weights)
        rows = [
            (item, added.statistics({at: own[item] for at, own in enumerate(said) if item in own}))
            for item in items
        ]
        kappa = fmean(values) if values else None
        yield Found(metric, kappa, len(compared), rows, added.value)


def _fleiss(own: ByItem) -> Found:
    """Over the items with the number of values that most items have, of equals the larger."""
    sizes = Counter(len(unit) for unit in own.values() if len(unit) > 1)
    size = max(sizes, key=lambda one: (sizes[one], one)) if sizes else 0
    equal = {item: unit for item, unit in own.items() if len(unit) == size}
    value = _defined(agreement.fleiss_kappa, equal.values())
    return _additive("fleiss_kappa", value, equal, coincidences.fleiss(), len(equal))


def _rate(metric: str, own: ByItem, agree: Callable[[Any, Any], bool]) -> Found:
    value = _defined(agreement.agreement_level, own.values(), agree)
    return _additive(metric, value, own, coincidences.rate(agree))


def _alpha(metric: str, own: ByItem, distance: agreement.Distance[Any]) -> Found:
    value = _defined(agreement.krippendorff_alpha, own.values(), distance)
    return _additive(metric, value, own, coincidences.alpha(list(own.values()), distance))


def _additive(
    metric: str, value: float | None, own: ByItem, added: Additive, n: int | None = None
) -> Found:
    """What was found over the items with two values or more, and what each item adds."""
    pairable = sum(len(unit) > 1 for unit in own.values()) if n is None else n
    rows = [(item, added.statistics(unit)) for item, unit in own.items()]
    return Found(metric, value, pairable, rows, added.value)


def _defined(measure: Callable[..., T], *values: object) -> T | None:
    """What is measured, or None where it is undefined."""
    try:
        return measure(*values)
    except ValueError:
        return None


def _plain(value: object) -> list[str]:
    return sorted(value) if isinstance(value, frozenset) else [str(value)]


def _signed(signature: Signature, metric: str, question: Question) -> Signature:
    """BLEU's tokens and smoothing are part of what its score is made by."""
    if metric != "agreement_bleu4":
        return signature
    made = ",".join(f"{name}={_how_bleu(name)}" for name in question.spoken)
    return signature.with_settings(agreement_bleu4=made)


def _how_bleu(language: Language) -> str:
    try:
        return bleu_signature(language, effective_order=True)
    except NOT_THERE as error:
        return reason(error)
