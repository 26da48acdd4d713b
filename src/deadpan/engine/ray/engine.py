"""The engine that spreads questions over a Ray cluster: Ray Data hands blocks of them to workers,
and the driver alone writes what comes back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.engine.answers import Answer
from deadpan.engine.calls import CallError, CallOptions, Engine, EngineKind, Generated, now
from deadpan.engine.local.provider import LOCAL
from deadpan.engine.ray import library, require_ray
from deadpan.engine.ray.blocks import Failure, Order, media_paths
from deadpan.engine.ray.cluster import connect, crew, survey, working_nodes
from deadpan.engine.ray.jobs import Job, answered, open_desk, sent
from deadpan.engine.ray.vllm import ENGINE, SERVER, vllm_source
from deadpan.engine.ray.worker import Worker, told_of
from deadpan.engine.requests import Message, Request, Sampling

_FEW = 8
"""So many questions are asked one by one: no job is started for them."""
_LONE_AT_ONCE = 64
"""Single questions that a worker has in hand."""
_LOST = "Ray lost the block that this question was in"


class _CallFailed(Exception):
    """A call that failed on a worker, as its engine described it."""

    def __init__(self, failed: CallError) -> None:
        super().__init__(failed.message)
        self.failed = failed


class RayEngine:
    """One model behind the workers of a cluster. `inner` is the engine that each of them holds, as
    it is opened here: it tells what answers are known by."""

    def __init__(
        self, inner: Engine, sampling: Sampling, calls: CallOptions, option: str = "--model"
    ) -> None:
        require_ray()
        self.name, self.identity, self.server = inner.name, inner.identity, inner.server
        self.is_embedded, self.reads_card = inner.is_embedded, inner.reads_card
        self.is_local, self.max_connections = inner.is_local, inner.max_connections
        self._inner, self._option, self._calls = inner, option, calls
        self._loads = inner.name.startswith(LOCAL)
        connection = getattr(inner, "connection", {})
        arguments = {**sampling.model_args, **connection}
        self._vllm = None
        if self._loads:
            self._vllm = vllm_source(inner.name, inner.identity, sampling, os.getcwd())
            arguments.pop(ENGINE, None)
        if self._vllm is not None:
            self.server = SERVER
        self._sampling = sampling.model_copy(update={"model_args": arguments})
        self._lone: Any = None
        self._opening = asyncio.Lock()

    async def load(self, shown: bool = False) -> None:
        """Joins the cluster; one that cannot be had raises."""
        await asyncio.to_thread(connect, self._calls.ray_address)

    async def answers(
        self, requests: Mapping[str, Request], options: CallOptions
    ) -> AsyncGenerator[Answer]:
        """One answer for each request, as blocks of them come back. What was lost on the way is an
        answer with an error; few questions are left to be asked one by one."""
        if len(requests) <= _FEW:
            return
        if self._loads:
            await self._dismiss()  # it holds what the workers need
        job = await asyncio.to_thread(self._begin, requests, options)
        left = dict.fromkeys(requests)
        try:
            async for told in job.stream():
                for answer in told.answers:
                    if answer.key in left:
                        del left[answer.key]
                        yield answer
                if told.failure is not None:
                    raise told.failure.error
            for key in left:
                yield Answer(key, self.identity, self.server, now(), error=_LOST, calls=0)
        finally:
            await asyncio.to_thread(job.stop)

    def _begin(self, requests: Mapping[str, Request], options: CallOptions) -> Job:
        """The job that asks these requests; nodes that cannot work raise."""
        ray = connect(options.ray_address)
        nodes = working_nodes(ray)
        sees = survey(ray, nodes, media_paths(requests))
        if self._vllm is not None:
            return self._vllm.job(ray, nodes, requests, sees)
        team = crew(self.name, options, len(requests), nodes)
        desk = open_desk(ray, self._order(options, team.connections))
        blocks = sent(ray, requests, team.block, sees)
        return Job(ray, answered(ray, blocks, desk, team), team, told_of, desk)

    async def generate(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue = None,
    ) -> Generated:
        """One reply: a model that is served is asked from here, one that is loaded by a worker that
        is kept for such questions."""
        if not self._loads:
            return await self._inner.generate(messages, sampling, schema, card)
        lone = await self._worker()
        public = sampling.model_copy(update={"model_args": {}})
        found = await lone.generate.remote(list(messages), public, schema, card)
        if isinstance(found, Failure):
            raise found.error
        if isinstance(found, CallError):
            raise _CallFailed(found)
        assert isinstance(found, Generated)
        return found

    def describe(self, error: Exception) -> CallError:
        """What an error of a call comes to; a worker that died is asked again."""
        if not self._loads:
            return self._inner.describe(error)
        if isinstance(error, _CallFailed):
            return error.failed
        if isinstance(error, DeadpanError):
            return CallError(str(error), retry=False)
        why = " ".join(f"{type(error).__name__}: {error}".split())[:500]
        return CallError(f"Ray's worker failed: {why}", retry=True)

    async def reaches(self, seconds: float) -> str | None:
        """Why no connection to the server can be made from here, a node of the cluster."""
        return await self._inner.reaches(seconds)

    async def close(self) -> None:
        """Ends the worker that is kept; the cluster is left when the process ends."""
        await self._dismiss()
        await self._inner.close()

    def _order(self, calls: CallOptions, connections: int) -> Order:
        """How a worker opens the engine, with so many connections of its own."""
        kind: EngineKind = "auto" if self._vllm is None else "vllm"
        calls = replace(calls, engine=kind, ray_address=None, budget=None)
        calls = replace(calls, max_connections=connections)
        sampling, option = self._sampling, self._option
        who = (self.name, self.identity, self.server)
        return Order(*who, sampling, calls, option, os.getcwd())

    async def _worker(self) -> Any:
        """The worker for single questions."""
        async with self._opening:
            if self._lone is None:
                self._lone = await asyncio.to_thread(self._hire)
        return self._lone[0]

    def _hire(self) -> tuple[Any, Any]:
        ray = connect(self._calls.ray_address)
        team = crew(self.name, self._calls, 1, working_nodes(ray))
        desk = open_desk(ray, self._order(self._calls, self.max_connections))
        return ray.remote(Worker).options(
            **team.resources, max_restarts=-1, max_concurrency=_LONE_AT_ONCE
        ).remote(desk), desk

    async def _dismiss(self) -> None:
        if self._lone is not None:
            for actor in self._lone:
                library().kill(actor)
            self._lone = None
