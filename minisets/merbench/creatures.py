"""Animals and things that only these memes need, and the stages of well-worn templates."""

from minisets.drawing import balloons
from minisets.drawing.faces import Expression, draw_face, mood_face
from minisets.drawing.pen import INK, Pen, arc
from minisets.janusmm.stage import Panel
from minisets.janusmm.things import beams


def wheel(panel: Panel, light: str, dark: str) -> None:
    """The pie-cut ground on which a template's animal looks at the reader."""
    panel.paint(light)
    beams(panel, panel.width / 2, panel.height / 2, dark, 9)


def cell(panel: Panel, text: str, size: int = 30) -> None:
    """A white cell over the left half of a row, with the row's words."""
    half = panel.width / 2
    panel.pen.box(0, 0, half, panel.height, "#ffffff", ink=INK)
    lines = balloons.wrapped(text, size, half - 36)
    panel.sign("\n".join(lines), half / 2, panel.height / 2, size)


def mouse(pen: Pen, mood: Expression = "sly") -> None:
    """A sitting mouse, on the pen's origin, about 60 units tall."""
    pen.stroke([(-14, -4), (-34, -2), (-40, -16)], INK, 3)
    pen.blob([(-18, -2), (-14, -28), (0, -34), (14, -28), (18, -2), (0, 0)], "#b9b4c4")
    for side in (-1, 1):
        pen.ellipse(side * 17, -62, 13, 13, "#b9b4c4")
        pen.ellipse(side * 17, -62, 8, 8, "#f4b8b8", None)
    pen.ellipse(0, -46, 20, 18, "#b9b4c4")
    pen.note_face(0, -46, 18, 16)
    draw_face(pen.at(0, -47, 0.72), mood_face(mood), gap=9)
    pen.ellipse(0, -44, 3, 2.4, "#e8756a", width=1.4)


def armchair(pen: Pen, colour: str = "#c75b5b") -> None:
    """An armchair standing on the pen's origin, about 110 units tall."""
    pen.box(-44, -112, 88, 90, colour, 24)
    pen.box(-46, -48, 92, 32, colour, 8)
    for side in (-1, 1):
        pen.box(side * 50 - 14, -70, 28, 60, colour, 12)
        pen.box(side * 44 - 5, -10, 10, 10, "#6b4a34", 2)


def hamster(pen: Pen, mood: Expression) -> None:
    """A hamster's head and paws around the pen's origin."""
    for side in (-1, 1):
        pen.ellipse(side * 26, -26, 13, 14, "#d99a55")
        pen.ellipse(side * 26, -25, 7, 8, "#f4b8a8", None)
    pen.blob([(-36, 6), (-30, -24), (0, -34), (30, -24), (36, 6), (22, 26), (-22, 26)], "#e6ad68")
    for side in (-1, 1):
        pen.ellipse(side * 21, 12, 17, 14, "#fbe8cf", None)
    pen.blob([(-12, -30), (0, -32), (12, -30), (5, -12), (-5, -12)], "#fbe8cf", None)
    pen.note_face(0, 0, 30, 24)
    draw_face(pen.at(0, 0), mood_face(mood), gap=12)
    pen.ellipse(0, 4, 3.2, 2.4, "#e8756a", width=1.3)
    for side in (-1, 1):
        pen.ellipse(side * 12, 28, 7, 6, "#f4c9b0", width=1.8)


def goose(pen: Pen, mood: Expression) -> None:
    """A goose's neck and head from the front, honking, on the pen's origin."""
    pen.blob([(-44, 60), (-34, 10), (-20, -30), (20, -30), (34, 10), (44, 60)], "#f7f4ee")
    pen.stroke([(-24, 34), (-18, 14)], "#cfc8ba", 2.4)
    pen.stroke([(24, 34), (18, 14)], "#cfc8ba", 2.4)
    pen.blob([(-28, -34), (-32, -64), (-14, -88), (14, -88), (32, -64), (28, -34), (0, -22)],
             "#f7f4ee")  # fmt: skip
    pen.note_face(0, -58, 30, 28)
    draw_face(pen.at(0, -64, 1.1), mood_face(mood), gap=13)
    pen.blob([(-15, -44), (0, -50), (15, -44), (18, -26), (0, -16), (-18, -26)], "#d9722b")
    pen.blob([(-11, -38), (0, -41), (11, -38), (12, -28), (0, -22), (-12, -28)], "#8a2f2a")
    pen.blob([(-5, -28), (0, -33), (5, -28), (0, -23)], "#f0808a", width=1.4)
    pen.blob([(-17, -46), (0, -58), (17, -46), (19, -36), (0, -42), (-19, -36)], "#f28c38")
    for side in (-1, 1):
        pen.ellipse(side * 5, -49, 1.5, 1.2, INK, None)


