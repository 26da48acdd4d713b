"""Scenery and things, in the scene's pixels unless a pen of their own is passed."""

import random
from typing import Protocol

from minisets.drawing.faces import Expression, draw_face, mood_face
from minisets.drawing.pen import INK, Pen, Point, arc


class Scene(Protocol):
    """What scenery covers: a comic's panel, a film's frame."""

    pen: Pen
    width: int
    height: int


def floor(scene: Scene, y: float, colour: str) -> None:
    """A floor from `y` down."""
    scene.pen.shape([(-9, y), (scene.width + 9, y), (scene.width + 9, 999), (-9, 999)], colour)


def hills(scene: Scene, y: float, colour: str) -> None:
    """Rolling ground from about `y` down."""
    w = scene.width
    ridge: list[Point] = [(-20, y + 8), (w * 0.3, y - 10), (w * 0.65, y + 10), (w + 20, y - 8)]
    scene.pen.blob([*ridge, (w + 40, 999), (-40, 999)], colour)


def window(pen: Pen, width: float, height: float, sky: str) -> None:
    """A window with its top-left corner on the pen's origin."""
    pen.box(-6, -6, width + 12, height + 12, "#f7efe2", 3)
    pen.box(0, 0, width, height, sky)
    pen.stroke([(width / 2, 0), (width / 2, height)], "#f7efe2", 6)
    pen.stroke([(0, height / 2), (width, height / 2)], "#f7efe2", 6)
    pen.box(-12, height + 4, width + 24, 9, "#f7efe2", 3)


def table(pen: Pen, width: float, height: float, colour: str = "#b9794f") -> None:
    """A table standing on the pen's origin, centred."""
    for x in (-width / 2 + 12, width / 2 - 20):
        pen.box(x, -height, 9, height, colour)
    pen.box(-width / 2, -height - 10, width, 14, colour, 3)


def desk(pen: Pen, width: float, height: float, colour: str = "#b9794f") -> None:
    """A closed desk or counter, centred on the pen's origin."""
    pen.box(-width / 2 + 6, -height, width - 12, height + 40, colour)
    pen.box(-width / 2, -height - 10, width, 14, colour, 3)


def laptop(pen: Pen, back: str = "#c9ced8") -> None:
    """A laptop seen from behind, standing on the pen's origin."""
    pen.shape([(-28, 0), (28, 0), (31, -38), (-25, -38)], back)
    pen.ellipse(3, -20, 4.5, 4.5, "#ffffff", None)
    pen.box(-34, -3, 68, 6, "#9aa1b0", 2)


def bed(pen: Pen, width: float, blanket: str) -> None:
    """A bed seen from the side, its head on the left; the pen's origin is its left foot."""
    pen.box(-8, -92, 12, 92, "#8a5a3c", 4)
    pen.box(width - 4, -56, 12, 56, "#8a5a3c", 4)
    pen.box(0, -44, width, 28, "#f4efe6", 4)
    pen.blob([(8, -44), (14, -64), (44, -66), (62, -46), (40, -42)], "#ffffff")
    pen.blob(
        [(56, -54), (80, -64), (width - 20, -58), (width + 2, -46), (width, -14), (60, -16)],
        blanket,
    )


def rain(scene: Scene, colour: str = "#8fb4cf", seed: int = 1) -> None:
    """Slanting rain all over the scene."""
    chance = random.Random(seed)
    for _ in range(round(scene.width * scene.height / 1700)):
        x, y = chance.uniform(0, scene.width + 20), chance.uniform(-10, scene.height)
        scene.pen.stroke([(x, y), (x - 5, y + 15)], colour, 2)


def stars(scene: Scene, seed: int = 1, share: float = 0.7, count: int = 26) -> None:
    """Stars in the upper `share` of the scene."""
    chance = random.Random(seed)
    for _ in range(count):
        x, y = chance.uniform(8, scene.width - 8), chance.uniform(8, scene.height * share)
        r = chance.choice([1.2, 1.6, 2.4])
        scene.pen.ellipse(x, y, r, r, "#fff3c4", None)


def dashes(pen: Pen, length: float, count: int = 4, gap: float = 18, ink: str = INK) -> None:
    """Horizontal speed lines that end at the pen's origin."""
    for i in range(count):
        short = (i % 2) * length * 0.3
        pen.stroke([(-length + short, i * gap), (0, i * gap)], ink, 2.6)


def umbrella(pen: Pen, colour: str, broken: bool = False) -> None:
    """An umbrella with the end of its handle on the pen's origin."""
    pen.stroke([(0, 0), (0, -84)], INK, 4)
    pen.stroke([(0, 0), (4, 6), (9, 0)], INK, 4)
    if broken:
        pen.shape([(0, -66), (-52, -112), (-30, -104), (-18, -118), (0, -100), (20, -118),
                   (30, -102), (54, -110)], colour)  # fmt: skip
        return
    dome = arc(0, -70, 62, 42, 180, 360, 24)
    scallops = [arc(x, -70, 20.6, 7, 0, -180, 8) for x in (41.3, 0, -41.3)]
    pen.shape([*dome, *scallops[0], *scallops[1], *scallops[2]], colour)
    for x in (-20.6, 20.6):
        pen.stroke([(x, -70), (x * 0.5, -104), (0, -112)], INK, 1.6)


