"""What image services share: bounded replies and retries, keys that show up nowhere."""

from __future__ import annotations

import base64
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import httpx
from pydantic import AliasPath, BaseModel, Field, ValidationError

from deadpan.base import http
from deadpan.base.errors import DeadpanError, MissingExtra
from deadpan.base.printable import visible
from deadpan.base.resources import Unavailable
from deadpan.core.editors import Edited, Instruction, NotEdited
from deadpan.core.questions import Picture
from deadpan.editing.received import (
    CallFailed,
    Refused,
    open_picture,
    size_notes,
    source_notes,
    wording,
)
from deadpan.media.images import read_image
from deadpan.media.prepared import PreparedImage, prepare_image

ATTEMPTS = 5  # how often one edit is asked for while the service is busy, broken or silent
SECONDS = 180.0  # how long one attempt may wait for the service to say something
_LONGEST_WAIT = 60.0
_MOST_BYTES = 100_000_000
_AGAIN = frozenset({408, 409, 425, 429})
_HIDDEN = "[key]"
_WORD = re.compile(r"[\w-]{8,}")
_SHOWN = 300


class Unusable(DeadpanError):
    """A service that no picture can be sent to: no key, a wrong one, an unknown model."""


HOPELESS = (MissingExtra, Unavailable, Unusable)  # what would fail for every picture


class _Error(BaseModel):
    message: str = Field(validation_alias=AliasPath("error", "message"))


