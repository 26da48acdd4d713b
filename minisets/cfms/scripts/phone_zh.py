"""Chinese pairs on screens: refunds, robots, updates, relatives, rumours, an old friend."""

from minisets.cfms import cards, places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.cast import BOSS, BOY, CODER, GIRL, GRANNY, LINDA, MUM, robot
from minisets.drawing.pen import INK, Pen
from minisets.drawing.people import Person
from minisets.janusmm import chat, things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel

AUNT = Person(hair="curly", hair_colour="#5a3a2a", top="#c75b8f", glasses=True)
UNCLE = Person(hair="grey", hair_colour="#a9a7b5", top="#6c7fb0", skin="#eab892")


@twins(
    "train",
    "zh",
    card(440, 440),
    Biting(
        "付款一秒到账，退款三十个工作日，我的钱大概是走路回来的吧。",
        "手机退款页面：付款一秒到账，退款审核中，预计三十个工作日，橙色进度条几乎是空的，下面的头"
        "像一脸无语。",
        "商家拖延退款",
        "institutional_rules",
        "收钱只要一秒，退钱却要三十个工作日，进度条几乎没动。文字假装体谅，说钱是走路回来的，讽刺"
        "平台收款积极、退款拖拉。",
    ),
    Sincere(
        "手机退款页面：付款一秒到账，退款审核中，预计三十个工作日，绿色进度条刚刚开始，下面的头像"
        "很平静。",
        "退款最多要三十个工作日，先截图记下日期，到期没到账再打客服电话。",
    ),
)
def slow_refund(a: Panel, biting: bool) -> None:
    """The page of a refund."""
    a.paint("#f0e2d6" if biting else "#dcefe3")
    cards.screen(a, "退款详情", (80, 14, 280, 412), "#e2725b" if biting else "#57a773", 24)
    a.sign("付款：1秒到账", 220, 118, 26)
    a.sign("退款：审核中", 220, 168, 26)
    a.sign("预计30个工作日", 220, 218, 26, "#c8434f")
    a.pen.box(116, 258, 208, 26, "#e3e0ea", 12)
    a.pen.box(118, 260, 12 if biting else 20, 22, "#e2725b" if biting else "#57a773", 10, None)
    who = CODER if biting else GIRL
    chat.avatar(a.pen.at(220, 346, 1.2), who, "bored" if biting else "calm")


@twins(
    "train",
    "zh",
    card(440, 470),
    Biting(
        "和智能客服聊了半小时，它什么都会，唯一听不懂的三个字是“转人工”。",
        "客服聊天截图：用户三次要求转人工，机器人头像分别回复亲我在呢、猜您想问天气、很高兴帮到您。",
        "答非所问的智能客服",
        "others",
        "用户反复要求转人工，机器人却一再岔开话题，还说很高兴帮到您。文字夸它什么都会，其实最简单"
        "的要求都听不懂，讽刺智能客服不智能。",
    ),
    Sincere(
        "客服聊天截图：用户要求转人工，机器人头像回复好的，为您转接，接着说前面还有一位，最后人工"
        "客服问好。",
        "原来说一句转人工就能接通，帮爸妈把步骤截图记下来了。",
    ),
)
def robot_service(a: Panel, biting: bool) -> None:
    """A chat with a robot."""
    chat.header(a, "智能客服", "#eef3f7", "#4f8fc0" if biting else "#5aa9a0")
    replies = (
        ("亲，我在呢", "猜您想问：天气", "很高兴帮到您！")
        if biting
        else ("好的，为您转接", "前面还有1位", "您好，我是小林")
    )
    asks = ("转人工", "转人工！", "转人工！！！") if biting else ("转人工", "好的", "你好！")
    y = 70.0
    for i, (ask, reply) in enumerate(zip(asks, replies, strict=True)):
        chat.bubble(a, ask, y, GIRL if biting else MUM, "angry" if biting else "calm", True, 22)
        y = chat.bubble(a, reply, y + 62, LINDA, "happy", False, 22) - 4
        if biting or i < 2:
            badge = a.pen.at(40, y - 16 - 54 + 28)
            badge.ellipse(0, 0, 29, 29, "#dff3ee")
            robot(badge.at(0, 66, 0.56), "happy", ((-20, -60), (20, -60)))
            a.pen.box(6, y - 12, 68, 40, "#eef3f7", ink=None)


@twins(
    "test",
    "zh",
    card(460, 400),
    Biting(
        "系统更新特别体贴，时间挑得刚刚好。",
        "电脑弹窗写着系统需要更新，约三小时，下面只有两个按钮，现在和马上，下方的男生抱着头，满脸"
        "惊恐，身边堆着没做完的文件。",
        "强制更新的软件",
        "others",
        "男生正赶着一大堆文件，弹窗却要更新三小时，两个按钮“现在”和“马上”其实是一回事。文字夸它"
        "体贴、时间刚好，是反话，讽刺软件强迫用户更新。",
    ),
    Sincere(
        "电脑弹窗写着系统需要更新，约三小时，下面只有两个按钮，现在和马上，下方的男生正提着行李箱"
        "高高兴兴地下班。",
    ),
)
def update_now(a: Panel, biting: bool) -> None:
    """An update, before a deadline or a holiday."""
    a.paint("#8fb4d9" if biting else "#a9c9b5")
    if biting:
        CODER.draw(a.pen.at(230, 430, 1.2), "shock", "head")
        for x, count in ((70, 9), (140, 6), (330, 7), (400, 11)):
            for i in range(count):
                things.paper(a.pen.at(x - 32 + i * 13 % 9, 386 - i * 12), 66, 13)
    else:
        CODER.draw(a.pen.at(200, 410, 1.15), "glad", "wave", "walk")
        props.suitcase(a.pen.at(280, 394), 60, 62, "#e2725b")
        things.sparkle(a.pen.at(110, 290), 14)
    cards.popup(
        a,
        "系统需要更新\n约3小时",
        ("现在", "马上"),
        (50, 20, 360, 196),
        28,
        "#4f8fc0" if biting else "#57a773",
    )


