"""Everything that asks a model asks here: known answers come from the store, others are asked for,
written, synced, and then count."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Protocol, Self, TypeVar

from pydantic import BaseModel, JsonValue

from deadpan.engine.answers import Answer, shown_json
from deadpan.engine.health import Health
from deadpan.engine.inspect_model import CallError, Generated
from deadpan.engine.probe import Kind, probe
from deadpan.engine.refusals import Limits
from deadpan.engine.requests import Built, Image, Message, Request, Sampling, Turn
from deadpan.engine.segments import short_label
from deadpan.engine.store import AnswerStore, TaskWriter
from deadpan.errors import DeadpanError
from deadpan.outcomes import NOT_ASKED
from deadpan.questions import Question

_logger = logging.getLogger("deadpan")

_LONGEST_WAIT = 60.0
_AHEAD = 8
"""Questions that are made ready while all connections are in use."""

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class Engine(Protocol):
    """What turns messages into replies; it knows nothing of benchmarks, scores or files."""

    name: str
    identity: str
    server: str
    max_connections: int
    is_embedded: bool
    is_local: bool
    """Whether there is no server to try first."""

    async def generate(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue = None,
    ) -> Generated:
        """One reply."""
        ...

    def describe(self, error: Exception) -> CallError:
        """What an error of a call comes to."""
        ...

    async def reaches(self, seconds: float) -> str | None:
        """Why no connection to the server can be made; None where one can."""
        ...

    async def close(self) -> None:
        """Ends the connections."""
        ...


@dataclass(frozen=True)
class CallOptions:
    """How calls are made: so many at once, tried again so often, each try so long; without any
    success for `give_up` seconds everything stops (0: never)."""

    max_connections: int = 10
    max_retries: int = 5
    timeout: int = 120
    give_up: int = 120
    any_server: bool = False
    """Whether answers of another server count for the same model."""


class AskerEvents:
    """What an asker tells while it works; every method may be left as it is."""

    def planned(self, label: str, total: int, questions: Sequence[Question] = ()) -> None:
        """A task of so many requests is about to be asked."""

    def answered(self, request: Request, answer: Answer, known: bool) -> None:
        """An answer is there, from the store if `known`."""

    def waiting(self, reason: str, seconds: float) -> None:
        """A call is tried again after so many seconds."""


class Asker:
    """`async with Asker(…) as asker:` asks one model until it ends; tasks that were asked to the
    end are compacted then."""

    def __init__(
        self,
        engine: Engine,
        store: AnswerStore,
        options: CallOptions,
        events: AskerEvents | None = None,
        option: str = "--model",
    ) -> None:
        self.engine, self.store, self.options = engine, store, options
        self._option, self._probed = option, asyncio.Lock()
        self._was_probed = self._told_less = False
        self.events = events or AskerEvents()
        self.limits = Limits()
        self._health = Health(options.give_up, engine.name)
        self._slots = asyncio.Semaphore(engine.max_connections)
        self._writers: dict[str, TaskWriter] = {}
        self._asked: dict[str, asyncio.Future[Answer]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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

    async def probe(self, request: Request) -> None:
        """Tries the endpoint once, before anything is paid for or written, with the kind of content
        that this request has; raises where no question can succeed."""
        async with self._probed:
            if self._was_probed:
                return
            kind: Kind = "image" if request.shows_media else "text"
            warning = await probe(self.engine, request.sampling, kind, self._option)
            if warning is not None:
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
        known = self.known(request)
        if known is not None:
            self.events.answered(request, known, known=True)
            return known
        key = self.key(request)
        if key in self._asked:
            answer = await asyncio.shield(self._asked[key])
            self.events.answered(request, answer, known=True)
            return answer
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._asked[key] = future
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
        unknown = [request for request in requests if self.known(request) is None]
        if unknown:
            await self.probe(unknown[0])
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
                if found is None:
                    running -= 1
                    _raise_failed(workers)
                else:
                    yield found
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
        await self.probe(request)
        base = Answer(key, self.engine.identity, self.engine.server, "")
        tokens: int | None = None
        while True:
            try:
                turns = (*request.turns, *request.conversation)
                built = await asyncio.to_thread(_build, turns, self.limits.images)
                card = await self._card(request)
            except DeadpanError as error:
                why = f"{NOT_ASKED}: {' '.join(str(error).split())}"
                answer = replace(base, error=why, finished=_now(), calls=0)
                await self._writer(request.label).append(answer)
                return answer
            schema = request.schema if self.limits.schema else None
            sampling = _within(request.sampling, tokens or self.limits.tokens)
            messages = [
                Message(turn.role, tuple(content for part in parts for content in part.contents))
                for turn, parts in built
            ]
            parts = [part for _, every in built for part in every]
            sent = replace(
                base,
                images=_images(parts),
                schema=schema is not None,
                max_tokens=sampling.max_tokens,
                shown=shown_json(_shown_in_order(built)),
            )
            async with self._slots:
                with self._health:
                    answer, failed = await self._call(messages, sampling, schema, card, sent)
                frames = sum(part.clip_frames for part in parts)
                if failed is None or not self._learn(failed, frames, schema is not None, sampling):
                    await self._writer(request.label).append(answer)
                    return answer
            tokens = self.limits.last_tokens
            self._tell_less(tokens)

    def _learn(self, failed: CallError, frames: int, with_schema: bool, sampling: Sampling) -> bool:
        """Whether a refused call may be tried with less; raises where the model is given up."""
        less = not failed.retry and self.limits.learn(
            failed.message, frames, with_schema, sampling.max_tokens
        )
        if not less:
            self._health.lost(failed.message)
        return less

    def _tell_less(self, tokens: int | None) -> None:
        """Says once that a server takes shorter replies than were meant."""
        if tokens is not None and not self._told_less:
            self._told_less = True
            _logger.warning(
                "%s takes no replies that long: it is asked for %s tokens at most",
                self.engine.name,
                f"{tokens:,}",
            )

    async def _card(self, request: Request) -> JsonValue:
        """What an embedded model answers from; others get nothing beside the messages."""
        if not self.engine.is_embedded:
            return None
        return await asyncio.to_thread(request.stand_in) if request.stand_in else request.card

    async def _call(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue,
        sent: Answer,
    ) -> tuple[Answer, CallError | None]:
        """The answer, tried as often as is allowed, and the error that ended it."""
        began = time.monotonic()
        calls = 0
        while True:
            calls += 1
            try:
                made = await self.engine.generate(messages, sampling, schema, card)
            except Exception as error:  # whatever a provider raises is this question's failure
                failed = self.engine.describe(error)
            else:
                if made.error is None:
                    self._health.succeeded()
                    return _with_reply(sent, made, calls), None
                failed = CallError(made.error, retry=False)
            if failed.retry:
                self._health.failed(failed.message)
            if not failed.retry or calls > self.options.max_retries:
                told = f"{failed.message} (tried {calls} times)" if calls > 1 else failed.message
                seconds = time.monotonic() - began
                answer = replace(
                    sent, error=told, finished=_now(), calls=calls, seconds=round(seconds, 3)
                )
                return answer, failed
            wait = failed.after if failed.after is not None else _backoff(calls)
            self._health.will_wait(wait, failed.message)
            self.events.waiting(failed.message, wait)
            await asyncio.sleep(wait)


def _within(sampling: Sampling, most: int | None) -> Sampling:
    """The settings with replies no longer than a provider takes."""
    if sampling.max_tokens is None or most is None or sampling.max_tokens <= most:
        return sampling
    return sampling.model_copy(update={"max_tokens": most})


def _raise_failed(workers: Sequence[asyncio.Task[None]]) -> None:
    for task in workers:
        if task.done() and not task.cancelled() and (error := task.exception()) is not None:
            raise error


def _build(turns: Sequence[Turn], most_images: int | None) -> list[tuple[Turn, list[Built]]]:
    return [(turn, [part.build(most_images) for part in turn.parts]) for turn in turns]


def _images(parts: Sequence[Built]) -> int:
    return sum(isinstance(content, Image) for part in parts for content in part.contents)


def _shown_in_order(
    built: Sequence[tuple[Turn, Sequence[Built]]],
) -> list[dict[str, JsonValue]]:
    """What was shown: the question's own first, then the examples that stood before it."""
    own: list[dict[str, JsonValue]] = []
    before: list[dict[str, JsonValue]] = []
    for _, parts in built:
        for part in parts:
            for shown in part.shown:
                (before if "demonstration" in shown else own).append(dict(shown))
    return [*own, *before]


def _with_reply(sent: Answer, made: Generated, calls: int) -> Answer:
    return replace(
        sent,
        served_model=made.served_model,
        text=made.text,
        reasoning=made.reasoning,
        stop=made.stop,
        input_tokens=made.input_tokens,
        output_tokens=made.output_tokens,
        cached_tokens=made.cached_tokens,
        seconds=made.seconds,
        calls=calls,
        finished=_now(),
    )


def _backoff(calls: int) -> float:
    """Seconds until the next try: twice as long each time, with some chance in it."""
    return float(min(_LONGEST_WAIT, 2.0**calls) * (0.75 + random.random() / 2))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
