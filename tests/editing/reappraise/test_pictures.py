"""The side-by-side sheet: both pictures whole, labels that fit, any shape."""

import numpy as np
import pytest
from PIL import Image

from deadpan.editing.reappraise import side_by_side
from deadpan.editing.received import EMOTIONS
from deadpan.media.fonts import lettering

RED, BLUE = (255, 0, 0), (0, 0, 255)


def count(sheet: Image.Image, colour: tuple[int, int, int]) -> int:
    """How many pixels have just this colour."""
    return int((np.asarray(sheet) == colour).all(axis=2).sum())


def test_both_pictures_are_shown_pixel_for_pixel() -> None:
    sheet = side_by_side(Image.new("RGB", (400, 300), RED), Image.new("RGB", (400, 300), BLUE))
    assert count(sheet, RED) == count(sheet, BLUE) == 400 * 300
    pixels = np.asarray(sheet)
    assert (pixels == RED).all(axis=2).nonzero()[1].max() < (
        (pixels == BLUE).all(axis=2).nonzero()[1].min()
    )


@pytest.mark.parametrize("size", [(1, 1), (3, 2000), (6000, 4), (8000, 6000), (50, 1200)])
def test_any_shape_fits_and_can_be_seen(size: tuple[int, int]) -> None:
    sheet = side_by_side(Image.new("RGB", size, RED), Image.new("RGB", (64, 64), BLUE))
    assert sheet.width <= 2 * 900 + 3 * 28 and sheet.height <= 1200 + 56 + 2 * 28
    assert count(sheet, RED) > 0 and count(sheet, BLUE) == 320 * 320


def test_labels_are_written_in_the_language_asked_for() -> None:
    red, blue = Image.new("RGB", (400, 300), RED), Image.new("RGB", (400, 300), BLUE)
    sheets = [
        side_by_side(red, blue, "en", "sad", "happy"),
        side_by_side(red, blue, "zh", "sad", "happy"),
        side_by_side(red, blue, "zh"),
        side_by_side(red, blue.resize((100, 100)), "en", "sad", "happy"),
    ]
    bars = {sheet.crop((0, 0, sheet.width, 80)).tobytes() for sheet in sheets}
    assert len(bars) == 4


def test_every_chinese_emotion_can_be_lettered() -> None:
    assert len(EMOTIONS["zh"]) == 8
    for name in EMOTIONS["zh"].values():
        assert lettering(20, name).getlength(name) > 0
