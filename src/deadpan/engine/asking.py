"""A model asked for a reply that keeps a form, outside of any task; good replies are kept.

A reply that breaks the form is asked for again with what was wrong, at the same temperature. One
that was had once is never paid for again, so that a killed run pays for what was in flight alone.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from deadpan.cache import cache_folder
from deadpan.demonstrations.spending import Spent
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES
from deadpan.engine.outputs import sitting_of
from deadpan.errors import DeadpanError, InputError
from deadpan.files import write_text
from deadpan.judges.judge import ATTEMPTS, BrokenReply
from deadpan.judges.sittings import Sitting, keep
from deadpan.questions import Reply
from deadpan.replies import is_refusal
from deadpan.task_spec import TaskSpec
from deadpan.visible import visible

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, ModelOutput

ReplyT = TypeVar("ReplyT")

_MAX_TOKENS = 2048
_LONGEST_REASON = 300


class Unanswered(DeadpanError):
    """A model gave no reply that can be used; `refused` tells whether it would not."""

    def __init__(self, message: str, refused: bool = False) -> None:
        super().__init__(message)
        self.refused = refused


@dataclass(frozen=True)
class Sent:
    """A picture as it is sent: its bytes and their type."""

    data: bytes
    mime: str


@dataclass(frozen=True)
class Request(Generic[ReplyT]):
    """What is asked, and how the reply is read: `read` raises BrokenReply for one that cannot be
    used, and `again`, with its {why}, asks for another."""

    system: str
    text: str
    pictures: tuple[Sent, ...]
    form: type[BaseModel]
    read: Callable[[str], ReplyT]
    again: str

    def place(self, model: str) -> Path:
        """Where the replies are kept: by all that they depend on."""
        pictures = [hashlib.sha256(picture.data).hexdigest() for picture in self.pictures]
        whole = [model, self.system, self.text, pictures, self.form.model_json_schema(), self.again]
        key = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
        return cache_folder("replies") / key[:2] / f"{key}.json"


class Asker:
    """One model, asked as often as needed; so many calls at once at the most."""

    def __init__(
        self,
        model: str,
        max_connections: int = 10,
        max_retries: int = MAX_RETRIES,
        timeout: int = ATTEMPT_SECONDS,
    ) -> None:
        from inspect_ai.model import GenerateConfig, get_model

        from deadpan.engine.local import identity_of, pictured
        from deadpan.engine.refusals import Limits
        from deadpan.engine.run import require_model

        model = pictured(model)
        require_model(model, "--model")
        config = GenerateConfig(
            temperature=0.0,
            max_tokens=_MAX_TOKENS,
            max_connections=max_connections,
            max_retries=max_retries,
            attempt_timeout=timeout,
        )
        self.model = model
        self.identity = identity_of(model)
        self.spent = Spent()
        self._model = get_model(model, config=config, memoize=False)
        self._limits = Limits()

    async def reply(self, request: Request[ReplyT]) -> ReplyT:
        """What the model replied, read; the kept reply where there is one. Raises Unanswered."""
        place = request.place(self.identity)
        known = _kept(place, request)
        if known is not None:
            return known
        messages = _messages(request)
        outputs: list[ModelOutput] = []
        why = ""
        for _ in range(ATTEMPTS):
            output = await self._output(messages, request.form)
            outputs.append(output)
            try:
                found = request.read(output.completion)
            except BrokenReply as error:
                why = str(error)
                messages += _asked_again(output, request.again.replace("{why}", why))
                continue
            keep(place, sitting_of(outputs))
            return found
        refused = is_refusal(outputs[-1].completion)
        said = "refused" if refused else f"gave no usable reply in {ATTEMPTS} attempts ({why})"
        raise Unanswered(f"{self.model} {said}", refused)

    async def answer(self, messages: Sequence[ChatMessage], task: TaskSpec) -> Reply:
        """The reply to a task's question as it is, whatever it says; the kept one where there is
        one. No reply schema is sent, so that zero-shot and demonstrations are asked in one form. A
        call that failed is a reply with its error, and is not kept."""
        place = _answer_place(self.identity, messages, task)
        known = _kept_answer(place)
        if known is not None:
            self.spent = self.spent.kept_one()
            return known
        try:
            output = await self._answered(list(messages), task)
        except Unanswered as error:
            self.spent = self.spent.more(Reply(error=str(error)))
            return Reply(error=str(error))
        usage = output.usage
        reply = Reply(
            text=output.completion,
            stop=output.stop_reason,
            error=output.error,
            input_tokens=usage.input_tokens if usage else None,
            output_tokens=usage.output_tokens if usage else None,
            seconds=output.time,
        )
        self.spent = self.spent.more(reply)
        if reply.error is None:
            _keep_answer(place, reply)
        return reply

    async def _answered(self, messages: list[ChatMessage], task: TaskSpec) -> ModelOutput:
        """One reply under the task's own settings."""
        from inspect_ai.model import GenerateConfig

        config = GenerateConfig(
            temperature=task.temperature, top_p=task.top_p, max_tokens=task.max_tokens
        )
        with _Told(self.model):
            return await self._model.generate(messages, config=config)

    async def _output(self, messages: list[ChatMessage], form: type[BaseModel]) -> ModelOutput:
        """One reply; a provider that takes no schema is asked without."""
        from inspect_ai.model import GenerateConfig

        from deadpan.engine.schema import schema_config

        while True:
            schema = form if self._limits.schema else None
            config = GenerateConfig(**schema_config(schema))
            with _Told(self.model), self._limits.during(images=0, schema=schema is not None):
                output = await self._model.generate(messages, config=config)
                if output.stop_reason == "content_filter":
                    raise Unanswered(f"{self.model} refused: its content filter stopped it", True)
                return output


