"""Polite requests: addresses checked, hosts asked in turn, failures told apart and repeated."""

from __future__ import annotations

import asyncio
import random
import re
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import NoReturn, TypeVar

import httpx
import tenacity

from deadpan.base import http
from deadpan.collecting.fetch.records import FetchSettings, FetchStatus, ItemError, TransientError

BUSY = frozenset({408, 425, 429})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
UNREACHABLE = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)
LOCATION = "location"  # the extension of a response that holds where it redirects to
ACCEPT = "text/html,image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5"
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


def printable(url: httpx.URL | str) -> str:
    """The URL without credentials or secret query values; a text that is no URL stays as it is."""
    try:
        url = httpx.URL(url.strip()) if isinstance(url, str) else url
    except (httpx.InvalidURL, ValueError):
        return str(url)
    try:
        plain = str(url.copy_with(userinfo=b"", fragment=None))
    except httpx.InvalidURL:  # such as //name@//path, which cannot be written without the name
        plain = f"{url.scheme}://{url.host}…"
    return SECRET.sub(r"\1=***", plain)


class Host:
    """One host:port: whose turn it is, and whether it still answers."""

    def __init__(self, key: str, settings: FetchSettings) -> None:
        self.key, self.interval, self._settings = key, settings.interval, settings
        self._slots = asyncio.Semaphore(settings.per_host)
        self._not_before = 0.0
        self.failures = 0
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
        self.failures += 1
        if self.failures >= self._settings.dead_after:
            self.give_up(f"{self.failures} items in a row failed, the last one with {error}")
        raise ItemError(
            "host_dead" if error.unreachable or self._dead else "failed",
            f"{error}; {state.attempt_number} attempts; run the same command later",
        ) from error


def _failure(state: tenacity.RetryCallState) -> TransientError:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, TransientError)
    return error


@cache
def tls_context() -> ssl.SSLContext:
    """The trusted certificates, loaded once: that takes longer than many a request."""
    return httpx.create_ssl_context()


class Exchange:
    """Requests to the hosts of a run, each in its host's turn, by a client that says who it is,
    leaves redirects to the caller and connects as settings say."""

    def __init__(self, settings: FetchSettings) -> None:
        self.settings = settings
        self._hosts: dict[str, Host] = {}
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        guarded = settings.transport is None and not settings.allow_private
        public = http.PublicTransport(tls_context(), limits) if guarded else None
        agent = {"User-Agent": settings.user_agent}
        self.client = httpx.AsyncClient(
            headers={**agent, "Accept": ACCEPT, "Accept-Encoding": http.ACCEPTED},
            timeout=settings.timeout,
            limits=limits,
            transport=public or settings.transport,
            mounts=http.environment_proxies(tls_context()) if guarded else None,
            verify=tls_context(),
            follow_redirects=False,
            event_hooks={"response": [_put_location_aside]},
        )

    def host(self, url: httpx.URL) -> Host:
        """The host of a URL, made when first met."""
        key = host_key(url)
        return self._hosts.setdefault(key, Host(key, self.settings))

    @asynccontextmanager
    async def response(
        self, url: httpx.URL, referer: httpx.URL | None = None
    ) -> AsyncIterator[httpx.Response]:
        """A response to be read inside the block; `TransientError` for what may be repeated."""
        host, where = self.host(url), printable(url)
        headers = {"Referer": printable(referer)} if referer else {}
        limit = self.settings.request_timeout
        async with host.turn():
            try:
                if not self.settings.allow_private:
                    http.check_literal(url.host)
                async with (
                    asyncio.timeout(limit),
                    self.client.stream("GET", url, headers=headers) as response,
                ):
                    if (status := response.status_code) in BUSY or status >= 500:
                        asked = response.headers.get("Retry-After")
                        wish = http.retry_after_seconds(asked, http.utc_now())
                        slow_down = status == 429 or wish is not None
                        raise TransientError(
                            f"{where}: HTTP {status}", slow_down=slow_down, retry_after=wish
                        )
                    yield response
            except ItemError:
                host.failures = 0
                raise
            except http.NotPublic as error:
                what = f"{where}: {error}; --allow-private asks it"
                raise ItemError("refused", what) from None
            except TimeoutError:
                raise TransientError(f"{where}: no whole answer in {limit:g} s") from None
            except httpx.RequestError as error:
                what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
                unreachable = isinstance(error, UNREACHABLE)
                raise TransientError(f"{where}: {what}", unreachable=unreachable) from error
            host.failures = 0


def redirect_target(response: httpx.Response, url: httpx.URL) -> httpx.URL | None:
    """Where a redirect leads; None when the response is none."""
    location: str | None = response.extensions.get(LOCATION)
    if location is None or response.status_code not in REDIRECTS:
        return None
    try:
        return web_url(str(url.join(location)))
    except (httpx.InvalidURL, ValueError, ItemError) as error:
        what = f"{printable(url)}: redirects to {location[:200]!r}: {error}"
        raise ItemError("refused", what) from None


async def decode_body(response: httpx.Response, url: httpx.URL) -> AsyncIterator[bytes]:
    """The body in small pieces, decompressed step by step where it is compressed."""
    try:
        decoder = http.BodyDecoder(response.headers.get("Content-Encoding"))
        async for chunk in response.aiter_raw():
            for piece in decoder.pieces(chunk):
                yield piece
        decoder.finish()
    except http.UnknownEncoding as error:
        raise ItemError("failed", f"{printable(url)}: {error}") from None
    except http.Undecodable as error:
        raise TransientError(f"{printable(url)}: {error}") from None


async def _put_location_aside(response: httpx.Response) -> None:
    # httpx makes a request of it even where nobody follows, and fails for no web address.
    if "Location" in response.headers:
        response.extensions[LOCATION] = response.headers.pop("Location")
