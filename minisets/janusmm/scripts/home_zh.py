"""Chinese memes about home and health: early rising, the scales, cooking, phones, steps, sleep."""

from itertools import pairwise

from minisets.drawing import props
from minisets.drawing.animals import cat, octopus
from minisets.drawing.cast import BOY, GIRL, LINDA, moon
from minisets.drawing.faces import Face, draw_face, mood_face
from minisets.drawing.pen import INK, Pen
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair
from minisets.janusmm.meme import (
    Meme,
    Mockery,
    meme,
    other,
    receiver,
    shares,
)
from minisets.janusmm.stage import Panel


@meme(
    107,
    "group_chat",
    pair("昨晚的我：明早六点起来跑步", "今早的我：梦里跑过了"),
    (other("说好的晨跑呢？我在楼下等了半小时！"), shares("我有不在场证明。")),
    "羞愧",
    "左图是夜里，主人公握拳立志，六点的闹钟摆在旁边。右图已经快到中午，闹钟还在响，人"
    "裹在被子里睡得香甜。文字一句豪言、一句“梦里跑过了”，前后对比自嘲自己说话不算数、"
    "起不来床。",
    Mockery(
        sender="昨晚信誓旦旦要晨跑的是我，今天睡到中午的也是我。说梦里跑过了，是想用玩笑把爽约的"
        "尴尬盖过去。我心里有点羞愧，希望朋友别真生气，明天还叫上我。",
        receiver="他没起来跑步，用梦里跑过来自嘲意志力差。玩笑背后是羞愧和歉意，他想求原谅。",
        reply="梦里配速怎么样？没关系，明早我上楼敲门，起不来就改成一起去吃早饭！",
    ),
)
def dream_run(a: Panel, b: Panel) -> None:
    """A promise at night and a morning after."""
    things.room(a, "#3d4175", "#2c2f58", 262)
    props.stars(a, 21, 0.4, 16)
    things.clock(a.pen.at(250, 216, 0.9), 6, 0)
    a.pen.box(204, 258, 92, 12, "#8a5a3c", 3)
    BOY.draw(a.pen.at(112, 330, 1.65), Face("dot", "grin", "angry"), ((-30, -46), (44, -118)))
    things.room(b, "#fdeed2", "#d1a877", 262)
    props.window(b.pen.at(30, 36), 90, 84, "#bfe3f2")
    things.clock(b.pen.at(244, 110, 0.95, tilt=-12), 11, 40)
    b.sound("叮铃铃", 236, 44, 34, 6, "#e8554d")
    props.bed(b.pen.at(20, 322, 1.25), 205, "#6c9bd1")
    BOY.head(b.pen.at(172, 268, 1.05, tilt=-90), Face("shut", "smile", extra="blush"))


@meme(
    108,
    "private_dialogue",
    over("减肥第一周，满怀信心上秤", "", 560, 460, 38),
    (receiver("这周减得怎么样？有成果吗？"), shares("连秤都开始劝我了。")),
    "沮丧",
    "一只圆滚滚的橘猫自信地站在体重秤上，那台秤却满头大汗，请求“一位一位上来”。上方的"
    "文字说减肥第一周满怀信心。信心和秤的反应形成反差，发图的人借胖猫自嘲减肥没有任何"
    "效果。",
    Mockery(
        sender="我用一只圆猫代表自己，连秤都以为上来了两位。与其报出数字，不如先拿自己的体重开个"
        "玩笑。努力了一周没变化，我有点沮丧，想听一句安慰。",
        receiver="她减肥没见效，就让一台被吓坏的秤来替她自嘲。背后是沮丧和一点难为情，她需要鼓励，"
        "而不是新的食谱。",
        reply="这秤不懂事，胆子也太小了！才一周呢，你肯坚持就很厉害，晚上我陪你慢慢散步去。",
    ),
)
def polite_scales(a: Panel) -> None:
    """Scales that ask for one at a time."""
    things.room(a, "#dff0ee", "#9fc4bd", 330)
    cat(a.pen.at(200, 352, 2.05), "proud", "sit")
    a.pen.blob([(138, 344), (130, 286), (200, 268), (270, 286), (262, 344), (200, 356)], "#f0a04b")
    a.pen.blob([(164, 340), (166, 300), (200, 290), (234, 300), (236, 340)], "#fff3df", None)
    for x in (172, 228):
        a.pen.ellipse(x, 348, 20, 10, "#f0a04b")
    a.pen.box(96, 352, 208, 76, "#8fa9c9", 12)
    a.pen.note_face(200, 390, 50, 30)
    draw_face(a.pen.at(200, 386, 1.25), mood_face("worry"), gap=15)
    a.say("请一位一位上来！", 416, 268, (262, 384), 25)


