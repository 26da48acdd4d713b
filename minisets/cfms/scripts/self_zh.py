"""Chinese pairs about plans and papers: the gym, a card's refund, steps, an exam."""

from minisets.cfms import cards, places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.animals import cat, dog
from minisets.drawing.cast import BOY, CLERK, GIRL, OFFICE_MAN, RUNNER
from minisets.drawing.pen import arc
from minisets.janusmm import things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel


@twins(
    "train",
    "zh",
    card(480, 380),
    Biting(
        "年卡两千四，一年去了两次，我流的每一滴汗都比香水还贵。",
        "跑步机上结着蜘蛛网，扶手上挂着外套，旁边的账单写着年卡二千四百元，到店两次，平均一千二百"
        "元。",
        "办了健身卡却不去的自己",
        "individual_behaviour",
        "账单显示花了两千四只到店两次，跑步机都结了蜘蛛网。文字炫耀自己的汗比香水贵，其实是反话，"
        "讽刺自己办了卡却不肯锻炼。",
    ),
    Sincere(
        "一位卷发跑者在跑步机上跑步，满脸笑容，旁边的账单写着年卡二千四百元，到店二百次，平均十二"
        "元。",
        "年卡两千四，一年去了两百次，算下来一次才十二块，真值。",
    ),
)
def yearly_card(a: Panel, biting: bool) -> None:
    """A treadmill and a card."""
    things.room(a, "#dfe6ea", "#8f8aa3", 290)
    places.treadmill(a.pen.at(150, 350, 1.5))
    if biting:
        web = a.pen.at(60, 60)
        for angle in range(0, 91, 30):
            tip = arc(0, 0, 110, 110, angle, angle + 1, 1)[0]
            web.stroke([(-60, -60), (tip[0] - 20, tip[1] - 20)], "#a5a0ae", 2)
        for reach in (60, 95, 130):
            web.stroke(arc(-60, -60, reach, reach, 5, 85, 14), "#a5a0ae", 2)
        a.pen.blob(
            [(246, 188), (292, 180), (312, 196), (306, 268), (268, 276), (250, 250)], "#e2725b"
        )
        a.pen.ellipse(206, 322, 5, 5, "#2b2438")
    else:
        RUNNER.draw(a.pen.at(140, 324, 1.35), "glad", "run", "run")
    visits, each = ("2次", "￥1200") if biting else ("200次", "￥12")
    rows = (("年卡", "￥2400"), ("到店", visits), ("平均", each))
    cards.receipt(a, "健身账单", rows, (296, 14, 172, 172), 22)


@twins(
    "validation",
    "zh",
    card(480, 400),
    Biting(
        "退张卡，要先申请一份申请表，套娃看了都甘拜下风。",
        "服务窗口上方写着退卡处，告示列出三步：领申请表，填申请表，申请领申请表。窗口前的男生一脸"
        "茫然。",
        "繁琐的退卡流程",
        "institutional_rules",
        "告示上的三步互相绕圈，领表之前还得先申请。文字说套娃都甘拜下风，像是在佩服，其实讽刺商家"
        "故意把退卡流程弄得繁琐。",
    ),
    Sincere(
        "服务窗口上方写着退卡处，告示列出三步：领申请表，填申请表，申请领申请表。窗口前的男生满头"
        "大汗。",
        "退卡要跑三趟，步骤我拍下来了，给要办的朋友提个醒，记得早点去。",
    ),
)
def return_counter(a: Panel, biting: bool) -> None:
    """A counter and its rules."""
    things.room(a, "#e2e6ea", "#b9b3c6", 320)
    steps = ("1.领申请表", "2.填申请表", "3.申请领申请表")
    band = "#6c7fb0" if biting else "#57a773"
    cards.notice(a, "退卡须知", steps, (24, 30, 220, 210), 25, band=band)
    a.pen.box(276, 90, 180, 150, "#dff1f7", 4)
    CLERK.draw(a.pen.at(366, 312, 1.15), "bored" if biting else "calm", "desk", "none")
    a.plate("退卡处", 366, 60, 30, "#4f8fc0", "white")
    places.counter(a, 256, "#a9a3b5")
    who = OFFICE_MAN if biting else BOY
    who.draw(a.pen.at(140, 486, 1.5), "dizzy" if biting else "worry", "shrug" if biting else "head")


