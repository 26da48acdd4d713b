"""What a task's rows hold in a results table, so that a table from elsewhere can be checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class RowForm:
    """The types of a task's gold and of its answers as they were read, both as JSON, and of the
    attributes that its scores need."""

    gold: Any
    parsed: Any
    attributes: Mapping[str, type[str] | type[int] | type[bool]] = field(default_factory=dict)
