"""Chinese memes that look like self-deprecating ones, but praise the sender or tease another."""

from minisets.drawing import props
from minisets.drawing.animals import octopus, snail
from minisets.drawing.cast import BOY, GIRL, LINDA, RUNNER
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair
from minisets.janusmm.meme import Meme, meme, other, receiver, shares
from minisets.janusmm.scripts import home_zh, money_zh, people_zh
from minisets.janusmm.stage import Panel


@meme(
    140,
    "group_chat",
    pair("昨晚的我：明早六点起来跑步", "今早的我：跑完五公里了"),
    (other("说好的晨跑呢？我在楼下等着！"), shares("我有在场证明。")),
    "自豪",
    "左图是夜里，主人公握拳立志，六点的闹钟摆在旁边。右图是清晨的公园，同一个人跑得满脸"
    "笑容。文字先立志、后兑现，前后一致，是说到做到的得意，不是自嘲。",
)
def real_run(a: Panel, b: Panel) -> None:
    """A promise that was kept."""
    home_zh.dream_run.draw(a, Panel(b.width, b.height, b.ground))
    things.outdoors(b, 230, "#fbe3c4", "#8cc07a")
    b.pen.ellipse(240, 90, 34, 34, "#f58e2b")
    b.pen.blob([(-20, 350), (100, 280), (240, 276), (340, 350)], "#e0cda4")
    BOY.draw(b.pen.at(140, 322, 1.6), "glad", "run", "run")
    props.dashes(b.pen.at(60, 220), 44, 3, 18)


@meme(
    141,
    "social_media",
    over("教程：有手就行", "我有八只，正好八个菜", 560, 470),
    (other("新学的菜做得怎么样啦？"), shares("开饭！")),
    "快乐",
    "一只章鱼戴着厨师帽站在灶台前，一只手举着锅铲，一只手托着漂亮的蛋糕，笑得眼睛都弯了。"
    "文字先引用教程，再说八只手正好做八个菜。图文都在高兴地炫耀手艺，没有嘲笑自己。",
)
def eight_dishes(a: Panel) -> None:
    """A cook with just enough hands."""
    things.kitchen(a, 330)
    a.pen.limb([(210, 300), (150, 270), (128, 232)], "#c75b8f", 15)
    a.pen.limb([(340, 300), (400, 276), (420, 250)], "#c75b8f", 15)
    octopus(a.pen.at(275, 372, 1.85), "glad")
    hat = a.pen.at(275, 168)
    for x, y, r in ((-24, -22, 20), (24, -22, 20), (0, -32, 24)):
        hat.ellipse(x, y, r, r * 0.85, "white")
    hat.box(-30, -20, 60, 30, "white", 4)
    a.pen.limb([(126, 236), (112, 150)], "#8f6248", 5)
    a.pen.box(96, 116, 32, 40, "#b8c4cc", 6)
    things.cake(a.pen.at(430, 244, 1.05))
    a.pen.box(-6, 352, 580, 130, "#b9c6cf")
    for x in (90, 250, 410):
        a.pen.ellipse(x, 362, 42, 8, "#453f5c")
        props.bowl(a.pen.at(x, 364, 0.9))


@meme(
    142,
    "social_media",
    bar("我妹的运动报告：共36步，路线见下图"),
    (other("大家晒一下今天的步数！"), shares("我两万，她的在这里。")),
    "好笑",
    "图上画着一张小地图，只有一条虚线，从床走到冰箱，再从冰箱走回床。标题写明这是妹妹的"
    "运动报告。发图的人自己走了两万步，打趣的是懒得出门的妹妹，不是自嘲。",
)
def sisters_steps(a: Panel) -> None:
    """Somebody else's day."""
    home_zh.thirty_six_steps.draw(a)


@meme(
    143,
    "social_media",
    bar("放假日常：路上遇到老同学"),
    (shares("一聊就是一下午。"), other("下次叫上我！")),
    "高兴",
    "两位老同学在路上迎面遇到，都笑着挥手，一个喊好久不见。标题说这是放假的日常。画面和"
    "文字都是重逢的高兴，没有人被取笑。",
)
def old_friends(a: Panel) -> None:
    """Two who are glad to meet."""
    things.outdoors(a, 236, "#cfeaf3", "#8cc07a")
    a.pen.blob([(-20, 400), (140, 322), (420, 318), (580, 400)], "#e0cda4")
    RUNNER.draw(a.pen.at(140, 366, 1.6), "happy", "wave")
    LINDA.draw(a.pen.at(400, 366, 1.6, True), "glad", "wave")
    a.say("好久不见！", 196, 62, (150, 150), 30)


