"""Chinese films about everyday resolve: a diet, a race, a road to cross."""

import math

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOY, LINDA, OFFICE_MAN, sun
from minisets.drawing.faces import Face
from minisets.drawing.pen import INK, Pen
from minisets.drawing.people import Person
from minisets.vimu import foley, sets
from minisets.vimu.film import Film, Line, Shot, beat, between, eased, talking
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
from minisets.vimu.stage import Stage, View

DIETER = Person(hair="bun", hair_colour="#2e2a3d", top="#e8554d", legs="#3e6c8f", skin="#f0bd95")


def _summit(stage: Stage) -> None:
    pen = stage.pen
    sets.rays(stage, 430, 250, "#ffc26b", 16)
    sun(pen.at(430, 240, 1.6), "calm")
    pen.blob([(-40, 400), (60, 300), (200, 280), (330, 320), (700, 300), (700, 420)], "#7c5a7a")


def _vow(stage: Stage, t: float) -> None:
    pen = stage.pen
    lift = 10 * eased(t, 0.3, 0.9)
    fist = (50.0, -118.0 - lift)
    DIETER.draw(pen.at(200, 306, 1.45), talking("angry", t, 0.4, 2.7), ((-26.0, -50.0), fist))
    pen.stroke([(160, 128), (200, 120), (240, 128)], "#f4f1ea", 9)
    tail = 10 * math.sin(t * 9)
    pen.stroke([(160, 128), (126, 134 + tail), (96, 124 - tail)], "#f4f1ea", 6)


def _restaurant(stage: Stage) -> None:
    props.floor(stage, 300, "#a8543c")
    pen = stage.pen
    for x in (90, 320, 550):
        pen.stroke([(x, -5), (x, 36)], INK, 3)
        pen.ellipse(x, 62, 34, 28, "#d64550")
        pen.box(x - 14, 32, 28, 8, "#f2b134", 2)


def _feast(stage: Stage, t: float) -> None:
    pen = stage.pen
    chewing = beat(t, 6)
    face = Face("glad", "grin" if chewing else "o", "up", extra="blush")
    if 0.4 < t < 2.9:
        face = talking("glad", t, 0.4, 2.9)
    dip = abs(math.sin(t * 4))
    hand = (46.0, -72.0 - 20 * dip)
    DIETER.draw(pen.at(320, 356, 1.55), face, ((-30.0, -70.0), hand), "none")
    for side in (-1, 1):
        pen.ellipse(320 + side * 32, 190, 11, 10, DIETER.skin, None)
    props.desk(pen.at(320, 396), 620, 100, "#8a5a3c")
    pen.shape([(196, 262), (444, 262), (420, 312), (220, 312)], "#9aa1b0")
    pen.ellipse(320, 262, 124, 20, "#d64a2e")
    for i, (x, colour) in enumerate(
        ((250, "#7fb06a"), (290, "#f2d9b8"), (336, "#c98d5a"), (384, "#fff3df"))
    ):
        pen.ellipse(x, 260 + 3 * math.sin(t * 7 + i), 15, 8, colour, width=1.8)
    tip = 356 - (72 + 20 * dip) * 1.55
    for spread in (0, 8):
        pen.stroke([(401, tip - 12), (347, tip + 40 + spread)], "#6b4a34", 4)
    for i, x in enumerate((216, 244, 404, 430)):
        rise = (t * 0.7 + i / 4) % 1
        top = 236 - 60 * rise
        pen.stroke([(x, top), (x + 8, top - 16), (x, top - 30)], "#f7efe2", 4)
    for x, height in ((96, 3), (540, 4)):
        for k in range(height + int(t * 1.6)):
            pen.blob([(x - 40, 290 - k * 11), (x, 286 - k * 11), (x + 40, 290 - k * 11),
                      (x, 300 - k * 11)], "#fffdf4", width=1.8)  # fmt: skip


def _diet_score(track: Track) -> None:
    epic = [("D3+A3", 1), ("F3+C4", 1), ("G3+D4", 1), ("A3+E4+A4", 2)]
    track.add(0, melody(epic, 0.55, "brass"), 0.2)
    for i in range(3):
        track.add(0.55 * i, foley.drum(0.5, 60), 0.6)
    track.add(3.0, foley.sizzle(3.4), 0.35)
    jolly = [("G4", 1), ("A4", 1), ("C5", 1), ("A4", 1), ("G4", 1), ("E4", 1), ("G4", 2)]
    track.add(3.0, melody(jolly, 0.3), 0.3)


