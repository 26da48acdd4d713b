"""Inspect AI's model layer as an engine: messages in, one reply or one error out."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from inspect_ai import model as chat
from inspect_ai.util import json_schema
from pydantic import BaseModel, JsonValue, ValidationError
from rich.text import Text as Markup

from deadpan.base.credentials import key_fault
from deadpan.base.errors import DeadpanError
from deadpan.base.printable import visible
from deadpan.engine.calls import CallError, Generated
from deadpan.engine.endpoints import Redactor, without_credentials
from deadpan.engine.local.provider import EMBEDDED, identity_of
from deadpan.engine.quiet import silent_warnings
from deadpan.engine.requests import Image, Message, Sampling, Video, public_arguments

_logger = logging.getLogger("deadpan")

VIDEO_PROVIDERS = frozenset({"google"})
"""Inspect's providers that pass a video on as a video."""
CARD = "card"
"""Where a message carries what an embedded model answers from."""
QUESTION, SHOWN = "question", "shown"
"""Where a sample of an Inspect log carries its question, and what was shown."""
_LONGEST_REASON = 500
_NO_BOUND = 100_000
_UNREADABLE = (
    *(TypeError, ValueError, LookupError),
    *(AttributeError, AssertionError, RecursionError),
)
"""What clients raise over a reply of another form than they expect."""
_MOST_TOKENS = 10**12
"""A count of more tokens than that is none."""
_WRAPPERS = frozenset({"RetryError", "ModelGenerateError"})
"""What Inspect raises in place of a provider's error."""
_UNREACHABLE = frozenset({"APIConnectionError", "ConnectError", "ConnectionError"})
"""What clients raise, or a parent of it, where no connection can be made."""


