"""Chinese comics at work, at the doctor's, on the way."""

from minisets.drawing import props
from minisets.drawing.animals import cat, fish, turtle
from minisets.drawing.cast import (
    BOSS,
    BOY,
    CODER,
    DOCTOR,
    GIRL,
    MUM,
    OFFICE_MAN,
    cloud,
    reaper,
)
from minisets.drawing.faces import Mood
from minisets.drawing.pen import INK, Pen, arc
from minisets.drawing.people import Person
from minisets.pixelhumor.script import (
    BACK_ROUND4,
    GRID4,
    LEFT_RIGHT3,
    LEFTWARDS2,
    LEFTWARDS2_1,
    MIDDLE_RIGHT3,
    TALL4,
    comic,
)
from minisets.pixelhumor.stage import Panel, Strip


def _clinic(panel: Panel) -> None:
    props.floor(panel, 270, "#a9c9c4")
    panel.pen.box(138, 106, 62, 56, "#ffffff", 4)
    panel.pen.box(162, 115, 14, 38, "#e8554d", ink=None)
    panel.pen.box(150, 127, 38, 14, "#e8554d", ink=None)


@comic("deadpanzh_7", MIDDLE_RIGHT3, 22)
def inner_heat(strip: Strip) -> None:
    """The doctor's diagnosis is taken at its word."""
    a, b, c = strip.grounds("#fbd9b8", "#e6f3f0", "#e6f3f0")
    for panel in (b, c):
        _clinic(panel)
    props.floor(a, 270, "#a9c9c4")
    props.flame(a.pen.at(96, 204, 1.5))
    BOY.draw(a.pen.at(96, 330, 1.15), "gasp", "up")
    DOCTOR.draw(a.pen.at(262, 330, 1.15, True), "bored", "think")
    a.sound("呼啦！", 78, 96, 40, 9, "#e8554d")
    a.say("你这是上火了。", 230, 62, (258, 150), 180)
    BOY.draw(b.pen.at(90, 330, 1.15), "calm", "down", look=(1, 0))
    DOCTOR.draw(b.pen.at(250, 330, 1.15, True), "calm", "down")
    b.say("多喝水，早点睡。", 190, 64, (246, 150), 220)
    BOY.draw(c.pen.at(90, 330, 1.15), "calm", "wave")
    DOCTOR.draw(c.pen.at(250, 330, 1.15, True), "calm", "down")
    c.say("谢谢医生。", 150, 64, (98, 140), 200)


@comic("deadpanzh_8", GRID4, 22)
def ask_for_leave(strip: Strip) -> None:
    """A turtle asks its manager for something."""
    a, b, c, d = strip.grounds("#f3ead0", "#f3ead0", "#fbdcc9", "#f3ead0")
    for panel in (a, b, c, d):
        props.floor(panel, 264, "#b89a78")
    moods: list[tuple[Panel, Mood, Mood]]
    moods = [(a, "worry", "calm"), (b, "worry", "doubt"), (c, "cry", "shock"), (d, "happy", "calm")]
    for panel, guest, boss in moods:
        turtle(panel.pen.at(110, 318, 1.2), guest, panel is not c, (0 if panel is c else 1, 0))
        BOSS.draw(panel.pen.at(320, 320, 1.2), boss, "desk", "none", look=(-1, 0))
        props.desk(panel.pen.at(320, 330), 170, 70)
    a.say("经理，我想请甲。", 200, 62, (118, 162), 230)
    b.say("请几天假？", 270, 66, (316, 136))
    c.say("不是假，是甲。\n要大号的。", 200, 66, (118, 162), 200)
    d.say("谢谢经理。", 160, 66, (118, 162))


def _office(panel: Panel) -> None:
    props.floor(panel, 250, "#b9b3c6")
    props.window(panel.pen.at(40, 96), 110, 80, "#bfe3f2")


