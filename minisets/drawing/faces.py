"""Facial expressions: eyes, brows and mouth, the same on people, animals and kettles."""

from dataclasses import dataclass, replace
from typing import Literal

from minisets.drawing.pen import INK, Pen, arc

Eyes = Literal["dot", "wide", "shut", "glad", "lids", "cross", "heart", "tiny"]
Brows = Literal["none", "up", "angry", "sad", "one"]
Mouth = Literal["smile", "grin", "frown", "flat", "o", "yell", "wavy", "smirk", "tongue", "teeth"]
Mood = Literal[
    "calm", "happy", "glad", "sad", "angry", "yell", "shock", "bored", "sly", "worry", "sleep",
    "doubt", "dizzy", "love", "proud", "stare", "sick", "gloat", "gasp", "cry",
]  # fmt: skip


@dataclass(frozen=True)
class Face:
    """What the parts of a face do, and where the eyes look (-1 to 1 each way)."""

    eyes: Eyes
    mouth: Mouth
    brows: Brows = "none"
    look: tuple[float, float] = (0, 0)
    extra: Literal["", "sweat", "tear", "blush", "bags"] = ""


Expression = Mood | Face

MOODS: dict[Mood, Face] = {
    "calm": Face("dot", "smile"),
    "happy": Face("dot", "grin", "up", extra="blush"),
    "glad": Face("glad", "grin", extra="blush"),
    "sad": Face("dot", "frown", "sad"),
    "angry": Face("dot", "frown", "angry"),
    "yell": Face("wide", "yell", "angry"),
    "shock": Face("wide", "o", "up"),
    "gasp": Face("wide", "yell", "up"),
    "bored": Face("lids", "flat"),
    "sly": Face("lids", "smirk", "one"),
    "worry": Face("wide", "wavy", "sad", extra="sweat"),
    "sleep": Face("shut", "flat"),
    "doubt": Face("dot", "flat", "one"),
    "dizzy": Face("cross", "wavy"),
    "love": Face("heart", "grin", extra="blush"),
    "proud": Face("glad", "smile", "up", extra="blush"),
    "stare": Face("wide", "flat"),
    "sick": Face("lids", "wavy", "sad", extra="bags"),
    "gloat": Face("dot", "teeth", "angry"),
    "cry": Face("shut", "yell", "sad", extra="tear"),
}


def mood_face(mood: Expression, look: tuple[float, float] = (0, 0)) -> Face:
    """The expression, named or put together, looking somewhere."""
    return replace(mood if isinstance(mood, Face) else MOODS[mood], look=look)


def draw_face(pen: Pen, face: Face, ink: str = INK, gap: float = 9) -> None:
    """Draws a face around the pen's origin, made for a head of radius 24."""
    for side in (-1, 1):
        _eye(pen, face, side * gap, ink)
        _brow(pen, face.brows, side, gap, ink)
    _mouth(pen, face, ink)
    if face.extra == "blush":
        for side in (-1, 1):
            pen.ellipse(side * (gap + 6), 5.5, 4, 2.4, "#f58b83", None)
    elif face.extra == "sweat":
        pen.blob(
            [(gap + 12, -14), (gap + 15, -7), (gap + 12, -4), (gap + 9, -7)], "#9fd8f5", width=1.5
        )
    elif face.extra == "tear":
        for side in (-1, 1):
            pen.stroke([(side * gap, 2), (side * (gap + 1), 16)], "#6cb8ea", 4)
    elif face.extra == "bags":
        for side in (-1, 1):
            pen.stroke(arc(side * gap, 2, 4, 3, 20, 160, 8), "#7a5c86", 1.8)


def _eye(pen: Pen, face: Face, x: float, ink: str) -> None:
    shift, drop = face.look[0] * 2.2, face.look[1] * 2.2
    if face.eyes in ("dot", "tiny"):
        pen.ellipse(x + shift, -3 + drop, 2.5, 3.4, ink, None)
    elif face.eyes == "wide":
        pen.ellipse(x, -4, 6, 7, "white", INK, 1.8)
        pen.ellipse(x + shift, -4 + drop, 2.2, 2.6, INK, None)
    elif face.eyes == "lids":
        pen.shape(arc(x, -4, 6, 6, 0, 180, 12), "white", INK, 1.6)
        pen.ellipse(x + shift, -2, 2.2, 2.2, INK, None)
        pen.stroke([(x - 6.5, -4), (x + 6.5, -4)], INK, 2.6)
    elif face.eyes == "shut":
        pen.stroke(arc(x, -4, 4.5, 4, 20, 160, 10), ink, 2.2)
    elif face.eyes == "glad":
        pen.stroke(arc(x, -1, 4.5, 4.5, 200, 340, 10), ink, 2.4)
    elif face.eyes == "cross":
        pen.stroke([(x - 4, -7), (x + 4, 1)], ink, 2.2)
        pen.stroke([(x + 4, -7), (x - 4, 1)], ink, 2.2)
    else:
        heart = [(x, 3), (x - 6, -3), (x - 4, -8), (x, -5), (x + 4, -8), (x + 6, -3)]
        pen.shape(heart, "#e8465a", "#e8465a", 1.5)


def _brow(pen: Pen, brows: Brows, side: int, gap: float, ink: str) -> None:
    inner, outer = side * (gap - 5), side * (gap + 5)
    if brows == "up":
        pen.stroke([(inner, -14), (side * gap, -16.5), (outer, -14)], ink, 2)
    elif brows == "angry":
        pen.stroke([(inner, -8.5), (outer, -14)], ink, 2.8)
    elif brows == "sad":
        pen.stroke([(inner, -15), (outer, -11)], ink, 2)
    elif brows == "one":
        pen.stroke([(inner, -10.5), (outer, -11 if side < 0 else -16)], ink, 2.2)


def _mouth(pen: Pen, face: Face, ink: str) -> None:
    mouth = face.mouth
    if mouth == "smile":
        pen.stroke(arc(0, 6, 6, 5, 20, 160, 10), ink, 2.2)
    elif mouth == "grin":
        pen.shape(arc(0, 6.5, 8, 8.5, 0, 180, 16), "#b03a48", INK, 1.8)
        pen.box(-6.2, 7, 12.4, 2.4, "white", ink=None)
    elif mouth == "frown":
        pen.stroke(arc(0, 14, 6.5, 5, 200, 340, 10), ink, 2.2)
    elif mouth == "flat":
        pen.stroke([(-5, 10), (5, 10)], ink, 2.2)
    elif mouth == "o":
        pen.ellipse(0, 11, 3.6, 4.6, "#7a2436", INK, 1.8)
    elif mouth == "yell":
        pen.blob([(-8, 7), (0, 5), (8, 7), (6, 16), (-6, 16)], "#b03a48", INK, 1.8)
    elif mouth == "wavy":
        pen.stroke([(-7, 10), (-3.5, 8), (0, 11), (3.5, 8), (7, 10)], ink, 2.2)
    elif mouth == "smirk":
        pen.stroke([(-4, 10), (2, 11), (8, 6.5)], ink, 2.2)
    elif mouth == "tongue":
        pen.ellipse(3, 13, 3.4, 4.6, "#f0808a", INK, 1.6)
        pen.stroke(arc(0, 6, 7, 5, 10, 170, 10), ink, 2.2)
    else:
        pen.box(-8, 6, 16, 8, "white", 3, INK, 1.8)
        for x in (-4, 0, 4):
            pen.stroke([(x, 6), (x, 14)], INK, 1.2)
        pen.stroke([(-8, 10), (8, 10)], INK, 1.2)
