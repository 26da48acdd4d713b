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
from minisets.pixelhumor.script import COLUMNS4, LEFTWARDS3, RISING2, ROUND4, ROW2, ROW3, comic
from minisets.pixelhumor.stage import Panel, Strip


@comic("deadpan_14", ROW2, 20)
def running(strip: Strip) -> None:
    """How running feels, and how it looks."""
    a, b = strip.grounds("#d6e8dc", "#ffd9a0")
    props.hills(a, 300, "#8fb878")
    RUNNER.draw(a.pen.at(110, 340, 1.4, tilt=8), "sick", "limp", "walk")
    for x, y in [(60, 150), (168, 160), (50, 200)]:
        a.pen.blob([(x, y - 8), (x + 4, y), (x, y + 4), (x - 4, y)], "#8fd0ea", width=1.6)
    snail(a.pen.at(300, 346, 1.3), "sly")
    a.caption("HOW I LOOK WHEN I RUN")
    a.say("ON YOUR LEFT.", 318, 190, (352, 268))
    for i in range(9):
        b.pen.shape([(215, 180), (-200 + i * 100, -60), (-150 + i * 100, -60)], "#ffe9bf", None)
    props.hills(b, 310, "#d98f4e")
    b.pen.blob(
        [(240, 198), (150, 192), (60, 160), (24, 206), (64, 236), (140, 262), (216, 262)], "#6b4aa8"
    )
    RUNNER.draw(b.pen.at(230, 326, 1.5), "proud", "run", "run")
    props.dashes(b.pen.at(120, 280), 100, 3)
    b.caption("HOW I FEEL WHEN I RUN")
    b.sound("PAT PAT", 336, 316, 32, 6, "#57a773")


@comic("deadpan_15", RISING2, 20)
def packing(strip: Strip) -> None:
    """Somebody packs for a trip; nothing is funny about it."""
    a, b = strip.grounds("#f3e3c9", "#cfe9f5")
    props.floor(a, 262, "#c58b6f")
    props.window(a.pen.at(430, 70), 120, 110, "#bfe3f2")
    props.suitcase(a.pen.at(330, 318), 110, 76, "#4f8fc0")
    LINDA.draw(a.pen.at(210, 322, 1.25), "calm", "give")
    a.say("TWO SHIRTS AND A BOOK. THAT IS ENOUGH FOR ONE NIGHT.", 210, 64, (214, 146), 300)
    a.sound("KLAK", 440, 290, 34, 6, "#f2b134")
    props.floor(b, 270, "#f0d9a0")
    b.pen.box(-10, 236, 999, 34, "#7cc4dd")
    cloud(b.pen.at(500, 84, 0.9))
    props.suitcase(b.pen.at(250, 322), 110, 76, "#4f8fc0")
    LINDA.draw(b.pen.at(350, 322, 1.25), "happy", "down", look=(1, 0))
    b.say("HERE WE ARE. THE SEA IS CALM TODAY.", 250, 64, (344, 146), 260)


@comic("deadpan_16", ROUND4, 20)
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
    d.sound("PLIP", 60, 240, 30, 8, "#4f8fc0")


