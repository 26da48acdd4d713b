"""Everything that asks a model asks here: what the store lacks is asked, written, then counts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Self, TypeVar

from deadpan.base.errors import DeadpanError
from deadpan.core.outcomes import NOT_ASKED
from deadpan.core.questions import Question
from deadpan.engine.answers import Answer, shown_json
from deadpan.engine.calls import Caller, CallError, CallOptions, Engine, now
from deadpan.engine.endpoints import Kind, Limits, probe
from deadpan.engine.requests import Request, prepare
from deadpan.engine.segments import short_label
from deadpan.engine.store import AnswerStore, TaskWriter

_logger = logging.getLogger("deadpan")

_AHEAD = 8
"""Questions that are made ready while all connections are in use."""

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class AskerEvents:
    """What an asker tells while it works; every method may be left as it is."""

    def planned(self, label: str, total: int, questions: Sequence[Question] = ()) -> None:
        """A task of so many requests is about to be asked."""

    def answered(self, request: Request, answer: Answer, known: bool) -> None:
        """An answer is there, from the store if `known`."""

    def reopened(self, request: Request) -> None:
        """A question whose first reply was in the store is asked after all: it is of no use."""

    def waiting(self, reason: str, seconds: float) -> None:
        """A call is tried again after so many seconds."""

    def so_far(self, text: str) -> None:
        """What is known so far, while a run goes on until enough is."""


class Asker:
    """Asks one model until `async with` ends, and then compacts what was asked to the end."""

    def __init__(
        self,
        engine: Engine,
        store: AnswerStore,
        options: CallOptions,
        events: AskerEvents | None = None,
        option: str = "--model",
    ) -> None:
        self.engine, self.store, self.options = engine, store, options
        self._option, self._probing = option, asyncio.Lock()
        self._was_probed = self._reported_less = False
        self.events = events or AskerEvents()
        self.limits = Limits()
        self._caller = Caller(engine, options, self.events.waiting)
        self._slots = asyncio.Semaphore(engine.max_connections)
        self._writers: dict[str, TaskWriter] = {}
        self._asked: dict[str, asyncio.Future[Answer]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        await self.close(complete=error is None)

    async def close(self, complete: bool) -> None:
        """Ends asking; what was asked to the end is compacted."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.engine.close)
            for writer in self._writers.values():
                stack.push_async_callback(writer.close, complete=complete)
            self._writers = {}

    def key(self, request: Request) -> str:
        """The name of a question put to this model."""
        return request.key(self.engine.identity, card=self.engine.is_embedded)

    def known(self, request: Request) -> Answer | None:
        """The answer that the store has; None where the question has to be asked."""
        server = None if self.options.any_server else self.engine.server
        return self.store.known(self.engine.identity, self.key(request), server)

    def unknown(self, requests: Iterable[Request]) -> list[Request]:
        """The questions that have to be asked."""
        return [request for request in requests if self.known(request) is None]

    async def probe(self, requests: Sequence[Request]) -> None:
        """Tries the endpoint once, before anything is paid for or written, with a picture where one
        of these requests shows any; raises where no question can succeed."""
        async with self._probing:
            if not requests or self._was_probed:
                return
            shown = next((request for request in requests if request.shows_media), None)
            kind: Kind = "image" if shown else "text"
            sampling = (shown or requests[0]).sampling
            if warning := await probe(self.engine, sampling, kind, self._option):
                _logger.warning("%s", warning)
            self._was_probed = True

    def lock(self, labels: Iterable[str]) -> None:
        """Locks the answers of tasks; raises where another process writes one of them."""
        for label in dict.fromkeys(labels):
            self._writer(label)

    def lock_unfinished(self, labels: Iterable[str]) -> None:
        """Locks tasks whose segments an earlier run left, so that they are compacted in the end;
        where somebody else writes them, or nobody can, they stay as they are."""
        for label in self.store.open_labels() & {short_label(label) for label in labels}:
            with suppress(DeadpanError):
                self._writer(label)

    async def answer(self, request: Request) -> Answer:
        """The answer to a question, from the store where it is there. A call that failed is an
        answer with its error. Equal questions that are asked at the same time are asked once."""
        key, known = self.key(request), self.known(request)
        if known is None and key in self._asked:
            known = await asyncio.shield(self._asked[key])
        if known is not None:
            self.events.answered(request, known, known=True)
            return known
        future = self._asked[key] = asyncio.get_running_loop().create_future()
        try:
            answer = await self._ask(request, key)
            future.set_result(answer)
        except BaseException as error:
            future.set_exception(error)
            future.exception()  # whoever waits is told; where nobody does, nothing is missed
            raise
        finally:
            del self._asked[key]
        self.events.answered(request, answer, known=False)
        return answer

    async def ask(self, requests: Sequence[Request]) -> AsyncIterator[tuple[Request, Answer]]:
        """Every request with its answer, as they come: those known already first."""
        unknown = self.unknown(requests)
        await self.probe(unknown)
        self.lock(request.label for request in unknown)
        left = set(map(id, unknown))
        for request in requests:
            if id(request) not in left:
                yield request, await self.answer(request)
        async for found in self.each(unknown, self.answer):
            yield found

    async def each(
        self, items: Iterable[ItemT], work: Callable[[ItemT], Awaitable[ResultT]]
    ) -> AsyncIterator[tuple[ItemT, ResultT]]:
        """What becomes of each item, as it comes. A few more are worked on than connections are
        there, so that none waits for a picture to be made ready."""
        queue = iter(items)
        done: asyncio.Queue[tuple[ItemT, ResultT] | None] = asyncio.Queue()

        async def worker() -> None:
            try:
                for item in queue:
                    done.put_nowait((item, await work(item)))
            finally:
                done.put_nowait(None)

        count = self.engine.max_connections + _AHEAD
        workers = [asyncio.create_task(worker()) for _ in range(count)]
        running = count
        try:
            while running:
                found = await done.get()
                if found is not None:
                    yield found
                    continue
                running -= 1
                for task in workers:
                    if task.done() and not task.cancelled():
                        task.result()  # raises what the worker raised
        finally:
            for task in workers:
                task.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    def _writer(self, label: str) -> TaskWriter:
        label = short_label(label)
        if label not in self._writers:
            writer = self.store.writer(label)
            writer.acquire()
            self._writers[label] = writer
        return self._writers[label]

    async def _ask(self, request: Request, key: str) -> Answer:
        """The answer of the model, asked with less where it takes less than was meant. It is on the
        disk before its connection is free, so that a kill costs one call a connection at most."""
        await self.probe([request])
        base = Answer(key, self.engine.identity, self.engine.server, "")
        tokens: int | None = None
        while True:
            try:
                turns = (*request.turns, *request.conversation)
                prepared = await asyncio.to_thread(prepare, turns, self.limits.images)
                card = request.card if self.engine.reads_card else None
                if self.engine.reads_card and request.stand_in is not None:
                    card = await asyncio.to_thread(request.stand_in)
            except DeadpanError as error:
                why = f"{NOT_ASKED}: {' '.join(str(error).split())}"
                return await self._keep(request, replace(base, error=why, finished=now(), calls=0))
            schema = request.schema if self.limits.schema else None
            sampling = request.sampling.within(tokens or self.limits.tokens)
            sent = replace(
                base,
                images=prepared.images,
                schema=schema is not None,
                max_tokens=sampling.max_tokens,
                shown=shown_json(prepared.shown),
            )
            ask = partial(self.engine.generate, prepared.messages, sampling, schema, card)
            async with self._slots:
                answer, failed = await self._caller.call(ask, sent)
                if failed is None or not self._takes_less(failed, sent, prepared.clip_frames):
                    return await self._keep(request, answer)
            tokens = self.limits.last_tokens
            if tokens is not None and not self._reported_less:
                self._reported_less = True
                less = "%s takes no replies that long: it is asked for %s tokens at most"
                _logger.warning(less, self.engine.name, f"{tokens:,}")

    async def _keep(self, request: Request, answer: Answer) -> Answer:
        await self._writer(request.label).append(answer)
        return answer

    def _takes_less(self, failed: CallError, sent: Answer, frames: int) -> bool:
        """Whether a refused call may be tried with less; raises where the model is given up."""
        message = failed.message
        if not failed.retry and self.limits.learn(message, frames, sent.schema, sent.max_tokens):
            return True
        self._caller.health.lost(message)
        return False


def off_loop(work: Callable[[], ResultT]) -> ResultT:
    """What the function returns; inside of a notebook's loop, a thread without one runs it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def run_async(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """What the coroutine returns; inside of a notebook's loop, a thread with its own runs it."""
    return off_loop(partial(asyncio.run, work))
