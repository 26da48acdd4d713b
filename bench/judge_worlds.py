"""How often a judge's 95 % intervals hold what people would have said, alone and corrected.

A world is a sample of items from a large population of which is known what people say of every
answer. The judge graded all of it, and is wrong in a known way: it overrates long answers, or all
answers of a model of its own family. People labelled some of the items, drawn at random. Some
worlds ask each item three times, of which the first answer is labelled; a judge that is asked
three times says something else each time.

    python bench/judge_worlds.py [--worlds 2000] [--items 400] [--labels 150] [--cells mean,rfs]
        [--how length:3x1,model:1x1]   # bias, judgements of an answer, answers to an item
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import cache
from statistics import fmean

import numpy as np

from deadpan.benchmarks.merbench.metrics import BASE, GATE, JUDGED
from deadpan.core.measurement import Measurement
from deadpan.core.metric import Metric, Statistics, mean, scored
from deadpan.core.units import Units
from deadpan.metrics import labels
from deadpan.metrics.statistics.corrected import Correction
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.metrics.statistics.quantiles import wilson

POPULATION = 20_000
NAMES = 20
"""How many worlds have items of other names, and so other resamples; then they come again."""
Chance = np.random.Generator
Said = tuple[Statistics, Statistics]
"""What an answer adds by people, and by the judge."""


def _leaning(chance: Chance, bias: str) -> float:
    """How much too kind the judge is to an answer, 0 to 1: to long ones, or to all alike."""
    return float(chance.beta(2, 3)) if bias == "length" else 0.4


def verdicts(chance: Chance, ease: float, bias: str, repeats: int) -> Said:
    """Right or wrong by people; the judge passes what it leans to."""
    right, leaning = chance.random() < ease, _leaning(chance, bias)
    passed = 0.92 if right else 0.12 + 0.6 * leaning
    judged = [float(chance.random() < passed) for _ in range(repeats)]
    return scored(right), scored(fmean(judged))


def rated(chance: Chance, ease: float, bias: str, repeats: int) -> Said:
    """A rating from 1 to 7 by two people, and by a judge of another mind."""
    middle, leaning = 1 + 6 * ease, _leaning(chance, bias)

    def given(centre: float, spread: float) -> float:
        return float(np.clip(round(chance.normal(centre, spread)), 1, 7))

    people = [given(middle, 0.9) for _ in range(2)]
    judged = [given(2 + 0.7 * middle + 1.5 * leaning, 0.7) for _ in range(repeats)]
    return scored(fmean(people)), scored(fmean(judged))


STYLES = tuple("abcdefgh")
_COMMON = np.array([0.3, 0.2, 0.15, 0.12, 0.1, 0.06, 0.04, 0.03])


def styles(chance: Chance, ease: float, bias: str, repeats: int) -> Said:
    """Label sets that an answer names, by people; the judge finds gold's where it leans to it."""
    gold = frozenset(chance.choice(STYLES, 1 + (chance.random() < 0.3), False, _COMMON))
    leaning = _leaning(chance, bias)
    named = {one for one in gold if chance.random() < ease}
    if chance.random() > ease:
        named.add(str(chance.choice(STYLES, p=_COMMON)))
    found = []
    for _ in range(repeats):
        kept = {one for one in named if one in gold or chance.random() > leaning}
        kept |= {one for one in gold if chance.random() < 0.6 * leaning}
        found.append(labels.label_counts(gold, frozenset(kept)))
    keys = dict.fromkeys(key for one in found for key in one)
    judged = {key: fmean(one.get(key, 0.0) for one in found) for key in keys}
    return labels.label_counts(gold, frozenset(named)), judged


def edits(chance: Chance, ease: float, bias: str, repeats: int) -> Said:
    """RFS: eight ratings of an edit, people's and a kinder judge's."""
    leaning = _leaning(chance, bias)

    def given(ease: float) -> dict[str, float]:
        values = {name: chance.binomial(4, ease) / 4 for name in BASE}
        values |= {"LC": float(chance.random() < 0.3 + 0.6 * ease)}
        return values | {"PPE": float(chance.random() < ease), GATE: 0.0, "n": 1.0}

    people = given(ease)
    every = [given(ease + 0.5 * leaning * (1 - ease)) for _ in range(repeats)]
    # The judge sees what people see, mostly.
    seen = {name for name in BASE if chance.random() < 0.5}
    judged = {
        name: people[name] if name in seen else fmean(one[name] for one in every) for name in people
    }
    return dict(people), dict(judged)


