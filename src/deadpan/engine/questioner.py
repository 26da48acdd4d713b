"""One question put to an engine: made ready, asked with less where the engine takes less than was
meant, and tried again as often as is allowed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from deadpan.base.errors import DeadpanError
from deadpan.core.outcomes import NOT_ASKED
from deadpan.engine.answers import Answer, shown_json
from deadpan.engine.calls import Caller, CallError, CallOptions, Engine, now
from deadpan.engine.endpoints import Limits
from deadpan.engine.requests import Request, prepare

_logger = logging.getLogger("deadpan")

Keep = Callable[[Answer], Awaitable[None]]
"""Puts an answer where it counts."""


class Questioner:
    """Puts questions to one engine, as many at once as it has connections."""

    def __init__(
        self,
        engine: Engine,
        options: CallOptions,
        waiting: Callable[[str, float], None] = lambda reason, seconds: None,
    ) -> None:
        self.engine, self.limits = engine, Limits()
        self._caller = Caller(engine, options, waiting)
        self._slots = asyncio.Semaphore(engine.max_connections)
        self._reported_less = False

    async def answer(self, request: Request, key: str, keep: Keep) -> Answer:
        """The engine's answer, kept before its connection is free, so that a kill costs one call a
        connection at most. A call that failed is an answer with its error."""
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
                lost = replace(base, error=why, finished=now(), calls=0)
                await keep(lost)
                return lost
            schema = request.schema if self.limits.schema else None
            sampling = request.own_sampling.within(tokens or self.limits.tokens)
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
                    await keep(answer)
                    return answer
            tokens = self.limits.last_tokens
            if tokens is not None and not self._reported_less:
                self._reported_less = True
                less = "%s takes no replies that long: it is asked for %s tokens at most"
                _logger.warning(less, self.engine.name, f"{tokens:,}")

    def _takes_less(self, failed: CallError, sent: Answer, frames: int) -> bool:
        """Whether a refused call may be tried with less; raises where the model is given up."""
        message = failed.message
        if not failed.retry and self.limits.learn(message, frames, sent.schema, sent.max_tokens):
            return True
        self._caller.health.lost(message)
        return False
