"""Connections that say nothing: they are closed after a while, or when others need their place.

A server can hold as many connections as it may open files. One that sends half a request costs its
sender nothing, so a request has to be asked within some seconds; when all places are taken, those
give way that ask for nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

ASKING_SECONDS = 15
"""How long a browser may take to say what it wants."""
MOST_FILES = 65_536
_OTHER_FILES = 128
"""Files that are open besides: the database, pictures, logs."""
_QUIET_SECONDS = 60


def raise_file_limit() -> int:
    """Lets this process open as many files as it is allowed to, and returns how many connections
    that leaves room for."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 400
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    most = MOST_FILES if soft == resource.RLIM_INFINITY else soft
    return max(_OTHER_FILES, min(most, MOST_FILES) - _OTHER_FILES)


class Connection(H11Protocol):
    """A connection that has to ask for something."""

    most = 400
    """How many there may be at once."""
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > self.most:
            others = (one for one in self.connections if isinstance(one, Connection))
            idle = next((one for one in others if one is not self and one.is_idle), self)
            idle.give_up()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def give_up(self) -> None:
        """Ends the connection, unless something is being answered."""
        self._waiting = None
        if self.is_idle:
            self.connections.discard(self)  # its place is free at once
            self.transport.abort()

    def _watch(self) -> None:
        if not self.is_idle:
            self._unwatch()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(ASKING_SECONDS, self.give_up)

    def _unwatch(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class OnceInAWhile(logging.Filter):
    """Lets the event loop say once a minute that it cannot take another connection: it would fill
    the disk."""

    def __init__(self) -> None:
        super().__init__()
        self._said = -float(_QUIET_SECONDS)

    def filter(self, record: logging.LogRecord) -> bool:
        if "socket.accept()" not in record.getMessage():
            return True
        now = time.monotonic()
        if now - self._said < _QUIET_SECONDS:
            return False
        self._said = now
        return True
