"""A finding of a check-up, and checks that cannot hang or end the others."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Literal

from deadpan.base.printable import visible

State = Literal["ok", "missing", "broken", "note"]
_LONGEST = 400
"""Characters of a reason that somebody else words."""
_SECRETS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: its state, what is to say of it, and commands that mend it."""

    section: str
    name: str
    state: State
    text: str
    fix: tuple[str, ...] = ()


class Check:
    """A check in a thread of its own, begun at once."""

    def __init__(
        self, section: str, name: str, look: Callable[[], Iterable[Finding]], seconds: float
    ) -> None:
        self._about = (section, name)
        self._found: SimpleQueue[list[Finding]] = SimpleQueue()
        self._seconds, self._begun = seconds, time.monotonic()
        # A daemon: a file system that never answers keeps no process from ending.
        Thread(target=self._run, args=(look,), daemon=True).start()

    def _run(self, look: Callable[[], Iterable[Finding]]) -> None:
        try:
            self._found.put(list(look()))
        # Whatever is broken here is what was looked for.
        except BaseException as error:
            self._found.put([Finding(*self._about, "broken", f"not checked: {reason(error)}")])

    def findings(self) -> list[Finding]:
        """What it finds; one that fails or takes too long is a finding itself."""
        left = self._begun + self._seconds - time.monotonic()
        try:
            return self._found.get(timeout=max(left, 0.01))
        except Empty:
            said = f"not checked: no answer in {self._seconds:g} s"
            return [Finding(*self._about, "broken", said)]


def reason(error: BaseException) -> str:
    """An error in one line of bounded length."""
    try:
        said = str(error)
    except Exception:
        said = ""
    return one_line(f"{type(error).__name__}: {said}" if said else type(error).__name__)


def one_line(text: str) -> str:
    """Somebody's words in one line that is not too long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def cleaned(findings: Sequence[Finding], fully: bool = True) -> list[Finding]:
    """The findings with nothing in them that is a key, or hides or reorders text; not `fully` where
    nothing else may be imported."""
    redact = _redactor() if fully else _redact

    def clean(text: str) -> str:
        return visible(redact(text)).replace("\n", " ")

    return [
        replace(one, name=clean(one.name), text=clean(one.text), fix=tuple(map(clean, one.fix)))
        for one in findings
    ]


def _redactor() -> Callable[[str], str]:
    """What takes credentials out of a text, in all their forms where the engine can be imported."""
    try:
        from deadpan.engine.endpoints import Redactor

        return Redactor()
    except Exception:
        return _redact


def _redact(text: str) -> str:
    named = [os.environ[one] for one in os.environ if any(word in one for word in _SECRETS)]
    for secret in sorted((one for one in named if len(one) >= 8), key=len, reverse=True):
        text = text.replace(secret, "[redacted]")
    return text
