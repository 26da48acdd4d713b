"""Ways of asking a question with less, or otherwise, than it says: what they leave out is what a
score may not need."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple

Lack = Literal["", "picture", "words", "both"]
"""What of an item a model cannot have used: its picture or video, the words beside it, both."""


class Variant(StrEnum):
    """How an item is shown."""

    FULL = "full"
    TEXT_ONLY = "text-only"
    BLANK = "blank"
    SWAPPED = "swapped"
    PICTURE_ONLY = "picture-only"
    QUESTION_ONLY = "question-only"
    SHUFFLED_OPTIONS = "shuffled-options"
    SHUFFLED_PANELS = "shuffled-panels"

    @property
    def lacks(self) -> Lack:
        """What is not there to be used."""
        return _FACTS[self].lacks

    @property
    def mark(self) -> str:
        """What follows the name of a model that was asked so, beside those asked in full."""
        return _FACTS[self].mark

    @property
    def note(self) -> str:
        """What is to be known of scores of questions asked so."""
        return _FACTS[self].note

    @property
    def hides_media(self) -> bool:
        """Whether no picture and no video is shown at all."""
        return self in (Variant.TEXT_ONLY, Variant.QUESTION_ONLY)

    @property
    def is_seeded(self) -> bool:
        """Whether a seed decides what is shown."""
        return self in (Variant.SWAPPED, Variant.SHUFFLED_OPTIONS, Variant.SHUFFLED_PANELS)

    @property
    def shown(self) -> str:
        """The value of the setting in signatures."""
        return "text" if self is Variant.TEXT_ONLY else self.value


class _Facts(NamedTuple):
    lacks: Lack
    mark: str
    note: str


_FACTS = {
    Variant.FULL: _Facts("", "", ""),
    Variant.TEXT_ONLY: _Facts(
        "picture",
        "text only",
        "no picture or video was shown: questions are asked by their text alone",
    ),
    Variant.BLANK: _Facts(
        "picture", "blank picture", "pictures and frames were shown blank, in one grey"
    ),
    Variant.SWAPPED: _Facts(
        "picture", "another's picture", "the picture or video shown was another item's"
    ),
    Variant.PICTURE_ONLY: _Facts(
        "words",
        "picture only",
        "the item's own words (text, dialogue, transcript) were left out of the question",
    ),
    Variant.QUESTION_ONLY: _Facts(
        "both",
        "question only",
        "nothing of the item was shown: neither picture or video nor its words",
    ),
    Variant.SHUFFLED_OPTIONS: _Facts(
        "", "options shuffled", "the options stood in another order than usual"
    ),
    Variant.SHUFFLED_PANELS: _Facts(
        "", "panels shuffled", "the comic's panels were laid out in another order, and renumbered"
    ),
}


def variant_shown(shown: str) -> Variant:
    """The variant that the setting of a signature names; full where it tells of frames, or
    nothing."""
    return next((one for one in Variant if one.shown == shown), Variant.FULL)
