"""Chinese memes about money and plans: wages, savings, red packets, the gym, driving, weekends."""

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOSS, BOY, CODER, GIRL, LINDA, RUNNER
from minisets.drawing.faces import Expression, draw_face, mood_face
from minisets.drawing.pen import INK, Pen
from minisets.drawing.people import Person
from minisets.janusmm import chat, things
from minisets.janusmm.layouts import bar, card, over, pair
from minisets.janusmm.meme import (
    Meme,
    Mockery,
    meme,
    other,
    receiver,
    shares,
)
from minisets.janusmm.stage import Panel


def _crown(pen: Pen) -> None:
    spikes = [(-24, 0), (-28, -30), (-12, -16), (0, -36), (12, -16), (28, -30), (24, 0)]
    pen.shape(spikes, "#f2c230")
    for x in (-14, 0, 14):
        pen.ellipse(x, -6, 3.4, 3.4, "#e8465a", None)


@meme(
    119,
    "private_dialogue",
    pair("发工资第一天", "发工资第三天"),
    (receiver("周末逛街去不去？你不是刚发工资？"), shares("那是上一个时代的事了。")),
    "无奈",
    "左图的橘猫戴着王冠坐在金币堆上，得意洋洋。右图还是这只猫，淋着雨，面前摆着一只空"
    "碗，眼巴巴地看着。标题只差两天，待遇却天差地别。作者借猫的大起大落，自嘲存不住钱、"
    "工资花得飞快。",
    Mockery(
        sender="发工资那天我像国王，第三天就只剩一只空碗，所以我用猫来演我自己。夸张一点，拒绝逛"
        "街就不那么难为情。我对自己的花钱速度很无奈，希望朋友别嫌我穷。",
        receiver="她在自嘲月光，刚发的钱两三天就没了。背后是无奈和一点难为情，她其实想见面，只是不"
        "想花钱。",
        reply="陛下别慌，逛街改成逛公园，不要门票！我带三明治，你带上空碗就行。",
    ),
)
def pay_day(a: Panel, b: Panel) -> None:
    """A king for a day."""
    a.paint("#fdeec2")
    things.beams(a, 152, 150, "#fff7dd", 16)
    for i in range(34):
        row = i % 6
        x = 24 + (i * 47) % 256
        a.pen.ellipse(x, 336 - row * 11 + abs(x - 152) * 0.14, 15, 9, "#f2c230", width=1.8)
    cat(a.pen.at(152, 302, 1.75), "proud")
    _crown(a.pen.at(152, 144, 1.15))
    things.room(b, "#8a97a8", "#6b7480", 262)
    props.rain(b, "#b9cbdb", 5)
    cat(b.pen.at(120, 316, 1.6), "sad", look=(1, 0.4))
    props.bowl(b.pen.at(226, 322, 1.5), "#f4efe6")


@meme(
    120,
    "social_media",
    bar("都说你不理财，财不理你。我理了。"),
    (other("今年理财收益怎么样，分享一下？"), shares("热脸贴上去了。")),
    "失落",
    "主人公满脸笑容地向一袋长着脸的钱挥手打招呼，那袋钱却翻着白眼看向别处，冷冷地说“"
    "不熟”。标题借用“你不理财，财不理你”的双关，说自己已经理了。打了招呼仍被钱冷落，"
    "图文合在一起自嘲理财失败、与财无缘。",
    Mockery(
        sender="我笑着跟钱打招呼，它却说跟我不熟。把亏钱讲成被冷落，是我给自己找的台阶。投进去的"
        "没赚到，我有点失落，笑一笑比一个人难受好。",
        receiver="他在自嘲理财没赚到钱，钱根本不理他。背后是失落，他不想听分析，只想有人一起叹口气。",
        reply="它不识货，是它的损失！慢慢来，至少你的心态已经涨停了，改天请你喝杯不看行情的茶。",
    ),
)
def ignored_by_money(a: Panel) -> None:
    """A bag of money that does not know you."""
    things.outdoors(a, 280, "#d7edf5", "#9fca86")
    BOY.draw(a.pen.at(130, 376, 1.65), "happy", "wave")
    bag = a.pen.at(400, 372, 1.35)
    for x in (-22, 20):
        bag.limb([(x, -20), (x + 6, -4)], "#8a5a3c", 8)
    bag.blob([(-58, -16), (-60, -70), (-24, -116), (24, -116), (60, -70), (58, -16), (0, -6)],
             "#d9b36a")  # fmt: skip
    bag.blob([(-30, -140), (0, -130), (30, -140), (20, -116), (-20, -116)], "#d9b36a")
    bag.stroke([(-24, -116), (24, -116)], "#8a5a3c", 6)
    bag.note_face(14, -66, 34, 28)
    draw_face(bag.at(14, -66, 1.4), mood_face("bored", (1, 0)), gap=11)
    a.say("你好！", 96, 86, (124, 152), 32)
    a.say("不熟。", 440, 96, (408, 206), 30)