@comic("deadpanzh_9", LEFTWARDS2_1, 22)
def feel_at_home(strip: Strip) -> None:
    """The boss wants everybody to feel at home; somebody does."""
    a, b, c = strip.grounds("#e3e8f3", "#e3e8f3", "#fbe6cf")
    for panel in (a, b):
        _office(panel)
    BOSS.draw(a.pen.at(270, 314, 1.25), "happy", "cheer")
    a.say("大家要把公司\n当成自己的家！", 250, 60, (272, 116), 250)
    CODER.draw(b.pen.at(250, 314, 1.25), "sly", "crossed")
    b.say("叮，收到，老板。", 280, 70, (258, 116), 240)
    props.floor(c, 240, "#d2ab82")
    props.window(c.pen.at(56, 34), 130, 70, "#ffd98a")
    BOSS.draw(c.pen.at(110, 312, 1.2, True), "shock", "head")
    c.pen.box(300, 196, 260, 80, "#c06c4f", 16)
    CODER_HOME.draw(c.pen.at(400, 276, 1.15), "glad", "head", "none")
    c.pen.box(290, 238, 280, 56, "#d9835f", 14)
    for x in (430, 470):
        c.pen.ellipse(x + 60, 236, 18, 12, "#f2b134")
    cat(c.pen.at(620, 306, 1.1), "sleep", "loaf")
    MUM.draw(c.pen.at(770, 312, 1.2, True), "happy", "give")
    c.pen.shape([(690, 232), (744, 232), (736, 252), (698, 252)], "#ffffff")
    c.say("妈，饭好了叫我。", 470, 58, (408, 102), 260)


CODER_OLD = Person(hair="beard", hair_colour="#4a4658", top="#6c7fb0", glasses=True)
CODER_HOME = Person(
    hair="short", hair_colour="#23212e", top="#8fb9e0", legs="#8fb9e0", glasses=True
)


def _tower(pen: Pen, height: float) -> None:
    pen.box(0, 0, 90, height, "#8f9db0", 3)
    for y in range(14, round(height) - 50, 32):
        for x in (12, 38, 64):
            pen.box(x, y, 16, 18, "#dfeaf0", line=1.6)
    pen.box(32, height - 38, 26, 38, "#5b6a80")


@comic("deadpanzh_10", LEFTWARDS2, 22)
def friday_monday(strip: Strip) -> None:
    """Arriving on Monday, leaving on Friday."""
    a, b = strip.grounds("#c9d0dc", "#ffe3b0")
    props.floor(a, 300, "#9aa3b0")
    _tower(a.pen.at(334, 110), 190)
    a.pen.blob(
        [(60, 336), (90, 306), (150, 312), (200, 296), (250, 318), (280, 340), (160, 350)],
        "#f4f1ea",
    )
    a.pen.limb([(160, 316), (210, 312), (262, 318)], "#c8434f", 5)
    OFFICE_MAN.head(a.pen.at(110, 448, 1.2), "sick")
    cat(a.pen.at(304, 346, 0.95), "bored", "walk", "#f0a04b")
    a.caption("周一上班的我")
    a.say("到了叫我。", 160, 180, (116, 262))
    props.floor(b, 300, "#d9a066")
    _tower(b.pen.at(20, 150), 150)
    OFFICE_MAN.draw(b.pen.at(270, 340, 1.45), "glad", "cheer", "run")
    props.dashes(b.pen.at(190, 180), 90, 5)
    b.sound("嗖！", 100, 110, 56, 10, "#e8554d")
    b.caption("周五下班的我")


@comic("deadpanzh_11", BACK_ROUND4, 22)
def one_last_bug(strip: Strip) -> None:
    """Death comes for a programmer who has one bug left."""
    a, b, c, d = strip.grounds("#3c3f66", "#3c3f66", "#3c3f66", "#4d4470")
    for panel in (a, b, c, d):
        props.floor(panel, 286, "#2c2e4d")
        props.window(panel.pen.at(60, 70), 80, 70, "#22244a")
    reaper(a.pen.at(110, 320, 1.25), "stare")
    _coding(a.pen.at(310, 330), "calm")
    a.say("你的时间到了。", 220, 62, (140, 130), 250)
    reaper(b.pen.at(110, 320, 1.25), "doubt")
    _coding(b.pen.at(310, 330), "bored")
    b.say("等我改完这个错。", 262, 74, (304, 126), 250)
    b.sound("嗒嗒", 210, 226, 30, 8, "#9fc3d9")
    reaper(c.pen.at(110, 320, 1.25), "sleep")
    _coding(c.pen.at(310, 330), "sick", CODER_OLD)
    for spread in (40, 70, 100):
        c.pen.stroke(
            [(430, spread), (420 - spread * 0.5, spread * 0.5), (430 - spread, 0)], "#8f94c0", 1.6
        )
    for x, y in ((320, 0), (350, 60), (430, 110)):
        c.pen.stroke([(430, 0), (x, y)], "#8f94c0", 1.6)
    c.caption("三年后")
    reaper(d.pen.at(150, 330, 1.2), "happy", False)
    _coding(d.pen.at(310, 330), "glad", CODER_OLD)
    d.pen.limb([(180, 240), (220, 236), (256, 246)], "#3a3350", 11)
    d.pen.ellipse(260, 246, 7, 7, "#f3efe4")
    d.say("找到了，少一个分号。", 200, 60, (160, 134), 250)


