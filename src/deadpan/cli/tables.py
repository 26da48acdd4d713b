"""Tables in a terminal, and numbers in them. What does not fit is never left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import OverflowMethod
from rich.measure import Measurement
from rich.segment import Segments
from rich.table import Table

from deadpan.cli import output
from deadpan.core.score import Score

_WIDEST = 240
"""Beyond it words are broken: a name from a file may be of any length."""


def plain_table(
    *headings: str,
    numbers: Sequence[str] = (),
    overflow: OverflowMethod = "fold",
    **style: Any,
) -> Table:
    """An empty table without lines; the columns of numbers come last."""
    table = Table(box=None, pad_edge=False, **{"header_style": "bold", **style})
    for heading in headings:
        table.add_column(heading, overflow=overflow)
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def print_table(table: Table) -> None:
    """Prints a table, with lines longer than the terminal's where words and numbers take more."""
    console = output.console
    width = max(console.width, min(_widths(table)[0], _WIDEST))
    lines = Segments(console.render(table, console.options.update(width=width)))
    console.print(lines, end="", crop=False)  # which prints tables no wider than the terminal


def fits(table: Table) -> bool:
    """Whether a table has room in the terminal with every cell in one line."""
    return _widths(table)[1] <= output.console.width


def _widths(table: Table) -> tuple[int, int]:
    """What a table takes where no word and no number is broken, and with every cell in one line."""
    options = output.console.options.update(width=100_000)
    least, most = 0, 0
    for column in table.columns:
        cells = (column.header, *column.cells)
        taken = [Measurement.get(output.console, options, one) for one in cells]
        widest = max(one.maximum for one in taken)
        least += widest if column.no_wrap else max(one.minimum for one in taken)
        most += widest
    whole = Measurement.get(output.console, options, table).maximum
    return least + whole - most, whole


def number(value: float | None, decimals: int) -> str:
    """A score's value as printed; nothing scored is a dash."""
    # Adding 0 turns -0.0 into 0.0.
    return "–" if value is None else f"{round(value, decimals) + 0.0:.{decimals}f}"


def interval(score: Score, decimals: int) -> str:
    """A score's interval as printed; a dash where it has none."""
    if score.low is None or score.high is None:
        return "–"
    return f"{number(score.low, decimals)} to {number(score.high, decimals)}"


def p_text(value: float) -> str:
    """A p-value as printed."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