@meme(
    121,
    "group_chat",
    card(480, 520),
    (other("红包来啦，手快有手慢无！"), other("谢谢老板！"), shares("感谢大家成全。")),
    "失落",
    "图中是抢红包的结果页：前面几位分别抢到十八块八、六块六和五块二，个个眉开眼笑，最"
    "后一行的“我”只抢到一分钱，还被授予“手气最稳”的称号。数字的悬殊配上哭脸，发图的人"
    "在自嘲手气总是最差。",
    Mockery(
        sender="别人几块十几块，我一分钱，还年年如此，干脆自己晒出来。说是手气最稳，就是笑自己从"
        "来没好过。有点小失落，但更想给群里添个乐子。",
        receiver="他在自嘲抢红包手气差，只得了一分钱。有一点失落，但主要是想逗大家开心，等着被安慰"
        "一下。",
        reply="一分钱也是喜钱，一心一意！来，我私下补你一个，凑个六六大顺。",
    ),
    symbols=("抢红包",),
)
def one_cent(a: Panel) -> None:
    """The result of a red packet."""
    a.paint("#fff6ea")
    a.pen.box(-5, -5, 490, 130, "#d8473f")
    a.pen.ellipse(240, 124, 250, 30, "#d8473f", None)
    a.sign("恭喜发财", 240, 62, 46, "#ffe08a")
    rows: tuple[tuple[Person, str, str, Expression], ...] = (
        (RUNNER, "小王", "18.80元", "glad"),
        (CODER, "小李", "6.60元", "happy"),
        (LINDA, "小美", "5.20元", "proud"),
        (BOY, "我", "0.01元", "cry"),
    )
    for i, (who, name, amount, mood) in enumerate(rows):
        y = 204 + i * 76
        chat.avatar(a.pen.at(58, y), who, mood)
        a.sign(name, 134, y, 27)
        a.sign(amount, 400, y, 27, "#d8473f" if name == "我" else INK)
        if i < 3:
            a.pen.stroke([(100, y + 38), (456, y + 38)], "#ead9c0", 2)
    a.plate("手气最稳", 248, 432, 22, "#ffe08a", "#b0362f")


@meme(
    122,
    "group_chat",
    bar("健身年卡使用记录：共1次（办卡那次）"),
    (other("健身房说要清理不来的会员了。"), shares("他们可能不认识我。")),
    "羞愧",
    "一台跑步机上结着蜘蛛网，一只猫窝在上面呼呼大睡，旁边挂着印有“年卡”的卡片。标题像"
    "正式报告一样写着只用过一次，而且就是办卡那次。闲置的器材和冷静的统计放在一起，作"
    "者自嘲三分钟热度，花钱买了个心安。",
    Mockery(
        sender="我办了年卡却只去过办卡那一次，跑步机都结网了。用统计报告的口吻说出来，是笑自己三"
        "分钟热度。钱花了人没去，我挺羞愧，先自嘲就不怕别人说。",
        receiver="她在自嘲办了健身卡却从来不去。背后是羞愧和对自己的不满，也许还想有人拉她一把。",
        reply="那张卡锻炼的是钱包，也算运动！周六我也去，你负责出现，我负责陪你走十分钟。",
    ),
)
def gym_card(a: Panel) -> None:
    """A treadmill with a cobweb."""
    things.room(a, "#dce6ef", "#a7aebb", 300)
    a.pen.limb([(420, 352), (452, 150)], "#56667a", 12)
    a.pen.box(400, 120, 90, 46, "#453f5c", 8)
    a.pen.limb([(440, 220), (372, 226)], "#56667a", 8)
    a.pen.box(70, 346, 390, 30, "#56667a", 10)
    a.pen.box(84, 338, 350, 16, "#2b2438", 6)
    cat(a.pen.at(226, 342, 1.8), "sleep", "loaf")
    tips = ((330, 130), (352, 180), (384, 214))
    for tip in tips:
        a.pen.stroke([(414, 150), tip], "#ffffff", 2)
    for r in (0.45, 0.75):
        ring = [(414 + (x - 414) * r, 150 + (y - 150) * r) for x, y in tips]
        a.pen.stroke(ring, "#ffffff", 2)
    a.pen.box(44, 46, 190, 110, "#f2b134", 12)
    a.sign("健身年卡", 139, 84, 34)
    a.sign("剩余：364天", 139, 128, 22)
    a.sign("呼……", 150, 236, 32, "#6c7fb0")


