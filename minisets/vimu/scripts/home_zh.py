"""Chinese films about keeping up appearances: an expert, a photograph, somebody else's child."""

import math

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOY, LINDA, MUM, RUNNER
from minisets.drawing.faces import Mood
from minisets.drawing.pen import INK, arc
from minisets.drawing.people import Person
from minisets.vimu import foley, sets
from minisets.vimu.film import (
    TALL,
    Film,
    Line,
    Shot,
    beat,
    eased,
    talking,
)
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
from minisets.vimu.stage import Stage, View

EXPERT = Person(
    hair="grey", hair_colour="#c9c6d2", top="#f4f1ea", coat="#3e4a75", legs="#3e4a75",
    tie="#4f8fc0", glasses=True,
)  # fmt: skip
CHILD = Person(hair="short", hair_colour="#c9a227", skin="#f7dc7a", top="#f2c94c", legs="#d9a441")


def _studio(stage: Stage) -> None:
    pen = stage.pen
    pen.box(-9, -9, 660, 400, "#274a78")
    for x in range(40, 640, 80):
        pen.stroke([(x, 0), (x, 300)], "#31598d", 3)
    for y in range(30, 300, 60):
        pen.stroke([(0, y), (640, y)], "#31598d", 3)
    pen.ellipse(500, 110, 62, 62, "#4f8fc0")
    for r in (20, 42):
        pen.ellipse(500, 110, r, 62, None, "#9fd0ea", 2)
    pen.stroke([(438, 110), (562, 110)], "#9fd0ea", 2)


def _expert(stage: Stage, t: float) -> None:
    pen = stage.pen
    EXPERT.draw(pen.at(250, 330, 1.55), talking("bored", t, 0.9, 4.1), "desk", "none")
    props.desk(pen.at(320, 376), 660, 106, "#8a9bb5")
    pen.box(-9, 296, 660, 70, "#f4f1ea", ink=None)
    pen.box(-9, 296, 170, 70, "#d64550", ink=None)
    stage.sign("新闻", 80, 331, 36, "#ffffff")
    stage.sign("专家建议：钱少就少花", 400, 331, 34)


def _flat(stage: Stage) -> None:
    props.floor(stage, 290, "#9c8a78")
    pen = stage.pen
    pen.stroke([(330, 0), (344, 26), (332, 48), (352, 70), (346, 92)], "#8f8578", 3, False)
    pen.stroke([(332, 48), (312, 64)], "#8f8578", 3)
    pen.box(30, 150, 150, 110, "#453f5c", 8)
    pen.box(42, 162, 126, 86, "#31598d", 4)
    pen.box(60, 260, 90, 60, "#8a5a3c", 3)


def _viewer(stage: Stage, t: float) -> None:
    pen = stage.pen
    EXPERT.draw(pen.at(105, 276, 0.62), "bored", "desk", "none")
    pen.box(36, 248, 140, 14, "#453f5c", 3)
    pen.box(400, 236, 130, 80, "#b58f68", 10)
    RUNNER.draw(pen.at(450, 346, 1.3, True), talking("bored", t, 0.7, 2.1), ((26.0, -72.0),
                (34.0, -70.0)), "sit", (1, 0))  # fmt: skip
    pen.shape([(384, 236), (436, 236), (424, 262), (396, 262)], "#fffdf4")
    cat(pen.at(572, 346, 1.1, True), "bored", "sit", "#8f8aa3", (1, 0))
    props.bowl(pen.at(520, 350, 0.8), "#dfe6ea")
    moth = pen.at(372 + 16 * math.sin(t * 4), 204 + 8 * math.sin(t * 9))
    spread = 10 if beat(t, 10) else 5
    for side in (-1, 1):
        moth.ellipse(side * spread, 0, spread, 7, "#c9b79c", width=1.6)


