"""The fifty nearest of 100,000 vectors of width 1,024: our search against a full sort in numpy, and
against FAISS where faiss-cpu is installed.

All return the same rows. Times are per query, one at a time and in batches of 32.

    python bench/retrieval.py [--vectors 100000] [--width 1024]
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from deadpan.engine.fewshot.selection import nearest
from deadpan.metrics.encoders import Vectors

NEAREST = 50


def main() -> None:
    """Prints milliseconds per query of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--width", type=int, default=1024)
    options = parser.parse_args()
    vectors = unit(options.vectors, options.width, 0)
    queries = unit(64, options.width, 1)
    rivals: dict[str, Callable[[Vectors], Any]] = {
        "deadpan": lambda rows: nearest(vectors, rows, NEAREST)[0],
        "numpy argsort": lambda rows: np.argsort(-(rows @ vectors.T), axis=1)[:, :NEAREST],
    }
    if importlib.util.find_spec("faiss"):
        index = importlib.import_module("faiss").IndexFlatIP(options.width)
        index.add(vectors)
        rivals["FAISS"] = lambda rows: index.search(rows, NEAREST)[1]
    assert len({str(found(queries[:8]).tolist()) for found in rivals.values()}) == 1
    print(f"{'':18}{'one at a time':>16}{'32 at a time':>16}   ms a query")
    for name, found in rivals.items():
        single = timed(found, [queries[place : place + 1] for place in range(12)]) / 12
        batch = timed(found, [queries[:32], queries[32:]]) / 64
        print(f"{name:18}{1000 * single:16.1f}{1000 * batch:16.1f}")


def unit(count: int, width: int, seed: int) -> Vectors:
    """Random unit rows."""
    rows = np.random.default_rng(seed).standard_normal((count, width), np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def timed(found: Callable[[Vectors], object], batches: list[Vectors]) -> float:
    """Seconds for all batches: the middle of three passes."""
    passes = []
    for _ in range(3):
        start = time.perf_counter()
        for batch in batches:
            found(batch)
        passes.append(time.perf_counter() - start)
    return sorted(passes)[1]


if __name__ == "__main__":
    main()
