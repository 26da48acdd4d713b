"""One call to a model, tried as often as is allowed."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from pydantic import BaseModel, JsonValue

from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES
from deadpan.engine.answers import Answer
from deadpan.engine.health import Health
from deadpan.engine.protocol import CallError, Engine, Generated
from deadpan.engine.requests import Message, Sampling

_LONGEST_WAIT = 60.0


@dataclass(frozen=True)
class CallOptions:
    """How calls are made: so many at once, tried again so often, each try so long; without any
    success for `give_up` seconds everything stops (0: never)."""

    max_connections: int = 10
    max_retries: int = MAX_RETRIES
    timeout: int = ATTEMPT_SECONDS
    give_up: int = GIVE_UP_SECONDS
    any_server: bool = False
    """Whether answers of another server count for the same model."""


class Caller:
    """Calls one engine, and tries again what may pass; `waiting` hears why and for how long."""

    def __init__(
        self, engine: Engine, options: CallOptions, waiting: Callable[[str, float], None]
    ) -> None:
        self._engine, self._max_retries, self._waiting = engine, options.max_retries, waiting
        self.health = Health(options.give_up, engine.name)

    async def call(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue,
        sent: Answer,
    ) -> tuple[Answer, CallError | None]:
        """The answer, and the error that ended it. Raises where the model is given up."""
        began = time.monotonic()
        calls = 0
        with self.health:
            while True:
                calls += 1
                try:
                    made = await self._engine.generate(messages, sampling, schema, card)
                except Exception as error:  # whatever a provider raises is this question's failure
                    failed = self._engine.describe(error)
                else:
                    if made.error is None:
                        self.health.succeeded()
                        return _with_reply(sent, made, calls), None
                    failed = CallError(made.error, retry=False)
                if failed.retry:
                    self.health.failed(failed.message)
                if not failed.retry or calls > self._max_retries:
                    return _with_error(sent, failed, calls, time.monotonic() - began), failed
                await self._wait(failed, calls)

    async def _wait(self, failed: CallError, calls: int) -> None:
        """Waits as long as the server asks to, or twice as long each time."""
        wait = failed.after if failed.after is not None else _backoff(calls)
        self.health.will_wait(wait, failed.message)
        self._waiting(failed.message, wait)
        await asyncio.sleep(wait)


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
        finished=now(),
    )


def _with_error(sent: Answer, failed: CallError, calls: int, seconds: float) -> Answer:
    said = f"{failed.message} (tried {calls} times)" if calls > 1 else failed.message
    return replace(sent, error=said, finished=now(), calls=calls, seconds=round(seconds, 3))


def _backoff(calls: int) -> float:
    """Seconds until the next try: twice as long each time, with some chance in it."""
    return float(min(_LONGEST_WAIT, 2.0**calls) * (0.75 + random.random() / 2))


def now() -> str:
    """The time as answers keep it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
