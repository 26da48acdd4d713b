"""English comics outdoors and in the sky."""

from minisets.drawing import props
from minisets.drawing.animals import cow, dog, snail
from minisets.drawing.cast import (
    BOY,
    GRANNY,
    LINDA,
    RUNNER,
    alien,
    cloud,
    snowman,
    sun,
)
from minisets.drawing.faces import Mood
from minisets.drawing.pen import Pen
from minisets.pixelhumor.script import (
    GRID4,
    ROW2,
    ROW3,
    TALL2,
    comic,
)
from minisets.pixelhumor.stage import Panel, Strip


@comic("deadpan_14", ROW2, 20)
def running(strip: Strip) -> None:
    """How running feels, and how it looks."""
    a, b = strip.grounds("#ffd9a0", "#d6e8dc")
    for i in range(9):
        a.pen.shape([(215, 180), (-200 + i * 100, -60), (-150 + i * 100, -60)], "#ffe9bf", None)
    props.hills(a, 310, "#d98f4e")
    a.pen.blob(
        [(240, 198), (150, 192), (60, 160), (24, 206), (64, 236), (140, 262), (216, 262)], "#6b4aa8"
    )
    RUNNER.draw(a.pen.at(230, 326, 1.5), "proud", "run", "run")
    props.dashes(a.pen.at(120, 280), 100, 3)
    a.caption("HOW I FEEL WHEN I RUN")
    props.hills(b, 300, "#8fb878")
    RUNNER.draw(b.pen.at(110, 340, 1.4, tilt=8), "sick", "limp", "walk")
    for x, y in [(60, 150), (168, 160), (50, 200)]:
        b.pen.blob([(x, y - 8), (x + 4, y), (x, y + 4), (x - 4, y)], "#8fd0ea", width=1.6)
    snail(b.pen.at(300, 346, 1.3), "sly")
    b.caption("HOW I LOOK WHEN I RUN")
    b.say("ON YOUR LEFT.", 318, 190, (352, 268))


@comic("deadpan_15", TALL2, 20)
def packing(strip: Strip) -> None:
    """A dog and its owner pack for a trip."""
    a, b = strip.grounds("#cfe9f5", "#fde9c4")
    props.hills(a, 262, "#a8d08d")
    dog(a.pen.at(300, 318, 1.7), "glad")
    a.pen.ellipse(400, 302, 17, 17, "#d6e84a")
    a.pen.stroke([(388, 292), (400, 302), (394, 317)], "#ffffff", 3)
    a.caption("MY DOG, PACKED FOR A YEAR")
    props.floor(b, 270, "#f0d9a0")
    b.pen.box(-10, 236, 999, 34, "#7cc4dd")
    sun(b.pen.at(530, 84, 0.9), "happy")
    stack = [
        (90, 318, 110, 70, "#e2725b"),
        (214, 318, 100, 84, "#4f8fc0"),
        (96, 240, 90, 52, "#57a773"),
    ]
    stack += [
        (204, 226, 110, 60, "#f2b134"),
        (150, 162, 84, 48, "#9b72aa"),
        (330, 318, 96, 60, "#9b72aa"),
    ]
    for x, y, wide, high, colour in stack:
        props.suitcase(b.pen.at(x, y), wide, high, colour)
    LINDA.draw(b.pen.at(440, 322, 1.2), "worry", "head")
    b.caption("ME, PACKED FOR ONE NIGHT")
    b.think("WHAT IF IT SNOWS?", 316, 84, (404, 150), 190)


@comic("deadpan_16", GRID4, 20)
def snow_family(strip: Strip) -> None:
    """A little snowman asks what comes after winter."""
    a, b, c, d = strip.grounds("#c9dcf0", "#f3d9b8", "#f7c99a", "#ffe3a8")
    for panel, snow in ((a, "#f4f9ff"), (b, "#f4f9ff"), (c, "#e9f0dd"), (d, "#a8d08d")):
        props.hills(panel, 280, snow)
    moods: list[tuple[Panel, Mood, Mood]]
    moods = [(a, "calm", "happy"), (b, "stare", "happy"), (c, "worry", "calm")]
    for panel, mood, child in moods:
        snowman(panel.pen.at(150, 316, 1.35), mood)
        snowman(panel.pen.at(300, 318, 0.85), child, "#4f8fc0", False)
    a.say("DAD, WHAT COMES AFTER WINTER?", 290, 70, (306, 216), 190)
    sun(b.pen.at(372, 72, 0.85), "happy")
    sun(c.pen.at(372, 76, 1.05), "glad")
    c.say("A FAMILY SWIM, SON.", 226, 50, (176, 146), 130)
    sun(d.pen.at(340, 92, 1.2), "proud")
    for x, rx in ((108, 56), (300, 92)):
        d.pen.ellipse(x, 300, rx, 15, "#8fd0ea")
    d.pen.box(340, 270, 40, 22, "#453f5c", 2)
    d.pen.box(328, 290, 64, 7, "#453f5c", 3)
    for x in (100, 280):
        d.pen.shape([(x, 294), (x + 28, 299), (x, 304)], "#f28c38", width=1.8)
    d.say("ARE WE SWIMMING?", 140, 160, (106, 286), 130)
    d.say("YES.", 250, 216, (296, 288))


