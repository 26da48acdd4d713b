"""Chinese pairs about home and shopping: parcels, sofas, suppers, neighbours, sellers, lateness."""

from minisets.cfms import cards, places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.cast import BOY, CLERK, GIRL, LINDA, MUM, OFFICE_MAN, RUNNER
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.layouts import card, pair
from minisets.janusmm.stage import Panel

MUTE = Face("dot", "flat")


@twins(
    "train",
    "zh",
    card(480, 380),
    Biting(
        "我朋友说的“在路上”，是从床头到床尾的那条路，堵得很厉害。",
        "女生裹着被子躺在床上，举着手机说我已经在路上了，闹钟指向十点，窗外阳光很好。",
        "朋友迟到还撒谎",
        "individual_behaviour",
        "朋友嘴上说已经在路上，人却还裹在被子里。文字替她编出“床头到床尾堵得厉害”的借口，明着体"
        "谅，实则讽刺朋友约好了又迟到撒谎。",
    ),
    Sincere(
        "女生裹着被子躺在床上，举着手机说我今天发烧了，闹钟指向十点，窗外阳光很好。",
        "约好的爬山先取消，朋友发烧了，给她点了粥，先好好睡一觉。",
    ),
)
def on_the_way(a: Panel, biting: bool) -> None:
    """Somebody in bed with a phone."""
    things.room(a, "#fdeed2" if biting else "#e2e6f3", "#d1a877", 290)
    props.window(a.pen.at(350, 40), 96, 90, "#bfe3f2")
    things.clock(a.pen.at(430, 200, 0.8), 10, 0)
    props.bed(a.pen.at(40, 366, 1.5), 240, "#e29a8b" if biting else "#8fa9c9")
    mood = Face("lids", "smirk") if biting else Face("lids", "wavy", "sad", extra="sweat")
    LINDA.head(a.pen.at(216, 288, 1.25, tilt=-80), mood)
    a.pen.limb([(150, 300), (172, 284), (176, 254)], "#e2725b", 13)
    props.phone(a.pen.at(180, 224, 0.7, tilt=12))
    a.pen.ellipse(176, 248, 10, 9, LINDA.skin)
    a.say("我已经在路上了！" if biting else "我今天发烧了……", 190, 110, (112, 262), 27)


@twins(
    "train",
    "zh",
    card(480, 380),
    Biting(
        "包装这么用心，商家真是把我放在心上了。",
        "地上一只比人还高的大纸箱，周围堆满泡沫和气泡袋，女生从里面拿出一支小小的口红，箱上写着易"
        "碎。",
        "过度包装",
        "social_phenomena",
        "一支小口红装在比人还高的箱子里，满地都是泡沫。文字感谢商家用心，其实用心全花在浪费材料上，"
        "讽刺网购的过度包装。",
    ),
    Sincere(
        "桌上一只大小合适的小纸盒，盒上系着绳子，旁边的手写卡片写着谢谢你，女生捧着脸很感动。",
    ),
)
def careful_parcel(a: Panel, biting: bool) -> None:
    """A parcel and what is in it."""
    places.living_room(a)
    if biting:
        a.pen.box(240, 70, 210, 270, "#d9a878", 3)
        a.pen.box(330, 70, 30, 270, "#e9c9a0", ink=None)
        a.plate("易碎品", 345, 170, 32, "#fffdf4", "#c8434f")
        for x, y in ((40, 356), (210, 350), (250, 362), (300, 350), (390, 360), (440, 346)):
            a.pen.ellipse(x, y, 24, 14, "#eef6f8")
        CLERK.draw(a.pen.at(130, 372, 1.4), "doubt", ((-26, -46), (44, -92)))
        a.pen.box(186, 218, 10, 20, "#2b2438", 2)
        a.pen.box(187, 206, 8, 13, "#d64550", 3)
        return
    CLERK.draw(a.pen.at(130, 372, 1.4), "love", ((-26, -98), (26, -98)))
    props.table(a.pen.at(330, 372), 240, 100)
    a.pen.box(280, 206, 90, 58, "#d9a878", 3)
    a.pen.stroke([(325, 206), (325, 264)], "#c8434f", 5)
    a.pen.stroke([(325, 206), (304, 190), (325, 204), (346, 190), (325, 206)], "#c8434f", 4)
    a.plate("手写卡片：谢谢你", 330, 130, 26, "#fff3d6")


