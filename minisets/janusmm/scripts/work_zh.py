"""Chinese memes about work: 打工牛, Mondays, overtime, versions, meetings, the rush hour."""

from dataclasses import replace

from minisets.drawing import props
from minisets.drawing.animals import cow
from minisets.drawing.cast import (
    BOSS,
    BOY,
    CLERK,
    CODER,
    GIRL,
    LINDA,
    OFFICE_MAN,
    RUNNER,
    ghost,
    moon,
    robot,
)
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair
from minisets.janusmm.meme import (
    Meme,
    Mockery,
    meme,
    other,
    receiver,
    shares,
)
from minisets.janusmm.stage import Panel


@meme(
    101,
    "social_media",
    over("不是我热爱上班", "是草料真的要钱"),
    (shares("早安，打工人。今天也是元气满满的一头牛。"), other("哞，收到。")),
    "无奈",
    "画面里一头奶牛脖子上挂着工牌，面无表情地站在办公桌前用电脑，窗外太阳正升起。文字"
    "说自己并不热爱上班，只是草料要花钱。把自己画成为了一口草而干活的牛，图文合在一起"
    "是在自嘲做牛做马、只为糊口的打工生活。",
    Mockery(
        sender="我把自己画成一头挂着工牌的牛，说上班只是为了挣草料钱。这样自嘲，是想把做牛做马的"
        "疲惫说得轻松一点。我心里挺无奈，希望同样在上班的人会心一笑，互相打个气。",
        receiver="对方把自己比作为了草料上班的牛，是在自嘲为了生计不得不努力。笑话背后是无奈和疲惫，"
        "他想要的是共鸣，而不是讲道理。",
        reply="同一片草原的牛前来报到！今天的草料我请，下班一起去吃顿好的。",
    ),
    symbols=("牛马",),
)
def office_cow(a: Panel) -> None:
    """A cow with a staff card."""
    things.room(a, "#e6eedd", "#a9b79a", 340)
    props.window(a.pen.at(46, 88), 130, 110, "#fbd9a0")
    a.pen.ellipse(111, 160, 26, 26, "#f58e2b", None)
    a.pen.box(46, 172, 130, 26, "#8cc07a", ink=None)
    for line in ([(111, 88), (111, 198)], [(46, 143), (176, 143)]):
        a.pen.stroke(line, "#f7efe2", 6)
    cow(a.pen.at(268, 372, 2.15), "bored")
    a.pen.stroke([(340, 254), (352, 292), (364, 300), (376, 292), (388, 254)], "#4f8fc0", 4)
    a.pen.box(322, 294, 86, 46, "#ffffff", 5)
    a.sign("牛马001", 365, 317, 19)
    props.desk(a.pen.at(430, 430), 240, 56, "#b9794f")
    props.laptop(a.pen.at(474, 368, 1.4, True))


@meme(
    102,
    "social_media",
    bar("周一早上：人已到岗，魂还在追公交"),
    (other("周一例会，大家都醒了吗？"), shares("签到。签了一半。")),
    "疲惫",
    "画面前方的上班族眼神空洞地往前走，身后远处，一个白白的魂魄拎着公文包满头大汗地追"
    "赶。文字说人已经到岗，魂却还在追公交。图文结合，把周一早上的心不在焉夸张成魂不附"
    "体，自嘲自己只来了个躯壳。",
    Mockery(
        sender="我画了一个空壳的自己和一个还在路上追车的魂，说明周一的我根本没醒。用魂没跟上来开"
        "自己的玩笑，是想让大家原谅我今天反应慢。其实我很疲惫，希望同事对我宽容一点。",
        receiver="他在自嘲周一状态差，身体来了，精神没来。背后的感受是周末之后的疲惫，他希望得到理"
        "解，而不是催促。",
        reply="没事，魂晚点到也给算全勤！先喝杯咖啡，会上有什么我帮你记着。",
    ),
)
def late_soul(a: Panel) -> None:
    """A body on time and a soul behind it."""
    a.paint("#d6e6f0")
    for x, y, w in ((20, 90, 90), (130, 130, 80), (300, 70, 100), (430, 120, 90)):
        a.pen.box(x, y, w, 220, "#b7c6d3", 3)
        for row in range(4):
            for column in range(2):
                a.pen.box(x + 14 + column * 34, y + 18 + row * 38, 20, 22, "#e8eff4", 2, line=1.6)
    props.floor(a, 290, "#b3acb8")
    ghost(a.pen.at(136, 330, 1.25, tilt=12), "worry", "#f4f8fb")
    a.pen.box(178, 262, 46, 34, "#8a5a3c", 5)
    props.dashes(a.pen.at(78, 250), 54, 4, 18)
    a.say("等等我！", 110, 140, (140, 212), 28)
    OFFICE_MAN.draw(a.pen.at(400, 384, 1.75), "stare", "limp", "walk")


