"""Chinese pairs about work: meetings, bonuses, late messages, outings, pay, printers."""

from minisets.cfms import cards, places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.cast import BOSS, CLERK, CODER, GIRL, LINDA, OFFICE_MAN, RUNNER
from minisets.drawing.faces import Expression, Face
from minisets.janusmm import chat, things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel


@twins(
    "train",
    "zh",
    card(480, 380),
    Biting(
        "为了少开会，我们这周专门开了五次会，效率感人。",
        "会议室里，三个人围着长桌坐着，神情困倦，白板上写着会议议题是怎样减少会议，还标着第五次讨"
        "论。",
        "没完没了的会议",
        "institutional_rules",
        "“效率感人”是反话：白板上的议题是减少会议，却已经讨论到第五次，参会的人都快睡着了。用开"
        "会来减少会议，讽刺公司的形式主义。",
    ),
    Sincere(
        "会议室里，三个人围着长桌坐着，有人打瞌睡，白板上写着会议议题是怎样减少会议，还标着第五次"
        "讨论。",
        "今天第五次讨论怎么少开会，大家都困得不行，希望下周能有个结论。",
    ),
)
def fewer_meetings(a: Panel, biting: bool) -> None:
    """A meeting about having fewer meetings."""
    places.office(a)
    a.pen.box(150, 24, 300, 120, "white", 6, "#8f9db0", 5)
    a.sign("议题：如何减少会议", 300, 62, 27)
    a.sign("第5次讨论", 300, 108, 25, "#c8434f")
    tired: places.Group = ((OFFICE_MAN, "bored"), (LINDA, "sleep"), (CODER, "bored"))
    sleepy: places.Group = ((CLERK, "sleep"), (RUNNER, "bored"), (OFFICE_MAN, "sick"))
    places.seated(a, tired if biting else sleepy, 300, 1.15)


@twins(
    "train",
    "zh",
    card(480, 380),
    Biting(
        "公司太懂员工了，年终福利直接发到心坎里。",
        "办公桌后的女生面无表情，桌上摆着一包小小的纸巾，旁边的红色牌子写着年终福利，抽纸一包。",
        "公司敷衍的年终福利",
        "institutional_rules",
        "文字夸公司懂员工，图里的年终福利却只有一包抽纸，女生一脸无语。夸得越高，落差越大，讽刺公"
        "司发福利小气又敷衍。",
    ),
    Sincere(
        "办公桌后的女生笑得很开心，桌上摆着行李箱，旁边的红色牌子写着年终福利，带薪假十天。",
    ),
)
def year_end_gift(a: Panel, biting: bool) -> None:
    """What the company gives at the end of the year."""
    places.office(a, "#f3e6e2" if biting else "#e6f0e2")
    GIRL.draw(a.pen.at(130, 372, 1.45), "bored" if biting else "glad", "desk", "none")
    props.desk(a.pen.at(240, 330), 440, 30)
    a.pen.box(236, 40, 214, 112, "#d64550", 10)
    a.sign("年终福利", 343, 74, 32, "#ffe9a8")
    a.sign("抽纸一包" if biting else "带薪假10天", 343, 122, 28, "white")
    if biting:
        a.pen.box(300, 258, 84, 34, "#8fc7d1", 6)
        a.pen.blob([(326, 262), (334, 238), (346, 248), (358, 236), (362, 262)], "white")
    else:
        props.suitcase(a.pen.at(340, 290), 110, 76, "#f2b134")


@twins(
    "train",
    "zh",
    card(440, 420),
    Biting(
        "领导说不急，明早八点要。现在才夜里十二点，确实一点都不急呢。",
        "聊天截图，标题是项目组，时间显示二十三点五十八分。领导发来三条消息，夸大家辛苦，要求再改"
        "一版，又说不急，明早八点要。",
        "领导深夜派活还说不急",
        "interpersonal_relations",
        "领导嘴上说不急，却要求明早八点交，而消息发出时已近半夜。文字顺着说“一点都不急”，是反话，"
        "讽刺领导深夜派活还装体贴。",
    ),
    Sincere(
        "聊天截图，标题是项目组，时间显示十四点十分。领导发来三条消息，夸大家辛苦，要求再改一版，"
        "又说不急，下周五要。",
        "领导给的时间挺宽裕，今晚先回家吃饭，明天再慢慢改。",
    ),
)
def no_hurry(a: Panel, biting: bool) -> None:
    """Messages from the boss."""
    chat.header(a, "项目组（6）", "#e9eef2", "#4a5570" if biting else "#57a773")
    a.sign("23:58" if biting else "14:10", 220, 82, 20, "#6b6a80")
    y = chat.bubble(a, "大家辛苦了！", 104, BOSS, "happy")
    y = chat.bubble(a, "方案再改一版", y, BOSS, "calm")
    y = chat.bubble(a, "不急，明早8点要" if biting else "不急，下周五要", y, BOSS, "proud")
    chat.bubble(a, "……收到" if biting else "收到！", y, CODER, "sick" if biting else "happy", True)


