"""A template and a joke as one picture, with the boxes of its lines."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from deadpan.media.fonts import CHINESE, LATIN, face_at, is_chinese

from .scenes import scene

Layout = Literal["over", "bar above", "bar below", "strip", "grid", "label"]
LAYOUTS: tuple[Layout, ...] = ("over", "over", "over", "bar above", "bar below", "strip", "grid",
                               "label")  # fmt: skip


@dataclass(frozen=True)
class Line:
    """Words and their box."""

    text: str
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True)
class Template:
    """A picture that many jokes are written on, and how they are."""

    id: str
    width: int
    height: int
    layout: Layout


def template(seed: int, number: int) -> Template:
    """The template of this number."""
    draw = random.Random(f"template {seed} {number}")
    width, height = draw.choice(((480, 480), (480, 360), (400, 480), (520, 390), (480, 420)))
    return Template(f"t{number:05}", width, height, draw.choice(LAYOUTS))


def page(
    seed: int, of: Template, parts: tuple[str, ...], other_panel: int = 0
) -> tuple[Image.Image, list[Line]]:
    """The joke drawn on the template; `other_panel` puts another picture into its last panel."""
    name = f"{seed} {of.id}"
    if of.layout in ("strip", "grid"):
        return _panels(name, of, parts, other_panel)
    last = f"{name} other {other_panel}" if other_panel else name
    picture = scene(last, of.width, of.height).copy()
    if of.layout == "over":
        return _over(picture, parts)
    if of.layout == "label":
        return _labels(name, picture, parts)
    return _bar(picture, " ".join(parts) if not is_chinese(parts[0][0]) else "，".join(parts),
                of.layout == "bar above")  # fmt: skip


def _panels(
    name: str, of: Template, parts: tuple[str, ...], other: int
) -> tuple[Image.Image, list[Line]]:
    across = 2 if of.layout == "grid" else 1
    down = 2
    w, h = of.width // across, (of.height * (3 if across == 1 else 2) // 2) // 2
    sheet = Image.new("RGB", (w * across + 6 * (across + 1), h * down + 6 * (down + 1)), "white")
    lines: list[Line] = []
    count = across * down
    for number in range(count):
        last = number == count - 1
        own = f"{name} {number}" + (f" other {other}" if last and other else "")
        panel = scene(own, w, h).copy()
        # The words stand in the last panels, so that the point comes at the end.
        place = number - (count - len(parts))
        if place >= 0:
            drawn = _written(panel, parts[place], 8, 24, "white", stroke=2)
        elif number == 0 and len(parts) > count:
            drawn = _written(panel, parts[0], 8, 24, "white", stroke=2)
        else:
            drawn = []
        left, top = 6 + (number % across) * (w + 6), 6 + (number // across) * (h + 6)
        sheet.paste(panel, (left, top))
        lines += [
            Line(one.text, one.x1 + left, one.y1 + top, one.x2 + left, one.y2 + top)
            for one in drawn
        ]
    return sheet, lines


def _over(picture: Image.Image, parts: tuple[str, ...]) -> tuple[Image.Image, list[Line]]:
    size = 34 if is_chinese(parts[0][0]) else 32
    lines = []
    for number, part in enumerate(parts):
        if number == len(parts) - 1 and len(parts) > 1:
            tall = _height(part, size, picture.width)
            lines += _written(picture, part, picture.height - tall - 14, size, "white", stroke=3)
        else:
            top = 12 if not lines else int(lines[-1].y2) + 4
            lines += _written(picture, part, top, size, "white", stroke=3)
    return picture, lines


def _labels(
    name: str, picture: Image.Image, parts: tuple[str, ...]
) -> tuple[Image.Image, list[Line]]:
    """Each part on a plate of its own, at the template's places."""
    draw = random.Random(name)
    lines: list[Line] = []
    for number, part in enumerate(parts):
        top = int(picture.height * ((number + draw.uniform(0.1, 0.5)) / len(parts)))
        tall = _height(part, 26, picture.width)
        top = min(top, picture.height - tall - 8)
        pen = ImageDraw.Draw(picture)
        pen.rectangle(
            (picture.width * 0.04, top - 4, picture.width * 0.96, top + tall + 4), "white"
        )
        lines += _written(picture, part, top, 26, "black")
    return picture, lines


def _bar(picture: Image.Image, text: str, above: bool) -> tuple[Image.Image, list[Line]]:
    tall = _height(text, 28, picture.width) + 24
    sheet = Image.new("RGB", (picture.width, picture.height + tall), "white")
    sheet.paste(picture, (0, tall if above else 0))
    top = 10 if above else picture.height + 10
    return sheet, _written(sheet, text, top, 28, "black")


def _rows(text: str, face: ImageFont.FreeTypeFont, room: float) -> list[str]:
    """The text in rows that fit."""
    pieces = text.split(" ") if " " in text else list(text)
    glue = " " if " " in text else ""
    rows = [pieces[0]]
    for piece in pieces[1:]:
        longer = rows[-1] + glue + piece
        if face.getlength(longer) <= room:
            rows[-1] = longer
        else:
            rows.append(piece)
    return rows


def _face(text: str, size: int) -> ImageFont.FreeTypeFont:
    return face_at(CHINESE if any(map(is_chinese, text)) else LATIN, size)


def _height(text: str, size: int, width: int) -> int:
    return len(_rows(text, _face(text, size), width * 0.88)) * (size + 6)


def _written(
    picture: Image.Image, text: str, top: int, size: int, colour: str, stroke: int = 0
) -> list[Line]:
    face, pen, lines = _face(text, size), ImageDraw.Draw(picture), []
    for number, row in enumerate(_rows(text, face, picture.width * 0.88)):
        left = (picture.width - face.getlength(row)) / 2
        place = (left, top + number * (size + 6))
        pen.text(place, row, colour, face, stroke_width=stroke, stroke_fill="black")
        box = pen.textbbox(place, row, face, stroke_width=stroke)
        lines.append(Line(row, *box))
    return lines
