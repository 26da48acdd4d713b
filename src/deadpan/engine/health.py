"""Whether a model still answers: where nothing succeeds for a while, a run ends with the reason."""

from __future__ import annotations

import time

from deadpan.base.errors import DeadpanError

FIRST_FAILURES = 20
"""Questions that may fail for good before any succeeded."""


class GaveUp(DeadpanError):
    """A model that stopped answering: questions remain, as where some failed."""

    exit_code = 1


class Health:
    """Counts successes and failures of calls; `failed` and `lost` raise once it is hopeless."""

    def __init__(self, give_up: int, model: str) -> None:
        self._give_up, self._model = give_up, model
        self._last_success = time.monotonic()
        self._succeeded = 0
        self._lost = 0
        self._in_flight = 0

    def __enter__(self) -> None:
        """A call begins. Time in which nothing was asked does not count as silence."""
        if not self._in_flight:
            self._last_success = time.monotonic()
        self._in_flight += 1

    def __exit__(self, *_: object) -> None:
        """The call is over, however it ended."""
        self._in_flight -= 1

    def succeeded(self) -> None:
        """A call came back with a reply."""
        self._last_success = time.monotonic()
        self._succeeded += 1

    def lost(self, reason: str) -> None:
        """A question failed for good."""
        reason = reason.rstrip(".")
        self._lost += 1
        if self._give_up and not self._succeeded and self._lost >= FIRST_FAILURES:
            raise GaveUp(
                f"{self._model}: the first {self._lost} questions all failed: {reason}. Mend that, "
                "and run the same command again; --give-up 0 goes on all the same."
            )
        self.failed(reason)

    def failed(self, reason: str) -> None:
        """A try failed."""
        reason = reason.rstrip(".")
        if not self._give_up:
            return
        silent = time.monotonic() - self._last_success
        if silent >= self._give_up:
            longer = "--give-up SECONDS waits longer"
            if "timeout" in reason.casefold():
                longer += ", --timeout SECONDS gives each call more time"
            raise GaveUp(
                f"{self._model} has not answered for {silent:.0f} s: {reason}. What was answered "
                f"is kept: run the same command again later; {longer}."
            )

    def will_wait(self, seconds: float, reason: str) -> None:
        """A server asks to wait; one that asks for more than is allowed ends the run."""
        if self._give_up and seconds > self._give_up:
            raise GaveUp(
                f"{self._model} asks to wait {seconds:.0f} s: {reason}. What was answered is kept: "
                "run the same command again then; --give-up SECONDS waits that long."
            )
