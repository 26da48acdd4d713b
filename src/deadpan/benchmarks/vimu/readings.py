"""What one judged reading adds to the metrics of ViMU's open question, and what their sums mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from pydantic import TypeAdapter

from deadpan.benchmarks.vimu.judge import HIGHEST, LOWEST
from deadpan.core.answers import Answer
from deadpan.core.judge import Judgement
from deadpan.core.metric import Array, Statistics, Sums, ratio, scored

OPEN = "oe"
"""The task of the open question."""
JUDGED, FAILED, WAITING, UNASKED = "judged", "failed", "waiting", "unasked"
"""What may become of a reading: a judge's total, a failed inference, an answer that waits for its
judge, or a question never asked or never answered elsewhere, which is no failure."""
FAILED_TOTAL = -1.0
"""What a failed inference counts as, of -6 to 9 (ViMU's evaluation)."""
PASSABLE = 3
"""The bound of `total_ge_3`: from this total on an answer is passable."""
PARTS = {
    "core_intent": 5,
    "implicit_signal": 3,
    "target_or_social_meaning": 1,
    "hallucination_penalty": 3,
    "literal_only_penalty": 3,
}
"""The parts of a judgement, and the most of each."""
_NUMBER = TypeAdapter(float)


@dataclass(frozen=True)
class Judged:
    """One judgement: its parts, their total, and whether the judge's reply was flagged."""

    parts: Mapping[str, float]
    total: float
    flagged: bool


def read_judgement(judgement: Judgement) -> Judged:
    """A judgement's parts and total as numbers."""
    parts = {name: _NUMBER.validate_python(judgement.parts[name]) for name in PARTS}
    total = _NUMBER.validate_python(judgement.parts["total"])
    return Judged(parts, total, bool(judgement.flags))


def mean_total(judged: Sequence[Judged]) -> float:
    """The mean total of an answer's judgements."""
    return fmean(one.total for one in judged)


def are_counted(answers: Iterable[Answer]) -> bool:
    """Whether readings have a score: not where answers wait and not one was judged, as the failed
    inferences alone would then stand for the model."""
    found = {answer.attributes["reading"] for answer in answers}
    return JUDGED in found or WAITING not in found


def totals(answer: Answer) -> Statistics | None:
    """A reading's total, -1 for a failed inference, and what holds of it."""
    if not answer.parsed and answer.attributes["reading"] != FAILED:
        return None
    own = mean_total(answer.parsed) if answer.parsed else FAILED_TOTAL
    bounds = {"ge_3": own >= PASSABLE, "eq_9": own == HIGHEST, "le_0": own <= 0}
    return {"n": 1.0, "total": own, **{name: float(holds) for name, holds in bounds.items()}}


def judged_parts(answer: Answer) -> Statistics | None:
    """A judged reading's mean total and parts, and how many judgements and flags it has."""
    if not answer.parsed:
        return None
    return {
        "n": 1.0,
        "total": mean_total(answer.parsed),
        **{name: fmean(one.parts[name] for one in answer.parsed) for name in PARTS},
        "judgements": float(len(answer.parsed)),
        "flags": float(sum(one.flagged for one in answer.parsed)),
    }


def judge_spread(answer: Answer) -> Statistics | None:
    """The deviation of the totals of a reading that was judged more than once."""
    given = [one.total for one in answer.parsed]
    return scored(stdev(given)) if len(given) > 1 else None


def mean_of(name: str, sums: Sums) -> Array:
    """The mean of a statistic over readings."""
    return ratio(sums[name], sums["n"])


def scaled_total(sums: Sums) -> Array:
    """The mean total, -6 to 9, as 0 to 100."""
    return 100 * (mean_of("total", sums) - LOWEST) / (HIGHEST - LOWEST)


def flag_share(sums: Sums) -> Array:
    """The share of judgements with a flag."""
    return ratio(sums["flags"], sums["judgements"])
