"""Softly lit solids for pictures that should look like photographs: light, blur, grain."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor, ImageFilter

from minisets.drawing.pen import SUPERSAMPLE, Pen

Plane = npt.NDArray[np.float64]
LIGHT = (-0.5, -0.55, 0.67)


@dataclass
class Photo:
    """A picture made of light, one value per final pixel and colour, from 0 to 255."""

    width: int
    height: int
    light: tuple[float, float, float] = LIGHT
    pixels: Plane = field(init=False)
    x: Plane = field(init=False)
    y: Plane = field(init=False)

    def __post_init__(self) -> None:
        self.y, self.x = np.mgrid[0 : self.height, 0 : self.width].astype(np.float64)
        self.pixels = np.zeros((self.height, self.width, 3))

    def fade(self, top: str, low: str, tilt: float = 0.0) -> None:
        """Fills the picture from one colour at the top to another at the foot."""
        share = (self.y / self.height + tilt * (self.x / self.width - 0.5)).clip(0, 1)
        self.pixels = rgb(top) + (rgb(low) - rgb(top)) * share[..., None]

    def lay(self, colour: str | Plane, mask: Plane) -> None:
        """Lays a colour, or a plane of colours, over the picture where the mask is not zero."""
        value = rgb(colour) if isinstance(colour, str) else colour
        self.pixels += (value - self.pixels) * mask[..., None]

    def darken(self, mask: Plane, share: float) -> None:
        """Takes light away where the mask is not zero."""
        self.pixels *= 1 - share * mask[..., None]

    def glow(self, colour: str, x: float, y: float, radius: float, strength: float) -> None:
        """Adds a round light."""
        fall = np.exp(-((self.x - x) ** 2 + (self.y - y) ** 2) / (2 * radius**2))
        self.pixels += rgb(colour) * (strength * fall)[..., None]

    def solid(self, colour: str | Plane, mask: Plane, height: Plane, gloss: float = 0.0) -> None:
        """Lays a solid whose surface rises by `height` pixels towards the viewer."""
        rows, columns = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
        if not rows.size:
            return
        # Only the part that the solid covers is worked out: many are small.
        part = np.s_[max(rows[0] - 1, 0) : rows[-1] + 2, max(columns[0] - 1, 0) : columns[-1] + 2]
        value = rgb(colour) if isinstance(colour, str) else colour[part]
        shaded = lit(value, height[part], self.light, gloss)
        self.pixels[part] += (shaded - self.pixels[part]) * mask[part][..., None]

    def ball(
        self, colour: str, x: float, y: float, rx: float, ry: float, gloss: float = 0.1
    ) -> None:
        """A shaded ellipsoid."""
        reach = ((self.x - x) / rx) ** 2 + ((self.y - y) / ry) ** 2
        rise = np.sqrt((1 - reach).clip(0.0)) * min(rx, ry)
        self.solid(colour, soft((np.sqrt(reach) - 1) * min(rx, ry)), rise, gloss)

    def rod(self, colour: str, ends: tuple[float, float, float, float], radius: float) -> None:
        """A shaded rod with round ends, from (x1, y1) to (x2, y2): a finger, a stem, a frame."""
        x1, y1, x2, y2 = ends
        dx, dy = x2 - x1, y2 - y1
        along = ((self.x - x1) * dx + (self.y - y1) * dy) / max(dx * dx + dy * dy, 1e-9)
        along = along.clip(0, 1)
        gap = np.hypot(self.x - x1 - along * dx, self.y - y1 - along * dy)
        self.solid(colour, soft(gap - radius), np.sqrt((radius**2 - gap**2).clip(0)), 0.05)

    def slab(self, colour: str, box: tuple[float, float, float, float], edge: float = 4) -> None:
        """A shaded block with soft edges, from its left, top, right and low side."""
        inside = self.inside(box)
        rise = np.sqrt((edge**2 - (edge - inside).clip(0, edge) ** 2).clip(0))
        self.solid(colour, soft(-inside), rise)

    def inside(self, box: tuple[float, float, float, float]) -> Plane:
        """How far each pixel lies inside a box; negative outside."""
        left, top, right, low = box
        across = np.minimum(self.x - left, right - self.x)
        return np.minimum(across, np.minimum(self.y - top, low - self.y))

    def blur(self, radius: float) -> None:
        """Puts all that was drawn so far out of focus."""
        image = Image.fromarray(self.pixels.clip(0, 255).astype(np.uint8))
        self.pixels = np.asarray(image.filter(ImageFilter.GaussianBlur(radius)), dtype=np.float64)

    def shade_foot(self, rows: float = 90) -> None:
        """Darkens the picture towards its foot, so that a subtitle stands out."""
        self.pixels *= 1 - 0.62 * ((self.y - self.height + rows) / rows).clip(0, 1)[..., None]

    def develop(self, pen: Pen, seed: int, exposure: float = 1.15) -> None:
        """Prints the picture onto a panel, with grain and darker corners."""
        middle = np.hypot(self.x / self.width - 0.5, self.y / self.height - 0.5)
        print_ = self.pixels * (exposure * (1 - 0.28 * (middle / 0.7) ** 2.2))[..., None]
        print_ += 1.8 * noise(self.width, self.height, 2, seed)[..., None]
        image = Image.fromarray(print_.clip(0, 255).astype(np.uint8))
        size = (self.width * SUPERSAMPLE, self.height * SUPERSAMPLE)
        pen.image.paste(image.resize(size, Image.Resampling.NEAREST))


def rgb(colour: str) -> Plane:
    """A colour as three values."""
    return np.array(ImageColor.getrgb(colour)[:3], dtype=np.float64)


def soft(gap: Plane, width: float = 1.2) -> Plane:
    """1 inside an outline, 0 outside, given each pixel's distance from it (negative inside)."""
    share: Plane = (0.5 - gap / width).clip(0, 1)
    return share * share * (3 - 2 * share)


def bump(x: Plane, y: Plane, at: tuple[float, float], rx: float, ry: float) -> Plane:
    """A round hill of height 1."""
    hill: Plane = np.exp(-(((x - at[0]) / rx) ** 2) - ((y - at[1]) / ry) ** 2)
    return hill


def lit(
    colour: Plane, height: Plane, light: tuple[float, float, float], gloss: float = 0.0
) -> Plane:
    """A surface's colour under a lamp, with warm half-shadows and a sheen."""
    down, across = np.gradient(height)
    length = np.sqrt(across**2 + down**2 + 1)
    facing = (-across * light[0] - down * light[1] + light[2]) / length
    shade = 0.36 + 0.78 * facing.clip(0)
    warm = np.stack([shade**0.86, shade**1.02, shade**1.12], axis=-1)
    sheen = gloss * 255 * facing.clip(0)[..., None] ** 24
    shaded: Plane = colour * warm + sheen
    return shaded


def noise(width: int, height: int, cell: int, seed: int, stretch: float = 1.0) -> Plane:
    """Smooth noise with a spread of 1, its spots `cell` pixels wide and `stretch` times as tall."""
    chance = np.random.default_rng(seed)
    across, down = width // cell + 2, int(height / (cell * stretch)) + 2
    spots = chance.integers(0, 256, (down, across)).astype(np.uint8)
    grown = Image.fromarray(spots).resize((width, height), Image.Resampling.BICUBIC)
    plane = np.asarray(grown, dtype=np.float64)
    spread: Plane = (plane - plane.mean()) / plane.std()
    return spread