@meme(
    123,
    "private_dialogue",
    over("教练说我是他最长情的学员", "科目二，第五次", 560, 460, 38),
    (receiver("驾照考下来没？等你开车带我兜风呢！"), shares("再等等，我舍不得教练。")),
    "沮丧",
    "一辆歪歪扭扭的小车压在倒下的锥桶上，车旁的教练双手抱头，头发都愁没了。文字先说教"
    "练夸自己最长情，再补一句科目二考了第五次。“长情”听着像表扬，配上画面才知道是一直"
    "考不过，这是在自嘲开车太笨。",
    Mockery(
        sender="我把考了五次没过说成对教练长情，画里的锥桶和抱头的教练才是真相。用好听的词说丢脸"
        "的事，自己也能笑出来。其实我挺沮丧的，怕你等得不耐烦。",
        receiver="她考驾照屡次不过，用“长情”来自嘲笨拙。背后是沮丧和怕让人失望，她需要有人给她打气。",
        reply="第五次离第六次通过只差一次啦！在那之前我骑车带你兜风，风是一样大的。",
    ),
)
def fifth_try(a: Panel) -> None:
    """A driving test."""
    a.paint("#cfe6f2")
    props.hills(a, 220, "#93c283")
    props.floor(a, 270, "#8d8a99")
    for x in (60, 380):
        a.pen.stroke([(x + 40, 286), (x, 396)], "white", 6)
    for x, y, turn in ((300, 376, 80), (90, 366, -70)):
        cone = a.pen.at(x, y, 1.1, tilt=turn)
        cone.shape([(-18, 0), (18, 0), (6, -50), (-6, -50)], "#f2722b")
        cone.shape([(-13, -16), (13, -16), (10, -30), (-10, -30)], "white", None)
    things.car(a.pen.at(200, 356, 1.5, tilt=-9), "#f2c230", "worry")
    BOSS.draw(a.pen.at(452, 382, 1.55), "cry", "head")


@meme(
    124,
    "group_chat",
    pair("周末计划：爬山、看展、学做菜", "周末实况：换了五个姿势躺着"),
    (other("周末都干什么了？我先说，我去爬山了。"), shares("我也很忙，翻了好几座被子山。")),
    "羞愧",
    "左图的人站在山顶高举双手，迎着太阳意气风发。右图里同一个人四仰八叉地瘫在沙发上，"
    "身边是零食袋，脸上却很满足。标题用计划和实况作对比，排得满满的计划最后只剩换姿势。"
    "作者在自嘲想得多、做得少的懒散。",
    Mockery(
        sender="计划里的我在山顶，实际上的我在沙发上，唯一的运动是翻身。把差距摆出来，是想先笑自"
        "己懒。别人都过得很充实，我有点羞愧，也希望大家承认躺着也不错。",
        receiver="他在自嘲周末计划全泡汤，只躺了两天。玩笑后面有点羞愧和比较的压力，他想听到休息也"
        "没关系。",
        reply="五个姿势也是五个项目，全勤！休息好了才爬得动，下周想出门就叫我，不想出门我带零食"
        "来。",
    ),
)
def weekend_plan(a: Panel, b: Panel) -> None:
    """A plan and a sofa."""
    a.paint("#bfe3f2")
    a.pen.ellipse(236, 70, 36, 36, "#ffd24a")
    a.pen.shape([(-20, 345), (70, 220), (150, 214), (230, 216), (330, 345)], "#8a9a72")
    a.pen.shape([(190, 345), (270, 250), (340, 345)], "#74865f")
    GIRL.draw(a.pen.at(142, 224, 1.1), "proud", "cheer")
    things.room(b, "#f3e2d4", "#b48a66", 262)
    things.sofa(b.pen.at(152, 318, 1.2), 230, "#8fb3a3")
    GIRL.draw(b.pen.at(98, 232, 1.1, tilt=84), "proud", "shrug")
    for x, colour in ((52, "#e8554d"), (250, "#f2b134")):
        b.pen.blob([(x - 16, 328), (x - 20, 290), (x, 296), (x + 20, 290), (x + 16, 328)], colour)


MEMES: tuple[Meme, ...] = (
    pay_day,
    ignored_by_money,
    one_cent,
    gym_card,
    fifth_try,
    weekend_plan,
)
