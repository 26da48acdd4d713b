"""Words in pictures without an OCR: large and small letters are told from plain drawings."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter

from deadpan.collecting.anonymise.lettering import may_hold_words


@pytest.mark.parametrize("size", [14, 28, 60])
@pytest.mark.parametrize("colours", [("white", "black"), ("#223344", "#eeeeee")])
@pytest.mark.parametrize("pixels", [(400, 200), (1500, 900)])
def test_letters_are_seen(size: int, colours: tuple[str, str], pixels: tuple[int, int]) -> None:
    image = Image.new("RGB", pixels, colours[0])
    ImageDraw.Draw(image).text((30, 60), "Hi Lisa", fill=colours[1], font_size=size)
    assert may_hold_words(image)


def test_drawings_without_letters_are_not() -> None:
    sun = Image.new("RGB", (500, 400), "skyblue")
    ImageDraw.Draw(sun).ellipse((100, 100, 300, 300), fill="yellow", outline="black", width=4)
    clouds = np.random.default_rng(0).integers(0, 255, (400, 500)).astype(np.uint8)
    assert not may_hold_words(sun)
    assert not may_hold_words(Image.fromarray(clouds).filter(ImageFilter.GaussianBlur(8)))


@pytest.mark.parametrize("size", [(1, 1), (3, 2000), (2000, 3)])
def test_any_size_can_be_looked_at(size: tuple[int, int]) -> None:
    assert not may_hold_words(Image.new("RGBA", size))
