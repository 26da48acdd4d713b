"""Chinese memes that are not self-deprecating: pride, joy, teasing others, plain statements."""

from minisets.drawing import props
from minisets.drawing.animals import cat, turtle
from minisets.drawing.cast import BOSS, BOY, CLERK, CODER, GIRL, LINDA, MUM, RUNNER, cloud
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair
from minisets.janusmm.meme import Meme, meme, other, receiver, shares
from minisets.janusmm.stage import Panel


@meme(
    125,
    "social_media",
    over("第一次做蛋糕", "就这么好看"),
    (shares("天赋这种东西，藏不住的。"), other("求教程！")),
    "自豪",
    "画面里主人公双手叉腰，得意地站在一只漂亮的奶油蛋糕旁边，周围闪着星光。文字夸自己"
    "第一次做就很好看。图文一致，都在夸自己，是直接的炫耀，没有任何贬低自己的意思。",
)
def pretty_cake(a: Panel) -> None:
    """A cake to be proud of."""
    things.kitchen(a, 330)
    GIRL.draw(a.pen.at(160, 412, 1.7), "proud", "hips", "none")
    props.desk(a.pen.at(290, 430), 520, 84, "#e0b487")
    things.cake(a.pen.at(392, 338, 1.7))
    for x, y in ((290, 150), (490, 170), (304, 250), (480, 280), (392, 130)):
        things.sparkle(a.pen.at(x, y), 16)


@meme(
    126,
    "group_chat",
    bar("这位同学说，他只是路过看看"),
    (other("谁把茶水间的饼干吃了？"), shares("我拍到嫌疑人了。"), other("小胖你出来一下！")),
    "好笑",
    "一只橘猫整个身子钻进饼干罐，只露出半张脸，罐子旁边撒着渣，还装作若无其事。标题用"
    "“路过看看”反讽偷吃的人。玩笑的对象是那位偷吃的同学，发图的人在打趣别人，并没有自"
    "嘲。",
)
def just_looking(a: Panel) -> None:
    """A cat in a biscuit jar."""
    things.room(a, "#fbeedd", "#c99f74", 310)
    cat(a.pen.at(280, 330, 2.1), Face("dot", "smile", "up", (0.8, 0), "blush"), "sit")
    a.pen.box(186, 226, 188, 150, "#d9eef3", 22)
    a.pen.ellipse(280, 226, 94, 14, "#eaf7fb")
    a.pen.ellipse(280, 222, 70, 10, "#f0a04b", None)
    for x, y in ((222, 300), (256, 336), (330, 310), (300, 348), (236, 350), (346, 346)):
        a.pen.ellipse(x, y, 19, 16, "#d9a05b")
        for dx, dy in ((-6, -3), (5, 2), (0, 6)):
            a.pen.ellipse(x + dx, y + dy, 2.4, 2.4, "#6b4a34", None)
    a.plate("饼干", 280, 268, 26, "#fff3d6")
    for x, y in ((120, 372), (146, 384), (420, 380), (452, 368), (404, 364)):
        a.pen.ellipse(x, y, 4, 3, "#d9a05b", width=1.4)


@meme(
    127,
    "private_dialogue",
    over("放假啦！", "大海，我来了！"),
    (receiver("请假批下来没有？"), shares("批了！明天出发！")),
    "快乐",
    "主人公在沙滩上高高跳起，行李箱立在一旁，身后是蓝天、大海和太阳。文字大声宣布放假"
    "了要去看海。图文都是单纯的高兴和期待，没有嘲笑自己。",
)
def to_the_sea(a: Panel) -> None:
    """A jump on the beach."""
    a.paint("#a9dcf2")
    a.pen.ellipse(462, 116, 40, 40, "#ffd24a")
    a.pen.box(-6, 226, 580, 100, "#4fa3c7")
    for x, y in ((60, 252), (200, 270), (420, 250), (500, 278)):
        a.pen.stroke([(x, y), (x + 16, y - 6), (x + 32, y), (x + 48, y - 6)], "white", 3)
    a.pen.blob([(-30, 320), (140, 300), (360, 316), (600, 296), (600, 500), (-30, 500)], "#f3dca6")
    BOY.draw(a.pen.at(240, 346, 1.65), "glad", "cheer", "jump")
    props.suitcase(a.pen.at(404, 388, 1.35), 62, 78, "#e2725b")


