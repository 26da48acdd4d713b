"""English films about good intentions: a welcome party, a lamp to be mended."""

import math

from minisets.drawing import props
from minisets.drawing.cast import CLERK
from minisets.drawing.faces import Expression, draw_face, mood_face
from minisets.drawing.pen import INK, Pen, arc
from minisets.drawing.people import Person
from minisets.vimu import foley, sets
from minisets.vimu.film import (
    Film,
    Line,
    Shot,
    beat,
    between,
    eased,
    talking,
)
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
from minisets.vimu.stage import Stage, View

BUILDER = Person(hair="short", hair_colour="#23212e", top="#f2b134", legs="#3a3f55", glasses=True)
BUILDER_LATER = Person(
    hair="beard", hair_colour="#5a5666", top="#f2b134", legs="#3a3f55", glasses=True
)


def _balloon(pen: Pen, colour: str, mood: Expression, sway: float) -> None:
    """A balloon guest, floating over the pen's origin."""
    pen.stroke([(0, 0), (-sway, -26), (sway, -52)], INK, 2)
    pen.shape([(sway - 6, -50), (sway + 6, -50), (sway, -60)], colour)
    pen.ellipse(sway, -94, 32, 38, colour)
    pen.ellipse(sway - 14, -112, 5, 8, "#ffffff", None)
    pen.note_face(sway, -92, 24, 22)
    draw_face(pen.at(sway, -92), mood_face(mood), gap=10)


def _house(stage: Stage) -> None:
    props.hills(stage, 250, "#9cc987")
    pen = stage.pen
    pen.box(300, 96, 360, 230, "#f2d9b8")
    pen.shape([(276, 100), (470, 4), (680, 100)], "#c06c4f")
    pen.box(400, 168, 116, 158, "#fff0b8", 3)
    pen.box(-9, 322, 660, 60, "#cfc8bb")


def _welcome_sign(stage: Stage, small_print: bool) -> None:
    stage.plate("EVERYONE WELCOME!", 470, 130, 28, "#ffcf33")
    if small_print:
        stage.plate("(no spikes)", 458, 240, 30, "#ffffff", "#d64550")


def _present(pen: Pen) -> None:
    pen.box(-20, -34, 40, 34, "#6c7fb0", 3)
    pen.box(-4, -34, 8, 34, "#f2b134", ink=None)
    pen.stroke([(-12, -44), (0, -34), (12, -44)], "#f2b134", 5)


def _arrives(stage: Stage, t: float) -> None:
    pen = stage.pen
    for i, (x, colour) in enumerate(((430, "#e8554d"), (486, "#57a773"))):
        _balloon(pen.at(x, 318, 0.85), colour, "happy", 5 * math.sin(t * 3 + i * 2))
    _welcome_sign(stage, False)
    left = between(t, 0, 2.2, -30, 250)
    hop = 8 * abs(math.sin(t * 8)) if t < 2.2 else 0
    sets.hedgehog(pen.at(left, 344 - hop, 1.2), "happy", (1, 0))
    _present(pen.at(left + 52, 318 - hop))


def _looks(stage: Stage, t: float) -> None:
    pen = stage.pen
    for i, (x, colour) in enumerate(((430, "#e8554d"), (486, "#57a773"))):
        _balloon(pen.at(x, 318 - 2 * i, 0.85), colour, "worry", 2 * math.sin(t * 24 + i))
    _welcome_sign(stage, False)
    sets.hedgehog(pen.at(250, 344, 1.2), "calm" if t < 0.9 else "doubt", (1, 0))
    _present(pen.at(302, 318))


def _shut_out(stage: Stage, t: float) -> None:
    pen = stage.pen
    pen.box(400, 168, 116, 158, "#8a5a3c", 3)
    pen.ellipse(502, 284, 5, 5, "#f2b134", width=2)
    _welcome_sign(stage, True)
    sink = between(t, 0.4, 1.2, 0, 5)
    sets.hedgehog(pen.at(210, 344 + sink, 1.2), "sad", (0, 1))
    _present(pen.at(276, 348))
    props.rain(stage, "#8fb4cf", seed=int(t * 7))