def panda(pen: Pen, mood: Expression) -> None:
    """A panda's head around the pen's origin."""
    for side in (-1, 1):
        pen.ellipse(side * 25, -24, 13, 13, "#3a3444")
    pen.ellipse(0, 0, 34, 29, "#fbf8f2")
    for side in (-1, 1):
        patch = pen.at(side * 12, -3, tilt=side * 24)
        patch.ellipse(0, 0, 9.5, 11.5, "#3a3444", None)
    pen.note_face(0, 0, 28, 24)
    draw_face(pen, mood_face(mood), gap=12)
    pen.ellipse(0, 5, 4, 2.8, INK, None)


def kettle(pen: Pen, mood: Expression, boiling: bool = False) -> None:
    """A kettle with a face, standing on the pen's origin."""
    body = "#e2604f" if boiling else "#6fb3c9"
    pen.shape([(38, -46), (70, -84), (80, -76), (52, -22)], body)
    pen.stroke([(-34, -70), (-22, -112), (22, -112), (34, -70)], INK, 11)
    pen.stroke([(-34, -70), (-22, -112), (22, -112), (34, -70)], "#5b4a44", 6.5)
    pen.blob([(-50, -6), (-54, -44), (-26, -80), (26, -80), (54, -44), (50, -6), (0, 0)], body)
    pen.ellipse(0, -82, 9, 7, "#5b4a44")
    pen.note_face(0, -38, 34, 28)
    draw_face(pen.at(0, -40, 1.3), mood_face(mood), gap=13)
    if boiling:
        for x, y, r in ((82, -94, 8), (88, -108, 11), (78, -122, 13), (88, -140, 15)):
            pen.ellipse(x, y, r, r * 0.86, "#ffffff", width=1.8)
        for x, y, r in ((82, -94, 8), (88, -108, 11), (78, -122, 13), (88, -140, 15)):
            pen.ellipse(x, y, r, r * 0.86, "#ffffff", None)


def bird(pen: Pen, colour: str = "#f2c230") -> None:
    """A small bird sitting on the pen's origin, looking right."""
    pen.shape([(-16, -14), (-36, -20), (-32, -6)], colour, width=2)
    pen.ellipse(-2, -15, 18, 15, colour)
    pen.ellipse(12, -30, 11, 11, colour)
    pen.shape([(21, -32), (33, -28), (21, -25)], "#f28c38", width=1.8)
    pen.ellipse(14, -32, 2.4, 2.8, INK, None)
    pen.blob([(-12, -18), (4, -18), (-2, -6), (-14, -8)], "#d9a41f", width=1.8)


def laundry_chair(pen: Pen, night: bool = False) -> None:
    """A chair under a heap of clothes, standing on the pen's origin; at night it has eyes."""
    dark = "#1b1936"
    wood, shirt, jumper, towel, cap, sock = (
        (dark,) * 6 if night else ("#9a6b46", "#5a8fc0", "#e2725b", "#fbf3e0", "#f2c230", "#7fb28a")
    )
    ink = dark if night else INK
    for x in (-46, 38):
        pen.box(x, -176, 9, 176, wood, 2, ink)
    pen.box(-56, -78, 112, 14, wood, 3, ink)
    pen.blob([(-62, -28), (-58, -84), (-20, -98), (26, -96), (30, -34), (-14, -26)], towel, ink)
    for y in () if night else (-76, -60, -44):
        pen.stroke([(-58, y + 4), (-16, y + 2), (28, y)], "#e2725b", 4)
    pen.blob([(-50, -84), (-58, -118), (0, -136), (58, -118), (54, -82), (0, -74)], jumper, ink)
    for side in (-1, 1):
        sleeve = [(side * 48, -114), (side * 70, -88), (side * 64, -44)]
        pen.stroke(sleeve, ink, 21)
        pen.stroke(sleeve, jumper, 16)
    pen.blob([(-44, -120), (-40, -158), (0, -170), (42, -156), (46, -120), (0, -112)], shirt, ink)
    if not night:
        pen.shape([(-12, -164), (0, -146), (12, -164)], "#fbf3e0")
        for y in (-140, -128):
            pen.ellipse(0, y, 2.2, 2.2, "#fbf3e0", None)
    pen.blob([(40, -96), (52, -96), (52, -62), (66, -54), (62, -46), (42, -50)], sock, ink)
    pen.shape([(-30, -164), *arc(-2, -166, 28, 32, 180, 360, 16), (46, -162), (46, -156)], cap, ink)
    if night:
        for x in (-11, 11):
            pen.ellipse(x, -152, 6.5, 6.5, "#ffe27a", None)
            pen.ellipse(x, -152, 2, 4.5, INK, None)


def puddle(pen: Pen) -> None:
    """What is left of a snowman: water, a carrot, a scarf and a hat, on the pen's origin."""
    pen.ellipse(0, -4, 84, 16, "#a9d8ee")
    pen.blob([(-50, -8), (-20, -14), (-12, -6), (-44, -2)], "#d64550")
    pen.shape([(20, -10), (50, -4), (20, -2)], "#f28c38", width=1.8)
    hat = pen.at(-4, -14, tilt=-14)
    hat.box(-18, -34, 36, 28, "#453f5c", 2)
    hat.box(-28, -9, 56, 7, "#453f5c", 3)