@meme(
    144,
    "private_dialogue",
    bar("考试的时候，这道题我见过，还很熟"),
    (receiver("考完啦？难不难？"), shares("题目都很面善。")),
    "高兴",
    "一张长着脸的试卷笑眯眯地问“还记得我吗”，对面的学生高举双手，说是老朋友。标题把题目"
    "说成很熟的人。复习过的题都考到了，图文都是高兴和得意，没有自嘲。",
)
def old_question(a: Panel) -> None:
    """An exam paper that is welcome."""
    people_zh.sheet(a)
    GIRL.draw(a.pen.at(150, 382, 1.65), "glad", "cheer", look=(1, 0))
    a.say("老朋友！", 128, 62, (152, 140), 28)


@meme(
    145,
    "group_chat",
    bar("我的超能力：站到哪一队，哪一队就飞快"),
    (other("你去买个奶茶，一分钟就回来了？"), shares("不是店快，是我来了。")),
    "自豪",
    "画面上有两支队伍，一支前面站着慢吞吞的蜗牛；另一支跑得飞快，主人公已经举着双手站在"
    "窗口前。标题把好运气叫作超能力。发图的人在得意，没有贬低自己。",
)
def fast_queue(a: Panel) -> None:
    """A queue that runs."""
    things.room(a, "#fbe8d2", "#c9a88a", 190)
    for y, colour in ((190, "#5aa9a0"), (330, "#e2725b")):
        props.desk(a.pen.at(486, y + 22), 110, 60, colour)
    a.sign("1号窗口", 486, 178, 22, "white")
    a.sign("2号窗口", 486, 318, 22, "white")
    a.pen.stroke([(0, 246), (420, 246)], "#e9d8c0", 5)
    snail(a.pen.at(250, 238, 1.0), "calm")
    for x, who in ((154, LINDA), (64, RUNNER)):
        who.draw(a.pen.at(x, 232, 0.95), "bored", "limp")
    BOY.draw(a.pen.at(370, 388, 1.15), "glad", "cheer")
    props.dashes(a.pen.at(300, 320), 60, 4, 18)


@meme(
    146,
    "group_chat",
    bar("健身年卡使用记录：共200次（不算办卡那次）"),
    (other("健身房说要奖励常来的会员。"), shares("他们应该认识我。")),
    "自豪",
    "跑步机上的人跑得满脸笑容，旁边挂着印有“健身年卡”的卡片，一只奖杯摆在地上。标题像报"
    "告一样写着一共去了两百次。图文都在展示坚持的成果，是自豪，不是自嘲。",
)
def well_used_card(a: Panel) -> None:
    """A treadmill in use."""
    things.room(a, "#dce6ef", "#a7aebb", 300)
    a.pen.limb([(420, 352), (452, 150)], "#56667a", 12)
    a.pen.box(400, 120, 90, 46, "#453f5c", 8)
    a.pen.limb([(440, 220), (372, 226)], "#56667a", 8)
    a.pen.box(70, 346, 390, 30, "#56667a", 10)
    a.pen.box(84, 338, 350, 16, "#2b2438", 6)
    GIRL.draw(a.pen.at(290, 338, 1.35), "glad", "run", "run")
    a.pen.box(44, 46, 190, 110, "#f2b134", 12)
    a.sign("健身年卡", 139, 84, 34)
    a.sign("剩余：0天", 139, 128, 22)
    things.trophy(a.pen.at(500, 392, 0.9))


@meme(
    147,
    "private_dialogue",
    over("教练说我弟是他最长情的学员", "科目二，第五次", 560, 460, 38),
    (receiver("你弟的驾照考下来没？"), shares("再等等，他舍不得教练。")),
    "好笑",
    "一辆歪歪扭扭的小车压在倒下的锥桶上，车旁的教练双手抱头。文字说弟弟是最长情的学员，"
    "科目二考了第五次。发图的人在打趣弟弟，出丑的不是自己，所以不是自嘲。",
)
def brothers_test(a: Panel) -> None:
    """Somebody else's driving test."""
    money_zh.fifth_try.draw(a)


@meme(
    148,
    "social_media",
    pair("周末计划：爬山、看展、学做菜", "周末实况：山爬了，菜也会了"),
    (other("周末都干什么了？"), shares("按计划来，一项没落下。")),
    "自豪",
    "左图的人站在山顶高举双手，迎着太阳。右图里同一个人在厨房端着一盘漂亮的蛋糕。标题用"
    "计划和实况作对照，两边都做到了。图文都在夸自己，没有自嘲。",
)
def plan_kept(a: Panel, b: Panel) -> None:
    """A plan and what came of it."""
    money_zh.weekend_plan.draw(a, Panel(b.width, b.height, b.ground))
    things.kitchen(b, 262)
    GIRL.draw(b.pen.at(110, 330, 1.55), Face("glad", "grin", extra="blush"), ((30, -72), (56, -72)))
    things.cake(b.pen.at(222, 218, 0.85))
    for x, y in ((170, 90), (280, 110), (270, 260)):
        things.sparkle(b.pen.at(x, y), 14)


MEMES: tuple[Meme, ...] = (
    real_run,
    eight_dishes,
    sisters_steps,
    old_friends,
    old_question,
    fast_queue,
    well_used_card,
    brothers_test,
    plan_kept,
)
