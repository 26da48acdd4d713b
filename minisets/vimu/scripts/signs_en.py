"""English films in which nobody speaks and little moves: what is written or heard tells it."""

from minisets.drawing import props
from minisets.drawing.cast import moon
from minisets.vimu import foley
from minisets.vimu.film import Film, Shot, beat
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
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

BUSES = (("12", "CENTRE", "8:15"), ("12", "CENTRE", "8:35"), ("40", "HOSPITAL", "8:40"))


def _board(stage: Stage) -> None:
    stage.pen.box(70, 40, 500, 280, "#1d2b3f", 10)
    stage.sign("DEPARTURES", 320, 78, 36, "#f4f1ea")


def _departures(stage: Stage, t: float) -> None:
    for i, bus in enumerate(BUSES):
        if t > 0.4 + 0.5 * i:
            for x, text in zip((130, 310, 490), bus, strict=True):
                stage.sign(text, x, 146 + 62 * i, 32, "#f2d27a")


def _board_score(track: Track) -> None:
    for i in range(3):
        track.add(0.4 + 0.5 * i, foley.typing(0.4, 14), 0.6)
    track.add(2.4, foley.ding(), 0.8)
    track.add(3.2, foley.ding(), 0.6)


BOARD = Film(
    "vimu_900016",
    "en",
    (Shot(4.2, _departures, _board, "#8f9db0"),),
    _board_score,
    Gold(
        question="What does this video want to tell its viewers?",
        answer="When the next buses leave and where they go. There is nothing else to it.",
        difficulty="easy",
        rubric=(
            "Says that it gives the departure times of buses",
            "Says that nothing is meant beyond that",
            "Does not invent a complaint about delays",
        ),
        literal_summary="A board lists three buses with their numbers, destinations and times.",
        intended_meaning="The next buses leave at 8:15, 8:35 and 8:40.",
        evidence={"text": "The board gives number, destination and time of three buses."},
        rhetoric=("literal_only",),
        social=("none",),
        targets=("passengers",),
    ),
)

FILMS = (CALENDAR, BAND, BOARD)
