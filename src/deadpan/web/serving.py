"""A local app, served on this machine until Ctrl-C."""

from __future__ import annotations

import errno
import ipaddress
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from deadpan.base.errors import DeadpanError, MissingExtra

if TYPE_CHECKING:
    from fastapi import FastAPI

    from deadpan.web.guard import Access

LOOPBACK = "127.0.0.1"
MOST_PORT = 65_535
_CLOSING_SECONDS = 2
_BETWEEN_SECONDS = 5
"""How long a connection is kept for the next request."""
_AT_THE_DOOR = 100
"""Connections that are taken in at once: fewer than there are files to spare."""
_LONGEST_HEAD = 32_768
"""Bytes of an address and headers."""


def require_web(purpose: str) -> None:
    """Raises where what serves pages is not installed, and says how to get it."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtra(purpose, "web") from None


def open_port(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any that is free. One that cannot be had raises."""
    if not 0 <= port <= MOST_PORT:
        raise DeadpanError(f"--port {port}: expected 0 to {MOST_PORT}")
    named = host.removeprefix("[").removesuffix("]")
    if not named.strip():
        raise DeadpanError("--host: expected an address of this machine, or 0.0.0.0 for all")
    family = socket.AF_INET6 if ":" in named else socket.AF_INET
    try:
        listening = socket.create_server((named, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            what = f"--port {port}: another program listens there"
            raise DeadpanError(f"{what}; name another, or 0 for any that is free") from None
        if error.errno == errno.EACCES:
            raise DeadpanError(f"--port {port}: not allowed; name one above 1023") from None
        raise _not_here(host, error.strerror or str(error)) from None
    except (TypeError, ValueError):  # no name of a host can be made of it
        raise _not_here(host, "it is no name of a machine") from None
    # Connections inherit it. asyncio sets it only where a socket names its protocol, and without it
    # each page waits 40 ms for its reader's delayed acknowledgement.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _not_here(host: str, why: str) -> DeadpanError:
    what = f"--host {host}: cannot listen there ({why.partition(' (while')[0]})"
    return DeadpanError(f"{what}; name an address of this machine, such as {LOOPBACK}")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def hosts_of(host: str) -> tuple[str, ...]:
    """The names under which an app may be asked that listens there; `*` is any address."""
    with suppress(ValueError):
        if ipaddress.ip_address(host).is_unspecified:
            return ("*", socket.gethostname().lower())
    return (host.lower(),)


def address(host: str, access: Access) -> str:
    """What to open in a browser, with the token."""
    shown = host
    with suppress(ValueError):
        if ipaddress.ip_address(host).is_unspecified:
            shown = LOOPBACK
    return f"http://{in_address(shown)}:{access.port}/?token={access.token}"


def in_address(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def serve(
    app: FastAPI,
    listening: socket.socket,
    begin: Callable[[], None] = lambda: None,
    behind_proxy: bool = False,
) -> None:
    """Serves until Ctrl-C. Requests are not logged: addresses may hold tokens. Who asks is told by
    a proxy on this machine where there is one. Connections that ask for nothing are closed."""
    import uvicorn

    from deadpan.web.connections import Connection, OnceInAWhile, raise_file_limit

    Connection.most = raise_file_limit()
    logging.getLogger("asyncio").addFilter(OnceInAWhile())
    config = uvicorn.Config(
        app,
        http=Connection,
        h11_max_incomplete_event_size=_LONGEST_HEAD,
        timeout_keep_alive=_BETWEEN_SECONDS,
        backlog=_AT_THE_DOOR,
        access_log=False,
        log_level="error",
        server_header=False,
        date_header=True,
        ws="none",
        proxy_headers=behind_proxy,
        forwarded_allow_ips=LOOPBACK,
        timeout_graceful_shutdown=_CLOSING_SECONDS,
    )
    begin()
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
