"""Ink found and taken out."""

import numpy as np
import pytest
from PIL import Image

from deadpan.editing.erasing import erase, find_ink
from deadpan.editing.style import style_of
from deadpan.media.boxes import Box
from tests.editing.drawn_memes import textured, write

LINE = Box(60, 30, 420, 90)


def gradient() -> Image.Image:
    """Runs from blue at the left to red at the right, and darker downwards."""
    across = np.linspace(0, 1, 480)[None, :, None]
    down = np.linspace(1, 0.8, 120)[:, None, None]
    colours = (np.array([40, 60, 200]) * (1 - across) + np.array([220, 90, 40]) * across) * down
    return Image.fromarray(colours.astype(np.uint8))


def test_a_flat_ground_comes_out_exactly() -> None:
    ground = Image.new("RGB", (480, 120), (250, 248, 240))
    meme = ground.copy()
    write(meme, "HELLO WORLD", (240, 60), 50)
    found = find_ink(np.asarray(meme), [LINE])
    assert (erase(np.asarray(meme), found.covered, found.ground) == np.asarray(ground)).all()


def test_a_gradient_comes_out_to_the_eye() -> None:
    ground = gradient()
    meme = ground.copy()
    write(meme, "HELLO WORLD", (240, 60), 50)
    found = find_ink(np.asarray(meme), [LINE])
    after = erase(np.asarray(meme), found.covered, found.ground).astype(int)
    assert found.ground is not None
    assert np.abs(after - np.asarray(ground)).max() <= 3


def test_a_busy_ground_keeps_no_ink() -> None:
    ground = textured(480, 120)
    meme = ground.copy()
    write(meme, "HELLO WORLD", (240, 60), 50)
    before = np.asarray(meme)
    found = find_ink(before, [LINE])
    changed = (before != np.asarray(ground)).any(axis=-1)
    assert found.ground is None
    assert (changed & ~found.covered).sum() <= 0.01 * changed.sum()


def test_a_balloons_outline_stays() -> None:
    meme = Image.new("RGB", (300, 120), "white")
    write(meme, "Hi there", (150, 60), 36, (0, 0, 0), 0)
    meme.paste((0, 0, 0), (60, 25, 240, 28))
    found = find_ink(np.asarray(meme), [Box(70, 36, 230, 84)])
    after = erase(np.asarray(meme), found.covered, found.ground)
    assert (after[25:28, 60:240] == 0).all()
    assert (after[30:] == 255).all()


def test_nothing_covered_changes_nothing() -> None:
    pixels = np.asarray(textured(50, 40))
    assert (erase(pixels, np.zeros((40, 50), bool), None) == pixels).all()


def test_nothing_left_around_raises() -> None:
    with pytest.raises(ValueError, match="nothing is left"):
        erase(np.asarray(textured(50, 40)), np.ones((40, 50), bool), None)


@pytest.mark.parametrize("ground", ["busy", "gradient", "white"])
def test_style_of_outlined_letters(ground: str) -> None:
    grounds = {
        "busy": textured(480, 120),
        "gradient": gradient(),
        "white": Image.new("RGB", (480, 120), "white"),
    }
    meme = grounds[ground]
    write(meme, "HELLO WORLD", (240, 60), 50, outline=4)
    pixels = np.asarray(meme)
    style = style_of(pixels, find_ink(pixels, [LINE]), [("HELLO WORLD", LINE)])
    assert style.fill == (255, 255, 255)
    assert max(style.outline) <= 8
    assert 2.5 <= style.outline_width <= 5.5
    assert 43 <= style.size <= 57


def test_style_of_plain_letters() -> None:
    meme = Image.new("RGB", (480, 120), (240, 240, 200))
    write(meme, "Hello world", (240, 60), 50, (180, 20, 30), 0)
    pixels = np.asarray(meme)
    style = style_of(pixels, find_ink(pixels, [LINE]), [("Hello world", LINE)])
    assert (style.fill, style.outline_width, style.line_count) == ((180, 20, 30), 0, 1)
    assert 46 <= style.size <= 54
