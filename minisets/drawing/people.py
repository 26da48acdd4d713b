"""People: hair, clothes and poses, drawn from the feet up (about 150 units tall)."""

from dataclasses import dataclass
from typing import Literal

from minisets.drawing.faces import Expression, draw_face, mood_face
from minisets.drawing.pen import INK, Pen, Point, arc

Hair = Literal["short", "bob", "long", "bun", "bald", "spiky", "curly", "grey", "beard"]
Arms = Literal[
    "down", "hips", "up", "cheer", "point", "give", "desk", "think", "crossed", "wave", "reach",
    "run", "shrug", "head", "limp",
]  # fmt: skip
Hands = tuple[Point, Point]
Legs = Literal["stand", "walk", "run", "sit", "none", "kneel", "jump", "dress"]

HANDS: dict[Arms, Hands] = {
    "down": ((-27, -45), (27, -45)),
    "limp": ((-22, -36), (22, -36)),
    "hips": ((-19, -52), (19, -52)),
    "up": ((-34, -118), (34, -118)),
    "cheer": ((-38, -124), (38, -124)),
    "point": ((-24, -46), (52, -86)),
    "give": ((36, -66), (44, -64)),
    "desk": ((-22, -60), (26, -60)),
    "think": ((14, -62), (14, -93)),
    "crossed": ((14, -68), (-14, -64)),
    "wave": ((-26, -46), (42, -116)),
    "reach": ((44, -84), (52, -78)),
    "run": ((-32, -66), (34, -82)),
    "shrug": ((-42, -80), (42, -80)),
    "head": ((-24, -108), (24, -108)),
}
BENDS: dict[Arms, tuple[Point, Point]] = {
    "hips": ((-36, -66), (36, -66)),
    "think": ((-12, -54), (32, -68)),
    "crossed": ((-26, -62), (26, -62)),
    "head": ((-40, -96), (40, -96)),
    "run": ((-36, -56), (30, -60)),
    "shrug": ((-30, -60), (30, -60)),
    "wave": ((-30, -64), (40, -88)),
    "desk": ((-34, -60), (34, -58)),
}
FEET: dict[Legs, list[list[Point]]] = {
    "stand": [[(-9, -40), (-10, -4)], [(9, -40), (10, -4)]],
    "walk": [[(-7, -40), (-16, -20), (-22, -4)], [(7, -40), (16, -22), (16, -4)]],
    "run": [[(-6, -40), (-22, -26), (-38, -30)], [(6, -40), (28, -34), (30, -8)]],
    "sit": [[(-8, -40), (18, -38), (18, -4)], [(8, -38), (32, -36), (32, -4)]],
    "kneel": [[(-8, -38), (4, -10), (-28, -6)], [(8, -38), (20, -12), (-12, -4)]],
    "jump": [[(-8, -40), (-24, -26), (-18, -8)], [(8, -40), (24, -28), (32, -14)]],
    "none": [],
    "dress": [[(-8, -30), (-9, -4)], [(8, -30), (9, -4)]],
}


