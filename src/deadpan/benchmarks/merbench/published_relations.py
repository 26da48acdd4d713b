"""What ties the printed numbers of MER-Bench's paper together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from deadpan.benchmarks.merbench.metrics import (
    BASE,
    FLOOR,
    SHIFT_SENSITIVITY,
    geometric_mean,
    harmonic_mean,
    soft_and,
)
from deadpan.core.relations import Cell, Relation, Sheet
from deadpan.metrics.arithmetic.claims import above, largest, quoted
from deadpan.metrics.arithmetic.formulas import SAME
from deadpan.metrics.arithmetic.rules import AtMost, Follows
from deadpan.metrics.arithmetic.runs import (
    Box,
    deviation_of,
    mean_over_runs,
    power_curvature,
)
from deadpan.metrics.arithmetic.shares import Share

RUNS = 10
SAMPLES: Mapping[str, int] = {"2": 100, "3": 50}
"""The memes, or outputs, of a run in each table."""
_STD = "_std"
_YES_OR_NO = ("LC", "PPE")
_PARTS: Mapping[str, tuple[str, ...]] = {
    "TAS": ("PPE", "VEA", "TEA"),
    "CFS": ("LC", "VGQ", "TGQ", "HGQ"),
    "SSS": ("PES",),
    "RFS": ("TAS", "CFS", "SSS"),
}


def _target(hit: float, visual: float, text: float) -> float:
    return hit * float(harmonic_mean(np.array(visual), np.array(text)))


def _fidelity(layout: float, *qualities: float) -> float:
    return layout * float(geometric_mean(*map(np.array, qualities)))


def _shift(shift: float) -> float:
    return 1 - math.exp(-SHIFT_SENSITIVITY * shift)


def _whole(*parts: float) -> float:
    return float(soft_and(*map(np.array, parts)))


def _target_bends(box: Box) -> list[list[float]]:
    """Of the hit times the harmonic mean of both alignments."""
    hit, visual, text = box
    lows = visual.low + text.low

    def alone(own_low: float, other: tuple[float, float]) -> float:
        at = min(max(2 * own_low, other[0]), other[1])
        return 4 * hit.high * at**2 / (own_low + at) ** 3 if own_low + at else math.inf

    def with_hit(own_low: float, other_high: float) -> float:
        return 2 * other_high**2 / (own_low + other_high) ** 2 if own_low + other_high else 2.0

    to_visual, to_text = with_hit(visual.low, text.high), with_hit(text.low, visual.high)
    both = hit.high / lows if lows else math.inf
    return [
        [0.0, to_visual, to_text],
        [to_visual, alone(visual.low, text), both],
        [to_text, both, alone(text.low, visual)],
    ]


def _shift_bends(box: Box) -> list[list[float]]:
    return [[SHIFT_SENSITIVITY**2 * math.exp(-SHIFT_SENSITIVITY * box[0].low)]]


def _whole_bends(box: Box) -> list[list[float]]:
    raised = [type(one)(one.low + FLOOR, one.high + FLOOR) for one in box]
    bends = power_curvature([1 / len(box)] * len(box))(raised)
    return [[one / (1 - FLOOR) for one in row] for row in bends]


_FIDELITY_BENDS = power_curvature((1.0, 1 / 3, 1 / 3, 1 / 3))
_COMPOSITES = {
    name: mean_over_runs(f"{name} of run means {{}}, ±", value, bends, RUNS, per=100)
    for name, value, bends in (
        ("TAS", _target, _target_bends),
        ("CFS", _fidelity, _FIDELITY_BENDS),
        ("SSS", _shift, _shift_bends),
        ("RFS", _whole, _whole_bends),
    )
}
_SHIFT_DEVIATION = deviation_of(
    "slope of SSS at PES, times its deviation: {}",
    lambda shift: SHIFT_SENSITIVITY * math.exp(-SHIFT_SENSITIVITY * shift),
    RUNS,
    per=100,
)


def relations(sheet: Sheet) -> Iterator[Relation]:
    """Base metrics as shares of judged outputs, composites of parts, and what section VI says."""
    for table, size in SAMPLES.items():
        for row in sheet.rows("model", "group", table=table):
            yield from _shares(row, RUNS * size)
            yield from _composites(row)
    yield from _claims(sheet)


def _shares(row: Mapping[str, Cell], n: int) -> Iterator[Relation]:
    """Every run's mean is of the same number of outputs: a rating makes steps of a quarter."""
    steps = [(row[name], 1 if name in _YES_OR_NO else 4) for name in BASE]
    for cell, step in steps:
        beside = tuple(pair for pair in steps if pair[0] != cell)
        yield Share(cell, n, 100, step, beside, of="judged outputs")


def _composites(row: Mapping[str, Cell]) -> Iterator[Relation]:
    """Composites of the means, as far as runs vary; parts whose printed deviation is 0 while what
    is made of them varies say nothing of that, and are left out."""
    for name, parts in _PARTS.items():
        spreads = [row[part + _STD] for part in parts]
        if all(one.value > 0 for one in spreads):
            means = [row[part] for part in parts]
            words = _COMPOSITES[name].words.format(
                ", ".join(f"{one.metric} {one.printed}" for one in means)
            )
            ties = (*means, *spreads)
            yield Follows(
                (row[name],), ties, _COMPOSITES[name], kind="composite", words=words.rstrip(", ±")
            )
    shift = (row["PES"], row["PES" + _STD])
    words = f"deviation of PES, {row['PES_std'].printed}: SSS depends on PES alone"
    zero = row["PES" + _STD].value == 0
    excuse = "the deviations of all six rated metrics are printed as 0.00" if zero else ""
    own = (row["SSS" + _STD],)
    yield Follows(own, shift, _SHIFT_DEVIATION, kind="deviation", words=words, excuse=excuse)


def _claims(sheet: Sheet) -> Iterator[Relation]:
    yield from quoted(sheet)
    for metric in ("VGQ", "VEA", "TEA", "PES", "RFS"):
        column = sheet.select(table="2", metric=metric)
        best = next(one for one in column if one.model == "Flux9B")
        yield largest(best, column, "section VI-A")
    score = {one.group: one for one in sheet.select(table="3", metric="RFS")}
    for better, worse in (
        ("visual_type=Object_Animal_Dominant", "visual_type=Photo_RealPerson"),
        ("visual_type=Photo_RealPerson", "visual_type=Cartoon_Anime"),
        ("visual_type=Cartoon_Anime", "visual_type=Template_StylizedMeme"),
        ("layout_type=SinglePanel_Meme", "layout_type=MultiPanel_Meme"),
        ("sentiment_polarity=Positive", "sentiment_polarity=Negative"),
        ("sentiment_polarity=Negative", "sentiment_polarity=Neutral"),
    ):
        yield above(score[better], score[worse], "section VI-B")
    for metric in ("VEA", "TEA", "TAS"):
        found = {one.group: one for one in sheet.select(table="3", metric=metric)}
        polarities = [one for group, one in found.items() if group.startswith("sentiment")]
        yield largest(found["sentiment_polarity=Positive"], polarities, "section VI-B")
    for claim in sheet.select(table="section VII", metric="LC_least"):
        kept = sheet.cell(table="2", model=claim.model, task=claim.task, metric="LC")
        words = f"section VII: layout largely kept, as we read it at least {claim.printed}"
        yield AtMost(kept, (claim,), SAME, at_least=True, words=words)