DIET = Film(
    "vimu_900104",
    "zh",
    (
        Shot(3.0, _vow, _summit, "#f8a55a", lambda t: View(290, 190, 1 + 0.06 * t)),
        Shot(3.4, _feast, _restaurant, "#c9694a"),
    ),
    _diet_score,
    Gold(
        question="这段视频想表达什么？",
        answer="主人公豪情万丈地宣布减肥，下一个镜头却在大吃火锅，还说吃饱了才有力气减。它调侃的是"
        "人们立志时声势浩大、转头就放弃的样子，没有恶意。",
        difficulty="easy",
        rubric=(
            "指出减肥的誓言与大吃火锅前后矛盾",
            "提到转折出现在镜头切换之后",
            "说明是对立志容易坚持难的轻松调侃",
            "没有解读成对身材的攻击",
        ),
        literal_summary="一个扎头带的女孩对着日出挥拳发誓减肥；随后她坐在火锅前，身边堆满空盘。",
        intended_meaning="减肥永远从下一顿开始，大家都一样。",
        evidence={
            "frames": "前一幕是日出和握拳，后一幕是火锅、鼓起的腮帮和成堆的空盘。",
            "editing": "激昂的誓言之后立刻硬切到火锅店，期待被推翻。",
            "transcript": "先说从今天起要减肥，后说吃饱了才有力气减。",
        },
        rhetoric=("bait_and_switch", "exaggeration"),
        social=("none",),
        targets=("想减肥的人",),
    ),
    lines=(
        Line("从今天起，我要减肥！", 0.4, 2.9, "cmn+f3", 240, 55),
        Line("吃饱了，才有力气减。", 3.4, 5.9, "cmn+f3", 240, 60),
    ),
)


def _gym(stage: Stage) -> None:
    props.floor(stage, 280, "#c9b79c")
    pen = stage.pen
    stage.plate("成功在前方", 190, 82, 32, "#d64550", "#ffffff")
    for x in (110, 286):
        pen.box(x - 66, 300, 142, 22, "#453f5c", 8)
        pen.limb([(x + 62, 302), (x + 70, 220)], "#56667a", 8)
    for x in (412, 624):
        pen.limb([(x, 350), (x, 190)], "#8a5a3c", 9)


def _rat_race(stage: Stage, t: float) -> None:
    pen = stage.pen
    for i, (x, person) in enumerate(((110, OFFICE_MAN), (286, LINDA))):
        hop = 9 * abs(math.sin(t * 11 + i))
        stride = beat(t + i * 0.07, 9)
        swing = 16.0 if stride else -16.0
        hands = ((-24.0 + swing, -66.0), (24.0 + swing, -72.0))
        person.draw(pen.at(x, 302 - hop, 1.1), "worry", hands, "run" if stride else "jump")
        for k in range(3):
            slip = (t * 3 + k / 3) % 1
            pen.stroke([(x + 64 - 120 * slip, 308), (x + 48 - 120 * slip, 308)], "#9aa1b0", 3)
        stage.plate("0米", x + 72, 212, 24, "#1d2b24", "#7fd08a")
    swing = 5 * math.sin(t * 1.6)
    pen.blob([(412, 204), (450, 262 + swing), (520, 278 + swing), (590, 262 + swing), (624, 204),
              (590, 284 + swing), (520, 302 + swing), (450, 284 + swing)], "#7fb09f")  # fmt: skip
    cat(pen.at(516, 272 + swing, 1.15), "sleep", "loaf")
    stage.plate("躺平", 518, 148, 34, "#ffcf33")
    sets.snores(stage, 566, 220, t)


def _to_the_cat(t: float) -> View:
    share = eased(t, 2.3, 3.6)
    return View(220 + 260 * share, 176, 1.4)


def _race_score(track: Track) -> None:
    hectic = [("E5", 0.5), ("F5", 0.5), ("E5", 0.5), ("D#5", 0.5)] * 4
    track.add(0, melody(hectic, 0.3, "organ"), 0.2)
    for i in range(10):
        track.add(0.25 * i, foley.drum(0.18, 130), 0.4)
    slow = [("C4+E4", 2), ("A3+E4", 2), ("F3+C4", 3)]
    track.add(3.0, melody(slow, 0.55, "bell"), 0.35)
    track.add(3.2, foley.birds(3.2), 0.12)