@twins(
    "test",
    "zh",
    card(460, 400),
    Biting(
        "公司团建，大家都是自愿来的。",
        "墙上贴着通知：本周六团建爬山，早上六点集合，自愿参加。通知下面，光头老板用绳子拉着三个无"
        "精打采、捆在一起的员工。",
        "名为自愿的强制团建",
        "institutional_rules",
        "通知写着自愿参加，画面里员工却被绳子捆成一串，由老板拉着走，个个愁眉苦脸。文字说大家都是"
        "自愿的，是反话，讽刺公司强迫人参加团建。",
    ),
    Sincere(
        "墙上贴着通知：本周六团建爬山，早上六点集合，自愿参加。通知下面，老板和三个员工都高举双手，"
        "笑得很开心。",
    ),
)
def voluntary_outing(a: Panel, biting: bool) -> None:
    """A notice about a team outing, and who comes."""
    places.office(a, "#eee7da", "#b9a58c")
    cards.notice(
        a,
        "通知",
        ("本周六团建爬山", "早上6点集合", "自愿参加"),
        (90, 16, 280, 190),
        26,
        band="#c8434f" if biting else "#4f8fc0",
    )
    BOSS.draw(a.pen.at(70, 388, 1.05), "angry" if biting else "glad", "hips" if biting else "cheer")
    for x, who in ((200, OFFICE_MAN), (290, LINDA), (380, CODER)):
        mood: Expression = "sick" if biting else "glad"
        who.draw(a.pen.at(x, 388, 1.05), mood, "limp" if biting else "cheer")
    if biting:
        for dy in (0, 12):
            a.pen.limb([(96, 340), (180, 334 + dy), (400, 334 + dy)], "#c99a64", 6)


@twins(
    "test",
    "zh",
    card(480, 380),
    Biting(
        "看了三年的图，才明白公司说的“共同成长”是什么意思。",
        "柱状图，三组柱子分别是前年、去年和今年。工作量的蓝柱一年比一年高，工资的红柱三年一样矮。",
        "只加活不加薪的公司",
        "institutional_rules",
        "图中工作量逐年猛涨，工资三年不动。文字装作恍然大悟地说起“共同成长”，其实成长的只有活儿，"
        "讽刺公司喊口号却不肯加薪。",
    ),
    Sincere(
        "柱状图，三组柱子分别是前年、去年和今年。工作量的蓝柱和工资的红柱一年比一年高，涨得一样多。",
    ),
)
def grow_together(a: Panel, biting: bool) -> None:
    """Work and pay over three years."""
    a.paint("#fbf7ee" if biting else "#f2f7fb")
    a.plate("工作量", 150, 34, 22, "#8fbbe0")
    a.plate("工资", 300, 34, 22, "#f0a595")
    work = (0.35, 0.62, 0.98)
    pay = (0.2, 0.2, 0.2) if biting else (0.34, 0.63, 0.96)
    for i, year in enumerate(("前年", "去年", "今年")):
        left = 60 + i * 132
        a.pen.box(left, 330 - work[i] * 250, 44, work[i] * 250, "#4f8fc0")
        a.pen.box(left + 46, 330 - pay[i] * 250, 44, pay[i] * 250, "#e2725b")
        a.sign(year, left + 45, 354, 24)
    a.pen.stroke([(36, 70), (36, 330), (456, 330)], width=3, curved=False)


@twins(
    "validation",
    "zh",
    card(480, 380),
    Biting(
        "这打印机真懂事，知道我赶时间。",
        "办公桌上的打印机咧着嘴坏笑，冒着烟，纸揉成一团卡在里面，墙上写着九点交材料，钟指向差一分"
        "九点，旁边的女生急得抱头。",
        "关键时刻卡纸的打印机",
        "others",
        "“懂事”是反话：女生赶着九点交材料，打印机偏偏在这时卡纸冒烟，还一脸坏笑。借夸奖的口吻，"
        "讽刺机器总在关键时刻掉链子。",
    ),
    Sincere(
        "办公桌上的打印机微笑着吐出一叠平整的纸，墙上写着九点交材料，钟指向差一分九点，旁边的女生"
        "高兴地举起双手。",
    ),
)
def thoughtful_printer(a: Panel, biting: bool) -> None:
    """A printer one minute before nine."""
    places.office(a, "#f0d9cc" if biting else "#dcebe6")
    things.clock(a.pen.at(420, 70, 0.9), 8.98, 59)
    a.plate("9点交材料！", 250, 56, 28, "#ffe9a8")
    props.desk(a.pen.at(310, 340), 310, 60, "#c9a27c")
    if biting:
        things.smoke(a.pen.at(230, 150, 1), "#8f8a99", 3)
    props.printer(a.pen.at(300, 272, 1.4), "gloat" if biting else "calm")
    if biting:
        crumpled = a.pen.at(300, 148)
        crumpled.shape(
            [(-56, 8), (-48, -20), (-20, -6), (0, -28), (26, -8), (50, -20), (58, 10)], "#fffdf4"
        )
    else:
        for i in range(3):
            things.paper(a.pen.at(394 + i * 4, 236 - i * 5, tilt=3), 62, 40, 2)
    mood: Expression = Face("wide", "yell", "sad", extra="sweat") if biting else "glad"
    LINDA.draw(a.pen.at(100, 374, 1.35), mood, "head" if biting else "cheer")


TWINS: tuple[Twins, ...] = (
    fewer_meetings,
    year_end_gift,
    no_hurry,
    voluntary_outing,
    grow_together,
    thoughtful_printer,
)
