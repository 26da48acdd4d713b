"""Work that ends whoever does it."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def turned_round(batch: bytes) -> bytes:
    return batch[::-1]


def ends_its_worker(batch: bytes) -> bytes:
    if batch == b"end":
        os.kill(os.getpid(), signal.SIGKILL)
    return batch


def ends_once(batch: bytes) -> bytes:
    """Ends the first worker that comes to the third batch; the file remembers."""
    name, _, number = batch.decode().partition("\n")
    if number == "3" and not Path(name).exists():
        Path(name).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number.encode()
