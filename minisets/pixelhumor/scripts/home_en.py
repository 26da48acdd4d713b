"""English comics at home: plants, cats, fish, phones."""

from minisets.drawing import props
from minisets.drawing.animals import cat, dog, fish
from minisets.drawing.cast import BOY, GIRL, LINDA, OFFICE_MAN, ghost, potted
from minisets.drawing.faces import Mood
from minisets.drawing.pen import Pen
from minisets.pixelhumor.script import (
    BACK_ROUND4,
    COLUMNS4,
    LEFTWARDS5,
    RISING_COLUMNS4,
    ROW3,
    ROW4,
    SNAKE6,
    comic,
)
from minisets.pixelhumor.stage import Panel, Strip


def _sill(panel: Panel) -> None:
    props.floor(panel, 262, "#e0b88a")
    props.window(panel.pen.at(206, 128), 92, 80, "#bfe3f2")
    props.table(panel.pen.at(250, 330), 130, 66)


@comic("deadpan_1", ROW3)
def monday(strip: Strip) -> None:
    """A neglected plant cross-examines its owner."""
    a, b, c = strip.grounds("#fbe8d0", "#fbe8d0", "#f9d9c4")
    for panel in (a, b, c):
        _sill(panel)
    LINDA.draw(a.pen.at(90, 330, 1.15), "happy", "give")
    potted(a.pen.at(256, 254, 0.95), "bored", True)
    a.say("I WATERED YOU ON MONDAY!", 168, 50, (98, 152))
    LINDA.draw(b.pen.at(90, 330, 1.15), "stare", "down", look=(1, 0))
    potted(b.pen.at(256, 254, 0.95), "doubt", True, (-1, 0))
    b.say("WHICH MONDAY, LINDA?", 214, 52, (250, 176))
    LINDA.draw(c.pen.at(90, 330, 1.15), "worry", "think", look=(-1, 0))
    potted(c.pen.at(256, 254, 0.95), "angry", True, (-1, 0))
    c.say("SAY THE MONTH, LINDA.", 214, 52, (250, 176))


@comic("deadpan_2", BACK_ROUND4)
def bowl_war(strip: Strip) -> None:
    """A cat knocks a glass down; the owner has learned from it."""
    a, b, c, d = strip.grounds("#dcebe0", "#dcebe0", "#f3d9c0", "#dcebe0")
    for panel in (a, b, d):
        props.floor(panel, 285, "#b98f6b")
        props.window(panel.pen.at(40, 36), 110, 84, "#bfe3f2")
        panel.pen.box(210, 40, 74, 54, "#c98d5a", 2)
        panel.pen.box(218, 48, 58, 38, "#fdf3e0")
        fish(panel.pen.at(250, 67, 0.45), "calm")
        props.table(panel.pen.at(150, 330), 230, 100, "#8f6248")
    cat(a.pen.at(110, 220), "sly", "sit", look=(1, 0))
    props.glass(a.pen.at(200, 220))
    GIRL.draw(a.pen.at(340, 328, 1.15, True), "angry", "point")
    cat(b.pen.at(120, 220), "sly", "paw", look=(1, 0))
    props.glass(b.pen.at(216, 214, 1, tilt=24))
    GIRL.draw(b.pen.at(340, 328, 1.15, True), "gasp", "head")
    props.burst(c.pen.at(215, 190), 150, "#ffe27a")
    for x, y, turn in [(120, 250, 20), (180, 275, 80), (255, 270, 140), (310, 245, 200)]:
        c.pen.at(x, y, 1.2, tilt=turn).shape([(-14, 8), (0, -16), (12, 6)], "#eaf7fb")
    c.pen.blob([(110, 300), (180, 288), (270, 290), (330, 304), (220, 318)], "#8fd0ea")
    c.sound("CRASH!", 215, 150, 72, 9, "#e8554d")
    cat(d.pen.at(110, 220), "shock", "sit", look=(1, 0))
    GIRL.draw(d.pen.at(335, 328, 1.15, True), "sly", "reach", look=(1, 0))
    props.bowl(d.pen.at(262, 250, 1, tilt=40))
    d.sound("CLINK", 215, 290, 36, -6, "#e8903a")


