"""The Chinese metaphor part, second half: the sarcastic version is meant literally."""

from minisets.cfms import cards, places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOY, CLERK, COOK, GIRL, LINDA, MUM
from minisets.drawing.pen import INK, Pen, arc
from minisets.drawing.people import Person
from minisets.janusmm import things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel

SHAVEN = Person(hair="bald", skin="#f0bd95", top="#57a773", legs="#38547a")


@twins(
    "metaphor",
    "zh",
    card(480, 380),
    Biting(
        "屏幕上说两分钟就到，果然说到做到。",
        "公交站牌的电子屏写着十路车还有一站，预计两分钟，站牌下的女生和旁边的小猫身上落满了雪，路上"
        "没有车。",
        "总也不来的公交车",
        "others",
        "电子屏说两分钟就到，路上却没有车，女生和猫身上都落满了雪。文字说它说到做到，是反话，讽刺公"
        "交车迟迟不来、报站不准。",
        False,
    ),
    Sincere(
        "公交站牌的电子屏写着十路车还有一站，预计两分钟，一辆红色公交车已经开到，女生和旁边的小猫都"
        "很高兴，天上飘着小雪。",
        metaphor=False,
    ),
)
def bus_stop(a: Panel, biting: bool) -> None:
    """A bus stop in the snow."""
    a.paint("#c3d3e3" if biting else "#dbe9f5")
    props.floor(a, 310, "#eef3f7")
    if not biting:
        _bus(a.pen.at(360, 340))
    a.pen.box(330, 40, 12, 330, "#8f9db0", 2)
    cards.board(a, (("10路", "还有1站"), ("预计", "2分钟")), (220, 30, 240, 110), 28)
    LINDA.draw(
        a.pen.at(120, 368, 1.45), "sick" if biting else "happy", "limp" if biting else "wave"
    )
    cat(a.pen.at(250, 360, 0.9), "bored" if biting else "glad")
    for x, y in ((30, 60), (80, 120), (190, 90), (180, 210), (410, 200), (440, 280), (60, 260)):
        a.pen.ellipse(x, y, 5, 5, "white", None)
    if biting:
        for x, y, r in ((120, 158, 40), (88, 248, 16), (154, 248, 16), (250, 276, 20)):
            heap = [(x - r, y + 8), (x - r * 0.6, y - 6), (x, y - 12), (x + r * 0.6, y - 6)]
            a.pen.blob([*heap, (x + r, y + 8)], "white")


def _bus(pen: Pen) -> None:
    """A red bus that comes into the picture from the right, on the pen's origin."""
    pen.box(-70, -150, 260, 136, "#d64550", 14)
    for x in (-54, 0, 54):
        pen.box(x, -132, 44, 48, "#dff3f7", 6)
    for x in (-20, 90):
        pen.ellipse(x, -14, 20, 20, "#34303f")


@twins(
    "metaphor",
    "zh",
    card(460, 380),
    Biting(
        "这碗牛肉面，牛肉给得真大方。",
        "一大碗面条上只有一粒小小的牛肉，女生拿着放大镜在找，菜单牌写着豪华牛肉面四十八元。",
        "缺斤少两的面馆",
        "others",
        "菜单写的是四十八元的豪华牛肉面，碗里的肉却要用放大镜才找得到。文字夸店家大方，是反话，讽"
        "刺面馆价高量少、名不副实。",
        False,
    ),
    Sincere(
        "一大碗面条上铺满了厚厚的牛肉片，女生开心地举起双手，菜单牌写着豪华牛肉面四十八元。",
        metaphor=False,
    ),
)
def beef_noodles(a: Panel, biting: bool) -> None:
    """How much beef there is."""
    things.room(a, "#fbe3c4", "#a98a6c", 300)
    a.plate("豪华牛肉面 ￥48", 300, 50, 28, "#c8434f", "white")
    hands = ((-26, -46), (44, -86)) if biting else ((-34, -118), (34, -118))
    GIRL.draw(a.pen.at(110, 372, 1.4), "doubt" if biting else "glad", hands)
    props.desk(a.pen.at(320, 350), 260, 40)
    places.noodles(a.pen.at(320, 302, 1.15))
    if biting:
        a.pen.ellipse(318, 226, 5, 4, "#7c4f35", width=1.6)
        a.pen.limb([(178, 250), (196, 234)], "#8a5a3c", 6)
        a.pen.ellipse(214, 216, 24, 24, "#eaf7fb", INK, 4)
        return
    for i, (x, y) in enumerate(((256, 226), (300, 216), (344, 214), (386, 226), (320, 236))):
        a.pen.at(x, y, 1, tilt=(i % 3 - 1) * 14).box(-24, -11, 48, 22, "#8a5236", 7)


