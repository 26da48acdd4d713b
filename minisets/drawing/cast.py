"""Who plays: the named people, and those who are neither people nor animals."""

from minisets.drawing.faces import Expression, draw_face, mood_face
from minisets.drawing.pen import INK, Pen, Point, arc
from minisets.drawing.people import Person

Look = tuple[float, float]

LINDA = Person(hair="long", hair_colour="#7a3b2e", top="#e2725b", legs="#4d4a66")
OFFICE_MAN = Person(hair="short", top="#f4f1ea", legs="#4a5570", tie="#c8434f", glasses=True)
BOSS = Person(
    hair="bald", skin="#eab892", top="#f4f1ea", coat="#56506b", legs="#56506b", tie="#d9a441"
)
BOY = Person(hair="spiky", hair_colour="#e0913a", top="#57a773", legs="#38547a")
GIRL = Person(hair="bob", hair_colour="#2e2a3d", top="#f2b134", legs="#3e6c8f", skin="#f0bd95")
GRANNY = Person(hair="bun", hair_colour="#d9d6dc", top="#9b72aa", legs="#5c4b6e", glasses=True)
DOCTOR = Person(hair="grey", hair_colour="#a9a7b5", top="#8fc7d1", coat="#ffffff", glasses=True)
COOK = Person(hair="beard", hair_colour="#5a3a2a", top="#ffffff", legs="#57606f", skin="#e3a77d")
RUNNER = Person(hair="curly", hair_colour="#33211f", skin="#a9714b", top="#e8554d", legs="#2f4858")
MUM = Person(hair="bun", hair_colour="#3b2a2a", top="#d9637c", legs="#5b4a68")
CODER = Person(hair="short", hair_colour="#23212e", top="#6c7fb0", legs="#3a3f55", glasses=True)
VAMPIRE = Person(
    hair="short",
    hair_colour="#1f1a2b",
    skin="#dfe3ea",
    top="#f4f1ea",
    coat="#2b2438",
    tie="#b8283b",
)
CLERK = Person(hair="bob", hair_colour="#8a4b2d", top="#5aa9a0", legs="#44506b", glasses=True)


def robot(
    pen: Pen, mood: Expression = "calm", hands: tuple[Point, Point] = ((-40, -46), (40, -46)),
    colour: str = "#9fb8c8",
) -> None:  # fmt: skip
    """A boxy robot with a screen for a face; `hands` says where its hands are."""
    for side in (-1, 1):
        pen.limb([(side * 12, -36), (side * 12, -8)], "#6d7f8f", 9)
        pen.box(side * 12 - 12, -9, 24, 9, "#56667a", 3)
        hand = hands[0 if side < 0 else 1]
        bend = (side * 20 + hand[0]) / 2 + side * 6, (-72 + hand[1]) / 2 + 4
        pen.limb([(side * 22, -72), bend, hand], "#6d7f8f", 7)
        pen.ellipse(hand[0], hand[1], 7, 7, "#56667a")
    pen.box(-26, -86, 52, 52, colour, 7)
    pen.box(-14, -76, 28, 18, "#e9eef2", 3, line=1.8)
    for x, dot in ((-7, "#e8554d"), (0, "#f2b134"), (7, "#57a773")):
        pen.ellipse(x, -67, 2.6, 2.6, dot, None)
    pen.stroke([(0, -140), (0, -156)], INK, 3)
    pen.ellipse(0, -159, 6, 6, "#e8554d", width=2)
    pen.box(-34, -142, 68, 54, colour, 10)
    pen.box(-27, -136, 54, 42, "#dff3ee", 7, line=2)
    pen.note_face(0, -114, 26, 20)
    draw_face(pen.at(0, -116), mood_face(mood), gap=11)


def ghost(
    pen: Pen, mood: Expression = "calm", colour: str = "#ffffff", look: Look = (0, 0)
) -> None:
    """A sheet ghost hovering over the pen's origin."""
    outline: list[Point] = [(-34, -12), (-36, -70), (-24, -104), (0, -114), (24, -104), (36, -70)]
    outline += [(34, -12), (22, -4), (12, -14), (0, -4), (-12, -14), (-22, -4)]
    pen.blob(outline, colour)
    pen.note_face(0, -78, 26, 22)
    draw_face(pen.at(look[0] * 4, -78), mood_face(mood, look), gap=11)


