"""`--engine ray` on a cluster of two nodes: answers a second, and what kills with -9 cost.

Questions of text go to one loopback server in a process of its own that answers at once and names
the question's number, so that every answer in the store can be checked.

(a) the asker in one process;
(b) the same on two nodes of this machine;
(c) on two nodes, with a worker killed after a third of the answers, the driver after two thirds,
    and the same command run again.

    python bench/ray_cluster.py [--questions 100000] [--alone 10000] [--connections 128]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from loopback import Server

ROOT = Path(__file__).resolve().parents[1]
MODEL = "openai-api/loopback/m"
_STEP = 1000
"""Answers between two lines that a driver prints."""


def main() -> None:
    """Prints a row for each side."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=100_000)
    parser.add_argument("--alone", type=int, default=10_000, help="questions of (a) and (b)")
    parser.add_argument("--connections", type=int, default=128)
    parser.add_argument("--drive", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.drive:
        asyncio.run(_drive(**json.loads(options.drive)))
        return
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    from ray.cluster_utils import Cluster

    own = {"num_cpus": 1, "object_store_memory": 400 << 20}
    cluster = Cluster(initialize_head=True, head_node_args={**own, "include_dashboard": False})
    cluster.add_node(**own)
    print(
        f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {options.connections} at once",
        flush=True,
    )
    try:
        with tempfile.TemporaryDirectory() as folder, Server(delay=0.0) as server:
            bench = _Bench(Path(folder), server, cluster, options.connections)
            bench.side("(a) one process", options.alone, None)
            bench.side("(b) two nodes", options.alone, cluster.address)
            bench.killed("(c) two nodes, killed", options.questions)
    finally:
        cluster.shutdown()


class _Bench:
    """The server, the cluster, and drivers against them."""

    def __init__(self, folder: Path, server: Server, cluster: Any, connections: int) -> None:
        self.folder, self.server, self.cluster = folder, server, cluster
        self.connections = connections

    def start(self, name: str, questions: int, address: str | None) -> subprocess.Popen[str]:
        told = {
            "store": str(self.folder / name.replace(" ", "-")),
            "questions": questions,
            "connections": self.connections,
            "address": address,
        }
        return subprocess.Popen(
            [sys.executable, __file__, "--drive", json.dumps(told)],
            env={**os.environ, **self.server.environment},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def side(self, name: str, questions: int, address: str | None) -> None:
        """One driver left alone."""
        self.server.counts(reset=True)
        driver = self.start(name, questions, address)
        out, _ = driver.communicate()
        self.row(name, questions, json.loads(out.splitlines()[-1]))

    def killed(self, name: str, questions: int) -> None:
        """A worker killed, then the driver, then the same again."""
        self.server.counts(reset=True)
        driver = self.start(name, questions, self.cluster.address)
        assert driver.stdout is not None
        began, worker_killed, seen = time.monotonic(), False, 0
        for line in driver.stdout:
            if not line.startswith("{"):
                print(f"    the driver printed: {line.rstrip()}", flush=True)
                continue
            seen = json.loads(line)["answers"]
            if not worker_killed and seen >= questions / 3:
                os.kill(self.workers()[0], signal.SIGKILL)
                worker_killed = True
            if seen >= 2 * questions / 3:
                os.killpg(driver.pid, signal.SIGKILL)
                break
        driver.wait()
        print(
            f"    worker and driver killed after {seen} in {time.monotonic() - began:.0f} s",
            flush=True,
        )
        while self.workers():
            time.sleep(0.1)
        driver = self.start(name, questions, self.cluster.address)
        out, _ = driver.communicate()
        self.row(name, questions, json.loads(out.splitlines()[-1]))

    def workers(self) -> list[int]:
        """The cluster's processes that answer questions."""
        raylets = [
            node.all_processes["raylet"][0].process.pid for node in self.cluster.list_all_nodes()
        ]
        found = []
        for place in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
                words = (place / "cmdline").read_bytes()
            except OSError:
                continue
            if parent in raylets and words.startswith(b"ray::MapWorker"):
                found.append(int(place.name))
        return found

    def row(self, name: str, questions: int, told: dict[str, Any]) -> None:
        from deadpan.engine.store import AnswerStore

        answers = AnswerStore(self.folder / name.replace(" ", "-")).answers()
        wrong = sum(
            text != f"the people behind case {number}"
            for text, number in zip(
                sorted(answers["text"], key=lambda one: int(one.split()[-1])),
                range(questions),
                strict=True,
            )
        )
        calls = self.server.counts()["calls"]
        print(
            f"{name:24}{questions:>9} questions  {calls - questions:>6} asked twice  {wrong} wrong "
            f"{len(answers) - answers['key'].n_unique()} doubled  {told['rate']:>7.0f} answers/s "
            f"{told['first']:>6.1f} s to the first  {told['memory']:>5.0f} MB in the driver",
            flush=True,
        )


async def _drive(store: str, questions: int, connections: int, address: str | None) -> None:
    from deadpan.engine.asker import Asker
    from deadpan.engine.calls import CallOptions
    from deadpan.engine.opening import open_engine
    from deadpan.engine.requests import Request, Sampling, Text, Turn
    from deadpan.engine.store import AnswerStore

    calls = CallOptions(connections, engine="ray" if address else "auto", ray_address=address)
    sampling = Sampling(temperature=0)
    asked = [
        Request("bench", (Turn("user", (Text(f"Who is behind case {n}?"),)),), sampling)
        for n in range(questions)
    ]
    async with Asker(open_engine(MODEL, sampling, calls), AnswerStore(Path(store)), calls) as asker:
        began, first, last, answers = time.monotonic(), 0.0, 0.0, 0
        unknown = {id(one) for one in asker.unknown(asked)}
        known = questions - len(unknown)
        async for request, _ in asker.ask(asked):
            if id(request) not in unknown:
                continue
            answers += 1
            last = time.monotonic()
            first = first or last
            if answers % _STEP == 0:
                print(json.dumps({"answers": answers}), flush=True)
    told = {
        "answers": answers,
        "known": known,
        "rate": (answers - 1) / (last - first),
        "first": first - began,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
