"""Lettering: wrapped text, speech and thought balloons, captions, sound effects."""

import math
from functools import cache
from itertools import pairwise
from typing import Literal

from PIL import Image, ImageDraw

from deadpan.media.fonts import is_chinese, lettering
from minisets.drawing.pen import INK, SUPERSAMPLE, Box, Pen, Point, arc

Balloon = Literal["speech", "thought", "shout", "caption", "sign"]

PADDING: dict[Balloon, Point] = {
    "speech": (15, 10),
    "thought": (16, 12),
    "shout": (24, 18),
    "caption": (9, 5),
    "sign": (2, 2),
}
NOT_AT_START = "，。！？、；：）》”’…"


def wrapped(text: str, size: int, width: float) -> list[str]:
    """Lines no wider than `width`, evenly filled; ValueError if a word alone is too wide."""
    count = len(_greedy(text, size, width))
    narrowest = width
    while narrowest > size and len(_greedy(text, size, narrowest - 4)) == count:
        narrowest -= 4
        if max(text_width(line, size) for line in _greedy(text, size, narrowest)) > narrowest:
            narrowest += 4
            break
    lines = _greedy(text, size, narrowest)
    if max(text_width(line, size) for line in lines) > width:
        raise ValueError(f"{text!r} does not fit into {width:.0f} pixels at size {size}")
    return lines


@cache
def text_width(text: str, size: int) -> float:
    """The advance width of one line, in final pixels."""
    return lettering(size * SUPERSAMPLE, text).getlength(text) / SUPERSAMPLE


def _greedy(text: str, size: int, width: float) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in _words(paragraph):
            if line and text_width((line + word).rstrip(), size) > width:
                lines.append(line.rstrip())
                line = ""
            line += word
        lines.append(line.rstrip())
    return lines


def _words(text: str) -> list[str]:
    """Units that a line may break after: words with their space, or single Chinese characters."""
    if not any(is_chinese(char) for char in text):
        return [word + " " for word in text.split(" ")]
    words: list[str] = []
    for char in text:
        if words and (char in NOT_AT_START or _latin_run(words[-1], char)):
            words[-1] += char
        else:
            words.append(char)
    return words


def _latin_run(before: str, char: str) -> bool:
    return before[-1].isascii() and char.isascii() and before[-1] != " "


def line_height(text: str, size: int) -> float:
    """Distance between base lines; Chinese needs more air."""
    return size * (1.28 if any(is_chinese(char) for char in text) else 1.12)


def extent(lines: list[str], size: int) -> Point:
    """Width and height of a block of lines."""
    height = line_height("".join(lines), size) * len(lines)
    return max(text_width(line, size) for line in lines), height


def write(pen: Pen, lines: list[str], size: int, x: float, y: float, ink: str = INK) -> None:
    """Writes centred lines around (x, y), given in final pixels of the panel."""
    draw = ImageDraw.Draw(pen.image)
    step = line_height("".join(lines), size)
    top = y - step * (len(lines) - 1) / 2
    for i, line in enumerate(lines):
        font = lettering(size * SUPERSAMPLE, line or " ")
        spot = (x * SUPERSAMPLE, (top + i * step) * SUPERSAMPLE)
        draw.text(spot, line, font=font, fill=ink, anchor="mm")


def outline(kind: Balloon, x: float, y: float, width: float, height: float) -> list[Point]:
    """The outer line of a balloon around (x, y) that holds a block of width x height."""
    across, tall = width / 2 + PADDING[kind][0], height / 2 + PADDING[kind][1]
    if kind in ("caption", "sign"):
        return [
            (x - across, y - tall), (x + across, y - tall), (x + across, y + tall),
            (x - across, y + tall),
        ]  # fmt: skip
    if kind == "shout":
        return _spikes(x, y, across, tall)
    points = []
    for i in range(120):
        angle = 2 * math.pi * i / 120
        c, s = math.cos(angle), math.sin(angle)
        points.append((x + across * _squared(c), y + tall * _squared(s)))
    return points