@meme(
    128,
    "social_media",
    bar("今天傍晚有小雨，出门请带伞"),
    (shares("天气提醒，转给家里人看看。"), other("收到，谢谢！")),
    "平静",
    "画面上一朵微笑的云下着小雨，下面的人撑着红伞走在路上。文字提醒大家傍晚有雨、记得"
    "带伞。图文内容一致，只是一条普通的天气提醒，没有玩笑，也没有贬低自己。",
)
def light_rain(a: Panel) -> None:
    """A reminder to take an umbrella."""
    things.outdoors(a, 290, "#c3d3df", "#86b07c")
    props.rain(a, "#9fb9cc", 4)
    cloud(a.pen.at(400, 96, 1.45), "calm", "#eef3f7")
    LINDA.draw(a.pen.at(190, 380, 1.5), "calm", ((-27, -45), (26, -76)), "walk")
    props.umbrella(a.pen.at(230, 266, 1.75), "#d8473f")


@meme(
    129,
    "group_chat",
    over("恭喜小美升职！", "今晚不醉不归（喝果汁）", 560, 460, 40),
    (other("听说有好消息？"), shares("必须庆祝一下！")),
    "高兴",
    "三个同事站在彩带里，中间的女生戴着花环，两边的人举着果汁欢呼。文字祝贺小美升职。"
    "图和文字都在为别人高兴，是真心的祝福，不是自嘲。",
)
def promotion(a: Panel) -> None:
    """Colleagues who celebrate."""
    things.room(a, "#fbe2d0", "#c79c84", 340)
    things.confetti(a, 129, 80, 0.8)
    for x, who in ((116, CODER), (444, RUNNER)):
        who.draw(a.pen.at(x, 396, 1.5), "glad", ((-27, -45), (34, -112)))
        juice = a.pen.at(x + 54, 226)
        juice.shape([(-11, -30), (11, -30), (8, 4), (-8, 4)], "#f58e2b")
    CLERK.draw(a.pen.at(280, 396, 1.6), "happy", "cheer")
    for i in range(7):
        colour = ("#e8465a", "#f2c230", "#c75b8f")[i % 3]
        a.pen.ellipse(238 + i * 14, 164 - (9 - (i - 3) ** 2) * 1.8, 8, 8, colour)


@meme(
    130,
    "private_dialogue",
    bar("老家寄来的橙子到了，满满一箱，特别甜"),
    (receiver("最近怎么样？"), shares("收到一大箱，分你一半。")),
    "感动",
    "桌上摆着一个打开的纸箱，里面满是圆圆的橙子，主人公捧着一个，眼里含笑。文字说这是"
    "老家寄来的，满满一箱，特别甜。图文表达的是被惦记的温暖和感动，没有嘲笑谁。",
)
def oranges_from_home(a: Panel) -> None:
    """A box of oranges."""
    things.room(a, "#f6e7cf", "#b48a66", 330)
    props.window(a.pen.at(36, 40), 110, 100, "#bfe3f2")
    MUM.draw(a.pen.at(190, 410, 1.65), "proud", ((10, -72), (32, -72)), "none")
    a.pen.ellipse(226, 286, 22, 21, "#f58e2b")
    props.desk(a.pen.at(280, 420), 540, 70, "#a97850")
    for x, y in (
        (330, 252),
        (372, 246),
        (414, 250),
        (456, 256),
        (350, 228),
        (394, 224),
        (436, 230),
    ):
        a.pen.ellipse(x, y, 24, 23, "#f58e2b")
        a.pen.ellipse(x, y - 18, 4, 3, "#3f8a4a", None)
    a.pen.box(300, 262, 186, 80, "#c99a64", 4)
    a.pen.stroke([(393, 264), (393, 340)], "#b0804c", 10)


@meme(
    131,
    "group_chat",
    pair("群主：我十分钟写完报告", "群主：十分钟过去了"),
    (other("群主呢？说好的报告呢？"), shares("前方记者发回报道。"), other("群主别跑！")),
    "好笑",
    "左图的群主站得笔直，信心十足；右图变成一只慢悠悠的乌龟，报告纸上还是一片空白。两"
    "个标题都点名群主。笑的是群主说大话，发图的人在调侃别人，自己没有出丑，所以不是自"
    "嘲。",
)
def the_host(a: Panel, b: Panel) -> None:
    """Somebody else's deadline."""
    for panel, wall in ((a, "#fdeed2"), (b, "#dfeae0")):
        things.room(panel, wall, "#b6a48c", 262)
    BOSS.draw(a.pen.at(152, 330, 1.65), "proud", "hips")
    turtle(b.pen.at(112, 330, 1.55), "calm")
    things.paper(b.pen.at(190, 130, 1, tilt=4), 90, 120)
    b.sign("报告", 230, 158, 24)


MEMES: tuple[Meme, ...] = (
    pretty_cake,
    just_looking,
    to_the_sea,
    light_rain,
    promotion,
    oranges_from_home,
    the_host,
)
