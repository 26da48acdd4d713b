"""English films that cutting tells: shots that say little alone, and something in turn."""

import math

from minisets.drawing import props
from minisets.drawing.animals import snail
from minisets.drawing.cast import CLERK, LINDA, OFFICE_MAN, RUNNER, cloud, sun
from minisets.drawing.faces import Face
from minisets.vimu import foley, sets
from minisets.vimu.film import Film, Line, Shot, between
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
from minisets.vimu.stage import Stage, View


def _restaurant(stage: Stage) -> None:
    props.floor(stage, 290, "#8a5a4a")
    props.window(stage.pen.at(250, 40), 140, 110, "#3b3f6e")


def _dinner(stage: Stage, t: float) -> None:
    pen = stage.pen
    LINDA.draw(pen.at(180, 352, 1.4), "calm", "down", "none", (1, 0))
    RUNNER.draw(pen.at(460, 352, 1.4, True), "calm", "down", "none", (1, 0))
    props.table(pen.at(320, 356), 330, 96, "#fffdf4")
    pen.limb([(320, 254), (320, 226)], "#fffdf4", 7)
    props.flame(pen.at(320, 226, 0.3 + 0.03 * math.sin(t * 12)))
    for x in (250, 390):
        props.glass(pen.at(x, 258, 0.9))


def _mountain(stage: Stage) -> None:
    pen = stage.pen
    cloud(pen.at(110, 70, 0.8))
    pen.shape([(250, 300), (470, 30), (720, 300)], "#8c9a86")
    pen.box(-9, 296, 660, 80, "#b9a67e")
    pen.shape([(388, 300), (388, 222), (424, 186), (476, 186), (512, 222), (512, 300)], "#6d6a75")
    pen.shape([(404, 298), (404, 230), (432, 204), (468, 204), (496, 230), (496, 298)], "#26222f")
    pen.stroke([(-9, 304), (450, 304)], "#5d5c68", 5)


def _train(stage: Stage, left: float) -> None:
    pen = stage.pen
    for i, colour in enumerate(("#d64550", "#e2a33b", "#e2a33b")):
        front = left - i * 128
        if front - 120 > 448:
            continue
        right = min(front, 448)
        pen.box(front - 120, 242, right - front + 120, 52, colour, 6)
        for x in (front - 104, front - 64):
            if x + 26 < right:
                pen.box(x, 252, 26, 20, "#bfe3f2", 3, line=2)
        for x in (front - 96, front - 26):
            if x + 10 < right:
                pen.ellipse(x, 296, 10, 10, "#35333f", width=2)


def _comes(stage: Stage, t: float) -> None:
    _train(stage, between(t, 0, 2.2, -20, 340))


def _enters(stage: Stage, t: float) -> None:
    _train(stage, between(t, 0, 1.9, 300, 780))


def _train_score(track: Track) -> None:
    slow = [("C4", 1), ("E4", 1), ("G4", 1), ("E4", 1), ("F4", 2)]
    track.add(0, melody(slow, 0.35), 0.3)
    for i in range(19):
        track.add(1.6 + 0.25 * i, foley.drum(0.2, 130 if i % 2 else 90), 0.5)


TRAIN = Film(
    "vimu_900017",
    "en",
    (
        Shot(1.6, _dinner, _restaurant, "#d9a08a"),
        Shot(1.5, _comes, _mountain, "#bfe3f2"),
        Shot(1.2, _dinner, _restaurant, "#d9a08a"),
        Shot(2.1, _enters, _mountain, "#bfe3f2"),
    ),
    _train_score,
    Gold(
        question="How does the evening in this video go on?",
        answer="The two spend the night together: the film never shows it, and cuts from their "
        "table to a train that runs into a tunnel, as old films did.",
        difficulty="hard",
        rubric=(
            "Says that the two end up in bed together",
            "Says that the train and the tunnel stand for it and are no journey of theirs",
            "Does not claim that the film shows it",
        ),
        literal_summary="Two people sit at dinner; in between a train comes closer and runs into "
        "a tunnel.",
        intended_meaning="What may not be shown is hinted at, and everybody understands.",
        evidence={
            "editing": "Table and train take turns, until the last cut leaves the table for the "
            "tunnel; neither shot says anything alone.",
        },
        rhetoric=("innuendo", "dog_whistle_or_code"),
        social=("sexual_implication",),
        targets=("the couple", "old films"),
    ),
    lines=(Line("Pass the salt, please.", 0.1, 1.5, "en-us+f3", 190, 55),),
)


def _wall(stage: Stage) -> None:
    props.window(stage.pen.at(40, 40), 120, 120, "#bfe3f2")


def _she_looks(stage: Stage, t: float) -> None:
    CLERK.draw(stage.pen.at(320, 420, 2.6), Face("dot", "flat"), "down", "none")