def _news_score(track: Track) -> None:
    jingle = [("C5", 0.5), ("C5", 0.5), ("G5", 1), ("E5", 0.5), ("G5", 1)]
    track.add(0, melody(jingle, 0.22, "brass"), 0.25)
    track.add(4.4, foley.ticking(2.8), 0.4)
    track.add(6.2, foley.meow(520), 0.35)


NEWS = Film(
    "vimu_900107",
    "zh",
    (Shot(4.4, _expert, _studio, "#274a78"), Shot(2.8, _viewer, _flat, "#c9bfae")),
    _news_score,
    Gold(
        question="视频怎样看待这位专家的话？",
        answer="它认为这种建议空洞又不知民间疾苦：工资不够花，专家一本正经地叫人少花。观众端着空碗"
        "面无表情地说谢谢，其实是在嘲笑这类“专家”。",
        difficulty="medium",
        rubric=(
            "指出专家的建议等于什么也没说",
            "指出观众的“谢谢”不是真心感谢",
            "提到模仿电视新闻的形式或一本正经的语气",
            "没有把建议当成有用的理财知识",
        ),
        literal_summary="新闻节目里专家建议工资不够就少花；一个端空碗的人和一只猫看着电视，"
        "那人平淡地道谢。",
        intended_meaning="高高在上的专家说的是正确的废话，听的人早已看不起他们。",
        evidence={
            "frames": "专家坐在演播室里，观众家里墙裂、碗空，碗里还飞出一只蛾子。",
            "text": "新闻标题写着“专家建议：钱少就少花”。",
            "transcript": "专家说工资不够花就少花一点，观众说谢谢专家。",
            "audio_tone": "新闻片头曲之后，两个人的声音都平板而没有起伏。",
        },
        rhetoric=("parody", "deadpan", "mockery"),
        social=("contempt",),
        targets=("不接地气的专家", "电视新闻"),
    ),
    lines=(
        Line("工资不够花，建议少花一点。", 0.9, 4.3, "cmn+m1", 240, 30),
        Line("谢谢专家。", 5.0, 6.6, "cmn+m7", 210, 25),
    ),
)  # fmt: skip


def _mess(stage: Stage) -> None:
    props.floor(stage, 470, "#d2ab82")
    pen = stage.pen
    props.window(pen.at(116, 130), 130, 110, "#ffd98a")
    for x, y, colour in ((30, 540, "#e2725b"), (66, 566, "#6c7fb0"), (20, 590, "#57a773"),
                         (300, 590, "#f2b134"), (334, 560, "#9b72aa")):  # fmt: skip
        pen.blob([(x - 44, y + 26), (x - 24, y - 20), (x + 10, y - 26), (x + 44, y + 26)], colour)
    for x, y, tilt in ((40, 470, 8), (44, 440, -6), (38, 412, 10)):
        pen.at(x, y, tilt=tilt).box(-44, -14, 88, 28, "#c99b78", 2)


def _tea(stage: Stage, t: float) -> None:
    pen = stage.pen
    LINDA.draw(pen.at(180, 420, 1.15), "proud", ((-14.0, -66.0), (16.0, -92.0)), "none")
    pen.box(114, 380, 132, 40, "#f4dca6")
    props.table(pen.at(180, 470), 150, 92, "#fffdf4")
    pen.box(192, 306, 22, 16, "#ffffff", 3)
    pen.limb([(136, 366), (136, 336)], "#7fb0c9", 12)
    for dx, colour in ((-12, "#e8756a"), (0, "#f2b134"), (12, "#e8756a")):
        pen.stroke([(136, 338), (136 + dx, 316)], "#3f8a4a", 3)
        pen.ellipse(136 + dx, 312, 8, 8, colour, width=1.8)
    cry = beat(t, 4)
    BOY.draw(pen.at(206, 626, 0.95), "cry", "cheer" if cry else "up", "jump" if cry else "stand")
    fall = eased(t, 3.0, 3.4)
    cat(pen.at(44, 398, 0.85), "sly", "paw")
    pen.at(82 + 22 * fall, 376 + 86 * fall, 0.9, tilt=84 * fall).box(-12, -40, 24, 40, "#4f8fc0", 6)
    props.flame(pen.at(318, 400, 0.75 + 0.08 * math.sin(t * 15)))
    pen.box(284, 398, 70, 26, "#56667a", 4)
    pen.box(280, 424, 90, 60, "#dfe6ea", 3)
    for i in range(3):
        rise = (t * 0.5 + i / 3) % 1
        pen.ellipse(318 + 8 * math.sin(i + t), 340 - 150 * rise, 14 + 14 * rise, 12 + 10 * rise,
                    "#b7b3bd", width=1.8)  # fmt: skip