def _coding(pen: Pen, mood: Mood, who: Person = CODER) -> None:
    who.draw(pen.at(0, -4, 1.2), mood, "desk", "none", look=(-0.6, 0))
    props.desk(pen, 200, 64, "#8f6248")
    props.laptop(pen.at(-10, -74), "#9fc3d9")


@comic("deadpanzh_13", TALL4)
def ice_fishing(strip: Strip) -> None:
    """A patient angler, and who is at the other end of the line."""
    a, b, c, d = strip.grounds("#cfe6f2", "#cfe6f2", "#cfe6f2", "#5fa8d0")
    for panel in (a, b, c):
        props.floor(panel, 150, "#f6fbff")
        cloud(panel.pen.at(420, 54, 0.7))
        panel.pen.ellipse(330, 204, 64, 13, "#4f8fb8")
    _angler(a.pen.at(140, 222, 1.1), False)
    _angler(b.pen.at(140, 222, 1.1), True)
    for x in (300, 330, 360):
        b.pen.stroke([(x, 192), (x + (x - 330) / 3, 172)], "#4f8fb8", 3)
    for side in (-1, 1):
        foot = (330 + side * 26, 116)
        c.pen.limb([(330 + side * 9, 204), (330 + side * 16, 160), foot], "#3e6c8f", 13)
        c.pen.ellipse(foot[0] + 4, foot[1] - 4, 11, 6, INK)
        c.pen.stroke([(330 + side * 60, 190), (330 + side * 76, 160)], "#4f8fb8", 3)
    c.pen.shape(arc(330, 204, 62, 11, 0, 180), "#4f8fb8", None)
    c.pen.stroke(arc(330, 204, 64, 13, 0, 180))
    for x, y in [(40, 40), (70, 130), (440, 60), (470, 180), (300, 30), (250, 100)]:
        d.pen.ellipse(x, y, 7, 7, "#bfe3f2", width=1.6)
    props.floor(d, 204, "#e8d6a0")
    d.pen.shape([(122, 156), (330, 20), (330, 204), (300, 204)], "#8cc4e0", None)
    d.pen.stroke([(210, -10), (210, 52)], width=1.6)
    GIRL.draw(d.pen.at(210, 206, 1.1), "bored", "limp")
    fish(d.pen.at(346, 132, 1.7, True), "proud")
    fish(d.pen.at(70, 176, 0.9), "glad", "#7f9fd6")
    d.pen.box(96, 144, 30, 24, "#453f5c", 4)
    d.pen.ellipse(122, 156, 7, 8, "#dff3ee", width=2)
    fish(d.pen.at(440, 60, 0.8, True), "love", "#f2b134")


def _angler(pen: Pen, pull: bool) -> None:
    GIRL.draw(pen, "gasp" if pull else "calm", "reach", "stand")
    bend = (110, -150) if pull else (110, -112)
    tip = (172, -90) if pull else (172, -134)
    pen.stroke([(50, -78), bend, tip], "#6b4a34", 4)
    pen.stroke([tip, (172, -18)], width=1.4)


@comic("deadpanzh_12", LEFT_RIGHT3, 22)
def rainy_day(strip: Strip) -> None:
    """A mother sends her child off with an umbrella; nothing is funny about it."""
    a, b, c = strip.grounds("#f6e9d8", "#f6e9d8", "#b3c3cf")
    for panel in (a, b):
        props.floor(panel, 276, "#cfa98a")
    GIRL.draw(a.pen.at(100, 330, 1.05), "calm", "wave")
    MUM.draw(a.pen.at(240, 330, 1.2), "calm", "down")
    a.say("妈妈，我上学去了。", 160, 70, (104, 166), 200)
    props.window(b.pen.at(40, 110), 90, 90, "#a9b8c6")
    MUM.draw(b.pen.at(206, 330, 1.2), "calm", "give")
    props.umbrella(b.pen.at(260, 258, 0.6, tilt=28), "#f2b134")
    b.say("下雨了，带上伞。", 200, 62, (196, 144), 230)
    props.floor(c, 276, "#8a949e")
    props.rain(c, "#dfeaf2", 6)
    GIRL.draw(c.pen.at(150, 330, 1.05), "calm", "give", "walk")
    props.umbrella(c.pen.at(196, 262, 1.2), "#f2b134")
    c.say("好的。", 80, 100, (136, 176))
    c.sound("沙沙", 270, 70, 34, 8, "#4f8fc0")


COMICS = (
    inner_heat,
    ask_for_leave,
    feel_at_home,
    friday_monday,
    one_last_bug,
    rainy_day,
    ice_fishing,
)
