"""What a call did, where in the input and how often: never what it was, nor its new name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pydantic import BaseModel, computed_field

from deadpan.collecting.anonymise.records import Replaced
from deadpan.collecting.anonymise.sources import Entry, Problem


class Removed(Entry):
    """How many pieces of metadata of a kind a file had."""

    kind: str
    count: int


class Note(Entry):
    """Something done to a file that its contributor should know."""

    what: str


class Flag(Entry):
    """Something that a picture shows, for a person to look at."""

    may_be: str
    what: str


class ModelCounts(BaseModel):
    """What a model's second look came to: texts asked about, those without a usable reply
    and why one of them is, spans that do not stand in their text."""

    asked: int
    unanswered: int
    dropped: int
    reason: str = ""


class Report(BaseModel):
    """What was replaced, where in the input and how often; never what it was, never the new name
    of a file. Keep it with the input."""

    media_read: int = 0
    media_written: int = 0
    records_read: int = 0
    records_written: int = 0
    replaced: list[Replaced] = []
    removed: list[Removed] = []
    notes: list[Note] = []
    flags: list[Flag] = []
    not_looked_for: list[str] = []
    undecided: int = 0
    model: ModelCounts | None = None
    problems: list[Problem] = []
    output: str = ""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def replaced_by_kind(self) -> dict[str, int]:
        """How often each kind was replaced in texts."""
        return _totals(self.replaced)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def removed_by_kind(self) -> dict[str, int]:
        """How many pieces of each kind of metadata were left behind."""
        return _totals(self.removed)


def _totals(found: Iterable[Replaced | Removed]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in found:
        total[one.kind] += one.count
    return dict(total.most_common())
