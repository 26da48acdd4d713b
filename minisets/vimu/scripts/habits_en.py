"""English films about habits at work: an e-mail, a coffee break."""

import math

from minisets.drawing import props
from minisets.drawing.cast import CODER, LINDA, OFFICE_MAN, sun
from minisets.drawing.faces import Mood
from minisets.drawing.pen import INK
from minisets.drawing.people import Legs
from minisets.vimu import foley
from minisets.vimu.film import (
    TALL,
    Film,
    Line,
    Shot,
    beat,
    between,
    eased,
)
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track
from minisets.vimu.stage import Stage, View


def _mail_room(stage: Stage) -> None:
    pen = stage.pen
    pen.box(-9, 520, 380, 190, "#b9794f")
    pen.box(14, 30, 332, 250, "#453f5c", 14)
    pen.box(26, 42, 308, 226, "#fffdf7", 6)


MAIL = ("Hi Kevin,", "As per my last email,", "this is attached AGAIN.", "Kind regards :)")


def _mail(stage: Stage, t: float) -> None:
    pen = stage.pen
    rage = eased(t, 1.2, 4.6)
    for i, text in enumerate(MAIL):
        if t > i * 1.1:
            stage.sign(text, 180, 80 + i * 50, 27)
    shake = 3 * rage * math.sin(t * 50)
    keys = -52 + (10 if beat(t, 5 + 8 * rage) else 0)
    LINDA.draw(pen.at(180 + shake, 606, 1.85), "calm" if t < 5.0 else "glad",
               ((-26.0, float(keys)), (26.0, -94.0 - keys)), "none")  # fmt: skip
    pen.box(46, 528, 268, 30, "#c9ced8", 6)
    for x in range(60, 300, 22):
        pen.box(x, 534, 16, 14, "#f4f1ea", 2, line=1.6)
    pen.box(-9, 558, 380, 150, "#b9794f")
    if t > 2.2:
        for i, x in enumerate((84, 140, 214, 276)):
            size = (0.35 + 0.75 * rage) * (1 + 0.14 * math.sin(t * 16 + i * 2))
            props.flame(pen.at(x, 554, 1.15 * size))


def _mail_score(track: Track) -> None:
    track.add(0, foley.typing(1.4, 7), 0.5)
    track.add(1.4, foley.typing(1.6, 10, 0.5), 0.7)
    track.add(3.0, foley.typing(2.0, 16, 1.0), 0.9)
    track.add(2.2, foley.sizzle(3.8), 0.35)
    track.add(5.2, foley.ding(), 0.6)


MAIL_FILM = Film(
    "vimu_900012",
    "en",
    (Shot(6.0, _mail, _mail_room, "#f6d9c9"),),
    _mail_score,
    Gold(
        question="What does the writer in this video feel, and how is it expressed?",
        answer="She is furious with Kevin: the polite phrases of the e-mail are the accepted code "
        "for anger at work, and the hammered, burning keyboard shows what they stand for.",
        difficulty="hard",
        rubric=(
            "Says that the writer is angry in spite of the friendly wording",
            "Explains that phrases such as 'as per my last email' are coded reproach",
            "Mentions the hammering or the burning keyboard",
            "Does not claim that she is calm or friendly",
        ),
        literal_summary="A smiling woman types a polite e-mail faster and harder until her "
        "keyboard is in flames.",
        intended_meaning="Office politeness is a mask for open hostility that everybody at work "
        "knows how to read.",
        evidence={
            "frames": "She keeps smiling while she shakes and her keyboard burns.",
            "text": "The mail says: as per my last email, attached AGAIN, kind regards.",
            "audio_tone": "The typing grows from soft clicks to hammering, over a crackling fire.",
        },
        rhetoric=("dog_whistle_or_code", "contrast", "exaggeration"),
        social=("aggression_or_hostility", "negative_affect"),
        targets=("colleagues who do not read their mail", "office politeness"),
    ),
    size=TALL,
)


