"""Text from data as a report may print it: control characters seen, numbers rounded alike."""

from __future__ import annotations

import json
from collections.abc import Sequence

from deadpan.base.printable import visible
from deadpan.core.score import Score

NOTHING = "–"
LANGUAGES = {"en": "English", "zh": "Chinese"}


def one_line(text: str) -> str:
    """The visible text with runs of white space folded, for table cells and headings."""
    return " ".join(visible(text).split())


def number(value: float | None, places: int = 3) -> str:
    """The value rounded; a dash where nothing was scored."""
    if value is None:
        return NOTHING
    # Adding 0 turns -0.0 into 0.0.
    return f"{round(value, places) + 0.0:.{places}f}".replace("-", "−")


def counts(score: Score) -> str:
    """How many questions stand behind a score, in words; what is invalid, truncated or refused as
    a share of them, or as a number where they cannot all be among them."""
    wrong = {"invalid": score.invalid, "truncated": score.truncated, "refused": score.refused}
    among = score.n >= sum(wrong.values())
    shares = [
        f"{round(100 * count / score.n, 1):g}% {name}" if among else f"{count} {name}"
        for name, count in wrong.items()
        if count
    ]
    left_out = [f"{score.unscored} unscored"] if score.unscored else []
    left_out += [f"{score.not_given} not given"] if score.not_given else []
    read = [f"{score.read} read by a model"] if score.read else []
    return " · ".join([f"n {score.n}", *shares, *left_out, *read])


def counts_between(scores: Sequence[Score]) -> str:
    """How many questions stand behind several scores, from the fewest to the most, and the most
    that were invalid, truncated, refused or unscored in one of them."""
    if not scores:
        return ""
    few, many = (ends(score.n for score in scores) for ends in (min, max))
    kinds = ("invalid", "truncated", "refused", "unscored")
    most = {kind: max(getattr(score, kind) for score in scores) for kind in kinds}
    odd = [f"at most {count} {kind}" for kind, count in most.items() if count]
    return " · ".join([f"n {few}" if few == many else f"n {few} to {many}", *odd])


def readable(value: object) -> str:
    """A parsed answer as a person would read it."""
    if value is None:
        return NOTHING
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return ", ".join(str(part) for part in value) or "(none)"
    return json.dumps(value, ensure_ascii=False, indent=1)
