"""What a pattern is: an expression over folded text and the kind of thing it finds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["name", "handle", "phone", "email", "link", "time", "account", "number", "file"]
KINDS: tuple[Kind, ...] = (
    "name",
    "handle",
    "phone",
    "email",
    "link",
    "time",
    "account",
    "number",
    "file",
)


@dataclass(frozen=True)
class Pattern:
    """What is replaced (the group `it`, or the whole match) and as what."""

    kind: Kind
    expression: re.Pattern[str]


def pattern_of(kind: Kind, expression: str, flags: re.RegexFlag = re.IGNORECASE) -> Pattern:
    return Pattern(kind, re.compile(expression, flags))