def _sheet(pen: Pen) -> None:
    pen.blob(
        [(-24, -128), (0, -146), (26, -128), (44, -96), (20, -108), (-20, -110), (-40, -94)],
        "#ffffff",
    )


@comic("deadpan_3", ROW4)
def under_the_sheet(strip: Strip) -> None:
    """A child in a sheet meets a ghost: who is under which sheet?"""
    a, b, c, d = strip.grounds("#3e4a78", "#3e4a78", "#3e4a78", "#4a3f78")
    for i, panel in enumerate((a, b, c, d)):
        props.stars(panel, 5, 0.5)
        panel.pen.ellipse(128, 58, 26, 26, "#f7e9b0")
        props.hills(panel, 272 + i % 2, "#5a7d5a")
    for panel, mood in ((a, "calm"), (b, "happy")):
        for x in (-10, 10):
            panel.pen.limb([(74 + x, 290), (74 + x, 302)], "#38547a", 10)
            panel.pen.ellipse(78 + x, 305, 9, 5, "#2b2438")
        ghost(panel.pen.at(74, 296, 1.05), "glad" if panel is b else "calm", look=(1, 0))
        ghost(
            panel.pen.at(205, 286, 1.25), "calm" if mood == "calm" else "happy", "#dff3ee", (-1, 0)
        )
    BOY.draw(c.pen.at(78, 308, 1), "glad", "cheer", look=(1, 0))
    _sheet(c.pen.at(78, 300, 1.05))
    ghost(c.pen.at(205, 286, 1.25), "proud", "#dff3ee", (-1, 0))
    BOY.draw(d.pen.at(66, 308, 1), "gasp", "up", look=(1, 0))
    cat(d.pen.at(202, 308, 0.86), "bored", "sit", "#8f8aa3")
    cat(d.pen.at(202, 234, 0.86), "glad", "sit", "#f0a04b")
    cat(d.pen.at(202, 160, 0.86), "sly", "up", "#6b5a58")
    d.pen.at(202, 158).blob(
        [(-26, -82), (0, -94), (26, -82), (46, -56), (22, -68), (-22, -68), (-46, -56)], "#dff3ee"
    )


def _tank(panel: Panel) -> None:
    props.floor(panel, 270, "#a5744f")
    props.fishbowl(panel.pen.at(215, 196), 150, 112)
    props.castle(panel.pen.at(150, 272, 0.9))


@comic("deadpan_4", RISING_COLUMNS4)
def castle(strip: Strip) -> None:
    """Two fish have a new castle; nothing is funny about it."""
    a, b, c, d = strip.grounds("#fdeccb", "#fdeccb", "#fdeccb", "#fbdcd2")
    for panel in (a, b, c, d):
        _tank(panel)
    fish(a.pen.at(224, 170, 0.95, True), "happy")
    fish(a.pen.at(300, 226, 0.8, True), "calm", "#7f9fd6")
    a.say("LOOK, THE CASTLE IS NEW.", 230, 40, (214, 140), 300)
    fish(b.pen.at(222, 186, 0.95), "calm")
    fish(b.pen.at(304, 204, 0.8, True), "happy", "#7f9fd6")
    b.say("I LIKE THE TWO TOWERS.", 220, 40, (308, 178), 280)
    fish(c.pen.at(212, 186, 0.95), "happy")
    fish(c.pen.at(304, 204, 0.8, True), "calm", "#7f9fd6")
    c.say("SO DO I.", 160, 40, (208, 158))
    fish(d.pen.at(236, 176, 0.95), "calm")
    fish(d.pen.at(298, 222, 0.8), "calm", "#7f9fd6")


