"""Chinese comics at home."""

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import (
    BOY,
    CODER,
    GIRL,
    MUM,
    moon,
    robot,
    sun,
)
from minisets.drawing.faces import Mood
from minisets.drawing.pen import Pen
from minisets.pixelhumor.script import (
    INSIDE_OUT4,
    LEFTWARDS4,
    MIDDLE_LEFT3,
    ROW2,
    SNAKE6,
    TALL3,
    comic,
)
from minisets.pixelhumor.stage import Panel, Strip


def _cake(pen: Pen) -> None:
    pen.box(-26, -26, 52, 26, "#f7d9a8", 4)
    pen.blob(
        [(-28, -26), (-20, -36), (0, -38), (20, -36), (28, -26), (10, -20), (-10, -22)], "#f7a8c4"
    )
    pen.ellipse(0, -42, 6, 6, "#e8465a", width=1.8)
    pen.box(-36, -2, 72, 5, "#ffffff", 2)


@comic("deadpanzh_1", MIDDLE_LEFT3, 21)
def birthday_cake(strip: Strip) -> None:
    """A girl brings her mother a cake; nothing is funny about it."""
    a, b, c = strip.grounds("#fbe3d6", "#fbe3d6", "#fbdcc9")
    for panel in (a, b, c):
        props.floor(panel, 276, "#d8b48c")
    a.pen.box(226, 100, 90, 180, "#a9714b", 3)
    a.pen.ellipse(242, 196, 5, 5, "#f2b134")
    GIRL.draw(a.pen.at(100, 330, 1.2), "happy", "give")
    _cake(a.pen.at(164, 258, 0.9))
    a.say("叮咚，妈妈开门！", 140, 62, (106, 146), 210)
    MUM.draw(b.pen.at(250, 330, 1.2, True), "happy", "down")
    GIRL.draw(b.pen.at(90, 330, 1.15), "happy", "give")
    _cake(b.pen.at(154, 262, 0.9))
    b.say("生日快乐！", 130, 62, (96, 150), 190)
    props.table(c.pen.at(180, 336), 120, 66)
    _cake(c.pen.at(180, 260, 0.9))
    GIRL.draw(c.pen.at(70, 330, 1.1), "calm", "down")
    MUM.draw(c.pen.at(276, 330, 1.15, True), "happy", "down")
    c.say("谢谢，\n我们一起吃吧。", 190, 62, (268, 146), 200)


def _kitchen(panel: Panel) -> None:
    props.floor(panel, 262, "#c9b79a")
    for x in range(0, 460, 46):
        panel.pen.box(x, -4, 46, 46, "#f7fbf8", ink="#c9dcd4", line=1.5)


@comic("deadpanzh_2", LEFTWARDS4, 22)
def a_pinch(strip: Strip) -> None:
    """A robot learns to cook soup; nothing is funny about it."""
    a, b, c, d = strip.grounds("#dff0e6", "#dff0e6", "#f7e3c4", "#dff0e6")
    for panel in (a, b, c, d):
        _kitchen(panel)
    MUM.draw(a.pen.at(100, 326, 1.25), "happy", "point")
    robot(a.pen.at(320, 326, 1.05), "happy")
    a.say("最后，放盐少许。", 170, 76, (110, 140), 250)
    robot(b.pen.at(130, 326, 1.2), "calm", ((-40, -46), (46, -104)))
    b.think("少许就是两克，\n我记住了。", 300, 90, (176, 170), 190)
    _pot(c.pen.at(250, 300, 1.3))
    robot(c.pen.at(110, 326, 1.1), "calm")
    c.say("再煮十分钟。", 190, 76, (116, 166), 250)
    robot(d.pen.at(320, 326, 1.05), "happy")
    MUM.draw(d.pen.at(110, 326, 1.25), "happy", "give")
    props.bowl(d.pen.at(180, 250, 0.9))
    d.say("味道正好，谢谢。", 170, 76, (118, 140), 250)


def _pot(pen: Pen) -> None:
    pen.box(-90, 0, 180, 40, "#8f8aa3", 4)
    pen.box(-54, -52, 108, 52, "#d64550", 8)
    pen.ellipse(0, -52, 54, 11, "#f7d9a8")
    for x in (-66, 54):
        pen.box(x, -40, 12, 10, "#453f5c", 3)
    for x in (-22, 4, 28):
        pen.stroke([(x, -72), (x + 7, -84), (x, -96), (x + 6, -108)], "#ffffff", 4)


