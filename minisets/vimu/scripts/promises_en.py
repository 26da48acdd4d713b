"""English films about grand words: a morning routine, an opening ceremony, a holiday policy."""

import math

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOSS, BOY, CLERK, LINDA, OFFICE_MAN, sun
from minisets.drawing.faces import Mood
from minisets.drawing.pen import INK
from minisets.drawing.people import Person
from minisets.vimu import foley, sets
from minisets.vimu.film import Film, Line, Shot, between, eased, talking
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
from minisets.vimu.stage import Stage, View

SLEEPER = Person(hair="spiky", hair_colour="#4a2f27", top="#8fb9e0", legs="#8fb9e0")
MAYOR = Person(
    hair="grey", hair_colour="#a9a7b5", top="#f4f1ea", coat="#3e4a75", legs="#3e4a75", tie="#c8434f"
)


def _bedroom(stage: Stage) -> None:
    props.floor(stage, 296, "#c99b78")
    props.window(stage.pen.at(452, 92), 130, 92, "#bfe3f2")
    stage.pen.box(40, 262, 120, 76, "#8a5a3c", 4)
    stage.pen.ellipse(100, 300, 5, 5, "#f2b134", width=2)


def _lie_in(stage: Stage, t: float) -> None:
    noon = eased(t, 0.4, 4.8)
    height = 176 - 60 * noon
    pen = stage.pen
    sky = "#8d8fc4" if noon < 0.25 else "#f8c99b" if noon < 0.55 else "#bfe3f2"
    props.window(pen.at(452, 92), 130, 92, sky)
    if noon > 0.3:
        sun(pen.at(484, height, 0.36))
    props.bed(pen.at(200, 342, 1.7), 226, "#6c7fb0")
    sets.lying_head(pen.at(266, 240, 1.25), SLEEPER, "sleep")
    breath = 4 * math.sin(2 * math.pi * t / 2.4)
    cat(pen.at(452, 246 - breath, 1.05), "sleep", "loaf")
    hours = ("05:00", "06:30", "08:15", "10:20", "11:55")
    sets.digital_clock(stage, 100, 236, hours[min(4, int(t / 1.35))])
    sets.snores(stage, 300, 190, t)


def _routine_title(stage: Stage, t: float) -> None:
    stage.caption("MY 5 A.M. WINNER'S ROUTINE", 28)


def _routine_score(track: Track) -> None:
    bright = [("C4+E4+G4", 1), ("C4", 0.5), ("G4", 0.5), ("F4+A4+C5", 1), ("G4+B4+D5", 1)]
    track.add(0.0, melody(bright * 2, 0.42), 0.18)
    track.add(0.0, foley.alarm(0.5), 0.35)
    track.add(5.4, foley.alarm(0.5), 0.25)


ROUTINE = Film(
    "vimu_900001",
    "en",
    (Shot(6.4, _lie_in, _bedroom, "#f6e3c8", overlay=_routine_title),),
    _routine_score,
    Gold(
        question="What is this video really saying about the person it shows?",
        answer="It pokes fun at self-styled high achievers who preach about early mornings: the "
        "voice boasts of rising at five and owning the day, while the speaker sleeps until noon.",
        difficulty="easy",
        rubric=(
            "Says that the boast and the conduct contradict each other",
            "Says that the sleeper stays in bed until about noon",
            "Names the target: motivational or productivity talk",
            "Does not claim that the person really gets up early",
        ),
        literal_summary="A man sleeps in bed with a cat on top of him while a clock runs from "
        "05:00 to 11:55 and a voice describes a disciplined morning.",
        intended_meaning="People who lecture others about discipline often do not live by it; "
        "sleeping in is not that bad anyway.",
        evidence={
            "frames": "The man never leaves his bed; the sun climbs outside the window.",
            "text": "The title promises a 5 a.m. routine; the clock reaches 11:55.",
            "transcript": "The voice claims to rise at five, to train and to own the day.",
        },
        rhetoric=("irony", "mockery", "parody"),
        social=("anti_mainstream_value",),
        targets=("productivity gurus", "hustle culture"),
    ),
    lines=(
        Line("I rise at five.", 0.9, 2.3, "en-us+m3", 165, 45),
        Line("I train. I focus.", 2.5, 4.1, "en-us+m3", 165, 45),
        Line("I own the day.", 4.2, 5.5, "en-us+m3", 160, 45),
    ),
)


def _square(stage: Stage) -> None:
    sets.bunting(stage, 22)
    props.hills(stage, 232, "#9cc987")
    props.floor(stage, 300, "#cfc8bb")


