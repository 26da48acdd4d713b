"""How often 95 % intervals hold the truth: 2,000 worlds with a known one for each kind of score.

A world is a sample of items from a large population whose score is known; half of the worlds ask
each item three times. Beside our intervals stand those that take every answer as independent.

    python bench/coverage.py [--worlds 2000] [--items 200] [--cells "RFS,alpha"]

Then, of pairs of models that know the same items: how often the interval of their difference holds
it, and how often `deadpan compare` calls one of two runs of one model the better, which it is not.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from deadpan.benchmarks.merbench.metrics import BASE, GATE, JUDGED
from deadpan.core.measurement import Measurement
from deadpan.core.metric import Metric, Statistics, mean, scored
from deadpan.core.units import Units
from deadpan.metrics import labels
from deadpan.metrics.bleu import bleu, bleu_statistics
from deadpan.metrics.statistics.agreement import interval
from deadpan.metrics.statistics.coincidences import alpha_statistics, alpha_value
from deadpan.metrics.statistics.comparing import SURE
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.metrics.statistics.paired import Pair
from deadpan.metrics.statistics.quantiles import wilson

POPULATION = 20_000
NULL_ITEMS = 35
NULL = 4
"""So many times as many worlds in which there is nothing to find."""
EPOCHS = 3
Rows = Sequence[Sequence[Statistics]]
"""What each item of a population adds in each of its epochs."""


@dataclass(frozen=True)
class Cell:
    """A kind of score and the population that it is of."""

    metric: Metric
    draw: Callable[[np.random.Generator, int], Rows]


def uniform(chance: np.random.Generator, epochs: int, share: float = 0.15) -> list[Statistics]:
    """Right or wrong; an item is easy or hard, and its epochs are alike."""
    ease = chance.beta(8 * (1 - share), 8 * share)
    return [scored(chance.random() < ease) for _ in range(epochs)]


def skewed(chance: np.random.Generator, epochs: int) -> list[Statistics]:
    """A score from 0 to 1, mostly small."""
    ease = chance.beta(0.5, 3)
    return [scored(float(chance.beta(6 * ease + 0.1, 6 * (1 - ease) + 0.1))) for _ in range(epochs)]


STYLES = "abcdefgh"
_COMMON = np.array([0.3, 0.2, 0.15, 0.12, 0.1, 0.06, 0.04, 0.03])


def styles(chance: np.random.Generator, epochs: int) -> list[Statistics]:
    """Label sets, rare labels among them; a model knows some items."""
    gold = frozenset(chance.choice(list(STYLES), 1 + (chance.random() < 0.3), False, _COMMON))
    ease = chance.beta(1.5, 1.5)
    found = []
    for _ in range(epochs):
        given = {one for one in gold if chance.random() < ease}
        if chance.random() > ease:
            given.add(str(chance.choice(list(STYLES), p=_COMMON)))
        found.append(labels.label_counts(gold, frozenset(given)))
    return found


_WORDS = [f"w{n}" for n in range(400)]


def texts(chance: np.random.Generator, epochs: int) -> list[Statistics]:
    """An explanation and its reference, of other lengths each time."""
    reference = chance.choice(_WORDS, 8 + chance.poisson(10))
    ease = chance.beta(3, 2)
    said = []
    for _ in range(epochs):
        kept = np.where(chance.random(len(reference)) < ease, reference, "other")
        said.append(" ".join(kept[: max(4, int(len(kept) * chance.uniform(0.6, 1)))]))
    return bleu_statistics([" ".join(reference)] * epochs, said, "en")


def pairs(chance: np.random.Generator, epochs: int) -> list[Statistics]:
    """IRC: the mean of an agreement of 0 or 1, an overlap and a cosine."""
    ease = chance.beta(2, 2)
    return [
        scored(
            100
            / 3
            * (
                float(chance.random() < ease)
                + float(chance.beta(1 + 3 * ease, 4))
                + float(np.clip(chance.normal(ease, 0.2), -1, 1))
            )
        )
        for _ in range(epochs)
    ]


def edits(chance: np.random.Generator, epochs: int) -> list[Statistics]:
    """RFS: a judge's eight ratings of an edit."""
    ease = chance.beta(1.5, 1.5)
    found = []
    for _ in range(epochs):
        values = {name: chance.binomial(4, ease) / 4 for name in BASE}
        values |= {"LC": float(chance.random() < 0.3 + 0.6 * ease)}
        values |= {"PPE": float(chance.random() < ease), GATE: 0.0, "n": 1.0}
        found.append(values)
    return found


def ratings(chance: np.random.Generator, epochs: int) -> list[Statistics]:
    """Alpha of three raters, interval level."""
    middle = chance.normal(3, 0.9)
    found = []
    for _ in range(epochs):
        given = np.clip(np.round(chance.normal(middle, 0.8, 3)), 1, 5).astype(int).tolist()
        found.append(alpha_statistics(given, interval) or {})
    return found


def _apart(one: str, other: str) -> float:
    return interval(float(one), float(other))


CELLS = {
    "mean of 0 and 1": (Metric("m", range=(0, 1), value=mean), uniform),
    "skewed mean": (Metric("m", range=(0, 1), value=mean), skewed),
    "weighted F1": (Metric("m", range=(0, 1), value=labels.weighted_f1), styles),
    "BLEU": (Metric("m", range=(0, 100), value=bleu), texts),
    "IRC": (Metric("m", range=(-100 / 3, 100), value=mean), pairs),
    "RFS": (next(one for one in JUDGED if one.name == "RFS"), edits),
    "alpha": (Metric("m", range=(-1, 1), value=alpha_value(_apart)), ratings),
}