def _party_score(track: Track) -> None:
    dance = [("C5", 0.5), ("E5", 0.5), ("G5", 0.5), ("E5", 0.5), ("F5", 1), ("G5", 1)]
    track.add(0, melody(dance * 2, 0.26, "organ"), 0.22)
    track.add(2.5, foley.scratch(), 0.5)
    track.add(4.2, foley.slam(), 0.8)
    track.add(4.9, foley.sad_trumpet(), 0.45)
    track.add(4.4, foley.water(2.9), 0.12)


PARTY = Film(
    "vimu_900010",
    "en",
    (
        Shot(2.5, _arrives, _house, "#cfe8f3"),
        Shot(1.7, _looks, _house, "#cfe8f3", lambda t: View(370, 240, 1.0 + 0.14 * eased(t, 0, 1))),
        Shot(3.0, _shut_out, _house, "#9fb0c0"),
    ),
    _party_score,
    Gold(
        question="What does this little story say about the people who give the party?",
        answer="Their openness is only talk: they claim to welcome everyone but shut the door on "
        "the first guest who is different, a hedgehog, because they are balloons and fear spikes.",
        difficulty="medium",
        rubric=(
            "Says that the welcome does not hold for everyone",
            "Says that the hedgehog is turned away for what it is",
            "Transfers it to people or groups who only claim to be open",
            "Does not claim that the hedgehog attacked anybody",
        ),
        literal_summary="A hedgehog with a present walks to a party of balloons under a welcome "
        "sign; the balloons tremble, the door shuts and the hedgehog stands in the rain.",
        intended_meaning="Those who advertise how welcoming they are still exclude whoever does "
        "not fit in.",
        evidence={
            "frames": "The balloons tremble at the spikes; the hedgehog is left in the rain.",
            "text": "EVERYONE WELCOME! on the house, and then the addition: (no spikes).",
            "audio_tone": "The party tune breaks off, a door slams, a muted trumpet mourns.",
        },
        rhetoric=("irony",),
        social=("exclusion", "discrimination_or_prejudice", "negative_affect"),
        targets=("hosts who claim to be open", "outsiders"),
    ),
)


def _dark_office(stage: Stage) -> None:
    props.floor(stage, 290, "#5f5b78")
    props.window(stage.pen.at(60, 70), 120, 90, "#4a5580")
    pen = stage.pen
    pen.stroke([(330, -5), (330, 60)], INK, 4)
    pen.shape([(296, 92), (364, 92), (346, 58), (314, 58)], "#8f9db0")
    pen.ellipse(330, 98, 14, 12, "#c9ced8")


def _asked(stage: Stage, t: float) -> None:
    pen = stage.pen
    CLERK.draw(pen.at(200, 352, 1.4), talking("calm", t, 0.2, 1.3), "point" if t < 1.4 else "down",
               look=(1, -0.5))  # fmt: skip
    BUILDER.draw(pen.at(470, 352, 1.4, True), talking("proud", t, 1.5, 2.7), "hips")


def _machine_room(stage: Stage) -> None:
    _dark_office(stage)
    pen = stage.pen
    for x, y, w, h, colour in (
        (170, 170, 120, 150, "#6d7f8f"), (372, 150, 130, 170, "#56667a"),
        (230, 110, 200, 60, "#8f9db0"), (120, 250, 90, 80, "#56667a"),
    ):  # fmt: skip
        pen.box(x, y, w, h, colour, 6)
    pen.limb([(300, 110), (310, 80), (322, 104)], "#d64550", 5)
    pen.limb([(360, 110), (352, 74), (338, 104)], "#57a773", 5)
    pen.limb([(500, 220), (560, 250), (620, 330)], "#f2b134", 6)
    pen.shape([(404, 150), (470, 150), (437, 78)], "#d64550")
    for x in (262, 306, 350):
        pen.ellipse(x, 140, 16, 16, "#fffdf4", width=2)
    pen.limb([(470, 60), (486, 110), (480, 150)], "#8f9db0", 6)
    pen.shape(arc(468, 52, 34, 30, 110, 290, 20), "#dfe6ea")


