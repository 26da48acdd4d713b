"""Repeated attempts with back-off, until the attempts are used up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from deadpan.collecting.fetch.errors import ItemError, TransientError
from deadpan.collecting.fetch.hosts import Host
from deadpan.collecting.fetch.settings import FetchSettings

Result = TypeVar("Result")


def wait_before(attempt: int, error: TransientError, settings: FetchSettings) -> float:
    """The wait after the given failed attempt (1 = first): the server's wish or the back-off."""
    if error.retry_after is not None:
        return min(error.retry_after, settings.max_retry_after)
    exponential = min(settings.backoff * 2.0 ** (attempt - 1), settings.max_backoff)
    return exponential * (1 + random.random() / 2)


async def with_retries(
    attempt: Callable[[], Awaitable[Result]], host: Host, settings: FetchSettings
) -> Result:
    """The first result; `ItemError` host_dead or failed once the attempts are used up."""
    for number in range(1, settings.attempts + 1):
        host.check_alive()
        try:
            return await attempt()
        except TransientError as error:
            wait = wait_before(number, error, settings)
            if error.slow_down:
                host.pause(wait)
            if number == settings.attempts:
                host.exhausted(str(error))
                raise ItemError(
                    "host_dead" if error.unreachable or host.dead else "failed",
                    f"{error}; {number} attempts; run the same command later",
                ) from error
            if not error.slow_down:
                await asyncio.sleep(wait)
    raise AssertionError("settings.attempts is at least 1")