class InspectModel:
    """One model behind Inspect. Retries and waiting are the asker's: neither Inspect nor the
    provider's client tries anything twice."""

    def __init__(
        self,
        name: str,
        sampling: Sampling,
        max_connections: int,
        timeout: int | None,
        option: str = "--model",
        max_retries: int = 0,
    ) -> None:
        self.name = name
        self._model = find_model(name, option, sampling, timeout, max_retries)
        client: Any = getattr(self._model.api, "client", None)
        if hasattr(client, "max_retries"):
            client.max_retries = 0
        http: Any = getattr(self._model.api, "http_client", None)
        if hasattr(http, "follow_redirects"):
            # Questions and pictures go to the server that was named, and to no other.
            http.follow_redirects = False
        self._served: set[str] = set()
        self.identity = identity_of(name)
        self.is_embedded = self.reads_card = name.startswith(EMBEDDED)
        self.is_local = self.is_embedded or name.startswith("mockllm/")
        self.max_connections = max_connections
        elsewhere = os.environ.get(f"{name.partition('/')[0].upper()}_BASE_URL", "")
        self.server = without_credentials(self._model.api.base_url or elsewhere)
        found = {"base_url": self._model.api.base_url, "api_key": self._model.api.api_key}
        self.connection = {name: value for name, value in found.items() if value}
        """Where the provider was found, and its key: what opens the same one elsewhere."""
        public = public_arguments(sampling.model_args)
        private = [str(value) for name, value in sampling.model_args.items() if name not in public]
        self.redact = Redactor([self._model.api.api_key, *private])

    async def generate(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue = None,
    ) -> Generated:
        """One reply; raises what the provider raises, which `describe` tells about."""
        return await self._ask(messages, card, generate_config(sampling, schema))

    async def _ask(
        self, messages: Sequence[Message], card: JsonValue, config: chat.GenerateConfig
    ) -> Generated:
        # A task of its own has a context of its own: Inspect keeps all that was asked in one.
        asking = self._model.generate(inspect_messages(messages, card), config=config)
        try:
            with silent_warnings():
                return self._generated(await asyncio.create_task(asking))
        except Exception as error:
            if lacking := _prerequisite(_provider_error(error)):
                raise DeadpanError(f"{self.name}: {lacking}") from error
            raise

    def describe(self, error: Exception) -> CallError:
        """What an error of a call comes to."""
        cause = _provider_error(error)
        if isinstance(cause, DeadpanError):
            return CallError(str(cause), retry=False)
        text = " ".join(visible(f"{type(cause).__name__}: {cause}"[:20_000]).split())
        if isinstance(cause, ValidationError):
            first = cause.errors(include_url=False)[0]
            text = visible(f"{'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}")
        if isinstance(cause, _UNREADABLE):
            text = f"the server's reply cannot be read ({text})"
        decision = self._model.api.should_retry(cause)
        after = getattr(decision, "retry_after", None)
        unreachable = any(kind.__name__ in _UNREACHABLE for kind in type(cause).__mro__)
        return CallError(
            self.redact(text)[:_LONGEST_REASON],
            retry=bool(decision) or self._model.should_retry(cause) or unreachable,
            after=float(after) if after is not None else None,
            status=getattr(cause, "status_code", None),
            unreachable=unreachable,
        )

    async def reaches(self, seconds: float) -> str | None:
        """Why no connection to the server can be made; None where one can, or none is needed."""
        if self.is_local or not self.server:
            return None
        parts = urlsplit(self.server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return "the address does not begin with http:// or https://"
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            async with asyncio.timeout(seconds):
                _, writer = await asyncio.open_connection(parts.hostname, port)
        except TimeoutError:
            return f"no connection within {seconds:g} s"
        except OSError as error:
            # asyncio puts its own words in the place of the system's.
            return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        writer.close()
        return None

    async def close(self) -> None:
        """Ends the connections."""
        await self._model.api.aclose()

    def _generated(self, output: chat.ModelOutput) -> Generated:
        usage, read = output.usage, None
        if usage:  # those of the prompt cache are read too
            cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
            read = usage.input_tokens + cached
        message = output.choices[0].message if output.choices else None
        content = message.content if message and isinstance(message.content, list) else []
        thoughts = [part for part in content if isinstance(part, chat.ContentReasoning)]
        reasoning = "\n".join(filter(None, (one.reasoning or one.summary for one in thoughts)))
        problem = output.error or (None if output.choices else "the server's reply has no choice")
        served = self.redact(_storable(output.model or ""))
        self._report_served(served)
        return Generated(
            text=self.redact.redact_known(_storable(output.completion)),
            reasoning=self.redact.redact_known(_storable(reasoning)) or None,
            stop=output.stop_reason if output.choices else None,
            error=self.redact(_storable(problem))[:_LONGEST_REASON] if problem else None,
            served_model=served[:200] or None,
            input_tokens=_count(read),
            output_tokens=_count(usage.output_tokens) if usage else None,
            cached_tokens=_count(usage.input_tokens_cache_read) if usage else None,
            seconds=output.time,
        )

    def _report_served(self, served: str) -> None:
        """Says once where a server tells that quite another model answered."""
        asked = self.name.rpartition("/")[2].casefold()
        given = served.rpartition("/")[2].casefold()
        if not given or given in self._served or self.is_local:
            return
        self._served.add(given)
        if asked not in given and given not in asked:
            _logger.warning("%s: the server says that %s answered", self.name, visible(given)[:80])


def _storable(text: str) -> str:
    """The text with halves of characters replaced: they can neither be kept nor sent."""
    return text.encode("utf-8", "replace").decode()


def _count(tokens: int | None) -> int | None:
    """A number of tokens; None for one that cannot be."""
    return tokens if tokens is not None and 0 <= tokens <= _MOST_TOKENS else None


def find_model(
    name: str,
    option: str = "--model",
    sampling: Sampling | None = None,
    timeout: int | None = 120,
    max_retries: int = 0,
) -> chat.Model:
    """The model of an Inspect name; an unknown provider, a missing package or key is told."""
    # The asker bounds the calls in flight; Inspect's own bound is one for the whole process.
    config = chat.GenerateConfig(
        max_connections=_NO_BOUND, max_retries=max_retries, attempt_timeout=timeout
    )
    arguments: dict[str, Any] = dict(sampling.model_args) if sampling else {}
    try:
        model = chat.get_model(name, config=config, memoize=False, **arguments)
        _require_key(model.api.api_key, f"{option} {name}")
        return model
    except TypeError as error:
        raise DeadpanError(f"{option} {name}: -M: {error}") from error
    except ValueError as error:
        hint = "Expected an Inspect model name such as openai/gpt-4o, or baseline/majority."
        raise DeadpanError(f"{option} {name}: {error} {hint}") from error
    except Exception as error:
        if lacking := _prerequisite(error):
            any_word = name.startswith("openai-api/") and "_API_KEY" in lacking
            hint = " Set it, to any word where the server wants no key." if any_word else ""
            raise DeadpanError(f"{option} {name}: {lacking}{hint}") from error
        raise


def _require_key(key: str | None, who: str) -> None:
    """Raises where no call could carry the key; names what holds it, and does not show it."""
    if key and (fault := key_fault(key)):
        where = next((name for name, value in os.environ.items() if value == key), "-M api_key")
        raise DeadpanError(f"{who}: {where} {fault}. Set it to the key alone.")


def takes_video(model: chat.Model) -> bool:
    """Whether a model gets videos whole: by its provider, or by a `takes_video` of its own."""
    provider = str(model).partition("/")[0]
    return provider in VIDEO_PROVIDERS or bool(getattr(model.api, "takes_video", False))


def _prerequisite(error: Exception) -> str | None:
    """What a provider lacks, a key or a package, on one line without markup; None for other errors.
    Inspect raises it under no public name."""
    if isinstance(error, ModuleNotFoundError) and "ipywidgets" in str(error):
        return 'a notebook needs ipywidgets: pip install "deadpan[notebook]", or ipywidgets'
    if type(error).__name__ != "PrerequisiteError":
        return None
    message = str(getattr(error, "message", error))
    return " ".join(Markup.from_markup(message).plain.removeprefix("ERROR: ").split())


def _provider_error(error: Exception) -> Exception:
    """What a provider raised. Inspect hides what its one try was given up for, and puts the whole
    request before what was said of it."""
    while type(error).__name__ in _WRAPPERS and isinstance(error.__cause__, Exception):
        error = error.__cause__
    return error


def generate_config(sampling: Sampling, schema: type[BaseModel] | None) -> chat.GenerateConfig:
    """The settings of one question as Inspect has them."""
    return chat.GenerateConfig(
        **sampling.model_dump(exclude={"extra_body", "model_args"}),
        extra_body=dict(sampling.extra_body) or None,
        response_schema=response_schema(schema),
    )


@cache
def response_schema(reply: type[BaseModel] | None) -> chat.ResponseSchema | None:
    """The setting that holds a provider to a reply's form; None where there is no form."""
    if reply is None:
        return None
    return chat.ResponseSchema(name=reply.__name__.lower(), json_schema=json_schema(reply))


def inspect_messages(messages: Sequence[Message], card: JsonValue) -> list[chat.ChatMessage]:
    """Messages as Inspect has them; user messages carry the card."""
    metadata = {CARD: card} if card is not None else None
    made: list[chat.ChatMessage] = []
    for message in messages:
        words = "\n".join(part for part in message.contents if isinstance(part, str))
        match message.role:
            case "system":
                made.append(chat.ChatMessageSystem(content=words))
            case "assistant":
                made.append(chat.ChatMessageAssistant(content=words))
            case "user":
                content = [_content(part) for part in message.contents]
                made.append(chat.ChatMessageUser(content=content, metadata=metadata))
    return made


def _content(part: str | Image | Video) -> chat.Content:
    if isinstance(part, str):
        return chat.ContentText(text=part)
    if isinstance(part, Video):
        return chat.ContentVideo(video=part.address, format=part.format)
    return chat.ContentImage(image=part.address)
