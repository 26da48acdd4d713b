"""All pairs of 64-bit hashes within four bits: ours against FAISS and numpy, how it grows, and the
same on two nodes of a Ray cluster.

(a) 100,000 hashes, with neighbours planted and copies: all pairs of all sides are the same;
(b) 1 and 10 million such hashes, how many of the planted pairs are found, and the growth of CPU
    time; and hashes that crowd: 10 % in crowds of 100,000 that share 40 bits, 10 % that all share
    32 bits, each with 1 % that are all one hash; and hashes of smooth pictures, whose bits agree
    with their neighbours;
(c) 1 million on two nodes of this machine, the same pairs.

Each line is a process of its own with one thread; its memory is the peak of that process, the
hashes with it.

    python bench/hamming.py [--rivals 100000] [--sizes 1000000 10000000] [--ray 1000000]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.curate.deduplicate.buckets import Packed, Share, Values
from deadpan.curate.deduplicate.neighbours import NearPairs, Run, Work, in_turn, near_pairs

ROOT = Path(__file__).resolve().parents[1]
DISTANCE = 4
CROWD, STEP = 100_000, 10_000
Rows = npt.NDArray[np.int64]
KINDS = {
    "planted": "random, neighbours planted",
    "crowds": "10 % in crowds of 100,000 that share 40 bits",
    "one crowd": "10 % share 32 bits",
    "smooth": "hashes of smooth pictures",
}


def main() -> None:
    """Prints a table for each part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rivals", type=int, default=100_000, help="hashes of (a); 0: leave out")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--kinds", nargs="+", choices=tuple(KINDS), default=list(KINDS))
    parser.add_argument("--ray", type=int, default=1_000_000, help="hashes of (c); 0: leave out")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_measured(**json.loads(options.one))))
        return
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores\n", flush=True)
    if options.rivals:
        _against_rivals(options.rivals)
    if options.sizes:
        _growth(options.kinds, options.sizes)
    if options.ray:
        _on_ray(options.ray)


def _against_rivals(count: int) -> None:
    """Part (a): everything that finds pairs, on the same hashes."""
    print(f"| {count:,} hashes | wall s | CPU s | peak MiB | pairs | found |")
    print("| --- | --- | --- | --- | --- | --- |")
    first: dict[str, Any] = {}
    for name in SIDES:
        told = _in_process(side=name, kind="planted", count=count)
        first = first or told
        same = told["digest"] == first["digest"]
        found = "the same" if same else f"{100 * told['pairs'] / first['pairs']:.1f} %"
        print(
            f"| {name} | {told['wall']:.2f} | {told['cpu']:.2f} | {told['mib']:.0f} "
            f"| {told['pairs']:,} | {found} |",
            flush=True,
        )
    print()


