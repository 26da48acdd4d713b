"""English films about offices: a promotion, an annual review, a game of bingo."""

import math

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOSS, CLERK, CODER, GIRL, OFFICE_MAN, RUNNER, potted
from minisets.vimu import foley, sets
from minisets.vimu.film import Film, Line, Shot, beat, between, eased, talking
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track
from minisets.vimu.stage import Stage


def _living_room(stage: Stage) -> None:
    props.floor(stage, 250, "#d2ab82")
    pen = stage.pen
    pen.box(40, 140, 190, 90, "#6c9a8b", 16)
    pen.box(24, 180, 222, 76, "#7fb09f", 14)
    pen.box(300, 60, 110, 80, "#f7efe2", 3)
    pen.blob([(312, 130), (340, 90), (360, 112), (384, 84), (400, 130)], "#9cc987")
    pen.box(600, -9, 60, 380, "#e6cfae")


def _circles(stage: Stage, t: float) -> None:
    pen = stage.pen
    angle = 2.2 * math.pi * min(t, 1.7)
    if t < 1.7:
        x, y, tilt, mood = 360 + 110 * math.sin(angle), 310 + 24 * math.cos(angle), 0.0, "calm"
    else:
        hit = (t - 1.7) % 0.6
        x, y, mood = 430 + 96 * math.sin(min(1, hit / 0.3) * math.pi / 2), 316, "stare"
        tilt = -8.0 if 0.2 < hit < 0.5 else 0.0
        if tilt:
            props.burst(pen.at(598, 280), 34, "#ffcf33")
    pen.ellipse(x, y + 4, 70, 9, "#b58f68", None)
    sets.vacuum(pen.at(x, y, 1.15, tilt=tilt), "stare" if mood == "stare" else "calm")


def _corner_office(stage: Stage) -> None:
    sets.office(stage)
    stage.pen.box(252, 60, 136, 170, "#6b4a34", 22)


def _promotion(stage: Stage, t: float) -> None:
    pen = stage.pen
    shuffle = 9 * math.sin(t * 2.5)
    sets.vacuum(pen.at(320 + shuffle, 250, 1.5), "calm", tie=True)
    props.desk(pen.at(320, 356), 300, 96, "#8a5a3c")
    stage.plate("MANAGER", 320, 300, 34, "#f2d27a")
    for x, person, mirrored in ((86, CODER, False), (560, CLERK, True)):
        person.draw(pen.at(x, 352, 1.35, mirrored), "bored", sets.clap(t, 5))


def _promotion_score(track: Track) -> None:
    track.add(0, foley.whirr(3.2), 0.3)
    for bump in (1.95, 2.55, 3.15):
        track.add(bump, foley.drum(0.2, 160), 0.4)
    track.add(3.4, foley.applause(3.8, hands=2, seed=8), 0.4)


PROMOTION = Film(
    "vimu_900004",
    "en",
    (
        Shot(3.4, _circles, _living_room, "#f3ead0"),
        Shot(3.8, _promotion, _corner_office, "#e3e8f3"),
    ),
    _promotion_score,
    Gold(
        question="What is the video getting at with the career it describes?",
        answer="It mocks managers: going in circles, hitting walls and finishing nothing are "
        "presented, without a smile, as the perfect qualifications for running an office.",
        difficulty="medium",
        rubric=(
            "Says that the machine's faults are treated as qualifications for management",
            "Names managers or promotion practices as the target",
            "Notices the flat, matter-of-fact delivery or the tepid applause",
            "Does not read it as an advertisement for a vacuum cleaner",
        ),
        literal_summary="A robot vacuum cleaner drives in circles and bumps into a wall; then it "
        "sits behind a desk with a tie and a nameplate while two bored employees clap.",
        intended_meaning="Many managers are no better than a machine that runs in circles, and "
        "the staff know it.",
        evidence={
            "frames": "The machine that circled and bumped now wears a tie behind a desk.",
            "text": "The nameplate on the desk says MANAGER.",
            "transcript": "The voice lists its failures and concludes that it was made manager.",
            "audio_tone": "The voice stays flat throughout; two pairs of hands clap limply.",
        },
        rhetoric=("deadpan", "absurdism", "mockery"),
        social=("contempt",),
        targets=("managers", "promotion practices"),
    ),
    lines=(
        Line("It goes in circles. It hits walls.", 0.4, 3.2, "en-gb+m1", 150, 22),
        Line("Naturally, we made it manager.", 4.0, 6.4, "en-gb+m1", 150, 22),
    ),
)


def _review_room(stage: Stage) -> None:
    props.floor(stage, 280, "#b89a78")
    props.window(stage.pen.at(60, 56), 110, 84, "#bfe3f2")
    potted(stage.pen.at(596, 300, 0.8))


