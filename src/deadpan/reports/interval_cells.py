"""The interval of a score as a table's cell prints it, and what a caption says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.metrics.statistics.intervals import interval_lines
from deadpan.reports.score_table import Cell, Column, Row
from deadpan.reports.section import Intervals
from deadpan.reports.text import number

_LOPSIDED = 0.1
"""By which share of its width the two sides of an interval have to differ to be printed apart."""


def with_interval(cell: Cell, column: Column, how: Intervals) -> Cell:
    """The cell with its score's interval: in brackets; or half of its width after ±, and how far it
    is to each end where it is lopsided. Where the paper's own deviation is there, brackets."""
    score, decimals = cell.score, column.decimals
    if score is None or score.low is None or score.high is None or how == "none":
        return cell
    if how == "pm" and not cell.spread:
        sides = _sides(score, column.metric, decimals)
        half = number((score.high - score.low) / 2, decimals)
        spread = f"+{sides[0]} −{sides[1]}" if sides else f"± {half}"
        return replace(cell, spread=spread, sides=sides)
    return replace(cell, low=number(score.low, decimals), high=number(score.high, decimals))


def _sides(score: Score, metric: Metric, decimals: int) -> tuple[str, str] | None:
    """How far it is up and down to the ends of an interval, where ± would say something else: they
    differ much, or ± would leave the metric's range."""
    if score.value is None or score.low is None or score.high is None:
        return None
    up, down = max(0.0, score.high - score.value), max(0.0, score.value - score.low)
    half, (lowest, highest) = (score.high - score.low) / 2, metric.range or (-inf, inf)
    is_out = score.value - half < lowest or score.value + half > highest
    told = number(up, decimals), number(down, decimals)
    is_lopsided = is_out or abs(up - down) > _LOPSIDED * (score.high - score.low)
    return told if is_lopsided and told[0] != told[1] else None


def interval_note(rows: Sequence[Row], how: Intervals) -> str:
    """What the intervals in a table are, and how they came about; nothing where it shows none."""
    cells = [cell for row in rows for cell in row.cells if cell.score and cell.score.interval]
    made = "".join(interval_lines(cell.score for cell in cells if cell.score))
    if not made or how == "none":
        return ""
    method = made.partition(": ")[2]
    brackets = ["95 % intervals over items in brackets"] if any(cell.low for cell in cells) else []
    halves = any(cell.spread and not cell.low and not cell.sides for cell in cells)
    sides = any(cell.sides for cell in cells)
    about = "" if halves else "of the 95 % interval over items "
    lopsided = f"+ and − to the ends {about}where it is lopsided"
    said = [
        *(["± half of the 95 % interval over items"] if halves else []),
        *([lopsided] if sides else []),
        *brackets,
    ]
    return f"{'; '.join(said)} ({method})."