def balloon(pen: Pen, kind: Balloon, x: float, y: float, size: Point, to: Point) -> None:
    """An empty balloon around (x, y) for text of that size, its tail pointing to `to`."""
    across, tall = size
    edge = outline(kind, x, y, across, tall)
    half = (across / 2 + PADDING[kind][0], tall / 2 + PADDING[kind][1])
    shapes = [*tail(kind, x, y, half, to), edge]
    if kind == "thought":
        shapes += puffs(edge)
    for ink in (INK, None):
        for shape in shapes:
            pen.shape(shape, "white", ink, 4.4)


def plate(pen: Pen, text: str, x: float, y: float, size: int, fill: str, radius: float) -> None:
    """An empty plate around (x, y) that the text fits on."""
    across, tall = extent(text.split("\n"), size)
    width, height = across + size, tall + size * 0.5
    pen.box(x - width / 2, y - height / 2, width, height, fill, radius)


def puffs(edge: list[Point]) -> list[list[Point]]:
    """Discs along a balloon's edge that turn it into a cloud."""
    steps = [math.dist(a, b) for a, b in pairwise(edge)]
    gap = sum(steps) / max(8, round(sum(steps) / 27))
    discs, walked = [], gap
    for point, step in zip(edge, steps, strict=False):
        walked += step
        if walked >= gap:
            walked -= gap
            discs.append(arc(*point, 14, 11, 0, 360))
    return discs


def _squared(value: float) -> float:
    """Bends a circle towards a rounded box (a superellipse of exponent 3.2)."""
    return math.copysign(abs(value) ** (2 / 3.2), value)


def _spikes(x: float, y: float, across: float, tall: float) -> list[Point]:
    points = []
    for i in range(28):
        reach = 1.1 if i % 2 else 0.9
        angle = 2 * math.pi * i / 28
        points.append(
            (x + across * reach * _squared(math.cos(angle)),
             y + tall * reach * _squared(math.sin(angle)))
        )  # fmt: skip
    return points


def tail(kind: Balloon, x: float, y: float, half: Point, to: Point) -> list[list[Point]]:
    """The shapes that lead from a balloon of the given half size to its speaker's mouth."""
    dx, dy = to[0] - x, to[1] - y
    length = math.hypot(dx, dy) or 1
    if kind == "thought":
        edge = min(1.0, 1 / max(abs(dx) / half[0], abs(dy) / half[1]))
        spots = [(edge + (1 - edge) * t, r) for t, r in ((0.92, 3.5), (0.55, 5), (0.15, 7))]
        return [arc(x + dx * t, y + dy * t, r * 1.2, r, 0, 360) for t, r in spots]
    broad = min(11.0, half[1] / 2)
    nx, ny = -dy / length * broad, dx / length * broad
    bend = (x + dx * 0.6 + nx * 0.5, y + dy * 0.6 + ny * 0.5)
    left = _quadratic((x + nx, y + ny), (bend[0] + nx * 0.4, bend[1] + ny * 0.4), to)
    right = _quadratic((x - nx, y - ny), (bend[0] - nx * 0.4, bend[1] - ny * 0.4), to)
    return [left + right[::-1]]


def _quadratic(start: Point, middle: Point, end: Point) -> list[Point]:
    points = []
    for i in range(13):
        t = i / 12
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        points.append(
            (a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1])
        )
    return points


def sound(
    pen: Pen, text: str, x: float, y: float, size: int, tilt: float, fill: str, edge: str = "white"
) -> Box:
    """Letters a tilted sound effect around (x, y); gives back the box it covers."""
    font = lettering(size * SUPERSAMPLE, text)
    thin, thick = round(size * 0.12 * SUPERSAMPLE), round(size * 0.19 * SUPERSAMPLE)
    left, top, right, low = font.getbbox(text, stroke_width=thick)
    layer = Image.new("RGBA", (round(right - left), round(low - top)), (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    for stroke, colour in ((thick, INK), (thin, edge), (0, fill)):
        spot = (thick - left - thick, thick - top - thick)
        draw.text(spot, text, font=font, fill=colour, stroke_width=stroke)
    layer = layer.rotate(tilt, expand=True, resample=Image.Resampling.BICUBIC)
    corner = (round(x * SUPERSAMPLE - layer.width / 2), round(y * SUPERSAMPLE - layer.height / 2))
    pen.image.paste(layer, corner, layer)
    across, tall = layer.width / SUPERSAMPLE / 2, layer.height / SUPERSAMPLE / 2
    return x - across, y - tall, x + across, y + tall
