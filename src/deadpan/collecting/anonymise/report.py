"""What was replaced, where and how often; never what it was, never the new name of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, computed_field


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)

    where: str


class Replaced(_Frozen):
    """How often something of a kind was replaced in a field of a record."""

    field: str
    kind: str
    count: int


class Removed(_Frozen):
    """How many pieces of metadata of a kind a file had."""

    kind: str
    count: int


class Note(_Frozen):
    """Something done to a file that its contributor should know."""

    what: str


class Problem(_Frozen):
    """Something left out, why, and what to do."""

    what: str
    fix: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}. {self.fix}"


class Report(BaseModel):
    """The whole of a run, by position in the input; keep it with the input."""

    media_read: int = 0
    media_written: int = 0
    records_read: int = 0
    records_written: int = 0
    replaced: list[Replaced] = []
    removed: list[Removed] = []
    notes: list[Note] = []
    problems: list[Problem] = []

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