@twins(
    "train",
    "zh",
    card(520, 380),
    Biting(
        "周末陪家人坐坐，一家人其乐融融，聊不完的话。",
        "一家三口坐在沙发上，每个人都低头看手机，谁也不看谁，墙上的牌子写着周六晚八点。",
        "聚在一起却各玩手机",
        "interpersonal_relations",
        "文字说一家人有聊不完的话，图里三个人却各自盯着手机，一句话也没有。说的和做的正好相反，讽"
        "刺家人团聚却被手机隔开。",
    ),
    Sincere(
        "一家三口坐在沙发上，都在大笑，沙发旁放着两只茶杯，墙上的牌子写着周六晚八点。",
    ),
)
def family_evening(a: Panel, biting: bool) -> None:
    """A family on a sofa."""
    places.living_room(a, "#e4e2f0" if biting else "#fbe9d0")
    a.plate("周六晚8点", 270, 50, 26, "#ffffff")
    things.sofa(a.pen.at(260, 350, 1.35), 350, "#8f9db0" if biting else "#e2a05b")
    for i, who in enumerate((OFFICE_MAN, BOY, MUM)):
        x = 140 + i * 120
        if biting:
            who.draw(a.pen.at(x, 352, 1.15), MUTE, ((-6, -62), (8, -62)), "sit", (0, 1))
            props.phone(a.pen.at(x + 2, 282, 0.5))
        else:
            look = (1 - i, 0)
            who.draw(a.pen.at(x, 352, 1.15), "glad", "down" if i != 1 else "cheer", "sit", look)
    if not biting:
        places.cup(a.pen.at(60, 350, 0.8), "#d64550")
        places.cup(a.pen.at(466, 350, 0.8), "#57a773")


@twins(
    "train",
    "zh",
    card(500, 380),
    Biting(
        "说到做到，今晚只吃一点点。",
        "男生两眼放光地坐在桌边，桌上摆满蛋糕、面条和堆成山的盘子，墙上贴着减肥计划，第一天。",
        "减肥只靠嘴说的自己",
        "individual_behaviour",
        "墙上贴着减肥计划，桌上却是蛋糕、面条和一摞空盘。文字说“只吃一点点”，和满桌食物对不上，"
        "讽刺自己减肥光说不做。",
    ),
    Sincere(
        "男生坐在桌边，面前只有一个苹果和一杯水，表情坚定，墙上贴着减肥计划，第三十天。",
    ),
)
def just_a_little(a: Panel, biting: bool) -> None:
    """Supper under a plan."""
    things.kitchen(a, 300)
    cards.notice(a, "减肥计划", ("第1天" if biting else "第30天",), (330, 24, 146, 100), 26)
    BOY.draw(a.pen.at(170, 350, 1.35), "love" if biting else "proud", "desk", "none")
    props.desk(a.pen.at(250, 372), 460, 76)
    if biting:
        things.cake(a.pen.at(330, 286, 0.95))
        places.noodles(a.pen.at(436, 286, 0.52))
        for i in range(7):
            a.pen.ellipse(60, 280 - i * 9, 40, 8, "#fbfbf4")
        things.cake(a.pen.at(250, 286, 0.5), True)
    else:
        props.glass(a.pen.at(290, 286, 1.2))
        a.pen.blob(
            [(336, 284), (330, 262), (344, 250), (360, 256), (368, 268), (358, 286)], "#d64550"
        )
        a.pen.stroke([(348, 254), (352, 240)], "#6b4a34", 4)


