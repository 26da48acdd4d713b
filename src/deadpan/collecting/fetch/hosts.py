"""Per-host politeness: spacing, concurrency, pauses, and giving a dead host up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from deadpan.collecting.fetch.addresses import host_key
from deadpan.collecting.fetch.errors import ItemError
from deadpan.collecting.fetch.records import FetchStatus
from deadpan.collecting.fetch.settings import FetchSettings


class Host:
    """One host:port: whose turn it is, and whether it still answers."""

    def __init__(self, key: str, settings: FetchSettings) -> None:
        self.key = key
        self.interval = settings.interval
        self._dead_after = settings.dead_after
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

    @property
    def dead(self) -> bool:
        """Whether the host was given up in this run."""
        return self._dead is not None

    def answered(self) -> None:
        """Notes a sound answer: failures are counted from zero again."""
        self._failures = 0

    def exhausted(self, reason: str) -> None:
        """Notes an item whose attempts all failed; enough of them in a row give the host up."""
        self._failures += 1
        if self._failures >= self._dead_after:
            self.give_up(f"{self._failures} items in a row failed, the last one with {reason}")

    def give_up(self, reason: str, status: FetchStatus = "host_dead") -> None:
        """Ends all that is still to be asked of this host in this run; the first reason stays."""
        advice = "; run the same command later" if status == "host_dead" else ""
        told = f"{self.key}: given up for this run: {reason}{advice}"
        self._dead = self._dead or ItemError(status, told)


class HostTable:
    """The hosts of a run, made when first met."""

    def __init__(self, settings: FetchSettings) -> None:
        self._settings = settings
        self._hosts: dict[str, Host] = {}

    def of(self, url: httpx.URL) -> Host:
        """The host of a URL."""
        key = host_key(url)
        if key not in self._hosts:
            self._hosts[key] = Host(key, self._settings)
        return self._hosts[key]
