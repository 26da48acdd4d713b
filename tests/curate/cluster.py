"""A Ray cluster of two nodes on this machine, one of which, or a worker of which, can be killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_WORKER = b"ray::deadpan.curate.running.batches"
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}


@dataclass
class TwoNodes:
    """Where the cluster is."""

    address: str
    cluster: Any
    second: Any

    def kill_second(self) -> None:
        """Ends the second node and all that runs on it, at once."""
        self.cluster.remove_node(self.second, allow_graceful=False)

    def kill_worker(self) -> bool:
        """Kills a process that works on batches with -9; whether there was one."""
        for place in Path("/proc").glob("[0-9]*"):
            try:
                is_worker = _WORKER in (place / "cmdline").read_bytes()
            except OSError:
                continue  # it ended meanwhile
            if is_worker:
                os.kill(int(place.name), signal.SIGKILL)
                return True
        return False


@contextmanager
def two_nodes() -> Iterator[TwoNodes]:
    """Two nodes of a processor each, on loopback, for as long as they are needed."""
    before = {name: os.environ.get(name) for name in _QUIET}
    os.environ.update(_QUIET)
    from ray.cluster_utils import Cluster

    own: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 100 << 20}
    made = Cluster(initialize_head=True, head_node_args={**own, "include_dashboard": False})
    try:
        yield TwoNodes(made.address, made, made.add_node(**own))
    finally:
        made.shutdown()
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
