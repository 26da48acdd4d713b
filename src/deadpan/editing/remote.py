"""Calls to image-editing services: bounded retries, keys that show up nowhere, errors told."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from pydantic import BaseModel, ValidationError

from deadpan.base.bounded_bodies import ACCEPTED, BodyDecoder, Undecodable, UnknownEncoding
from deadpan.base.errors import DeadpanError
from deadpan.base.printable import visible
from deadpan.base.retry_after import retry_after_seconds, utc_now
from deadpan.core.editor import Edited
from deadpan.core.questions import Picture
from deadpan.editing.received import CallFailed, received, source_notes
from deadpan.media.images import read_image
from deadpan.media.shown import shown

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


@dataclass(frozen=True)
class Service:
    """Where a service is and how it knows us. The key is shown nowhere."""

    name: str
    base: str
    key: str | None = field(repr=False)
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


@dataclass(frozen=True)
class Answer:
    """A service's answer: anything but what is worth another attempt."""

    status: int
    body: bytes

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")


def service(
    name: str, keys: tuple[str, ...], base_variable: str, usual_base: str, model: str
) -> Service:
    """The service that the environment names; no key for the usual address raises."""
    key = next((value for variable in keys if (value := os.environ.get(variable))), None)
    base = os.environ.get(base_variable) or usual_base
    variables = f"{' or '.join(keys)} (and {base_variable} for another address)"
    if not model:
        raise Unusable(f"{name} needs the name of a model: {name}/MODEL")
    if key is None and base == usual_base:
        raise Unusable(f"{name}/{model} needs a key: set {variables}")
    if key is not None and not (key.isascii() and key.isprintable()):
        raise Unusable(f"{name}/{model}: the key holds characters that none has; set {variables}")
    try:
        parsed = httpx.URL(base)
    except (httpx.InvalidURL, ValueError):
        parsed = httpx.URL("")
    impossible = parsed.port is not None and parsed.port not in range(1, 1 << 16)
    if parsed.scheme not in ("http", "https") or not parsed.host or impossible:
        raise Unusable(f"{name}/{model}: {base_variable} is no http(s) address")
    return Service(name, base.rstrip("/"), key, variables)


Send = Callable[[httpx.Client], httpx.Request]
"""Makes the request for a client, anew for each attempt."""


def answer(of: Service, send: Send, headers: Mapping[str, str]) -> Answer:
    """The service's answer to a request; busy, broken and silent ones are asked again, then
    raise CallFailed."""
    trouble = ""
    with _client(headers, of.timeout) as client:
        for attempt in range(1, ATTEMPTS + 1):
            wait: float | None = None
            try:
                status, body, after = _sent(client, send(client), of.timeout)
            except (httpx.TransportError, httpx.DecodingError) as error:
                trouble = of.said(f"{type(error).__name__} {error}")
            else:
                if status < 500 and status not in _AGAIN:
                    return Answer(status, body)
                trouble = of.said(f"HTTP {status} {told(body)}")
                wait = retry_after_seconds(after, utc_now())
            if attempt < ATTEMPTS:
                of.pause(min(2.0**attempt if wait is None else wait, _LONGEST_WAIT))
    raise CallFailed(f"{of.name} gave no answer in {ATTEMPTS} attempts ({trouble}); try later")


def accepted(of: Service, found: Answer) -> Answer:
    """The answer; one that turns down the key, the model or the address raises Unusable."""
    if found.status in (401, 403, 404):
        said = of.said(f"HTTP {found.status} {told(found.body)}")
        raise Unusable(
            f"{of.name} does not accept the key, or knows no such model or address ({said}); "
            f"check the model's name and {of.variables}"
        )
    return found


@dataclass(frozen=True)
class SentPicture:
    """The source as it is sent, its type, its size upright, and what is off with it."""

    data: bytes
    mime: str
    size: tuple[int, int]
    notes: tuple[str, ...]


def sent_picture(source: Path) -> SentPicture:
    """The source ready to be sent; one that cannot be read raises InputError."""
    picture = shown(Picture(path=str(source)))
    return SentPicture(picture.data, picture.mime, read_image(source).size, source_notes(source))


def first_picture(data: bytes, whose: str, of: int, sent: SentPicture) -> Edited:
    """The first of so many pictures in a reply, as it came, with everything that is off."""
    edited = received(data, whose, sent.size)
    return Edited(edited.image, (*sent.notes, *edited.notes, *several_notes(of)))


def several_notes(of: int) -> tuple[str, ...]:
    """What is to be said of a reply with so many pictures: nothing where it held one."""
    return (f"the reply held {of} pictures: the first is taken",) if of > 1 else ()


def told(body: bytes) -> str:
    """The message of an error's body, as most services word it; else the body's own text."""
    try:
        return _ErrorBody.model_validate_json(body).error.message
    except ValidationError:
        return body[:1000].decode("utf-8", "replace")


def _client(headers: Mapping[str, str], seconds: float) -> httpx.Client:
    """A client that follows no redirect, and asks for no compression that it cannot bound."""

    def hide(response: httpx.Response) -> None:
        # httpx makes a request of it even where nobody follows, and fails for no web address.
        response.headers.pop("Location", None)

    return httpx.Client(
        headers={**headers, "Accept-Encoding": ACCEPTED},
        timeout=seconds,
        event_hooks={"response": [hide]},
    )


def _sent(
    client: httpx.Client, request: httpx.Request, seconds: float
) -> tuple[int, bytes, str | None]:
    latest = time.monotonic() + seconds
    response = client.send(request, stream=True)
    try:
        body = bytearray()
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
    finally:
        response.close()
    return response.status_code, bytes(body), response.headers.get("Retry-After")


class _Error(BaseModel):
    message: str


class _ErrorBody(BaseModel):
    error: _Error
