"""Memes as other people's code letters them: glyphs as masks, slanted, turned, thickened, blurred
and blended with OpenCV and NumPy. Each knows its ground, so that remains can be counted."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from deadpan.media.fonts import lettering

Array = npt.NDArray[np.float32]
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@dataclass(frozen=True)
class Strange:
    """A meme, the same picture without its lettering, and what it says and is to say."""

    meme: npt.NDArray[np.uint8]
    ground: npt.NDArray[np.uint8]
    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def lettered(self) -> npt.NDArray[np.bool_]:
        """The pixels that the lettering has clearly changed."""
        return np.asarray(np.abs(self.meme.astype(int) - self.ground).max(axis=-1) > 40)

    def remains(self, erased: npt.NDArray[np.uint8]) -> float:
        """Which share of the lettering's pixels looks as before the erasing, and not like what
        is around: untouched, and far from the ground."""
        same = np.abs(self.meme.astype(int) - erased).max(axis=-1) <= 12
        return float((same & self.lettered).sum() / self.lettered.sum())


def photo(width: int = 480, height: int = 360, seed: int = 1) -> Array:
    """What a photograph is like: soft shapes of many sizes, an edge, light, grain."""
    chance = np.random.default_rng(seed)
    whole = np.zeros((height, width, 3), np.float32)
    for cells, weight in ((3, 90), (8, 45), (24, 18)):
        rough = chance.normal(0, 1, (cells, cells + 1, 3)).astype(np.float32)
        rough = 0.35 * rough + rough[..., :1]  # more light and dark than colours
        whole += 0.6 * weight * cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    whole += 118 + 30 * np.linspace(1, -1, height, dtype=np.float32)[:, None, None]
    whole[height // 2 + 20 :] *= 0.75
    whole += chance.normal(0, 7, (height, width, 1)).astype(np.float32)
    return whole.clip(0, 255)


def slope(top: tuple[int, int, int], low: tuple[int, int, int], size: tuple[int, int]) -> Array:
    """A ground that runs from one colour to another."""
    way = np.linspace(0, 1, size[1], dtype=np.float32)[:, None, None]
    column = np.array(top, np.float32) * (1 - way) + np.array(low, np.float32) * way
    return np.repeat(column, size[0], axis=1)


def flat(colour: tuple[int, int, int], size: tuple[int, int] = (480, 360)) -> Array:
    return np.full((size[1], size[0], 3), colour, np.float32)


def glyphs(
    shape: tuple[int, ...],
    text: str,
    middle: tuple[float, float],
    size: int,
    slant: float = 0.0,
    turn: float = 0.0,
) -> Array:
    """How far each pixel is covered by a line of text, slanted and turned around its middle."""
    chinese = any(char > "\u2e80" for char in text)
    face = lettering(size, text) if chinese else ImageFont.load_default(size)
    sheet = Image.new("L", (shape[1], shape[0]))
    ImageDraw.Draw(sheet).text(middle, text, 255, font=face, anchor="mm", stroke_width=1)
    x, y = middle
    shear = np.array([[1, -slant, slant * y], [0, 1, 0], [0, 0, 1]])
    whole = np.vstack([cv2.getRotationMatrix2D((x, y), turn, 1.0), [0, 0, 1]]) @ shear
    mask = cv2.warpAffine(np.asarray(sheet), whole[:2], (shape[1], shape[0]), flags=cv2.INTER_CUBIC)
    return np.asarray(mask, np.float32) / 255


def thicker(mask: Array, reach: int) -> Array:
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    return np.asarray(cv2.dilate(mask, kernel), np.float32)


def over(picture: Array, mask: Array, colour: tuple[int, int, int] | Array) -> Array:
    """The picture with a colour laid over it where the mask is."""
    alpha = mask[..., None]
    return np.asarray(picture * (1 - alpha) + np.asarray(colour, np.float32) * alpha, np.float32)


def finished(ground: Array, meme: Array, old: str, new: str) -> Strange:
    sides = [part.round().clip(0, 255).astype(np.uint8) for part in (meme, ground)]
    return Strange(sides[0], sides[1], tuple(old.split("|")), tuple(new.split("|")))


def slanted_thick() -> Strange:
    """Slanted letters with a thick black outline on a photograph."""
    ground = photo()
    mask = glyphs(ground.shape, "NOBODY CALLED ME", (240, 60), 40, slant=0.35)
    meme = over(over(ground, thicker(mask, 7), BLACK), mask, WHITE)
    return finished(ground, meme, "NOBODY CALLED ME", "EVERYBODY CAME")


def thick_outline() -> Strange:
    """An outline nearly as thick as the strokes are apart."""
    ground = photo(seed=2)
    mask = glyphs(ground.shape, "RAIN AGAIN TODAY", (240, 300), 42)
    meme = over(over(ground, thicker(mask, 9), (20, 20, 60)), mask, (255, 240, 80))
    return finished(ground, meme, "RAIN AGAIN TODAY", "SUN AT LAST")


def turned() -> Strange:
    """A line turned by five degrees, outlined."""
    ground = photo(seed=3)
    mask = glyphs(ground.shape, "LATE FOR WORK", (240, 70), 42, turn=5)
    meme = over(over(ground, thicker(mask, 4), BLACK), mask, WHITE)
    return finished(ground, meme, "LATE FOR WORK", "HOME EARLY")


def soft_shadow() -> Strange:
    """A blurred shadow, well away from the letters, on a ground that runs."""
    ground = slope((240, 170, 110), (90, 110, 190), (480, 360))
    mask = glyphs(ground.shape, "My tea went cold", (240, 300), 42)
    moved = cv2.GaussianBlur(np.roll(mask, (5, 6), (0, 1)), (0, 0), 2.5)
    meme = over(over(ground, 0.8 * moved, BLACK), mask, WHITE)
    return finished(ground, meme, "My tea went cold", "My tea is warm")


def shaded_letters() -> Strange:
    """Letters that run from yellow to red, outlined, on a photograph."""
    ground = photo(seed=5)
    mask = glyphs(ground.shape, "I LOST IT ALL", (240, 60), 48)
    colours = slope((255, 240, 60), (230, 40, 20), (480, 120))
    shade = np.concatenate([colours, flat(BLACK, (480, 240))])
    meme = over(over(ground, thicker(mask, 4), WHITE), mask, shade)
    return finished(ground, meme, "I LOST IT ALL", "I FOUND IT")


def coloured_bar() -> Strange:
    """OpenCV's own lettering on a red bar above a photograph."""
    ground = photo(seed=6)
    ground[:64] = (178, 34, 52)
    mask = np.zeros(ground.shape[:2], np.uint8)
    face = cv2.FONT_HERSHEY_DUPLEX
    cv2.putText(mask, "THE BUS LEFT EARLY", (60, 43), face, 1.1, 255, 2, cv2.LINE_AA)
    meme = over(ground, mask.astype(np.float32) / 255, WHITE)
    return finished(ground, meme, "THE BUS LEFT EARLY", "THE BUS WAITED")


