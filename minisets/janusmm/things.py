"""Rooms and things that the memes share."""

import math
import random

from minisets.drawing import props
from minisets.drawing.faces import Expression, draw_face, mood_face
from minisets.drawing.pen import INK, Pen, Point, arc
from minisets.janusmm.stage import Panel


def room(panel: Panel, wall: str, floor: str, y: float) -> None:
    """A wall and a floor from `y` down, with a skirting board."""
    panel.paint(wall)
    props.floor(panel, y, floor)
    panel.pen.stroke([(0, y), (panel.width, y)], INK, 2.4)


def outdoors(panel: Panel, y: float, sky: str = "#bfe3f2", grass: str = "#8cc07a") -> None:
    """Sky over rolling grass."""
    panel.paint(sky)
    props.hills(panel, y, grass)


def night(panel: Panel, seed: int, share: float = 0.7) -> None:
    """A starry night."""
    panel.paint("#34386b")
    props.stars(panel, seed, share, 30)


def kitchen(panel: Panel, y: float) -> None:
    """Tiles above a kitchen floor."""
    panel.paint("#e4f1ea")
    for row in range(math.ceil(y / 46)):
        for x in range(-23 * (row % 2), panel.width, 46):
            panel.pen.box(x, row * 46, 46, 46, None, ink="#c9dcd4", line=1.5)
    props.floor(panel, y, "#c9a27c")


def beams(panel: Panel, x: float, y: float, colour: str, count: int = 12) -> None:
    """Beams of light from (x, y), as wide as the gaps between them."""
    for i in range(count):
        tips = arc(x, y, 900, 900, i * 360 / count, (i + 0.5) * 360 / count, 1)
        panel.pen.shape([(x, y), *tips], colour, None)


def confetti(panel: Panel, seed: int, count: int = 60, low: float = 1.0) -> None:
    """Bright scraps of paper over the upper `low` share of the picture."""
    chance = random.Random(seed)
    for _ in range(count):
        x, y = chance.uniform(8, panel.width - 8), chance.uniform(8, panel.height * low - 8)
        scrap = panel.pen.at(x, y, 1, tilt=chance.uniform(0, 180))
        colour = chance.choice(["#e8554d", "#f2b134", "#57a773", "#4f8fc0", "#c75b8f"])
        scrap.box(-5, -3, 10, 6, colour, ink=None)


def sparkle(pen: Pen, size: float = 12, colour: str = "#fff3a8") -> None:
    """A four-pointed star around the pen's origin."""
    points = []
    for i in range(8):
        reach = size if i % 2 == 0 else size * 0.3
        points.append(arc(0, 0, reach, reach, i * 45, i * 45 + 1, 1)[0])
    pen.shape(points, colour, width=1.8)


def smoke(pen: Pen, colour: str = "#8f8a99", puffs: int = 4) -> None:
    """Smoke that rises from the pen's origin."""
    for i in range(puffs):
        side = 9 if i % 2 else -7
        pen.ellipse(side, -i * 22, 15 + i * 4, 12 + i * 3, colour, width=1.8)


def battery(pen: Pen, share: float, colour: str) -> None:
    """A battery lying around the pen's origin, 84 wide, filled to `share`."""
    pen.box(-42, -20, 84, 40, "white", 6, line=3)
    pen.box(42, -9, 8, 18, INK, 2)
    pen.box(-37, -15, max(5, 74 * share), 30, colour, 3, None)


def tick(pen: Pen, colour: str = "#3f8a4a") -> None:
    """A tick mark around the pen's origin."""
    pen.stroke([(-9, 0), (-3, 8), (11, -10)], colour, 4.5, False)


def car(pen: Pen, colour: str = "#e2725b", mood: Expression = "calm") -> None:
    """A small car seen from the side, with a face, standing on the pen's origin."""
    pen.blob([(-46, -44), (-32, -78), (0, -86), (34, -78), (50, -44)], colour)
    pen.shape([(-36, -48), (-26, -72), (-4, -76), (-4, -48)], "#dff1f7", width=2)
    pen.shape([(4, -48), (4, -76), (28, -72), (40, -48)], "#dff1f7", width=2)
    pen.box(-82, -50, 164, 36, colour, 14)
    pen.ellipse(74, -36, 7, 8, "#fff3a8", width=2)
    for x in (-46, 46):
        pen.ellipse(x, -14, 18, 18, "#453f5c")
        pen.ellipse(x, -14, 7, 7, "#d8d5e0", width=1.6)
    pen.note_face(0, -33, 22, 14)
    draw_face(pen.at(0, -36, 0.8), mood_face(mood), gap=12)


