"""Stopping rules in worlds whose truth is known: how often an interval is ever wrong, whenever one
stops, and how many calls are saved.

A world is a benchmark's items in random order. Scores are looked at after every item, and stop when
the 95 % interval of what all items give is no wider than 0.1 of their range; pairs of models stop
when one of them is surely better. Smooth metrics are looked at after every fifth. Beside them
stands the usual interval of so many items, looked at as often.

    python bench/stopping.py [--worlds 500] [--items 500] [--only "pair, mean"]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from deadpan.benchmarks.merbench.metrics import BASE, GATE, JUDGED
from deadpan.core.metric import Array, Key, Metric, Statistics, Sums
from deadpan.metrics import labels
from deadpan.metrics.bleu import bleu, bleu_statistics
from deadpan.metrics.statistics.quantiles import wilson
from deadpan.metrics.statistics.sequences import BURN_IN, LEVEL, mean_sequence
from deadpan.metrics.statistics.stopping import Evidence, difference_so_far, score_so_far

WIDTH = 0.05
"""The half-width that scores stop at, as a share of their range."""
PEEK_FROM, EVERY = 20, 5
"""From which item on the usual interval is looked at, and how often smooth metrics are."""
POOL = 4000
"""How many texts and edits there are to draw worlds from."""
Chance = np.random.Generator


@dataclass(frozen=True)
class Outcome:
    """What became of the worlds of one kind."""

    worlds: int
    wrong: int
    """In how many an interval was ever wrong."""
    peeked: int | None
    """In how many the usual one was, looked at after every item."""
    asked: Array
    """The share of the items that each asked."""
    decided: int = 0

    @property
    def is_refuted(self) -> bool:
        """Whether more were wrong than the level allows, beyond chance."""
        return wilson(self.wrong, self.worlds)[0] > 1 - LEVEL


def _first(holds: Array) -> Array:
    """The share of the items after which something holds for the first time, 1 where it never
    does."""
    at = np.where(holds.any(axis=1), holds.argmax(axis=1) + 1, holds.shape[1])
    return np.asarray(at / holds.shape[1])


def _peeked(values: Array, truth: Array, finite: bool) -> int:
    """In how many worlds mean ± 1.96 standard errors excludes the truth at some time."""
    count = np.arange(1, values.shape[1] + 1)
    means = values.cumsum(axis=1) / count
    spread = np.maximum((values**2).cumsum(axis=1) / count - means**2, 0) / np.maximum(count - 1, 1)
    if finite:
        spread *= 1 - count / len(count)
    missed = np.abs(means - truth[:, None]) > 1.96 * np.sqrt(spread) + 1e-12
    return int(missed[:, PEEK_FROM:-1].any(axis=1).sum())


def means(chance: Chance, worlds: int, items: int, draw: Callable[..., Array]) -> Outcome:
    """Means of all items of a world."""
    values = draw(chance, (worlds, items)).astype(float)
    truth = values.mean(axis=1)
    bounds = mean_sequence(values, np.ones_like(values), items, finite=True, cells=400)
    low, high = bounds[..., 0], bounds[..., 1]
    wrong = ((low > truth[:, None] + 1e-9) | (high < truth[:, None] - 1e-9)).any(axis=1)
    asked = _first((high - low) / 2 <= WIDTH)
    return Outcome(worlds, int(wrong.sum()), _peeked(values, truth, True), asked)


def part_means(chance: Chance, worlds: int, items: int) -> Outcome:
    """Means over those items that a metric is about, which nobody knows before they are asked."""
    values = chance.random((worlds, items)) ** 2
    weights = (chance.random((worlds, items)) < 0.3 + 0.5 * values).astype(float)
    truth = (values * weights).sum(axis=1) / weights.sum(axis=1)
    bounds = mean_sequence(values, weights, items, finite=True, cells=400)
    low, high = bounds[..., 0], bounds[..., 1]
    wrong = ((low > truth[:, None] + 1e-9) | (high < truth[:, None] - 1e-9)).any(axis=1)
    return Outcome(worlds, int(wrong.sum()), None, _first((high - low) / 2 <= WIDTH))


MEANS: dict[str, Callable[..., Array]] = {
    "0 and 1, half right": lambda chance, shape: chance.random(shape) < 0.5,
    "0 and 1, 90 % right": lambda chance, shape: chance.random(shape) < 0.9,
    "0 and 1, 98 % right": lambda chance, shape: chance.random(shape) < 0.98,
    "ratings from 1 to 5": lambda chance, shape: chance.binomial(4, 0.7, shape) / 4,
    "skewed": lambda chance, shape: chance.beta(0.3, 3, shape),
    "mostly 0, some any": lambda chance, shape: (chance.random(shape) < 0.2) * chance.random(shape),
}

F1 = Metric("f1", range=(0, 1), value=labels.weighted_f1)
BLEU = Metric("bleu", range=(0, 100), value=bleu)
RFS = next(one for one in JUDGED if one.name == "RFS")
_KEYS: tuple[Key, ...] = tuple((name, label) for name in ("tp", "fp", "fn") for label in "abc")


def labelled(
    chance: Chance, items: int, right: tuple[float, ...], common: tuple[float, ...]
) -> Sums:
    """Label counts of answers that are right as often as the label of each item has it."""
    gold = chance.choice(3, items, p=common)
    is_right = chance.random(items) < np.array(right)[gold]
    said = np.where(is_right, gold, chance.integers(0, 3, items))
    return _counts(gold, said)


def _counts(gold: np.ndarray, said: np.ndarray) -> Sums:
    added, places = np.zeros((len(gold), 9)), np.arange(len(gold))
    hit = gold == said
    added[places[hit], gold[hit]] = 1
    added[places[~hit], 3 + said[~hit]] = 1
    added[places[~hit], 6 + gold[~hit]] = 1
    return Sums(_KEYS, added)


def _stacked(rows: list[Statistics]) -> Sums:
    keys = tuple(dict.fromkeys(key for row in rows for key in row))
    return Sums(keys, np.array([[row.get(key, 0.0) for key in keys] for row in rows]))


def text_pool(chance: Chance) -> Sums:
    """What explanations of other lengths and likeness to their references add to BLEU."""
    words = np.array([f"w{n}" for n in range(400)])
    references, said = [], []
    for ease in chance.beta(3, 2, POOL):
        reference = chance.choice(words, 8 + chance.poisson(10))
        kept = np.where(chance.random(len(reference)) < ease, reference, "other")
        references.append(" ".join(reference))
        said.append(" ".join(kept[: max(4, int(len(kept) * chance.uniform(0.6, 1)))]))
    return _stacked(list(bleu_statistics(references, said, "en")))


def edit_pool(chance: Chance) -> Sums:
    """What a judge's ratings of edits add to RFS."""
    rows: list[Statistics] = []
    for ease in chance.beta(1.5, 1.5, POOL):
        values = {name: chance.binomial(4, ease) / 4 for name in BASE}
        values |= {"LC": float(chance.random() < 0.3 + 0.6 * ease)}
        rows.append({**values, "PPE": float(chance.random() < ease), GATE: 0.0, "n": 1.0})
    return _stacked(rows)


