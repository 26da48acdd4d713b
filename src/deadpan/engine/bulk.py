"""Answers of engines that take questions in bulk, on the disk before anybody hears of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing

from deadpan.engine.answers import Answer
from deadpan.engine.calls import BulkEngine, CallOptions
from deadpan.engine.requests import Request

_WRITING = 256
"""Answers that share their syncs."""


async def written_answers(
    engine: BulkEngine,
    requests: Mapping[str, Request],
    options: CallOptions,
    write: Callable[[Request, Answer], Awaitable[None]],
) -> AsyncGenerator[Answer]:
    """The answer to each request, known by its key, once `write` has it on the disk. Those that
    came before the engine raised, or nobody listened any more, are written all the same."""
    queue: asyncio.Queue[tuple[asyncio.Future[None], Answer] | None] = asyncio.Queue()
    room, pending = asyncio.Semaphore(_WRITING), set[asyncio.Future[None]]()

    async def take() -> None:
        left = set(requests)
        async with aclosing(engine.answers(requests, options)) as answers:
            async for answer in answers:
                if answer.key not in left:
                    continue  # it was given already
                left.remove(answer.key)
                await room.acquire()
                writing = asyncio.ensure_future(write(requests[answer.key], answer))
                pending.add(writing)
                queue.put_nowait((writing, answer))

    taking = asyncio.create_task(take())
    taking.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (found := await queue.get()) is not None:
            writing, answer = found
            await writing
            pending.discard(writing)
            room.release()
            yield answer
        await taking  # raises what the engine raised
    finally:
        taking.cancel()
        await asyncio.gather(taking, *pending, return_exceptions=True)
