"""Hostile text made plain before it is split into words."""

from __future__ import annotations

import re

from deadpan.base.compatibility import compatibility_form

_LONG_RUN = re.compile(r"([^\w\s]{16})[^\w\s]+")


def normalize_text(text: str) -> str:
    """The text in compatibility form with plain apostrophes, its case kept.

    Of more than 16 signs in a row (combining marks, punctuation, emoji) the first 16 stay.
    """
    return compatibility_form(_LONG_RUN.sub(r"\1", text)).replace("’", "'")