@cache
def population(name: str, epochs: int) -> list[list[Statistics]]:
    """The items that worlds are drawn from."""
    chance = np.random.default_rng(7)
    draw = CELLS[name][1]
    return [draw(chance, epochs) for _ in range(POPULATION)]


def measured(name: str, rows: Sequence[Sequence[Statistics]], world: str) -> Measurement:
    """The measurement of a sample of items."""
    keys = tuple(
        (f"{world}-{at}", epoch) for at, row in enumerate(rows) for epoch in range(1, len(row) + 1)
    )
    units = Units(keys, ("answered",) * len(keys), ((),) * len(keys))
    every = [one for row in rows for one in row]
    return Measurement("model", "task", CELLS[name][0], units, every, "")


def coverage(name: str, epochs: int, worlds: int, items: int) -> tuple[float, float, float]:
    """The share of worlds whose interval holds the truth, by items and with every answer taken as
    an item of its own, and the mean width."""
    rows = population(name, epochs)
    truth = next(measured(name, rows, "all").scores()).value or 0.0
    chance = np.random.default_rng(11)
    held, naive, widths = 0, 0, []
    for world in range(worlds):
        own = [rows[at] for at in chance.integers(0, len(rows), items).tolist()]
        score = with_intervals([measured(name, own, f"{name}{epochs}{world}")])[0]
        if score.low is None or score.high is None:
            continue
        held += score.low <= truth <= score.high
        widths.append(score.high - score.low)
        if epochs > 1:
            apart = [[one] for row in own for one in row]
            score = with_intervals([measured(name, apart, f"{name}{epochs}{world}x")])[0]
            naive += (score.low or 0) <= truth <= (score.high or 0)
    return held / worlds, naive / worlds, float(np.mean(widths))


def paired(name: str, worlds: int, items: int) -> float:
    """The share of worlds in which the interval of a difference holds it: of the same items the
    first epoch is one model's, and the second another's, that is right less often."""
    rows = [(row[0], row[1] if at % 4 else row[2]) for at, row in enumerate(population(name, 3))]
    weaker = population(name, 1)
    rows = [(one, other if at % 3 else weaker[at][0]) for at, (one, other) in enumerate(rows)]
    sides = [[[row[side]] for row in rows] for side in (0, 1)]
    values = [next(measured(name, side, "all").scores()).value or 0.0 for side in sides]
    truth = values[0] - values[1]
    chance, held = np.random.default_rng(13), 0
    for world in range(worlds):
        drawn = chance.integers(0, len(rows), items).tolist()
        one, other = (
            measured(name, [side[at] for at in drawn], f"p{name}{world}") for side in sides
        )
        found = Pair(one, other, "all").difference(permutations=0)
        if found is not None and found.low is not None and found.high is not None:
            held += found.low <= truth <= found.high
    return held / worlds


def false_alarms(name: str, worlds: int, items: int) -> float:
    """How often one of two runs of one model comes out as surely better."""
    rows, chance, wrong = population(name, 3), np.random.default_rng(17), 0
    for world in range(worlds):
        own = [rows[at] for at in chance.integers(0, len(rows), items).tolist()]
        one, other = (
            measured(name, [[row[side]] for row in own], f"n{name}{world}") for side in (0, 1)
        )
        found = Pair(one, other, "all").difference()
        wrong += found is not None and found.p <= SURE
    return wrong / worlds


def line(*cells: object) -> str:
    """A line of the table: what, items, per cent with its Monte-Carlo interval."""
    name, items, share, worlds = cells
    low, high = wilson(float(share) * int(worlds), int(worlds))  # type: ignore[call-overload]
    ends = f"{100 * low:9.1f} –{100 * high:5.1f}"
    return f"{name!s:18}{items!s:>7}{100 * float(share):12.1f}{ends}"  # type: ignore[arg-type]


def main() -> None:
    """Prints the coverage of each cell with its Monte-Carlo interval."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--worlds", type=int, default=2000)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--cells", default=",".join(CELLS))
    parser.add_argument("--epochs", default=f"1,{EPOCHS}")
    parser.add_argument("--parts", default="one,pairs,null")
    options = parser.parse_args()
    parts = options.parts.split(",")
    print(f"{'score':18}{'epochs':>7}{'items':>7}{'coverage %':>12}{'Monte Carlo':>16}{'naive':>8}")
    for name in options.cells.split(",") if "one" in parts else ():
        for epochs in map(int, options.epochs.split(",")):
            start = time.perf_counter()
            share, naive, width = coverage(name, epochs, options.worlds, options.items)
            low, high = wilson(share * options.worlds, options.worlds)
            other = f"{100 * naive:8.1f}" if epochs > 1 else f"{'':8}"
            print(
                f"{name:18}{epochs:7}{options.items:7}{100 * share:12.1f}"
                f"{100 * low:9.1f} –{100 * high:5.1f}{other}"
                f"   width {width:.3f}, {time.perf_counter() - start:.0f} s",
                flush=True,
            )
    print("\ndifferences of pairs")
    for name in options.cells.split(",") if "pairs" in parts else ():
        share = paired(name, options.worlds, options.items)
        print(line(name, options.items, share, options.worlds), flush=True)
    print("\none model under two names, called apart")
    for name in options.cells.split(",") if "null" in parts else ():
        for items in (NULL_ITEMS, options.items):
            share = false_alarms(name, NULL * options.worlds, items)
            print(line(name, items, share, NULL * options.worlds), flush=True)


if __name__ == "__main__":
    main()
