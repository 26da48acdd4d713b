"""Lines of Markdown in which what comes from posts stays text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from deadpan.curate.release.material import NOT_STATED
from deadpan.reports.documents import markdown_escape

Cell = str | int | float
_HEADING = re.compile(r"^(#{1,4})(?= )", re.MULTILINE)


def said(text: str) -> str:
    """A text made literal, on one line; `not stated` where it is empty."""
    return markdown_escape(text) if text.strip() else NOT_STATED


def listed(texts: Iterable[str]) -> str:
    """Texts made literal, in a row; `not stated` where there are none."""
    return ", ".join(markdown_escape(one) for one in texts) or NOT_STATED


def bullets(question: str, texts: Sequence[str]) -> Iterator[str]:
    """A line with what was said; of several, a line each below it."""
    if len(texts) <= 1:
        yield f"- {question}: {said(''.join(texts))}"
        return
    yield f"- {question}:"
    yield from (f"  - {markdown_escape(one)}" for one in texts)


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """A table with an empty line behind it; columns of numbers stand right."""
    cells = [list(row) for row in rows]
    numbers = [all(isinstance(row[place], int | float) for row in cells) for place in _of(head)]
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---:' if one else '---' for one in numbers)} |"
    for row in cells:
        yield f"| {' | '.join(_cell(one) for one in row)} |"
    yield ""


def _of(head: Sequence[str]) -> range:
    return range(len(head))


def _cell(value: Cell) -> str:
    if isinstance(value, float):
        return f"{value:.1%}"
    return f"{value:,}" if isinstance(value, int) else markdown_escape(value)


def lowered(text: str, levels: int = 2) -> str:
    """A document whose headings are those of a part of another; raw HTML stays text."""
    deeper = _HEADING.sub(lambda found: found[1] + "#" * levels, text)
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", deeper).strip()