@twins(
    "validation",
    "zh",
    card(480, 400),
    Biting(
        "邻居真热情，天天请我听现场，还不收门票。",
        "深夜，楼上的男生疯狂打鼓，楼下的女生躺在床上瞪大眼睛，黑眼圈很重，墙上写着凌晨一点。",
        "深夜扰民的邻居",
        "interpersonal_relations",
        "凌晨一点楼上还在打鼓，楼下的人睁着黑眼圈睡不着。文字把噪音说成免费的现场演出，夸邻居热情，"
        "是反话，讽刺邻居深夜扰民。",
    ),
    Sincere(
        "傍晚，楼上的男生弹着吉他唱歌，楼下的女生端着茶杯笑着听，墙上写着晚上七点。",
    ),
)
def live_music(a: Panel, biting: bool) -> None:
    """Upstairs and downstairs."""
    a.paint("#3b3f78" if biting else "#fbdcb4")
    a.pen.box(-6, 190, 500, 16, "#8a5a3c")
    if biting:
        a.plate("凌晨1点", 70, 40, 24, "#ffe9a8")
        RUNNER.draw(a.pen.at(250, 190, 0.95), "yell", ((-40, -84), (44, -98)))
        for x, r, colour in ((190, 34, "#d64550"), (310, 34, "#d64550"), (250, 40, "#c8434f")):
            a.pen.ellipse(x, 168, r, 28, colour)
            a.pen.ellipse(x, 160, r - 8, 17, "#fff3d6", width=1.8)
        a.sound("咚咚咚", 408, 84, 40, 8)
        props.bed(a.pen.at(60, 384, 1.4), 240, "#6c5fa0")
        LINDA.head(a.pen.at(226, 306, 1.15, tilt=-80), Face("wide", "wavy", "sad", extra="bags"))
        return
    a.plate("晚上7点", 70, 40, 24, "#fffdf4")
    RUNNER.draw(a.pen.at(250, 190, 0.95), "glad", ((-16, -56), (34, -74)))
    a.pen.limb([(262, 132), (320, 96)], "#8a5a3c", 5)
    a.pen.blob([(222, 150), (228, 120), (258, 116), (274, 134), (262, 160), (236, 166)], "#d98a3a")
    a.pen.ellipse(248, 140, 8, 8, "#5b3a24")
    a.sound("啦啦啦", 400, 84, 36, 8, "#8fd0ea")
    LINDA.draw(a.pen.at(180, 396, 1.1), "glad", ((-24, -46), (36, -70)))
    places.cup(a.pen.at(228, 330, 0.9), "#ffffff")
    props.table(a.pen.at(360, 392), 140, 70)
    things.cake(a.pen.at(360, 314, 0.7))


@twins(
    "validation",
    "zh",
    pair("卖家秀", "买家秀", 520, 300, 28),
    Biting(
        "新买的沙发到了，和商家的图一模一样，实物甚至更精致。",
        "左图卖家秀是一张宽大的红沙发，女生舒服地坐着；右图买家秀里沙发只有巴掌大，女生用两根手指"
        "捏着它，目瞪口呆。",
        "货不对板的商家",
        "social_phenomena",
        "卖家图里的沙发能坐人，收到的却只有巴掌大，像个玩具。文字说和图一模一样、“更精致”，是反"
        "话，讽刺网店图文不符、虚假宣传。",
    ),
    Sincere(
        "左图卖家秀是一张宽大的蓝沙发，女生舒服地坐着；右图买家秀里是同样大小的蓝沙发，女生开心地"
        "坐着。",
    ),
)
def just_like_the_picture(a: Panel, b: Panel, biting: bool) -> None:
    """What was shown and what came."""
    colour = "#d64550" if biting else "#4f8fc0"
    for panel, wall in ((a, "#fbe9d0"), (b, "#e6ecf3")):
        things.room(panel, wall, "#c99d74", 220)
    things.sofa(a.pen.at(121, 268, 1.25), 180, colour)
    CLERK.draw(a.pen.at(116, 272, 1.05), "glad", "down", "sit")
    if biting:
        GIRL.draw(b.pen.at(90, 290, 1.35), "shock", ((-26, -46), (46, -84)))
        things.sofa(b.pen.at(168, 190, 0.42), 130, colour)
        return
    things.sofa(b.pen.at(121, 268, 1.25), 180, colour)
    GIRL.draw(b.pen.at(116, 272, 1.05), "glad", "cheer", "sit")


TWINS: tuple[Twins, ...] = (
    on_the_way,
    careful_parcel,
    family_evening,
    just_a_little,
    live_music,
    just_like_the_picture,
)
