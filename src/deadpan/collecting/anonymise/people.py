"""Names of people that no list holds, by shape, context and segmentation in both languages."""

from __future__ import annotations

import re

from deadpan.collecting.anonymise.chinese_people import chinese_people
from deadpan.collecting.anonymise.english_people import english_people
from deadpan.collecting.anonymise.spans import Span

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]{2}")


def find_people(seen: str) -> list[Span]:
    """Where a folded text, in which placeholders are single signs, names people; in order."""
    found = list(chinese_people(seen)) if _HAN.search(seen) else []
    found += english_people(seen) if _LATIN.search(seen) else []
    return sorted(found)
