"""The English metaphor part, first half: the sarcastic version speaks in a metaphor."""

from minisets.cfms import places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.animals import cat, dog
from minisets.drawing.cast import (
    BOSS,
    CLERK,
    CODER,
    GIRL,
    OFFICE_MAN,
    RUNNER,
)
from minisets.drawing.faces import draw_face, mood_face
from minisets.drawing.pen import Pen
from minisets.janusmm import things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel


@twins(
    "metaphor",
    "en",
    card(440, 420),
    Biting(
        "Our career ladder is excellent. Everybody here can get to the top.",
        "A ladder labelled your career leans on a wall; only its lowest and highest rungs are "
        "left, and a clerk stares up at it.",
        "firms that offer no promotion",
        "institutional_rules",
        "The ladder stands for a career, and with its middle rungs gone nobody can climb it. "
        "Calling it excellent is ironic and mocks companies that promise promotion but make it "
        "impossible.",
        True,
    ),
    Sincere(
        "A ladder labelled your career leans on a wall; all its rungs are there, and a woman "
        "climbs it with a smile.",
        metaphor=True,
    ),
)
def career_ladder(a: Panel, biting: bool) -> None:
    """A ladder with gaps, or without."""
    a.paint("#e6ecf3" if biting else "#fbeed6")
    props.floor(a, 370, "#b9b3c6")
    for i in (0, 1, 10, 11) if biting else range(12):
        a.pen.limb([(262, 372 - i * 28), (350, 372 - i * 28)], "#d9a878", 6)
    for x in (256, 356):
        a.pen.limb([(x, 390), (x, 44)], "#b9794f", 9)
    a.plate("YOUR CAREER", 128, 50, 26, "#ffe9a8")
    if biting:
        OFFICE_MAN.draw(a.pen.at(120, 400, 1.45), "doubt", "think", look=(1, -1))
    else:
        GIRL.draw(a.pen.at(306, 290, 1.1), "happy", ((-38, -104), (38, -104)))


@twins(
    "metaphor",
    "en",
    card(480, 380),
    Biting(
        "One week off, and my inbox has been so kind to me.",
        "A tiny man in a small boat faces a giant wave made of letters, with a plate that says "
        "unread.",
        "the flood of work e-mail",
        "social_phenomena",
        "The wave of letters stands for the mail that piled up in a single week off. Calling "
        "the inbox kind says the opposite and ridicules the endless flood of work mail.",
        True,
    ),
    Sincere(
        "A man in a small boat rows past a low wave made of letters, with a plate that says "
        "unread.",
        metaphor=True,
    ),
)
def sea_of_mail(a: Panel, biting: bool) -> None:
    """A boat in a sea of letters."""
    a.paint("#fbdcb4" if not biting else "#b8c4d8")
    rise = 250 if biting else 110
    foot = 330
    a.pen.blob(
        [(150, foot + 90), (230, foot - rise * 0.4), (300, foot - rise), (390, foot - rise * 0.95),
         (360, foot - rise * 0.6), (420, foot - 30), (520, foot + 90)], "#6fa8cf",
    )  # fmt: skip
    spots = (
        (300, 120),
        (350, 96),
        (286, 180),
        (330, 170),
        (310, 240),
        (360, 230),
        (400, 280),
        (250, 290),
    )
    for i, (x, y) in enumerate(
        spots if biting else ((300, 262), (350, 258), (320, 300), (380, 304))
    ):
        _letter(a.pen.at(x, y, 0.9, tilt=(i % 3 - 1) * 16))
    a.pen.blob(
        [(-30, 420), (-20, 336), (80, 326), (200, 340), (340, 330), (510, 338), (510, 420)],
        "#4f8fc0",
    )
    OFFICE_MAN.draw(
        a.pen.at(110, 356, 0.95), "shock" if biting else "happy", "up" if biting else "give", "none"
    )
    a.pen.shape([(46, 312), (180, 312), (156, 352), (70, 352)], "#b9794f")
    a.plate("UNREAD", 130, 50, 28, "#ffffff")


def _letter(pen: Pen) -> None:
    """An envelope around the pen's origin."""
    pen.box(-22, -15, 44, 30, "#fffdf4", 2)
    pen.stroke([(-22, -15), (0, 4), (22, -15)], curved=False)


