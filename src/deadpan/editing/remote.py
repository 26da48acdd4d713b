"""Calls to image services: bounded retries, keys that show up nowhere, errors told."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import httpx
from pydantic import AliasPath, BaseModel, Field, ValidationError

from deadpan.base.bounded_bodies import ACCEPTED, BodyDecoder, Undecodable, UnknownEncoding
from deadpan.base.errors import DeadpanError, MissingExtra
from deadpan.base.printable import visible
from deadpan.base.resources import Unavailable
from deadpan.base.retry_after import retry_after_seconds, utc_now
from deadpan.editing.received import CallFailed

ATTEMPTS = 5
"""How often one edit is asked for while the service is busy, broken or silent."""
SECONDS = 180.0
"""How long one attempt may wait for the service to say something."""
_LONGEST_WAIT = 60.0
_MOST_BYTES = 100_000_000
_AGAIN = frozenset({408, 409, 425, 429})
_HIDDEN = "[key]"
_WORD = re.compile(r"[\w-]{8,}")
_SHOWN = 300


class Unusable(DeadpanError):
    """A service that no picture can be sent to: no key, a wrong one, an unknown model."""


HOPELESS = (MissingExtra, Unavailable, Unusable)
"""What would fail for every picture."""


class _Error(BaseModel):
    message: str = Field(validation_alias=AliasPath("error", "message"))


@dataclass(frozen=True)
class Answer:
    """A service's answer: anything but what is worth another attempt."""

    status: int
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")

    @property
    def trouble(self) -> str:
        """The status and the message of an error, as most services word it; else its own text."""
        try:
            return f"HTTP {self.status} {_Error.model_validate_json(self.body).message}"
        except ValidationError:
            return f"HTTP {self.status} {self.body[:1000].decode('utf-8', 'replace')}"


@dataclass(frozen=True)
class Service:
    """Where a service is and how it knows us. The key is shown nowhere."""

    name: str
    base: str
    key: str | None = field(repr=False)
    headers: dict[str, str] = field(repr=False)
    variables: str
    """What to set where the key is missing or wrong, for messages."""
    pause: Callable[[float], None] = field(default=time.sleep, repr=False)
    timeout: float = SECONDS

    def said(self, text: str) -> str:
        """What the service said, on one short line and without the key."""
        plain = " ".join(visible(text).split())
        if self.key:
            key = self.key
            plain = plain.replace(key, _HIDDEN)
            plain = _WORD.sub(lambda word: _HIDDEN if word[0] in key else word[0], plain)
        return plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…"

    def ask(self, method: str, url: str, **content: Any) -> Answer:
        """The answer to a request; a busy, broken or silent service is asked again, then raises
        CallFailed. No redirect is followed, and no compression asked for that cannot be bounded."""
        trouble = ""
        headers = {**self.headers, "Accept-Encoding": ACCEPTED}
        hooks = {"response": [_hide_location]}
        with httpx.Client(headers=headers, timeout=self.timeout, event_hooks=hooks) as client:
            for attempt in range(1, ATTEMPTS + 1):
                wait: float | None = None
                try:
                    request = client.build_request(method, url, **content)
                    found, after = _send(client, request, self.timeout)
                except (httpx.TransportError, httpx.DecodingError) as error:
                    trouble = self.said(f"{type(error).__name__} {error}")
                else:
                    if found.status < 500 and found.status not in _AGAIN:
                        return found
                    trouble = self.said(found.trouble)
                    wait = retry_after_seconds(after, utc_now())
                if attempt < ATTEMPTS:
                    self.pause(min(2.0**attempt if wait is None else wait, _LONGEST_WAIT))
        raise CallFailed(
            f"{self.name} gave no answer in {ATTEMPTS} attempts ({trouble}); try later"
        )

    def require_accepted(self, found: Answer) -> Answer:
        """The answer; one that turns down the key, the model or the address raises Unusable."""
        if found.status in (401, 403, 404):
            raise Unusable(
                f"{self.name} does not accept the key, or knows no such model or address "
                f"({self.said(found.trouble)}); check the model's name and {self.variables}"
            )
        return found


def find_service(
    name: str, keys: tuple[str, ...], header: tuple[str, str], base: tuple[str, str], model: str
) -> Service:
    """The service that the environment names by its variables for the key and for the base, which
    has a usual value; `header` is where the key goes. No key for the usual address raises."""
    key = next((value for variable in keys if (value := os.environ.get(variable))), None)
    base_variable, usual = base
    address = os.environ.get(base_variable) or usual
    variables = f"{' or '.join(keys)} (and {base_variable} for another address)"
    if not model:
        raise Unusable(f"{name} needs the name of a model: {name}/MODEL")
    if key is None and address == usual:
        raise Unusable(f"{name}/{model} needs a key: set {variables}")
    if key is not None and not (key.isascii() and key.isprintable()):
        raise Unusable(f"{name}/{model}: the key holds characters that none has; set {variables}")
    try:
        parsed = httpx.URL(address)
    except (httpx.InvalidURL, ValueError):
        parsed = httpx.URL("")
    impossible = parsed.port is not None and parsed.port not in range(1, 1 << 16)
    if parsed.scheme not in ("http", "https") or not parsed.host or impossible:
        raise Unusable(f"{name}/{model}: {base_variable} is no http(s) address")
    headers = {header[0]: header[1].format(key)} if key else {}
    return Service(name, address.rstrip("/"), key, headers, variables)


def _hide_location(response: httpx.Response) -> None:
    # httpx makes a request of it even where nobody follows, and fails for no web address.
    response.headers.pop("Location", None)


def _send(
    client: httpx.Client, request: httpx.Request, seconds: float
) -> tuple[Answer, str | None]:
    """The answer to one attempt, and when the service wants to be asked again."""
    latest = time.monotonic() + seconds
    body = bytearray()
    with closing(client.send(request, stream=True)) as response:
        try:
            decoder = BodyDecoder(response.headers.get("Content-Encoding"))
            for chunk in response.iter_raw():
                for piece in decoder.pieces(chunk):
                    body += piece
                    if len(body) > _MOST_BYTES:
                        raise CallFailed(f"the reply is longer than {_MOST_BYTES} bytes")
                if time.monotonic() > latest:
                    raise httpx.ReadTimeout("the reply comes too slowly", request=request)
            decoder.finish()
        except UnknownEncoding as error:
            raise CallFailed(str(error)) from None
        except Undecodable as error:
            raise httpx.DecodingError(str(error), request=request) from None
        return Answer(response.status_code, bytes(body)), response.headers.get("Retry-After")
