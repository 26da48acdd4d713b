"""English films that borrow from the screen: a trailer, a how-to, a detective's question."""

from minisets.drawing import props
from minisets.drawing.animals import dog
from minisets.drawing.cast import RUNNER, potted
from minisets.drawing.pen import INK
from minisets.drawing.people import Person
from minisets.vimu import foley, sets
from minisets.vimu.film import Film, Line, Shot, beat, between, eased
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
from minisets.vimu.stage import Stage, View

GARDENER = Person(hair="bun", hair_colour="#7a3b2e", top="#7fb09f", legs="#4d4a66")


def _card(text: str, size: int = 54) -> Shot:
    def letters(stage: Stage, t: float) -> None:
        stage.sign(text, 320, 180, size, "#f2d27a")

    def closer(t: float) -> View:
        return View(320, 180, 1 + 0.06 * t)

    return Shot(1.15, letters, None, "#0c0a14", closer, fade_in=0.12, fade_out=0.15)


def _sink(stage: Stage) -> None:
    pen = stage.pen
    sets.rays(stage, 320, 150, "#4f4974")
    pen.box(-9, 270, 660, 110, "#3b3550")
    pen.box(110, 262, 420, 26, "#7d8899", 8)
    pen.limb([(500, 262), (500, 150), (440, 140), (430, 168)], "#9aa7b5", 12)
    for x, count, seed in ((170, 9, 1), (268, 13, 2), (372, 11, 3), (452, 6, 4)):
        sets.plates(pen.at(x, 270, 1.05), count, seed)


def _tower(stage: Stage, t: float) -> None:
    if 0.35 < t < 0.45 or 0.6 < t < 0.66:
        stage.pen.shape([(560, 0), (520, 120), (548, 120), (500, 250), (590, 96), (560, 96),
                         (600, 0)], "#fff3c4")  # fmt: skip


def _hero_room(stage: Stage) -> None:
    sets.rays(stage, 320, 200, "#c0563f")


def _hero(stage: Stage, t: float) -> None:
    pen = stage.pen
    RUNNER.draw(pen.at(320, 376, 1.7), "angry", ((-40.0, -70.0), (46.0, -120.0)))
    glove = pen.at(320, 376, 1.7)
    for x, y in ((-40, -70), (46, -120)):
        glove.ellipse(x, y, 11, 11, "#ffcf33")
    pen.limb([(398, 176), (398, 110)], "#8a5a3c", 7)
    pen.box(384, 66, 30, 46, "#f6e3c8", 8)


def _kitchen(stage: Stage) -> None:
    props.floor(stage, 290, "#c9b79c")
    props.window(stage.pen.at(60, 50), 120, 90, "#bfe3f2")
    pen = stage.pen
    pen.box(330, 230, 330, 150, "#8fb2a8", 3)
    pen.box(320, 218, 350, 18, "#e9eef2", 4)
    for x, count, seed in ((470, 9, 2), (560, 12, 3)):
        sets.plates(pen.at(x, 220, 0.95), count, seed)


def _tomorrow(stage: Stage, t: float) -> None:
    pen = stage.pen
    x = between(t, 0.8, 2.6, 270, 60)
    step = "walk" if 0.8 < t < 2.6 and beat(t, 6) else "stand"
    pen.ellipse(392, 212, 20, 6, "#fbfbf4")
    RUNNER.draw(pen.at(x, 352, 1.35, mirrored=t > 0.8), "calm" if t < 0.8 else "glad",
                "give" if t < 0.8 else "down", "walk" if step == "walk" else "stand")  # fmt: skip
    if t < 0.8:
        pen.stroke([(322, 262), (340, 236)], "#9aa7b5", 5)


def _tomorrow_text(stage: Stage, t: float) -> None:
    if t > 0.7:
        stage.caption("... WILL DO IT TOMORROW", 34, low=False)


def _trailer_score(track: Track) -> None:
    for at in (0.05, 1.2, 2.65, 3.85):
        track.add(at, foley.drum(1.1, 48), 0.9)
    dread = [("A2+E3", 3), ("F2+C3", 3), ("D2+A2", 3)]
    track.add(0.1, melody(dread, 0.58, "brass"), 0.18)
    track.add(5.2, foley.scratch(), 0.6)
    track.add(5.8, foley.crickets(2.0), 0.35)