@comic("deadpan_5", LEFTWARDS5)
def one_percent(strip: Strip) -> None:
    """A dying phone has seen the light."""
    a, b, c, d, e = strip.grounds("#e8e1f4", "#f6d5d5", "#fdeccb", "#dff0ea", "#e8e1f4")
    props.phone(a.pen.at(90, 210, 1.5, tilt=-8), "sick", "#c9ced8")
    a.say("ONE PERCENT... GO ON... WITHOUT ME...", 222, 70, (122, 170), 170)
    OFFICE_MAN.draw(b.pen.at(110, 300, 1.15), "cry", "give")
    props.phone(b.pen.at(176, 226, 0.7, tilt=14), "dizzy", "#c9ced8")
    b.shout("NO! STAY WITH ME!", 220, 66, (136, 150), 170)
    props.floor(c, 262, "#e0b88a")
    OFFICE_MAN.draw(c.pen.at(170, 296, 1.15), "gasp", "reach", "run")
    props.dashes(c.pen.at(104, 160), 80, 5)
    props.phone(c.pen.at(242, 204, 0.5, tilt=20))
    c.sound("ZOOM!", 190, 66, 50, 8, "#f2b134")
    props.floor(d, 246, "#c9b79a")
    d.pen.stroke([(130, 262), (132, 296), (220, 288), (330, 300), (420, 268)], "#453f5c", 5)
    props.phone(d.pen.at(130, 200, 1.5), "happy", "#e3f6c8")
    d.pen.box(412, 176, 54, 58, "#ffffff", 6)
    d.pen.stroke([(439, 212), (439, 240), (420, 268)], "#453f5c", 5)
    d.pen.box(430, 194, 18, 22, "#453f5c", 4)
    d.say("I SAW IT. I SAW A BRIGHT WHITE LIGHT.", 310, 80, (166, 180), 230)
    OFFICE_MAN.draw(e.pen.at(390, 340, 1.3, True), "stare", "down")
    props.floor(e, 258, "#c9b79a")
    e.pen.shape([(140, 160), (-60, 20), (-60, 300)], "#fff8c9", None)
    props.phone(e.pen.at(170, 206, 1.5), "bored", "#e3f6c8")
    e.say("IT WAS YOUR FLASHLIGHT. IT HAS BEEN ON SINCE TUESDAY.", 280, 62, (200, 156), 340)


def _lounge(panel: Panel) -> None:
    props.floor(panel, 246, "#d8b48c")


def _boat(pen: Pen) -> None:
    pen.shape([(-100, -52), (100, -52), (72, 0), (-72, 0)], "#c98d5a")
    for y in (-36, -18):
        pen.stroke([(-90 - y / 3, y), (90 + y / 3, y)], "#8a5a3c", 2)


@comic("deadpan_6", SNAKE6, 18)
def flat_pack(strip: Strip) -> None:
    """Somebody builds furniture from a kit."""
    a, b, c, d, e, f = strip.grounds(
        "#dfeaf0", "#dfeaf0", "#f6d5b8", "#dfeaf0", "#dfeaf0", "#f3e3f0"
    )
    for panel in (a, b, d, e, f):
        _lounge(panel)
    f.pen.shape([(64, 130), (-40, 260), (190, 260)], "#fff3b0", None)
    BOY.draw(a.pen.at(86, 288), "proud", "hips")
    a.pen.box(170, 216, 130, 66, "#d2a070", 3)
    a.sign("LAMP KIT", 235, 250, 20)
    a.say("HOW HARD CAN IT BE?", 190, 54, (100, 130), 150)
    BOY.draw(b.pen.at(110, 288), "doubt", "give")
    b.pen.at(165, 224, tilt=-8).box(-6, -54, 62, 76, "#ffffff", 2)
    for y in (-36, -22, -8):
        b.pen.at(165, 224, tilt=-8).stroke([(4, y), (46, y)], "#8f8aa3", 3)
    cat(b.pen.at(276, 288, 0.8), "bored", look=(-1, 0))
    b.say("STEP ONE: FIND HAPPINESS?", 195, 54, (122, 130), 180)
    props.burst(c.pen.at(168, 160), 128, "#ffe27a")
    c.pen.at(190, 226, 1.6, tilt=-32).box(-5, -60, 10, 62, "#8a5a3c", 3)
    c.pen.at(190, 226, 1.6, tilt=-32).box(-22, -76, 44, 20, "#8f8aa3", 3)
    c.sound("BANG!", 176, 66, 52, 7, "#e8554d")
    BOY.draw(d.pen.at(94, 288), "worry", "give", look=(1, 1))
    for x in (138, 152, 168):
        d.pen.at(x, 216).box(-3, -8, 5, 14, "#8f8aa3", 1, line=1.6)
    cat(d.pen.at(276, 288, 0.8), "doubt", look=(-1, 0))
    d.say("ONLY FORTY SCREWS LEFT OVER.", 190, 54, (106, 130), 170)
    _boat(e.pen.at(206, 288, 1.0))
    LINDA.draw(e.pen.at(66, 292), "stare", "down", look=(1, 0))
    cat(e.pen.at(206, 238, 0.8), "happy", "up")
    e.say("IT'S A BOAT.", 190, 50, (84, 136))
    LINDA.draw(f.pen.at(210, 270), "bored", "crossed", "none")
    BOY.draw(f.pen.at(132, 270), "proud", "cheer", "none")
    cat(f.pen.at(274, 246, 0.7), "glad")
    _boat(f.pen.at(180, 288, 1.2))
    f.pen.stroke([(64, 234), (64, 158)], "#8f8aa3", 5)
    f.pen.shape([(40, 162), (88, 162), (76, 126), (52, 126)], "#ffe27a")
    f.say("BUT LOOK HOW IT LIGHTS UP THE ROOM!", 206, 52, (140, 112), 210)