def _growth(kinds: Sequence[str], sizes: Sequence[int]) -> None:
    """Part (b): each kind at each size, and the exponent of CPU time."""
    print("| hashes | | wall s | CPU s | peak MiB | pairs | copies | planted found | load |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    exponents = []
    for kind in kinds:
        cpu = []
        for count in sizes:
            load = os.getloadavg()[0]
            told = _in_process(side="representatives", kind=kind, count=count)
            cpu.append(told["cpu"])
            print(
                f"| {KINDS[kind]} | {count:,} | {told['wall']:.2f} | {told['cpu']:.2f} "
                f"| {told['mib']:.0f} | {told['pairs']:,} | {told['copies']:,} "
                f"| {told['planted']} of {told['of']} | {load:.1f} |",
                flush=True,
            )
        if len(sizes) > 1:
            grown = log(cpu[-1] / cpu[0]) / log(sizes[-1] / sizes[0])
            exponents.append(f"{KINDS[kind]}: {grown:.2f}")
    print(f"\nexponent of CPU time: {'; '.join(exponents)}\n", flush=True)


def _on_ray(count: int) -> None:
    """Part (c): the same pairs, with shares worked through on two nodes."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    import ray
    from ray.cluster_utils import Cluster

    own: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 400 << 20}
    cluster: Any = Cluster(initialize_head=True, head_node_args={**own, "include_dashboard": False})
    try:
        cluster.add_node(**own)
        ray.init(cluster.address, log_to_driver=False, logging_level=logging.CRITICAL)
        nodes: set[str] = set()
        run = _spread_over(ray, nodes)
        near_pairs(_made("planted", 20_000)[0], DISTANCE, run)  # the workers start
        print(f"| {count:,} hashes | one process, wall s | two nodes, wall s | pairs | |")
        print("| --- | --- | --- | --- | --- |")
        for kind in KINDS:
            hashes, _ = _made(kind, count)
            nodes.clear()
            (alone, here), (spread, there) = (_timed(hashes, one) for one in (in_turn, run))
            assert np.array_equal(here.pairs, there.pairs)
            assert np.array_equal(here.equal, there.equal)
            print(
                f"| {KINDS[kind]} | {alone:.2f} | {spread:.2f} | {len(there.pairs):,} "
                f"| the same, from {len(nodes)} nodes |",
                flush=True,
            )
    finally:
        ray.shutdown()
        cluster.shutdown()


def _spread_over(ray: Any, nodes: set[str]) -> Run:
    """Works through shares wherever the cluster has a processor, the largest first, with the
    values sent once; notes which nodes worked."""

    def done(work: Work, values: Values, share: Share, distance: int) -> tuple[str, Packed]:
        return ray.get_runtime_context().get_node_id(), work(values, share, distance)

    task = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(done)

    def run(work: Work, values: Values, shares: Sequence[Share], distance: int) -> Iterable[Packed]:
        sent = ray.put(values)
        waiting = [
            task.remote(work, sent, share, distance)
            for share in sorted(shares, key=len, reverse=True)
        ]
        while waiting:
            ready, waiting = ray.wait(waiting)
            node, pairs = ray.get(ready[0])
            nodes.add(node)
            yield pairs

    return run


def _timed(hashes: Values, run: Run) -> tuple[float, NearPairs]:
    start = time.perf_counter()
    found = near_pairs(hashes, DISTANCE, run)
    return time.perf_counter() - start, found


def _in_process(**asked: object) -> dict[str, Any]:
    """What a process of its own, with one thread, tells."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    done = subprocess.run(
        [sys.executable, __file__, "--one", json.dumps(asked)],
        env={**os.environ, **dict.fromkeys(names, "1")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _measured(side: str, kind: str, count: int) -> dict[str, Any]:
    """Time, memory and pairs of one side; making hashes and checking pairs is not in the time."""
    hashes, planted = _made(kind, count)
    if side != "representatives":
        pairs, cost = _costed(lambda: SIDES[side](hashes))
        return {**cost, "pairs": len(pairs), "digest": hashlib.sha256(pairs).hexdigest()}
    found, cost = _costed(lambda: near_pairs(hashes, DISTANCE))
    stands_for = np.arange(count)
    stands_for[found.equal[:, 1]] = found.equal[:, 0]
    sides = np.sort(stands_for[planted], axis=1)
    there = np.isin(_numbered(sides, count), _numbered(found.pairs, count))
    there |= sides[:, 0] == sides[:, 1]
    return {
        **cost,
        "pairs": len(found.pairs),
        "copies": len(found.equal),
        "planted": int(there.sum()),
        "of": len(planted),
    }


def _costed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    wall, cpu = time.perf_counter(), time.process_time()
    found = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found, {"wall": wall, "cpu": cpu, "mib": mib}


def _numbered(rows: Rows, count: int) -> Rows:
    return rows[:, 0] * count + rows[:, 1]


def _made(kind: str, count: int) -> tuple[Values, Rows]:
    """Hashes in random places, and the pairs that were planted: 1 % of all have a neighbour at one
    to four bits, and another 1 % a copy."""
    rng = np.random.default_rng(count)
    hashes = rng.integers(0, 2**64, count, dtype=np.uint64)
    some = count // 100
    if kind == "smooth":
        hashes = np.concatenate(
            [_smooth(rng, min(STEP, count - start)) for start in range(0, count, STEP)]
        )
    elif kind != "planted":
        crowded = np.arange(count // 10)
        crowd = crowded // CROWD if kind == "crowds" else crowded * 0
        free = np.uint64(2**24 - 1 if kind == "crowds" else 2**32 - 1)
        hashes[crowded] = (hashes[crowd] & ~free) | (hashes[crowded] & free)
        hashes[len(crowded) : len(crowded) + some] = hashes[-1]
    left, right = np.arange(40 * some, 42 * some), np.arange(42 * some, 44 * some)
    flipped = np.zeros(2 * some, np.uint64)
    for place in range(some):
        for bit in rng.choice(64, place % 4 + 1, replace=False).tolist():
            flipped[place] |= np.uint64(1 << bit)
    hashes[right] = hashes[left] ^ flipped
    moved = rng.permutation(count)
    shuffled = np.empty_like(hashes)
    shuffled[moved] = hashes
    return shuffled, np.column_stack([moved[left], moved[right]])


def _smooth(rng: np.random.Generator, count: int) -> Values:
    """Hashes of eight rows of eight bits, of fields in which neighbours are alike."""
    field = rng.standard_normal((count, 8, 8), np.float32)
    for axis in (1, 2):
        for _ in range(2):
            field = field + 0.7 * np.roll(field, 1, axis)
    hashes: Values = np.packbits(field.reshape(count, 64) > 0, axis=1).view(np.uint64)[:, 0]
    return hashes


def _ours(hashes: Values) -> Rows:
    return near_pairs(hashes, DISTANCE).all_pairs()


def _numpy(hashes: Values) -> Rows:
    """By comparing all with all, a few rows at a time."""
    found = []
    for start in range(0, len(hashes), 16):
        rows, rest = hashes[start : start + 16, None], hashes[start:]
        left, right = np.nonzero(np.bitwise_count(rows ^ rest) <= DISTANCE)
        later = left < right
        found.append(np.column_stack([left[later], right[later]]) + start)
    return np.concatenate(found)


def _faiss(index: Callable[[Any], Any]) -> Callable[[Values], Rows]:
    """The pairs that a FAISS index finds when it is asked for the neighbours of each hash."""

    def found(hashes: Values) -> Rows:
        import faiss

        faiss.omp_set_num_threads(1)
        rows, made = hashes.view(np.uint8).reshape(-1, 8), index(faiss)
        made.add(rows)
        limits, _, labels = made.range_search(rows, DISTANCE + 1)
        left = np.repeat(np.arange(len(hashes)), np.diff(limits.astype(np.int64)))
        later = left < labels
        pairs = np.column_stack([left[later], labels[later]]).astype(np.int64)
        return np.unique(pairs, axis=0)

    return found


def _multi(tables: int, bits: int, flips: int) -> Callable[[Any], Any]:
    def made(faiss: Any) -> Any:
        index = faiss.IndexBinaryMultiHash(64, tables, bits)
        index.nflip = flips
        return index

    return made


def _single(bits: int, flips: int) -> Callable[[Any], Any]:
    def made(faiss: Any) -> Any:
        index = faiss.IndexBinaryHash(64, bits)
        index.nflip = flips
        return index

    return made


SIDES: dict[str, Callable[[Values], Rows]] = {
    "deadpan": _ours,
    "FAISS IndexBinaryFlat": _faiss(lambda faiss: faiss.IndexBinaryFlat(64)),
    "FAISS IndexBinaryMultiHash, 5 × 12 bits, no flips (exact)": _faiss(_multi(5, 12, 0)),
    "FAISS IndexBinaryMultiHash, 4 × 16 bits, 1 flip (exact)": _faiss(_multi(4, 16, 1)),
    "FAISS IndexBinaryHash, 16 bits, 4 flips (exact)": _faiss(_single(16, 4)),
    "FAISS IndexBinaryHash, 16 bits, 1 flip": _faiss(_single(16, 1)),
    "numpy, all with all": _numpy,
}


if __name__ == "__main__":
    main()
