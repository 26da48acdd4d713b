"""Connections to public addresses only: what others wrote must not reach into this network."""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
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


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """The wait that a Retry-After header asks for, never negative; None when unreadable."""
    value = (header or "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds())


def utc_now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


ACCEPTED = "gzip, deflate"
"""What to ask servers for: what can be decoded in steps without another library."""
STEP = 1 << 16
"""The most bytes that come at once."""
_HEAD = 2
"""Bytes that tell how a deflated body is framed."""


class Undecodable(Exception):
    """A body that is not what its Content-Encoding says, or ends too early."""


class UnknownEncoding(Exception):
    """A Content-Encoding that nobody asked for."""


class BodyDecoder:
    """Turns the pieces of a body as it came into pieces of what it says."""

    def __init__(self, encoding: str | None) -> None:
        name = (encoding or "identity").strip().lower()
        if name not in ("identity", "gzip", "x-gzip", "deflate"):
            what = f"the answer is encoded as {name[:40]!r}; asked for {ACCEPTED}"
            raise UnknownEncoding(what)
        self._is_encoded, self._head = name != "identity", b""
        self._stream = None if name == "deflate" else zlib.decompressobj(16 + zlib.MAX_WBITS)

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        """What a piece of the body decodes to, never more than STEP bytes at once."""
        if not self._is_encoded:
            for start in range(0, len(chunk), STEP):
                yield chunk[start : start + STEP]
            return
        left, self._head = self._head + chunk, b""
        if self._stream is None:
            if len(left) < _HEAD:
                self._head = left
                return
            # A deflated body stands in zlib's frame, or bare, as some servers send it.
            framed = left[0] & 0x0F == zlib.DEFLATED and int.from_bytes(left[:_HEAD]) % 31 == 0
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if framed else -zlib.MAX_WBITS)
        while not self._stream.eof:
            try:
                piece = self._stream.decompress(left, STEP)
            except zlib.error as error:
                raise Undecodable(f"the answer cannot be decompressed ({error})") from None
            left = self._stream.unconsumed_tail
            if piece:
                yield piece
            if not left and len(piece) < STEP:
                return

    def finish(self) -> None:
        """Raises Undecodable where the body was cut off."""
        if self._is_encoded and not (self._stream and self._stream.eof):
            raise Undecodable("the compressed answer is cut off")
