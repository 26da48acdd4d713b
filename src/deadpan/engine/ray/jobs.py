"""A job on the cluster: a dataset of blocks that are answered, and what comes back from it."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from deadpan.base.errors import DeadpanError
from deadpan.engine.ray import library
from deadpan.engine.ray.blocks import Block, Order, Told, blocks_of
from deadpan.engine.ray.cluster import Crew
from deadpan.engine.ray.worker import BLOCK, Builder, Desk, Worker
from deadpan.engine.requests import Request

_logger = logging.getLogger("deadpan")

_PATIENCE = 20.0
"""Seconds without a first answer until it is said what the cluster has free."""
_BUILDERS = 4
_AHEAD = 16
"""Blocks that may come back before the first of them is written."""


def open_desk(ray: Any, order: Order) -> Any:
    """An actor on this node that has the order, by a call and not by what it is made from: that
    would be kept with the cluster's records."""
    desk = ray.remote(Desk).options(num_cpus=0, label_selector=_here(ray)).remote()
    desk.put.remote(order)
    return desk


def _here(ray: Any) -> dict[str, str]:
    """What only this node is labelled with."""
    return {"ray.io/node-id": ray.get_runtime_context().get_node_id()}


def sent(ray: Any, requests: Mapping[str, Request], size: int, sees: bool) -> Any:
    """The requests as a dataset of one block a row; where the nodes do not see the files that are
    shown, they are opened and encoded on this one."""
    table = library("pyarrow").table
    blocks = enumerate(blocks_of(requests, size))
    tables = [table({BLOCK: [_pickled(block)]}) for block in blocks]
    made = ray.data.from_blocks(tables)
    if sees:
        return made
    return made.map_batches(
        Builder,
        fn_constructor_args=(os.getcwd(),),
        batch_size=1,
        num_cpus=0,
        label_selector=_here(ray),
        compute=ray.data.ActorPoolStrategy(size=min(_BUILDERS, len(tables))),
    )


def answered(ray: Any, blocks: Any, desk: Any, team: Crew) -> Any:
    """The dataset of what workers say to the blocks."""
    pool = ray.data.ActorPoolStrategy(
        size=team.workers,
        max_concurrent_calls_per_actor=team.at_once,
        max_tasks_in_flight_per_actor=team.at_once + 1,
        enable_true_multi_threading=True,
    )
    return blocks.map_batches(
        Worker, fn_constructor_args=(desk,), batch_size=1, compute=pool, **team.resources
    )


def _pickled(block: tuple[int, Block]) -> bytes:
    """The block and its number as bytes; what is defined where Python started goes along."""
    made: bytes = library("ray.cloudpickle").dumps(block)
    return made


class Job:
    """A dataset that is being answered; a thread takes what comes and hands it to the loop."""

    def __init__(
        self, ray: Any, dataset: Any, team: Crew, read: Callable[[Any], Told], desk: Any = None
    ) -> None:
        self._ray, self._dataset, self._team, self._desk = ray, dataset, team, desk
        self._read = read
        self._room = threading.Semaphore(_AHEAD)
        self._stopping = threading.Event()

    async def stream(self) -> AsyncGenerator[Told]:
        """What came of each block, as it comes; warnings are given on, each once."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Told | BaseException | None] = asyncio.Queue()

        def hand(one: Told | BaseException | None) -> None:
            with suppress(RuntimeError):  # the loop is over: nobody waits any more
                loop.call_soon_threadsafe(queue.put_nowait, one)

        def pump() -> None:
            try:
                for told in self._told():
                    hand(told)
                hand(None)
            except BaseException as error:  # whatever Ray raises ends the run
                hand(error)

        threading.Thread(target=pump, daemon=True).start()
        warned: set[str] = set()
        one = await self._first(queue)
        while one is not None:
            if isinstance(one, BaseException):
                raise _job_error(one) from one
            self._room.release()
            for warning in one.warnings:
                if warning not in warned:
                    warned.add(warning)
                    _logger.warning("%s", warning)
            yield one
            one = await queue.get()

    async def _first(self, queue: asyncio.Queue[Any]) -> Any:
        """The first that comes; what is waited for is said where it takes long."""
        try:
            async with asyncio.timeout(_PATIENCE):
                return await queue.get()
        except TimeoutError:
            if lacking := await asyncio.to_thread(self._lacking):
                _logger.warning("Ray: no worker has begun yet: %s", lacking)
            return await queue.get()

    def _lacking(self) -> str | None:
        """What the cluster has too little of, where no worker has begun."""
        if self._desk is not None and self._ray.get(self._desk.begun.remote()):
            return None
        free, workers = self._ray.available_resources(), self._team.workers
        for name, wanted in self._team.resources.items():
            kind = name.removeprefix("num_")[:-1].upper()
            if free.get(kind, 0.0) < wanted:
                return f"each of {workers} wants {wanted:g} {kind}, {free.get(kind, 0):g} are free"
        return None

    def _told(self) -> Iterator[Told]:
        for bundle in self._dataset.iter_internal_ref_bundles():
            for entry in bundle.blocks:
                for row in self._ray.get(entry.ref).to_pylist():
                    while not self._room.acquire(timeout=1.0):
                        if self._stopping.is_set():
                            return
                    if self._stopping.is_set():
                        return
                    yield self._read(row)

    def stop(self) -> None:
        """Ends the job: what is under way is left, and its workers are ended."""
        self._stopping.set()
        if self._desk is not None:
            self._ray.kill(self._desk)


def _job_error(error: BaseException) -> DeadpanError:
    why = " ".join(str(error).split())[-500:]
    kept = "What was answered is kept: run the same command again."
    return DeadpanError(f"Ray: {type(error).__name__}: {why}. {kept}")