def reaper(pen: Pen, mood: Expression = "stare", scythe: bool = True, low: bool = False) -> None:
    """The Grim Reaper; `low` leaves out all but head and shoulders."""
    if scythe:
        pen.limb([(42, 0), (42, -150)], "#8a6242", 4)
        pen.blob([(42, -152), (10, -160), (-16, -138), (14, -144), (42, -138)], "#d5dde3")
    if not low:
        pen.blob([(-26, -88), (0, -96), (26, -88), (40, 0), (0, 4), (-40, 0)], "#3a3350")
    if scythe:
        pen.limb([(18, -76), (34, -66), (42, -60)], "#3a3350", 11)
        pen.ellipse(42, -60, 6, 6, "#f3efe4", width=2)
    pen.blob([(-34, -86), (-32, -126), (0, -152), (32, -126), (34, -86), (0, -78)], "#3a3350")
    pen.ellipse(0, -110, 23, 26, "#1d1829", width=2)
    pen.blob(
        [(-19, -114), (-14, -130), (0, -134), (14, -130), (19, -114), (9, -92), (-9, -92)],
        "#f3efe4",
    )
    pen.note_face(0, -112, 22, 22)
    draw_face(pen.at(0, -112, 0.85), mood_face(mood), gap=9)


def skeleton(pen: Pen, wave: bool = False) -> None:
    """The upper half of a skeleton in a tie, for a chair behind a table."""
    bone = "#f3efe4"
    pen.limb([(0, -92), (0, -40)], bone, 5)
    for y in (-80, -69, -58):
        pen.limb([(-16, y + 3), (0, y), (16, y + 3)], bone, 4)
    pen.limb([(-18, -82), (-28, -62), (-20, -44)], bone, 5)
    pen.limb(
        [(18, -82), (36, -92), (34, -122)] if wave else [(18, -82), (28, -62), (20, -44)], bone, 5
    )
    pen.shape([(-3, -86), (3, -86), (5, -60), (0, -54), (-5, -60)], "#4f8fc0", width=1.6)
    pen.ellipse(0, -118, 23, 22, bone)
    pen.box(-12, -102, 24, 12, bone, 4)
    for x in (-9, 9):
        pen.ellipse(x, -118, 6, 7, INK, None)
    pen.shape([(0, -111), (-3, -105), (3, -105)], INK, None)
    for x in (-6, 0, 6):
        pen.stroke([(x, -99), (x, -92)], INK, 1.4)
    pen.note_face(0, -112, 20, 22)


def snowman(pen: Pen, mood: Expression = "calm", scarf: str = "#d64550", hat: bool = True) -> None:
    """A snowman with twig arms."""
    pen.stroke([(-28, -58), (-52, -74), (-60, -70)], "#6b4a34", 4)
    pen.stroke([(28, -58), (52, -74), (58, -84)], "#6b4a34", 4)
    pen.ellipse(0, -30, 38, 34, "#fbfdff")
    for y in (-48, -34, -20):
        pen.ellipse(0, y, 3, 3, INK, None)
    pen.ellipse(0, -88, 28, 26, "#fbfdff")
    pen.note_face(0, -90, 22, 20)
    draw_face(pen.at(0, -91), mood_face(mood), gap=10)
    pen.shape([(-2, -91), (20, -86), (-2, -84)], "#f28c38", width=1.8)
    pen.blob([(-24, -70), (0, -64), (24, -70), (22, -60), (0, -54), (-22, -60)], scarf)
    pen.blob([(14, -62), (26, -60), (24, -34), (14, -36)], scarf)
    if hat:
        pen.box(-18, -138, 36, 28, "#453f5c", 2)
        pen.box(-28, -114, 56, 7, "#453f5c", 3)


