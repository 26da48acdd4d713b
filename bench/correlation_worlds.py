"""How often the 95 % intervals of a judge's correlation with people hold the true one.

A world is a few items with answers by one or three models, of which a judge and people say yes or
no, or give 1 to 7. What an answer is worth has a part that all answers to its item share. The true
correlation is that of 20,000 such items, or 0 where judge and people know nothing of each other.

    python bench/correlation_worlds.py [--worlds 400] [--kinds coins,ratings] [--items 8,20,50,200]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from deadpan.core.metric import Array
from deadpan.metrics.statistics.correlation import pearson, spearman
from deadpan.metrics.statistics.judge_agreement import ScaleForm, agreement
from deadpan.metrics.statistics.opinions import Opinion

TRUTH = 20_000
NAMES = 25
"""How many worlds have items of other names, and so other resamples; then they come again."""
TWO, SEVEN = (0.0, 1.0), tuple(float(one) for one in range(1, 8))
Said = tuple[Array, Array]
"""By the judge (items, answers), and by one or two people (items, answers, people)."""


def _worth(chance: np.random.Generator, items: int, answers: int) -> Array:
    shared = chance.normal(size=(items, 1))
    own: Array = 0.7 * shared + 0.71 * chance.normal(size=(items, answers))
    return own


def flips(judge: float, people: float) -> Callable[..., Said]:
    """Yes with a chance, whatever the answer."""

    def draw(chance: np.random.Generator, *size: int) -> Said:
        yes = [
            chance.random(shape) < share for shape, share in ((size, judge), ((*size, 1), people))
        ]
        return yes[0].astype(float), yes[1].astype(float)

    return draw


def verdicts(bar: float) -> Callable[..., Said]:
    """Yes where an answer seems good enough, to both alike."""

    def draw(chance: np.random.Generator, *size: int) -> Said:
        worth = _worth(chance, *size)
        seen = [worth + 0.4 * chance.normal(size=size) for _ in range(2)]
        return (seen[0] > bar).astype(float), (seen[1] > bar).astype(float)[..., None]

    return draw


def ratings(middle: float, seen: float) -> Callable[..., Said]:
    """1 to 7 by two people, and by a judge who sees a part of what they see."""

    def draw(chance: np.random.Generator, *size: int) -> Said:
        worth, other = _worth(chance, *size), _worth(chance, *size)
        judge = seen * worth + (1 - seen) * other + 0.5 * chance.normal(size=size)
        people = worth[..., None] + 0.5 * chance.normal(size=(*size, 2))
        first, second = (np.clip(np.round(middle + 1.5 * one), 1, 7) for one in (judge, people))
        return first, second

    return draw


KINDS: dict[str, tuple[Callable[..., Said], tuple[float, ...], bool]] = {
    "coins": (flips(0.5, 0.5), TWO, True),
    "rare no": (flips(0.9, 0.5), TWO, True),
    "rare nos": (flips(0.9, 0.85), TWO, True),
    "verdicts": (verdicts(0.0), TWO, False),
    "kind verdicts": (verdicts(-1.0), TWO, False),
    "unlike ratings": (ratings(4.0, 0.0), SEVEN, True),
    "ratings": (ratings(4.0, 1.0), SEVEN, False),
    "best ratings": (ratings(6.5, 1.0), SEVEN, False),
}
"""How each world is drawn, its values, and whether judge and people know nothing of each other."""


def coverage(
    kind: str, items: int, answers: int, worlds: int
) -> dict[str, tuple[float, float, int]]:
    """Of each correlation how often the interval holds the truth, its mean width, and in how many
    worlds there is none."""
    draw, levels, is_null = KINDS[kind]
    judge, people = draw(np.random.default_rng(5), TRUTH, answers)
    pairs = judge.ravel().tolist(), people.mean(axis=-1).ravel().tolist()
    truth = {name: 0.0 if is_null else measure(*pairs).r for name, measure in MEASURES.items()}
    chance = np.random.default_rng(11)
    form = ScaleForm(levels, "nominal" if levels == TWO else "interval")
    held: dict[str, list[bool]] = {name: [] for name in MEASURES}
    widths: dict[str, list[float]] = {name: [] for name in MEASURES}
    for world in range(worlds):
        judge, people = draw(chance, items, answers)
        opinions = [
            Opinion(f"{world % NAMES}-{at}", str(model), (float(judge[at, model]),), tuple(own))
            for at in range(items)
            for model, own in enumerate(people[at].tolist())
        ]
        found = agreement(opinions, form).judge
        for name, value in truth.items():
            low, high = found[name].low, found[name].high
            if low is not None and high is not None:
                held[name].append(low <= value <= high)
                widths[name].append(high - low)
    return {
        name: (float(np.mean(held[name])), float(np.mean(widths[name])), worlds - len(held[name]))
        for name in MEASURES
    }


MEASURES = {"pearson": pearson, "spearman": spearman}


def main() -> None:
    """Prints the coverage of both correlations in each kind of world."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--worlds", type=int, default=400)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--items", default="8,20,50,200")
    options = parser.parse_args()
    print(
        f"{options.worlds} worlds\n{'world':15}{'answers':>8}{'items':>6}   r %  width   rank r %"
    )
    for kind in options.kinds.split(","):
        for answers in (1, 3):
            for items in map(int, options.items.split(",")):
                found = coverage(kind, items, answers, options.worlds)
                (held, width, none), (ranked, *_) = found.values()
                print(
                    f"{kind:15}{answers:8}{items:6}{100 * held:6.1f}{width:7.2f}"
                    f"{100 * ranked:11.1f}   without an interval: {none}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