def _review(stage: Stage, t: float) -> None:
    pen = stage.pen
    pen.box(112, 150, 120, 170, "#6b4a34", 20)
    blink = "shut" if 1.0 < t < 1.15 else ""
    cat(pen.at(172, 282, 1.5), "sleep" if blink else "bored", "sit", look=(1, 0))
    for side in (-1, 1):
        pen.ellipse(172 + 4 + side * 16, 176, 13, 12, None, width=2.6)
    props.desk(pen.at(180, 352), 300, 84)
    _stool(stage)
    tremble = 1.5 * math.sin(t * 40)
    OFFICE_MAN.draw(pen.at(480 + tremble, 330, 1.15, True), "worry", ((14.0, -50.0), (20.0, -48.0)),
                    "sit", (1, 0))  # fmt: skip


def _stool(stage: Stage) -> None:
    for x in (456, 500):
        stage.pen.box(x, 296, 8, 44, "#8a5a3c", 2)
    stage.pen.box(444, 286, 76, 14, "#6c7fb0", 5)


def _form(stage: Stage, t: float) -> None:
    pen = stage.pen
    pen.box(90, 14, 460, 360, "#fffdf4", 4)
    stage.sign("HUMAN: ANNUAL REVIEW", 320, 50, 30)
    pen.stroke([(120, 76), (520, 76)], "#9aa1b0", 2)
    rows = (("Breakfast service", "LATE"), ("Door opening", "SLOW"), ("Lap quality", "FIDGETY"))
    for i, (what, mark) in enumerate(rows):
        y = 112 + i * 48
        stage.sign(what, 232, y, 26)
        if t > 0.2 + 0.35 * i:
            stage.sign(mark, 450, y, 28, "#d64550")
    if t > 1.4:
        stage.stamp("NEEDS WORK", 320, 290, 44 if t > 1.5 else 52, "#d64550", 6)
    reach = between(t, 1.1, 1.4, 430, 330) if t < 2.0 else between(t, 2.0, 2.4, 330, 430)
    pen.limb([(404, reach + 90), (398, reach)], "#f0a04b", 42)
    for dx in (-12, 0, 12):
        pen.ellipse(398 + dx, reach - 12, 6, 8, "#f6dfbf", width=1.6)


def _verdict(stage: Stage, t: float) -> None:
    pen = stage.pen
    pen.box(112, 150, 120, 170, "#6b4a34", 20)
    cat(pen.at(172, 282, 1.5), "sly", "sit", look=(1, 0))
    props.desk(pen.at(180, 352), 300, 84)
    _stool(stage)
    sink = between(t, 0.2, 1.0, 0, 12)
    OFFICE_MAN.draw(pen.at(480, 330 + sink, 1.15, True), "cry", "limp", "sit")
    if t > 0.5:
        stage.say("MEOW.", 300, 84, (206, 158), 30)


def _review_score(track: Track) -> None:
    track.add(0, foley.ticking(2.0), 0.4)
    for at in (2.2, 2.55, 2.9):
        track.add(at, foley.pop(), 0.3)
    track.add(3.4, foley.stamp(), 0.9)
    track.add(5.2, foley.meow(), 0.5)


REVIEW = Film(
    "vimu_900005",
    "en",
    (
        Shot(2.0, _review, _review_room, "#f3ead0"),
        Shot(2.6, _form, None, "#b9794f"),
        Shot(2.0, _verdict, _review_room, "#f3ead0"),
    ),
    _review_score,
    Gold(
        question="What is the idea behind the meeting in this video?",
        answer="The pet is the boss: a cat grades its owner's services like an employer in a "
        "staff appraisal, which shows who really serves whom at home and how small such reviews "
        "make people feel.",
        difficulty="easy",
        rubric=(
            "Says that cat and human have swapped places",
            "Recognises the form of a workplace appraisal",
            "Says that the human is belittled or embarrassed",
            "Does not claim that the cat is the one being judged",
        ),
        literal_summary="A cat behind a desk faces a trembling man; a form gives bad marks for "
        "breakfast, doors and laps, a paw stamps it, the man weeps and the cat meows.",
        intended_meaning="Cats consider their owners to be staff, and staff appraisals are as "
        "arbitrary as a cat's whims.",
        evidence={
            "frames": "The cat sits in the boss's chair, the man trembles on a low stool.",
            "text": "HUMAN: ANNUAL REVIEW, with marks such as LATE and SLOW, stamped NEEDS WORK.",
        },
        rhetoric=("role_reversal", "parody"),
        social=("humiliation",),
        targets=("pet owners", "workplace appraisals"),
    ),
)


