"""The cluster that is connected to, what its nodes have, and how many workers it takes."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from typing import Any

from deadpan.base.errors import DeadpanError
from deadpan.base.version import __version__
from deadpan.engine.calls import CallOptions
from deadpan.engine.local.provider import LOCAL
from deadpan.engine.ray import library

_SECONDS = 5.0
"""How long a cluster's port may take to answer; Ray itself would wait for minutes."""
_START_SECONDS = 120.0
"""How long connecting, or starting a cluster of this machine, may take."""
_LOOK_SECONDS = 120.0
"""How long a node may take to start Python and import what it needs."""
_AT_ONCE = 32
"""Calls to a server that one worker keeps going."""
_SHARE = 0.25
"""Of a processor, for a worker that mostly waits for a server."""
_LOCAL_AT_ONCE = 4
"""Blocks that a loaded model has in hand: it answers them side by side."""
_LOCAL_BLOCK, _ROUNDS = 256, 4
"""Questions to a loaded model at a time: enough for its batches, in so many rounds at least."""
_LEAST_BLOCK, _MOST_BLOCK = 8, 64
_OF_THIS_MACHINE = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # Ray's only way to have a cluster of one machine listen on loopback alone, on every system.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
}
_LEVEL = "RAY_BACKEND_LOG_LEVEL"


@dataclass(frozen=True)
class Node:
    """A machine that can work."""

    id: str
    name: str
    cpus: float
    gpus: float


@dataclass(frozen=True)
class Crew:
    """How many workers there are, what each takes of a node, and how it is given its questions."""

    workers: int
    resources: Mapping[str, float]
    connections: int
    """Calls that each worker keeps going."""
    block: int
    """Questions that are handed out, and lost with a worker, together."""
    at_once: int
    """Blocks that a worker has in hand, so that none waits for another's slowest answer."""