def _evidence(metric: Metric, sums: Sums, count: int) -> Evidence:
    own = Sums(sums.keys, sums.array[:count])
    return Evidence(metric, tuple(map(str, range(count))), own, (), len(sums.array))


def smooth(
    chance: Chance,
    worlds: int,
    metric: Metric,
    draw: Callable[[Chance], Sums],
) -> Outcome:
    """A smooth metric of all items of a world."""
    assert metric.range is not None
    wrong, asked = 0, []
    wanted = WIDTH * (metric.range[1] - metric.range[0])
    for _ in range(worlds):
        sums = draw(chance)
        items = len(sums.array)
        truth = _evidence(metric, sums, items).value
        missed, stopped = False, items
        for count in range(BURN_IN, items, EVERY):
            known = score_so_far(_evidence(metric, sums, count))
            missed |= not known.low - 1e-9 <= truth <= known.high + 1e-9
            if stopped == items and known.half_width <= wanted:
                stopped = count
        wrong += missed
        asked.append(stopped / items)
    return Outcome(worlds, wrong, None, np.array(asked))


def paired_means(chance: Chance, worlds: int, items: int, shares: tuple[float, float]) -> Outcome:
    """Two models that are right so often, on items that are easy or hard for both."""
    ease = chance.beta(2, 2, (worlds, items))
    sides = [
        (chance.random((worlds, items)) < np.clip(ease + share - 0.5, 0, 1)).astype(float)
        for share in shares
    ]
    gaps = sides[0] - sides[1]
    many = np.clip(chance.beta(2, 2, 400_000)[:, None] + np.array(shares) - 0.5, 0, 1).mean(axis=0)
    truth = float(many[0] - many[1])
    bounds = mean_sequence(
        gaps, np.ones_like(gaps), items, finite=False, scale=(-1.0, 1.0), cells=400
    )
    low, high = bounds[..., 0], bounds[..., 1]
    sure = (low > 0) | (high < 0)
    slip = ((low > truth + 2e-3) | (high < truth - 2e-3)).any(axis=1)
    peeked = _peeked(gaps, np.full(worlds, truth), False)
    return Outcome(worlds, int(slip.sum()), peeked, _first(sure), int(sure.any(axis=1).sum()))


