"""The Chinese metaphor part, first half: the sarcastic version speaks in a metaphor."""

from minisets.cfms import places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.animals import octopus, snail
from minisets.drawing.cast import BOSS, BOY, CLERK, COOK, GIRL, OFFICE_MAN
from minisets.drawing.pen import arc
from minisets.drawing.people import Person
from minisets.janusmm import things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel
from minisets.merbench.creatures import hamster

SHAVEN = Person(hair="bald", skin="#f0bd95", top="#57a773", legs="#38547a")


@twins(
    "metaphor",
    "zh",
    card(460, 400),
    Biting(
        "每天都在拼命跑，进步果然看得见。",
        "一只仓鼠在跑轮里拼命跑，满头大汗，轮子上方的牌子写着快速成长通道。",
        "空谈成长的公司",
        "institutional_rules",
        "公司把忙碌叫作快速成长，画面却用跑轮里的仓鼠比喻员工：跑得再快也在原地。文字说进步看得见，"
        "是反话，讽刺公司画大饼、让人白忙。",
        True,
    ),
    Sincere(
        "一只仓鼠面带微笑，一级一级爬上台阶，已经快到顶上的奖杯，上方的牌子写着快速成长通道。",
        metaphor=True,
    ),
)
def running_wheel(a: Panel, biting: bool) -> None:
    """A hamster in its wheel, or on the stairs."""
    a.paint("#f5e3d0" if biting else "#dfeee6")
    props.floor(a, 350, "#c9a27c")
    a.plate("快速成长通道", 230, 40, 30, "#ffe9a8")
    if not biting:
        for i in range(5):
            a.pen.box(60 + i * 76, 340 - i * 44, 420 - i * 76, 60 + i * 44, "#d9b08a", 2)
        hamster(a.pen.at(316, 206, 1.0), "happy")
        things.trophy(a.pen.at(410, 162, 0.8))
        return
    a.pen.stroke([(230, 220), (150, 376)], "#8f9db0", 12)
    a.pen.stroke([(230, 220), (310, 376)], "#8f9db0", 12)
    a.pen.ellipse(230, 220, 132, 132, "#fffaf0", "#8f9db0", 10)
    for i in range(12):
        near, far = (arc(230, 220, r, r, i * 30, i * 30 + 1, 1)[0] for r in (112, 132))
        a.pen.stroke([near, far], "#8f9db0", 5)
    hamster(a.pen.at(230, 260, 1.5), "worry")
    props.dashes(a.pen.at(160, 230), 40, 3, 20, "#b8b4c4")


@twins(
    "metaphor",
    "zh",
    card(480, 370),
    Biting(
        "新装的千兆宽带，速度果然名不虚传。",
        "一只蜗牛背着写有宽带的盒子在地上慢慢爬，后面的牌子写着加载中。",
        "名不副实的宽带",
        "others",
        "画面用背着盒子的蜗牛比喻新宽带，半天爬不了一步，一直在加载。文字却夸速度名不虚传，是反话，"
        "讽刺运营商的宽带名不副实。",
        True,
    ),
    Sincere(
        "一枚火箭喷着火冲上夜空，箭身旁的牌子写着宽带，另一块牌子写着加载中。",
        metaphor=True,
    ),
)
def broadband(a: Panel, biting: bool) -> None:
    """How fast it is."""
    if biting:
        things.outdoors(a, 250, "#fbe9d0", "#a8c987")
        snail(a.pen.at(220, 330, 2.4), "calm")
        a.pen.box(150, 150, 120, 66, "#453f5c", 8)
        a.sign("宽带", 210, 184, 32, "#9be08a")
        a.plate("加载中", 380, 60, 30, "#ffffff")
        return
    things.night(a, 11)
    places.rocket(a.pen.at(190, 190, 1.35, tilt=24))
    a.plate("宽带", 340, 250, 32, "#453f5c", "#9be08a")
    a.plate("加载中", 380, 60, 30, "#ffffff")


@twins(
    "metaphor",
    "zh",
    card(460, 400),
    Biting(
        "有你撑着，什么风雨我都不怕。",
        "大雨中女职员举着一把破伞，旁边的牌子写着领导，伞面翻了过来，她被淋得湿透，脸色无奈。",
        "不替下属担责的领导",
        "interpersonal_relations",
        "破伞旁写着“领导”，比喻该挡风雨的人一到关键时刻就翻脸，下属被淋透。文字说有你就不怕，是"
        "反话，讽刺领导不担责任。",
        True,
    ),
    Sincere(
        "大雨中女生举着一把大红伞，伞上的牌子写着领导，伞下干干爽爽，她笑得很安心。",
        metaphor=True,
    ),
)
def umbrella(a: Panel, biting: bool) -> None:
    """Who holds up against the rain."""
    a.paint("#aab6c6")
    props.floor(a, 330, "#8b93a3")
    who = CLERK if biting else GIRL
    props.umbrella(a.pen.at(262, 290, 2.1), "#8f8a99" if biting else "#d64550", biting)
    who.draw(a.pen.at(220, 388, 1.4), "sick" if biting else "glad", ((-26, -46), (30, -68)))
    places.storm(a, 8, 90, 60)
    a.plate("领导", 392 if biting else 264, 124 if biting else 50, 32, "#fffdf4")


