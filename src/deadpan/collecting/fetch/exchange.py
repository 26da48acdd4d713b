"""One request and its response, in turn, with the failures that may be repeated told apart."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import httpx

from deadpan.base.bounded_bodies import ACCEPTED, BodyDecoder, Undecodable, UnknownEncoding
from deadpan.base.public_addresses import (
    NotPublic,
    PublicTransport,
    check_literal,
    environment_proxies,
)
from deadpan.base.retry_after import retry_after_seconds, utc_now
from deadpan.collecting.fetch.addresses import shown, web_url
from deadpan.collecting.fetch.errors import ItemError, TransientError
from deadpan.collecting.fetch.hosts import HostTable
from deadpan.collecting.fetch.settings import FetchSettings

BUSY = frozenset({408, 425, 429})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
LOCATION = "location"
"""The extension of a response that holds where it redirects to."""
ACCEPT = "text/html,image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5"


@cache
def tls_context() -> ssl.SSLContext:
    """The trusted certificates, loaded once: that takes longer than many a request."""
    return httpx.create_ssl_context()


def new_client(settings: FetchSettings) -> httpx.AsyncClient:
    """A client that says who it is, leaves redirects to the caller and connects as settings say."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    guarded = settings.transport is None and not settings.allow_private
    return httpx.AsyncClient(
        headers={
            "User-Agent": settings.user_agent,
            "Accept": ACCEPT,
            "Accept-Encoding": ACCEPTED,
        },
        timeout=settings.timeout,
        limits=limits,
        transport=PublicTransport(tls_context(), limits) if guarded else settings.transport,
        mounts=environment_proxies(tls_context()) if guarded else None,
        verify=tls_context(),
        follow_redirects=False,
        event_hooks={"response": [_put_location_aside]},
    )


class Exchange:
    """Requests to the hosts of a run, each in its host's turn."""

    def __init__(
        self, client: httpx.AsyncClient, hosts: HostTable, settings: FetchSettings
    ) -> None:
        self._client = client
        self._settings = settings
        self.hosts = hosts

    @asynccontextmanager
    async def response(
        self, url: httpx.URL, referer: httpx.URL | None = None
    ) -> AsyncIterator[httpx.Response]:
        """A response to be read inside the block; `TransientError` for what may be repeated."""
        host = self.hosts.of(url)
        if not self._settings.allow_private:
            _check_public(url)
        headers = {"Referer": shown(referer)} if referer else {}
        limit = self._settings.request_timeout
        async with host.turn():
            try:
                async with (
                    asyncio.timeout(limit),
                    self._client.stream("GET", url, headers=headers) as response,
                ):
                    _check_busy(response, url)
                    yield response
            except ItemError:
                host.answered()
                raise
            except NotPublic as error:
                raise _refused(url, error) from None
            except TimeoutError:
                raise TransientError(f"{shown(url)}: no whole answer in {limit:g} s") from None
            except httpx.RequestError as error:
                raise _transient(url, error) from error
            host.answered()


def redirect_target(response: httpx.Response, url: httpx.URL) -> httpx.URL | None:
    """Where a redirect leads; None when the response is none."""
    location: str | None = response.extensions.get(LOCATION)
    if location is None or response.status_code not in REDIRECTS:
        return None
    try:
        return web_url(str(url.join(location)))
    except (httpx.InvalidURL, ValueError, ItemError) as error:
        raise ItemError(
            "refused", f"{shown(url)}: redirects to {location[:200]!r}: {error}"
        ) from None


async def decoded_body(response: httpx.Response, url: httpx.URL) -> AsyncIterator[bytes]:
    """The body in small pieces, decompressed step by step where it is compressed."""
    try:
        decoder = BodyDecoder(response.headers.get("Content-Encoding"))
        async for chunk in response.aiter_raw():
            for piece in decoder.pieces(chunk):
                yield piece
        decoder.finish()
    except UnknownEncoding as error:
        raise ItemError("failed", f"{shown(url)}: {error}") from None
    except Undecodable as error:
        raise TransientError(f"{shown(url)}: {error}") from None


async def _put_location_aside(response: httpx.Response) -> None:
    """Hides where a redirect leads from httpx, which makes a request of it even where nobody
    follows, and fails for what is no web address."""
    if "Location" in response.headers:
        response.extensions[LOCATION] = response.headers.pop("Location")


def _check_public(url: httpx.URL) -> None:
    try:
        check_literal(url.host)
    except NotPublic as error:
        raise _refused(url, error) from None


def _refused(url: httpx.URL, error: NotPublic) -> ItemError:
    return ItemError("refused", f"{shown(url)}: {error}; --allow-private asks it")


def _check_busy(response: httpx.Response, url: httpx.URL) -> None:
    status = response.status_code
    if status not in BUSY and status < 500:
        return
    wish = retry_after_seconds(response.headers.get("Retry-After"), utc_now())
    raise TransientError(
        f"{shown(url)}: HTTP {status}",
        slow_down=status == 429 or wish is not None,
        retry_after=wish,
    )


def _transient(url: httpx.URL, error: httpx.RequestError) -> TransientError:
    unreachable = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return TransientError(f"{shown(url)}: {what}", unreachable=unreachable)