def paired_f1(chance: Chance, worlds: int, items: int, shares: tuple[float, float]) -> Outcome:
    """The same in weighted F1."""
    many = _both(chance, 400_000, shares)
    truth = _evidence(F1, many[0], 400_000).value - _evidence(F1, many[1], 400_000).value
    wrong, decided, asked = 0, 0, []
    for _ in range(worlds):
        one, other = _both(chance, items, shares)
        missed, stopped, is_sure = False, items, False
        for count in range(BURN_IN, items + 1, EVERY):
            known = difference_so_far(_evidence(F1, one, count), _evidence(F1, other, count))
            missed |= not known.low <= truth <= known.high
            if not is_sure and known.sign:
                stopped, is_sure = count, True
        wrong += missed
        decided += is_sure
        asked.append(stopped / items)
    return Outcome(worlds, wrong, None, np.array(asked), decided)


def _both(chance: Chance, items: int, shares: tuple[float, float]) -> list[Sums]:
    ease = chance.beta(2, 2, items)
    gold = chance.choice(3, items, p=(0.6, 0.3, 0.1))
    found = []
    for share in shares:
        is_right = chance.random(items) < np.clip(ease + share - 0.5, 0, 1)
        found.append(_counts(gold, np.where(is_right, gold, chance.integers(0, 3, items))))
    return found


PAIRS = {
    "no difference": (0.6, 0.6),
    "hard, 0.05 apart": (0.62, 0.57),
    "easy, 0.2 apart": (0.7, 0.5),
}
_LABELLED = {
    "weighted F1 of 0.6": ((0.8, 0.6, 0.4), (0.5, 0.3, 0.2)),
    "weighted F1 of 0.95, rare labels": ((0.95, 0.9, 0.9), (0.8, 0.15, 0.05)),
    "weighted F1, rare labels missed": ((0.98, 0.3, 0.3), (0.9, 0.07, 0.03)),
}


Run = Callable[[int, int], Outcome]
"""What becomes of so many worlds of so many items."""


def _smooth(seed: int, metric: Metric, draw: Callable[[Chance, int], Sums]) -> Run:
    return lambda worlds, items: smooth(
        np.random.default_rng(seed), worlds, metric, lambda chance: draw(chance, items)
    )


def _of_pool(make: Callable[[Chance], Sums]) -> Callable[[Chance, int], Sums]:
    pool = cache(lambda: make(np.random.default_rng(4)))

    def draw(chance: Chance, items: int) -> Sums:
        return Sums(pool().keys, pool().array[chance.choice(POOL, items, replace=False)])

    return draw


KINDS: dict[str, Run] = {
    **{
        f"mean: {name}": partial(
            lambda draw, *size: means(np.random.default_rng(1), *size, draw), draw
        )
        for name, draw in MEANS.items()
    },
    "mean: of unknown items": lambda *size: part_means(np.random.default_rng(2), *size),
    **{
        name: _smooth(3, F1, partial(lambda how, chance, items: labelled(chance, items, *how), how))
        for name, how in _LABELLED.items()
    },
    "BLEU": _smooth(5, BLEU, _of_pool(text_pool)),
    "RFS": _smooth(6, RFS, _of_pool(edit_pool)),
    **{
        f"pair, {kind}: {name}": partial(
            lambda run, shares, *size: run(np.random.default_rng(7), *size, shares), run, shares
        )
        for kind, run in (("mean", paired_means), ("F1", paired_f1))
        for name, shares in PAIRS.items()
    },
}


def main() -> None:
    """Prints how often each kind of world was ever wrong, and what it saved."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--worlds", type=int, default=500)
    parser.add_argument("--items", type=int, default=500)
    parser.add_argument("--only", default="", help="kinds of worlds that begin so")
    options = parser.parse_args()
    start = time.perf_counter()
    print(f"{'worlds':38}{'ever wrong %':>13}{'Monte Carlo':>15}{'peeked %':>10}{'saved %':>9}")
    for name, run in KINDS.items():
        if not name.startswith(options.only):
            continue
        one = run(options.worlds, options.items)
        low, high = wilson(one.wrong, one.worlds)
        peeked = "" if one.peeked is None else f"{100 * one.peeked / one.worlds:.1f}"
        decided = f"  {100 * one.decided / one.worlds:.0f} % decided" if "pair" in name else ""
        print(
            f"{name:38}{100 * one.wrong / one.worlds:13.1f}{100 * low:9.1f} –{100 * high:5.1f}"
            f"{peeked:>10}{100 * (1 - one.asked.mean()):9.0f}{decided}"
            f"{'  REFUTED' if one.is_refuted else ''}",
            flush=True,
        )
    print(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