@comic("deadpanzh_3", TALL3, 22)
def night_shift(strip: Strip) -> None:
    """The moon hands over to the sun."""
    a, b, c = strip.grounds("#4b4f8f", "#7a6a9c", "#f0a878")
    props.stars(a, 7, 0.9)
    moon(a.pen.at(130, 170, 1.2), "calm", (1, 0))
    sun(a.pen.at(410, 180, 1.1), "calm", (-1, 0))
    a.say("我来交班。", 160, 62, (136, 118))
    a.say("昨晚有情况吗？", 390, 62, (408, 112))
    b.pen.box(-10, 210, 999, 90, "#c9785c")
    moon(b.pen.at(80, 110, 0.95), "bored", (1, 0))
    sun(b.pen.at(440, 116, 1.0), "doubt", (-1, 1))
    CODER.draw(b.pen.at(250, 286, 1.05), "sick", "desk", "none")
    props.desk(b.pen.at(262, 290), 220, 36, "#8f6248")
    props.laptop(b.pen.at(300, 246, 0.8))
    b.say("再改一版就睡。", 260, 56, (254, 124), 200)
    b.say("他昨天也这么说。", 116, 190, (90, 152), 180)
    c.pen.box(50, 60, 250, 260, "#b5654a")
    for x in (70, 146, 222):
        for y in (84, 168):
            c.pen.box(x, y, 56, 54, "#ffe9c4")
    sun(c.pen.at(440, 150, 1.2), "calm", (-1, 0))
    c.say("好，我接班了。", 400, 56, (434, 98), 200)


@comic("deadpanzh_4", ROW2, 22)
def cat_bed(strip: Strip) -> None:
    """What the shop showed, and what the cat chose."""
    a, b = strip.grounds("#e5ecdb", "#f5e1ef")
    props.floor(a, 280, "#c9b48c")
    _bed(a.pen.at(120, 340, 0.85))
    cat(a.pen.at(310, 310, 1.25), "glad", "sit", "#8f8aa3")
    a.pen.shape([(236, 262), (384, 262), (376, 346), (244, 346)], "#c99a63")
    a.pen.shape([(236, 262), (206, 284), (214, 292), (244, 276)], "#d9ae7a")
    a.pen.shape([(384, 262), (414, 284), (406, 292), (376, 276)], "#d9ae7a")
    a.caption("我家的猫收到了新买的豪华猫窝")
    props.floor(b, 280, "#d9b8d0")
    _bed(b.pen.at(215, 330, 1.3))
    cat(b.pen.at(215, 300, 1.4), "proud", "loaf", "#f4efe6")
    for x, y in [(70, 150), (360, 140), (330, 210), (90, 230)]:
        star = [(0, -14), (4, -4), (14, 0), (4, 4), (0, 14), (-4, 4), (-14, 0), (-4, -4)]
        b.pen.at(x, y).shape(star, "#ffe27a", width=1.6)
    b.caption("商店里的猫也收到了同样的猫窝")


def _bed(pen: Pen) -> None:
    pen.ellipse(0, -16, 96, 26, "#c77fa8")
    pen.ellipse(0, -22, 72, 16, "#fbeaf3")
    pen.blob(
        [(-96, -16), (-60, 2), (0, 8), (60, 2), (96, -16), (84, 14), (0, 22), (-84, 14)], "#d994b8"
    )


def _street(panel: Panel, seed: int) -> None:
    panel.pen.box(-10, 60, 110, 220, "#8796ab")
    for y in (84, 140, 196):
        panel.pen.box(30, y, 40, 34, "#f5e6a0")
    props.floor(panel, 268, "#78838f")
    props.rain(panel, "#d5e6f0", seed)