def cake(pen: Pen, burnt: bool = False) -> None:
    """A layer cake standing on the pen's origin; burnt, it is a flat black brick."""
    pen.box(-62, -5, 124, 7, "#ffffff", 3)
    if burnt:
        pen.blob([(-46, -6), (-50, -24), (-20, -30), (4, -20), (30, -32), (50, -20), (46, -6)],
                 "#3f3632")  # fmt: skip
        for x, y in ((-30, -17), (-8, -12), (22, -18)):
            pen.ellipse(x, y, 4, 3, "#6b5a52", None)
        return
    pen.box(-48, -66, 96, 62, "#f7d9a8", 5)
    pen.box(-48, -40, 96, 10, "#f7a8c4", 2, line=1.8)
    drip: list[Point] = [(-50, -66), (-40, -76), (0, -80), (40, -76), (50, -66)]
    pen.blob([*drip, (40, -54), (26, -62), (8, -52), (-12, -62), (-34, -52)], "#f7a8c4")
    for x in (-26, 0, 26):
        pen.ellipse(x, -82, 7, 7, "#e8465a", width=1.8)


def book(pen: Pen, width: float, colour: str, height: float = 18) -> None:
    """A lying book, its lower edge centred on the pen's origin."""
    pen.box(-width / 2, -height, width, height, colour, 3)
    pen.box(width / 2 - 12, -height + 3, 12, height - 6, "#fffaf0", 0, line=1.6)


def paper(pen: Pen, width: float, height: float, lines: int = 0) -> None:
    """A sheet of paper with its top-left corner on the pen's origin, with grey lines of text."""
    pen.box(0, 0, width, height, "#fffdf4", 3)
    for i in range(lines):
        y = height * (i + 1) / (lines + 1)
        end = width - (12 if i % 3 else 34)
        pen.stroke([(12, y), (end, y)], "#c3bdb0", 3)


def sofa(pen: Pen, width: float, colour: str) -> None:
    """A sofa standing on the pen's origin, centred."""
    half = width / 2
    pen.box(-half + 14, -112, width - 28, 84, colour, 18)
    pen.box(-half + 14, -62, width - 28, 48, colour, 10)
    for x in (-half, half - 32):
        pen.box(x, -82, 32, 72, colour, 14)
    for x in (-half + 12, half - 22):
        pen.box(x, -10, 10, 10, "#6b4a34", 2)


def microphone(pen: Pen) -> None:
    """A hand-held microphone with its head on the pen's origin."""
    pen.limb([(0, 4), (7, 26)], "#453f5c", 7)
    pen.ellipse(0, 0, 9, 9, "#b8b4c4", width=2)


def trophy(pen: Pen) -> None:
    """A golden cup standing on the pen's origin."""
    for side in (-1, 1):
        pen.stroke([(side * 26, -74), (side * 46, -70), (side * 38, -44), (side * 18, -40)], INK, 9)
        pen.stroke([(side * 26, -74), (side * 46, -70), (side * 38, -44), (side * 18, -40)],
                   "#f2c230", 4.5)  # fmt: skip
    pen.blob([(-30, -84), (30, -84), (26, -46), (0, -28), (-26, -46)], "#f2c230")
    pen.box(-6, -32, 12, 18, "#d9a41f")
    pen.box(-26, -16, 52, 16, "#8a5a3c", 3)
    sparkle(pen.at(-10, -66), 9, "#fff8d0")


def clock(pen: Pen, hour: float, minute: float, colour: str = "#e8554d") -> None:
    """An alarm clock around the pen's origin that shows the given time."""
    for side in (-1, 1):
        pen.ellipse(side * 24, -30, 14, 11, colour)
        pen.limb([(side * 20, 32), (side * 26, 42)], "#453f5c", 4)
    pen.ellipse(0, 0, 38, 38, colour)
    pen.ellipse(0, 0, 30, 30, "#fffdf4", width=2)
    for part, reach, width in ((hour / 12, 16, 4.0), (minute / 60, 24, 3.0)):
        tip = arc(0, 0, reach, reach, part * 360 - 90, part * 360 - 89, 1)[0]
        pen.stroke([(0, 0), tip], INK, width)


def bench(pen: Pen, width: float) -> None:
    """A park bench standing on the pen's origin, centred."""
    for y in (-84, -64):
        pen.box(-width / 2, y, width, 14, "#b9794f", 3)
    for x in (-width / 2 + 16, width / 2 - 24):
        pen.box(x, -40, 9, 40, "#6b4a34", 2)
    pen.box(-width / 2 - 6, -46, width + 12, 14, "#b9794f", 3)


def bulb(pen: Pen) -> None:
    """A shining light bulb, its socket on the pen's origin."""
    for i in range(9):
        angle = 170 + i * 25
        near, far = (arc(0, -34, r, r, angle, angle + 1, 1)[0] for r in (32, 44))
        pen.stroke([near, far], "#f2a52b", 4)
    pen.ellipse(0, -34, 23, 24, "#ffe97a")
    pen.box(-9, -14, 18, 14, "#9aa1b0", 3)
    pen.stroke([(-8, -26), (-4, -38), (0, -28), (4, -38), (8, -26)], "#d98a1f", 2.4)
