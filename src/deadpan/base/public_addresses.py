"""Connections to public addresses only: what others wrote must not reach into this network."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from socket import SOCK_STREAM
from urllib.request import getproxies

import httpcore
import httpx

_TRANSLATED = IPv6Network("64:ff9b::/96")
"""Where networks without IPv4 put the IPv4 addresses of others (NAT64)."""


class NotPublic(Exception):
    """A host that is, or resolves to, an address of no public machine."""

    def __init__(self, host: str, address: str) -> None:
        where = host if host == address else f"{host} ({address})"
        super().__init__(f"{where} is a private, local or reserved address")


def is_public(address: str) -> bool:
    """Whether an IP address is one that anybody on the Internet can reach.

    Private, loopback, link-local (where clouds keep their metadata), multicast and reserved ones
    are not, in whatever way IPv6 wraps them.
    """
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        translated = IPv4Address(int(found) & 0xFFFFFFFF) if found in _TRANSLATED else None
        found = translated or found.ipv4_mapped or found.sixtofour or found
    return found.is_global and not (found.is_multicast or found.is_reserved)


def check_literal(host: str) -> None:
    """Raises NotPublic for a host that is itself an address, and no public one."""
    with suppress(ValueError):
        if not is_public(host):
            raise NotPublic(host, host)


class PublicTransport(httpx.AsyncHTTPTransport):
    """Connects to public addresses only. A name is resolved once, and the connection goes to the
    very address that was checked, so that a name cannot turn into another address in between."""

    def __init__(self, verify: ssl.SSLContext, limits: httpx.Limits) -> None:
        super().__init__(verify=verify, limits=limits)
        # httpx has no way to say how connections are made; its pool has.
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=verify,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=_PublicNetwork(),
        )


def environment_proxies(verify: ssl.SSLContext) -> dict[str, httpx.AsyncBaseTransport | None]:
    """The proxies that the environment names, as httpx mounts them; None for hosts without one.

    A proxy resolves names itself, so that its own rules decide about the addresses behind them.
    """
    named = getproxies()
    direct = [host.strip() for host in named.get("no", "").split(",") if host.strip()]
    if "*" in direct:
        return {}
    mounts: dict[str, httpx.AsyncBaseTransport | None] = {}
    for scheme in ("http", "https", "all"):
        if address := named.get(scheme):
            proxy = address if "://" in address else f"http://{address}"
            mounts[f"{scheme}://"] = httpx.AsyncHTTPTransport(verify=verify, proxy=proxy)
    return mounts | {_pattern(host): None for host in direct} if mounts else {}


def _pattern(host: str) -> str:
    """The httpx pattern of an entry of NO_PROXY: a name stands for all below it too."""
    if "://" in host:
        return host
    try:
        literal = ip_address(host)
    except ValueError:
        return f"all://{host}" if host.lower() == "localhost" else f"all://*{host}"
    return f"all://[{host}]" if literal.version == 6 else f"all://{host}"


class _PublicNetwork(httpcore.AnyIOBackend):
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to the first address of the host that answers; all must be public."""
        failed: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in await _resolve(host, port, timeout):
            try:
                return await super().connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed


async def _resolve(host: str, port: int, timeout: float | None) -> list[str]:
    """The host's addresses; one that is not public raises NotPublic."""
    try:
        async with asyncio.timeout(timeout):
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=SOCK_STREAM)
    except TimeoutError:
        raise httpcore.ConnectTimeout(f"{host} is not resolved in {timeout:g} s") from None
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"{host} cannot be resolved ({error})") from error
    addresses = list(dict.fromkeys(str(place[4][0]) for place in found))
    for address in addresses:
        if not is_public(address):
            raise NotPublic(host, address)
    return addresses