@meme(
    103,
    "group_chat",
    bar("整栋楼里，跟我最熟的是月亮"),
    (other("都几点了，群里还有活人吗？"), shares("有，还有一个老朋友陪着。"), other("你又加班？")),
    "孤独",
    "深夜的办公室里，一个人坐在电脑前，眼睛下面挂着黑眼圈。窗外的月亮探头进来，熟络地"
    "打招呼说“又是你”。天天加班到和月亮成了老熟人，图文合在一起，是在自嘲自己没有生活、"
    "只有工作。",
    Mockery(
        sender="我把月亮画成天天见面的熟人，说明我加班加到只有它认识我。用这种玩笑说出来，就不用"
        "直接抱怨有多累。我其实有点孤独，发到群里是希望有人陪我说句话。",
        receiver="他在自嘲加班太多，半夜只有月亮作伴。玩笑下面是疲惫和孤独，他想要有人关心，也想早"
        "点回家。",
        reply="替我谢谢月亮，不过今天先放它下班吧！你到家在群里说一声，我给你留着灯和夜宵。",
    ),
)
def moon_friend(a: Panel) -> None:
    """Overtime with the moon."""
    things.room(a, "#4a4668", "#38344f", 330)
    a.pen.box(270, 36, 236, 226, "#22244a", 4, "#8f8aa3", 6)
    for x, y in ((300, 70), (470, 60), (486, 190), (296, 210), (330, 240)):
        a.pen.ellipse(x, y, 2.4, 2.4, "#fff3c4", None)
    moon(a.pen.at(390, 176, 1.65), "happy", (-1, 0.4))
    a.say("又是你！", 150, 62, (320, 160), 30)
    CODER.draw(a.pen.at(150, 396, 1.6), "sick", "desk", "none", (1, 0))
    props.desk(a.pen.at(200, 392), 360, 52, "#8f6248")
    props.laptop(a.pen.at(232, 334, 1.35))
    a.pen.box(330, 300, 30, 34, "#e2725b", 5)


@meme(
    104,
    "private_dialogue",
    pair("项目第一版", "项目最终版（第七版）"),
    (receiver("项目总算上线了，恭喜！"), shares("谢谢，我们都有很大的变化。")),
    "无奈",
    "左图是头发浓密、意气风发的程序员，右图是同一个人，头顶已经光亮，眼下挂着黑眼圈，"
    "手里还捧着一摞修改意见。标题只说项目从第一版到了第七版，图里改变的却是人的发量。"
    "图文错位，作者在自嘲被改需求改到秃头。",
    Mockery(
        sender="我不说项目变了多少，只让大家看我的头发变了多少。拿自己的发量开玩笑，是在说这七版"
        "改得有多折腾。我很无奈，也想听到一句“辛苦了”。",
        receiver="他用头发越来越少来自嘲被反复改稿折磨。背后是无奈和长期的疲惫，他希望有人看见他的"
        "付出。",
        reply="发量少了，含金量高了！这七版真的辛苦你，周末好好睡两天，饭我来请。",
    ),
)
def hair_versions(a: Panel, b: Panel) -> None:
    """Seven versions of a project."""
    for panel, wall in ((a, "#fdeed2"), (b, "#dfe1ea")):
        things.room(panel, wall, "#a79bb8", 262)
    full = replace(CODER, hair="curly")
    full.draw(a.pen.at(152, 330, 1.7), "proud", "hips")
    for x, y in ((50, 70), (256, 80), (262, 200)):
        things.sparkle(a.pen.at(x, y), 14)
    bald = replace(CODER, hair="bald")
    bald.draw(b.pen.at(152, 330, 1.7), "sick", ((-26, -62), (26, -62)))
    for i in range(6):
        things.paper(b.pen.at(106 + i % 2 * 5, 226 - i * 10), 90, 12)
    things.sparkle(b.pen.at(176, 96), 15, "#ffffff")