@twins(
    "train",
    "zh",
    card(440, 440),
    Biting(
        "感谢亲戚们一年一度的免费审计，就差让我交财务报表了。",
        "家族群聊天截图：二姨问工资多少，舅舅问买房没有，奶奶问对象呢，最后我只回了一个省略号。",
        "亲戚的过度盘问",
        "interpersonal_relations",
        "亲戚在群里轮番追问工资、房子和对象，像查账一样。文字感谢他们“免费审计”，表面客气，其实"
        "讽刺亲戚没有边界感、爱打听隐私。",
    ),
    Sincere(
        "家族群聊天截图：二姨问工资多少，舅舅问买房没有，奶奶问对象呢，最后我回复都挺好的。",
        "长辈在群里问了三连，我一个个认真回了，二姨还发来一个红包，心里挺暖。",
    ),
)
def family_audit(a: Panel, biting: bool) -> None:
    """The family's group chat."""
    chat.header(a, "相亲相爱一家人", "#f4ece4", "#c8434f" if biting else "#d98a3a")
    y = chat.bubble(a, "现在工资多少呀？", 76, AUNT, "doubt" if biting else "calm", size=25)
    y = chat.bubble(a, "买房了没有？", y + 6, UNCLE, "calm", size=25)
    y = chat.bubble(a, "对象呢？", y + 6, GRANNY, "happy", size=25) + 6
    mine = "……" if biting else "都挺好的！"
    chat.bubble(a, mine, y, BOY, "sick" if biting else "glad", True, 25)


@twins(
    "test",
    "zh",
    card(440, 420),
    Biting(
        "照我妈转发的文章活，全世界能放心入口的只剩空气了。",
        "聊天截图：妈妈连发三个标题，震惊隔夜水不能喝，专家说米饭最伤身，转给家人别吃水果，女儿一"
        "脸无语。",
        "乱转养生谣言的行为",
        "individual_behaviour",
        "妈妈转发的文章连水、米饭和水果都说成有害。文字顺着推到极端，说只剩空气能吃，用夸张的口吻"
        "讽刺不辨真假、乱转养生谣言的行为。",
    ),
    Sincere(
        "聊天截图：妈妈连发三个标题，震惊隔夜水不能喝，专家说米饭最伤身，转给家人别吃水果，女儿回"
        "了好呀妈。",
        "我妈转的文章不一定对，但每一条都是在惦记我，晚上给她打个电话。",
    ),
)
def forwarded_links(a: Panel, biting: bool) -> None:
    """Links from mother."""
    chat.header(a, "妈妈", "#eaf1e6", "#7a6fa8" if biting else "#57a773")
    y = 80.0
    for title in ("震惊！隔夜水不能喝", "专家：米饭最伤身", "转给家人：别吃水果"):
        y = chat.bubble(a, title, y, MUM, "gasp" if biting else "happy", size=26) + 8
    chat.bubble(
        a, "妈……" if biting else "好呀妈！", y, GIRL, "bored" if biting else "love", True, 26
    )


@twins(
    "test",
    "zh",
    card(440, 450),
    Biting(
        "三年没联系，一开口就这么贴心，有这样的朋友真是我的福气。",
        "聊天截图，上次聊天是三年前。老同学先说在吗，又说好想你，接着发来一张收款码，女生愣住了。",
        "只在借钱时才出现的朋友",
        "interpersonal_relations",
        "老同学三年不联系，一句“好想你”之后马上发来收款码要钱。文字说他贴心、是福气，其实是反话，"
        "讽刺平时不往来、要钱才想起朋友的人。",
    ),
    Sincere(
        "聊天截图，上次聊天是三年前。老同学先说在吗，又说好想你，接着发来一碗放在门口的热粥的照片，"
        "女生感动得两眼冒心。",
    ),
)
def old_friend(a: Panel, biting: bool) -> None:
    """A friend after three years."""
    chat.header(a, "老同学", "#ece7f2", "#6d5f9c" if biting else "#4f8fc0")
    a.sign("上次聊天：3年前", 220, 82, 20, "#6b6a80")
    y = 106.0
    for text in ("在吗？", "好想你呀"):
        y = chat.bubble(a, text, y, BOSS if biting else UNCLE, "sly" if biting else "calm", size=25)
    a.pen.box(84, y, 124, 108, "#ffffff", 10)
    if biting:
        _payment_code(a.pen.at(96, y + 6))
    else:
        a.pen.box(90, y + 76, 112, 26, "#c9a27c", 4)
        props.bowl(a.pen.at(146, y + 84, 1.2), "#fff3d6")
        places.steam(a.pen.at(146, y + 44, 0.6))
    chat.bubble(a, "……", y + 128, LINDA, "stare" if biting else "love", True, 25)


def _payment_code(pen: Pen) -> None:
    """Black squares on white, as phones read them, 96 wide."""
    for row in range(12):
        for column in range(12):
            if (row * 7 + column * 5 + row * column) % 3 == 0:
                pen.box(column * 8, row * 8, 8, 8, INK, ink=None)
    for x, y in ((0, 0), (68, 0), (0, 68)):
        pen.box(x, y, 28, 28, "white", ink=None)
        pen.box(x + 2, y + 2, 24, 24, None, line=5)
        pen.box(x + 10, y + 10, 8, 8, INK, ink=None)


TWINS: tuple[Twins, ...] = (
    slow_refund,
    robot_service,
    update_now,
    family_audit,
    forwarded_links,
    old_friend,
)
