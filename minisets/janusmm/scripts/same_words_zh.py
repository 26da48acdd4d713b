"""Chinese memes with the words of a self-deprecating one over another picture: nobody is mocked."""

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOSS, BOY, CLERK, COOK, GIRL, LINDA, MUM, moon, robot
from minisets.drawing.faces import draw_face, mood_face
from minisets.drawing.pen import Pen
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair
from minisets.janusmm.meme import Meme, meme, other, receiver, shares
from minisets.janusmm.scripts import money_zh, people_zh
from minisets.janusmm.stage import Panel


def _telescope(pen: Pen) -> None:
    for x in (-26, 0, 26):
        pen.limb([(0, -60), (x, 0)], "#8a5a3c", 5)
    pen.limb([(-34, -42), (46, -96)], "#56667a", 16)
    pen.limb([(40, -92), (56, -103)], "#8f9db0", 22)


@meme(
    132,
    "group_chat",
    bar("整栋楼里，跟我最熟的是月亮"),
    (other("天文社今晚有活动吗？"), shares("我已经在楼顶架好了。"), other("等我，马上上来！")),
    "快乐",
    "夜晚的楼顶上架着望远镜，主人公高兴地指着又大又亮的月亮，月亮也在打招呼。文字说和月"
    "亮最熟，因为发图的人爱看星星。图文都是对爱好的喜欢，没有嘲笑自己。",
)
def moon_gazing(a: Panel) -> None:
    """A telescope on the roof."""
    things.night(a, 132, 0.7)
    moon(a.pen.at(420, 110, 1.5), "happy", (-1, 0.4))
    a.pen.box(-6, 330, 580, 90, "#5f5b78")
    a.say("又是你！", 230, 62, (350, 104), 30)
    GIRL.draw(a.pen.at(130, 384, 1.5), "glad", "point", look=(1, -0.5))
    _telescope(a.pen.at(300, 386, 1.5))


@meme(
    133,
    "private_dialogue",
    pair("项目第一版", "项目最终版（第七版）"),
    (receiver("项目总算上线了，恭喜！"), shares("谢谢，它有很大的变化。")),
    "自豪",
    "左图是一台歪着头、补着胶布的小机器人，右图是同一台机器人的成品，站得笔直，周围闪着"
    "星光。标题说项目从第一版到了第七版，图里的作品越做越好。图文一致地展示成果，是自豪，"
    "不是自嘲。",
)
def robot_versions(a: Panel, b: Panel) -> None:
    """Seven versions of a robot."""
    for panel, wall in ((a, "#dfe1ea"), (b, "#fdeed2")):
        things.room(panel, wall, "#a79bb8", 262)
    robot(a.pen.at(152, 324, 1.0, tilt=-12), "dizzy", ((-34, -36), (34, -36)))
    a.pen.limb([(120, 250), (170, 262)], "#e9d98f", 9)
    things.beams(b, 152, 150, "#fff7dd", 14)
    robot(b.pen.at(152, 330, 1.55), "proud", ((-40, -90), (40, -90)))
    for x, y in ((46, 70), (262, 80), (268, 210), (40, 220)):
        things.sparkle(b.pen.at(x, y), 15)


@meme(
    134,
    "group_chat",
    over("领导：你来说两句", "我的大脑：", 560, 470),
    (other("刚才开会，你讲得也太好了吧？"), shares("当时的系统截图。")),
    "自豪",
    "一个机器人站在会议桌旁，满面笑容，头顶的进度条显示准备就绪、百分之百，两边的同事听"
    "得高兴。文字交代场景：领导点名发言，而“我的大脑”早就准备好了。这是得意，不是自嘲。",
)
def ready_brain(a: Panel) -> None:
    """A brain that is ready."""
    things.room(a, "#dce7ee", "#a8b4bd", 340)
    a.plate("准备就绪！100%", 280, 112, 28, "#ffffff")
    a.pen.box(166, 142, 228, 20, "white", 8)
    a.pen.box(170, 146, 220, 12, "#57a773", 3, None)
    robot(a.pen.at(280, 422, 1.55), "glad", ((-40, -90), (40, -90)))
    for x, who in ((86, BOSS), (474, CLERK)):
        who.draw(a.pen.at(x, 430, 1.35), "glad", "down", "none", (1 if x < 200 else -1, 0))
    props.desk(a.pen.at(280, 450), 580, 66, "#a97850")


@meme(
    135,
    "private_dialogue",
    over("减肥第一周，满怀信心上秤", "", 560, 460, 38),
    (receiver("这周减得怎么样？有成果吗？"), shares("连秤都替我高兴。")),
    "高兴",
    "一只苗条的橘猫自信地站在体重秤上，那台秤笑着恭喜它轻了两斤。上方的文字说减肥第一周"
    "满怀信心，结果也真的不错。图文都在报喜，没有贬低自己。",
)
def happy_scales(a: Panel) -> None:
    """Scales with good news."""
    things.room(a, "#dff0ee", "#9fc4bd", 330)
    cat(a.pen.at(200, 352, 1.75), "glad", "sit")
    a.pen.box(96, 352, 208, 76, "#8fa9c9", 12)
    a.pen.note_face(200, 390, 50, 30)
    draw_face(a.pen.at(200, 386, 1.25), mood_face("happy"), gap=15)
    a.say("恭喜，轻了两斤！", 416, 268, (262, 384), 25)
    for x, y in ((90, 160), (300, 150), (70, 300)):
        things.sparkle(a.pen.at(x, y), 15)


