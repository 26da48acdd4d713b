"""How a meme is laid out, beside the layouts of the JanusMM mini-set: rows, grids, film stills."""

from collections.abc import Sequence

from minisets.drawing import balloons
from minisets.janusmm.layouts import (
    MARGIN,
    Frame,
    Layout,
    bar,
    over,
    pair,
    stack,
)

GAP = 8

__all__ = ["Layout", "bar", "film", "grid", "over", "pair", "rows", "stack"]


def rows(count: int, width: int = 540, height: int = 184) -> Layout:
    """Bare pictures one above the other, each with a cell for its words."""
    frames = tuple(Frame(0, i * (height + GAP), width, height) for i in range(count))
    return Layout("rows", width, count * (height + GAP) - GAP, frames)


def film(texts: Sequence[str], width: int = 480, height: int = 270, size: int = 27) -> Layout:
    """Stills one above the other, each with a subtitle over its foot."""
    frames = tuple(
        Frame(0, i * (height + GAP), width, height, under=text, letter_size=size)
        for i, text in enumerate(texts)
    )
    return Layout("film stills", width, len(texts) * (height + GAP) - GAP, frames)


def grid(texts: Sequence[str], width: int = 600, height: int = 196, size: int = 22) -> Layout:
    """Four pictures in two rows, each under its own words."""
    inner = (width - 3 * MARGIN) // 2
    tall = round(balloons.line_height(texts[0], size) + size * 0.55)
    frames = tuple(
        Frame(
            MARGIN + (i % 2) * (inner + MARGIN),
            (i // 2) * (tall + 4 + height) + tall + 4,
            inner,
            height,
            text,
            tall,
            size,
        )
        for i, text in enumerate(texts)
    )
    return Layout("four panels", width, 2 * (tall + 4 + height) + MARGIN, frames)
