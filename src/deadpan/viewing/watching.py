"""The newest snapshot, taken again in the background while sources are written to."""

from __future__ import annotations

import threading
import time

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import reason
from deadpan.reports.section import Section
from deadpan.viewing.snapshots import Snapshot, Snapshots

LOOK_SECONDS = 1.0
"""How often files are looked at."""
SHARE = 0.25
"""How much of the time may go into taking snapshots."""


class Watch:
    """Holds the newest snapshot. One that takes long is taken less often."""

    def __init__(self, snapshots: Snapshots) -> None:
        self.snapshots = snapshots
        self.snapshot: Snapshot = snapshots.take()
        self.problem = ""
        """Why the newest answers cannot be shown; nothing where they are."""
        self._taking = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def look(self) -> float:
        """Takes a snapshot where something has changed; how many seconds that took."""
        began = time.monotonic()
        with self._taking:
            try:
                if self.snapshots.changed():
                    self.snapshot = self.snapshots.take()
                self.problem = ""
            except DeadpanError as error:
                self.problem = str(error)
            except Exception as error:  # of a thread that nobody waits for: told in the page
                self.problem = reason(error)
        return time.monotonic() - began

    def sections(self) -> list[Section]:
        """What a report of the newest answers is made of."""
        with self._taking:
            return self.snapshots.sections()

    def start(self) -> None:
        """Begins to look, in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        pause = LOOK_SECONDS
        while not self._stop.wait(pause):
            pause = max(LOOK_SECONDS, self.look() * (1 / SHARE - 1))

    def stop(self) -> None:
        """Ends looking."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=10)
