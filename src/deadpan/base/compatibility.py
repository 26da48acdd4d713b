"""Text in compatibility form (NFKC), in time that grows with its length alone."""

from __future__ import annotations

import re
import unicodedata

_MOST_MARKS = 16
"""Combining marks in a row that stay: sorting them takes the square of their number."""
# All combining marks are signs but two, which are letters by their kind (U+FF9E, U+FF9F).
_LONG_RUN = re.compile(rf"(?:[^\w\s]|[\uff9e\uff9f]){{{_MOST_MARKS + 1},}}")


def compatibility_form(text: str) -> str:
    """The text in NFKC; of more than 16 combining marks in a row the first 16 stay."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _LONG_RUN.sub(_shorten, text))


def _shorten(run: re.Match[str]) -> str:
    marks = "".join(re.escape(sign) for sign in sorted(set(run[0])) if _is_mark(sign))
    if not marks:
        return run[0]
    return re.sub(f"([{marks}]{{{_MOST_MARKS}}})[{marks}]+", r"\1", run[0])


def _is_mark(sign: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", sign)[0]) != 0
