"""Animals, drawn from the ground up, facing right."""

from typing import Literal

from minisets.drawing.faces import Expression, draw_face, mood_face
from minisets.drawing.pen import INK, Pen, Point, arc

Look = tuple[float, float]


def cat_head(pen: Pen, mood: Expression, colour: str, look: Look = (0, 0)) -> None:
    """A cat's head around the pen's origin."""
    for side in (-1, 1):
        ear: list[Point] = [(side * 24, -8), (side * 22, -34), (side * 5, -21)]
        pen.shape(ear, colour)
        pen.shape([(side * 20, -16), (side * 19.5, -27), (side * 11, -20)], "#f4a6a0", None)
    pen.ellipse(0, 0, 27, 23, colour)
    pen.note_face(0, 0, 24, 20)
    for y in (-20, -17):
        pen.stroke([(0, y), (0, y + 5)], INK, 2)
    face = pen.at(look[0] * 3, 0)
    draw_face(face, mood_face(mood, look), gap=10)
    face.shape([(-3, 3), (3, 3), (0, 6.5)], "#e8756a", INK, 1.4)
    for side in (-1, 1):
        for dy in (0, 5):
            pen.stroke([(side * 17, 5 + dy), (side * 33, 3 + dy * 1.8)], INK, 1.3)


def cat(
    pen: Pen,
    mood: Expression = "calm",
    pose: Literal["sit", "loaf", "paw", "walk", "up"] = "sit",
    colour: str = "#f0a04b",
    look: Look = (0, 0),
) -> None:
    """A cat that sits, lies like a loaf, stretches a paw, walks, or stands up (arms raised)."""
    if pose == "loaf":
        pen.limb([(-34, -10), (-50, -6), (-54, -18)], colour, 8)
        pen.blob([(-40, -4), (-34, -30), (0, -36), (32, -26), (36, -4), (0, 0)], colour)
        cat_head(pen.at(18, -42), mood, colour, look)
        return
    if pose == "walk":
        pen.limb([(-34, -30), (-50, -44), (-46, -62)], colour, 7)
        for x in (-26, -12, 14, 28):
            pen.limb([(x, -20), (x + 3, -4)], colour, 8)
        pen.blob([(-38, -26), (-20, -42), (14, -42), (34, -28), (14, -14), (-24, -14)], colour)
        cat_head(pen.at(34, -52), mood, colour, look)
        return
    pen.limb([(-18, -8), (-42, -8), (-44, -28)], colour, 8)
    pen.blob([(-24, -4), (-20, -38), (0, -56), (20, -38), (24, -4), (0, 0)], colour)
    pen.blob([(-10, -16), (0, -40), (10, -16), (0, -8)], "#fff3df", None)
    for x in (-11, 11):
        pen.ellipse(x, -3, 9, 5, colour, width=2)
    if pose == "paw":
        pen.limb([(14, -40), (30, -30), (46, -30)], colour, 9)
    elif pose == "up":
        for side in (-1, 1):
            pen.limb([(side * 14, -40), (side * 26, -62), (side * 24, -88)], colour, 8)
    cat_head(pen.at(0, -68), mood, colour, look)


def dog(
    pen: Pen,
    mood: Expression = "calm",
    colour: str = "#c98d5a",
    ear: str = "#7c4f35",
    look: Look = (0, 0),
    point: bool = False,
) -> None:
    """A sitting dog; it can point with a paw."""
    pen.limb([(-20, -10), (-40, -22), (-42, -38)], colour, 8)
    pen.blob([(-28, -4), (-24, -42), (0, -62), (24, -42), (28, -4), (0, 0)], colour)
    pen.blob([(-12, -14), (0, -50), (12, -14), (0, -8)], "#fbe8cf", None)
    for x in (-13, 13):
        pen.ellipse(x, -4, 11, 6, colour, width=2)
    if point:
        pen.limb([(16, -46), (34, -50), (54, -56)], colour, 9)
    head = pen.at(0, -80)
    head.ellipse(0, 0, 29, 25, colour)
    head.note_face(0, 3, 24, 22)
    for side in (-1, 1):
        head.blob([(side * 20, -21), (side * 33, -14), (side * 38, 12), (side * 27, 14)], ear)
    head.ellipse(look[0] * 3, 9, 15, 12, "#fbe8cf", None)
    face = head.at(look[0] * 3, 0)
    draw_face(face, mood_face(mood, look), gap=11)
    face.ellipse(0, 3.5, 6, 4, INK, None)


def fish(pen: Pen, mood: Expression = "calm", colour: str = "#f58549", look: Look = (0, 0)) -> None:
    """A fish around the pen's origin, swimming right."""
    pen.shape([(-24, 0), (-46, -18), (-40, 0), (-46, 18)], colour)
    pen.blob([(-8, -20), (4, -32), (14, -20)], colour)
    pen.ellipse(0, 0, 32, 23, colour)
    pen.blob([(-14, 4), (-4, 2), (-6, 14), (-16, 12)], "#ffd08a", width=1.8)
    pen.note_face(8, 0, 22, 18)
    draw_face(pen.at(9, 0), mood_face(mood, look), gap=8)