def _ceremony(stage: Stage, t: float) -> None:
    pen = stage.pen
    CLERK.draw(pen.at(120, 352, 1.45), "glad", sets.clap(t, 8))
    OFFICE_MAN.draw(pen.at(528, 352, 1.45), "happy", sets.clap(t, 8))
    MAYOR.draw(
        pen.at(300, 356, 1.6), talking("proud", t, 0.6, 3.0), ((-26.0, -46.0), (46.0, -62.0))
    )
    drop = 60 * eased(t, 2.75, 3.1)
    pen.limb([(-9, 280), (220, 284), (412 - drop * 0.4, 280 + drop)], "#d64550", 15)
    pen.limb([(420 + drop * 0.4, 280 + drop), (560, 284), (650, 280)], "#d64550", 15)
    for side in (-1, 1):
        scissors = pen.at(384, 270, 1.25, tilt=side * (4 + 16 * (1 - eased(t, 2.4, 2.75))))
        scissors.shape([(-4, -5), (62, -2), (66, 2), (-4, 6)], "#dfe6ea")
        scissors.ellipse(-24, side * -4, 14, 10, None, "#f2b134", 6)
    pen.ellipse(384, 270, 4, 4, INK, None)


def _street(stage: Stage) -> None:
    sets.bunting(stage, 14)
    props.hills(stage, 190, "#9cc987")
    pen = stage.pen
    pen.box(-9, 200, 658, 34, "#cfc8bb")
    pen.box(-9, 234, 658, 140, "#7b7a86")
    for x in range(-20, 640, 120):
        pen.box(x, 250, 60, 8, "#f4f1ea", ink=None)


def _hole(stage: Stage, t: float) -> None:
    pen = stage.pen
    for x, person in ((96, CLERK), (180, MAYOR), (470, OFFICE_MAN), (560, LINDA)):
        person.draw(pen.at(x, 236, 0.85), "glad", sets.clap(t, 8))
    pen.blob([(232, 306), (262, 286), (330, 280), (396, 290), (416, 308), (350, 328), (270, 326)],
             "#5d5c68")  # fmt: skip
    pen.blob([(250, 306), (280, 294), (330, 290), (382, 298), (398, 310), (340, 320), (280, 318)],
             "#35333f")  # fmt: skip
    for x, lean in ((222, -14), (424, 14)):
        pen.limb([(x, 312), (x, 254)], "#f2b134", 6)
        pen.limb([(x, 262), (x + lean * -1.2, 284), (x + lean * -1.6, 312)], "#d64550", 5)
    along = between(t, 0.9, 2.0, -90, 326)
    fall = eased(t, 1.85, 2.1)
    hop = 10 * abs(math.sin(t * 9)) * (1 - fall)
    mood: Mood = "shock" if fall > 0.5 else "calm"
    sets.car(pen.at(along, 308 - hop + 20 * fall, 0.95, tilt=22 * fall), "#e2a33b", mood)
    rim = [(236, 312), (270, 324), (320, 328), (362, 325), (412, 312)]
    pen.shape([*rim, (470, 312), (470, 375), (200, 375), (200, 312)], "#7b7a86", None)
    pen.stroke(rim)


def _opening_score(track: Track) -> None:
    fanfare = [("G4", 0.5), ("G4", 0.5), ("G4", 0.5), ("C5+E5", 1.5), ("G4", 0.5), ("C5+E5+G5", 2)]
    track.add(0, melody(fanfare, 0.17, "brass"), 0.22)
    track.add(3.0, foley.applause(4.0), 0.55)
    track.add(5.0, foley.boing(), 0.7)


OPENING = Film(
    "vimu_900002",
    "en",
    (
        Shot(3.2, _ceremony, _square, "#cfe8f3", camera=lambda t: View(330, 230, 1.12)),
        Shot(3.8, _hole, _street, "#cfe8f3"),
    ),
    _opening_score,
    Gold(
        question="What point does this video make through the event it shows?",
        answer="It ridicules public bodies that celebrate themselves for nothing: officials hold a "
        "solemn opening ceremony, and what they open after nine years is a hole in the road.",
        difficulty="medium",
        rubric=(
            "Says that the thing being opened is a pothole, a failure rather than an achievement",
            "Says that pomp and result do not match",
            "Names officials or local government as the target",
            "Does not take the praise at face value",
        ),
        literal_summary="An official cuts a red ribbon before clapping colleagues; the next shot "
        "shows the ribbon hanging beside a pothole, into which a car drives.",
        intended_meaning="Those in charge would rather stage a success than mend the road, and "
        "nobody expects anything else of them.",
        evidence={
            "frames": "Ribbon, scissors and flags surround a hole in the road; a car falls in.",
            "editing": "The close shot hides what is being opened until the cut to the wide one.",
            "transcript": "The speaker proudly declares a pothole open, after nine years.",
            "audio_tone": "Fanfare and hearty applause go on although a car has just crashed.",
        },
        rhetoric=("bait_and_switch", "sarcasm", "mockery"),
        social=("fatalism_or_cynicism", "political_or_identity_signal"),
        targets=("local officials", "public ceremonies"),
    ),
    lines=(
        Line("After nine years, we proudly open", 0.6, 3.0, "en-gb-x-rp", 165, 45),
        Line("this pothole.", 3.3, 4.6, "en-gb-x-rp", 150, 45),
    ),
)


