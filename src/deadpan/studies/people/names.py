"""The names under which people take part: nothing hides in one, and no two look the same."""

from __future__ import annotations

import unicodedata

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.studies.storage.opened import NotAllowed
from deadpan.studies.storage.tables import PersonRow

LONGEST_NAME = 80
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that nobody sees, or that reorder others."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs without any ink."""
_SELECTORS = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
"""Marks that choose the form of the character before them."""


def plain_name(name: str) -> str:
    """A name as it is kept and looked up: whatever hides in it is gone, so that one name is counted
    as one however it is typed."""
    seen = "".join(one for one in " ".join(name.split()) if not _is_hidden(one))
    return " ".join(unicodedata.normalize("NFC", seen).split())


def new_name(session: Session, name: str) -> str:
    """A name for somebody new, as it is kept. One in which something hides raises, and so does one
    that looks like another's."""
    typed = " ".join(name.split())
    if hidden := next((one for one in typed if _is_hidden(one)), None):
        code = f"U+{ord(hidden):04X}"
        raise NotAllowed("name_unseen", code=code)
    named = plain_name(name)
    if not 1 <= len(named) <= LONGEST_NAME:
        raise NotAllowed("name_length", most=LONGEST_NAME)
    for known in session.scalars(select(PersonRow.name)):
        if known == named:
            raise NotAllowed("name_known", name=known)
        if _looks(known) == _looks(named):
            raise NotAllowed("name_alike", name=named, known=known)
    return named


def _is_hidden(character: str) -> bool:
    if unicodedata.category(character) in _HIDDEN or character in _BLANK:
        return True
    return any(first <= ord(character) <= last for first, last in _SELECTORS)


def _looks(name: str) -> str:
    """What a name is to the eye: wide and small letters, ligatures and case aside."""
    return " ".join(unicodedata.normalize("NFKC", plain_name(name)).casefold().split())
