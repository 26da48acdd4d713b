"""Chinese pairs about going out: parking, weather, queues, trains, parks, lifts."""

from minisets.cfms import cards, places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.cfms.places import Group
from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import (
    BOY,
    CLERK,
    CODER,
    GIRL,
    GRANNY,
    LINDA,
    MUM,
    OFFICE_MAN,
    RUNNER,
    cloud,
    sun,
)
from minisets.drawing.people import Person
from minisets.janusmm import things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel

KEEN: Group = ((CODER, "happy"), (LINDA, "glad"), (BOY, "love"), (GIRL, "glad"), (MUM, "happy"))
WEARY: Group = (
    (RUNNER, "bored"),
    (GIRL, "sick"),
    (OFFICE_MAN, "sleep"),
    (LINDA, "bored"),
    (BOY, "sick"),
)
BACK: Group = (
    (MUM, "worry"),
    (CLERK, "sick"),
    (RUNNER, "dizzy"),
    (BOY, "shock"),
    (GRANNY, "sad"),
)
FRONT: Group = ((CODER, "dizzy"), (LINDA, "yell"), (OFFICE_MAN, "sick"), (GIRL, "cry"))
WORKER = Person(hair="short", top="#f2a541", legs="#38547a", skin="#e3b08a")


@twins(
    "train",
    "zh",
    card(480, 360),
    Biting(
        "这车停得真讲究，一看就是替别人着想的人。",
        "停车场里只有两个车位，一辆红色小车正好压在中间的白线上，一辆车占了两个位，后面牌子写着每"
        "车一位。",
        "一车占两位的司机",
        "individual_behaviour",
        "文字夸车主替别人着想，图中小车却骑在白线上，一辆车占了两个车位，牌子上的“每车一位”成了"
        "摆设，讽刺车主停车自私。",
    ),
    Sincere(
        "停车场里有两个车位，一辆蓝色小车端端正正停在右边，左边整个车位空着，后面牌子写着每车一位。",
    ),
)
def considerate_parking(a: Panel, biting: bool) -> None:
    """One car and two bays."""
    a.paint("#d5dde3")
    props.floor(a, 170, "#7d7b8c")
    a.pen.box(-6, 120, 500, 50, "#a9a3b5")
    places.bay(a, (50, 236, 424), 200)
    a.plate("每车一位", 240, 62, 30, "#4f8fc0", "white")
    a.pen.box(236, 84, 8, 40, "#8f9db0")
    x, colour = (240, "#d64550") if biting else (336, "#4f8fc0")
    places.car_back(a.pen.at(x, 330, 1.15), colour)


@twins(
    "train",
    "zh",
    card(480, 400),
    Biting(
        "出门前特地看了天气预报，准，太准了。",
        "大雨中的街道，女生没有带伞，浑身湿透，一脸无奈，旁边的大手机上显示今日天气晴，降雨概率百"
        "分之零。",
        "不准的天气预报",
        "others",
        "手机上的预报写着晴天、零降雨，女生却在大雨里淋成落汤鸡。文字连说“准，太准了”，是反话，"
        "讽刺天气预报完全不靠谱。",
    ),
    Sincere(
        "大雨中的街道，女生撑着黄色雨伞，笑得很得意，旁边的大手机上显示今日天气大雨，降雨概率百分"
        "之百。",
    ),
)
def accurate_forecast(a: Panel, biting: bool) -> None:
    """A forecast and what came of it."""
    places.street(a, True)
    if biting:
        GIRL.draw(a.pen.at(130, 384, 1.4), "bored", "limp")
    else:
        props.umbrella(a.pen.at(158, 296, 1.7), "#f2b134")
        LINDA.draw(a.pen.at(124, 384, 1.4), "proud", ((-26, -46), (25, -64)))
    places.storm(a, 5, 150)
    cards.screen(a, "今日天气", (270, 50, 180, 310))
    if biting:
        sun(a.pen.at(360, 172, 0.9), "happy")
    else:
        cloud(a.pen.at(360, 168, 0.9), "sad", "#9aa6b8")
    a.sign("晴" if biting else "大雨", 360, 256, 34)
    a.sign("降雨0%" if biting else "降雨100%", 360, 306, 25, "#4f6f9c")