def chinese_thick() -> Strange:
    """Chinese with a thick outline on a photograph."""
    ground = photo(seed=7)
    mask = glyphs(ground.shape, "今天又要加班", (240, 300), 46)
    meme = over(over(ground, thicker(mask, 7), BLACK), mask, (255, 230, 40))
    return finished(ground, meme, "今天又要加班", "今天早点回家")


def chinese_slanted() -> Strange:
    """Slanted Chinese with a hard shadow on a ground that runs."""
    ground = slope((60, 90, 120), (180, 200, 190), (480, 360))
    mask = glyphs(ground.shape, "没有人来看我", (240, 60), 46, slant=0.25)
    meme = over(over(ground, np.roll(mask, (4, 4), (0, 1)), BLACK), mask, WHITE)
    return finished(ground, meme, "没有人来看我", "大家都来看我")


def two_outlines() -> Strange:
    """Two captions, each with an outline within a second one of another colour."""
    ground = photo(seed=9)
    meme = ground
    for text, y in (("NO MONEY", 50), ("NO FRIENDS", 310)):
        mask = glyphs(ground.shape, text, (240, y), 44)
        meme = over(over(meme, thicker(mask, 8), (200, 30, 90)), thicker(mask, 4), BLACK)
        meme = over(meme, mask, WHITE)
    return finished(ground, meme, "NO MONEY|NO FRIENDS", "NEW JOB|OLD FRIENDS")


def over_a_face() -> Strange:
    """Letters that run over a drawn face and its outline."""
    ground = flat((150, 200, 235))
    cv2.ellipse(ground, (240, 230), (130, 120), 0, 0, 360, (245, 205, 160), -1, cv2.LINE_AA)
    cv2.ellipse(ground, (240, 230), (130, 120), 0, 0, 360, (60, 40, 30), 3, cv2.LINE_AA)
    for x in (190, 290):
        cv2.circle(ground, (x, 190), 14, (40, 30, 30), -1, cv2.LINE_AA)
    mask = glyphs(ground.shape, "WHY ALWAYS ME", (240, 300), 46)
    meme = over(over(ground, thicker(mask, 5), BLACK), mask, WHITE)
    return finished(ground, meme, "WHY ALWAYS ME", "LUCKY ME AGAIN")


def glowing() -> Strange:
    """Letters in a wide light glow on a dark photograph."""
    ground = photo(seed=11) * 0.45
    mask = glyphs(ground.shape, "ALONE AT NIGHT", (240, 60), 44)
    halo = cv2.GaussianBlur(thicker(mask, 4), (0, 0), 3.5)
    meme = over(over(ground, 0.9 * halo, (90, 230, 255)), mask, (20, 20, 70))
    return finished(ground, meme, "ALONE AT NIGHT", "STARS TONIGHT")


def slanted_jpeg() -> Strange:
    """Slanted, thickly outlined, in two lines, and saved as a poor JPEG."""
    ground = photo(seed=12)
    meme = ground
    for text, y in (("MY PLANT DIED", 45), ("BEFORE SPRING", 100)):
        mask = glyphs(ground.shape, text, (240, y), 38, slant=0.3)
        meme = over(over(meme, thicker(mask, 6), BLACK), mask, WHITE)
    file = io.BytesIO()
    Image.fromarray(meme.clip(0, 255).astype(np.uint8)).save(file, "JPEG", quality=45)
    saved = np.asarray(Image.open(file), np.float32)
    return finished(ground, saved, "MY PLANT DIED\nBEFORE SPRING", "MY PLANT BLOOMS\nIN SPRING")


MAKERS: tuple[Callable[[], Strange], ...] = (
    slanted_thick, thick_outline, turned, soft_shadow, shaded_letters, coloured_bar,
    chinese_thick, chinese_slanted, two_outlines, over_a_face, glowing, slanted_jpeg,
)  # fmt: skip