@meme(
    105,
    "group_chat",
    over("领导：你来说两句", "我的大脑：", 560, 470),
    (other("刚才开会，你怎么愣了半分钟？"), shares("当时的系统截图。")),
    "尴尬",
    "一个机器人呆站在会议桌旁，屏幕脸上眼睛闭着，头顶的进度条显示正在更新、只到百分之"
    "一。文字交代场景：领导突然点名发言，而“我的大脑”就是这台死机的机器。图文合在一起，"
    "是自嘲一被点名就大脑空白。",
    Mockery(
        sender="我把被点名时的自己画成正在更新的机器人，进度只有百分之一。这样说出来，那半分钟的"
        "沉默就变成了笑话，而不是丢脸。我当时特别尴尬，希望大家一笑而过。",
        receiver="他在自嘲开会被点名时脑子一片空白。背后是尴尬和紧张，他希望同事们别当真，也别笑话"
        "他。",
        reply="更新完就是最强版本！大家当时都没听清问题，下次我先说，给你争取加载时间。",
    ),
)
def updating_brain(a: Panel) -> None:
    """A brain that is being updated."""
    things.room(a, "#dce7ee", "#a8b4bd", 340)
    a.plate("正在更新……1%", 280, 112, 28, "#ffffff")
    a.pen.box(166, 142, 228, 20, "white", 8)
    a.pen.box(170, 146, 8, 12, "#57a773", 3, None)
    robot(a.pen.at(280, 422, 1.55), Face("shut", "flat"), ((-34, -36), (34, -36)))
    for x, who in ((86, BOSS), (474, CLERK)):
        who.draw(a.pen.at(x, 430, 1.35), "stare", "down", "none", (1 if x < 200 else -1, 0))
    props.desk(a.pen.at(280, 450), 580, 66, "#a97850")


@meme(
    106,
    "social_media",
    over("早高峰地铁", "双脚离地，感觉在飞", 560, 490),
    (shares("今天的通勤不用走路，全靠大家。"), other("我可能就是你左边那位。")),
    "无奈",
    "拥挤的车厢里，一个人被左右乘客夹在半空，双脚离地，脸上却是陶醉的微笑。文字说这是"
    "在飞，听起来很浪漫。浪漫的说法和被挤扁的画面形成反差，作者在自嘲每天像行李一样被"
    "挤来挤去的上班路。",
    Mockery(
        sender="我明明是被挤得脚不沾地，却说自己在飞。把狼狈说成享受，是我给自己找的一点乐子。每"
        "天这样通勤我很无奈，发出来是想找到同路的人。",
        receiver="他在自嘲通勤太挤，连站都不用自己站。轻松的语气下面是无奈和辛苦，他想要的是同病相"
        "怜的一笑。",
        reply="祝你平稳降落！明天要不要早二十分钟一起走，至少能让脚着地。",
    ),
)
def flying_commute(a: Panel) -> None:
    """A passenger in the air."""
    a.paint("#cfd8df")
    for x in (40, 220, 400):
        a.pen.box(x, 70, 130, 110, "#9fc4d8", 12)
    a.pen.box(-6, 62, 580, 8, "#8f9db0")
    props.floor(a, 356, "#8d8a99")
    people = ((60, CLERK), (500, BOSS), (146, RUNNER), (414, LINDA))
    for x, who in people:
        who.draw(a.pen.at(x, 400, 1.5), "bored" if x < 280 else "sick")
    GIRL.draw(a.pen.at(280, 338, 1.5), "proud", ((-38, -96), (38, -96)))
    for x, who in ((204, OFFICE_MAN), (356, BOY)):
        who.draw(a.pen.at(x, 420, 1.5), "stare", "down")
    for x in (266, 294):
        a.pen.stroke([(x, 356), (x, 372)], "white", 3)


MEMES: tuple[Meme, ...] = (
    office_cow,
    late_soul,
    moon_friend,
    hair_versions,
    updating_brain,
    flying_commute,
)