TRAILER = Film(
    "vimu_900006",
    "en",
    (
        _card("THIS SUMMER"),
        Shot(1.45, _tower, _sink, "#5a5480", lambda t: View(320, 190, 1.05 + 0.2 * t),
             lambda stage, t: sets.letterbox(stage)),
        _card("ONE HERO", 60),
        Shot(1.45, _hero, _hero_room, "#8e3b32", lambda t: View(330, 170, 1.05 + 0.16 * t),
             lambda stage, t: sets.letterbox(stage)),
        Shot(2.6, _tomorrow, _kitchen, "#f3ead0", overlay=_tomorrow_text),
    ),
    _trailer_score,
    Gold(
        question="How does this video treat its subject, and to what effect?",
        answer="It presents a pile of dirty dishes as an epic film, with booming titles and a "
        "heroic pose, and then lets the hero walk off: a joke about how we dramatise a small "
        "chore only to put it off.",
        difficulty="medium",
        rubric=(
            "Recognises the style of a film trailer",
            "Says that the subject is the trivial chore of washing up",
            "Mentions the let-down: the hero leaves it for tomorrow",
            "Does not invent a real threat or a real film",
        ),
        literal_summary="Title cards announce a hero; a tower of plates and a man with a brush "
        "appear in dramatic light; then he puts down a spoon and walks away.",
        intended_meaning="We make a heroic drama of small duties and still put them off.",
        evidence={
            "text": "THIS SUMMER, ONE HERO, and then: WILL DO IT TOMORROW.",
            "editing": "Cards and dramatic shots alternate as they do in trailers; the last cut "
            "deflates it all.",
            "transcript": "The narrator speaks of one sink and one man, in trailer phrases.",
            "audio_tone": "Booms and a growling voice stop with a scratch; crickets remain.",
        },
        rhetoric=("parody", "exaggeration", "bait_and_switch"),
        social=("none",),
        targets=("procrastinators", "film trailers"),
    ),
    lines=(
        Line("One sink.", 1.3, 2.5, "en-us+m7", 130, 8),
        Line("One man.", 3.85, 5.1, "en-us+m7", 130, 8),
    ),
)  # fmt: skip


def _sill(stage: Stage) -> None:
    props.window(stage.pen.at(236, 36), 250, 170, "#bfe3f2")
    props.floor(stage, 282, "#d2ab82")
    props.table(stage.pen.at(380, 352), 300, 92)


def _watering(stage: Stage, t: float) -> None:
    pen = stage.pen
    potted(pen.at(430, 252, 1.25), "calm" if t < 3.2 else "happy")
    pour = eased(t, 0.8, 1.3) * (1 - eased(t, 3.2, 3.7))
    x, y = 284 + 42 * pour, 214 - 58 * pour
    hand = ((x - 40 - 170) / 1.5, (y - 20 - 14 * pour - 356) / 1.5)
    can = pen.at(x, y, 1.0, tilt=30 * pour)
    can.stroke([(-30, -44), (-54, -34), (-52, 4), (-28, 0)], INK, 6)
    can.limb([(30, -10), (58, -34), (70, -48)], "#6c9ac0", 8)
    can.ellipse(72, -50, 6, 11, "#6c9ac0")
    can.box(-34, -48, 66, 58, "#6c9ac0", 8)
    GARDENER.draw(pen.at(170, 356, 1.5), "calm", ((20.0, -62.0), hand), look=(0.6, 0))
    if pour > 0.9:
        for i in range(7):
            fall = (t * 2.2 + i / 7) % 1
            left, top = 416 + 5 * (i % 3) + 10 * fall, 138 + 28 * fall
            pen.stroke([(left, top), (left + 1, top + 8)], "#4d9fd8", 4)


def _watering_score(track: Track) -> None:
    track.add(0, foley.birds(5.2), 0.3)
    track.add(1.2, foley.water(2.3), 0.9)