@comic("deadpan_18", LEFTWARDS3, 20)
def the_photos(strip: Strip) -> None:
    """Grandma finds her photographs again; nothing is funny about it."""
    a, b, c = strip.grounds("#f6e6d2", "#f6e6d2", "#f6e6d2")
    for panel in (a, b, c):
        props.floor(panel, 280, "#c58b6f")
    GRANNY.draw(a.pen.at(90, 332, 1.15), "worry", "give")
    props.phone(a.pen.at(154, 262, 0.42, tilt=12))
    BOY.draw(a.pen.at(256, 332, 0.95), "calm", "down", look=(-1, 0))
    a.say("IT WENT DING. WHERE ARE MY PHOTOS?", 160, 60, (96, 150), 200)
    GRANNY.draw(b.pen.at(80, 332, 1.15), "calm", "down", look=(1, 0))
    BOY.draw(b.pen.at(250, 332, 0.95, True), "calm", "give", look=(-1, 0))
    props.phone(b.pen.at(190, 268, 0.42, tilt=-12))
    b.say("IN THIS FOLDER. LOOK.", 230, 92, (254, 190), 150)
    props.window(c.pen.at(220, 80), 90, 80, "#a9d3ea")
    GRANNY.draw(c.pen.at(90, 332, 1.15), "happy", "give")
    props.phone(c.pen.at(154, 262, 0.42, tilt=12))
    BOY.draw(c.pen.at(256, 332, 0.95), "calm", "down", look=(-1, 0))
    c.say("THERE THEY ARE. THANK YOU.", 130, 60, (96, 150), 160)


@comic("deadpan_19", ROW3, 20)
def in_the_rain(strip: Strip) -> None:
    """A walk with the dog in the rain; nothing is funny about it."""
    a, b, c = strip.grounds("#9fb3c4", "#9fb3c4", "#8ea3b8")
    for i, panel in enumerate((a, b, c)):
        cloud(panel.pen.at(70, 20, 1.1), None, "#6f8194")
        cloud(panel.pen.at(250, 12, 1.2), None, "#7b8da0")
        props.floor(panel, 292, "#71808c")
        props.rain(panel, "#cfe3f0", i)
    props.umbrella(a.pen.at(80, 262), "#d64550")
    LINDA.draw(a.pen.at(130, 330, 1.1, True), "calm", "give")
    dog(a.pen.at(266, 330, 0.95), "calm", look=(-1, 0))
    a.say("IT IS RAINING AGAIN.", 226, 88, (146, 168), 160)
    props.umbrella(b.pen.at(76, 262), "#d64550")
    LINDA.draw(b.pen.at(126, 330, 1.1, True), "calm", "give", "walk")
    dog(b.pen.at(256, 330, 0.95), "calm", look=(-1, 0))
    b.sound("SPLASH", 252, 200, 34, 9, "#3f8fc4")
    props.umbrella(c.pen.at(80, 262), "#d64550")
    LINDA.draw(c.pen.at(130, 330, 1.1, True), "happy", "give")
    dog(c.pen.at(266, 330, 0.95), "happy", look=(-1, 0))
    c.say("GOOD DOG. WE ARE NEARLY HOME.", 226, 84, (146, 168), 180)


def _field(panel: Panel) -> None:
    props.stars(panel, 3, 0.6)
    props.hills(panel, 262, "#4f7a58")


@comic("deadpan_21", COLUMNS4)
def abduction(strip: Strip) -> None:
    """A saucer takes a cow; somebody stays behind."""
    a, b, c, d = strip.grounds("#333a6b", "#333a6b", "#333a6b", "#46407a")
    for panel in (a, b, c, d):
        _field(panel)
    props.saucer(a.pen.at(215, 60, 1.2), "#f5eeb0")
    cow(a.pen.at(205, 258, 1.2, tilt=-10), "shock")
    props.saucer(b.pen.at(215, 60, 1.2), "#f5eeb0")
    alien(b.pen.at(215, 316, 1.1), "gasp")
    saucer = c.pen.at(270, 140, 1.9, tilt=-10)
    props.saucer(saucer)
    cow(c.pen.at(226, 172, 0.95, tilt=-10), "glad")
    _rim(saucer)
    alien(c.pen.at(80, 320, 1.1), "cry")
    alien(d.pen.at(215, 316, 1.1), "sad")


def _rim(pen: Pen) -> None:
    pen.ellipse(0, 4, 76, 20, "#9a93b5")
    for x in (-50, -26, 0, 26, 50):
        pen.ellipse(x, 8 - abs(x) / 12, 5, 4, "#ffe27a", width=1.6)


COMICS = (running, packing, snow_family, the_photos, in_the_rain, abduction)
