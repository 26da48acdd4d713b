"""Where the posts happen: offices, lifts, trains, streets, car parks; and what stands there."""

from collections.abc import Sequence

from minisets.drawing import props
from minisets.drawing.cast import cloud
from minisets.drawing.faces import Expression
from minisets.drawing.pen import INK, Pen, arc
from minisets.drawing.people import Person
from minisets.janusmm import things
from minisets.janusmm.stage import Panel

Group = tuple[tuple[Person, Expression], ...]


def office(panel: Panel, wall: str = "#e6ecf3", floor: str = "#b9b3c6") -> None:
    """A wall with a window and a floor."""
    things.room(panel, wall, floor, panel.height * 0.74)
    props.window(panel.pen.at(30, 40), 84, 84, "#bfe3f2")


def living_room(panel: Panel, wall: str = "#fbe9d0", floor: str = "#c99d74") -> None:
    """A warm room with a picture on the wall."""
    things.room(panel, wall, floor, panel.height * 0.74)
    panel.pen.box(34, 34, 70, 56, "#bfe3f2", 3, "#8a5a3c", 6)
    panel.pen.blob([(40, 86), (60, 60), (76, 76), (90, 64), (100, 86)], "#8cc07a", None)


def street(panel: Panel, wet: bool = False, y: float = 0.72) -> None:
    """Houses, a pavement and a road; grey and rainy if told."""
    panel.paint("#aab6c6" if wet else "#cfe9f5")
    foot = panel.height * y
    for i, colour in enumerate(("#e0b48a", "#c9a2b8", "#a9bfa0", "#d9c27f")):
        left = i * panel.width / 4
        top = 60 + (i * 37) % 60
        panel.pen.box(left, top, panel.width / 4, foot - top, colour)
        for wx in (0.2, 0.58):
            for wy in range(2):
                panel.pen.box(left + panel.width / 4 * wx, top + 24 + wy * 50, 24, 30, "#eef6f8", 2)
    props.floor(panel, foot, "#9a98a8")


def park(panel: Panel) -> None:
    """A lawn with trees under a clear sky."""
    things.outdoors(panel, panel.height * 0.52)
    for x in (56, panel.width - 60):
        tree(panel.pen.at(x, panel.height * 0.62))


def tree(pen: Pen, colour: str = "#5fae5b") -> None:
    """A round tree standing on the pen's origin."""
    pen.box(-9, -60, 18, 60, "#8a5a3c", 3)
    pen.blob([(-46, -62), (-52, -108), (-14, -146), (34, -134), (54, -96), (40, -60)], colour)


def storm(panel: Panel, seed: int, x: float, y: float = 50) -> None:
    """A dark cloud and rain over everything drawn so far."""
    cloud(panel.pen.at(x, y, 1.3), None, "#7f8798")
    props.rain(panel, "#6f95b8", seed)


def lift(panel: Panel, x: float, foot: float, width: float = 150, height: float = 240) -> None:
    """Closed lift doors standing around x on `foot`."""
    pen = panel.pen
    pen.box(x - width / 2 - 12, foot - height - 12, width + 24, height + 12, "#8f9db0", 3)
    for side in (0, 1):
        pen.box(x - width / 2 + side * width / 2, foot - height, width / 2, height, "#cfd8e0")
    pen.box(x + width / 2 + 24, foot - height * 0.5, 22, 40, "#e9eef2", 4)
    for i, dot in enumerate(("#e8554d", "#57a773")):
        pen.ellipse(x + width / 2 + 35, foot - height * 0.5 + 12 + i * 16, 5, 5, dot, width=1.6)


def carriage(panel: Panel, wall: str = "#dfe8ee") -> None:
    """Inside a metro train: windows, a rail and a floor."""
    things.room(panel, wall, "#a8a4b4", panel.height * 0.8)
    for i in range(3):
        left = 24 + i * (panel.width - 24) / 3
        panel.pen.box(left, 70, (panel.width - 96) / 3, 90, "#46506b", 10)
    panel.pen.stroke([(0, 40), (panel.width, 40)], "#8f9db0", 7)
    for i in range(6):
        x = 40 + i * (panel.width - 80) / 5
        panel.pen.stroke([(x, 40), (x, 58)], INK, 2)
        panel.pen.ellipse(x, 66, 9, 9, None, INK, 3)


def bay(panel: Panel, lefts: Sequence[float], top: float) -> None:
    """White lines of parking bays, from `top` down to the picture's foot."""
    for x in lefts:
        panel.pen.shape(
            [(x, top), (x + 7, top), (x + 1, panel.height), (x - 9, panel.height)], "white", None
        )