@twins(
    "metaphor",
    "zh",
    card(480, 390),
    Biting(
        "理发师真听话，说剪一点点，就剪一点点。",
        "理发椅上的男生头顶光光，一脸震惊，旁边的理发师得意地举着剪刀说好了，就剪了一点点。",
        "自作主张的理发师",
        "individual_behaviour",
        "顾客只想剪一点点，理发师却把他剃成了光头，还得意地说只剪了一点点。文字夸他听话，是反话，讽"
        "刺理发师不听要求、自作主张。",
        False,
    ),
    Sincere(
        "理发椅上的男生头发整整齐齐，笑得很满意，旁边的理发师举着剪刀说好了，就剪了一点点。",
        metaphor=False,
    ),
)
def haircut(a: Panel, biting: bool) -> None:
    """After the haircut."""
    things.room(a, "#e2ecf0", "#b9b3c6", 300)
    a.pen.box(170, 220, 110, 120, "#c75b5b", 16)
    (SHAVEN if biting else BOY).draw(
        a.pen.at(225, 366, 1.35), "shock" if biting else "glad", "down", "sit"
    )
    if biting:
        a.pen.stroke([(224, 170), (222, 160), (228, 154)], INK, 3)
    COOK.draw(
        a.pen.at(390, 376, 1.4, mirrored=True),
        "proud" if biting else "calm",
        ((-26, -46), (40, -104)),
    )
    for tilt in (-20, 20):
        a.pen.at(332, 226, 1, tilt=tilt).box(-4, -46, 8, 44, "#c9ced8", 3)
    a.say("好了，就剪了一点点", 250, 50, (372, 190), 27)


@twins(
    "metaphor",
    "zh",
    card(460, 400),
    Biting(
        "小区路灯坏了一个月，物业说大家都有手机，真会替业主着想。",
        "漆黑的小区里，一盏路灯不亮，灯杆上贴着待维修，女生举着手机照路，吓得张大了嘴。",
        "不修路灯的物业",
        "institutional_rules",
        "路灯坏了一个月没人修，女生只能举着手机照路。文字夸物业会替业主着想，其实是反话，讽刺物业"
        "推脱责任、收钱不办事。",
        False,
    ),
    Sincere(
        "夜里的小区，一盏路灯亮着暖光，灯杆上贴着回家的路，女生微笑着走向灯光。",
        "加班到深夜，爸妈留的那盏灯，就是我的灯塔。",
        True,
    ),
)
def street_lamp(a: Panel, biting: bool) -> None:
    """A lamp at night."""
    things.night(a, 17, 0.45)
    props.floor(a, 320, "#23264a")
    if not biting:
        a.pen.shape([(310, 96), (350, 96), (450, 400), (180, 400)], "#6b6a72", None)
        a.pen.shape([(316, 96), (344, 96), (410, 400), (226, 400)], "#b8a878", None)
    a.pen.box(322, 90, 12, 290, "#8f9db0", 3)
    a.pen.shape([(300, 96), (356, 96), (344, 60), (312, 60)], "#56506b" if biting else "#ffe27a")
    a.plate("待维修" if biting else "回家的路", 328, 190, 28, "#fffdf4")
    who = LINDA if biting else CLERK
    hands = ((-26, -46), (44, -84))
    who.draw(
        a.pen.at(130, 384, 1.35), "gasp" if biting else "calm", hands if biting else "down", "walk"
    )
    if biting:
        a.pen.shape([(206, 262), (300, 300), (280, 372), (200, 284)], "#6b6a72", None)
        props.phone(a.pen.at(194, 264, 0.45))


@twins(
    "metaphor",
    "zh",
    card(480, 380),
    Biting(
        "室友说猫他会好好照顾，你看，碗都舔干净了，是他自己的碗。",
        "室友躺在沙发上摸着肚子，身边摞着空盘子，地上的猫盯着自己空空的碗，碗旁的牌子写着猫粮。",
        "不喂猫的室友",
        "individual_behaviour",
        "室友答应照顾猫，结果自己吃得盘子见底，猫碗却是空的。文字说“碗都舔干净了”，先夸后转，讽"
        "刺室友只顾自己、说话不算数。",
        False,
    ),
    Sincere(
        "一只猫端坐在沙发正中，神气十足，旁边的主人蹲着递上满满一碗猫粮，牌子写着猫粮。",
        "我家猫就是个不上班的老板，我这个员工准点来送饭啦。",
        True,
    ),
)
def cat_bowl(a: Panel, biting: bool) -> None:
    """A cat and its bowl."""
    places.living_room(a, "#e9e2f0" if biting else "#fbe9d0")
    things.sofa(a.pen.at(180, 340, 1.2), 270, "#6c9bd1" if biting else "#c75b8f")
    a.plate("猫粮", 420, 290, 24, "#ffe9a8")
    if biting:
        BOY.draw(a.pen.at(190, 344, 1.15), "glad", ((-8, -60), (10, -56)), "sit")
        for i in range(6):
            a.pen.ellipse(84, 296 - i * 8, 32, 7, "#fbfbf4")
        cat(a.pen.at(330, 366, 1.1), "sad", "sit", look=(1, 1))
        _bowl(a.pen.at(420, 366))
        return
    cat(a.pen.at(170, 306, 1.35), "proud")
    MUM.draw(a.pen.at(330, 372, 1.25, mirrored=True), "happy", "give")
    props.bowl(a.pen.at(276, 298, 1.1))


def _bowl(pen: Pen) -> None:
    """An empty bowl on the pen's origin."""
    pen.ellipse(0, -20, 26, 8, "#8a2f2a")
    pen.shape(
        [(-28, -20), *arc(0, -20, 26, 6, 180, 0, 12), (28, -20), (19, 0), (-19, 0)], "#d64550"
    )


TWINS: tuple[Twins, ...] = (
    bus_stop,
    beef_noodles,
    haircut,
    street_lamp,
    cat_bowl,
)
