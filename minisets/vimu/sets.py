"""Rooms, streets and things that the films share."""

from minisets.drawing import props
from minisets.drawing.faces import Expression, draw_face, mood_face
from minisets.drawing.pen import INK, Pen, Point, arc
from minisets.drawing.people import Hands, Person
from minisets.vimu.stage import Stage


def office(stage: Stage) -> None:
    """A floor, a window and a shelf."""
    props.floor(stage, 280, "#b9b3c6")
    props.window(stage.pen.at(46, 70), 120, 90, "#bfe3f2")
    shelf(stage.pen.at(500, 150))


def shelf(pen: Pen) -> None:
    """A wall shelf with folders, its left end on the pen's origin."""
    for i, colour in enumerate(("#e2725b", "#57a773", "#f2b134", "#6c7fb0")):
        pen.box(8 + i * 20, -44, 17, 44, colour, 2)
    pen.blob([(94, -2), (90, -22), (104, -34), (116, -20), (110, -2)], "#5fae5b")
    pen.box(0, 0, 124, 9, "#8a5a3c", 2)


def podium(pen: Pen, colour: str = "#8a5a3c") -> None:
    """A lectern with a microphone, standing on the pen's origin."""
    pen.shape([(-34, -78), (34, -78), (26, 0), (-26, 0)], colour)
    pen.box(-40, -88, 80, 13, colour, 3)
    pen.stroke([(0, -88), (8, -104)], INK, 3)
    pen.ellipse(10, -108, 6, 7, INK, None)


def clap(t: float, per_second: float) -> Hands:
    """Where clapping hands are."""
    return ((-8, -84), (8, -84)) if int(t * per_second) % 2 == 0 else ((-21, -80), (21, -80))


def rays(stage: Stage, x: float, y: float, colour: str, count: int = 12) -> None:
    """Beams of light from (x, y), as wide as the gaps between them."""
    for i in range(count):
        tips = arc(x, y, 800, 800, i * 360 / count, (i + 0.5) * 360 / count, 1)
        stage.pen.shape([(x, y), *tips], colour, None)


def bunting(stage: Stage, y: float) -> None:
    """A line of little flags across the frame."""
    colours = ("#e2725b", "#f2b134", "#57a773", "#6c7fb0")
    line: list[Point] = []
    for i, x in enumerate(range(0, stage.width + 1, 40)):
        top = y + (12 if i % 2 else 5)
        stage.pen.shape([(x - 14, top), (x + 14, top), (x, top + 26)], colours[i % 4])
        line.append((x, top))
    stage.pen.stroke(line)


def digital_clock(stage: Stage, x: float, y: float, time: str) -> None:
    """A bedside clock around (x, y)."""
    stage.pen.box(x - 52, y - 26, 104, 52, "#453f5c", 9)
    stage.pen.box(x - 44, y - 19, 88, 38, "#1d1829", 5)
    stage.sign(time, x, y + 1, 30, "#ff7a6b")


def lying_head(pen: Pen, person: Person, mood: Expression) -> None:
    """A head on its pillow around the pen's origin, crown to the left."""
    person.head(pen.at(116, 0, tilt=-90), mood)


def snores(stage: Stage, x: float, y: float, t: float) -> None:
    """Three letters Z that rise from (x, y) and come back."""
    for i in range(3):
        rise = (t * 0.6 + i / 3) % 1
        size = round(16 + 18 * rise)
        stage.sign("Z", x + 40 * rise + 6 * i, y - 70 * rise, size, "#5c6a94")


def vacuum(pen: Pen, mood: Expression = "calm", tie: bool = False) -> None:
    """A robot vacuum cleaner standing on the pen's origin."""
    for x in (-34, 34):
        pen.ellipse(x, -5, 9, 6, INK, INK, 1)
    pen.blob([(-62, -10), (-58, -44), (0, -58), (58, -44), (62, -10), (0, -5)], "#56667a")
    pen.blob([(-54, -28), (-44, -46), (0, -56), (44, -46), (54, -28), (0, -22)], "#c9d6df")
    pen.ellipse(0, -58, 10, 5, "#7fd08a", width=2)
    pen.note_face(0, -36, 20, 16)
    draw_face(pen.at(0, -36, 0.95), mood_face(mood), gap=13)
    if tie:
        for side in (-1, 1):
            pen.shape([(0, -13), (side * 17, -21), (side * 17, -5)], "#c8434f", width=1.8)
        pen.ellipse(0, -13, 4, 4, "#c8434f", width=1.8)


def hedgehog(pen: Pen, mood: Expression = "calm", look: Point = (0, 0)) -> None:
    """A hedgehog standing upright on the pen's origin."""
    spikes: list[Point] = []
    for i in range(25):
        reach = 1.22 if i % 2 else 0.98
        angle = 150 + i * 10
        spikes.append(arc(0, -46, 44 * reach, 52 * reach, angle, angle + 1, 1)[0])
    pen.shape([*spikes, (30, -6), (-30, -6)], "#7c5a44")
    for x in (-13, 13):
        pen.ellipse(x, -3, 12, 6, "#e8c39a", width=2)
    pen.ellipse(0, -36, 27, 33, "#f6dfbf")
    for side in (-1, 1):
        pen.ellipse(side * 25, -80, 8, 8, "#c99872", width=2)
    pen.ellipse(0, -66, 26, 23, "#f6dfbf")
    pen.note_face(0, -64, 22, 20)
    draw_face(pen.at(look[0] * 3, -65), mood_face(mood, look), gap=10)
    pen.ellipse(look[0] * 3, -61, 4.6, 3.6, INK, None)


def letterbox(stage: Stage) -> None:
    """Black bars above and below, as in the cinema."""
    stage.pen.box(-9, -9, stage.width + 18, 49, "#000000", ink=None)
    stage.pen.box(-9, stage.height - 40, stage.width + 18, 60, "#000000", ink=None)


def plates(pen: Pen, count: int, seed: int = 0) -> None:
    """A leaning pile of dirty plates standing on the pen's origin."""
    for i in range(count):
        plate = pen.at(((i * 7 + seed * 3) % 5 - 2) * 3, -i * 13)
        colour = "#fbfbf4" if i % 3 else "#cfe3ea"
        plate.blob([(-46, -10), (0, -13), (46, -10), (24, 0), (-24, 0)], colour)
        if (i + seed) % 2:
            plate.blob([(16, -11), (34, -11), (26, -2)], "#a8643c", width=1.5)


def car(pen: Pen, colour: str = "#e2725b", mood: Expression = "calm") -> None:
    """A small car going right, its wheels on the pen's origin."""
    pen.blob([(-44, -34), (-28, -64), (18, -64), (36, -36)], "#bfe3f2")
    pen.stroke([(-4, -64), (-2, -36)], INK, 3)
    pen.blob([(-66, -14), (-62, -36), (0, -40), (58, -36), (68, -14), (0, -8)], colour)
    for x in (-38, 38):
        pen.ellipse(x, -11, 14, 14, "#453f5c")
        pen.ellipse(x, -11, 5, 5, "#c9ced8", None)
    pen.note_face(20, -24, 16, 12)
    draw_face(pen.at(24, -26, 0.6), mood_face(mood))
