"""Blank pictures, and comics laid out anew: every panel whole, in its place, under its number."""

import io
from pathlib import Path

import pytest
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.core.questions import Clip, MediaOptions, PanelBox, Picture
from deadpan.media.arranging import GREY, blank_image, lay_out_panels, panel_rows
from deadpan.media.prepared import prepare_clip, prepare_image

COLOURS = ("red", "green", "blue", "yellow")


def box(x: int, y: int, number: int, width: int = 40, height: int = 30) -> PanelBox:
    return PanelBox(x1=x, y1=y, x2=x + width, y2=y + height, panel_number=number)


BOXES = (box(5, 5, 3), box(50, 5, 1), box(5, 40, 4), box(50, 40, 2))


def comic() -> Image.Image:
    image = Image.new("RGB", (95, 75), "white")
    for colour, one in zip(COLOURS, BOXES, strict=True):
        image.paste(colour, (one.x1, one.y1, one.x2, one.y2))
    return image


def test_rows_are_read_from_left_to_right() -> None:
    assert panel_rows(BOXES) == [[0, 1], [2, 3]]
    assert panel_rows([box(0, 90, 1), box(60, 3, 2), box(0, 0, 3)]) == [[2, 1], [0]]
    assert panel_rows([]) == []


def test_panels_stand_in_the_order_that_is_wanted() -> None:
    sheet, placed = lay_out_panels(comic(), BOXES, [3, 0, 1, 2])
    assert [one.panel_number for one in placed] == [2, 3, 1, 4]
    assert panel_rows(placed) == [[0, 1], [2, 3]]
    for one, colour in zip(placed, ("yellow", "red", "green", "blue"), strict=True):
        cut = sheet.crop((one.x1, one.y1, one.x2, one.y2))
        assert cut.getcolors() == [(40 * 30, Image.new("RGB", (1, 1), colour).getpixel((0, 0)))]
    assert sheet.getpixel((0, 0)) == (255, 255, 255)


def test_a_box_that_leaves_the_picture_is_cut_and_one_outside_raises() -> None:
    _, placed = lay_out_panels(comic(), (box(-10, 0, 1), box(60, 0, 2, width=90)), [1, 0])
    assert [one.x2 - one.x1 for one in placed] == [35, 30]
    with pytest.raises(ValueError, match="panel 7 has no pixel"):
        lay_out_panels(comic(), (box(0, 0, 1), box(500, 0, 7)), [1, 0])


def test_a_blank_picture_is_as_large_and_one_grey(tmp_path: Path) -> None:
    comic().save(tmp_path / "comic.png")
    picture = Picture(path=str(tmp_path / "comic.png"), panels=BOXES, blank=True)
    shown = Image.open(io.BytesIO(prepare_image(picture).data)).convert("RGB")
    assert shown.size == (95, 75)
    assert shown.getcolors() == [(95 * 75, GREY)]
    assert blank_image((3, 2)).size == (3, 2)


def test_the_same_file_is_kept_apart_by_how_it_is_shown(tmp_path: Path) -> None:
    comic().save(tmp_path / "comic.png")
    plain = Picture(path=str(tmp_path / "comic.png"), panels=BOXES)
    ways = [
        plain,
        plain.model_copy(update={"blank": True}),
        plain.model_copy(update={"layout": (3, 0, 1, 2)}),
    ]
    assert len({prepare_image(one).sha256 for one in ways}) == 3
    assert len({str(one.recipe()) for one in ways}) == 3
    assert prepare_image(ways[2]).notes == ()


def test_panels_outside_of_the_picture_are_told(tmp_path: Path) -> None:
    comic().save(tmp_path / "comic.png")
    boxes = (box(0, 0, 1), box(500, 0, 2))
    picture = Picture(path=str(tmp_path / "comic.png"), panels=boxes, layout=(1, 0))
    with pytest.raises(InputError, match="panel 2 has no pixel"):
        prepare_image(picture)


def test_frames_of_a_blank_clip_are_grey_and_as_large(tmp_path: Path) -> None:
    paths = []
    for number, colour in enumerate(COLOURS):
        paths.append(str(tmp_path / f"{number}.png"))
        Image.new("RGB", (64, 48), colour).save(paths[-1])
    clip = Clip(path=str(tmp_path / "none.mp4"), frames=tuple(paths), blank=True)
    shown = prepare_clip(clip, MediaOptions(frames=4))
    assert shown is not None and len(shown.frames) == 4
    for frame in shown.frames:
        image = Image.open(io.BytesIO(frame.data)).convert("RGB")
        assert image.size == (64, 48)
        assert all(abs(value - GREY[0]) <= 2 for value in image.getpixel((20, 20)))  # type: ignore[union-attr,operator]