def _photo(pen: Pen, colour: str) -> None:
    pen.box(-15, -18, 30, 34, "#ffffff", 1, line=1.8)
    pen.box(-11, -14, 22, 20, colour, line=1.2)


@comic("deadpan_18", ROW3, 20)
def the_cloud(strip: Strip) -> None:
    """Grandma gets her photographs back."""
    a, b, c = strip.grounds("#f6e6d2", "#f6e6d2", "#a9d3ea")
    for panel in (a, b):
        props.floor(panel, 280, "#c58b6f")
    GRANNY.draw(a.pen.at(90, 332, 1.15), "worry", "give")
    props.phone(a.pen.at(154, 262, 0.42, tilt=12))
    BOY.draw(a.pen.at(256, 332, 0.95), "calm", "shrug")
    a.say("WHERE DID MY PHOTOS GO?", 146, 52, (96, 150), 160)
    a.say("TO THE CLOUD, GRAN.", 240, 132, (254, 186), 150)
    props.window(b.pen.at(110, 62), 200, 150, "#a9d3ea")
    cloud(b.pen.at(212, 136, 0.95), "calm", look=(-1, 1))
    GRANNY.draw(b.pen.at(70, 332, 1.15), "doubt", "think", look=(1, -1))
    props.hills(c, 296, "#8fbf7a")
    cloud(c.pen.at(216, 84, 1.35), "glad")
    spots = [
        (80, 130),
        (122, 186),
        (290, 180),
        (178, 160),
        (300, 250),
        (196, 216),
        (244, 168),
        (66, 206),
    ]
    for i, (x, y) in enumerate(spots):
        _photo(c.pen.at(x, y, 1, tilt=(i * 47) % 60 - 30), ("#f2b134", "#e2725b", "#57a773")[i % 3])
    GRANNY.draw(c.pen.at(130, 338, 0.8), "glad", "cheer")
    c.say("IT'S DOWNLOADING!", 240, 300, (158, 250), 160)


@comic("deadpan_19", ROW3, 20)
def tanned(strip: Strip) -> None:
    """A dog comments on the weather forecast."""
    a, b, c = strip.grounds("#9fb3c4", "#9fb3c4", "#8ea3b8")
    for i, panel in enumerate((a, b, c)):
        cloud(panel.pen.at(70, 20, 1.1), None, "#6f8194")
        cloud(panel.pen.at(250, 12, 1.2), None, "#7b8da0")
        props.floor(panel, 292, "#71808c")
        props.rain(panel, "#cfe3f0", i)
    props.umbrella(a.pen.at(80, 262), "#d64550", True)
    LINDA.draw(a.pen.at(130, 330, 1.1, True), "worry", "give")
    dog(a.pen.at(266, 330, 0.95), "bored", look=(-1, 0))
    a.say("THE FORECAST SAID SUNSHINE.", 226, 88, (146, 168), 160)
    dog(b.pen.at(116, 330, 1.5), "bored")
    b.say("OH, GOOD. I WAS WORRIED THIS WAS RAIN.", 200, 104, (140, 176), 230)
    dog(c.pen.at(116, 330, 1.5), "sly")
    c.sound("SPLASH", 258, 276, 34, 9, "#3f8fc4")
    c.say("FEEL MY FUR. SO TANNED.", 200, 104, (140, 176), 160)


def _field(panel: Panel) -> None:
    props.stars(panel, 3, 0.6)
    props.hills(panel, 262, "#4f7a58")


@comic("deadpan_21", GRID4)
def abduction(strip: Strip) -> None:
    """A saucer takes a cow; somebody stays behind."""
    a, b, c, d = strip.grounds("#333a6b", "#333a6b", "#333a6b", "#46407a")
    for panel in (a, b, c, d):
        _field(panel)
    cow(a.pen.at(220, 318, 1.3), "calm")
    props.saucer(a.pen.at(110, 70, 0.6))
    props.saucer(b.pen.at(215, 60, 1.2), "#f5eeb0")
    cow(b.pen.at(205, 258, 1.2, tilt=-10), "shock")
    props.saucer(c.pen.at(215, 60, 1.2), "#f5eeb0")
    alien(c.pen.at(215, 316, 1.1), "gasp")
    saucer = d.pen.at(270, 140, 1.9, tilt=-10)
    props.saucer(saucer)
    cow(d.pen.at(226, 172, 0.95, tilt=-10), "glad")
    _rim(saucer)
    alien(d.pen.at(80, 320, 1.1), "cry")


def _rim(pen: Pen) -> None:
    pen.ellipse(0, 4, 76, 20, "#9a93b5")
    for x in (-50, -26, 0, 26, 50):
        pen.ellipse(x, 8 - abs(x) / 12, 5, 4, "#ffe27a", width=1.6)


COMICS = (running, packing, snow_family, the_cloud, tanned, abduction)