def connect(address: str | None) -> Any:
    """The ray module, connected to the cluster, or to one of this machine where none is named. A
    connection that the process has already is used; one that cannot be made raises."""
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    if address.startswith("ray://"):
        raise DeadpanError(
            f"--ray-address {address}: addresses of Ray Client are not taken. Run the command on a "
            "node of the cluster, with --ray-address auto; from elsewhere by `ray job submit`."
        )
    if address == "local":
        for name, value in _OF_THIS_MACHINE.items():
            os.environ.setdefault(name, value)
    ray = library()
    library("ray.data")
    if not ray.is_initialized():
        _start_for_good(ray, address)
    elif address not in ("local", "auto", ray.get_runtime_context().gcs_address):
        where = ray.get_runtime_context().gcs_address
        raise DeadpanError(
            f"--ray-address {address}: this process is connected to {where} already; leave it with "
            "ray.shutdown() first"
        )
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = context.print_on_execution_start = False
    context.max_errored_blocks = -1  # a block that kills every worker is told as failed calls
    for name in ("ray.data", "ray"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return ray


def _start_for_good(ray: Any, address: str) -> None:
    """Connects in a thread that lasts as long as the process: the cluster of this machine dies with
    the thread that started it, and loops end those they work with. One that hangs raises."""
    started: Future[None] = Future()

    def start() -> None:
        try:
            _start(ray, address)
        except BaseException as error:  # whoever waits raises it
            started.set_exception(error)
            return
        started.set_result(None)
        threading.Event().wait()

    threading.Thread(target=start, name="deadpan-ray", daemon=True).start()
    try:
        started.result(timeout=_START_SECONDS)
    except TimeoutError:
        raise DeadpanError(
            f"--ray-address {address}: not connected after {_START_SECONDS:.0f} seconds, though "
            "something answers there. Run the command on a node of the cluster, and name the "
            "address that `ray status` shows there."
        ) from None


def _start(ray: Any, address: str) -> None:
    host, _, port = address.rpartition(":")
    where = f"--ray-address {address}"
    if host and port.isdigit():
        try:
            socket.create_connection((host.strip("[]"), int(port)), _SECONDS).close()
        except OSError as error:
            raise DeadpanError(
                f"{where}: no cluster answers ({error}). Start one there: ray start --head --port "
                f"{port}; or leave the option out for a cluster of this machine."
            ) from error
    own: dict[str, Any] = {}
    if address == "local":
        own = {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    try:
        with _hushed():
            ray.init(address, log_to_driver=False, logging_level=logging.CRITICAL, **own)
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        why = " ".join(str(error).split())[:500]
        raise DeadpanError(
            f"{where}: {why} Run the command on a node of a cluster that runs the same versions of "
            "Ray and Python."
        ) from error


@contextmanager
def _hushed() -> Iterator[None]:
    """Ray's native side in this process, and in no other, writes nothing to the terminal: it takes
    its level from the environment, and says so."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    if _LEVEL not in os.environ:
        os.putenv(_LEVEL, "fatal")  # not in os.environ, which the processes that Ray starts get
    try:
        yield
    finally:
        if _LEVEL not in os.environ:
            os.unsetenv(_LEVEL)
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def working_nodes(ray: Any) -> list[Node]:
    """The nodes that have processors to work with; a cluster without any raises."""
    found = [
        Node(
            one["NodeID"],
            one["NodeManagerHostname"],
            one["Resources"].get("CPU", 0.0),
            one["Resources"].get("GPU", 0.0),
        )
        for one in ray.nodes()
        if one["Alive"] and one["Resources"].get("CPU", 0.0) > 0
    ]
    if not found:
        raise DeadpanError("--engine ray: no node of the cluster has a processor to work with")
    return found


def crew(model: str, calls: CallOptions, questions: int, nodes: Sequence[Node]) -> Crew:
    """The workers for so many questions: one on each GPU, or on each node without any, where the
    model is loaded; as few as keep all connections busy, but on every node, where it is served."""
    if model.startswith(LOCAL):
        gpus = int(sum(node.gpus for node in nodes))
        needs = {"num_gpus": 1.0} if gpus else {"num_cpus": max(1.0, min(n.cpus for n in nodes))}
        most = gpus or len(nodes)
        block = min(_LOCAL_BLOCK, max(_LEAST_BLOCK, ceil(questions / most / _ROUNDS)))
        return Crew(min(most, ceil(questions / block)), needs, 1, block, _LOCAL_AT_ONCE)
    cpus = int(sum(node.cpus for node in nodes))
    most = calls.max_connections
    workers = min(most, max(len(nodes), min(cpus, ceil(most / _AT_ONCE))))
    connections = most // workers
    block = max(_LEAST_BLOCK, min(_MOST_BLOCK, connections))
    block = max(1, min(block, ceil(questions / workers)))
    workers = min(workers, ceil(questions / block))
    return Crew(workers, {"num_cpus": _SHARE}, connections, block, 2)


def survey(ray: Any, nodes: Sequence[Node], paths: Sequence[str]) -> bool:
    """Whether every node sees the files. A node with another Deadpan, or without it, raises."""
    here = ray.get_runtime_context().get_node_id()
    others = [node for node in nodes if node.id != here]

    # Defined in here, it is sent as it is: a node that cannot import Deadpan can still say so.
    def look(folder: str, paths: Sequence[str]) -> tuple[str, bool]:
        import os
        from importlib.metadata import PackageNotFoundError, version

        try:
            from deadpan.base.version import __version__ as found
        except ImportError as error:
            try:
                found = f"{version('deadpan')} that cannot be imported ({error})"
            except PackageNotFoundError:
                found = "none"
        return found, all(os.path.exists(os.path.join(folder, path)) for path in paths)

    asked = {
        node: ray.remote(look)
        .options(num_cpus=0, label_selector={"ray.io/node-id": node.id})
        .remote(os.getcwd(), list(paths))
        for node in others
    }
    sees = True
    for node, reference in asked.items():
        try:
            found, there = ray.get(reference, timeout=_LOOK_SECONDS)
        except ray.exceptions.RayError as error:
            why = str(error).strip().splitlines()[-1]
            raise DeadpanError(f"Ray's node {node.name} cannot work: {why}") from error
        if found != __version__:
            raise DeadpanError(
                f"Ray's node {node.name} has deadpan {found}; expected {__version__}, as it is "
                "here. Install the same version on every node."
            )
        sees = sees and there
    return sees
