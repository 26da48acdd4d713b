"""What one choice of options adds to ViMU's metrics, what their sums mean, and which models err
alike. A choice is the set of categories that were chosen and the set that is right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from deadpan.benchmarks.vimu.taxonomy import LETTERS, SUMMARY
from deadpan.core.answers import TaskAnswers
from deadpan.core.metric import Array, Key, Statistics, Sums, ratio, stack
from deadpan.core.score import Score
from deadpan.core.signature import join_signatures
from deadpan.core.units import comparable_items
from deadpan.metrics.labels import true_negatives

_FEWEST_MODELS = 3
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
    wrong = frozenset(LETTERS) - gold
    kinds = {"not_gold": wrong, "before": wrong & before, "after": wrong & after}
    return {
        (kind, letter): float(letter in options)
        for kind, options in kinds.items()
        for letter in LETTERS
    }


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


@dataclass(frozen=True)
class Choices:
    """What a model's choices in one task, of those that could be read, add to its error rates."""

    signature: str
    by_video: Mapping[str, Sequence[Statistics]]

    @classmethod
    def of(cls, own: TaskAnswers) -> Choices:
        """Those of a task's answers, by video."""
        by_video: dict[str, list[Statistics]] = {}
        for one in filter(lambda one: one.is_answered, own):
            by_video.setdefault(one.item, []).append(option_counts(one.parsed, one.gold))
        return cls(own.signature, by_video)


def map_scores(choices: Mapping[str, Mapping[str, Choices]], ending: str) -> Iterator[Score]:
    """Every model's place on the map of error rates in the two tasks of that ending, and the axes'
    shares, on the videos that all of them answered. There is no map for fewer than three models
    with both tasks, and none where all of them err in the same way."""
    tasks = (f"rm{ending}", f"sv{ending}")
    models = {
        model: [of[task] for task in tasks] for model, of in choices.items() if {*tasks} <= {*of}
    }
    if len(models) < _FEWEST_MODELS:
        return
    shared = [
        sorted(comparable_items({model: of[at].by_video for model, of in models.items()}))
        for at in range(len(tasks))
    ]
    if not all(shared):
        return
    rows = [
        [
            [row for video in videos for row in part.by_video[video]]
            for part, videos in zip(of, shared, strict=True)
        ]
        for of in models.values()
    ]
    rates = np.array([np.concatenate([_error_rates(part) for part in of]) for of in rows])
    if not np.nanmax(np.ptp(rates, axis=0)) > 0:
        return
    points, shares = model_map(rates)
    for (model, of), own, point in zip(models.items(), rows, points, strict=True):
        values = (*point, *shares)
        for name, value in zip(("pc1", "pc2", "pc1_share", "pc2_share"), values, strict=True):
            yield Score(
                model=model,
                task=SUMMARY,
                metric=f"{name}{ending}",
                value=float(value),
                n=min(map(len, own)),
                signature=join_signatures(
                    f"{SUMMARY}_map{ending}", [part.signature for part in of]
                ),
            )


def _error_rates(rows: Sequence[Statistics]) -> Array:
    """Each option's false-positive and false-negative rate, in turn."""
    keys, matrix, lines = stack(rows)
    sums = Sums(keys, matrix[lines].sum(axis=0))
    return np.stack([false_positive_rates(sums), false_negative_rates(sums)], axis=-1).ravel()


def model_map(rates: Array) -> tuple[Array, Array]:
    """Models, one a row, on the first two principal components of their rates (ViMU, figure 7),
    centred and unscaled, and the share of the variance that each component explains. A rate that
    any one model lacks (NaN) is dropped for all. Fewer than two models, no rate that all have, and
    models that do not differ raise."""
    if len(rates) < 2:
        raise ValueError(f"a map needs at least two models, got {len(rates)}")
    known = rates[:, ~np.isnan(rates).any(axis=0)]
    if not known.size:
        raise ValueError("there is no rate that every model has")
    if not np.all((known >= 0) & (known <= 1)):
        raise ValueError("there is a rate outside 0 to 1")
    left, strengths, loadings = np.linalg.svd(known - known.mean(axis=0), full_matrices=False)
    # What centring leaves of equal values by rounding is not variance.
    strengths[strengths <= np.finfo(float).eps * max(known.shape) * np.linalg.norm(known)] = 0
    if strengths[0] == 0:
        raise ValueError("all models are equal: there is no variance to map")
    # The largest loading of each component in magnitude is made positive; with a margin, so that
    # the first of equal sizes decides and not noise in the last digit.
    sizes = np.abs(loadings)
    largest = (sizes >= sizes.max(axis=1, keepdims=True) - 1e-9).argmax(axis=1)
    signs = np.sign(loadings[np.arange(len(loadings)), largest])
    # Adding 0 turns -0.0 into 0.0.
    points = left * strengths * signs + 0.0
    # Relative to the largest, so that squaring tiny strengths does not underflow.
    variances = (strengths / strengths[0]) ** 2
    shares = (variances / variances.sum())[None, :]
    # A second component that does not exist is 0.
    missing = ((0, 0), (0, max(0, 2 - len(strengths))))
    return np.pad(points[:, :2], missing), np.pad(shares[:, :2], missing)[0]