def _coffee_corner(stage: Stage) -> None:
    props.floor(stage, 280, "#c9b06e")
    pen = stage.pen
    sun(pen.at(96, 78, 0.9), "calm")
    pen.box(420, 190, 240, 190, "#8a6242", 4)
    pen.box(470, 96, 116, 96, "#56667a", 8)
    pen.box(484, 108, 88, 22, "#dfe6ea", 4)
    pen.box(500, 150, 56, 42, "#35333f", 3)


def _savanna(stage: Stage, t: float) -> None:
    pen = stage.pen
    if t < 5.2:
        pen.shape([(518, 192), (538, 192), (536, 172), (520, 172)], "#fffdf4", width=2)
    if 3.8 < t < 5.0:
        pen.stroke([(528, 150), (528, 172)], "#6b4a34", 4)
    lead = between(t, 0.2, 3.6, -40, 372)
    legs: Legs = "walk" if t < 3.6 and beat(t, 5) else "stand"
    CODER.draw(pen.at(lead - 190, 350, 1.3), "stare", "limp", legs, (1, 0))
    mood: Mood = "love" if t > 5.2 else "doubt"
    OFFICE_MAN.draw(pen.at(lead, 350, 1.3), mood, "reach" if t > 3.6 else "limp", legs, (1, 0))
    if t > 5.2:
        pen.shape([(430, 246), (454, 246), (451, 222), (433, 222)], "#fffdf4", width=2)
    for i in range(26):
        x = i * 26 + 7 * math.sin(i * 5)
        # A gust every third of a second: steady swaying would fill the file with grass.
        lean = 9 * math.sin(int(t * 3) + i)
        tall = 92 + 34 * math.sin(i * 2.3)
        pen.shape([(x - 7, 366), (x + 7, 366), (x + lean, 366 - tall)], "#a99a3c", INK, 1.8)


def _savanna_camera(t: float) -> View:
    return View(290 + 40 * eased(t, 0, 3), 190, 1.12)


def _nature_score(track: Track) -> None:
    track.add(0, foley.crickets(6.4), 0.25)
    track.add(0, foley.birds(6.4), 0.08)
    track.add(3.8, foley.water(1.6), 0.25)
    for i in range(7):
        track.add(0.3 + 0.45 * i, foley.drum(0.35, 75), 0.35)


NATURE = Film(
    "vimu_900013",
    "en",
    (Shot(6.4, _savanna, _coffee_corner, "#f6d79a", _savanna_camera),),
    _nature_score,
    Gold(
        question="What is the idea behind the way this video presents its scene?",
        answer="It films a coffee machine at work as if it were a waterhole in a wildlife "
        "documentary and treats accountants as shy animals, so a dull office habit looks wild.",
        difficulty="medium",
        rubric=(
            "Recognises the style of a nature documentary",
            "Says that office workers are presented as wild animals at a waterhole",
            "Says that the subject is really just a coffee break",
            "Does not claim that the film is about real wildlife",
        ),
        literal_summary="Two office workers creep through tall grass to a coffee machine while a "
        "narrator describes accountants at a waterhole.",
        intended_meaning="Office life, looked at from outside, is as strange as any animal's; no "
        "reproach is meant.",
        evidence={
            "frames": "Grass, low sun and a stalking gait surround an ordinary coffee machine.",
            "transcript": "The narrator speaks of accountants who come to the waterhole to drink.",
            "audio_tone": "A hushed narrator over crickets, birds and slow drums.",
        },
        rhetoric=("parody", "stereotype_invocation"),
        social=("none",),
        targets=("office workers", "nature documentaries"),
    ),
    lines=(
        Line("At dawn, the shy accountants", 0.4, 2.6, "en-gb-x-rp+m5", 150, 35),
        Line("come to the waterhole, to drink.", 2.9, 5.7, "en-gb-x-rp+m5", 145, 35),
    ),
)

FILMS = (MAIL_FILM, NATURE)
