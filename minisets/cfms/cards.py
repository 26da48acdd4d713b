"""Things that are mostly words: notices, receipts, phone screens, pop-ups, charts, boards."""

from collections.abc import Sequence

from minisets.drawing import balloons
from minisets.drawing.pen import INK, Box
from minisets.janusmm.stage import Panel

PAPER = "#fffdf4"


def notice(
    panel: Panel,
    title: str,
    lines: Sequence[str],
    box: Box,
    size: int = 24,
    fill: str = PAPER,
    band: str = "#d64550",
) -> None:
    """A notice pinned to a wall: `box` is its left, top, width and height."""
    x, y, width, height = box
    pen = panel.pen
    pen.box(x, y, width, height, fill, 4)
    head = size * 1.9
    pen.box(x, y, width, head, band, 4)
    panel.sign(title, x + width / 2, y + head / 2, round(size * 1.1), "white")
    step = (height - head) / (len(lines) + 0.4)
    for i, line in enumerate(lines):
        panel.sign(line, x + width / 2, y + head + step * (i + 0.7), size)
    for pin in (x + 14, x + width - 14):
        pen.ellipse(pin, y + 3, 6, 6, "#f2b134", width=1.8)


def screen(panel: Panel, title: str, box: Box, bar: str = "#4f8fc0", size: int = 22) -> None:
    """A big phone with an app's title bar: `box` is its left, top, width and height."""
    x, y, width, height = box
    pen = panel.pen
    pen.box(x, y, width, height, "#453f5c", 22)
    pen.box(x + 10, y + 18, width - 20, height - 36, "#f7f7fb", 6, line=1.6)
    pen.box(x + 10, y + 18, width - 20, size * 1.9, bar, 4, line=1.6)
    panel.sign(title, x + width / 2, y + 18 + size * 0.95, size, "white")


def popup(
    panel: Panel, text: str, buttons: Sequence[str], box: Box, size: int = 24, accent: str = ""
) -> None:
    """A question in a window with its buttons side by side."""
    x, y, width, height = box
    pen = panel.pen
    pen.box(x + 6, y + 8, width, height, "#8f8aa3", 14, None)
    pen.box(x, y, width, height, "white", 14)
    panel.sign(text, x + width / 2, y + (height - 62) / 2, size)
    each = (width - 20 * (len(buttons) + 1)) / len(buttons)
    for i, button in enumerate(buttons):
        left = x + 20 + i * (each + 20)
        pen.box(left, y + height - 66, each, 46, accent or "#57a773", 12)
        panel.sign(button, left + each / 2, y + height - 43, size, "white")


def receipt(
    panel: Panel, title: str, rows: Sequence[tuple[str, str]], box: Box, size: int = 22
) -> None:
    """A till receipt with a torn foot; the last row is its total."""
    x, y, width, height = box
    teeth = [(x + width - i * width / 24, y + height - (8 if i % 2 else 0)) for i in range(25)]
    panel.pen.shape([(x, y), (x + width, y), *teeth], PAPER)
    panel.sign(title, x + width / 2, y + size * 1.3, round(size * 1.15))
    step = (height - size * 3.2) / len(rows)
    for i, (name, price) in enumerate(rows):
        middle = y + size * 2.6 + step * (i + 0.5)
        if i == len(rows) - 1:
            panel.pen.stroke([(x + 16, middle - step / 2), (x + width - 16, middle - step / 2)])
        left = x + 20 + balloons.text_width(name, size) / 2
        right = x + width - 20 - balloons.text_width(price, size) / 2
        panel.sign(name, left, middle, size)
        panel.sign(price, right, middle, size)


def bars(
    panel: Panel,
    values: Sequence[tuple[str, float, str]],
    box: Box,
    size: int = 20,
    colours: Sequence[str] = ("#4f8fc0", "#e2725b", "#57a773", "#f2b134"),
) -> None:
    """Upright bars: name, share of the height from 0 to 1, and the words on top of each."""
    x, y, width, height = box
    foot = y + height - size * 1.8
    step = width / len(values)
    for i, (name, share, mark) in enumerate(values):
        middle = x + step * (i + 0.5)
        tall = max(3.0, share * (foot - y - size * 1.6))
        panel.pen.box(middle - step * 0.3, foot - tall, step * 0.6, tall, colours[i % len(colours)])
        if mark:
            panel.sign(mark, middle, foot - tall - size * 0.8, size)
        panel.sign(name, middle, foot + size * 0.95, size)
    panel.pen.stroke([(x, y), (x, foot), (x + width, foot)], INK, 3, False)


def board(
    panel: Panel, rows: Sequence[tuple[str, str]], box: Box, size: int = 24, ink: str = "#ffd24a"
) -> None:
    """A dark board with lamps, as at a station: what comes on the left, when on the right."""
    x, y, width, height = box
    panel.pen.box(x, y, width, height, "#23283a", 8)
    step = height / len(rows)
    for i, (what, when) in enumerate(rows):
        middle = y + step * (i + 0.5)
        panel.sign(what, x + 22 + balloons.text_width(what, size) / 2, middle, size, ink)
        right = x + width - 22 - balloons.text_width(when, size) / 2
        panel.sign(when, right, middle, size, ink)
        if i:
            panel.pen.stroke([(x + 12, y + step * i), (x + width - 12, y + step * i)], "#4a5066", 2)
