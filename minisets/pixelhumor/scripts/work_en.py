"""English comics at work and at the counter."""

from minisets.drawing import props
from minisets.drawing.animals import octopus
from minisets.drawing.cast import (
    CLERK,
    COOK,
    DOCTOR,
    GRANNY,
    OFFICE_MAN,
    RUNNER,
    VAMPIRE,
    moon,
    robot,
    skeleton,
)
from minisets.drawing.faces import Mood
from minisets.drawing.pen import INK, Pen, arc
from minisets.drawing.people import Arms, Person
from minisets.pixelhumor.script import (
    GRID4,
    LEFT_RIGHT3,
    LEFTWARDS4,
    MIDDLE_LEFT3,
    RISING3,
    TWO_ONE,
    comic,
)
from minisets.pixelhumor.stage import Panel, Strip


def _couch(pen: Pen) -> None:
    pen.box(-90, -64, 180, 64, "#7f6fa8", 14)
    pen.box(-100, -40, 200, 34, "#9685bf", 12)
    for x in (-84, 72):
        pen.box(x, -6, 12, 8, INK)


def _practice(panel: Panel, patient: bool) -> None:
    props.floor(panel, 250, "#c9a27c")
    if patient:
        _couch(panel.pen.at(150, 322, 1.2))
    else:
        panel.pen.box(300, 134, 86, 64, "#ffffff", 2)
        panel.pen.blob(
            [(318, 178), (330, 152), (343, 170), (356, 150), (370, 180)], "#7f6fa8", None
        )


@comic("deadpan_8", LEFTWARDS4)
def motherboard(strip: Strip) -> None:
    """A robot sees a therapist about its parents."""
    a, b, c, d = strip.grounds("#e4efe6", "#f3ead7", "#e4efe6", "#f3ead7")
    for panel in (b, d):
        _practice(panel, False)
    _practice(c, True)
    props.floor(a, 250, "#c9a27c")
    _couch(a.pen.at(310, 326))
    robot(a.pen.at(310, 308), "cry", ((-34, -40), (34, -40)))
    DOCTOR.draw(a.pen.at(110, 326, 1.15), "calm", "think", look=(1, 0))
    a.say("PARENTS?", 96, 84, (108, 152))
    parents = "A MOTHERBOARD AND A SCREEN SAVER. HE NEVER SPENT A CENT ON US."
    a.say(parents, 304, 66, (332, 156), 240)
    DOCTOR.draw(b.pen.at(150, 326, 1.35), "doubt", "think")
    robot(c.pen.at(150, 300, 1.15), "sad", ((-34, -40), (34, -40)))
    DOCTOR.draw(d.pen.at(150, 326, 1.35), "calm", "crossed")
    d.say("SEE YOU NEXT WEEK.", 250, 54, (162, 116), 230)


CULTIST = Person(hair="bald", top="#6b3fa0", legs="#6b3fa0", glasses=True, coat="#533080")


@comic("deadpan_9", GRID4)
def low_on_cyan(strip: Strip) -> None:
    """A printer demands its tribute."""
    a, b, c, d = strip.grounds("#dfe9f3", "#dfe9f3", "#f6d9cf", "#3b2f52")
    for panel in (a, b, c):
        props.floor(panel, 270, "#b6a48e")
        props.desk(panel.pen.at(310, 330), 170, 70, "#9c7a5c")
    OFFICE_MAN.draw(a.pen.at(100, 326, 1.35), "calm", "give")
    props.printer(a.pen.at(310, 250), "calm")
    a.say("ONE PAGE, PLEASE. BLACK AND WHITE.", 240, 50, (116, 120), 240)
    OFFICE_MAN.draw(b.pen.at(100, 326, 1.35), "stare", "down", look=(1, 0))
    props.printer(b.pen.at(310, 250), "sly")
    b.say("I AM LOW ON CYAN.", 280, 50, (312, 154))
    OFFICE_MAN.draw(c.pen.at(100, 326, 1.35), "yell", "shrug")
    props.printer(c.pen.at(310, 250), "bored")
    c.shout("BUT IT'S BLACK TEXT!", 190, 54, (122, 124), 230)
    props.floor(d, 286, "#2a2140")
    d.pen.shape([(300, 250), (150, -20), (430, -20)], "#5c4a7d", None)
    props.desk(d.pen.at(310, 330), 170, 86, "#6b5a78")
    props.printer(d.pen.at(310, 234), "gloat")
    for x in (214, 406):
        d.pen.box(x - 6, 296, 12, 34, "#f4efe6", 2)
        props.flame(d.pen.at(x, 298, 0.4))
    CULTIST.draw(d.pen.at(96, 330, 1.25), "worry", "reach", "kneel", look=(1, -1))
    d.pen.box(146, 206, 26, 26, "#34c1dd", 3)
    d.say("ACCEPT THIS CYAN, O GREAT ONE.", 130, 66, (100, 146), 150)
    d.say("NOW... MAGENTA.", 340, 60, (316, 138), 180)


def _board(panel: Panel) -> None:
    props.floor(panel, 272, "#a9b4a0")
    panel.pen.box(196, 118, 112, 80, "#ffffff", 3)