@twins(
    "train",
    "zh",
    card(540, 360),
    Biting(
        "排四个小时喝一杯奶茶，喝的不是茶，是大家一起站着的福气。",
        "奶茶店门口排着长队，招牌写着奶茶，牌子写着从此处起约四小时，排队的人个个满脸期待。",
        "盲目跟风排队打卡",
        "social_phenomena",
        "一杯奶茶要排四个小时，队里的人还个个满脸期待。文字把干站着说成“福气”，明褒暗贬，讽刺大"
        "家为了跟风打卡，心甘情愿浪费时间。",
    ),
    Sincere(
        "奶茶店门口排着长队，招牌写着奶茶，牌子写着从此处起约四小时，排队的人又困又累。",
        "网红奶茶排了四个小时，腿是真酸，下次工作日早上再来。",
    ),
)
def tea_queue(a: Panel, biting: bool) -> None:
    """A queue for tea."""
    a.paint("#fdeee0" if biting else "#e4f1ea")
    props.floor(a, 296, "#b9b3c6")
    a.pen.box(8, 110, 130, 190, "#e2a0b4" if biting else "#9bd0ae")
    a.pen.box(24, 170, 98, 76, "#fff3d6", 4)
    a.plate("奶茶", 73, 128, 34, "#c75b5b" if biting else "#3f8a4a", "white")
    for i, (who, mood) in enumerate(KEEN if biting else WEARY):
        hands = ((-24, -46 - 4 * (i % 2)), (22, -58 + 6 * (i % 3)))
        who.draw(a.pen.at(184 + i * 74, 344, 1.05), mood, hands)
    a.plate("从此处起：约4小时", 390, 50, 27, "#ffe9a8")


@twins(
    "test",
    "zh",
    card(500, 380),
    Biting(
        "早高峰坐地铁，宽敞又舒服，一天的好心情从这里开始。",
        "地铁车厢里挤满了人，一个挨着一个，脸都贴在一起，有的皱眉，有的大叫，有的被挤晕。",
        "拥挤的早高峰地铁",
        "social_phenomena",
        "文字说车厢宽敞舒服、心情好，图里却是人贴着人，个个面露痛苦。话和画面完全相反，讽刺早高峰"
        "地铁拥挤不堪、上班路上受罪。",
    ),
    Sincere(
        "地铁车厢里很空，一个女生坐在长椅上看书，脸上带着微笑，车窗上的牌子写着早高峰。",
    ),
)
def roomy_metro(a: Panel, biting: bool) -> None:
    """The metro at eight in the morning."""
    places.carriage(a)
    a.plate("早高峰 08:15", 250, 114, 26, "#ffe9a8")
    if biting:
        places.crowd(a, BACK, 360, 1.15)
        places.crowd(a, FRONT, 440, 1.35)
        return
    a.pen.box(30, 270, 440, 34, "#6c9bd1", 8)
    for x in (50, 440):
        a.pen.box(x, 304, 12, 40, "#56667a")
    GIRL.draw(a.pen.at(230, 330, 1.2), "calm", ((2, -62), (30, -62)), "sit")
    a.pen.box(232, 234, 52, 34, "#e2725b", 3)