def _machine(stage: Stage, t: float) -> None:
    pen = stage.pen
    for x, y, r, way in ((210, 222, 30, 1), (254, 258, 22, -1), (146, 288, 20, 1)):
        turn = t * 90 * way / (r / 22)
        wheel = pen.at(x, y, tilt=turn)
        for k in range(6):
            wheel.at(0, 0, tilt=k * 60).box(-5, -r - 5, 10, 12, "#e2a33b", 1)
        wheel.ellipse(0, 0, r, r, "#e2a33b")
        wheel.ellipse(0, 0, r * 0.35, r * 0.35, "#5f5b78")
    for i, x in enumerate((262, 306, 350)):
        lean = math.sin(t * (5 + i) + i)
        pen.stroke([(x, 144), (x + 10 * lean, 130)], "#d64550", 3)
    for i in range(4):
        lit = beat(t * 3 + i, 1)
        pen.ellipse(396 + i * 26, 296, 8, 8, "#7fd08a" if lit else "#35333f", width=2)
    stage.plate("LAMP OS 0.9\nLOADING 3%", 437, 214, 20, "#1d2b24", "#7fd08a")
    BUILDER_LATER.draw(pen.at(580, 356, 1.25, True), "proud", "point")
    CLERK.draw(pen.at(66, 356, 1.25), "bored", "limp", look=(1, -0.3))
    pen.limb([(100, 312), (100, 290)], "#fffdf4", 8)
    props.flame(pen.at(100, 288, 0.32 + 0.04 * math.sin(t * 14)))


def _later(stage: Stage, t: float) -> None:
    stage.sign("SIX MONTHS LATER", 320, 180, 46, "#f4f1ea")


def _lamp_score(track: Track) -> None:
    track.add(2.9, melody([("G4", 1), ("C5", 2)], 0.3, "bell"), 0.4)
    track.add(4.2, foley.whirr(3.4), 0.4)
    for i in range(6):
        track.add(4.4 + i * 0.5, foley.pop(), 0.3)
    track.add(4.3, foley.ticking(3.2), 0.5)


LAMP = Film(
    "vimu_900011",
    "en",
    (
        Shot(2.9, _asked, _dark_office, "#7b7796"),
        Shot(1.2, _later, None, "#17142a", fade_in=0.15, fade_out=0.15),
        Shot(3.3, _machine, _machine_room, "#7b7796"),
    ),
    _lamp_score,
    Gold(
        question="What is this video saying about the one who takes on the job?",
        answer="It teases engineers who cannot do a simple thing simply: a two-minute lamp repair "
        "has grown into an enormous machine after six months, and it is still dark.",
        difficulty="medium",
        rubric=(
            "Says that a simple repair was blown up into a huge project",
            "Says that the promised two minutes became six months, without light",
            "Recognises the well-known image of the over-engineering engineer",
            "Does not claim that the lamp works in the end",
        ),
        literal_summary="A woman asks about a broken lamp, a man promises two minutes; six months "
        "later he proudly shows a huge machine while she holds a candle.",
        intended_meaning="Engineers fall in love with the machine and forget the light bulb; "
        "those who are engineers will recognise themselves.",
        evidence={
            "frames": "Gears and cables fill the dark room; the lamp is off, a candle burns.",
            "text": "SIX MONTHS LATER, and a screen that says LAMP OS 0.9, LOADING 3%.",
            "editing": "The cut over the title card jumps from the promise to its result.",
            "transcript": "The light is broken; the answer is: two minutes.",
        },
        rhetoric=("stereotype_invocation", "exaggeration"),
        social=("political_or_identity_signal",),
        targets=("engineers",),
    ),
    lines=(
        Line("The light is broken.", 0.2, 1.5, "en-us+f3", 175, 60),
        Line("Two minutes!", 1.6, 2.8, "en-us+m3", 165, 45),
    ),
)

FILMS = (PARTY, LAMP)