WATERING = Film(
    "vimu_900007",
    "en",
    (Shot(5.2, _watering, _sill, "#f6e9d2"),),
    _watering_score,
    Gold(
        question="What does this video want to tell its viewers?",
        answer="Exactly what it shows: how to water a potted plant. There is no hidden message.",
        difficulty="easy",
        rubric=(
            "Says that it simply shows how a plant is watered",
            "Says that nothing is meant beyond that",
            "Does not invent irony, criticism or a social message",
        ),
        literal_summary="A woman waters a potted plant by the window.",
        intended_meaning="This is how a plant is watered.",
        evidence={"frames": "A woman tilts a watering can over a potted plant."},
        rhetoric=("literal_only",),
        social=("none",),
        targets=("people who keep plants",),
    ),
)


def _dining_room(stage: Stage) -> None:
    props.floor(stage, 270, "#c9a27e")
    props.window(stage.pen.at(60, 50), 120, 96, "#bfe3f2")
    pen = stage.pen
    pen.box(470, 60, 90, 76, "#f7efe2", 3)
    pen.ellipse(515, 98, 24, 26, "#e2a33b")


def _crumbs(stage: Stage, t: float) -> None:
    pen = stage.pen
    props.table(pen.at(190, 350), 300, 120)
    pen.ellipse(190, 216, 84, 12, "#fbfbf4")
    for x, y in (
        (150, 214),
        (176, 210),
        (204, 216),
        (226, 211),
        (262, 226),
        (318, 330),
        (346, 340),
    ):
        pen.ellipse(x, y, 4, 3, "#c98d5a", width=1.4)
    pen.ellipse(240, 209, 7, 6, "#e8465a", width=1.6)
    away = -1.0 if 1.6 < t < 2.8 else 1.0
    nervous = t > 3.0
    dog(pen.at(450, 350, 1.6), "worry" if nervous else "calm", look=(0 if nervous else away, -0.4))
    shift = 0 if nervous else away * 4.8
    for x, y, r in ((-14, 20, 8), (12, 23, 9), (0, 27, 8), (22, 15, 5)):
        pen.ellipse(450 + shift + x, 222 + y, r, r * 0.8, "#fffdf4", width=1.8)
    pen.ellipse(450 + shift + 4, 256, 4, 4, "#e8465a", width=1.4)


def _cake_camera(t: float) -> View:
    share = eased(t, 2.6, 4.6)
    return View(320 + 110 * share, 180 + 40 * share, 1 + 0.75 * share)


def _cake_score(track: Track) -> None:
    track.add(0, foley.ticking(5.8), 0.4)
    sly = [("E3", 1), ("-", 0.5), ("D#3", 1), ("-", 0.5), ("D3", 1), ("-", 0.5), ("C#3", 2)]
    track.add(0.1, melody(sly, 0.3), 0.3)


CAKE = Film(
    "vimu_900008",
    "en",
    (Shot(5.8, _crumbs, _dining_room, "#f3e2cf", _cake_camera),),
    _cake_score,
    Gold(
        question="What does the speaker want the listener to understand?",
        answer="That the dog stole the cake: the speaker pretends to believe that the cake walked "
        "off by itself, while the dog sits there with cream all over its nose.",
        difficulty="medium",
        rubric=(
            "Says that the dog is being accused without being named",
            "Says that the remark about the cake is not meant literally",
            "Mentions the cream on the nose or the guilty look",
            "Does not claim that the cake really walked",
        ),
        literal_summary="Beside an empty plate with crumbs sits a dog with cream on its nose; a "
        "voice supposes that the cake has walked away; the dog looks more and more uneasy.",
        intended_meaning="Everybody knows who did it; the culprit is given a chance to confess.",
        evidence={
            "frames": "Cream on the dog's nose, crumbs on the plate, eyes that avoid the viewer.",
            "transcript": "The voice supposes that the cake just got up and walked away.",
            "audio_tone": "The voice is slow and too sweet, over a ticking clock and sly notes.",
        },
        rhetoric=("innuendo", "sarcasm"),
        social=("norm_violation",),
        targets=("the dog",),
    ),
    lines=(
        Line("I suppose the cake", 0.5, 2.0, "en-gb+f4", 140, 40),
        Line("just got up, and walked away.", 2.2, 4.9, "en-gb+f4", 130, 40),
    ),
)

FILMS = (TRAILER, WATERING, CAKE)
