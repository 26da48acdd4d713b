"""Modules tried by importing them in other processes, which may crash or hang."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

_SCRIPT = Path(__file__).with_name("importing.py")
_OURS = Path(__file__).parents[2]
MODULE_SECONDS = 60.0
"""How long one module may take: torch on a slow disk takes twenty."""
_LAST_SECONDS = 2.0


@dataclass(frozen=True)
class Imported:
    """How an import went: what is wrong, if anything, and the GPUs that torch sees."""

    error: str | None = None
    gpus: tuple[str, ...] = ()


def import_each(
    modules: Sequence[str], seconds: float = MODULE_SECONDS
) -> Iterator[tuple[str, Imported]]:
    """How each import went. A module that ends the process or hangs costs itself alone."""
    left = list(modules)
    while left:
        process = _begun(left)
        lines: SimpleQueue[str | None] = SimpleQueue()
        Thread(target=_read, args=(process, lines), daemon=True).start()
        try:
            while left:
                told = _next(lines, seconds)
                if told is None:
                    yield left.pop(0), Imported(_ending(process, seconds))
                    break
                if not told.get("begun"):
                    left.remove(told["module"])
                    gpus = tuple(told.get("gpus") or ())
                    yield told["module"], Imported(told["error"], gpus)
        finally:
            process.kill()
            process.wait()


def _begun(modules: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", str(_SCRIPT), str(_OURS), *modules],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
    )


def _read(process: subprocess.Popen[str], lines: SimpleQueue[str | None]) -> None:
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        for line in process.stdout:
            lines.put(line)
    lines.put(None)


def _next(lines: SimpleQueue[str | None], seconds: float) -> dict[str, Any] | None:
    """What is told next; None where nothing is, or nothing that can be read."""
    with suppress(Empty, ValueError, TypeError):
        told: dict[str, Any] = json.loads(lines.get(timeout=seconds) or "")
        return told
    return None


def _ending(process: subprocess.Popen[str], seconds: float) -> str:
    """Why a process says nothing more."""
    try:
        code = process.wait(timeout=_LAST_SECONDS)
    except subprocess.TimeoutExpired:
        return f"the import is not done after {seconds:g} s"
    how = f"status {code}"
    with suppress(ValueError):
        how = signal.Signals(-code).name if code < 0 else how
    return f"the import ends Python ({how})"
