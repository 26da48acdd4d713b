"""English films in which little moves and no word matters: what is written or heard tells it."""

from minisets.drawing import props
from minisets.drawing.cast import cloud, moon
from minisets.vimu import foley
from minisets.vimu.film import Film, Line, Shot, beat, nothing
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, hertz, melody, tone
from minisets.vimu.stage import Stage

ENTRIES = (
    (0.9, "9:00  MEETING: what is a meeting?"),
    (1.9, "11:00  MEETING: why so few meetings?"),
    (2.9, "14:00  MEETING: minutes of 11:00"),
    (3.9, "16:00  MEETING: more free Fridays"),
)


def _calendar(stage: Stage) -> None:
    pen = stage.pen
    pen.box(40, 24, 560, 312, "#fffdf7", 10)
    pen.box(40, 24, 560, 68, "#d64550", 10)
    stage.sign("MEETING-FREE FRIDAY!", 320, 58, 38, "white")


def _entries(stage: Stage, t: float) -> None:
    for i, (at, text) in enumerate(ENTRIES):
        if t > at:
            stage.plate(text, 320, 126 + 56 * i, 24, "#cfe3f5")


def _calendar_score(track: Track) -> None:
    track.add(0.1, melody([("C5", 0.5), ("E5", 0.5), ("G5", 1)], 0.3), 0.5)
    for at, _ in ENTRIES:
        track.add(at, foley.pop(), 0.9)
    track.add(0, foley.ticking(5.4), 0.5)


CALENDAR = Film(
    "vimu_900014",
    "en",
    (Shot(5.4, _entries, _calendar, "#e3e8f3"),),
    _calendar_score,
    Gold(
        question="What does this video say about the day that it announces?",
        answer="That the meeting-free day is nothing of the kind: the calendar fills up with "
        "meetings, and most of them are about meetings.",
        difficulty="easy",
        rubric=(
            "Says that the day announced as free of meetings is full of them",
            "Says that the meetings are about meetings themselves",
            "Does not claim that the staff have a quiet day",
        ),
        literal_summary="Under the heading of a meeting-free Friday a calendar fills with four "
        "meetings.",
        intended_meaning="Offices cannot stop meeting; every plan against it ends in one more.",
        evidence={
            "text": "MEETING-FREE FRIDAY! stands over four entries that all begin with MEETING.",
        },
        rhetoric=("irony",),
        social=("fatalism_or_cynicism",),
        targets=("meeting culture",),
    ),
    lines=(Line("Good morning! Nice weather.", 0.6, 2.9, "en-gb+f2", 160, 50),),
)

FLATS = tuple((x, y) for y in (128, 206) for x in (226, 310, 394))


def _house(stage: Stage) -> None:
    props.stars(stage, seed=4)
    moon(stage.pen.at(70, 70, 0.7), "sleep")
    pen = stage.pen
    pen.box(-9, 316, 660, 60, "#3d4a45")
    pen.box(196, 96, 262, 226, "#8a6a5c", 3)
    pen.shape([(176, 98), (327, 26), (478, 98)], "#5f4a54")
    for x, y in FLATS:
        pen.box(x, y, 46, 50, "#f2d27a" if (x, y) == (310, 128) else "#3b3f6e", 2)
    pen.box(304, 268, 46, 54, "#4d3a3a", 2)
    pen.limb([(546, 330), (546, 262)], "#6d7f8f", 7)
    stage.plate("QUIET HOURS\n22:00 TO 6:00", 546, 226, 20, "#fffdf7")


def _clock(stage: Stage, t: float) -> None:
    stage.plate("02:14" if beat(t, 1) else "02 14", 82, 180, 30, "#1d2b24", "#7fd08a")


def _band_score(track: Track) -> None:
    track.add(0, foley.crickets(1.4), 0.35)
    for i in range(16):
        track.add(1.3 + i * 0.25, foley.drum(0.3, 110 if i % 2 else 62), 0.9)
    march = [("C4+E4", 1), ("D4+F#4", 1), ("C4+F4", 2), ("G3+C#4", 2), ("C4+E4", 2), ("B3+F4", 2)]
    track.add(1.4, melody(march, 0.38, "brass"), 0.4)


BAND = Film(
    "vimu_900015",
    "en",
    (Shot(5.6, _clock, _house, "#232a52"),),
    _band_score,
    Gold(
        question="What is going on in this house, and what does the video make of it?",
        answer="Somebody practises drums and a brass instrument at two in the morning, beside a "
        "sign that asks for quiet: the rule is there, and somebody does not care.",
        difficulty="medium",
        rubric=(
            "Says that somebody makes loud music at night",
            "Sets it against the sign with the quiet hours",
            "Does not claim that the house is peaceful",
        ),
        literal_summary="A house at night with one lit window and a sign with quiet hours; the "
        "crickets give way to drums and out-of-tune brass.",
        intended_meaning="There is a neighbour in every house for whom no rule was made.",
        evidence={
            "text": "QUIET HOURS 22:00 TO 6:00, and a clock that shows 02:14.",
            "audio_tone": "Crickets are drowned by drums and brass that does not hit its notes.",
        },
        rhetoric=("contrast",),
        social=("norm_violation",),
        targets=("noisy neighbours",),
    ),
)

STROKES = (0.7, 2.1, 3.5)


def _tower(stage: Stage) -> None:
    props.hills(stage, 292, "#9cc987")
    pen = stage.pen
    cloud(pen.at(130, 90, 0.9))
    cloud(pen.at(540, 130, 0.7))
    pen.box(262, 120, 116, 200, "#d9c8ae", 2)
    pen.shape([(244, 122), (320, 26), (396, 122)], "#a8543c")
    for x in (290, 334):
        pen.box(x, 150, 18, 46, "#5d5c68", 8)
    pen.box(300, 256, 40, 64, "#8a5a3c", 2)


def _tower_score(track: Track) -> None:
    track.add(0, foley.birds(5.4), 0.1)
    for at in STROKES:
        track.add(at, tone(hertz("A3"), 1.9, "bell"), 0.9)


TOWER = Film(
    "vimu_900016",
    "en",
    (Shot(5.4, nothing, _tower, "#cfe8f3"),),
    _tower_score,
    Gold(
        question="What does this video tell its viewers?",
        answer="That it is three o'clock. There is nothing else to it.",
        difficulty="easy",
        rubric=(
            "Says that it is three o'clock",
            "Says that nothing is meant beyond that",
            "Does not read mourning or a warning into the bell",
        ),
        literal_summary="A tower without a dial stands in the sun while its bell strikes three "
        "times.",
        intended_meaning="It is three o'clock.",
        evidence={"audio_tone": "The bell strikes three times, evenly and without haste."},
        rhetoric=("literal_only",),
        social=("none",),
        targets=("people in the village",),
    ),
)

FILMS = (CALENDAR, BAND, TOWER)
