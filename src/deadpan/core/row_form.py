"""What a task's rows hold in a results table, so that a table from elsewhere can be checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deadpan.core.questions import Attribute

AttributeType = type[str] | type[int] | type[bool] | type[list[str]]
"""`list` for a list of texts."""


@dataclass(frozen=True)
class RowForm:
    """The types of a task's gold and of its answers as they were read, both as JSON, and of the
    attributes that its scores need."""

    gold: Any
    parsed: Any
    attributes: Mapping[str, AttributeType] = field(default_factory=dict)

    def with_lists(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        """The attributes, with those as lists that older stores hold as texts joined by `+`."""
        return {
            name: value.split("+")
            if self.attributes.get(name) is list and isinstance(value, str)
            else value
            for name, value in attributes.items()
        }
