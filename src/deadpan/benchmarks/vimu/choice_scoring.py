"""Scores of the closed questions (EG, RM, SV): scores, rates, and what the errors are like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu.analyses.affinity import affinity_bias
from deadpan.benchmarks.vimu.analyses.co_selection import (
    Matrix,
    co_occurrence,
    geometry_distortion,
    relation_distortion,
)
from deadpan.benchmarks.vimu.analyses.error_composition import error_composition
from deadpan.benchmarks.vimu.analyses.error_signatures import false_negative_rates
from deadpan.benchmarks.vimu.analyses.guidance import false_positive_rates, guidance_effect
from deadpan.benchmarks.vimu.analyses.selections import (
    Selection,
    conservatism,
    micro_f1,
    strict_score,
    zero_rate,
)
from deadpan.benchmarks.vimu.cases import Choosing, Emitter, grouped
from deadpan.benchmarks.vimu.taxonomy import EVIDENCE, LETTERS
from deadpan.core.score import Score


def _score(selections: Sequence[Selection]) -> float:
    return 100 * sum(map(strict_score, selections)) / len(selections)


def _micro_f1(selections: Sequence[Selection]) -> float | None:
    """None where nothing is chosen and nothing is gold."""
    some = any(item.predicted or item.gold for item in selections)
    return micro_f1(selections) if some else None


_Measure = Callable[[Sequence[Selection]], float | None]
_HEADLINES: Mapping[str, _Measure] = {
    "score": _score,
    "zero": zero_rate,
    "conservatism": conservatism,
    "micro_f1": _micro_f1,
}
HEADLINES = (*_HEADLINES, "exact")
EVIDENCE_METRICS = (*HEADLINES, "error_share", "relation_distortion")
STRUCTURE_METRICS = (
    *HEADLINES,
    "error_share",
    "co_occurrence",
    "co_occurrence_gold",
    "geometry_distortion",
    "affinity_bias",
    "false_positive_rate",
    "false_negative_rate",
)
SOURCES = tuple(category.members[0].name for category in EVIDENCE)
"""The evidence sources by name, in the order of their letters."""


def headlines(emit: Emitter, cases: Sequence[Choosing], group: str = "all") -> Iterator[Score]:
    """Score (0–100), zero and exact rate, conservatism and micro-F1; None where none is scored."""
    selections = scored_selections(cases)
    for metric, measure in _HEADLINES.items():
        yield emit.choosing(metric, measure(selections) if selections else None, cases, group)
    exact = sum(case.selection.predicted == case.selection.gold for case in _answered(cases))
    yield emit.choosing("exact", exact / len(selections) if selections else None, cases, group)


def scores_by_group(emit: Emitter, cases: Sequence[Choosing]) -> Iterator[Score]:
    """The score of each language, difficulty, macro category, and of speech or none."""
    for group, members in grouped(cases):
        selections = scored_selections(members)
        yield emit.choosing("score", _score(selections) if selections else None, members, group)


def evidence_analyses(emit: Emitter, asked: Sequence[Choosing]) -> Iterator[Score]:
    """Error shares, and how far sources are chosen together more or less often than in gold; as
    all analyses of what was chosen, over the questions that were answered."""
    cases = _answered(asked)
    selections = scored_selections(cases)
    if not selections:
        return
    yield from _error_shares(emit, cases)
    distortion = relation_distortion(selections, LETTERS)
    yield from _cells(emit, "relation_distortion", distortion, cases, SOURCES)


def structure_analyses(emit: Emitter, asked: Sequence[Choosing]) -> Iterator[Score]:
    """Error shares, co-occurrences and their distance from gold, and each option's bias."""
    cases = _answered(asked)
    selections = scored_selections(cases)
    if not selections:
        return
    yield from _error_shares(emit, cases)
    predicted = co_occurrence([item.predicted for item in selections], LETTERS)
    gold = co_occurrence([item.gold for item in selections], LETTERS)
    yield from _cells(emit, "co_occurrence", predicted, cases, LETTERS)
    yield from _cells(emit, "co_occurrence_gold", gold, cases, LETTERS)
    yield emit.choosing("geometry_distortion", geometry_distortion(selections, LETTERS), cases)
    by_option: dict[str, Mapping[str, float | None]] = {
        "affinity_bias": dict(affinity_bias(selections, LETTERS)),
        "false_positive_rate": false_positive_rates(selections, LETTERS),
        "false_negative_rate": false_negative_rates(selections, LETTERS),
    }
    for metric, values in by_option.items():
        for option, value in values.items():
            yield emit.choosing(metric, value, cases, f"option={option}")


def guidance_changes(
    emit: Emitter, unguided: Sequence[Choosing], guided: Sequence[Choosing]
) -> Iterator[Score]:
    """How guidance changes each option's false-positive rate, on questions answered both ways."""
    before = {case.key: case.selection for case in _answered(unguided)}
    after = {case.key: case.selection for case in _answered(guided)}
    if not before.keys() & after.keys():
        return
    both = [case for case in _answered(guided) if case.key in before]
    try:
        effect = guidance_effect(before, after, LETTERS)
    except ValueError as error:  # a table changed by hand: the same video has two golds
        raise InputError("results table", str(error), "Give a table that deadpan wrote.") from None
    for option, value in effect.items():
        yield emit.choosing("guidance_fpr_change", value, both, f"option={option}")


def scored_selections(cases: Sequence[Choosing]) -> list[Selection]:
    """What was chosen and what is right, of the questions that count."""
    return [case.selection for case in cases if case.scored]


def _answered(cases: Sequence[Choosing]) -> list[Choosing]:
    """The questions with a choice that could be read: what was not answered chooses nothing."""
    return [case for case in cases if case.outcome == "answered"]


def answered_selections(cases: Sequence[Choosing]) -> list[Selection]:
    """What was chosen and what is right, of the questions that were answered."""
    return scored_selections(_answered(cases))


def _error_shares(emit: Emitter, cases: Sequence[Choosing]) -> Iterator[Score]:
    for kind, share in error_composition(scored_selections(cases)).items():
        yield emit.choosing("error_share", share, cases, f"error={kind}")


def _cells(
    emit: Emitter, metric: str, matrix: Matrix, cases: Sequence[Choosing], names: Sequence[str]
) -> Iterator[Score]:
    for row, values in zip(names, matrix.tolist(), strict=True):
        for column, value in zip(names, values, strict=True):
            yield emit.choosing(metric, value, cases, f"row={row},column={column}")
