"""What a curation tells while it works."""

from __future__ import annotations


class CurationEvents:
    """What is told; every method may be left as it is."""

    def began(self, stage: str, total: int | None, what: str) -> None:
        """A stage begins with so many things to do, or nobody knows how many."""

    def advanced(self, count: int = 1) -> None:
        """So many of them are done."""

    def ended(self, told: str) -> None:
        """The stage is done; `told` says what came of it."""