class _Told:
    """Around a call: whatever its provider raises becomes Unanswered, which says what it was."""

    def __init__(self, model: str) -> None:
        self.model = model

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not isinstance(error, Exception) or isinstance(error, DeadpanError):
            return
        # Retries that were given up hide what they were given up for.
        cause = error.__cause__ if type(error).__name__ == "RetryError" else error
        said = " ".join(visible(f"{type(cause).__name__}: {cause}").split())[:_LONGEST_REASON]
        raise Unanswered(f"{self.model} could not be asked ({said})") from error


def _answer_place(model: str, messages: Sequence[ChatMessage], task: TaskSpec) -> Path:
    """Where the reply to messages is kept: by all that it depends on."""
    said = [
        [
            message.role,
            message.content
            if isinstance(message.content, str)
            else [part.model_dump_json() for part in message.content],
        ]
        for message in messages
    ]
    whole = [model, said, "schema:none", task.temperature, task.top_p, task.max_tokens]
    key = hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()
    return cache_folder("answers") / key[:2] / f"{key}.json"


def _kept_answer(place: Path) -> Reply | None:
    try:
        return Reply.model_validate_json(place.read_bytes())
    except (OSError, ValidationError):
        return None


def _keep_answer(place: Path, reply: Reply) -> None:
    """Keeps a reply; where the disk is full it is asked for again another time."""
    try:
        write_text(place, reply.model_dump_json())
    except InputError:
        return


def _messages(request: Request[ReplyT]) -> list[ChatMessage]:
    from inspect_ai.model import (
        ChatMessageSystem,
        ChatMessageUser,
        Content,
        ContentImage,
        ContentText,
    )

    content: list[Content] = [
        ContentImage(image=f"data:{picture.mime};base64,{base64.b64encode(picture.data).decode()}")
        for picture in request.pictures
    ]
    content.append(ContentText(text=request.text))
    return [ChatMessageSystem(content=request.system), ChatMessageUser(content=content)]


def _asked_again(output: ModelOutput, text: str) -> list[ChatMessage]:
    from inspect_ai.model import ChatMessageUser

    return [output.message, ChatMessageUser(content=text)]


def _kept(place: Path, request: Request[ReplyT]) -> ReplyT | None:
    """The kept reply; None where there is none, or none that can be used."""
    try:
        sitting = Sitting.model_validate_json(place.read_bytes())
        return request.read(sitting.replies[-1])
    except (OSError, ValidationError, BrokenReply):
        return None
