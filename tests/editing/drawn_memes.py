"""Memes in the classic styles, drawn for the caption editor's tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from deadpan.media.fonts import lettering

INK = (20, 20, 20)


def textured(width: int = 640, height: int = 420, seed: int = 3) -> Image.Image:
    """A busy ground: coarse noise of many colours with fine grain on it."""
    chance = np.random.default_rng(seed)
    coarse = chance.integers(30, 220, (height // 40 + 2, width // 40 + 2, 3), dtype=np.uint8)
    large = Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)
    grain = chance.normal(0, 6, (height, width, 1))
    return Image.fromarray((np.asarray(large) + grain).clip(0, 255).astype(np.uint8))


def write(
    image: Image.Image,
    text: str,
    middle: tuple[float, float],
    size: int = 44,
    fill: tuple[int, int, int] = (255, 255, 255),
    outline: int = 4,
) -> None:
    """Writes one line around a point, with a black outline where it is asked for."""
    ImageDraw.Draw(image).text(
        middle, text, fill, font=lettering(size, text), anchor="mm", stroke_width=outline,
        stroke_fill=(0, 0, 0),
    )  # fmt: skip


def with_bar(text: str, picture: Image.Image | None = None) -> Image.Image:
    """A picture under a white bar with a line of dark text."""
    below = picture or textured(560, 300)
    meme = Image.new("RGB", (below.width, below.height + 80), "white")
    meme.paste(below, (0, 80))
    write(meme, text, (meme.width / 2, 40), 32, INK, 0)
    return meme


def saved(image: Image.Image, path: Path) -> Path:
    """The path, where the picture now is."""
    image.save(path)
    return path
