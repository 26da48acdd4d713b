"""What an engine is: messages in, one reply or one error out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel, JsonValue

from deadpan.engine.requests import Message, Request, Sampling

if TYPE_CHECKING:
    from deadpan.engine.task_questions import RunSettings, TaskQuestions


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
class Answerer:
    """What answers in a model's place: its engine, and how it is asked."""

    engine: Engine
    requests: Callable[[TaskQuestions, str, RunSettings], list[Request]]