@meme(
    109,
    "social_media",
    over("教程：有手就行", "我有八只，还是不行", 560, 470),
    (other("新学的菜做得怎么样啦？"), shares("厨房还在，人也还在。")),
    "沮丧",
    "一只章鱼戴着厨师帽站在灶台前，一只手举着锅铲，一只手托着盘子，盘里却是一团冒烟的"
    "黑炭，它一脸茫然。文字先引用教程里的“有手就行”，再说自己有八只手也不行。借多手的"
    "章鱼做不成菜，作者自嘲毫无做饭天赋。",
    Mockery(
        sender="教程说有手就行，我就把自己画成八只手的章鱼，结果还是烧糊了。条件越好越失败，越显"
        "得我笨，这就是我想让大家笑的地方。我其实有点沮丧，希望有人说第一次都这样。",
        receiver="他照着教程做菜失败了，用八只手的章鱼自嘲手笨。背后是努力之后的沮丧，他想要轻松的"
        "安慰。",
        reply="教程没说清楚，要的是会做饭的手！第一次都这样，周末来我家，我们十只手一起做。",
    ),
)
def eight_hands(a: Panel) -> None:
    """A cook with too many hands."""
    things.kitchen(a, 330)
    a.pen.limb([(210, 300), (150, 270), (128, 232)], "#c75b8f", 15)
    a.pen.limb([(340, 300), (400, 276), (420, 250)], "#c75b8f", 15)
    octopus(a.pen.at(275, 372, 1.85), Face("wide", "wavy", "sad"))
    hat = a.pen.at(275, 168)
    for x, y, r in ((-24, -22, 20), (24, -22, 20), (0, -32, 24)):
        hat.ellipse(x, y, r, r * 0.85, "white")
    hat.box(-30, -20, 60, 30, "white", 4)
    a.pen.limb([(126, 236), (112, 150)], "#8f6248", 5)
    a.pen.box(96, 116, 32, 40, "#b8c4cc", 6)
    things.cake(a.pen.at(430, 244, 1.05), True)
    for x in (410, 448):
        things.smoke(a.pen.at(x, 200, 0.8), "#a5a0ae", 3)
    a.pen.box(-6, 352, 580, 130, "#b9c6cf")
    for x in (90, 250, 410):
        a.pen.ellipse(x, 362, 42, 8, "#453f5c")
    props.flame(a.pen.at(90, 360), 0.7)


@meme(
    110,
    "social_media",
    bar("“再看最后一个就睡”"),
    (shares("睡前五分钟小视频，一睁眼天快亮了。"), other("五分钟，按月球时间算的吧。")),
    "懊悔",
    "漆黑的卧室里，一个人缩在被窝里，脸被手机照亮，眼下是重重的黑眼圈，时钟指向三点多。"
    "窗外连月亮都闭眼睡着了。标题的那句承诺和画面里的时间对不上，作者在自嘲管不住自己、"
    "总在熬夜刷手机。",
    Mockery(
        sender="我嘴上说看完最后一个就睡，画里却已经三点多，连月亮都睡了。把自己没有自制力的样子"
        "画出来，算是公开检讨。我挺后悔的，希望别人也这样，我就没那么内疚。",
        receiver="他在自嘲熬夜刷手机停不下来。语气轻松，心里其实后悔，也有点疲惫，他希望有人理解而"
        "不是说教。",
        reply="月亮都下班了，你也可以下班啦！今晚我们互相打卡，十一点一起把手机放到客厅去。",
    ),
)
def last_video(a: Panel) -> None:
    """Three in the morning."""
    things.room(a, "#2a2c55", "#20213f", 336)
    a.pen.box(320, 32, 180, 160, "#3b3f78", 4, "#6b6a9c", 6)
    moon(a.pen.at(410, 112, 1.25), "sleep")
    things.clock(a.pen.at(96, 96, 1.15), 3.3, 20)
    a.pen.shape([(312, 234), (150, 206), (120, 250), (150, 300), (300, 290)], "#4d5296", None)
    props.bed(a.pen.at(40, 384, 1.75), 260, "#6c5fa0")
    LINDA.head(a.pen.at(256, 296, 1.5, tilt=-78), Face("wide", "flat", extra="bags"))
    props.phone(a.pen.at(312, 262, 0.85, tilt=14), screen="#e8f6ff")
    a.pen.ellipse(290, 300, 11, 10, LINDA.skin)