def _rubbish(stage: Stage, t: float) -> None:
    pen = stage.pen
    props.floor(stage, 280, "#b9b3c6")
    pen.shape([(250, 170), (390, 170), (374, 330), (266, 330)], "#6d7f8f")
    pen.blob([(240, 172), (270, 120), (330, 104), (380, 128), (400, 172)], "#4d4a66")
    pen.blob([(400, 330), (410, 292), (450, 284), (480, 330)], "#57606f")


def _slug(stage: Stage, t: float) -> None:
    props.hills(stage, 250, "#9cc987")
    snail(stage.pen.at(300 + 6 * t, 300, 2.4))


def _colleague(stage: Stage, t: float) -> None:
    sets.office(stage)
    OFFICE_MAN.draw(stage.pen.at(320, 350, 1.6), "happy", "wave")


def _faces_score(track: Track) -> None:
    for i, note in enumerate(("C4", "E4", "C4", "E4", "C4", "E4", "C4")):
        track.add(0.9 * i, melody([(note, 2)], 0.4), 0.5)


FACES = Film(
    "vimu_900019",
    "en",
    tuple(
        Shot(0.9, draw, _wall if draw is _she_looks else None, "#e6dcc8")
        for draw in (_she_looks, _rubbish, _she_looks, _slug, _she_looks, _colleague, _she_looks)
    ),
    _faces_score,
    Gold(
        question="What does this video let us know about the woman and the man?",
        answer="That she thinks nothing of him: her unmoved face is cut after a bin, a snail and "
        "then him, so that he stands in one row with rubbish and vermin.",
        difficulty="hard",
        rubric=(
            "Says that she looks down on the man",
            "Says that the order of the shots puts him in a row with the bin and the snail",
            "Does not claim that she says or shows what she feels",
        ),
        literal_summary="A woman's face, the same each time, alternates with a bin, a snail and a "
        "man who waves.",
        intended_meaning="He is no more to her than what one throws away or steps on.",
        evidence={
            "editing": "The same shot of her face follows the bin, the snail and the man alike.",
        },
        rhetoric=("innuendo",),
        social=("contempt",),
        targets=("the colleague",),
    ),
)


def _flash(i: int) -> Shot:
    def thing(stage: Stage, t: float) -> None:
        pen = stage.pen
        if i % 3 == 0:
            props.phone(pen.at(320, 180, 3), None)
        elif i % 3 == 1:
            sets.car(pen.at(320, 240, 2.6), "#6c9ac0")
        else:
            props.suitcase(pen.at(320, 270, 1.4), 140, 110, "#e2725b")

    return Shot(0.2, thing, None, ("#f6d79a", "#cfe8f3", "#d9e6c3")[i % 3])


def _meadow(stage: Stage) -> None:
    props.hills(stage, 230, "#9cc987")
    sun(stage.pen.at(520, 84, 1.0), "calm")


def _crawls(stage: Stage, t: float) -> None:
    snail(stage.pen.at(260 + 16 * t, 306, 1.9), "glad")


def _slow_score(track: Track) -> None:
    for i in range(12):
        track.add(0.2 * i, foley.drum(0.2, 300), 0.8)
        track.add(0.2 * i + 0.1, foley.typing(0.1, 30, 1), 0.7)
    track.add(2.5, foley.birds(3.9), 0.25)
    track.add(2.6, melody([("C4+E4", 3), ("F4+A4", 3), ("C4+G4", 3)], 0.42, "bell"), 0.4)


SLOW = Film(
    "vimu_900020",
    "en",
    (
        *(_flash(i) for i in range(12)),
        Shot(4.0, _crawls, _meadow, "#cfe8f3", lambda t: View(320, 190, 1.0 + 0.02 * t)),
    ),
    _slow_score,
    Gold(
        question="Which way of life does this video side with?",
        answer="With the slow one: it rushes through cars, phones and luggage, and then stays with "
        "a snail for as long as all of them together and longer.",
        difficulty="medium",
        rubric=(
            "Says that the video prefers slowness to hurry",
            "Mentions the rushed beginning and the calm end",
            "Does not take it for a film about snails or travel",
        ),
        literal_summary="Twelve things flash past in two and a half seconds; then a snail crawls "
        "over a meadow for four.",
        intended_meaning="Whoever does not hurry has more of life, whatever the others think.",
        evidence={
            "editing": "Twelve shots of a fifth of a second, then one that is held for four.",
            "audio_tone": "Hammering and clatter give way to birds and long soft chords.",
        },
        rhetoric=("contrast",),
        social=("anti_mainstream_value",),
        targets=("people in a hurry",),
    ),
)

FILMS = (TRAIN, FACES, SLOW)
