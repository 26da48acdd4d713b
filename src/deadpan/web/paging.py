"""Which part of a long list a page shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """One page of a list of `total`, counted from 1; a number beyond the last is the last."""

    wanted: int
    total: int
    size: int = 50

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.size))

    @property
    def number(self) -> int:
        return min(max(1, self.wanted), self.pages)

    @property
    def start(self) -> int:
        """How many stand before it."""
        return (self.number - 1) * self.size

    @property
    def end(self) -> int:
        """How many stand before the next one."""
        return min(self.start + self.size, self.total)

    @property
    def before(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def after(self) -> int | None:
        return self.number + 1 if self.number < self.pages else None