@twins(
    "metaphor",
    "zh",
    card(480, 390),
    Biting(
        "一个顶八个，这么能干，谁看了不喜欢？",
        "一只章鱼站在办公桌后满头大汗，几只手分别拿着电话、电脑、文件和拖把，牌子写着本月之星。",
        "一人干几份活的岗位",
        "institutional_rules",
        "图里用八只手的章鱼比喻职员：接电话、做表、拖地全由一个人干。文字夸他能干、讨人喜欢，其实"
        "是反话，讽刺公司招一个人当几个人用。",
        True,
    ),
    Sincere(
        "一只章鱼站在水族馆的石台上，几只手分别拿着罐子、小球和小鱼桶，牌子写着本月之星。",
        metaphor=False,
    ),
)
def eight_arms(a: Panel, biting: bool) -> None:
    """An octopus with full hands."""
    if biting:
        places.office(a)
    else:
        a.paint("#9fdbe8")
        for x, y, r in ((60, 60, 10), (84, 110, 7), (410, 90, 12), (430, 150, 8)):
            a.pen.ellipse(x, y, r, r, "#dff3f7", "#6fb3c9", 2)
        a.pen.blob([(-20, 400), (60, 320), (240, 306), (420, 320), (500, 400)], "#d9c08a")
    arms = ((150, 250, 100, 200), (170, 290, 84, 290), (330, 250, 380, 196), (312, 290, 400, 286))
    for x, y, u, v in arms:
        a.pen.limb([(240, 250), (x, y), (u, v)], "#c75b8f", 15)
    octopus(a.pen.at(240, 356, 1.7), "worry" if biting else "happy")
    if biting:
        props.desk(a.pen.at(240, 400), 470, 46)
        props.phone(a.pen.at(100, 186, 0.6))
        props.laptop(a.pen.at(80, 344, 1.1))
        things.paper(a.pen.at(364, 150), 50, 60, 4)
        a.pen.limb([(404, 340), (410, 220)], "#b9794f", 6)
        a.pen.blob([(380, 216), (410, 196), (442, 218), (436, 240), (386, 240)], "#e9eef2")
        a.plate("本月之星", 240, 36, 28, "#ffffff")
        return
    a.pen.box(80, 162, 42, 44, "#e9f7d8", 8)
    a.pen.box(76, 152, 50, 14, "#d64550", 4)
    a.pen.ellipse(80, 286, 20, 20, "#f2b134")
    a.pen.ellipse(384, 190, 20, 20, "#57a773")
    a.pen.shape([(378, 272), (426, 272), (418, 316), (386, 316)], "#4f8fc0")
    a.plate("本月之星", 240, 36, 28, "#ffffff")


@twins(
    "metaphor",
    "zh",
    card(500, 380),
    Biting(
        "这口锅交到年轻人手里，稳稳当当，真让人放心。",
        "办公室里，光头领导喊着接好了，把一口大黑锅抛向年轻职员，职员惊慌地举手去接。",
        "推卸责任的领导",
        "interpersonal_relations",
        "空中的黑锅比喻责任，领导一出事就扔给年轻下属。文字说交得稳当、让人放心，是明褒暗贬，讽"
        "刺领导推卸责任、让员工背锅。",
        True,
    ),
    Sincere(
        "厨房里，大胡子爸爸说着接好了，把一口大黑锅递给儿子，儿子笑着伸手去接。",
        metaphor=False,
    ),
)
def flying_pan(a: Panel, biting: bool) -> None:
    """A pan on its way."""
    if biting:
        places.office(a, "#f0e2e2")
    else:
        things.kitchen(a, 290)
    (BOSS if biting else COOK).draw(
        a.pen.at(90, 368, 1.45), "sly" if biting else "happy", ((34, -112), (44, -96))
    )
    catcher = OFFICE_MAN if biting else BOY
    catcher.draw(
        a.pen.at(410, 368, 1.45, mirrored=True),
        "shock" if biting else "glad",
        ((34, -112), (44, -96)),
    )
    pan = a.pen.at(250, 160 if biting else 220, 1.1, tilt=-14 if biting else 0)
    pan.limb([(60, -14), (104, -26)], "#8a5a3c", 8)
    pan.shape([*arc(0, -16, 66, 60, 0, 180, 24)], "#34303f")
    pan.ellipse(0, -16, 66, 16, "#56506b")
    a.say("接好了！", 170, 50, (128, 178), 27)
    if biting:
        props.dashes(a.pen.at(176, 110), 40, 3, 18)


TWINS: tuple[Twins, ...] = (
    running_wheel,
    broadband,
    umbrella,
    eight_arms,
    flying_pan,
)
