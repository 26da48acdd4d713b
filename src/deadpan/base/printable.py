"""Text from data made safe to print: nothing hides, reorders or commands."""

from __future__ import annotations

import re

# What would reorder or hide text: controls except tab and newline, bidirectional
# overrides and isolates, and halves of surrogate pairs.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with characters that hide or reorder others spelled out, e.g. ⟦U+202E⟧."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSEEN.sub(lambda found: f"⟦U+{ord(found.group()):04X}⟧", plain)


def without_controls(text: str) -> str:
    """The text without such characters: what a person types has no use for them."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def escaped_json(text: str) -> str:
    """JSON in which such characters stand as escapes: the same value, safe to print."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def in_cell(text: str) -> str:
    """Text that a spreadsheet does not take for a formula, nor a terminal for a command."""
    plain = visible(text)
    return f"'{plain}" if plain.startswith(_FORMULA) else plain


def out_of_cell(text: str) -> str:
    """The text that `in_cell` was given, but for characters that it spelled out."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text