@meme(
    136,
    "social_media",
    bar("“再看最后一个就睡”"),
    (shares("每晚都是这一句，他已经听了五个故事。"), other("孩子都这样，可爱。")),
    "好笑",
    "床上的小男孩睁大眼睛，不肯睡觉，床边的妈妈捧着故事书，脚下已经堆了好几本。标题是孩"
    "子的原话。发图的人在打趣自己的孩子，笑的不是自己。",
)
def last_story(a: Panel) -> None:
    """One more story."""
    things.room(a, "#3d4175", "#2c2f58", 336)
    a.pen.box(330, 32, 170, 130, "#22244a", 4, "#6b6a9c", 6)
    moon(a.pen.at(414, 98, 0.95), "sleep")
    MUM.draw(a.pen.at(420, 384, 1.45), "calm", ((-24, -60), (24, -60)), look=(-1, 0))
    a.pen.shape([(380, 280), (420, 292), (460, 280), (460, 318), (420, 330), (380, 318)], "#fffdf4")
    props.bed(a.pen.at(30, 384, 1.5), 210, "#6c9bd1")
    BOY.head(a.pen.at(216, 310, 1.3, tilt=-80), "happy")
    for i, colour in enumerate(("#e2725b", "#57a773", "#f2b134", "#9b72aa")):
        things.book(a.pen.at(490, 386 - i * 18), 74, colour)


@meme(
    137,
    "private_dialogue",
    over("三个人的电影", "我负责照明", 560, 490),
    (receiver("昨晚跟他们拍电影，开心吗？"), shares("开心，我发挥了很大作用。")),
    "自豪",
    "两位演员坐在长椅上对戏，前面架着摄影机，主人公举着一盏大灯认真打光。文字说三个人拍"
    "一部电影，“我”负责照明，说的就是剧组里的分工。图文一致，是对自己工作的自豪。",
)
def film_crew(a: Panel) -> None:
    """Somebody who really holds the lamp."""
    things.night(a, 31, 0.55)
    props.hills(a, 290, "#3f6a52")
    things.bench(a.pen.at(380, 410, 1.25), 220)
    LINDA.draw(a.pen.at(330, 400, 1.3), "love", "down", "sit", (1, 0))
    COOK.draw(a.pen.at(436, 400, 1.3, True), "love", "down", "sit", (1, 0))
    BOY.draw(a.pen.at(180, 404, 1.45), "proud", ((-27, -45), (34, -120)))
    things.bulb(a.pen.at(230, 226, 1.0))
    for x in (52, 76, 100):
        a.pen.limb([(76, 330), (x, 404)], "#8a5a3c", 5)
    a.pen.box(34, 276, 84, 56, "#453f5c", 6)
    a.pen.shape([(118, 292), (142, 280), (142, 328), (118, 316)], "#56667a")


@meme(
    138,
    "group_chat",
    pair("我的自拍（第48张）", "同事抓拍（第1张）"),
    (other("团建照片出来啦，大家自己找！"), shares("抓拍的这位，请收下我的膝盖。")),
    "高兴",
    "左图是精心挑选的自拍，右图是同事随手一拍，同一个人笑得一样好看，背后还有阳光。标题"
    "写明一张拍了四十八次，一张只拍了一次。发图的人在夸同事拍得好，自己也很上镜，没有自"
    "嘲。",
)
def good_snapshot(a: Panel, b: Panel) -> None:
    """The same face, twice as good."""
    people_zh.candid.draw(a, Panel(b.width, b.height, b.ground))
    things.outdoors(b, 230, "#bfe3f2", "#8cc07a")
    things.beams(b, 250, 40, "#d8eef8", 14)
    b.pen.ellipse(256, 60, 34, 34, "#ffd24a")
    GIRL.draw(b.pen.at(152, 470, 2.5), "glad", "down", "none")
    for x, y, size in ((44, 60, 18), (40, 220, 14), (268, 240, 20)):
        things.sparkle(b.pen.at(x, y), size)


@meme(
    139,
    "private_dialogue",
    pair("发工资第一天", "发工资第三天"),
    (receiver("周末逛街去不去？你不是刚发工资？"), shares("去，一分都还没动。")),
    "自豪",
    "左图的橘猫戴着王冠坐在金币堆上，右图还是这只猫、这堆金币，旁边多了一只小鱼。标题过"
    "了两天，钱一点没少。发图的人得意自己会攒钱，图文都在夸自己，不是自嘲。",
)
def still_a_king(a: Panel, b: Panel) -> None:
    """A king for longer than a day."""
    for panel in (a, b):
        money_zh.pay_day.draw(panel, Panel(b.width, b.height, b.ground))
    b.pen.blob([(210, 262), (236, 246), (262, 262), (284, 248), (284, 282), (262, 268),
                (236, 280)], "#8fb4cf")  # fmt: skip
    b.pen.ellipse(228, 260, 3, 3, "#2b2438", None)
    things.sparkle(b.pen.at(50, 60), 16)


MEMES: tuple[Meme, ...] = (
    moon_gazing,
    robot_versions,
    ready_brain,
    happy_scales,
    last_story,
    film_crew,
    good_snapshot,
    still_a_king,
)
