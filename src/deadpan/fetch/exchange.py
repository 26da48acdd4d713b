"""One request and its response, in turn, with the failures that may be repeated told apart."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import httpx

from deadpan.fetch.addresses import shown, web_url
from deadpan.fetch.errors import ItemError, TransientError
from deadpan.fetch.hosts import HostTable
from deadpan.fetch.retries import retry_after_seconds, utc_now
from deadpan.fetch.settings import FetchSettings

BUSY = frozenset({408, 425, 429})
ACCEPT = "text/html,image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5"


@cache
def tls_context() -> ssl.SSLContext:
    """The trusted certificates, loaded once: that takes longer than many a request."""
    return httpx.create_ssl_context()


def new_client(settings: FetchSettings) -> httpx.AsyncClient:
    """A client that says who it is and leaves redirects to the caller."""
    return httpx.AsyncClient(
        headers={"User-Agent": settings.user_agent, "Accept": ACCEPT},
        timeout=settings.timeout,
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
        transport=settings.transport,
        verify=tls_context(),
        follow_redirects=False,
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
            except TimeoutError:
                raise TransientError(f"{shown(url)}: no whole answer in {limit:g} s") from None
            except httpx.RequestError as error:
                raise _transient(url, error) from error
            host.answered()


def redirect_target(response: httpx.Response, url: httpx.URL) -> httpx.URL | None:
    """Where a redirect leads; None when the response is none."""
    if not response.has_redirect_location:
        return None
    location = response.headers["Location"]
    try:
        return web_url(str(url.join(location)))
    except (httpx.InvalidURL, ItemError) as error:
        raise ItemError(
            "failed", f"{shown(url)}: redirects to {location[:200]!r}: {error}"
        ) from None


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