def _photo(stage: Stage, t: float) -> None:
    stage.plate("岁月静好", 180, 60, 44, "#fff6d8")
    likes = min(99, int(t * 18))
    heart = [(0.0, 10.0), (-12.0, -2.0), (-8.0, -11.0), (0.0, -6.0), (8.0, -11.0), (12.0, -2.0)]
    stage.pen.at(134, 118).shape(heart, "#e8465a")
    stage.plate(f"{likes}个赞", 200, 118, 26, "#ffffff")


def _pull_back(t: float) -> View:
    share = eased(t, 2.2, 3.2)
    return View(180, 320, 2.1 - 1.1 * share)


def _photo_score(track: Track) -> None:
    piano = [("E5", 1), ("G5", 1), ("B5", 1), ("G5", 1), ("A5", 2)]
    track.add(0, melody(piano, 0.36), 0.35)
    track.add(2.2, foley.scratch(), 0.5)
    track.add(2.6, foley.sizzle(3.2), 0.4)
    track.add(3.4, foley.slam(), 0.7)
    for i in range(4):
        track.add(2.7 + 0.75 * i, foley.alarm(0.44), 0.25)


PHOTO = Film(
    "vimu_900108",
    "zh",
    (Shot(5.8, _tea, _mess, "#f3e2cf", _pull_back, _photo),),
    _photo_score,
    Gold(
        question="这段视频想说什么？",
        answer="它揭穿社交平台上的“岁月静好”是摆拍：近景里女人优雅喝茶，镜头拉远，屋里锅着火、孩子"
        "大哭、猫打翻花瓶、衣服成堆。它调侃人们只把好看的一角晒出来换点赞。",
        difficulty="medium",
        rubric=(
            "指出“岁月静好”只是镜头里的一角，实际一团糟",
            "提到镜头拉远后才露出真相",
            "指出对象是社交平台上的摆拍和虚荣",
            "没有认为女人的生活真的宁静",
        ),
        literal_summary="女人在窗边喝茶，配文“岁月静好”，点赞不断增加；镜头拉远，屋里着火、孩子"
        "哭闹、猫推倒瓶子。",
        intended_meaning="网上晒出的美好生活往往是裁剪出来的，大家心里都有数。",
        evidence={
            "frames": "中间是喝茶的女人，四周是着火的锅、哭闹的孩子和成堆的衣服。",
            "text": "画面上写着“岁月静好”，点赞数不断上涨。",
            "editing": "先给特写，再突然拉远，把裁掉的部分露出来。",
            "audio_tone": "轻柔的琴声戛然而止，换成警报、火声和摔碎声。",
        },
        rhetoric=("contrast", "exaggeration"),
        social=("other",),
        targets=("爱晒生活的人", "社交平台"),
    ),
    size=TALL,
)


def _hallway(stage: Stage) -> None:
    props.floor(stage, 284, "#d2ab82")
    props.window(stage.pen.at(60, 60), 120, 90, "#bfe3f2")