@twins(
    "test",
    "zh",
    card(500, 380),
    Biting(
        "公园环境真好，多亏了大家的爱护。",
        "公园草地上立着请勿乱扔垃圾的牌子，牌子周围却堆满塑料袋、饮料瓶和纸盒，一只猫坐在垃圾边皱"
        "眉。",
        "在公园乱扔垃圾的游客",
        "social_phenomena",
        "牌子提醒不要乱扔垃圾，周围却全是瓶子和塑料袋，连猫都皱眉。文字反过来感谢大家爱护环境，讽"
        "刺游客没有公德、乱丢垃圾。",
    ),
    Sincere(
        "公园草地干干净净，立着请勿乱扔垃圾的牌子，旁边一位大叔提着垃圾袋微笑，一只猫坐在草地上晒"
        "太阳。",
    ),
)
def tidy_park(a: Panel, biting: bool) -> None:
    """A lawn and a sign."""
    places.park(a)
    a.pen.box(236, 170, 12, 110, "#8a5a3c", 2)
    a.plate("请勿乱扔垃圾", 242, 150, 30, "#fffdf4", "#3f8a4a")
    cat(a.pen.at(410, 340, 1.05), "angry" if biting else "glad")
    if not biting:
        WORKER.draw(a.pen.at(120, 370, 1.3), "happy", "down")
        a.pen.blob([(150, 376), (146, 330), (160, 314), (190, 330), (194, 376)], "#3f4a5a")
        return
    for x, y, colour in ((90, 340, "#ffffff"), (190, 362, "#f7c6d0"), (300, 366, "#d5ecf5")):
        bag = a.pen.at(x, y)
        bag.blob(
            [(-30, 0), (-34, -26), (-10, -34), (0, -46), (12, -34), (34, -24), (30, 0)], colour
        )
    for x, y, tilt in ((140, 330, 80), (250, 330, 100), (340, 350, 60), (40, 366, 95)):
        bottle = a.pen.at(x, y, 1, tilt=tilt)
        bottle.box(-8, -40, 16, 40, "#8fd0ea", 5)
        bottle.box(-4, -52, 8, 13, "#4f8fc0", 2)
    for x, y, tilt in ((216, 310, 14), (320, 312, -20)):
        a.pen.at(x, y, 1, tilt=tilt).box(-22, -14, 44, 24, "#e0b070", 2)


@twins(
    "train",
    "zh",
    card(460, 400),
    Biting(
        "物业真贴心，怕我们缺乏锻炼，一个月给安排了四次爬楼。",
        "电梯门上贴着告示，电梯维修，请走楼梯，本月第四次。女生抱着一摞快递站在门前，满头大汗。",
        "电梯老是修不好的物业",
        "institutional_rules",
        "电梯一个月坏了四次，住户抱着快递只能爬楼。文字把它说成物业贴心安排的锻炼，是正话反说，讽"
        "刺物业维修不力、不负责任。",
    ),
    Sincere(
        "电梯门上贴着告示，电梯维修，请走楼梯，今晚八点恢复。师傅提着工具箱站在门前，满头大汗。",
        "电梯停了，师傅大热天还在修，给他送了两瓶水，辛苦啦。",
    ),
)
def lift_closed(a: Panel, biting: bool) -> None:
    """A lift under repair."""
    things.room(a, "#e9e4da", "#b5a692", 330)
    places.lift(a, 280, 330, 190, 280)
    cards.notice(
        a,
        "电梯维修",
        ("请走楼梯", "本月第4次" if biting else "今晚8点恢复"),
        (194, 80, 172, 140),
        24,
    )
    if biting:
        CLERK.draw(a.pen.at(100, 388, 1.35), "worry", ((-18, -52), (22, -52)))
        for i, colour in enumerate(("#d9a878", "#e0b070", "#c99d74")):
            a.pen.box(62, 316 - i * 30, 80, 30, colour, 2)
    else:
        WORKER.draw(a.pen.at(100, 388, 1.35), "worry", "down")
        a.pen.box(112, 328, 56, 36, "#c8434f", 4)
        a.pen.stroke([(128, 328), (128, 318), (152, 318), (152, 328)], width=4, curved=False)


TWINS: tuple[Twins, ...] = (
    considerate_parking,
    accurate_forecast,
    tea_queue,
    roomy_metro,
    tidy_park,
    lift_closed,
)
