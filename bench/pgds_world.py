"""PGDS in a simulated world whose useful demonstration is stated: see world.py of the tests of
learning for it, and for how shortcuts of its construction were ruled out.

Expected reward on held-out queries with held-out candidates, mean over seeds with a 95 % interval
(of five seeds or more). `share` is how much of the way from random to the oracle the policy goes.

    python bench/pgds_world.py [--seeds 10] [--first 100]

Settings were chosen on seeds 0 to 4; those from `--first` on decided nothing.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from deadpan.metrics.statistics.intervals import with_intervals  # noqa: E402
from tests.learning.fewshot.world import (  # noqa: E402
    DIFFICULTIES,
    SETTINGS,
    Difficulty,
    made,
    outcome,
)
from tests.metrics.statistics.worlds import measured as reward_of  # noqa: E402

WAYS = ("random", "retrieval", "farthest", "policy", "no prior", "no query", "no candidate")


def main() -> None:
    """Prints one line of a table for each difficulty and way to choose."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=100)
    given = parser.parse_args()
    seeds = given.seeds
    print("| world | way | expected reward | 95 % interval | share |")
    print("| --- | --- | --- | --- | --- |")
    for difficulty in DIFFICULTIES:
        found = [measured(difficulty, seed) for seed in range(given.first, given.first + seeds)]
        means = {way: sum(one[way] for one in found) / seeds for way in found[0]}
        for way in (*WAYS, "oracle"):
            (mean,) = with_intervals([reward_of([one[way] for one in found])])
            share = (means[way] - means["random"]) / (means["oracle"] - means["random"])
            bounds = "–" if mean.low is None else f"{mean.low:.3f} … {mean.high:.3f}"
            print(f"| {difficulty.name} | {way} | {mean.value:.3f} | {bounds} | {share:.2f} |")


def measured(difficulty: Difficulty, seed: int) -> dict[str, float]:
    """Every way to choose in the world of one seed."""
    world, settings = made(difficulty, seed), replace(SETTINGS, seed=seed, updates=600)
    found = outcome(world, settings)
    found["no prior"] = outcome(world, replace(settings, prior=False))["policy"]
    found["no query"] = outcome(world, settings, "query")["policy"]
    found["no candidate"] = outcome(world, settings, "candidate")["policy"]
    return found


if __name__ == "__main__":
    main()