def car_back(pen: Pen, colour: str) -> None:
    """A car seen from behind, standing on the pen's origin, about 150 wide and 110 tall."""
    for side in (-1, 1):
        pen.box(side * 50 - 14, -26, 28, 26, "#34303f", 5)
    pen.blob([(-58, -62), (-44, -108), (0, -114), (44, -108), (58, -62)], colour)
    pen.shape([(-46, -66), (-36, -100), (36, -100), (46, -66)], "#dff1f7", width=2)
    pen.box(-74, -68, 148, 54, colour, 14)
    for side in (-1, 1):
        pen.box(side * 56 - 12, -58, 24, 16, "#e8554d", 4, line=1.8)
    pen.box(-26, -46, 52, 20, "white", 3, line=1.8)


def counter(panel: Panel, y: float, colour: str = "#b9794f") -> None:
    """A shop counter across the picture from `y` down."""
    panel.pen.box(-8, y + 12, panel.width + 16, panel.height, colour)
    panel.pen.box(-8, y, panel.width + 16, 16, "#d9a878", 3)


def crowd(panel: Panel, people: Group, y: float, scale: float = 1) -> None:
    """People side by side, standing on `y`."""
    step = panel.width / len(people)
    for i, (person, mood) in enumerate(people):
        person.draw(panel.pen.at(step * (i + 0.5), y, scale), mood)


def seated(panel: Panel, people: Group, y: float, scale: float = 1.3) -> None:
    """People behind a long meeting table whose top is at `y`."""
    step = panel.width / len(people)
    for i, (person, mood) in enumerate(people):
        person.draw(panel.pen.at(step * (i + 0.5), y + 44 * scale, scale), mood, "desk", "none")
    panel.pen.box(10, y, panel.width - 20, 20, "#b9794f", 5)
    panel.pen.box(30, y + 20, panel.width - 60, 90, "#a0673f")


def treadmill(pen: Pen) -> None:
    """A treadmill standing on the pen's origin, its handle on the right."""
    pen.limb([(66, -8), (84, -96)], "#8f9db0", 8)
    pen.box(66, -118, 40, 26, "#453f5c", 6)
    pen.box(-80, -16, 160, 16, "#56506b", 7)


def noodles(pen: Pen, colour: str = "#d64550") -> None:
    """A bowl of noodles standing on the pen's origin, 180 wide."""
    pen.ellipse(0, -66, 90, 26, "#f0c96a")
    for i in range(6):
        pen.stroke(arc(-50 + i * 20, -64, 22, 9, 190, 350, 12), "#c98d3a", 2.4)
    pen.shape([*arc(0, -66, 90, 26, 180, 0, 30), (60, -6), (40, 0), (-40, 0), (-60, -6)], colour)


def steam(pen: Pen, colour: str = "#9aa1b0") -> None:
    """Three wisps that rise from the pen's origin."""
    for x in (-22, 0, 22):
        pen.stroke([(x, 0), (x + 7, -12), (x - 5, -26), (x + 4, -40)], colour, 3)


def cup(pen: Pen, colour: str = "#ffffff") -> None:
    """A mug standing on the pen's origin."""
    pen.ellipse(24, -22, 12, 12, None, INK, 5)
    pen.box(-22, -44, 44, 44, colour, 6)


def rocket(pen: Pen, colour: str = "#e8eef4") -> None:
    """A rocket with its flame, rising, centred on the pen's origin, about 190 tall."""
    props.flame(pen.at(0, 46, 0.9, tilt=180))
    for side in (-1, 1):
        pen.shape([(side * 24, 20), (side * 52, 58), (side * 22, 52)], "#d64550")
    pen.blob([(0, -96), (26, -46), (28, 20), (16, 54), (-16, 54), (-28, 20), (-26, -46)], colour)
    pen.ellipse(0, -26, 13, 13, "#8fd0ea")


def elephant(pen: Pen, colour: str = "#a7b0bf") -> None:
    """An elephant from the side, looking right, standing on the pen's origin, 150 tall."""
    pen.stroke([(-84, -90), (-98, -70), (-96, -50)], INK, 4)
    for x in (-60, -30, 22, 50):
        pen.box(x - 14, -50, 28, 50, colour, 5)
    pen.blob([(-86, -60), (-80, -124), (-10, -142), (60, -124), (70, -50), (0, -36)], colour)
    pen.limb([(98, -82), (120, -56), (116, -20)], colour, 17)
    pen.ellipse(76, -106, 40, 36, colour)
    pen.blob([(46, -136), (18, -122), (22, -80), (52, -74), (62, -104)], "#c3cad6")
    pen.ellipse(90, -114, 3.6, 4.4, INK, None)
    pen.stroke(arc(92, -88, 10, 7, 20, 150, 10), INK, 2.2)
    pen.note_face(88, -104, 24, 24)