def _beach_card(stage: Stage) -> None:
    pen = stage.pen
    pen.box(-9, 210, 660, 160, "#5fb7cf")
    pen.blob([(-30, 380), (40, 290), (240, 268), (470, 296), (680, 380)], "#f4dca6")
    sun(pen.at(540, 84, 1.1), "happy")
    pen.limb([(84, 330), (96, 250), (72, 170)], "#a8754f", 11)
    for dx, dy in ((-58, 26), (-54, -22), (0, -50), (52, -24), (60, 26)):
        bend = (72 + dx * 0.55 - dy * 0.2, 168 + dy * 0.5 - 18)
        pen.blob([(72, 168), bend, (72 + dx, 172 + dy), (72 + dx * 0.5, 172 + dy * 0.6)], "#5fae5b")


def _promise(stage: Stage, t: float) -> None:
    LINDA.draw(stage.pen.at(500, 352, 1.35), talking("happy", t, 0.3, 2.4), "cheer")
    grow = eased(t, 0, 0.25)
    stage.plate("UNLIMITED\nHOLIDAY!", 300, 116, round(30 + 18 * grow), "#ffcf33")


def _counter(stage: Stage) -> None:
    sets.office(stage)
    props.desk(stage.pen.at(320, 350), 660, 96, "#b9794f")


DROPS = (0.55, 1.65, 2.75)


def _denied(stage: Stage, t: float) -> None:
    pen = stage.pen
    BOSS.draw(pen.at(120, 352, 1.4), "bored", ((-22.0, -60.0), (20.0, -60.0)), "none")
    BOY.draw(pen.at(560, 352, 1.35, True), "sad" if t > DROPS[0] else "happy", "down", "none")
    props.desk(pen.at(320, 350), 660, 96, "#b9794f")
    for i, drop in enumerate(DROPS):
        if t < drop - 0.5:
            continue
        slide = eased(t, drop - 0.5, drop - 0.2)
        x, y = 760 - (760 - 330 - 14 * i) * slide, 186 + 12 * i
        pen.box(x - 112, y - 66, 224, 160, "#fffdf4", 3)
        if x < 570:
            stage.sign("HOLIDAY\nREQUEST", x, y - 28, 26)
        if t >= drop:
            stage.stamp("DENIED", x, y + 44, 40, "#d64550", 8)
    _rubber_stamp(stage, t)


def _rubber_stamp(stage: Stage, t: float) -> None:
    """The manager's arm, which comes down at every drop."""
    nearest = min(DROPS, key=lambda drop: abs(drop - t))
    lift = min(1.0, abs(t - nearest) / 0.2)
    x, y = 330 - 80 * lift, 226 - 74 * lift
    pen = stage.pen
    pen.limb([(142, 240), (200, 220 - 40 * lift), (x - 6, y - 26)], BOSS.coat, 14)
    pen.box(x - 26, y - 4, 52, 14, "#8a5a3c", 3)
    pen.box(x - 7, y - 32, 14, 30, "#8a5a3c", 4)
    pen.ellipse(x, y - 34, 12, 11, BOSS.skin)


def _policy_score(track: Track) -> None:
    jolly = [("C5", 0.5), ("E5", 0.5), ("G5", 0.5), ("E5", 0.5), ("A5", 1), ("G5", 1)]
    track.add(0.1, melody(jolly, 0.28), 0.25)
    for drop in DROPS:
        track.add(2.6 + drop, foley.stamp(), 0.9)
        track.add(2.6 + drop - 0.5, foley.whoosh(0.3), 0.2)
    track.add(2.6, foley.ticking(3.8), 0.35)


POLICY = Film(
    "vimu_900003",
    "en",
    (
        Shot(2.6, _promise, _beach_card, "#aee0f0"),
        Shot(3.8, _denied, _counter, "#e3e8f3"),
    ),
    _policy_score,
    Gold(
        question="What does this video suggest about the offer that it presents?",
        answer="It says that generous-sounding perks are empty: the firm advertises unlimited "
        "holiday, yet every single request is refused, so nobody ever gets any.",
        difficulty="easy",
        rubric=(
            "Says that the promise of unlimited holiday is not kept",
            "Mentions that requests are refused one after another",
            "Names employers or company perks as the target",
            "Does not claim that the staff really go on holiday",
        ),
        literal_summary="A cheerful woman on a beach advertises unlimited holiday; then a bored "
        "manager stamps three holiday requests of a young man as denied.",
        intended_meaning="Company perks are advertising; whoever tries to use them learns that "
        "they do not exist.",
        evidence={
            "text": "UNLIMITED HOLIDAY! on the poster against DENIED on every request.",
            "editing": "The sunny promise is cut hard against the counter where it is refused.",
            "transcript": "The voice invites everybody to take all the holiday they like.",
        },
        rhetoric=("bait_and_switch",),
        social=("fatalism_or_cynicism", "negative_affect"),
        targets=("employers", "company perks"),
    ),
    lines=(Line("Take all the holiday you like!", 0.3, 2.4, "en-us+f3", 165, 65),),
)

FILMS = (ROUTINE, OPENING, POLICY)
