"""What becomes of places that rules cannot judge: a person's sheet, a model's second look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from deadpan.collecting.anonymise.patterns import Kind
from deadpan.collecting.anonymise.text import Decide, Named, follow_suggestion


class Spotted(NamedTuple):
    """What a model listed: its kind, how it stands in the text, whether nobody needs to look."""

    kind: Kind
    text: str
    sure: bool


class Decisions(Protocol):
    """Where a person decides."""

    def at(self, file: str, place: str, text: str) -> Decide:
        """What was decided about a text at a place of a file."""

    def named(self, file: str, place: str) -> Named:
        """What was decided about names there that are known from elsewhere."""


class SecondLook(Protocol):
    """Where a model looks again."""

    def spotted(self, text: str, masked: str) -> Sequence[Spotted]:
        """What it listed for a text, of which it saw the masked one only."""


@dataclass(frozen=True)
class Doubts:
    """The doubts of one file, or of one line of it."""

    file: str = ""
    line: str = ""
    decisions: Decisions | None = None
    second: SecondLook | None = None

    def at(self, place: str, text: str) -> Decide:
        """What becomes of what is not sure in a text at a place; with nobody to decide, it goes."""
        if self.decisions is None:
            return follow_suggestion
        return self.decisions.at(self.file, f"{self.line} {place}".strip(), text)

    def named(self, place: str) -> Named | None:
        """What becomes of known names at a place; None where nobody decides."""
        if self.decisions is None:
            return None
        return self.decisions.named(self.file, f"{self.line} {place}".strip())

    def spotted(self, text: str, masked: str) -> Sequence[Spotted]:
        """What a model listed for a text; nothing where none was asked."""
        return self.second.spotted(text, masked) if self.second else ()
