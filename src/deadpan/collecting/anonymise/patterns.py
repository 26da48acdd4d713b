"""What leads to a person in a chat, in the order in which it is looked for."""

from __future__ import annotations

import re

from deadpan.collecting.anonymise.addresses import ACCOUNTS, LINKS
from deadpan.collecting.anonymise.kinds import Pattern
from deadpan.collecting.anonymise.numbers import NUMBERS
from deadpan.collecting.anonymise.times import TIMES

PATTERNS: tuple[Pattern, ...] = (*LINKS, *ACCOUNTS, *TIMES, *NUMBERS)
"""Addresses before times and numbers, which would tear pieces out of them."""
_DIGIT = re.compile(r"[\d零〇一二三四五六七八九十两廿幺妖]")


def patterns_for(seen: str) -> tuple[Pattern, ...]:
    """The patterns that can match a folded text: times and numbers need a digit."""
    return PATTERNS if _DIGIT.search(seen) else (*LINKS, *ACCOUNTS)