@dataclass(frozen=True)
class Person:
    """How somebody looks, whatever they do."""

    skin: str = "#f6c9a6"
    hair: Hair = "short"
    hair_colour: str = "#4a2f27"
    top: str = "#4f8fc0"
    legs: str = "#3d4a6b"
    glasses: bool = False
    tie: str = ""
    coat: str = ""

    def draw(
        self,
        pen: Pen,
        mood: Expression = "calm",
        arms: Arms | Hands = "down",
        legs: Legs = "stand",
        look: tuple[float, float] = (0, 0),
    ) -> None:
        """Draws the person standing on the pen's origin, facing right.

        `arms` is a named gesture, or where the two hands are (in front of the body).
        """
        if self.hair in ("long", "bob"):
            self._back_hair(pen)
        self._legs(pen, legs)
        named = ("think", "crossed", "give", "desk", "reach", "hips")
        front = isinstance(arms, tuple) or arms in named
        if not front:
            self._arms(pen, arms)
        self._torso(pen, legs)
        if front:
            self._arms(pen, arms)
        self.head(pen, mood, look)
        if arms == "head":
            self._arms(pen, arms)

    def _legs(self, pen: Pen, legs: Legs) -> None:
        colour = self.skin if legs == "dress" else self.legs
        for points in FEET[legs]:
            pen.limb(points, colour, 12)
            x, y = points[-1]
            pen.ellipse(x + 4, y + 1, 10, 5.5, INK, INK, 1)

    def _torso(self, pen: Pen, legs: Legs) -> None:
        low = -20 if legs == "dress" else -36
        spread = 27 if legs == "dress" else 20
        pen.blob(
            [(-17, -88), (0, -92), (17, -88), (spread, low), (0, low + 3), (-spread, low)], self.top
        )
        if self.coat:
            pen.blob([(-17, -88), (-5, -90), (-6, -60), (-9, -33), (-23, -33)], self.coat)
            pen.blob([(17, -88), (5, -90), (6, -60), (9, -33), (23, -33)], self.coat)
        if self.tie:
            pen.shape([(-3, -88), (3, -88), (5, -62), (0, -55), (-5, -62)], self.tie, width=1.6)

    def _arms(self, pen: Pen, arms: Arms | Hands) -> None:
        sleeve = self.coat or self.top
        hands = arms if isinstance(arms, tuple) else HANDS[arms]
        for side, hand in zip((-1, 1), hands, strict=True):
            start = (side * 17.0, -81.0)
            elbow = (start[0] + hand[0]) / 2 + side * 5, (start[1] + hand[1]) / 2 + 5
            if not isinstance(arms, tuple) and arms in BENDS:
                elbow = BENDS[arms][0 if side < 0 else 1]
            pen.limb([start, elbow, hand], sleeve, 9.5)
            pen.ellipse(hand[0], hand[1], 6.8, 6.8, self.skin, width=2)

    def _back_hair(self, pen: Pen) -> None:
        drop = -70 if self.hair == "long" else -92
        pen.blob(
            [(-30, -122), (0, -150), (30, -122), (33, drop), (0, drop + 8), (-33, drop)],
            self.hair_colour,
        )

    def head(self, pen: Pen, mood: Expression, look: tuple[float, float] = (0, 0)) -> None:
        """The head alone, 116 units above the pen's origin."""
        for side in (-1, 1):
            pen.ellipse(side * 27, -114, 5, 6.5, self.skin, width=2)
        pen.ellipse(0, -116, 27, 27, self.skin)
        pen.note_face(0, -114, 22, 22)
        if self.hair == "beard":
            pen.blob(
                [
                    (-26, -114),
                    (-15, -104),
                    (0, -108),
                    (15, -104),
                    (26, -114),
                    (17, -84),
                    (-17, -84),
                ],
                self.hair_colour,
            )
        face = pen.at(look[0] * 3, -113)
        draw_face(face, mood_face(mood, look))
        if self.glasses:
            for side in (-1, 1):
                face.ellipse(side * 9, -3.5, 8, 8, None, INK, 2)
            face.stroke([(-2, -4), (2, -4)], INK, 2)
        self._top_hair(pen)

    def _top_hair(self, pen: Pen) -> None:
        colour = self.hair_colour
        if self.hair in ("short", "beard", "grey"):
            cap = [(-28, -116), (-25, -136), (0, -148), (25, -136), (28, -116), (20, -127)]
            pen.blob([*cap, (6, -132), (-10, -128), (-21, -126)], colour)
        elif self.hair in ("bob", "long", "bun"):
            if self.hair == "bun":
                pen.ellipse(0, -150, 12, 11, colour)
            fringe = [(-29, -110), (-27, -136), (0, -147), (27, -136), (29, -110), (22, -126)]
            pen.blob([*fringe, (4, -134), (-14, -126), (-23, -120)], colour)
        elif self.hair == "spiky":
            spikes: list[Point] = [(-27, -118), (-34, -138), (-20, -137), (-18, -154), (-5, -143)]
            spikes += [(4, -158), (11, -143), (26, -150), (24, -136), (35, -134), (27, -118)]
            pen.shape([*spikes, (12, -130), (0, -127), (-12, -130)], colour)
        elif self.hair == "curly":
            for x, y in [(-25, -124), (-19, -138), (-6, -145), (8, -145), (20, -138), (26, -124)]:
                pen.ellipse(x, y, 10, 10, colour)
            pen.shape(arc(0, -128, 19, 12, 180, 360, 16), colour, None)
        else:
            pen.stroke(arc(8, -131, 8, 6, 250, 330, 8), "#ffffff", 2)
