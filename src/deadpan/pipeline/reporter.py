"""What a pipeline says while it works: nothing, unless somebody listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deadpan.core.usage import Prices
    from deadpan.engine.asker import AskerEvents


class Reporter:
    """Hears notes, warnings and progress. This one keeps silent."""

    def note(self, text: str, style: str | None = None) -> None:
        """Something worth knowing."""

    def warn(self, text: str) -> None:
        """Something that is wrong and does not end the work."""
        self.note(text, "yellow")

    @contextmanager
    def asking(self, model: str, prices: Prices) -> Iterator[AskerEvents]:
        """A model is asked inside of the block."""
        from deadpan.engine.asker import AskerEvents

        yield AskerEvents()

    @contextmanager
    def counting(self, what: str, total: int) -> Iterator[Callable[[], None]]:
        """So many pieces of work are done inside of the block; each calls what it is given."""
        yield lambda: None


SILENT = Reporter()
