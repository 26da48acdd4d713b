"""Where the photographs are taken, and the things that stand there, all softly lit."""

from __future__ import annotations

import numpy as np

from minisets.merbench.solids import Photo, Plane, noise, rgb, soft

Box = tuple[float, float, float, float]


def rainy_window(photo: Photo, glass: Box) -> None:
    """A grey room with a window: blurred lights outside, drops running down the pane."""
    left, top, right, low = glass
    photo.fade("#56606a", "#30363d", 0.2)
    pane = soft(-photo.inside(glass), 2)
    share = ((photo.y - top) / (low - top)).clip(0, 1)[..., None]
    photo.lay(rgb("#b9cad6") + (rgb("#6f8797") - rgb("#b9cad6")) * share, pane)
    for i, (x, y) in enumerate(_scattered(glass, 16, 21)):
        colour = ("#ffe2b0", "#e8f0f6", "#f5c9a0")[i % 3]
        disc = soft(np.hypot(photo.x - x, photo.y - y) - 9 - i % 5, 3) * pane
        photo.lay(colour, disc * 0.35)
    photo.blur(3)
    for x, y in _scattered(glass, 34, 22):
        length = 8 + (x * 7 + y) % 26
        photo.lay("#e6eff5", soft(_line(photo, x, y, x, y + length) - 0.8, 2) * pane * 0.4)
        photo.ball("#d5e2ea", x, y + length, 2.6, 3.6, 0.9)
    for box in ((left - 9, top - 9, left, low + 9), (right, top - 9, right + 9, low + 9)):
        photo.slab("#d8d2c8", box)
    for y in (top - 9, low, (top + low) / 2):
        photo.slab("#d8d2c8", (left - 9, y, right + 9, y + 9))


def wilted_plant(photo: Photo, x: float, y: float) -> None:
    """A pot of hanging brown leaves, standing on (x, y)."""
    for dx, lift, drop in (
        (-52, 96, 30),
        (-30, 122, 62),
        (34, 116, 48),
        (56, 88, 22),
        (14, 134, 84),
    ):
        top = (x + dx * 0.6, y - lift)
        photo.rod("#77623a", (x + dx * 0.1, y - 48, *top), 2)
        photo.rod("#77623a", (*top, x + dx, y - drop - 22), 2)
        photo.ball("#9a733c", x + dx, y - drop - 10, 7, 17, 0)
    slope = np.abs(photo.x - x) - 36 - 0.22 * (photo.y - y)
    side = soft(np.maximum(slope, np.maximum(y - 46 - photo.y, photo.y - y)))
    photo.solid("#b5603f", side, round_wall(photo, x, 38))
    photo.slab("#c06a46", (x - 41, y - 54, x + 41, y - 40), 5)


def night_room(photo: Photo) -> None:
    """A dark bedroom with a blurred lamp far off."""
    photo.fade("#1c2233", "#0d1018")
    photo.slab("#2a3145", (30, 20, 130, 140), 6)
    photo.glow("#ffb870", photo.width - 60, 60, 34, 0.55)
    photo.blur(9)


def phone(photo: Photo, x: float, y: float) -> None:
    """A phone held up, seen from the side of its screen, its light on everything near it."""
    photo.glow("#9fc6ff", x - 60, y, 110, 0.12)
    photo.slab("#16181d", (x - 40, y - 66, x + 40, y + 78), 9)
    photo.slab("#bcd6f5", (x - 33, y - 56, x + 33, y + 66), 2)
    for i, dy in enumerate((-44, -22, 0)):
        left = x - 27 if i < 2 else x - 7
        photo.slab("#ffffff" if i < 2 else "#8fd07f", (left, y + dy, left + 34, y + dy + 13), 4)


def office(photo: Photo) -> None:
    """An office out of focus: ceiling lights, screens, a plant."""
    photo.fade("#c9cdc9", "#8e9794", 0.1)
    for x in range(20, photo.width, 130):
        photo.slab("#fbf8ee", (x, 18, x + 84, 32), 3)
    for i, x in enumerate(range(-30, photo.width, 150)):
        photo.slab("#39424c", (x, 150, x + 96, 214), 5)
        photo.slab("#8fb0c4" if i % 2 else "#a8c4a4", (x + 6, 156, x + 90, 206), 2)
        photo.slab("#77685a", (x - 30, 236, x + 130, 400), 3)
    for dx in (-16, 0, 16):
        photo.ball("#4d7a4e", photo.width - 50 + dx, 120 - abs(dx), 18, 34, 0)
    photo.blur(7)


def treatment_room(photo: Photo, glare: float) -> None:
    """A dentist's room: pale walls, the back of the chair, a lamp overhead."""
    photo.fade("#d4e4e4", "#9ab4b6")
    photo.slab("#6f9fa6", (40, photo.height * 0.2, photo.width - 40, photo.height + 90), 40)
    photo.ball("#f4f7f7", photo.width * 0.72, -6, 120, 34, 0.5)
    photo.glow("#ffffff", photo.width * 0.72, 10, 70, glare)
    photo.blur(5)


def drill(photo: Photo, x: float, y: float) -> None:
    """A gloved hand with a drill from the right, its tip on (x, y)."""
    photo.rod("#b9c4ca", (x, y, x + 26, y + 4), 2.4)
    photo.rod("#dfe6ea", (x + 26, y + 4, x + 120, y + 18), 9)
    photo.rod("#dfe6ea", (x + 120, y + 18, photo.width + 60, y + 60), 12)
    for i in range(4):
        photo.rod(
            "#7fb8c8", (x + 112 + i * 19, y - 2 + i * 5, x + 100 + i * 20, y + 40 + i * 6), 12
        )
    photo.ball("#7fb8c8", x + 176, y + 60, 62, 36, 0.1)