@twins(
    "metaphor",
    "en",
    card(460, 390),
    Biting(
        "My antivirus never sleeps.",
        "A fat cat labelled antivirus snores in front of a computer while three grinning bugs "
        "walk past it.",
        "useless antivirus software",
        "others",
        "The sleeping cat stands for the program that should keep watch while bugs stroll past. "
        "Claiming that it never sleeps is the opposite of the picture and mocks useless security "
        "software.",
        True,
    ),
    Sincere(
        "An alert dog labelled antivirus sits in front of a computer while three frightened bugs "
        "stop before it.",
        metaphor=True,
    ),
)
def guard(a: Panel, biting: bool) -> None:
    """Who guards the computer."""
    things.room(a, "#dfe6ea", "#a98a6c", 290)
    a.pen.box(40, 110, 170, 120, "#453f5c", 8)
    a.pen.box(52, 122, 146, 96, "#bfe3f2", 4)
    a.pen.box(110, 230, 30, 30, "#8f9db0")
    props.desk(a.pen.at(126, 320), 220, 56)
    a.plate("ANTIVIRUS", 300, 50, 30, "#ffe9a8")
    if biting:
        cat(a.pen.at(250, 370, 1.5), "sleep", "loaf")
    else:
        dog(a.pen.at(262, 372, 1.45), "angry", look=(1, 0))
    for i in range(3):
        x, y = (350 + i * 36, 150 + i * 62) if biting else (380 + (i % 2) * 36, 180 + i * 66)
        _bug(a.pen.at(x, y), biting)


def _bug(pen: Pen, sly: bool) -> None:
    """A small green bug around the pen's origin."""
    for side in (-1, 1):
        for dy in (-6, 4, 14):
            pen.stroke([(side * 12, dy), (side * 24, dy + 4)], width=2.6)
    pen.ellipse(0, 4, 17, 20, "#8cc07a")
    pen.note_face(0, 0, 14, 14)
    draw_face(pen.at(0, 2, 0.6), mood_face("gloat" if sly else "shock"))


@twins(
    "metaphor",
    "en",
    card(460, 410),
    Biting(
        "Three things in the air at once, and not one of them is a problem.",
        "A sweating clerk in a tie juggles three burning torches in an office under a plate that "
        "says Friday, 5 pm.",
        "jobs with too many duties",
        "institutional_rules",
        "The burning torches stand for the many urgent duties piled on one clerk. Saying that "
        "none of them is a problem plays it down and so mocks employers who give one person every "
        "job.",
        True,
    ),
    Sincere(
        "A smiling juggler in a red shirt keeps three burning torches in the air on a meadow "
        "under a plate that says Friday, 5 pm.",
        metaphor=False,
    ),
)
def juggler(a: Panel, biting: bool) -> None:
    """Torches in the air."""
    if biting:
        places.office(a)
    else:
        things.outdoors(a, 300, "#fbe9d0")
    who = OFFICE_MAN if biting else RUNNER
    who.draw(a.pen.at(230, 400, 1.4), "worry" if biting else "glad", "up")
    for x, y, tilt in ((120, 190, -24), (230, 140, 0), (340, 190, 24)):
        torch = a.pen.at(x, y, 1, tilt=tilt)
        torch.limb([(0, 0), (0, 46)], "#8a5a3c", 7)
        props.flame(torch.at(0, 4), 0.75)
    a.plate("FRIDAY, 5 PM", 270, 36, 28, "#ffe9a8")


@twins(
    "metaphor",
    "en",
    card(520, 390),
    Biting(
        "Nobody here is worried about the elephant. What a relaxed Monday.",
        "In a meeting room an elephant stands behind three people at a table who look away and "
        "smile, under a plate that says Monday, 10 am.",
        "colleagues who ignore a problem",
        "interpersonal_relations",
        "The elephant stands for the big problem that everybody sees and nobody mentions. "
        "Calling the day relaxed is ironic and mocks colleagues who pretend that a problem does "
        "not exist.",
        True,
    ),
    Sincere(
        "At a zoo an elephant stands on the grass beside a cake, under a plate that says Monday, "
        "10 am.",
        metaphor=False,
    ),
)
def elephant(a: Panel, biting: bool) -> None:
    """An elephant, somewhere."""
    if not biting:
        places.park(a)
        places.elephant(a.pen.at(240, 340, 1.35))
        things.cake(a.pen.at(430, 366, 0.9))
        a.plate("MONDAY, 10 AM", 270, 50, 30, "#ffe9a8")
        return
    places.office(a, "#efe6f0")
    places.elephant(a.pen.at(300, 290, 1.35))
    a.plate("MONDAY, 10 AM", 300, 50, 30, "#ffe9a8")
    places.seated(a, ((BOSS, "happy"), (CLERK, "calm"), (CODER, "happy")), 330, 0.85)


TWINS: tuple[Twins, ...] = (
    career_ladder,
    sea_of_mail,
    guard,
    juggler,
    elephant,
)