def snail(pen: Pen, mood: Expression = "calm") -> None:
    """A snail on the ground, going right."""
    pen.blob([(-42, 0), (-30, -10), (20, -12), (30, -34), (46, -34), (48, -8), (36, 0)], "#f3d9a4")
    for x in (32, 45):
        pen.stroke([(x, -34), (x + 3, -50)], INK, 2.4)
        pen.ellipse(x + 3, -52, 4, 4, "white", width=1.6)
        pen.ellipse(x + 4, -52, 1.6, 1.8, INK, None)
    pen.ellipse(-6, -28, 25, 24, "#c06c4f")
    pen.stroke([(-6, -28), (0, -32), (4, -24), (-6, -18), (-18, -26), (-8, -42), (12, -36)], INK, 2)
    pen.note_face(40, -32, 10, 18)
    if mood == "sly":
        pen.stroke([(36, -20), (42, -18), (46, -23)], INK, 2)
    else:
        pen.stroke(arc(41, -24, 4, 4, 20, 160, 8), INK, 2)


def octopus(
    pen: Pen, mood: Expression = "calm", colour: str = "#c75b8f", legs: bool = True
) -> None:
    """An octopus standing on its curling arms."""
    for i, x in enumerate((-36, -20, -6, 6, 20, 36)) if legs else ():
        out = x * 1.5
        curl = 12 if i % 2 else -2
        pen.limb(
            [(x * 0.5, -40), (x, -22), (out, -8), (out + (8 if x > 0 else -8), -8 - curl)],
            colour,
            9,
        )
    pen.blob([(-34, -56), (-26, -100), (0, -116), (26, -100), (34, -56), (0, -34)], colour)
    for x, y, r in [(-16, -98, 4), (-6, -104, 3), (16, -94, 4)]:
        pen.ellipse(x, y, r, r, "#e79bbf", None)
    pen.note_face(0, -70, 26, 22)
    draw_face(pen.at(0, -70), mood_face(mood), gap=12)


def turtle(pen: Pen, mood: Expression = "calm", shell: bool = True, look: Look = (0, 0)) -> None:
    """A turtle standing upright; without its shell it is a bare pink thing in shorts."""
    green = "#8cbf5a"
    pen.limb([(-12, -20), (-14, -4)], green, 13)
    pen.limb([(12, -20), (14, -4)], green, 13)
    if shell:
        pen.ellipse(-4, -48, 40, 38, "#7c6a3c")
        pen.ellipse(4, -46, 30, 33, "#e9d98f")
        for y in (-60, -46, -32):
            pen.stroke([(-20, y), (28, y)], "#b8a25a", 2)
    else:
        pen.blob([(-16, -74), (16, -74), (22, -30), (0, -18), (-22, -30)], "#a9d47a")
        pen.blob([(-22, -40), (22, -40), (24, -18), (2, -22), (-2, -22), (-24, -18)], "#e8554d")
        for x, y in [(-12, -31), (0, -33), (12, -31)]:
            pen.ellipse(x, y, 3, 3, "white", None)
    for side in (-1, 1):
        hand: Point = (side * 40, -40) if shell else (side * 8, -50)
        pen.limb([(side * 22, -64), (side * 34, -54), hand], green, 11)
    pen.ellipse(0, -100, 27, 25, green)
    pen.note_face(0, -100, 23, 21)
    draw_face(pen.at(look[0] * 3, -100), mood_face(mood, look), gap=11)


def cow(pen: Pen, mood: Expression = "calm") -> None:
    """A cow, side on, with her face to the reader."""
    pen.stroke([(-46, -52), (-60, -40), (-58, -22)], INK, 3)
    for x in (-34, -20, 14, 28):
        pen.limb([(x, -26), (x, -5)], "#f7f4ee", 9)
        pen.box(x - 6, -7, 12, 7, INK, 1)
    pen.ellipse(-20, -20, 8, 6, "#f4a6a0", width=2)
    pen.blob([(-48, -36), (-40, -62), (0, -66), (36, -62), (40, -36), (0, -22)], "#f7f4ee")
    pen.blob([(-30, -58), (-10, -62), (-14, -42), (-30, -40)], INK, None)
    pen.blob([(8, -40), (22, -46), (24, -32), (12, -28)], INK, None)
    head = pen.at(44, -72)
    for side in (-1, 1):
        head.blob([(side * 18, -12), (side * 36, -20), (side * 32, -6), (side * 20, -4)], "#f7f4ee")
        head.stroke([(side * 10, -20), (side * 16, -34)], "#d8c39a", 6)
    head.ellipse(0, 0, 22, 24, "#f7f4ee")
    head.ellipse(0, 13, 20, 13, "#f4b8ae", width=2)
    head.note_face(0, 2, 20, 22)
    draw_face(head.at(0, -1, 0.95), mood_face(mood), gap=8)
