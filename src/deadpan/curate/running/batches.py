"""Work on batches, run by Daft: in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from deadpan.base.errors import DeadpanError, MissingExtra

_logger = logging.getLogger("deadpan")

Work = Callable[[bytes], bytes]
"""What is done with a batch; both sides are bytes, so that any runner can carry them."""
_TRIES = 3
"""How often a batch that ends its worker is tried before it is given up."""
_SETTINGS = {
    "DAFT_PROGRESS_BAR": "0",
    "DO_NOT_TRACK": "true",
    "DAFT_ANALYTICS_ENABLED": "0",
    "OMP_NUM_THREADS": "1",  # a process on every core already
}


class BatchLost(DeadpanError):
    """A batch that ends whatever process works on it."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"batch {key}: {why}")
        self.key, self.why = key, why


@dataclass(frozen=True)
class Runner:
    """Who works: so many processes of this machine, or a cluster's nodes."""

    workers: int
    ray: str | None = None
    """The address of a Ray cluster, `local` for one of this machine; None without Ray."""


def local_runner() -> Runner:
    """As many processes as there are cores."""
    return Runner(len(os.sched_getaffinity(0)))


def run_batches(
    work: Work, batches: Mapping[str, bytes], runner: Runner
) -> Iterator[tuple[str, bytes | BatchLost]]:
    """What the work makes of each batch, by its key, as they come. Where workers end and nothing
    comes back, the next batch is tried by itself; one that ends its worker every time comes as
    `BatchLost`, and stops no other."""
    left = dict(batches)
    while left:
        before = len(left)
        for key, result in _until_one_ends(work, left, runner):
            del left[key]
            yield key, result
        if left and len(left) < before:
            _logger.warning("a worker ended; what it had in hand is done again")
        elif left:
            first = next(iter(left))
            yield first, _alone(work, first, left.pop(first), runner)


def _until_one_ends(
    work: Work, batches: Mapping[str, bytes], runner: Runner, told: list[str] | None = None
) -> Iterator[tuple[str, bytes]]:
    """What comes of the batches until a worker ends; why it did is put into `told`."""
    try:
        yield from _results(work, batches, runner)
    except (DeadpanError, KeyboardInterrupt):
        raise
    except Exception as error:  # whatever the runner raises where a worker ended
        if told is not None:
            told.append(" ".join(str(error).split())[:300])


def _alone(work: Work, key: str, batch: bytes, runner: Runner) -> bytes | BatchLost:
    """What comes of a batch when nothing else is done, so that whatever ends its worker is it."""
    why: list[str] = []
    for _ in range(_TRIES):
        for _, result in _until_one_ends(work, {key: batch}, runner, why):
            return result
    return BatchLost(key, f"ended its worker {_TRIES} times ({why[-1] if why else 'no answer'})")


def _results(
    work: Work, batches: Mapping[str, bytes], runner: Runner
) -> Iterator[tuple[str, bytes]]:
    """One pass of the runner over the batches."""
    daft = _daft(runner)
    table = daft.from_pydict({"key": list(batches), "batch": list(batches.values())})
    if runner.ray is not None:
        table = table.into_partitions(len(batches))
    worker = _worker(daft, runner)(work)
    done = table.select("key", worker.go(daft.col("batch")).alias("done"))
    for part in done.to_arrow_iter():
        rows = part.to_pydict()
        yield from zip(rows["key"], rows["done"], strict=True)


def _worker(daft: Any, runner: Runner) -> Any:
    class Worker:
        """Does the work; each instance in a process of its own, or in Ray's."""

        def __init__(self, work: Work) -> None:
            self.work = work

        @daft.method.batch(return_dtype=daft.DataType.binary(), batch_size=1)  # type: ignore[untyped-decorator]
        def go(self, batches: Any) -> list[bytes]:
            return [self.work(batch) for batch in batches.to_pylist()]

    own = {"use_process": True, "max_concurrency": runner.workers} if runner.ray is None else {}
    return daft.cls(**own)(Worker) if own else daft.cls(max_concurrency=runner.workers)(Worker)


def _daft(runner: Runner) -> Any:
    """The daft module, with the runner that is asked for."""
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        import daft
    except ImportError:
        raise MissingExtra("curation", "curate") from None
    logging.getLogger("daft").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _choose(daft, "native" if runner.ray is None else "ray")
    return daft


_chosen: list[str] = []
"""The runner of this process, once there is one: Daft takes no other afterwards."""


def _choose(daft: Any, wanted: str) -> None:
    if not _chosen:
        set_runner = daft.set_runner_native if wanted == "native" else daft.set_runner_ray
        set_runner()
        _chosen.append(wanted)
    elif _chosen != [wanted]:
        what = f"this process works by Daft's {_chosen[0]} runner already"
        raise DeadpanError(f"{what}; start another one for the {wanted} runner")
