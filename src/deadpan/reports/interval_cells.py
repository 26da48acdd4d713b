"""The interval of a score as a table's cell prints it, and what a caption says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deadpan.metrics.statistics.intervals import interval_lines
from deadpan.reports.score_table import Cell, Row
from deadpan.reports.section import Intervals
from deadpan.reports.text import number


def with_interval(cell: Cell, decimals: int, how: Intervals) -> Cell:
    """The cell with its score's interval: in brackets, or half of its width after ±. Where the
    paper's own deviation stands after ±, brackets."""
    score = cell.score
    if score is None or score.low is None or score.high is None or how == "none":
        return cell
    if how == "pm" and not cell.spread:
        return replace(cell, spread=f"± {number((score.high - score.low) / 2, decimals)}")
    return replace(cell, low=number(score.low, decimals), high=number(score.high, decimals))


def interval_note(rows: Sequence[Row], how: Intervals) -> str:
    """What the intervals in a table are, and how they came about; nothing where it shows none."""
    cells = [cell for row in rows for cell in row.cells if cell.score and cell.score.interval]
    made = "".join(interval_lines(cell.score for cell in cells if cell.score))
    if not made or how == "none":
        return ""
    method = made.partition(": ")[2]
    brackets = ["95 % intervals over items in brackets"] if any(cell.low for cell in cells) else []
    halves = any(cell.spread and not cell.low for cell in cells)
    said = [*(["± half of the 95 % interval over items"] if halves else []), *brackets]
    return f"{'; '.join(said)} ({method})."