@comic("deadpanzh_5", INSIDE_OUT4, 22)
def lent_umbrella(strip: Strip) -> None:
    """Somebody walks through the rain to the bus; nothing is funny about it."""
    a, b, c, d = strip.grounds("#a9b8c6", "#a9b8c6", "#9fb0c0", "#b3c3cf")
    for i, panel in enumerate((a, b, c, d)):
        _street(panel, i + 3)
    CODER.draw(a.pen.at(140, 306, 1.05), "calm", "give")
    props.umbrella(a.pen.at(188, 240, 1.1), "#d64550")
    a.sound("哗哗", 204, 54, 40, 8, "#3f8fc4")
    CODER.draw(b.pen.at(110, 306, 1.05), "calm", "give", "walk")
    props.umbrella(b.pen.at(158, 240, 1.1), "#d64550")
    b.say("今天雨真大。", 150, 66, (114, 160), 180)
    for panel in (c, d):
        panel.pen.stroke([(224, 110), (224, 300)], width=5)
        panel.pen.box(196, 84, 56, 44, "#4f8fc0", 4)
        panel.pen.box(206, 94, 36, 18, "#ffffff", 3, line=1.6)
    CODER.draw(c.pen.at(110, 306, 1.05), "calm", "give")
    props.umbrella(c.pen.at(158, 240, 1.1), "#d64550")
    CODER.draw(d.pen.at(60, 306, 1.05), "happy", "give")
    props.umbrella(d.pen.at(108, 240, 1.1), "#d64550")
    d.say("车来了。", 140, 60, (70, 156))


BALLS = ("#e2725b", "#4f8fc0", "#57a773", "#f2b134", "#9b72aa")


@comic("deadpanzh_6", SNAKE6, 21)
def dress_warm(strip: Strip) -> None:
    """Mother thinks it is cold outside."""
    a, b, c, d, e, f = strip.grounds(
        "#dcebf5", "#dcebf5", "#dcebf5", "#dcebf5", "#e9f3fa", "#e9f3fa"
    )
    for panel in (a, b, c, d):
        props.floor(panel, 250, "#c9a98a")
    MUM.draw(a.pen.at(90, 290, 1.05), "worry", "give", look=(1, 0))
    BOY.draw(a.pen.at(248, 290, 0.95), "calm", "down")
    a.say("降温了，多穿一件。", 180, 56, (98, 128), 200)
    MUM.draw(b.pen.at(90, 290, 1.05), "doubt", "give", look=(1, 0))
    _coated(b.pen.at(248, 290, 0.95), 2, "calm")
    b.say("再来一件。", 160, 56, (98, 128))
    MUM.draw(c.pen.at(80, 290, 1.05), "angry", "give", look=(1, 0))
    _coated(c.pen.at(240, 290, 0.95), 4, "worry")
    c.say("还有这件。", 160, 56, (88, 128))
    _coated(d.pen.at(168, 290, 1.15), 7, "stare")
    d.say("妈，我放不下手了。", 210, 46, (176, 106), 200)
    for panel in (e, f):
        panel.pen.shape([(-10, 190), (350, 290), (350, 310), (-10, 310)], "#ffffff")
    _coated(e.pen.at(106, 186, 0.9, tilt=70), 7, "dizzy")
    props.dashes(e.pen.at(70, 90), 50, 3)
    e.sound("骨碌碌！", 236, 66, 44, 8, "#4f8fc0")
    MUM.draw(f.pen.at(70, 226, 0.95), "calm", "wave")
    f.say("路上小心。", 210, 64, (98, 110), 150)


def _coated(pen: Pen, layers: int, mood: Mood) -> None:
    """A boy in so many coats; his head stays on top."""
    wide = 22 + layers * 9
    for x in (-12, 12):
        pen.limb([(x, -24), (x, -5)], "#38547a", 11)
        pen.ellipse(x + 3, -3, 10, 5, "#2b2438")
    for side in (-1, 1):
        pen.limb([(side * (wide - 12), -70), (side * (wide + 12), -66)], BALLS[layers % 5], 15)
        pen.ellipse(side * (wide + 22), -65, 7, 7, "#f6c9a6")
    for i in range(layers):
        pen.ellipse(0, -56 - i * 2.4, wide - i * 8, 41 - i * 4, BALLS[(layers - i) % 5])
    BOY.head(pen, mood)


COMICS = (birthday_cake, a_pinch, night_shift, cat_bed, lent_umbrella, dress_warm)
