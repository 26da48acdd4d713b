"""MER-Bench's metrics from judgements: eight base metrics and four composites (section V-C)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from statistics import fmean, stdev

from pydantic import JsonValue

from deadpan.benchmarks.merbench.judge import GATE_BROKEN, HIGHEST_OFF_TARGET

BASE = ("VGQ", "VEA", "TGQ", "TEA", "LC", "HGQ", "PPE", "PES")
COMPOSITE = ("TAS", "CFS", "SSS", "RFS")
GATE = "gate_broken"
METRICS = (*BASE, *COMPOSITE, GATE)
SHIFT_SENSITIVITY = 3.0
"""The alpha of SSS."""
FLOOR = 0.001
"""What keeps the soft conjunction from collapsing where a part is 0."""

_RATINGS = {
    "VGQ": ("visual_assessment", "generation_quality_1_5"),
    "VEA": ("visual_assessment", "emotion_accuracy_1_5"),
    "TGQ": ("text_assessment", "generation_quality_1_5"),
    "TEA": ("text_assessment", "emotion_accuracy_1_5"),
    "HGQ": ("overall_generation_quality", "overall_generation_quality_1_5"),
    "PES": ("perceived_emotion_shift", "magnitude_1_5"),
}


@dataclass(frozen=True)
class Judged:
    """One judgement of one output: base metrics from 0 to 1, and what the scoring noticed."""

    values: Mapping[str, float]
    flags: tuple[str, ...] = ()

    @property
    def gate_broken(self) -> bool:
        return GATE_BROKEN in self.flags


def judged(parts: Mapping[str, JsonValue], target: str) -> Judged:
    """A judgement's parts as base metrics; breaking the gate is flagged and scored as given.

    Parts that are not those of the judge's schema raise KeyError or ValueError.
    """
    ratings = {name: _rating(parts, *place) for name, place in _RATINGS.items()}
    hit = _block(parts, "overall_emotion_classification")["label"] == target
    over = max(ratings["VEA"], ratings["TEA"]) > HIGHEST_OFF_TARGET
    values = {name: (rating - 1) / 4 for name, rating in ratings.items()}
    values["LC"] = float(_block(parts, "layout_consistency")["consistent"] is True)
    values["PPE"] = float(hit)
    flags = (GATE_BROKEN,) if over and not hit else ()
    return Judged({name: values[name] for name in BASE}, flags)


def _block(parts: Mapping[str, JsonValue], name: str) -> Mapping[str, JsonValue]:
    block = parts[name]
    if not isinstance(block, dict):
        raise ValueError(f"{name} is no block of a judgement")
    return block


def _rating(parts: Mapping[str, JsonValue], block: str, field: str) -> int:
    value = _block(parts, block)[field]
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 5:
        raise ValueError(f"{block}.{field} is no rating from 1 to 5")
    return value


def composites(base: Mapping[str, float]) -> dict[str, float]:
    """TAS, CFS, SSS and RFS, 0 to 1, from base metrics of 0 to 1 (equations 2 to 5)."""
    target = base["PPE"] * harmonic_mean(base["VEA"], base["TEA"])
    fidelity = base["LC"] * geometric_mean(base["VGQ"], base["TGQ"], base["HGQ"])
    shift = 1 - exp(-SHIFT_SENSITIVITY * base["PES"])
    return {
        "TAS": target,
        "CFS": fidelity,
        "SSS": shift,
        "RFS": soft_and(target, fidelity, shift),
    }


def harmonic_mean(first: float, second: float) -> float:
    """The harmonic mean of two values from 0 on; 0 where either is."""
    return 2 * first * second / (first + second) if first and second else 0.0


def geometric_mean(*values: float) -> float:
    """The geometric mean of values from 0 on; 0 where any is. No value raises."""
    if not all(values):
        return 0.0
    return exp(fmean(log(value) for value in values))


def soft_and(*values: float) -> float:
    """The geometric mean of values raised by a floor, the floor taken off again: a single 0 pulls
    down without wiping out, and nothing but zeros is 0. No value raises."""
    raised = exp(fmean(log(FLOOR + value) for value in values))
    return max(0.0, (raised - FLOOR) / (1 - FLOOR))


def output_values(judgements: Sequence[Judged]) -> dict[str, float]:
    """An output's base metrics and gate flag: the mean over its judgements. None raises."""
    if not judgements:
        raise ValueError("an output without a judgement has no values")
    values = {name: fmean(one.values[name] for one in judgements) for name in BASE}
    return {**values, GATE: fmean(one.gate_broken for one in judgements)}


def run_scores(outputs: Sequence[Mapping[str, float]]) -> dict[str, float] | None:
    """A run's metrics in per cent: base metrics as means over outputs, composites of these means.

    None where the run has no scored output.
    """
    if not outputs:
        return None
    means = {name: fmean(values[name] for values in outputs) for name in (*BASE, GATE)}
    whole = {**means, **composites(means)}
    return {name: 100 * whole[name] for name in METRICS}


@dataclass(frozen=True)
class Spread:
    """A metric over runs: its mean, and the unbiased standard deviation of two runs or more."""

    mean: float | None
    std: float | None


def over_runs(runs: Sequence[Mapping[str, float] | None]) -> dict[str, Spread]:
    """Each metric's mean and deviation over the runs that have scores; None where there are none.

    Ratings were mapped before their means were taken, so their deviation is that of the 1–5 means
    divided by 4.
    """
    scored = [run for run in runs if run is not None]
    spreads = {}
    for name in METRICS:
        values = [run[name] for run in scored]
        spreads[name] = Spread(
            fmean(values) if values else None, stdev(values) if len(values) > 1 else None
        )
    return spreads
