"""How far the values of one question agree: labels by rates, kappa and alpha with the distance that
fits, numbers and ranked labels by how far apart they are, orders by tau, boxes by what they
share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

from deadpan.core.annotation_values import Boxes, Order
from deadpan.core.metric import Metric, Statistics, Value
from deadpan.metrics.annotation_questions import Question
from deadpan.metrics.box_overlap import mean_iou
from deadpan.metrics.statistics import agreement, coincidences
from deadpan.metrics.statistics.coincidences import Additive, item_interval
from deadpan.metrics.statistics.intervals import Interval

T = TypeVar("T")
Rows = Sequence[tuple[str, Sequence[Any]]]
"""Items, each with values of it that are compared with each other."""
_WEIGHTED: tuple[tuple[str, agreement.Weights], ...] = (
    ("cohen_kappa_linear", "linear"),
    ("cohen_kappa_quadratic", "quadratic"),
)
_APART, _ORDINAL, _INTERVAL = "difference_mean", "alpha_ordinal", "alpha_interval"
RANKED = (*(name for name, _ in _WEIGHTED), _APART, _ORDINAL, _INTERVAL)
"""What looks at how far apart values are."""


class Found(NamedTuple):
    """A metric's name, its value, over how many items, and its interval."""

    metric: str
    value: float | None
    n: int
    interval: Callable[[Metric], Interval | None]


def found_by_sums(
    metric: str,
    value: float | None,
    n: int,
    rows: Sequence[tuple[str, Statistics | None]],
    value_of: Value,
) -> Found:
    """What was found, with the interval that follows from what each item adds."""
    return Found(metric, value, n, partial(item_interval, rows, value_of, value))


def label_agreement(question: Question) -> Iterator[Found]:
    """Of labels, also ranked ones: sets of them are values of their own for kappa, equal or not.
    Fleiss' kappa is of all annotators alike, and not of one among them."""
    rows = question.rows
    several = any(
        isinstance(one, frozenset) and len(one) != 1 for _, values in rows for one in values
    )
    yield rate("agreement_exact", rows, agreement.exact)
    if several:
        yield rate("agreement_overlap", rows, agreement.overlap)
    yield from _kappas(question, ("cohen_kappa", None))
    if question.rater is None:
        yield _fleiss(rows)
    yield _alpha("alpha_nominal", rows, agreement.nominal)
    if several:
        yield _alpha("alpha_jaccard", rows, agreement.jaccard)
        yield _alpha("alpha_masi", rows, agreement.masi)
        yield _alpha("alpha_overlap", rows, agreement.overlap_distance)
    if question.ranks:
        yield from _rank_agreement(question.ranked)


def _rank_agreement(question: Question) -> Iterator[Found]:
    """Of labels by their places, the next ones equally far apart where they are intervals."""
    rows = question.rows
    is_interval = question.level == "interval"
    if is_interval:
        yield _mean_difference(rows)
    yield from _kappas(question, *_WEIGHTED)
    yield _alpha(_ORDINAL, rows, agreement.ordinal(question.units))
    if is_interval:
        yield _alpha(_INTERVAL, rows, agreement.interval)


def number_agreement(question: Question) -> Iterator[Found]:
    """Of numbers; those that are ranks alone have no differences."""
    rows = question.rows
    is_interval = question.level != "ordinal"
    yield rate("agreement_exact", rows, agreement.exact)
    if is_interval:
        yield _mean_difference(rows)
    yield from _kappas(question, ("cohen_kappa", None), *_WEIGHTED)
    yield _alpha(_ORDINAL, rows, agreement.ordinal(question.units))
    if is_interval:
        yield _alpha(_INTERVAL, rows, agreement.interval)


def order_agreement(question: Question) -> Iterator[Found]:
    """Of orders: equal ones, and Kendall's tau over the pairs that share two things or more."""
    rows = question.rows
    yield rate("agreement_exact", rows, agreement.exact)
    yield _mean_over_pairs("agreement_tau", rows, _tau)
    yield _alpha("alpha_nominal", rows, agreement.nominal)


def _tau(one: Order, other: Order) -> float | None:
    return defined(agreement.kendall_tau, one.names, other.names)


