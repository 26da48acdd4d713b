"""What an engine is, one call tried as often as is allowed, and when a model is given up."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, Protocol, get_args, runtime_checkable

from pydantic import BaseModel, JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES
from deadpan.engine.answers import Answer
from deadpan.engine.requests import Message, Request, Sampling

if TYPE_CHECKING:
    from deadpan.engine.budget import Budget

_LONGEST_WAIT = 60.0
_INSIDE = ("vllm", "hf")
"""The providers whose models are this machine's own where vLLM runs in process."""
EngineKind = Literal["auto", "vllm", "ray"]
ENGINES: tuple[EngineKind, ...] = get_args(EngineKind)
FIRST_FAILURES = 20
"""Questions that may fail for good before any succeeded."""


@dataclass(frozen=True)
class CallOptions:
    """How calls are made: so many at once, tried again so often, each try so long; without any
    success for `give_up` seconds everything stops (0: never)."""

    max_connections: int = 10
    max_retries: int = MAX_RETRIES
    timeout: int = ATTEMPT_SECONDS
    """Seconds for each try."""
    give_up: int = GIVE_UP_SECONDS
    any_server: bool = False
    """Whether answers of another server count for the same model."""
    engine: EngineKind = "auto"
    """What runs a model of this machine, or spreads the calls over many."""
    ray_address: str | None = None
    """Of the cluster that `ray` runs on; None: one of this machine."""
    batch: bool = False
    """Whether providers that have a batch API are asked through it."""
    budget: Budget | None = field(default=None, compare=False)
    """What may be spent, among all that are asked with it; None: any sum."""

    def at_once(self, usual: int) -> int:
        """How many calls are made at once: what was chosen, or so many where nothing was."""
        chosen = self.max_connections
        return usual if chosen == CallOptions.max_connections else chosen

    def in_batches(self) -> CallOptions:
        """The same for an engine that asks in batches: it tries again by itself, and neither hours
        of silence nor failures that come first say anything of the answers that were paid for."""
        return replace(self, max_retries=0, give_up=0)

    def model_name(self, name: str) -> str:
        """A model's name as it is kept: what vLLM runs in process is a model of this machine."""
        provider, _, own = name.partition("/")
        return f"local/{own}" if self.engine == "vllm" and provider in _INSIDE else name


@dataclass(frozen=True)
class Generated:
    """One reply as a provider gave it."""

    text: str
    reasoning: str | None
    stop: str | None
    error: str | None
    served_model: str | None
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    seconds: float | None


@dataclass(frozen=True)
class CallError:
    """Why a call failed, whether to try again, and how long the server asks to wait before."""

    message: str
    retry: bool
    after: float | None = None
    status: int | None = None
    unreachable: bool = False


class Engine(Protocol):
    """What turns messages into replies; it knows nothing of benchmarks, scores or files."""

    name: str
    identity: str
    server: str
    max_connections: int
    is_embedded: bool
    """Whether answers depend on the card alone: it is part of what they are known by."""
    reads_card: bool
    """Whether it answers from a request's card."""
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

    def describe(self, error: Exception) -> CallError:
        """What an error of a call comes to."""

    async def reaches(self, seconds: float) -> str | None:
        """Why no connection to the server can be made; None where one can."""

    async def close(self) -> None:
        """Ends the connections."""


@runtime_checkable
class LoadingEngine(Engine, Protocol):
    """An engine that has to load a model, or join a cluster, before the first question."""

    async def load(self, shown: bool = False) -> None:
        """Does so; raises where no question could be answered, or pictures are to be `shown` to a
        model that sees none."""


@runtime_checkable
class BulkEngine(Engine, Protocol):
    """An engine that takes many questions at once, and answers in any order."""

    def answers(
        self, requests: Mapping[str, Request], options: CallOptions
    ) -> AsyncGenerator[Answer]:
        """One answer for each request, known by its key."""


@runtime_checkable
class BatchEngine(Engine, Protocol):
    """An engine that asks in batches, which may take a day; it tries again by itself."""

    report: Callable[[str], None]
    """Is told how far the batches are."""
    made: Callable[[str], None]
    """Is told the id of each batch once the provider has it."""

    async def generate_now(self, messages: Sequence[Message], sampling: Sampling) -> Generated:
        """One reply without a batch, before the first of them."""