def moon(pen: Pen, mood: Expression = "calm", look: Look = (0, 0), crater: bool = True) -> None:
    """A full moon with a face, around the pen's origin (radius 40)."""
    pen.ellipse(0, 0, 40, 40, "#f7e9b0")
    if crater:
        for x, y, r in [(-24, -16, 6), (25, 18, 7), (20, -24, 4), (-20, 24, 4)]:
            pen.ellipse(x, y, r, r * 0.85, "#e3d08c", None)
    pen.note_face(0, 0, 30, 30)
    draw_face(pen.at(0, 0, 1.15), mood_face(mood, look), gap=11)


def sun(pen: Pen, mood: Expression = "happy", look: Look = (0, 0)) -> None:
    """A sun with a face and rays."""
    for i in range(12):
        ray = arc(0, 0, 56, 56, i * 30, i * 30 + 1, 1)[0]
        foot = arc(0, 0, 46, 46, i * 30, i * 30 + 1, 1)[0]
        pen.stroke([foot, ray], "#f08a24", 6)
    pen.ellipse(0, 0, 40, 40, "#ffd24a")
    pen.note_face(0, 0, 30, 30)
    draw_face(pen.at(0, 0, 1.15), mood_face(mood, look), gap=11)


def cloud(
    pen: Pen, mood: Expression | None = None, colour: str = "#ffffff", look: Look = (0, 0)
) -> None:
    """A cloud around the pen's origin, with or without a face."""
    puffs = [(-44, 8, 26), (-18, -14, 30), (20, -12, 28), (46, 8, 24), (0, 14, 32)]
    for x, y, r in puffs:
        pen.ellipse(x, y, r, r * 0.86, colour)
    for x, y, r in puffs:
        pen.ellipse(x, y, r, r * 0.86, colour, None)
    if mood:
        pen.note_face(0, 4, 26, 20)
        draw_face(pen.at(0, 4, 1.1), mood_face(mood, look), gap=13)


def potted(pen: Pen, mood: Expression = "calm", wilted: bool = False, look: Look = (0, 0)) -> None:
    """A potted plant with its face on the pot."""
    leaf, stem = ("#a8a05a", "#8a8446") if wilted else ("#5fae5b", "#3f8a4a")
    pen.shape([(-36, -58), (36, -58), (26, 0), (-26, 0)], "#d9774f")
    pen.box(-40, -66, 80, 14, "#e88b62", 4)
    for side, lift, reach in [(-1, 0, 30), (1, 4, 30), (-1, 24, 18), (1, 28, 16)]:
        if wilted:
            tip: Point = (side * (reach + 24), -58 + lift)
            pen.stroke([(0, -62), (side * reach * 0.6, -92 + lift), tip], stem, 4)
            pen.blob([(tip[0], tip[1] - 12), (tip[0] + side * 9, tip[1] + 6), (tip[0], tip[1] + 16),
                      (tip[0] - side * 6, tip[1] + 4)], leaf)  # fmt: skip
        else:
            tip = (side * reach, -108 - lift)
            pen.stroke([(0, -62), (side * reach * 0.3, -90), tip], stem, 4)
            pen.blob([tip, (tip[0] + side * 14, tip[1] - 22), (tip[0] + side * 2, tip[1] - 28),
                      (tip[0] - side * 10, tip[1] - 12)], leaf)  # fmt: skip
    pen.note_face(0, -28, 24, 22)
    draw_face(pen.at(look[0] * 3, -30), mood_face(mood, look), gap=11)


def alien(pen: Pen, mood: Expression = "calm") -> None:
    """A small green alien."""
    for side in (-1, 1):
        pen.limb([(side * 8, -28), (side * 10, -4)], "#7cc48a", 7)
        pen.limb([(side * 12, -52), (side * 24, -42), (side * 26, -28)], "#7cc48a", 6)
        pen.stroke([(side * 8, -108), (side * 18, -126)], INK, 2.4)
        pen.ellipse(side * 18, -128, 5, 5, "#f2b134", width=2)
    pen.blob([(-13, -60), (13, -60), (17, -24), (0, -20), (-17, -24)], "#8a6fc0")
    pen.blob([(-30, -88), (-22, -110), (0, -116), (22, -110), (30, -88), (0, -58)], "#7cc48a")
    pen.note_face(0, -88, 24, 20)
    draw_face(pen.at(0, -88), mood_face(mood), gap=11)