def bed(photo: Photo) -> None:
    """A bed at night from above: headboard, pillow, moonlight from the left."""
    photo.fade("#232a40", "#151a28")
    photo.slab("#3c2f2c", (20, 30, photo.width - 20, 150), 14)
    photo.blur(3)
    cushion(photo, photo.width / 2, 196, 196, 116)


def cushion(photo: Photo, x: float, y: float, rx: float, ry: float) -> None:
    """A plump pillow around (x, y)."""
    reach = (np.abs(photo.x - x) / rx) ** 3 + (np.abs(photo.y - y) / ry) ** 3
    rise = (1 - reach).clip(0) ** 0.5 * 36
    rise = rise + 3 * noise(photo.width, photo.height, 40, 31)
    photo.solid("#8f9ab8", soft((reach ** (1 / 3) - 1) * ry, 2), rise)


def duvet(photo: Photo, y: float, colour: str = "#66729a") -> None:
    """A duvet drawn up to `y`, with folds and a turned-over hem."""
    waves = 12 * noise(photo.width, photo.height, 60, 33)
    hem = y + 6 * np.sin(photo.x / 46)
    photo.darken(soft(hem - 12 - photo.y, 26), 0.35)
    photo.solid(colour, soft(hem - photo.y, 2), waves)
    fold = np.maximum(hem - photo.y, photo.y - hem - 34)
    photo.solid("#a9b2cc", soft(fold, 3), round_wall_down(photo, hem + 17, 19))


def fingers(photo: Photo, x: float, y: float, skin: str, mirrored: bool = False) -> None:
    """Four fingers that hold on to an edge at (x, y)."""
    side = -1 if mirrored else 1
    for i in range(4):
        left = x + side * i * 17
        photo.darken(soft(np.hypot(photo.x - left - 2, photo.y - y - 12) - 13, 12), 0.3)
        photo.rod(skin, (left, y - 8, left + side, y + 18 - abs(i - 1.5) * 2), 8.2)


def half_painted_wall(photo: Photo, x: float) -> None:
    """A wall painted green as far as `x`, still wet, and the rest in old white."""
    photo.fade("#d9d4c6", "#b9b2a2", 0.1)
    edge = x + 9 * np.sin(photo.y / 26) + 5 * np.sin(photo.y / 9)
    streaks = 1 + 0.03 * noise(photo.width, photo.height, 8, 41, 8)
    photo.lay(rgb("#7fa886") * streaks[..., None], soft(photo.x - edge, 3))
    photo.darken(soft(np.abs(photo.x - edge - 5) - 2, 12), 0.12)
    photo.glow("#ffffff", x - 120, 90, 60, 0.18)
    photo.blur(2.5)


def roller(photo: Photo, x: float, y: float) -> None:
    """A paint roller that leans on the wall, its roll on (x, y)."""
    photo.rod("#8a8f96", (x, y + 16, x, y + 52), 3)
    photo.rod("#8a8f96", (x, y + 52, x + 30, y + 66), 3)
    photo.rod("#c9543f", (x + 30, y + 66, x + 36, y + 150), 8)
    photo.rod("#8fbc96", (x - 36, y, x + 36, y), 15)


def hand_on_cheek(photo: Photo, x: float, y: float, skin: str, sleeve: str) -> None:
    """A fist that props up a chin at (x, y), its forearm leaning in from the lower right."""
    photo.rod(sleeve, (x + 70, photo.height + 60, x + 34, y + 84), 36)
    photo.rod(skin, (x + 32, y + 74, x + 20, y + 30), 24)
    photo.ball(skin, x + 16, y + 18, 34, 30, 0.04)
    for i in range(4):
        photo.darken(soft(np.hypot(photo.x - x + 13 - i * 14, photo.y - y - 6) - 10, 10), 0.22)
        photo.rod(skin, (x - 16 + i * 14, y - 8 + i * 2, x - 12 + i * 14, y + 18 + i * 2), 8.4)


def round_wall(photo: Photo, x: float, radius: float) -> Plane:
    """The rise of an upright cylinder around `x`."""
    rise: Plane = np.sqrt((radius**2 - (photo.x - x) ** 2).clip(1))
    return rise


def round_wall_down(photo: Photo, y: Plane, radius: float) -> Plane:
    """The rise of a lying roll around `y`."""
    rise: Plane = np.sqrt((radius**2 - (photo.y - y) ** 2).clip(1))
    return rise


def _scattered(box: Box, count: int, seed: int) -> list[tuple[float, float]]:
    chance = np.random.default_rng(seed)
    spots = chance.integers(0, 1000, (count, 2)) / 1000
    left, top, right, low = box
    return [(left + a * (right - left), top + b * (low - top - 36)) for a, b in spots.tolist()]


def _line(photo: Photo, x1: float, y1: float, x2: float, y2: float) -> Plane:
    dx, dy = x2 - x1, y2 - y1
    along = ((photo.x - x1) * dx + (photo.y - y1) * dy) / (dx * dx + dy * dy)
    along = along.clip(0, 1)
    gap: Plane = np.hypot(photo.x - x1 - along * dx, photo.y - y1 - along * dy)
    return gap
