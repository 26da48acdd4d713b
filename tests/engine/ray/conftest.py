"""A cluster of two nodes on this machine, started once for all that needs one."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from deadpan.engine.ray import library

REASON = "needs the [ray] extra"


@dataclass(frozen=True)
class TwoNodes:
    """Where the cluster is, and the processes that its nodes are."""

    address: str
    raylets: tuple[int, ...]

    def workers(self) -> list[int]:
        """The processes that answer questions now."""
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                words = (place / "cmdline").read_bytes()
                parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # it ended meanwhile
            if parent in self.raylets and words.startswith(b"ray::MapWorker"):
                found.append(int(place.name))
        return found

    def kill_worker(self) -> int:
        """Kills one of them with -9, and says which."""
        found = self.workers()[0]
        os.kill(found, signal.SIGKILL)
        return found


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoNodes]:
    """Two nodes of a processor each, on loopback, whose environment knows nothing of any model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_worker_niceness", "0")  # 15 starves them beside other tests
        patch.setenv("DEADPAN_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        if find_spec("ray") is None:
            pytest.skip(REASON)
        library()
        from ray.cluster_utils import Cluster

        own: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 100 << 20}
        made = Cluster(initialize_head=True, head_node_args={**own, "include_dashboard": False})
        try:
            made.add_node(**own)
            raylets = [
                node.all_processes["raylet"][0].process.pid for node in made.list_all_nodes()
            ]
            yield TwoNodes(made.address, tuple(raylets))
        finally:
            import ray

            ray.shutdown()
            made.shutdown()