@twins(
    "validation",
    "zh",
    card(480, 380),
    Biting(
        "恭喜我弟荣登步数榜第一，狗在前面跑，荣誉归他领。",
        "男生躺在沙发上睡觉，一只狗脖子上挂着手机在旁边吐舌头，手机旁的牌子写着步数第一名，二万八"
        "千步。",
        "靠狗刷步数的弟弟",
        "individual_behaviour",
        "步数是狗挂着手机跑出来的，弟弟自己躺在沙发上睡觉，却拿了第一名。文字郑重恭喜他，是明褒暗"
        "贬，讽刺弟弟弄虚作假。",
    ),
    Sincere(
        "男生满头大汗地站着，一只狗坐在旁边，墙上的牌子写着步数第一名，二万八千步。",
        "恭喜我弟荣登步数榜第一，每天陪狗跑十公里，汗没有白流。",
    ),
)
def step_champion(a: Panel, biting: bool) -> None:
    """Who walked the steps."""
    places.living_room(a, "#dfeee6" if biting else "#fbe9d0")
    if biting:
        things.sofa(a.pen.at(160, 350, 1.15), 250, "#9b72aa")
        BOY.head(a.pen.at(216, 284, 1.1, tilt=-84), "sleep")
        a.pen.blob([(122, 318), (126, 272), (180, 260), (262, 276), (270, 318)], "#6c9bd1")
    else:
        BOY.draw(a.pen.at(140, 366, 1.5), "happy", "hips")
        for x, y in ((92, 160), (190, 150), (204, 190)):
            a.pen.blob([(x, y - 9), (x + 5, y), (x, y + 5), (x - 5, y)], "#9fd8f5", width=1.6)
    dog(a.pen.at(380, 362, 1.45), "happy" if biting else "proud")
    if biting:
        props.phone(a.pen.at(380, 304, 0.5))
    a.plate("步数榜第1名\n28000步", 340, 70, 28, "#ffe9a8")


@twins(
    "test",
    "zh",
    card(480, 380),
    Biting(
        "为了这次考试，我真是拼了。",
        "书桌前的女生正在打游戏，手机屏幕亮着，课本空白地摊开，上面趴着一只猫，墙上写着离考试还有"
        "一天。",
        "假装努力的学习",
        "individual_behaviour",
        "离考试只剩一天，女生在玩手机，课本空白，还被猫当了枕头。文字却说自己拼了，说的和做的完全"
        "相反，讽刺只会假装努力的学习态度。",
    ),
    Sincere(
        "书桌前的女生认真写字，桌上堆着厚厚的书和笔记，一只猫安静地坐在旁边，墙上写着离考试还有一"
        "天。",
    ),
)
def exam_tomorrow(a: Panel, biting: bool) -> None:
    """The evening before an exam."""
    things.room(a, "#d9e3f0" if biting else "#3f4675", "#a98a6c", 300)
    a.plate("离考试还有1天", 330, 50, 28, "#ffe9a8")
    GIRL.draw(
        a.pen.at(130, 352, 1.4), "love" if biting else "doubt", ((-4, -70), (18, -70)), "none"
    )
    props.desk(a.pen.at(240, 330), 460, 36, "#c99d74")
    if biting:
        props.phone(a.pen.at(140, 252, 0.55, tilt=90), screen="#ffd24a")
        things.paper(a.pen.at(230, 262), 170, 22, 0)
        cat(a.pen.at(330, 274, 1.05), "sleep", "loaf")
    else:
        for i, colour in enumerate(("#e2725b", "#57a773", "#4f8fc0", "#f2b134", "#9b72aa")):
            things.book(a.pen.at(280 + (i % 2) * 6, 284 - i * 20, 1), 110, colour, 20)
        things.paper(a.pen.at(112, 268), 80, 16, 1)
        cat(a.pen.at(410, 284, 0.95), "calm", "sit")


TWINS: tuple[Twins, ...] = (yearly_card, return_counter, step_champion, exam_tomorrow)
