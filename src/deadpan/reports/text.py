"""Text from data as a report may print it: control characters seen, numbers rounded alike."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Literal

from deadpan.visible import visible

NOTHING = "–"
Direction = Literal["higher", "lower", "none"]

LOWER_IS_BETTER = frozenset(
    {
        "wer",
        "cer",
        "mae",
        "mse",
        "zero_rate",
        "invalid_rate",
        "out_of_range",
        "hallucination_penalty",
        "literal_only_penalty",
        "bias",
        "std",
    }
)
DESCRIPTIVE = frozenset(
    {
        "styles_predicted",
        "tp",
        "fp",
        "tn",
        "fn",
        "support",
        "count",
        "n",
        "default_order",
        "conservatism",
    }
)


def one_line(text: str) -> str:
    """The visible text with runs of white space folded, for table cells and headings."""
    return " ".join(visible(text).split())


def direction(metric: str) -> Direction:
    """Whether more of a metric is better; descriptive counts are neither."""
    if metric in DESCRIPTIVE:
        return "none"
    return "lower" if metric in LOWER_IS_BETTER else "higher"


def decimals(values: Iterable[float | None]) -> int:
    """How many decimals a column of values is printed with."""
    known = [abs(value) for value in values if value is not None]
    if known and all(value == int(value) for value in known) and max(known) > 1:
        return 0
    least, largest = min(known, default=0.0), max(known, default=0.0)
    return 3 if least < 1 and largest < 10 else 2 if largest < 20 else 1


def number(value: float | None, places: int = 3) -> str:
    """The value rounded; a dash where nothing was scored."""
    return NOTHING if value is None else f"{value:.{places}f}".replace("-", "−")


def counts(n: int, invalid: int, unscored: int) -> str:
    """How many questions stand behind a score, in words."""
    share = f"{round(100 * invalid / n, 1):g}% invalid" if n and invalid else ""
    left_out = f"{unscored} unscored" if unscored else ""
    return " · ".join(part for part in (f"n {n}", share, left_out) if part)


def readable(value: object) -> str:
    """A parsed answer as a person would read it."""
    if value is None:
        return NOTHING
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return ", ".join(str(part) for part in value) or "(none)"
    return json.dumps(value, ensure_ascii=False, indent=1)


def natural(text: str) -> tuple[tuple[int, float, str], ...]:
    """A sort key that puts 2 before 10 and 5 before 5+."""
    parts = re.split(r"(\d+(?:\.\d+)?)", text)
    return tuple(
        (0, float(part), "") if index % 2 else (1, 0.0, part.casefold())
        for index, part in enumerate(parts)
        if part
    )