def glass(pen: Pen) -> None:
    """A glass of water standing on the pen's origin."""
    pen.shape([(-11, -32), (11, -32), (8, 0), (-8, 0)], "#eaf7fb")
    pen.shape([(-10, -20), (10, -20), (8, 0), (-8, 0)], "#8fd0ea", None)
    pen.shape([(-11, -32), (11, -32), (8, 0), (-8, 0)], None)


def bowl(pen: Pen, food: str = "#a8643c") -> None:
    """A pet's bowl standing on the pen's origin."""
    pen.ellipse(0, -18, 22, 8, food)
    pen.shape(
        [(-24, -18), *arc(0, -18, 22, 6, 180, 0, 12), (24, -18), (17, 0), (-17, 0)], "#d64550"
    )


def fishbowl(pen: Pen, rx: float, ry: float) -> None:
    """A round tank with a castle, centred on the pen's origin."""
    pen.ellipse(0, 0, rx, ry, "#d5f0f5", width=3)
    pen.shape(arc(0, 0, rx - 3, ry - 3, -28, 208, 40), "#9fdbe8", None)
    pen.shape(arc(0, 0, rx - 4, ry - 4, 40, 140, 24), "#f0d9a0", None)


def castle(pen: Pen) -> None:
    """A toy castle standing on the pen's origin."""
    pen.box(-26, -40, 52, 40, "#b79fc9")
    for x in (-34, 18):
        pen.box(x, -62, 16, 62, "#c9b3d9")
        pen.shape([(x - 3, -62), (x + 19, -62), (x + 8, -84)], "#e2725b")
    pen.shape([(-9, 0), *arc(0, -14, 9, 10, 180, 360, 12), (9, 0)], "#5b4a6e")
    for x in (-20, -6, 8):
        pen.box(x, -48, 9, 9, "#b79fc9")


def printer(pen: Pen, mood: Expression) -> None:
    """An office printer with a face, standing on the pen's origin."""
    pen.box(-34, -92, 68, 34, "#ffffff", 2)
    pen.box(-56, -68, 112, 60, "#d8d5e0", 8)
    pen.box(-40, -14, 80, 14, "#8f8aa3", 4)
    pen.ellipse(42, -56, 4, 4, "#e8554d", width=1.6)
    pen.note_face(0, -40, 26, 20)
    draw_face(pen.at(0, -40), mood_face(mood), gap=13)


def phone(pen: Pen, mood: Expression | None = None, screen: str = "#bfe3f2") -> None:
    """A phone around the pen's origin, upright, with or without a face."""
    pen.box(-24, -42, 48, 84, "#453f5c", 8)
    pen.box(-19, -34, 38, 66, screen, 3, line=1.6)
    if mood:
        pen.note_face(0, -2, 17, 20)
        draw_face(pen.at(0, -4, 0.85), mood_face(mood), gap=9)


def fridge(pen: Pen, mood: Expression, lit: bool = False) -> None:
    """A tall fridge with a face, standing on the pen's origin."""
    pen.box(-46, -180, 92, 180, "#fff7d6" if lit else "#dfeaf0", 8)
    pen.stroke([(-46, -116), (46, -116)], INK, 2.4)
    pen.box(34, -100, 6, 40, "#8f9db0", 3)
    pen.box(34, -150, 6, 24, "#8f9db0", 3)
    pen.note_face(-4, -84, 26, 22)
    draw_face(pen.at(-4, -84, 1.1), mood_face(mood), gap=12)


def saucer(pen: Pen, beam: str = "") -> None:
    """A flying saucer around the pen's origin, with a beam below if a colour is given."""
    if beam:
        pen.shape([(-24, 14), (24, 14), (72, 260), (-72, 260)], beam, None)
    pen.shape(arc(0, -6, 32, 34, 180, 360, 24), "#bfe9f2")
    pen.ellipse(0, 4, 76, 20, "#9a93b5")
    for x in (-50, -26, 0, 26, 50):
        pen.ellipse(x, 8 - abs(x) / 12, 5, 4, "#ffe27a", width=1.6)


def suitcase(pen: Pen, width: float, height: float, colour: str) -> None:
    """A suitcase standing on the pen's origin, centred."""
    pen.stroke(
        [(-10, -height), (-10, -height - 9), (10, -height - 9), (10, -height)], INK, 4, False
    )
    pen.box(-width / 2, -height, width, height, colour, 6)
    for x in (-width / 4, width / 4):
        pen.stroke([(x, -height + 2), (x, -2)], INK, 2)


def burst(pen: Pen, radius: float, colour: str) -> None:
    """A spiky flash around the pen's origin."""
    outline = []
    for i in range(24):
        reach = radius if i % 2 else radius * 0.66
        outline.append(arc(0, 0, reach, reach, i * 15, i * 15 + 1, 1)[0])
    pen.shape(outline, colour)


def flame(pen: Pen, size: float = 1) -> None:
    """A fire standing on the pen's origin."""
    fire = pen.at(0, 0, size)
    fire.blob(
        [(-22, 0), (-28, -24), (-14, -40), (-10, -64), (8, -44), (16, -56), (28, -22), (20, 0)],
        "#f2722b",
    )
    fire.blob([(-11, 0), (-13, -16), (0, -36), (12, -16), (10, 0)], "#ffd24a", None)
