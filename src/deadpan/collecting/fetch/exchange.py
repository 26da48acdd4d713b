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
from deadpan.collecting.fetch.hosts import Host, host_key, printable, web_url
from deadpan.collecting.fetch.records import FetchSettings, ItemError, TransientError

BUSY = frozenset({408, 425, 429})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
UNREACHABLE = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)
LOCATION = "location"
"""The extension of a response that holds where it redirects to."""
ACCEPT = "text/html,image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5"


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
        self.client = httpx.AsyncClient(
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

    def host(self, url: httpx.URL) -> Host:
        """The host of a URL, made when first met."""
        key = host_key(url)
        if key not in self._hosts:
            self._hosts[key] = Host(key, self.settings)
        return self._hosts[key]

    @asynccontextmanager
    async def response(
        self, url: httpx.URL, referer: httpx.URL | None = None
    ) -> AsyncIterator[httpx.Response]:
        """A response to be read inside the block; `TransientError` for what may be repeated."""
        host = self.host(url)
        headers = {"Referer": printable(referer)} if referer else {}
        limit = self.settings.request_timeout
        async with host.turn():
            try:
                if not self.settings.allow_private:
                    check_literal(url.host)
                async with (
                    asyncio.timeout(limit),
                    self.client.stream("GET", url, headers=headers) as response,
                ):
                    _check_busy(response, url)
                    yield response
            except ItemError:
                host.answered()
                raise
            except NotPublic as error:
                what = f"{printable(url)}: {error}; --allow-private asks it"
                raise ItemError("refused", what) from None
            except TimeoutError:
                raise TransientError(f"{printable(url)}: no whole answer in {limit:g} s") from None
            except httpx.RequestError as error:
                what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
                unreachable = isinstance(error, UNREACHABLE)
                raise TransientError(
                    f"{printable(url)}: {what}", unreachable=unreachable
                ) from error
            host.answered()


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


async def decoded_body(response: httpx.Response, url: httpx.URL) -> AsyncIterator[bytes]:
    """The body in small pieces, decompressed step by step where it is compressed."""
    try:
        decoder = BodyDecoder(response.headers.get("Content-Encoding"))
        async for chunk in response.aiter_raw():
            for piece in decoder.pieces(chunk):
                yield piece
        decoder.finish()
    except UnknownEncoding as error:
        raise ItemError("failed", f"{printable(url)}: {error}") from None
    except Undecodable as error:
        raise TransientError(f"{printable(url)}: {error}") from None


async def _put_location_aside(response: httpx.Response) -> None:
    """Hides where a redirect leads from httpx, which makes a request of it even where nobody
    follows, and fails for what is no web address."""
    if "Location" in response.headers:
        response.extensions[LOCATION] = response.headers.pop("Location")


def _check_busy(response: httpx.Response, url: httpx.URL) -> None:
    status = response.status_code
    if status not in BUSY and status < 500:
        return
    wish = retry_after_seconds(response.headers.get("Retry-After"), utc_now())
    raise TransientError(
        f"{printable(url)}: HTTP {status}",
        slow_down=status == 429 or wish is not None,
        retry_after=wish,
    )
