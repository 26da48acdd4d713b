"""Everything that asks a model asks here: what the store lacks is asked, written, then counts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from typing import Self, TypeVar

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Question
from deadpan.engine.answers import Answer
from deadpan.engine.batches import BatchRecord, left_in_batches
from deadpan.engine.budget import OverBudget
from deadpan.engine.bulk import written_answers
from deadpan.engine.calls import BatchEngine, BulkEngine, CallOptions, Engine, LoadingEngine
from deadpan.engine.endpoints import Kind, probe
from deadpan.engine.questioner import Questioner
from deadpan.engine.requests import Request
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

    def batches(self, text: str) -> None:
        """How far the batches are that a provider works on."""

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """What so many tokens cost in US dollars; None where nobody knows."""
        return None


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
        self._was_probed = False
        self.events = events or AskerEvents()
        self._batches: BatchRecord | None = None
        if isinstance(engine, BatchEngine):
            options = options.in_batches()
            self._batches = BatchRecord(store, engine.name)
            engine.report, engine.made = self.events.batches, self._batches.made
        self._questioner = Questioner(engine, options, self.events.waiting)
        self._writers: dict[str, TaskWriter] = {}
        self._asked: dict[str, asyncio.Future[Answer]] = {}
        self._lost: dict[str, Answer] = {}
        self._ahead: set[str] = set()
        """Keys of what was asked ahead, and nobody has heard of yet."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        await self.close(complete=error is None)

    async def close(self, complete: bool) -> None:
        """Ends asking; what was asked to the end is compacted."""
        async with AsyncExitStack() as stack:
            if self._batches is not None:
                stack.push_async_callback(self._batches.close)
            stack.push_async_callback(self.engine.close)
            for writer in self._writers.values():
                stack.push_async_callback(writer.close, complete=complete)
            self._writers = {}

    def key(self, request: Request) -> str:
        """The name of a question put to this model."""
        return request.key(self.engine.identity, card=self.engine.is_embedded)

    def known(self, request: Request) -> Answer | None:
        """The answer that the store has; None where the question has to be asked."""
        return self.store.known(self.engine.identity, self.key(request), self._server)

    def unknown(self, requests: Iterable[Request]) -> list[Request]:
        """The questions that have to be asked."""
        who, has = self.engine.identity, self.store.has
        return [one for one in requests if not has(who, self.key(one), self._server)]

    @property
    def _server(self) -> str | None:
        """Whose answers count; None for any."""
        return None if self.options.any_server else self.engine.server

    async def probe(self, requests: Sequence[Request]) -> None:
        """Tries the endpoint once, before anything is paid for or written, with a picture where one
        of these requests shows any; raises where no question can succeed."""
        async with self._probing:
            if not requests or self._was_probed:
                return
            self._report_in_flight(requests)
            if self.options.budget is not None:
                self.options.budget.require_room(self.engine.name, requests[0])
            shown = next((request for request in requests if request.shows_media), None)
            kind: Kind = "image" if shown else "text"
            sampling = (shown or requests[0]).sampling
            if isinstance(self.engine, LoadingEngine):
                await self.engine.load(shown is not None)
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
        if known is None and key in self._lost:
            self.events.answered(request, self._lost[key], known=False)
            return self._lost[key]
        if known is None and key in self._asked:
            known = await asyncio.shield(self._asked[key])
        if known is not None:
            self.events.answered(request, known, known=key not in self._ahead)
            self._ahead.discard(key)
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
        async with aclosing(self._bulk(unknown)) as bulk:
            async for found in bulk:
                yield found
                left.discard(id(found[0]))
        rest = [request for request in unknown if id(request) in left]
        async for found in self.each(rest, self.answer):
            yield found

    async def ask_ahead(self, requests: Sequence[Request]) -> None:
        """Asks an engine that takes questions in bulk all that the store lacks: whoever asks them
        one by one afterwards finds the answers. Other engines are asked then."""
        unknown = self.unknown(requests)
        async with aclosing(self._bulk(unknown, quietly=True)) as bulk:
            async for _, answer in bulk:
                self._ahead.add(answer.key)

    async def _bulk(
        self, unknown: Sequence[Request], quietly: bool = False
    ) -> AsyncGenerator[tuple[Request, Answer]]:
        """Every request with its answer, as an engine that takes questions in bulk gives them;
        nothing where it takes them one by one, or where each has to be paid for before it is asked.
        What failed is not asked again."""
        if not isinstance(self.engine, BulkEngine) or self.options.budget or not unknown:
            return
        by_key: dict[str, list[Request]] = {}
        for request in unknown:
            by_key.setdefault(self.key(request), []).append(request)
        firsts = {key: requests[0] for key, requests in by_key.items()}
        written = written_answers(self.engine, firsts, self.options, self._write)
        async with aclosing(written):
            async for answer in written:
                for request in self._heard(answer, by_key[answer.key], quietly):
                    yield request, answer

    def _heard(self, answer: Answer, asked: Sequence[Request], quietly: bool) -> Sequence[Request]:
        """Those who asked, each of whom is told of the answer."""
        if answer.error is not None:
            self._lost[answer.key] = answer
        for place, request in enumerate(asked):
            if not quietly:
                self.events.answered(request, answer, known=place > 0)
        return asked

    async def each(
        self, items: Iterable[ItemT], work: Callable[[ItemT], Awaitable[ResultT]]
    ) -> AsyncIterator[tuple[ItemT, ResultT]]:
        """What becomes of each item, as it comes. A few more are worked on than connections are
        there, so that none waits for a picture to be made ready. Where what may be spent is spent,
        no item more is begun, and that raises once all that are in flight came back."""
        queue = iter(items)
        done: asyncio.Queue[tuple[ItemT, ResultT] | asyncio.Task[None]] = asyncio.Queue()
        over: list[OverBudget] = []

        async def worker() -> None:
            try:
                for item in queue:
                    done.put_nowait((item, await work(item)))
            except OverBudget as error:
                over.append(error)

        count = self.engine.max_connections + _AHEAD
        workers = [asyncio.create_task(worker()) for _ in range(count)]
        for task in workers:
            task.add_done_callback(done.put_nowait)
        running = count
        try:
            while running:
                found = await done.get()
                if not isinstance(found, asyncio.Task):
                    yield found
                    continue
                running -= 1
                if not found.cancelled():
                    found.result()  # raises what the worker raised
            if over:
                raise over[0]
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

    async def _write(self, request: Request, answer: Answer) -> None:
        await self._writer(request.label).append(answer)

    async def _ask(self, request: Request, key: str) -> Answer:
        """The answer of the model, on the disk."""
        await self.probe([request])
        budget = self.options.budget
        if budget is None:
            return await self._put(request, key)
        async with budget.call(self.engine.name, request) as paid:
            answer = await self._put(request, key)
            paid(answer)
        return answer

    async def _put(self, request: Request, key: str) -> Answer:
        """The same, where it may be paid for; what goes into a batch is noted before."""
        keep = self._writer(request.label).append
        if self._batches is None:
            return await self._questioner.answer(request, key, keep)
        await self._batches.sent(key)
        answer = await self._questioner.answer(request, key, keep)
        self._batches.answered(key)
        return answer

    def _report_in_flight(self, requests: Sequence[Request]) -> None:
        """Says which questions were in batches when an earlier run ended: Inspect keeps no batch,
        so that they are asked, and paid for, again."""
        left = left_in_batches(self.store, self.engine.identity, map(self.key, requests))
        if left is None:
            return
        cost = self.events.cost(*left.tokens) if left.tokens else None
        _logger.warning("%s: %s", self.engine.name, left.warning(cost))