def _hall(panel: Panel) -> None:
    props.floor(panel, 268, "#9a7b6b")
    panel.pen.box(-10, 230, 999, 12, "#f3e7d3")


@comic("deadpan_7", COLUMNS4)
def cake_case(strip: Strip) -> None:
    """Inspector Dog solves the case of the eaten cake."""
    a, b, c, d = strip.grounds("#cfd8ea", "#e9dff0", "#f6dcc4", "#cfd8ea")
    for panel in (a, b, c, d):
        _hall(panel)
    _inspector(a.pen.at(110, 322, 1.35), False)
    props.table(a.pen.at(330, 325), 150, 60)
    a.pen.ellipse(330, 250, 56, 8, "#ffffff")
    a.pen.blob([(300, 248), (306, 240), (330, 244), (352, 238), (360, 248)], "#e6b3c4")
    a.say("I HEARD A THUD. SOMEBODY IN THIS ROOM ATE THE CAKE.", 280, 66, (150, 180), 260)
    GIRL.draw(b.pen.at(90, 322, 1.15), "worry", "down")
    OFFICE_MAN.draw(b.pen.at(210, 322, 1.15), "stare", "crossed")
    cat(b.pen.at(340, 322, 1.3), "shock")
    b.say("NOT ME.", 110, 70, (92, 140))
    b.say("WE WERE ALL ASLEEP.", 270, 62, (216, 140), 180)
    _inspector(c.pen.at(130, 322, 1.35), True)
    c.shout("AND THE FROSTING NEVER LIES!", 300, 76, (176, 186), 190)
    GIRL.draw(d.pen.at(60, 322, 1.1), "bored", "crossed", look=(1, 0))
    OFFICE_MAN.draw(d.pen.at(155, 322, 1.1), "bored", "hips", look=(1, 0))
    cat(d.pen.at(240, 322, 1.1), "bored", look=(1, 0))
    _inspector(d.pen.at(360, 322, 1.2), True, True)
    d.say("...CASE CLOSED.", 310, 70, (352, 172))


def _inspector(pen: Pen, frosted: bool, caught: bool = False) -> None:
    mood: Mood = "worry" if caught else "gloat" if frosted else "doubt"
    dog(pen, mood, point=frosted and not caught, look=(0, 0))
    pen.shape([(-28, -98), (28, -98), (22, -122), (-16, -124)], "#7a6650")
    pen.box(-36, -102, 72, 8, "#7a6650", 4)
    if frosted:
        for x, y in [(-17, -66), (15, -70), (18, -62), (-12, -58), (4, -56)]:
            pen.ellipse(x, y, 6, 4.5, "#f7a8c4", "#c9688c", 1.4)


COMICS = (monday, bowl_war, under_the_sheet, castle, one_percent, flat_pack, cake_case)