@comic("deadpan_10", LEFT_RIGHT3)
def quick_meeting(strip: Strip) -> None:
    """A meeting that lasted somewhat longer than planned."""
    a, b, c = strip.grounds("#d9d2e4", "#dcebef", "#f6e3c0")
    old = Person(hair="beard", hair_colour="#e6e4ea", skin="#eab892", top="#f4f1ea", coat="#56506b")
    bosses: list[tuple[Panel, Mood, Arms]]
    bosses = [(a, "doubt", "think"), (b, "calm", "point"), (c, "calm", "down")]
    for panel, mood, arms in bosses:
        _board(panel)
        old.draw(panel.pen.at(150, 300, 1.05), mood, arms, "none")
    for panel in (a, b):
        panel.pen.stroke([(212, 180), (236, 160), (262, 168), (292, 134)], "#57a773", 5)
        skeleton(panel.pen.at(60, 330, 0.95))
        skeleton(panel.pen.at(262, 330, 0.95))
    for panel in (a, b, c):
        props.desk(panel.pen.at(168, 340), 330, 44, "#8f6248")
    a.caption("YEAR FORTY OF THE MEETING")
    a.say("HM. THIS COULD HAVE BEEN AN EMAIL.", 180, 92, (158, 144), 260)
    b.say("SALES WENT BOOM IN YEAR TWELVE. ANY QUESTIONS?", 190, 58, (160, 142), 260)
    c.say("GOOD. THEN I WISH YOU ALL A NICE EVENING.", 190, 58, (160, 142), 240)


def _counter(panel: Panel) -> None:
    panel.pen.box(-10, 0, 999, 40, "#c7b8d6")
    props.desk(panel.pen.at(panel.width / 2, 330), panel.width * 0.9, 70, "#a9714b")


@comic("deadpan_11", TWO_ONE)
def the_count(strip: Strip) -> None:
    """A vampire fills in a form at the bank."""
    a, b, c = strip.grounds("#efe6f5", "#efe6f5", "#f8cfa6")
    VAMPIRE.draw(a.pen.at(310, 330, 1.35), "calm", "down", "none", look=(-1, 0))
    CLERK.draw(a.pen.at(110, 330, 1.35), "happy", "desk", "none", look=(1, 0))
    _counter(a)
    a.say("YOUR TITLE?", 130, 68, (112, 122))
    a.say("COUNT.", 318, 84, (312, 122))
    VAMPIRE.draw(b.pen.at(310, 330, 1.35), "doubt", "down", "none", look=(-1, 0))
    CLERK.draw(b.pen.at(110, 330, 1.35), "glad", "desk", "none")
    _counter(b)
    b.say("OKAY! ONE... TWO... THREE...", 190, 62, (112, 122), 230)
    props.window(c.pen.at(520, 84), 180, 130, "#ffd98a")
    c.pen.shape(arc(610, 214, 52, 52, 180, 360), "#f28c38")
    CLERK.draw(c.pen.at(210, 330, 1.35), "calm", "desk", "none")
    GRANNY.draw(c.pen.at(420, 330, 1.3), "calm", "down", "none", look=(-1, 0))
    _counter(c)
    c.say("NEXT, PLEASE.", 220, 74, (212, 122))


def _diner(panel: Panel) -> None:
    props.floor(panel, 214, "#b8604a")
    for x in range(20, 540, 80):
        panel.pen.box(x, 214, 40, 12, "#fdf3e0", ink=None)


@comic("deadpan_12", RISING3, 20)
def number_six(strip: Strip) -> None:
    """A diner orders the hottest dish."""
    a, b, c = strip.grounds("#fbe6bd", "#f7b58c", "#2c2a55")
    _diner(a)
    COOK.draw(a.pen.at(90, 274, 1.2), "sly", "crossed")
    RUNNER.draw(a.pen.at(300, 280, 1.1), "proud", "desk", "none")
    props.desk(a.pen.at(320, 290), 200, 66, "#8f6248")
    a.say("THE NUMBER SIX, PLEASE. THE ONE WITH THE RED PEPPERS.", 300, 50, (304, 114), 320)
    b.pen.shape([(150, 300), (390, 300), (310, 90), (230, 90)], "#ffe27a", None)
    props.flame(b.pen.at(270, 282, 2.6))
    RUNNER.draw(b.pen.at(270, 168, 1.0), "gasp", "up", "jump")
    for x, y, turn in [
        (120, 60, 20),
        (460, 210, 60),
        (150, 160, 100),
        (380, 190, 10),
        (90, 220, 60),
    ]:
        b.pen.at(x, y, 1, tilt=turn).box(-16, -8, 32, 16, "#a9543f", 2)
    b.sound("FLOOOM!", 416, 120, 46, 10, "#e8554d")
    props.stars(c, 4, 1.0, 44)
    moon(c.pen.at(420, 140, 1.5), "calm", (-1, 0))
    RUNNER.draw(c.pen.at(130, 250, 1.1, tilt=-14), "dizzy", "up", "jump")
    c.say("GOOD EVENING. A CLEAR NIGHT TONIGHT.", 226, 56, (362, 114), 220)


@comic("deadpan_13", MIDDLE_LEFT3)
def low_tide(strip: Strip) -> None:
    """Two octopuses talk about the tide; nothing is funny about it."""
    a, b, c = strip.grounds("#f9d5dc", "#f9d5dc", "#f3c9b4")
    moods: list[tuple[Panel, Mood, Mood]]
    moods = [(a, "calm", "happy"), (b, "happy", "calm"), (c, "happy", "happy")]
    for panel, mood, other in moods:
        props.hills(panel, 282, "#e8a9b8")
        octopus(panel.pen.at(84, 310, 1.0), mood)
        octopus(panel.pen.at(252, 310, 1.0), other, "#5f7fc0")
    a.say("THE TIDE IS LOW THIS MORNING.", 130, 66, (88, 190), 200)
    b.say("YES, AND THE SAND IS STILL WARM.", 220, 66, (254, 190), 200)
    c.say("SHALL WE GO FOR A WALK?", 120, 62, (88, 190), 160)
    c.say("YES, LET'S.", 256, 122, (254, 190))


COMICS = (motherboard, low_on_cyan, quick_meeting, the_count, number_six, low_tide)