@dataclass
class ImageService(ABC):
    """Sends the meme and the wording, or a prompt alone; gives the picture as it came."""

    model: str
    address: str
    key: str | None = field(repr=False)
    pause: Callable[[float], None] = field(default=time.sleep, repr=False)
    timeout: float = SECONDS
    kind: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]  # the variables that may hold the key
    header: ClassVar[tuple[str, str]]  # where the key goes
    base: ClassVar[tuple[str, str]]  # the variable for another address than the usual, and that
    refusals: ClassVar[re.Pattern[str] | None] = None  # what an error says that is a refusal

    @classmethod
    def from_environment(cls, model: str) -> Self:
        """The service as the environment sets it; no key for the usual address raises."""
        key = next((value for variable in cls.keys if (value := os.environ.get(variable))), None)
        variable, usual = cls.base
        address = os.environ.get(variable) or usual
        if not model:
            raise Unusable(f"{cls.kind} needs the name of a model: {cls.kind}/MODEL")
        if key is None and address == usual:
            raise Unusable(f"{cls.kind}/{model} needs a key: set {cls._variables()}")
        if key is not None and not (key.isascii() and key.isprintable()):
            what = f"the key holds characters that none has; set {cls._variables()}"
            raise Unusable(f"{cls.kind}/{model}: {what}")
        try:
            parsed = httpx.URL(address)
        except (httpx.InvalidURL, ValueError):
            parsed = httpx.URL("")
        impossible = parsed.port is not None and parsed.port not in range(1, 1 << 16)
        if parsed.scheme not in ("http", "https") or not parsed.host or impossible:
            raise Unusable(f"{cls.kind}/{model}: {variable} is no http(s) address")
        return cls(model, address.rstrip("/"), key)

    @classmethod
    def _variables(cls) -> str:
        """What to set where the key is missing or wrong, for messages."""
        return f"{' or '.join(cls.keys)} (and {cls.base[0]} for another address)"

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.model}"

    def edit(self, instruction: Instruction) -> Edited:
        """The edited meme; a refusal, a reply without a picture and a failed call raise."""
        return self._make(wording(instruction), instruction.source)

    def draw(self, prompt: str) -> Edited:
        """A picture from words alone; raises as `edit` does."""
        return self._make(prompt, None)

    def _make(self, prompt: str, source: Path | None) -> Edited:
        sent = prepare_image(Picture(path=str(source))) if source else None
        size = read_image(source).size if source else None
        notes = source_notes(source) if source else ()
        reply = self._ask(prompt, sent)
        if reply.status_code >= 400:
            if self.refusals and self.refusals.search(reply.text):
                raise Refused(f"{self.name} refused ({self._trouble(reply)})")
            raise NotEdited(f"{self.name} did not accept the request ({self._trouble(reply)})")
        try:
            data, of = self._first_picture(reply.content)
        except ValidationError:
            what = "gave a reply that is not what the endpoint promises"
            raise NotEdited(f"{self.name} {what}") from None
        made = open_picture(data, self.name)
        odd = size_notes(made.image.size, size or made.image.size)
        several = (f"the reply held {of} pictures: the first is taken",) * (of > 1)
        return Edited(made.image, (*notes, *made.notes, *odd, *several))

    @abstractmethod
    def _ask(self, prompt: str, sent: PreparedImage | None) -> httpx.Response:
        """The reply to a prompt, with a picture where one is to be edited."""

    @abstractmethod
    def _first_picture(self, body: bytes) -> tuple[bytes, int]:
        """The first picture of a reply, and how many it holds; none raises NotEdited."""

    def _decode(self, encoded: str) -> bytes:
        """The bytes of a base64 text; anything else raises NotEdited."""
        try:
            return base64.b64decode(encoded, validate=True)
        except ValueError:
            raise NotEdited(f"{self.name} gave a picture that is not base64") from None

    def _without_key(self, text: str) -> str:
        """What the service said, on one short line and without the key."""
        plain = " ".join(visible(text).split())
        if key := self.key:
            plain = plain.replace(key, _HIDDEN)
            plain = _WORD.sub(lambda word: _HIDDEN if word[0] in key else word[0], plain)
        return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…"

    def _trouble(self, reply: httpx.Response) -> str:
        """The status and the message of an error, as most services word it; else its own text."""
        try:
            message = _Error.model_validate_json(reply.content).message
        except ValidationError:
            message = reply.content[:1000].decode("utf-8", "replace")
        return self._without_key(f"HTTP {reply.status_code} {message}")

    def _request(self, method: str, url: str, **content: Any) -> httpx.Response:
        """The reply to a request; a busy, broken or silent service is asked again, then raises
        CallFailed. No redirect is followed, and no compression asked for that cannot be bounded."""
        trouble = ""
        headers = {"Accept-Encoding": http.ACCEPTED}
        if self.key:
            headers[self.header[0]] = self.header[1].format(self.key)
        # httpx makes a request of it even where nobody follows, and fails for no web address.
        hooks = {"response": [lambda response: response.headers.pop("Location", None)]}
        with httpx.Client(headers=headers, timeout=self.timeout, event_hooks=hooks) as client:
            for attempt in range(1, ATTEMPTS + 1):
                wait: float | None = None
                try:
                    reply = _send(client, client.build_request(method, url, **content))
                except (httpx.TransportError, httpx.DecodingError) as error:
                    trouble = self._without_key(f"{type(error).__name__} {error}")
                else:
                    if reply.status_code < 500 and reply.status_code not in _AGAIN:
                        return reply
                    trouble = self._trouble(reply)
                    wish = reply.headers.get("Retry-After")
                    wait = http.retry_after_seconds(wish, http.utc_now())
                if attempt < ATTEMPTS:
                    self.pause(min(2.0**attempt if wait is None else wait, _LONGEST_WAIT))
        what = f"gave no answer in {ATTEMPTS} attempts ({trouble}); try later"
        raise CallFailed(f"{self.kind} {what}")

    def _require_accepted(self, reply: httpx.Response) -> httpx.Response:
        """The reply; one that turns down the key, the model or the address raises Unusable."""
        if reply.status_code in (401, 403, 404):
            raise Unusable(
                f"{self.kind} does not accept the key, or knows no such model or address "
                f"({self._trouble(reply)}); check the model's name and {self._variables()}"
            )
        return reply


def _send(client: httpx.Client, request: httpx.Request) -> httpx.Response:
    """The whole reply to one attempt, no longer and no later than may be."""
    latest = time.monotonic() + (client.timeout.read or SECONDS)
    body = bytearray()
    with closing(client.send(request, stream=True)) as response:
        try:
            decoder = http.BodyDecoder(response.headers.get("Content-Encoding"))
            for chunk in response.iter_raw():
                for piece in decoder.pieces(chunk):
                    body += piece
                    if len(body) > _MOST_BYTES:
                        raise CallFailed(f"the reply is longer than {_MOST_BYTES} bytes")
                if time.monotonic() > latest:
                    raise httpx.ReadTimeout("the reply comes too slowly", request=request)
            decoder.finish()
        except http.UnknownEncoding as error:
            raise CallFailed(str(error)) from None
        except http.Undecodable as error:
            raise httpx.DecodingError(str(error), request=request) from None
        wish = {"Retry-After": response.headers.get("Retry-After", "")}
        return httpx.Response(response.status_code, headers=wish, content=bytes(body))
