"""Scores of the open question (OE) from its judgements (ViMU, appendix B, equation 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, stdev

from deadpan.benchmarks.vimu.cases import PARTS, Emitter, Interpreting, grouped
from deadpan.benchmarks.vimu.judge import HIGHEST, LOWEST
from deadpan.core.score import Score

PASSABLE = 3
"""The bound of `total_ge_3`: from this total on an answer is passable."""

_Measure = Callable[[Sequence[float]], float]


def percentage(totals: Sequence[float]) -> float:
    """The mean total, -6 to 9, as 0 to 100; no total raises."""
    return 100 * (fmean(totals) - LOWEST) / (HIGHEST - LOWEST)


def _share(holds: Callable[[float], bool]) -> _Measure:
    return lambda totals: fmean(map(holds, totals))


_OF_TOTALS: Mapping[str, _Measure] = {
    "score": percentage,
    "total": fmean,
    "total_ge_3": _share(lambda total: total >= PASSABLE),
    "total_eq_9": _share(lambda total: total == HIGHEST),
    "total_le_0": _share(lambda total: total <= 0),
}
HEADLINES = (*_OF_TOTALS, "score_judged")
METRICS = (*HEADLINES, *PARTS, "judge_spread", "judge_flags")


def headlines(emit: Emitter, cases: Sequence[Interpreting], group: str = "all") -> Iterator[Score]:
    """The score and what it is made of, failed inferences as -1; and over judged answers alone."""
    totals = _totals(cases)
    for metric, measure in _OF_TOTALS.items():
        yield emit.interpreting(metric, measure(totals) if totals else None, cases, group)
    judged = [case for case in cases if case.judgements]
    value = percentage(_totals(judged)) if judged else None
    yield emit.interpreting("score_judged", value, _judged_or_waiting(cases), group)


def scores_by_group(emit: Emitter, cases: Sequence[Interpreting]) -> Iterator[Score]:
    """The score of each language, difficulty, macro category, and of speech or none."""
    for group, members in grouped(cases):
        totals = _totals(members)
        yield emit.interpreting("score", percentage(totals) if totals else None, members, group)


def judge_scores(emit: Emitter, cases: Sequence[Interpreting]) -> Iterator[Score]:
    """Mean parts, the spread of repeated judgements, and the share of flagged ones."""
    over = _judged_or_waiting(cases)
    judged = [case for case in over if case.judgements]
    for name in PARTS:
        means = [fmean(one.parts[name] for one in case.judgements) for case in judged]
        yield emit.interpreting(name, fmean(means) if means else None, over)
    repeated = [case for case in judged if len(case.judgements) > 1]
    spreads = [stdev(one.total for one in case.judgements) for case in repeated]
    yield emit.interpreting("judge_spread", fmean(spreads) if spreads else None, repeated)
    flags = [one.flagged for case in judged for one in case.judgements]
    yield emit.interpreting("judge_flags", fmean(flags) if flags else None, over)


def scored_cases(cases: Sequence[Interpreting]) -> list[Interpreting]:
    """The cases that count; none where answers wait and not one was judged, as the failed
    inferences alone would then stand for the model."""
    waiting = any(case.waiting for case in cases)
    if waiting and not any(case.judgements for case in cases):
        return []
    return [case for case in cases if case.scored]


def _totals(cases: Sequence[Interpreting]) -> list[float]:
    return [total for case in scored_cases(cases) if (total := case.total) is not None]


def _judged_or_waiting(cases: Sequence[Interpreting]) -> list[Interpreting]:
    """The cases without failed inferences: what a judge has judged or should have."""
    return [case for case in cases if not case.failed_inference]
