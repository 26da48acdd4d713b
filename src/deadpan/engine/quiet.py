"""Silence for the warnings of providers' libraries, which quote what a server said."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any


class _Silence:
    """No warning is shown while any call is in flight: a server may put the key into what a warning
    quotes. Calls overlap, in several threads too: the last one that ends it gives back what was."""

    def __init__(self) -> None:
        self._lock, self._calls = Lock(), 0
        self._usual: Any = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if not self._calls:
                self._usual, warnings.showwarning = warnings.showwarning, _not_shown
            self._calls += 1
        try:
            yield
        finally:
            with self._lock:
                self._calls -= 1
                if not self._calls and warnings.showwarning is _not_shown:
                    warnings.showwarning = self._usual


def _not_shown(*_: object, **__: object) -> None:
    """In the place of `warnings.showwarning`."""


silent_warnings = _Silence()
