"""What changed between two pictures."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from deadpan.benchmarks.merbench.checks.changes import (
    changed_share,
    is_edited,
    largest_change,
    preserved_ssim,
)
from deadpan.media.panels import Area
from tests.benchmarks.merbench.checks.drawn import CAPTION, SIZE, meme

WHERE = Area(CAPTION[0] - 15, CAPTION[1] - 15, CAPTION[2] + 15, CAPTION[3] + 15)


def test_the_share_of_changed_pixels_is_counted() -> None:
    one = np.zeros((20, 30, 3), np.uint8)
    other = one.copy()
    other[:5, :6, 1] = 200
    other[10:, :, 2] = 16
    assert changed_share(one, other) == pytest.approx(30 / 600)


def test_an_equal_picture_is_not_edited() -> None:
    pixels = np.asarray(meme())
    assert changed_share(pixels, pixels) == 0
    assert not is_edited(largest_change(pixels, pixels))


@pytest.mark.parametrize("quality", [40, 75, 95])
def test_saving_again_is_no_edit(quality: int) -> None:
    stream = io.BytesIO()
    meme().save(stream, "JPEG", quality=quality)
    saved = np.asarray(Image.open(stream).convert("RGB"))
    assert not is_edited(largest_change(np.asarray(meme()), saved))


def test_one_other_word_or_other_light_is_an_edit() -> None:
    source = np.asarray(meme("MONDAY AGAIN"))
    assert is_edited(largest_change(source, np.asarray(meme("MONDAY BEGAN"))))
    light = ImageEnhance.Brightness(meme()).enhance(0.8)
    assert is_edited(largest_change(source, np.asarray(light)))


def test_tiny_pictures_have_a_change_and_no_structure() -> None:
    one, other = np.zeros((2, 3, 3), np.uint8), np.full((2, 3, 3), 90, np.uint8)
    assert largest_change(one, other) == 90
    assert preserved_ssim(one, other, []) is None


def test_only_what_is_outside_the_captions_counts_as_preserved() -> None:
    source, edited = np.asarray(meme("MONDAY AGAIN")), np.asarray(meme("SUNDAY, OH YES"))
    assert preserved_ssim(source, edited, [WHERE]) == pytest.approx(1.0)
    all_of_it = preserved_ssim(source, edited, [])
    assert all_of_it is not None and all_of_it < 0.98
    other_sun = preserved_ssim(source, np.asarray(meme(sun="#d62f6b")), [WHERE])
    assert other_sun is not None and other_sun < 0.999


def test_text_everywhere_leaves_nothing_to_compare() -> None:
    pixels = np.asarray(meme())
    assert preserved_ssim(pixels, pixels, [Area(-5, -5, *SIZE)]) is None


def test_a_large_picture_is_compared_at_a_smaller_size() -> None:
    large = meme().resize((1920, 1440))
    box = Area(*(4 * side for side in (WHERE.x1, WHERE.y1, WHERE.x2, WHERE.y2)))
    other = meme("SUNDAY, OH YES").resize((1920, 1440))
    kept = preserved_ssim(np.asarray(large), np.asarray(other), [box])
    assert kept == pytest.approx(1.0, abs=1e-6)
