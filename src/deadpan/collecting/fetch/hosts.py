"""Addresses, and politeness to their hosts: spacing, pauses, retries, and giving a dead one up."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NoReturn, TypeVar

import httpx
import tenacity

from deadpan.collecting.fetch.records import FetchSettings, FetchStatus, ItemError, TransientError

DEFAULT_PORTS = {"http": 80, "https": 443}
HOST_NAME = re.compile(
    rb"(?=.{1,253}\Z)(?:[\w-]{1,63}\.)*[\w-]{1,63}\.?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
)
SECRET = re.compile(
    r"(?<=[?&])([^=&]*(?:token|secret|password|signature|sig|key|auth)[^=&]*)=[^&]*", re.IGNORECASE
)
Result = TypeVar("Result")


def web_url(text: str) -> httpx.URL:
    """The parsed URL; anything but an http or https address with a host is an `ItemError`."""
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, ValueError) as error:
        raise ItemError("refused", f"{text[:200]!r}: not a URL: {error}; correct it") from None
    if url.scheme not in DEFAULT_PORTS or not HOST_NAME.fullmatch(url.raw_host):
        what = "expected an http:// or https:// address with a host"
    elif url.port is not None and url.port not in range(1, 1 << 16):
        what = f"there is no port {url.port}"
    else:
        return url
    raise ItemError("refused", f"{printable(url)[:200]!r}: {what}")


def host_key(url: httpx.URL) -> str:
    """`host:port`, the default port of the scheme filled in."""
    return f"{url.host}:{url.port or DEFAULT_PORTS[url.scheme]}"


def printable(url: httpx.URL) -> str:
    """The URL for messages and manifests: without credentials or secret query values."""
    try:
        plain = str(url.copy_with(userinfo=b"", fragment=None))
    except httpx.InvalidURL:  # such as //name@//path, which cannot be written without the name
        plain = f"{url.scheme}://{url.host}…"
    return SECRET.sub(r"\1=***", plain)


class Host:
    """One host:port: whose turn it is, and whether it still answers."""

    def __init__(self, key: str, settings: FetchSettings) -> None:
        self.key = key
        self.interval = settings.interval
        self._settings = settings
        self._slots = asyncio.Semaphore(settings.per_host)
        self._not_before = 0.0
        self._failures = 0
        self._dead: ItemError | None = None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A slot for one request, given no sooner than spacing and pauses allow."""
        async with self._slots:
            while (wait := self._not_before - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            self.check_alive()
            self._not_before = time.monotonic() + self.interval
            yield

    def pause(self, seconds: float) -> None:
        """Keeps every request to this host back for so long."""
        self._not_before = max(self._not_before, time.monotonic() + seconds)

    def check_alive(self) -> None:
        """Raises `ItemError` host_dead or refused when the host was given up in this run."""
        if self._dead is not None:
            raise ItemError(self._dead.status, str(self._dead))

    def answered(self) -> None:
        """Notes a sound answer: failures are counted from zero again."""
        self._failures = 0

    def give_up(self, reason: str, status: FetchStatus = "host_dead") -> None:
        """Ends all that is still to be asked of this host in this run; the first reason stays."""
        advice = "; run the same command later" if status == "host_dead" else ""
        message = f"{self.key}: given up for this run: {reason}{advice}"
        self._dead = self._dead or ItemError(status, message)

    async def retry(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """The first result of an attempt at this host; once the attempts are used up, `ItemError`
        host_dead or failed. Enough items in a row that use theirs up give the host up."""
        result: Result = await tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(TransientError),
            stop=tenacity.stop_after_attempt(self._settings.attempts),
            before=lambda state: self.check_alive(),
            wait=self._wait,
            retry_error_callback=self._fail,
        )(attempt)
        return result

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """The server's wish or the back-off; a host that asked for it is paused as a whole."""
        error, settings = _failure(state), self._settings
        if error.retry_after is not None:
            wait = min(error.retry_after, settings.max_retry_after)
        else:
            growing = tenacity.wait_exponential(settings.backoff, settings.max_backoff)
            wait = growing(state) * (1 + random.random() / 2)
        if error.slow_down:
            self.pause(wait)
        return 0.0 if error.slow_down else wait

    def _fail(self, state: tenacity.RetryCallState) -> NoReturn:
        error = _failure(state)
        self._failures += 1
        if self._failures >= self._settings.dead_after:
            self.give_up(f"{self._failures} items in a row failed, the last one with {error}")
        raise ItemError(
            "host_dead" if error.unreachable or self._dead else "failed",
            f"{error}; {state.attempt_number} attempts; run the same command later",
        ) from error


def _failure(state: tenacity.RetryCallState) -> TransientError:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, TransientError)
    return error
