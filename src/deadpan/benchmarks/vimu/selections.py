"""What one choice of options adds to ViMU's metrics, and what their sums mean.

A choice is the set of categories that were chosen and the set that is right.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from deadpan.benchmarks.vimu.taxonomy import LETTERS
from deadpan.core.metric import Array, Key, Statistics, Sums, ratio
from deadpan.metrics.labels import true_negatives

ERROR_TYPES = ("exact", "miss_only", "extra_only", "mixed")
Options = frozenset[str]


def strict_score(chosen: Options, gold: Options) -> float:
    """The share of gold that was chosen; 0 for any wrong option and for empty gold."""
    return len(chosen) / len(gold) if gold and chosen <= gold else 0.0


def error_type(chosen: Options, gold: Options) -> str:
    """Whether a choice is exact, misses options of gold, has extra ones, or both."""
    return ERROR_TYPES[bool(gold - chosen) + 2 * bool(chosen - gold)]


@lru_cache(maxsize=4096)
def option_counts(chosen: Options, gold: Options) -> Statistics:
    """True and false positives and false negatives of every option, and 1."""
    counts: dict[Key, float] = {"n": 1.0}
    for name, options in (("tp", chosen & gold), ("fp", chosen - gold), ("fn", gold - chosen)):
        counts |= {(name, letter): float(letter in options) for letter in LETTERS}
    return counts


@lru_cache(maxsize=4096)
def pair_counts(names: tuple[str, ...], chosen: Options, gold: Options) -> Statistics:
    """Whether both options of each pair are chosen, and whether both are gold; `names` are those
    of the options, in the order of their letters."""
    counts: dict[Key, float] = {"n": 1.0}
    named = list(zip(LETTERS, names, strict=True))
    for kind, options in (("chosen", chosen), ("gold", gold)):
        for first, row in named:
            for second, column in named:
                counts[kind, f"{row},column={column}"] = float({first, second} <= options)
    return counts


@lru_cache(maxsize=4096)
def error_counts(chosen: Options, gold: Options) -> Statistics:
    """Of which type the error is, and 1."""
    kind = error_type(chosen, gold)
    return {"n": 1.0, **{("answers", one): float(one == kind) for one in ERROR_TYPES}}


@lru_cache(maxsize=4096)
def guidance_counts(before: Options, after: Options, gold: Options) -> Statistics:
    """Whether each option is not gold, and whether it is then chosen without and with guidance."""
    counts: dict[Key, float] = {}
    for letter in LETTERS:
        wrong = letter not in gold
        counts["not_gold", letter] = float(wrong)
        counts["before", letter] = float(wrong and letter in before)
        counts["after", letter] = float(wrong and letter in after)
    return counts


def micro_f1(sums: Sums) -> Array:
    """F1 of options pooled over choices; none where no option is chosen or gold."""
    tp, fp, fn = (sums.by_label(name).sum(-1) for name in ("tp", "fp", "fn"))
    return ratio(2 * tp, 2 * tp + fp + fn)


def conservatism(sums: Sums) -> Array:
    """Mean chosen minus mean gold options: below 0 where too few are chosen."""
    return ratio((sums.by_label("fp") - sums.by_label("fn")).sum(-1), sums["n"])


def affinity_bias(sums: Sums) -> Array:
    """Predicted minus gold prevalence of each option."""
    return ratio(sums.by_label("fp") - sums.by_label("fn"), sums["n"][..., None])


def false_positive_rates(sums: Sums) -> Array:
    """How often each option is chosen where it is not gold; none where it is gold everywhere."""
    return ratio(sums.by_label("fp"), sums.by_label("fp") + true_negatives(sums))


def false_negative_rates(sums: Sums) -> Array:
    """How often each option is left out where it is gold; none where it is gold nowhere."""
    return ratio(sums.by_label("fn"), sums.by_label("tp") + sums.by_label("fn"))


def label_shares(name: str, sums: Sums) -> Array:
    """The share of choices that each label of a statistic counts."""
    return ratio(sums.by_label(name), sums["n"][..., None])


def relation_distortion(sums: Sums) -> Array:
    """Predicted minus gold share of each pair: below 0 where it is together too rarely."""
    return label_shares("chosen", sums) - label_shares("gold", sums)


def geometry_distortion(sums: Sums) -> Array:
    """The Frobenius distance of predicted and gold co-occurrence; 0 where they are equal."""
    distance: Array = np.linalg.norm(relation_distortion(sums), axis=-1)
    return distance


def guidance_change(sums: Sums) -> Array:
    """Guided minus unguided false-positive rate of each option; none where it is gold always."""
    return ratio(sums.by_label("after") - sums.by_label("before"), sums.by_label("not_gold"))