@meme(
    111,
    "social_media",
    bar("今日运动报告：共36步，路线见下图"),
    (other("大家晒一下今天的步数！"), shares("稳定发挥，请勿羡慕。")),
    "羞愧",
    "图上画着一张小地图，只有一条虚线，从床走到冰箱，再从冰箱走回床。标题一本正经地写"
    "着运动报告，总共三十六步。正经的报告口吻和可怜的路线放在一起，是在自嘲懒得出门、"
    "几乎不运动。",
    Mockery(
        sender="别人晒一万步，我晒从床到冰箱的三十六步，还配了路线图。故意写得很正式，就是为了笑"
        "自己有多懒。我有点不好意思，先自己说出来，就不怕被别人比下去。",
        receiver="他用一份假装认真的运动报告自嘲宅在家里不动。轻松里带一点羞愧，他希望大家笑笑就好，"
        "也许还需要有人拉他出门。",
        reply="路线清晰，补给充足，专业！明天我去找你，把路线延长到楼下的奶茶店怎么样？",
    ),
)
def thirty_six_steps(a: Panel) -> None:
    """A map from the bed to the fridge."""
    a.paint("#eef3e2")
    for x in range(0, 560, 44):
        a.pen.stroke([(x, 0), (x, 400)], "#dbe5c8", 1.6)
        a.pen.stroke([(0, x), (560, x)], "#dbe5c8", 1.6)
    props.bed(a.pen.at(34, 330, 1.05), 160, "#e2725b")
    props.fridge(a.pen.at(454, 348, 1.25), "happy")
    upper = [(212, 250), (250, 200), (310, 190), (360, 214), (390, 240)]
    lower = [(390, 300), (350, 340), (290, 352), (240, 336), (214, 306)]
    for path in (upper, lower):
        for (x, y), (u, v) in pairwise(path):
            a.pen.stroke([(x, y), ((x * 2 + u) / 3, (y * 2 + v) / 3)], "#c8434f", 6)
            a.pen.stroke([((x + u * 2) / 3, (y + v * 2) / 3), (u, v)], "#c8434f", 6)
    a.plate("去：18步", 300, 150, 24, "#ffffff")
    a.plate("回：18步", 300, 300, 24, "#ffffff")
    a.plate("起点", 118, 226, 22, "#ffe9a8")
    a.plate("补给站", 454, 90, 22, "#ffe9a8")
    GIRL.draw(a.pen.at(300, 262, 0.6), "proud", "run", "run")


def _panda(pen: Pen) -> None:
    for side in (-1, 1):
        pen.ellipse(side * 24, -142, 12, 12, INK)
    pen.blob([(-34, -4), (-30, -60), (0, -84), (30, -60), (34, -4), (0, 0)], "#fbfbf8")
    pen.blob([(-34, -58), (0, -74), (34, -58), (38, -30), (0, -44), (-38, -30)], INK)
    for x in (-20, 20):
        pen.ellipse(x, -6, 15, 9, INK)
    pen.ellipse(0, -112, 36, 31, "#fbfbf8")
    pen.note_face(0, -110, 28, 24)
    for side in (-1, 1):
        pen.blob([(side * 8, -122), (side * 18, -124), (side * 23, -106), (side * 13, -102)], INK)
        pen.ellipse(side * 14, -113, 4, 4.5, "white", None)
        pen.ellipse(side * 14, -113, 2, 2.4, INK, None)
    pen.ellipse(0, -101, 5, 3.5, INK)
    pen.stroke([(-6, -94), (0, -91), (6, -94)], INK, 2.2)


@meme(
    112,
    "private_dialogue",
    over("全身上下最贵的", "是这双国宝同款黑眼圈", 560, 470),
    (receiver("你最近是不是又没睡好？"), shares("别这么说，我身价可高了。")),
    "疲惫",
    "画面里，一个眼圈乌黑的人和一只熊猫并肩站着，熊猫伸手指着他，好像遇到了同类。文字"
    "夸自己身上有一样最贵的东西，就是和国宝一样的黑眼圈。看似炫耀，其实是借熊猫自嘲熬"
    "夜太多、憔悴不堪。",
    Mockery(
        sender="我把黑眼圈说成国宝同款，让熊猫都来认亲。听上去像炫耀，其实是笑自己熬夜熬得不成样"
        "子。我很疲惫，被关心时不好意思直说，就发了这张图。",
        receiver="他用和熊猫撞脸来自嘲睡得太少。玩笑后面是真的疲惫，他希望有人心疼，又不想显得可怜。",
        reply="国宝要受保护的，今晚十点准时熄灯！有什么活儿分我一半，你先把觉补回来。",
    ),
    symbols=("熊猫眼",),
)
def panda_eyes(a: Panel) -> None:
    """A person and a panda with the same eyes."""
    things.outdoors(a, 300, "#d9eedd", "#8cc07a")
    for x in (30, 80, 480, 530):
        for y in range(60, 330, 54):
            a.pen.box(x - 8, y, 16, 52, "#6fae5b", 4, line=2)
        a.pen.blob([(x + 8, 150), (x + 40, 132), (x + 46, 146), (x + 12, 158)], "#5fae5b")
    _panda(a.pen.at(370, 392, 1.85))
    a.pen.limb([(318, 286), (292, 276), (268, 268)], INK, 16)
    BOY.draw(a.pen.at(186, 392, 1.75), Face("lids", "flat"), "down")
    tired = a.pen.at(186, 392, 1.75)
    for side in (-1, 1):
        tired.ellipse(side * 9, -115, 9, 9, "#6a5a80", None)
    draw_face(tired.at(0, -113), Face("lids", "flat"))


MEMES: tuple[Meme, ...] = (
    dream_run,
    polite_scales,
    eight_hands,
    last_video,
    thirty_six_steps,
    panda_eyes,
)