def _scolded(stage: Stage, t: float) -> None:
    pen = stage.pen
    MUM.draw(pen.at(190, 352, 1.45), talking("angry", t, 0.8, 3.2), "point")
    shrink = 1.3 - 0.5 * eased(t, 0.9, 3.0)
    mood: Mood = "happy" if t < 0.9 else "sad"
    BOY.draw(pen.at(440, 352, shrink, True), mood, ((20.0, -78.0), (26.0, -78.0)))
    left, top = 440 - 74 * shrink, 352 - 88 * shrink
    pen.box(left, top, 60 * shrink, 58 * shrink, "#fffdf4", 2)
    stage.sign("98", left + 30 * shrink, top + 29 * shrink, round(38 * shrink), "#d64550")


def _heaven(stage: Stage) -> None:
    pen = stage.pen
    sets.rays(stage, 320, 150, "#fff3c4")
    pen.box(210, 286, 220, 90, "#f4f1ea", 4)
    pen.box(190, 274, 260, 18, "#ffffff", 4)


def _idol(stage: Stage, t: float) -> None:
    pen = stage.pen
    CHILD.draw(pen.at(320, 276, 1.45), "proud", "hips")
    pen.stroke(arc(320, 52 + 3 * math.sin(t * 4), 38, 10, 0, 360, 30), "#f2b134", 6)
    stage.sign("别人家的孩子", 320, 326, 32, INK)
    for i, (x, y) in enumerate(((140, 90), (510, 80), (120, 220), (540, 210))):
        size = 12 + 6 * math.sin(t * 6 + i * 2)
        pen.shape([(x, y - size), (x + size / 3, y - size / 3), (x + size, y), (x + size / 3, y +
                  size / 3), (x, y + size), (x - size / 3, y + size / 3), (x - size, y),
                  (x - size / 3, y - size / 3)], "#ffffff", "#f2b134", 2)  # fmt: skip
    stage.stamp("101", 452, 150, 44, "#d64550", 14)


def _idol_score(track: Track) -> None:
    choir = [("C4+E4+G4+C5", 4), ("F4+A4+C5", 2), ("C4+E4+G4+C5", 4)]
    track.add(3.4, melody(choir, 0.33, "organ"), 0.3)
    track.add(0.9, foley.drum(0.5, 70), 0.4)
    track.add(3.4, foley.ding(), 0.3)


IDOL = Film(
    "vimu_900109",
    "zh",
    (
        Shot(3.4, _scolded, _hallway, "#f6e3c8"),
        Shot(3.0, _idol, _heaven, "#ffe08a", lambda t: View(320, 186, 1.05 - 0.016 * t)),
    ),
    _idol_score,
    Gold(
        question="这段视频想说明什么？",
        answer="它讽刺家长总拿“别人家的孩子”来比：考了98分还挨骂，而比较的对象被捧成满分之上、头顶"
        "光环的金像，根本不存在。孩子在比较中越缩越小，很受伤。",
        difficulty="medium",
        rubric=(
            "说出“别人家的孩子”是家长常用的比较说法",
            "指出这个榜样被夸张得不真实",
            "指出孩子因此感到羞愧、被贬低",
            "没有认为视频在鼓励孩子向金像学习",
        ),
        literal_summary="男孩拿着98分的卷子，妈妈指着他训话，他越变越小；下一幕是发光的孩子金像，"
        "底座写着“别人家的孩子”，旁边是101分。",
        intended_meaning="永远比不过的“别人家的孩子”只是个传说，用它来压孩子只会伤人。",
        evidence={
            "frames": "男孩越缩越小，金像头顶光环、光芒四射。",
            "text": "卷子上的98、底座上的“别人家的孩子”和101分。",
            "transcript": "妈妈说：你看看别人家的孩子。",
        },
        rhetoric=("stereotype_invocation", "exaggeration"),
        social=("humiliation", "negative_affect"),
        targets=("爱攀比的家长", "被比较的孩子"),
    ),
    lines=(Line("你看看别人家的孩子！", 0.7, 3.3, "cmn+f2", 250, 50),),
)

FILMS = (NEWS, PHOTO, IDOL)
