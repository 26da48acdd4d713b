"""Panel boxes fitted to pictures of another size: drawn comics scaled, cropped, padded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageOps

from deadpan.benchmarks.pixelhumor.records import read_comics
from deadpan.core.questions import PanelBox
from deadpan.media.panel_scale import (
    PanelFit,
    annotated_size,
    fit_boxes,
    fit_panels,
    is_plainly_same,
)

RELEASED = Path(__file__).resolve().parents[3] / "shared/data/pixelhumor"
LAYOUTS = [[3], [4], [2, 2], [1, 2], [1, 1, 1], [1]]


def comic(rows: list[int], margin: int = 8) -> tuple[Image.Image, tuple[PanelBox, ...]]:
    """Rows of framed panels with scribbles in them, 900 wide, and the boxes of their frames."""
    high, gutter = 260, 14
    picture = Image.new("RGB", (900, 2 * margin + len(rows) * (high + gutter) - gutter), "white")
    pen, rng, boxes = ImageDraw.Draw(picture), np.random.default_rng(7), []
    for row, count in enumerate(rows):
        wide = (900 - 2 * margin - gutter * (count - 1)) // count
        top = margin + row * (high + gutter)
        for place in range(count):
            left = margin + place * (wide + gutter)
            pen.rectangle((left, top, left + wide, top + high), outline="black", width=3)
            for _ in range(6):
                x, y = left + rng.integers(10, wide - 60), top + rng.integers(10, high - 60)
                pen.ellipse((x, y, x + 50, y + 50), outline="black", width=2)
            corners = {"x1": left, "y1": top, "x2": left + wide, "y2": top + high}
            boxes.append(PanelBox(**corners, panel_number=len(boxes) + 1))
    return picture, tuple(boxes)


def resized(image: Image.Image, across: float, down: float | None = None) -> Image.Image:
    size = (round(image.width * across), round(image.height * (down or across)))
    return image.resize(size, Image.Resampling.LANCZOS)


def fitted(image: Image.Image, boxes: tuple[PanelBox, ...]) -> PanelFit:
    return fit_boxes(boxes, np.asarray(image.convert("RGB")))


@pytest.mark.parametrize("rows", LAYOUTS, ids=str)
@pytest.mark.parametrize("factor", [0.5, 0.62, 1, 1.1, 1.5, 2])
def test_boxes_follow_a_picture_of_another_size(rows: list[int], factor: float) -> None:
    picture, boxes = comic(rows)
    fit = fitted(resized(picture, factor), boxes)
    assert fit.problem is None
    assert fit.factor == pytest.approx(factor, rel=0.01)
    assert (fit.note is None) is (factor == 1)
    for box, own in zip(boxes, fit.boxes, strict=True):
        assert own.panel_number == box.panel_number
        assert own.x1 == pytest.approx(box.x1 * factor, abs=0.01 * 900 * factor)
        assert own.y2 == pytest.approx(box.y2 * factor, abs=0.01 * picture.height * factor)


@pytest.mark.parametrize("rows", [[3], [4], [2, 2], [1, 2], [1, 1, 1]], ids=str)
@pytest.mark.parametrize("sides", [(0.15, 0, 0, 0), (0, 0, 0.15, 0), (0, 0, 0, 0.2)], ids=str)
def test_a_cropped_picture_has_no_scale(
    rows: list[int], sides: tuple[float, float, float, float]
) -> None:
    picture, boxes = comic(rows)
    wide, high = picture.size
    left, top, right, bottom = sides
    part = (wide * left, high * top, wide * (1 - right), high * (1 - bottom))
    fit = fitted(picture.crop(tuple(map(round, part))), boxes)
    assert fit.problem is not None
    assert "no one scale puts them on its panels" in fit.problem
    assert fit.boxes == boxes


@pytest.mark.parametrize("rows", [[3], [2, 2], [1, 2]], ids=str)
def test_room_below_or_beside_leaves_boxes_alone(rows: list[int]) -> None:
    picture, boxes = comic(rows)
    for border in ((0, 0, 0, 140), (0, 0, 200, 0)):
        wider = ImageOps.expand(picture, border, "white")
        assert fitted(wider, boxes) == PanelFit(boxes)


@pytest.mark.parametrize("rows", [[3], [2, 2], [1, 2]], ids=str)
def test_room_above_or_around_moves_panels_away(rows: list[int]) -> None:
    picture, boxes = comic(rows)
    for border in ((0, 140, 0, 0), (150, 0, 0, 0), (90, 90, 90, 90)):
        assert fitted(ImageOps.expand(picture, border, "white"), boxes).problem


def test_another_aspect_has_no_scale() -> None:
    picture, boxes = comic([2, 2])
    for across, down in ((1, 1.5), (2, 1.4), (0.6, 1)):
        assert fitted(resized(picture, across, down), boxes).problem


def test_a_scaled_picture_with_room_below_is_scaled() -> None:
    picture, boxes = comic([2, 2])
    fit = fitted(ImageOps.expand(resized(picture, 2), (0, 0, 0, 300), "white"), boxes)
    assert (fit.problem, fit.factor) == (None, pytest.approx(2, rel=0.01))


def test_a_picture_without_borders_is_scaled_where_both_sides_agree() -> None:
    boxes = comic([3])[1]
    blank = Image.new("RGB", (1800, 552), "white")
    assert fitted(blank, boxes).factor == 2
    assert fitted(blank.resize((1800, 800)), boxes).problem


def test_nothing_to_fit() -> None:
    picture = np.full((50, 80, 3), 255, np.uint8)
    empty = (PanelBox(x1=5, y1=5, x2=5, y2=40, panel_number=1),)
    for boxes in ((), empty):
        assert fit_boxes(boxes, picture) == PanelFit(boxes)
        assert is_plainly_same(boxes, (80, 50))
        assert annotated_size(boxes) is None


def test_files(tmp_path: Path) -> None:
    picture, boxes = comic([3])
    path = tmp_path / "a.png"
    assert fit_panels(path, boxes) == PanelFit(boxes)  # not there
    resized(picture, 2).save(path)
    assert fit_panels(path, boxes).factor == 2
    picture.save(path)  # changed since
    assert fit_panels(path, boxes) == PanelFit(boxes)
    path.write_bytes(b"no picture")
    assert fit_panels(path, boxes) == PanelFit(boxes)


def test_a_picture_lying_on_its_side_is_measured_upright(tmp_path: Path) -> None:
    picture, boxes = comic([3])
    exif = Image.Exif()
    exif[0x0112] = 6
    path = tmp_path / "a.jpg"
    picture.rotate(90, expand=True).save(path, exif=exif)
    assert fit_panels(path, boxes) == PanelFit(boxes)


def test_the_mini_set_at_other_sizes() -> None:
    for one in read_comics(None).records:
        assert one.image is not None
        with Image.open(one.image) as opened:
            picture = opened.convert("RGB")
        assert fit_panels(Path(one.image), one.boxes) == PanelFit(one.boxes)
        for factor in (0.5, 1.5):
            fit = fitted(resized(picture, factor), one.boxes)
            assert (fit.problem, fit.factor) == (None, pytest.approx(factor, rel=0.02))


@pytest.mark.skipif(not RELEASED.is_dir(), reason="the released annotations are not here")
def test_released_boxes_tell_their_pictures_sizes() -> None:
    """Gocomics' strips are 900 wide, They Can Talk's 540 or 1080: what the extents give."""
    found = {one.comic_id: annotated_size(one.boxes) for one in read_comics(RELEASED).records}
    assert len(found) == 2800 and all(found.values())
    widths = {name: size[0] for name, size in found.items() if size}
    strips = [w for name, w in widths.items() if name.startswith(("garfield", "peanuts"))]
    assert np.mean([min(abs(w / n - 1) for n in (900, 1200)) < 0.03 for w in strips]) > 0.95
    talks = [w for name, w in widths.items() if name.startswith("they_can_talk")]
    assert np.mean([min(abs(w / n - 1) for n in (540, 1080, 1280)) < 0.03 for w in talks]) > 0.95