CELLS: dict[str, tuple[Metric, Callable[[Chance, float, str, int], Said]]] = {
    "mean": (Metric("m", range=(0, 1), value=mean), verdicts),
    "rating": (Metric("m", range=(1, 7), value=mean), rated),
    "f1": (Metric("m", range=(0, 1), value=labels.weighted_f1), styles),
    "rfs": (next(one for one in JUDGED if one.name == "RFS"), edits),
}


@cache
def population(cell: str, bias: str, repeats: int, epochs: int) -> list[list[Said]]:
    """The items that worlds are drawn from, each with its epochs, which are alike."""
    chance = np.random.default_rng(7)
    draw = CELLS[cell][1]
    eases = chance.beta(1.5, 1.5, POPULATION).tolist()
    return [[draw(chance, ease, bias, repeats) for _ in range(epochs)] for ease in eases]


def measured(cell: str, rows: list[list[Said]], side: int, world: str) -> Measurement:
    """The measurement of a sample of items, by people (0) or by the judge (1)."""
    keys = tuple(
        (f"{world}-{at}", epoch) for at, row in enumerate(rows) for epoch in range(1, len(row) + 1)
    )
    units = Units(keys, ("answered",) * len(keys), ((),) * len(keys))
    every = [one[side] for row in rows for one in row]
    return Measurement("model", "task", CELLS[cell][0], units, every, "")


def coverage(
    cell: str, bias: str, repeats: int, epochs: int, worlds: int, items: int, known: int
) -> dict[str, tuple[float, float]]:
    """Of the judge's, people's and the corrected interval in how many worlds it holds the truth,
    and its mean width."""
    rows = population(cell, bias, repeats, epochs)
    truth = next(measured(cell, rows, 0, "all").scores()).value or 0.0
    chance = np.random.default_rng(11)
    held: dict[str, list[bool]] = {}
    widths: dict[str, list[float]] = {}
    for world in range(worlds):
        own = [rows[at] for at in chance.integers(0, len(rows), items).tolist()]
        people, judge = (measured(cell, own, side, f"{cell}{world % NAMES}") for side in (0, 1))
        every = np.ones(len(judge.units.keys), bool)
        labelled = np.array(
            [epoch == 1 and at < known * epochs for at, (_, epoch) in enumerate(judge.units.keys)]
        )
        correction = Correction(judge, people, every, labelled)
        score = with_intervals([judge])[0]
        for name, one in (
            ("judge", score),
            ("people", correction.people_only()),
            ("corrected", correction.corrected()),
        ):
            low, high = one.low or 0.0, one.high or 0.0
            held.setdefault(name, []).append(low <= truth <= high)
            widths.setdefault(name, []).append(high - low)
    return {name: (float(np.mean(held[name])), float(np.mean(widths[name]))) for name in held}


def main() -> None:
    """Prints the coverage of each cell with the corrected one's Monte-Carlo interval."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--worlds", type=int, default=2000)
    parser.add_argument("--items", type=int, default=400)
    parser.add_argument("--labels", type=int, default=150)
    parser.add_argument("--cells", default=",".join(CELLS))
    parser.add_argument("--how", default="length:1x1,length:3x1,length:1x3,model:1x1")
    options = parser.parse_args()
    print(f"{options.items} items, {options.labels} labelled, {options.worlds} worlds")
    print(
        f"{'score':8}{'bias by':>8}{'repeats':>8}{'epochs':>7}{'judge %':>9}{'people %':>9}"
        f"{'corrected %':>12}{'Monte Carlo':>14}   mean width of people's and corrected"
    )
    for cell in options.cells.split(","):
        for how in options.how.split(","):
            start = time.perf_counter()
            bias, _, counted = how.partition(":")
            repeats, epochs = map(int, counted.split("x"))
            counts = (options.worlds, options.items, options.labels)
            found = coverage(cell, bias, repeats, epochs, *counts)
            low, high = wilson(round(found["corrected"][0] * options.worlds), options.worlds)
            shares = [100 * found[name][0] for name in ("judge", "people", "corrected")]
            print(
                f"{cell:8}{bias:>8}{repeats:8}{epochs:7}{shares[0]:9.1f}{shares[1]:9.1f}"
                f"{shares[2]:12.1f}{100 * low:8.1f} –{100 * high:5.1f}"
                f"   {found['people'][1]:.3f} {found['corrected'][1]:.3f},"
                f" {time.perf_counter() - start:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