class GaveUp(DeadpanError):
    """A model that stopped answering: questions remain, as where some failed."""

    exit_code = 1


class Health:
    """Counts successes and failures of calls; `failed` and `lost` raise once it is hopeless."""

    def __init__(self, give_up: int, model: str) -> None:
        self._give_up, self._model = give_up, model
        self._last_success = time.monotonic()
        self._succeeded = 0
        self._lost = 0
        self._in_flight = 0

    def __enter__(self) -> None:
        """A call begins. Time in which nothing was asked does not count as silence."""
        if not self._in_flight:
            self._last_success = time.monotonic()
        self._in_flight += 1

    def __exit__(self, *_: object) -> None:
        """The call is over, however it ended."""
        self._in_flight -= 1

    def succeeded(self) -> None:
        """A call came back with a reply."""
        self._last_success = time.monotonic()
        self._succeeded += 1

    def lost(self, reason: str) -> None:
        """A question failed for good."""
        reason = reason.rstrip(".")
        self._lost += 1
        if self._give_up and not self._succeeded and self._lost >= FIRST_FAILURES:
            raise GaveUp(
                f"{self._model}: the first {self._lost} questions all failed: {reason}. Mend that, "
                "and run the same command again; --give-up 0 goes on all the same."
            )
        self.failed(reason)

    def failed(self, reason: str) -> None:
        """A try failed."""
        reason = reason.rstrip(".")
        if not self._give_up:
            return
        silent = time.monotonic() - self._last_success
        if silent >= self._give_up:
            longer = "--give-up SECONDS (give_up in a campaign's file) waits longer"
            if "timeout" in reason.casefold():
                longer += ", --timeout SECONDS gives each call more time"
            raise GaveUp(
                f"{self._model} has not answered for {silent:.0f} s: {reason}. What was answered "
                f"is kept: run the same command again later; {longer}."
            )

    def bounded(self, seconds: float) -> float:
        """How long to wait where no server asks for it: not for longer than silence may last."""
        return min(seconds, self._give_up) if self._give_up else seconds

    def will_wait(self, seconds: float, reason: str) -> None:
        """A server asks to wait; one that asks for more than is allowed ends the run."""
        if self._give_up and seconds > self._give_up:
            raise GaveUp(
                f"{self._model} asks to wait {seconds:.0f} s: {reason}. What was answered is kept: "
                "run the same command again then; --give-up SECONDS waits that long."
            )


class Caller:
    """Calls one engine, and tries again what may pass; `waiting` is told why and for how long."""

    def __init__(
        self, engine: Engine, options: CallOptions, waiting: Callable[[str, float], None]
    ) -> None:
        self._engine, self._max_retries, self._waiting = engine, options.max_retries, waiting
        self.health = Health(options.give_up, engine.name)

    async def call(
        self, ask: Callable[[], Awaitable[Generated]], sent: Answer
    ) -> tuple[Answer, CallError | None]:
        """The answer, and the error that ended it. Raises where the model is given up."""
        began = time.monotonic()
        calls = 0
        with self.health:
            while True:
                calls += 1
                try:
                    made = await ask()
                except Exception as error:  # whatever a provider raises is this question's failure
                    failed = self._engine.describe(error)
                else:
                    if made.error is None:
                        self.health.succeeded()
                        return replace(sent, **vars(made), calls=calls, finished=now()), None
                    failed = CallError(made.error, retry=False)
                if failed.retry:
                    self.health.failed(failed.message)
                if not failed.retry or calls > self._max_retries:
                    seconds = round(time.monotonic() - began, 3)
                    why = f"{failed.message} (tried {calls} times)" if calls > 1 else failed.message
                    lost = replace(sent, error=why, finished=now(), calls=calls, seconds=seconds)
                    return lost, failed
                wait = failed.after
                if wait is None:
                    wait = self.health.bounded(_backoff(calls))
                self.health.will_wait(wait, failed.message)
                self._waiting(failed.message, wait)
                await asyncio.sleep(wait)


def _backoff(calls: int) -> float:
    """Seconds until the next try: twice as long each time, with some chance in it."""
    return float(min(_LONGEST_WAIT, 2.0**calls) * (0.75 + random.random() / 2))


def now() -> str:
    """The time as answers keep it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