RACE = Film(
    "vimu_900105",
    "zh",
    (
        Shot(4.6, _rat_race, _gym, "#dcebe4", _to_the_cat),
        Shot(2.0, _rat_race, _gym, "#dcebe4"),
    ),
    _race_score,
    Gold(
        question="这段视频表达了怎样的态度？",
        answer="它支持退出无谓的竞争：上班族在跑步机上拼命追“成功”，却一米也没前进，旁边的猫安心"
        "躺平，反而最自在。视频站在“躺平”一边，质疑人人都要拼的主流观念。",
        difficulty="medium",
        rubric=(
            "指出跑步机上的人拼命却原地不动",
            "指出猫代表拒绝内卷、选择躺平的态度",
            "说明视频倾向于认同躺平或质疑盲目竞争",
            "没有把它理解成健身广告",
        ),
        literal_summary="两个上班族在跑步机上满头大汗地跑，屏幕显示“0米”；镜头移到吊床上"
        "睡觉的猫，上面写着“躺平”。",
        intended_meaning="在原地打转的竞争里，不跑的人并没有落后，躺平也是一种表态。",
        evidence={
            "frames": "人在跑步机上原地奔跑，猫在吊床上安睡。",
            "text": "“成功在前方”、屏幕上的“0米”与“躺平”互相对照。",
            "audio_tone": "前半段音乐急促慌乱，移到猫时变得舒缓，还有鸟叫。",
        },
        rhetoric=("contrast", "dog_whistle_or_code"),
        social=("anti_mainstream_value", "political_or_identity_signal"),
        targets=("盲目竞争的风气", "上班族"),
    ),
    lines=(Line("一，二，一，二！", 0.3, 2.3, "cmn+m3", 220, 50),),
)


def _lamp(pen: Pen, green: bool) -> None:
    """A traffic light standing on the pen's origin."""
    pen.box(-5, -150, 10, 150, "#56667a")
    pen.box(-24, -250, 48, 104, "#35333f", 10)
    pen.ellipse(0, -224, 17, 17, "#5a2a2e" if green else "#ff5a4d")
    pen.ellipse(0, -174, 17, 17, "#4fd17a" if green else "#234a33")


def _crossing(stage: Stage) -> None:
    props.hills(stage, 170, "#9cc987")
    pen = stage.pen
    pen.box(-9, 176, 660, 30, "#cfc8bb")
    pen.box(-9, 206, 660, 116, "#7b7a86")
    pen.box(-9, 322, 660, 60, "#cfc8bb")
    for y in range(214, 320, 27):
        pen.box(240, y, 160, 15, "#f4f1ea", ink=None)


def _crosses(stage: Stage, t: float) -> None:
    pen = stage.pen
    green = t >= 2.4
    _lamp(pen.at(450, 204, 0.8), green)
    sets.car(pen.at(between(t, 0.0, 1.7, -140, 800), 262, 1.1), "#6c9ac0")
    sets.car(pen.at(between(t, 1.2, 2.4, -140, 130), 300, 1.2), "#e2a33b")
    far = eased(t, 2.9, 5.2)
    walking = 2.9 < t < 5.2 and beat(t, 6)
    BOY.draw(pen.at(320, 354 - 158 * far, 1.4 - 0.55 * far), "calm" if t < 5.2 else "happy",
             "wave" if t >= 5.2 else "down", "walk" if walking else "stand",
             (0.8, -0.6) if t < 2.6 else (0, 0))  # fmt: skip


def _crossing_score(track: Track) -> None:
    track.add(0.1, foley.whoosh(1.7), 0.6)
    for i in range(7):
        track.add(2.4 + i * 0.42, foley.pop(), 0.6)


CROSSING = Film(
    "vimu_900106",
    "zh",
    (Shot(6.0, _crosses, _crossing, "#cfe8f3"),),
    _crossing_score,
    Gold(
        question="这段视频想告诉观众什么？",
        answer="就是字面上的交通安全提示：红灯停，绿灯行。没有别的意思。",
        difficulty="easy",
        rubric=(
            "说明是遵守红绿灯的安全提示",
            "指出没有言外之意",
            "没有编造讽刺、批评或社会议题",
        ),
        literal_summary="男孩在红灯前等车开过，绿灯亮后走斑马线过马路。",
        intended_meaning="过马路要遵守信号灯。",
        evidence={"frames": "男孩红灯时站着等，绿灯时才走上斑马线。"},
        rhetoric=("literal_only",),
        social=("none",),
        targets=("行人",),
    ),
)

FILMS = (DIET, RACE, CROSSING)
