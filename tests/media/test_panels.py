"""Panels found in drawn pages, and in the mini-sets' comics and memes."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from deadpan.media.boxes import Pixels
from deadpan.media.images import read_image
from deadpan.media.panels import Area, Panels, find_panels, overlap

BENCHMARKS = Path(str(files("deadpan.benchmarks")))


def textured(width: int, height: int, seed: int) -> Image.Image:
    """A blurred picture of many colours, as a photograph has."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, (6, 7, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)


def page(
    rows: list[int], gutter: int = 0, ground: str = "white", bar: bool = False, margin: int = 0
) -> Image.Image:
    """Rows of textured panels, 600 wide and 200 high each, under a caption bar each with `bar`."""
    high, top = 200, 70 if bar else margin
    made = Image.new("RGB", (600, 2000), ground)
    pen = ImageDraw.Draw(made)
    seed = 0
    for count in rows:
        if bar:
            pen.rectangle((0, top - 70, 600, top), fill="white")
            font = ImageFont.load_default(34)
            pen.text((20, top - 58), "THE BUILD IS GREEN, AT LAST", fill="black", font=font)
        wide = (600 - 2 * margin - gutter * (count - 1)) // count
        for i in range(count):
            seed += 1
            made.paste(textured(wide, high, seed), (margin + i * (wide + gutter), top))
        top += high + (70 if bar else gutter)
    return made.crop((0, 0, 600, top - (70 if bar else gutter) + margin))


def found(image: Image.Image) -> Panels:
    return find_panels(np.asarray(image.convert("RGB")))


@pytest.mark.parametrize(
    ("rows", "layout"),
    [
        ([1], "1"),
        ([2], "1|1"),
        ([1, 1], "1/1"),
        ([1, 1, 1], "1/1/1"),
        ([2, 2], "(1|1)/(1|1)"),
        ([1, 2], "1/(1|1)"),
        ([3, 3], "(1|1|1)/(1|1|1)"),
    ],
)
@pytest.mark.parametrize(
    ("gutter", "ground", "margin"),
    [(12, "white", 12), (10, "black", 10), (3, "black", 0), (6, "white", 0), (14, "#c03a5b", 14)],
)
def test_gutters_and_lines_part_panels(
    rows: list[int], layout: str, gutter: int, ground: str, margin: int
) -> None:
    panels = found(page(rows, gutter, ground, margin=margin))
    assert panels.layout == layout
    assert len(panels.areas) == sum(rows)


@pytest.mark.parametrize(
    ("rows", "layout"), [([1], "1"), ([2], "1|1"), ([1, 1], "1/1"), ([2, 2], "(1|1)/(1|1)")]
)
def test_pictures_that_touch_are_parted_by_the_change_of_colour(
    rows: list[int], layout: str
) -> None:
    assert found(page(rows)).layout == layout


@pytest.mark.parametrize(
    ("rows", "layout"), [([1], "1"), ([1, 1], "1/1"), ([2], "1|1"), ([2, 1], "(1|1)/1")]
)
def test_caption_bars_are_no_panels(rows: list[int], layout: str) -> None:
    panels = found(page(rows, 8, bar=True))
    assert panels.layout == layout
    assert panels.areas[0].y1 == pytest.approx(70, abs=2)


def test_areas_are_in_the_pictures_own_pixels_and_in_reading_order() -> None:
    large = page([2, 1], 12, margin=12).resize((1800, 1308))
    first, second, last = found(large).areas
    assert overlap(first, Area(36, 36, 882, 636)) > 0.97
    assert overlap(second, Area(918, 36, 1764, 636)) > 0.97
    assert overlap(last, Area(36, 672, 1764, 1272)) > 0.97


def test_a_horizon_parts_no_picture() -> None:
    scene = Image.new("RGB", (500, 400), "#9fd3f0")
    pen = ImageDraw.Draw(scene)
    pen.rectangle((0, 230, 500, 400), fill="#d8b98a")
    pen.ellipse((60, 40, 120, 100), fill="#ffd94a")
    pen.rectangle((200, 300, 320, 360), fill="#7a4a2b")
    assert found(scene).layout == "1"


def test_words_over_a_picture_part_nothing() -> None:
    image = textured(500, 400, 3)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(48)
    for y in (10, 330):
        pen.text((20, y), "NOT A PANEL AT ALL", "white", font, stroke_width=4, stroke_fill="black")
    assert found(image).layout == "1"


def test_saving_as_jpeg_changes_nothing() -> None:
    stream = io.BytesIO()
    page([1, 2], 10, margin=10).save(stream, "JPEG", quality=60)
    assert found(Image.open(stream)).layout == "1/(1|1)"


@pytest.mark.parametrize("size", [(1, 1), (1, 300), (300, 1), (3, 2), (12, 12), (40, 40)])
@pytest.mark.parametrize("colour", ["white", "black", "#8855aa"])
def test_tiny_and_blank_pictures_are_one_panel(size: tuple[int, int], colour: str) -> None:
    panels = found(Image.new("RGB", size, colour))
    assert panels == Panels((Area(0, 0, *size),), "1")


def test_a_blank_page_and_pure_noise_are_one_panel() -> None:
    assert found(Image.new("RGB", (700, 500), "white")).layout == "1"
    noise: Pixels = np.random.default_rng(1).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    assert find_panels(noise).layout == "1"


def test_overlap_is_shared_over_joint_area() -> None:
    assert overlap(Area(0, 0, 10, 10), Area(5, 0, 15, 10)) == pytest.approx(50 / 150)
    assert overlap(Area(0, 0, 10, 10), Area(10, 0, 20, 10)) == 0
    assert overlap(Area(0, 0, 0, 0), Area(5, 5, 5, 5)) == 0


def test_every_comic_of_the_mini_set_has_its_gold_panels() -> None:
    folder = BENCHMARKS / "pixelhumor" / "data"
    with (folder / "metadata.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 35
    for row in rows:
        gold = json.loads(row["metadata"].replace("'", '"'))
        panels = find_panels(np.asarray(read_image(folder / "images" / f"{row['comic_id']}.png")))
        assert len(panels.areas) == len(gold), row["comic_id"]
        for box in gold:
            area = Area(box["x1"], box["y1"], box["x2"], box["y2"])
            assert max(overlap(area, one) for one in panels.areas) > 0.95


TWO_PANELS = {
    1,
    3,
    5,
    12,
    15,
    16,
    22,
    31,
    38,
    40,
    45,
    47,
    48,
    104,
    107,
    115,
    119,
    124,
    131,
    133,
    138,
    139,
    140,
    148,
}


def test_nearly_every_meme_of_the_mini_set_has_its_number_of_panels() -> None:
    pictures = sorted((BENCHMARKS / "janusmm" / "data" / "images").glob("*.png"))
    wrong = [
        path.stem
        for path in pictures
        if len(find_panels(np.asarray(read_image(path))).areas)
        != 1 + (int(path.stem.rpartition("_")[2]) in TWO_PANELS)
    ]
    assert len(pictures) == 96
    assert len(wrong) <= 1