def box_agreement(question: Question) -> Iterator[Found]:
    """Of boxes: the mean IoU of those that are matched."""
    yield _mean_over_pairs("agreement_iou", question.rows, _iou)


def _iou(one: Boxes, other: Boxes) -> float:
    return mean_iou(one.boxes, other.boxes)


def rate(metric: str, rows: Rows, agree: Callable[[Any, Any], bool]) -> Found:
    """The share of pairs of values that agree."""
    value = defined(agreement.agreement_level, [values for _, values in rows], agree)
    return _additive(metric, value, rows, coincidences.rate(agree))


def _mean_difference(rows: Rows) -> Found:
    apart = defined(agreement.differences, [values for _, values in rows])
    mean = None if apart is None else fmean(apart)
    return _additive(_APART, mean, rows, coincidences.mean_difference())


def _mean_over_pairs(metric: str, rows: Rows, measure: Callable[[Any, Any], float | None]) -> Found:
    """The mean of what is measured on pairs of values, where it is defined."""
    added = coincidences.mean_of_pairs(measure)
    statistics = [(item, added.statistics(values)) for item, values in rows]
    compared = [(item, one) for item, one in statistics if one is not None]
    total, pairs = (sum(one[key] for _, one in compared) for key in ("sum", "n"))
    n = len({item for item, _ in compared})
    return found_by_sums(metric, total / pairs if pairs else None, n, statistics, added.value)


def _kappas(question: Question, *kinds: tuple[str, agreement.Weights | None]) -> Iterator[Found]:
    """The mean over pairs of annotators of what is defined, over the items that a pair shares."""
    places = {name: place for place, name in enumerate(question.said)}
    by_place: dict[str, dict[int, Any]] = {}
    for name, values in question.said.items():
        for item, value in values.items():
            by_place.setdefault(item, {})[places[name]] = value
    every = {value for given in by_place.values() for value in given.values()}
    known = sorted(every, key=agreement.sort_key)
    for metric, weights in kinds:
        kappas, compared = [], set()
        for first, second in question.pairs:
            one, other = question.said[first], question.said[second]
            shared = [item for item in one if item in other]
            both = ([said[item] for item in shared] for said in (one, other))
            kappa = defined(agreement.cohen_kappa, *both, weights)
            if kappa is not None:
                kappas.append(kappa)
                compared |= set(shared)
        pairs = [(places[first], places[second]) for first, second in question.pairs]
        added = coincidences.PairKappas(pairs, known, weights)
        rows = [(item, added.statistics(by_place[item])) for item in by_place]
        mean = fmean(kappas) if kappas else None
        yield found_by_sums(metric, mean, len(compared), rows, added.value)


def _fleiss(rows: Rows) -> Found:
    """Over the items with the number of values that most items have, of equals the larger."""
    sizes = Counter(len(values) for _, values in rows if len(values) > 1)
    size = max(sizes, key=lambda one: (sizes[one], one)) if sizes else 0
    equal = [(item, values) for item, values in rows if len(values) == size]
    value = defined(agreement.fleiss_kappa, [values for _, values in equal])
    added = coincidences.fleiss()
    statistics = [(item, added.statistics(values)) for item, values in equal]
    return found_by_sums("fleiss_kappa", value, len(equal), statistics, added.value)


def _alpha(metric: str, rows: Rows, distance: agreement.Distance[Any]) -> Found:
    units = [values for _, values in rows]
    value = defined(agreement.krippendorff_alpha, units, distance)
    return _additive(metric, value, rows, coincidences.alpha(units, distance))


def _additive(metric: str, value: float | None, rows: Rows, added: Additive) -> Found:
    """What was found over the items with two values or more, and what each item adds."""
    statistics = [(item, added.statistics(values)) for item, values in rows]
    return found_by_sums(metric, value, len(compared_items(rows)), statistics, added.value)


def compared_items(rows: Rows) -> set[str]:
    """The items with two values or more."""
    return {item for item, values in rows if len(values) > 1}


def defined(measure: Callable[..., T], *values: object) -> T | None:
    """What is measured, or None where it is undefined."""
    try:
        return measure(*values)
    except ValueError:
        return None
