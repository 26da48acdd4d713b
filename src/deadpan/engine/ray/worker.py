"""A worker of the cluster: an actor that holds one engine and answers blocks of questions."""

from __future__ import annotations

import asyncio
import logging
import pickle
import socket
import threading
from collections import Counter
from collections.abc import Coroutine, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.engine.answers import Answer
from deadpan.engine.calls import BulkEngine, CallError, Engine, GaveUp, Generated, now
from deadpan.engine.endpoints import Redactor
from deadpan.engine.opening import open_engine
from deadpan.engine.questioner import Questioner
from deadpan.engine.ray import library
from deadpan.engine.ray.blocks import Block, Failure, Order, Told, build_block, enter
from deadpan.engine.requests import Message, Sampling

BLOCK, TOLD = "block", "told"
"""The columns of what comes in and what goes out, pickled."""

_TRIES = 4
"""How often a block is begun whose worker dies of it, or by chance."""
_ENDED = Failure("the job was ended")

ResultT = TypeVar("ResultT")


class Desk:
    """An actor that keeps the order in memory, and hands it to the workers. They end with it."""

    def __init__(self) -> None:
        self._order: Order | None = None
        self._is_put = asyncio.Event()
        self._tries: Counter[int] = Counter()
        self._begun = 0

    async def put(self, order: Order) -> None:
        """Keeps the order."""
        self._order = order
        self._is_put.set()

    async def order(self) -> Order | None:
        """What was put, once it is, for a worker that begins."""
        await self._is_put.wait()
        self._begun += 1
        return self._order

    async def begun(self) -> int:
        """How many workers have begun."""
        return self._begun

    async def tries(self, number: int) -> int:
        """How often the block was begun, this time included."""
        self._tries[number] += 1
        return self._tries[number]

    async def stay(self) -> None:
        """Never comes back: whoever waits learns when the desk is gone."""
        await asyncio.Event().wait()


@dataclass(frozen=True)
class _Open:
    """An engine, and who puts the questions to it."""

    engine: Engine
    questioner: Questioner


class Worker:
    """Answers blocks, several at a time; what goes wrong is told, and nothing raised: Ray would ask
    again. The engine is opened by the first question."""

    def __init__(self, desk: Any) -> None:
        ray = library()
        order = ray.get(desk.order.remote())
        assert isinstance(order, Order)
        self._order, self._desk = order, desk
        self._opening = threading.Lock()
        self._open: _Open | Failure | None = None
        self._warnings: list[str] = []
        _keep_warnings(self._warnings)
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        threading.Thread(target=self._end_with, args=(desk,), daemon=True).start()

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[bytes]]:
        """What came of each block."""
        told = [self._told(*pickle.loads(block)) for block in batch[BLOCK]]
        return {TOLD: [pickle.dumps(one) for one in told]}

    def generate(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue,
    ) -> Generated | CallError | Failure:
        """One reply, or why there is none."""
        opened = self._opened()
        if isinstance(opened, Failure):
            return opened
        try:
            return self._run(opened.engine.generate(messages, sampling, schema, card))
        except DeadpanError as error:
            return Failure(str(error))
        except Exception as error:  # whatever a provider raises is this question's failure
            return opened.engine.describe(error)

    def _end_with(self, desk: Any) -> None:
        """Breaks off what is being asked once the driver has ended the job, or is gone."""
        ray = library()
        try:
            ray.get(desk.stay.remote())
        except ray.exceptions.RayError:
            self._open = _ENDED
            self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()

    def _run(self, work: Coroutine[Any, Any, ResultT]) -> ResultT:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _told(self, number: int, block: Block) -> Told:
        ray = library()
        try:
            tries = ray.get(self._desk.tries.remote(number))
        except ray.exceptions.RayError:
            return Told((), failure=_ENDED)
        if tries > _TRIES:
            return Told(tuple(self._lost(key) for key in block))
        opened, kept = self._opened(), list[Answer]()
        failure = opened if isinstance(opened, Failure) else None
        if isinstance(opened, _Open):
            try:
                self._run(self._ask(opened, block, kept))
            except DeadpanError as error:
                failure = Failure(str(error), isinstance(error, GaveUp))
            except CancelledError:
                failure = _ENDED
        warnings, self._warnings[:] = tuple(self._warnings), []
        return Told(tuple(kept), warnings, failure)

    def _lost(self, key: str) -> Answer:
        order = self._order
        why = f"the worker's process died each of the {_TRIES} times that this was asked"
        return Answer(key, order.identity, order.server, now(), error=why, calls=_TRIES)

    async def _ask(self, opened: _Open, block: Block, kept: list[Answer]) -> None:
        """Puts what came of each question into `kept`; raises where the model is given up."""

        async def keep(answer: Answer) -> None:
            kept.append(answer)

        if isinstance(opened.engine, BulkEngine):
            async for answer in opened.engine.answers(block, self._order.calls):
                kept.append(answer)
            return
        asking = [
            asyncio.create_task(opened.questioner.answer(request, key, keep))
            for key, request in block.items()
        ]
        try:
            await asyncio.gather(*asking)
        finally:
            for task in asking:
                task.cancel()

    def _opened(self) -> _Open | Failure:
        """The engine, opened once; one that cannot be had here is told with the node's name."""
        with self._opening:
            if self._open is None:
                self._open = self._try_to_open()
            return self._open

    def _try_to_open(self) -> _Open | Failure:
        order, where = self._order, f"on Ray's node {socket.gethostname()}"
        enter(order.folder)
        try:
            engine = open_engine(order.model, order.sampling, order.calls, order.option)
        except DeadpanError as error:
            return Failure(f"{where}: {error}")
        except Exception as error:  # a library of the node that does not work: no engine here
            text = f"{where}: {order.model} cannot be opened ({type(error).__name__}: {error})"
            return Failure(Redactor()(" ".join(text.split()))[:1000])
        if engine.identity != order.identity:
            return Failure(
                f"{where}: the model is {engine.identity}; expected {order.identity}, as it is "
                "where the command runs. Copy the same weights to every node."
            )
        return self._run(self._questioner(engine))

    async def _questioner(self, engine: Engine) -> _Open:
        return _Open(engine, Questioner(engine, self._order.calls))


def _keep_warnings(kept: list[str]) -> None:
    """Has our own warnings put into the list, from where the driver gets them."""

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            kept.append(record.getMessage())

    ours = logging.getLogger("deadpan")
    ours.addHandler(Keeping(logging.WARNING))
    ours.propagate = False


def told_of(row: dict[str, bytes]) -> Told:
    """What a row of a worker's tells."""
    told: Told = pickle.loads(row[TOLD])
    return told


class Builder:
    """Builds the pictures and clips of blocks where the driver runs."""

    def __init__(self, folder: str) -> None:
        enter(folder)

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[bytes]]:
        """The blocks with what they show."""
        made = [(number, build_block(block)) for number, block in map(pickle.loads, batch[BLOCK])]
        return {BLOCK: [pickle.dumps(one) for one in made]}
