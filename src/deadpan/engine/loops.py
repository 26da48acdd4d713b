"""Coroutines run from code that waits for them, in a notebook too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

ResultT = TypeVar("ResultT")


def off_loop(work: Callable[[], ResultT]) -> ResultT:
    """What the function returns; inside of a notebook's loop, a thread without one runs it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def run_async(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """What the coroutine returns; inside of a notebook's loop, a thread with its own runs it."""
    return off_loop(partial(asyncio.run, work))
