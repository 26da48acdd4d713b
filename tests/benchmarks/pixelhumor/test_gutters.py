"""Panels of drawn comics by gutters and lines of any colour; single scenes, and what leaves doubt,
go to the model."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.benchmarks.pixelhumor.curation import BUILDING
from deadpan.benchmarks.pixelhumor.curation.panels import detected
from deadpan.benchmarks.pixelhumor.records import MINI_SET
from deadpan.core.curation import Post, PostMedia
from deadpan.media.boxes import Box
from deadpan.media.images import read_image
from deadpan.media.panels import overlap
from tests.curate.interviews import ScriptedInterview, drafted

GROUNDS = ("#f4e3b5", "#bcd9ee", "#cfe8c9", "#e9c4c4", "#d7cbe8", "#ffe9a0")
Pen = ImageDraw.ImageDraw


def scene(width: int, height: int, rng: random.Random, ground: str) -> Image.Image:
    """Somebody who says something, on a flat ground."""
    image = Image.new("RGB", (width, height), ground)
    pen = ImageDraw.Draw(image)
    person(pen, round(width * rng.uniform(0.3, 0.7)), height // 2, min(width, height) // 9)
    pen.ellipse((width // 6, 12, width * 3 // 4, height // 3), "white", "black", 2)
    pen.text((width // 3, height // 7), "OH NO", fill="black")
    return image


def person(pen: Pen, x: int, y: int, r: int) -> None:
    pen.ellipse((x - r, y - r, x + r, y + r), "#c98e62", "black", 3)
    pen.rectangle((x - r, y + r, x + r, y + 3 * r), "#39508a", "black", 3)


def comic(
    rows: Sequence[int],
    gutter: int,
    colour: str,
    grounds: Sequence[str] = GROUNDS,
    margin: int | None = None,
    frame: int = 0,
) -> tuple[Image.Image, list[Box]]:
    """Rows of panels of about 220 × 240 pixels, and where they are."""
    rng = random.Random(str((rows, gutter, colour)))
    rim = gutter if margin is None else margin
    width, high = max(rows) * 220, 240
    page = Image.new("RGB", (width, len(rows) * (high + gutter) - gutter + 2 * rim), colour)
    boxes = []
    for row, count in enumerate(rows):
        wide = (width - 2 * rim - gutter * (count - 1)) // count
        for place in range(count):
            x, y = rim + place * (wide + gutter), rim + row * (high + gutter)
            last = width - rim if place == count - 1 else x + wide
            panel = scene(last - x, high, rng, grounds[len(boxes) % len(grounds)])
            if frame:
                corner = (0, 0, panel.width - 1, panel.height - 1)
                ImageDraw.Draw(panel).rectangle(corner, outline="black", width=frame)
            page.paste(panel, (x, y))
            boxes.append(Box(x, y, last, y + high))
    return page, boxes


def found(image: Image.Image) -> list[Box]:
    return detected(np.asarray(image))


def same(areas: Sequence[Box], boxes: Sequence[Box]) -> bool:
    """Whether the areas are the boxes, in their order."""
    return len(areas) == len(boxes) and all(
        overlap(area, box) > 0.95 for area, box in zip(areas, boxes, strict=True)
    )


LAYOUTS = [[4, 4], [2, 2, 2, 2], [3, 3, 3], [3, 4], [2, 2], [4], [5], [8], [1] * 8]


@pytest.mark.parametrize("rows", LAYOUTS, ids=str)
@pytest.mark.parametrize(
    ("gutter", "colour", "frame"),
    [
        (12, "white", 2),
        (10, "black", 0),
        (6, "black", 0),
        (3, "black", 0),
        (2, "black", 0),
        (8, "#888888", 0),
        (9, "#204080", 2),
    ],
)
def test_gutters_and_lines_of_any_colour_part_panels(
    rows: list[int], gutter: int, colour: str, frame: int
) -> None:
    image, boxes = comic(rows, gutter, colour, frame=frame)
    assert same(found(image), boxes)


@pytest.mark.parametrize("grounds", [["white"], ["#bcd9ee"], ["#26314a"]], ids=str)
@pytest.mark.parametrize("margin", [0, 3])
def test_panels_of_one_ground_that_touch_are_parted_by_thin_lines(
    grounds: list[str], margin: int
) -> None:
    image, boxes = comic([4, 4], 3, "black", grounds, margin)
    assert same(found(image), boxes)
    large, scaled = image.resize((2200, 2200 * image.height // image.width)), 2200 / image.width
    assert same(found(large), [box.scaled(scaled) for box in boxes])


def test_saving_as_jpeg_changes_nothing() -> None:
    image, boxes = comic([4, 4], 4, "black")
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=70)
    assert same(found(Image.open(stream)), boxes)


def test_ground_under_feet_cuts_no_panel() -> None:
    image, boxes = comic([3, 3], 3, "black")
    for box in boxes[1:5]:
        at = box.y1 + 200
        ImageDraw.Draw(image).line((box.x1, at, box.x2 - 1, at), fill="black", width=3)
    assert same(found(image), boxes)


def _horizon(pen: Pen) -> None:
    pen.rectangle((0, 300, 700, 520), fill="#d8b98a")
    pen.line((0, 300, 700, 300), fill="black", width=4)
    person(pen, 200, 180, 30)


def _window(pen: Pen) -> None:
    pen.polygon([(0, 520), (0, 400), (350, 120), (700, 400), (700, 520)], fill="#5a8a5a")
    pen.line((350, 0, 350, 520), fill="black", width=6)
    pen.line((0, 260, 700, 260), fill="black", width=6)
    pen.ellipse((80, 60, 160, 140), fill="#ffd94a")
    pen.ellipse((480, 50, 640, 120), fill="white")


def _tiles(pen: Pen) -> None:
    for at in range(0, 700, 104):
        pen.line((at, 0, at, 520), fill="black", width=3)
        pen.line((0, at, 700, at), fill="black", width=3)


def _table(pen: Pen) -> None:
    for at in (0, 130, 260, 390):
        pen.line((0, at, 700, at), fill="black", width=3)
        for column in (0, 233, 466):
            pen.line((column, 0, column, 520), fill="black", width=3)
            pen.text((column + 40, at + 50), "forty-two", fill="black", font_size=28)


def _pole(pen: Pen) -> None:
    pen.rectangle((346, 0, 358, 520), fill="black")
    person(pen, 150, 200, 40)
    person(pen, 550, 200, 40)


def _wires(pen: Pen) -> None:
    for at in (200, 330):
        pen.rectangle((0, at, 700, at + 15), fill="black")
    person(pen, 180, 90, 25)
    person(pen, 520, 400, 25)


def _shelf(pen: Pen) -> None:
    rng = random.Random(3)
    for at in (170, 345, 520):
        pen.rectangle((0, at, 700, at + 8), fill="black")
        for x in range(10, 680, 40):
            spine = (x, at - rng.randrange(70, 140), x + 30, at - 1)
            pen.rectangle(spine, rng.choice(["#a33", "#36a", "#493"]), "black", 2)


def _door(pen: Pen) -> None:
    pen.rectangle((0, 0, 230, 520), fill="#b07a4a")
    pen.line((230, 0, 230, 520), fill="black", width=5)
    person(pen, 450, 200, 40)


@pytest.mark.parametrize("frame", [0, 4])
@pytest.mark.parametrize("draw", [_horizon, _window, _tiles, _table, _pole, _wires, _shelf, _door])
def test_a_scene_with_strong_lines_is_not_split(draw: Callable[[Pen], None], frame: int) -> None:
    image = Image.new("RGB", (700, 520), "#dfe8ee")
    pen = ImageDraw.Draw(image)
    draw(pen)
    if frame:
        pen.rectangle((0, 0, 699, 519), outline="black", width=frame)
    assert len(found(image)) < 2


def _covered() -> Image.Image:
    """A balloon lies over a gutter in a comic of black ones."""
    image, boxes = comic([4, 4], 6, "black")
    edge = boxes[1].x2
    ImageDraw.Draw(image).ellipse((edge - 60, 20, edge + 60, 90), "white", "black", 2)
    return image


def _undivided_row() -> Image.Image:
    """A row of four panels that only white ground parts, over four in frames."""
    image, boxes = comic([4, 4], 12, "white", frame=2)
    ImageDraw.Draw(image).rectangle((12, 12, boxes[3].x2, boxes[3].y2), "#f4e3b5", "black", 2)
    return image


def _mostly_bare() -> Image.Image:
    """Two panels in a corner of a page."""
    image, _ = comic([2], 12, "white", frame=2)
    page = Image.new("RGB", (900, 700), "white")
    page.paste(image, (0, 0))
    return page


@pytest.mark.parametrize("draw", [_covered, _undivided_row, _mostly_bare])
def test_doubtful_panels_go_to_the_model(draw: Callable[[], Image.Image], tmp_path: Path) -> None:
    draw().save(tmp_path / "aa.png")
    picture = PostMedia(given="aa.png", file="aa.png")
    post = Post(id="p-1", source="p", where="p.csv:1", media=(picture,))
    replies = {
        "boxes": {"panels": [{"x1": 0, "y1": 0, "x2": 1000, "y2": 1000}]},
        "reading": {"order": [1], "panels": [{"panel": 1, "text": ""}]},
        "harm": {"harmful": False, "reason": ""},
    }
    ask = ScriptedInterview(replies, PIXELHUMOR.folder / "curation" / "prompts", "en")
    assert drafted(BUILDING, post, ask, tmp_path).draft["panels_by"] == "model"
    assert [one.step for one in ask.asked] == ["boxes", "reading", "harm"]


def test_every_comic_of_the_mini_set_is_found_without_a_model() -> None:
    with (MINI_SET / "metadata.csv").open(encoding="utf-8") as stream:
        panels = {row["comic_id"]: row["metadata"].count("x1") for row in csv.DictReader(stream)}
    for name, count in panels.items():
        picture = np.asarray(read_image(MINI_SET / "images" / f"{name}.png"))
        assert len(detected(picture)) == count, name


@pytest.mark.parametrize("size", [(1, 1), (1, 300), (3, 2), (12, 12), (40, 40)])
def test_tiny_pictures_have_no_panels(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 2, (*size, 1), dtype=np.uint8) * 255
    assert detected(np.repeat(noise.astype(np.uint8), 3, axis=2)) == []
