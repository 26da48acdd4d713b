"""Chat cards: a title, bubbles with the heads of those who write, and stickers."""

from minisets.drawing import balloons
from minisets.drawing.faces import Expression
from minisets.drawing.pen import Pen
from minisets.drawing.people import Person
from minisets.janusmm.stage import Panel

MINE, THEIRS = "#bfe8a6", "#ffffff"


def header(panel: Panel, title: str, ground: str = "#ece7f2", colour: str = "#6d5f9c") -> None:
    """Starts a chat: the bar with its title on top of an empty card."""
    panel.paint(ground)
    panel.pen.box(-5, -5, panel.width + 10, 61, colour)
    for y in (22, 28, 34):
        panel.pen.stroke([(22, y), (42, y)], "white", 3)
    panel.sign(title, panel.width / 2, 29, 24, "white")


def avatar(pen: Pen, person: Person, mood: Expression) -> None:
    """Somebody's head in a round badge, 52 wide, around the pen's origin."""
    pen.ellipse(0, 0, 29, 29, "#fff3d6")
    person.head(pen.at(0, 76, 0.64), mood)


def bubble(
    panel: Panel,
    text: str,
    y: float,
    who: Person,
    mood: Expression = "calm",
    mine: bool = False,
    size: int = 23,
) -> float:
    """A message with its top at `y`; gives back where the next one may start."""
    lines = text.split("\n")
    across, tall = balloons.extent(lines, size)
    width, height = across + 30, max(54.0, tall + 22)
    left = panel.width - 84 - width if mine else 84
    tip = panel.width - 84 if mine else 84
    out = 12 if mine else -12
    fill = MINE if mine else THEIRS
    panel.pen.shape([(tip - out, y + 16), (tip + out, y + 26), (tip - out, y + 36)], fill)
    panel.pen.box(left, y, width, height, fill, 12)
    panel.pen.shape(
        [(tip - out, y + 18), (tip + out * 0.6, y + 26), (tip - out, y + 34)], fill, None
    )
    avatar(panel.pen.at(panel.width - 40 if mine else 40, y + 28), who, mood)
    panel.sign(text, left + width / 2, y + height / 2, size)
    return y + height + 20