def _meeting_room(stage: Stage) -> None:
    props.floor(stage, 290, "#b9b3c6")
    pen = stage.pen
    pen.box(250, 36, 170, 120, "#fffdf7", 3)
    pen.stroke([(270, 136), (310, 110), (340, 120), (396, 60)], "#d64550", 5, False)
    pen.stroke([(376, 58), (398, 58), (398, 80)], "#d64550", 5, False)


def _jargon(stage: Stage, t: float) -> None:
    pen = stage.pen
    sway = 4 * math.sin(t * 5)
    BOSS.draw(pen.at(500 + sway, 330, 1.45, True), talking("happy", t, 0.3, 3.0), "point")
    props.desk(pen.at(200, 356), 400, 70, "#8a5a3c")
    glance = (-0.6, 0.6) if beat(t, 1.4) else (0.8, 0)
    for x, person in ((70, CODER), (180, GIRL), (290, RUNNER)):
        person.draw(pen.at(x, 356, 1.15), "calm", "desk", "none", glance)
    props.desk(pen.at(190, 400), 400, 100, "#8a5a3c")


WORDS = ("SYNERGY", "PIVOT", "ALIGN", "DEEP DIVE", "CIRCLE\nBACK", "LEVERAGE", "OFFLINE",
         "SCALABLE", "BANDWIDTH")  # fmt: skip
CROSSED = {4: 0.2, 0: 0.65, 8: 1.1}


def _bingo_card(stage: Stage, t: float) -> None:
    pen = stage.pen
    pen.box(70, 10, 500, 344, "#fffdf4", 8)
    stage.sign("BUZZWORDS", 320, 38, 30, "#6c7fb0")
    for i, word in enumerate(WORDS):
        x, y = 92 + (i % 3) * 154, 64 + (i // 3) * 94
        pen.box(x, y, 148, 88, "#f3ead0" if i % 2 else "#e3e8f3", 4)
        stage.sign(word, x + 74, y + 44, 24)
        if i in CROSSED and t > CROSSED[i]:
            for lean in (-1, 1):
                pen.stroke([(x + 20, y + 44 - 34 * lean), (x + 128, y + 44 + 34 * lean)],
                           "#d64550", 7)  # fmt: skip


def _bingo(stage: Stage, t: float) -> None:
    pen = stage.pen
    BOSS.draw(pen.at(500, 330, 1.45, True), "proud", "hips")
    for x, person in ((70, CODER), (290, RUNNER)):
        person.draw(pen.at(x, 356, 1.15), "sly", "desk", "none")
    lift = eased(t, 0.1, 0.4)
    GIRL.draw(pen.at(180, 356, 1.15), "glad", "cheer", "none")
    props.desk(pen.at(190, 400), 400, 100, "#8a5a3c")
    stage.plate("BINGO!", 180, 214 - 60 * lift, 34, "#ffcf33")


def _bingo_score(track: Track) -> None:
    track.add(0, foley.ticking(3.2), 0.3)
    for at in CROSSED.values():
        track.add(3.2 + at, foley.pop(), 0.5)
    track.add(5.3, foley.ding(), 0.5)


BINGO = Film(
    "vimu_900009",
    "en",
    (
        Shot(3.2, _jargon, _meeting_room, "#dfe6ea"),
        Shot(1.9, _bingo_card, None, "#8a5a3c"),
        Shot(2.1, _bingo, _meeting_room, "#dfe6ea"),
    ),
    _bingo_score,
    Gold(
        question="What is going on between the people in this video?",
        answer="The staff secretly play bingo with the boss's empty catchphrases: they are in on "
        "a joke that he does not notice, and they laugh at his jargon, not with him.",
        difficulty="hard",
        rubric=(
            "Says that the staff tick off the boss's jargon as a game",
            "Says that the boss is not in on it",
            "Names empty office jargon as what is laughed at",
            "Does not claim that the staff cheer for the plan",
        ),
        literal_summary="A boss points at a chart and talks; a card with office words is crossed "
        "off; a woman holds up a BINGO sign and her colleagues smirk.",
        intended_meaning="Office jargon says so little that it is only good for a game among "
        "those who have to listen to it.",
        evidence={
            "frames": "The staff exchange glances and smirk while the boss beams.",
            "text": "A card of buzzwords with a full diagonal, then the word BINGO!",
            "transcript": "The boss strings together circle back, synergy and bandwidth.",
        },
        rhetoric=("dog_whistle_or_code", "mockery"),
        social=("contempt", "exclusion"),
        targets=("bosses", "office jargon"),
    ),
    lines=(
        Line("Let's circle back on synergy,", 0.3, 2.2, "en-us+m2", 180, 50),
        Line("and bandwidth!", 2.2, 3.2, "en-us+m2", 180, 50),
    ),
)

FILMS = (PROMOTION, REVIEW, BINGO)
