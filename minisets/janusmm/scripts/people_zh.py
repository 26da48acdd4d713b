"""Chinese memes among people: shyness, couples, selfies, English, exams, queues."""

from minisets.drawing import props
from minisets.drawing.animals import snail
from minisets.drawing.cast import BOY, CLERK, COOK, GIRL, GRANNY, LINDA, OFFICE_MAN, RUNNER
from minisets.drawing.faces import Face, draw_face, mood_face
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


@meme(
    113,
    "social_media",
    bar("社恐日常：路上遇到老同学"),
    (shares("今天又成功躲过一次寒暄。"), other("那天草地上的壳原来是你啊！")),
    "尴尬",
    "一位老同学热情地挥手打招呼，而路边只剩一个乌龟壳，壳后面立着一块写着“我不在”的牌"
    "子。标题点明这是社恐的日常。热情的招呼和装死的龟壳形成对比，作者把自己画成缩进壳"
    "里的乌龟，自嘲见人就躲的胆小。",
    Mockery(
        sender="遇到熟人我第一反应是缩进壳里，还要立一块“我不在”的牌子。把自己画成乌龟，是承认自"
        "己胆小又好笑。我其实怕尴尬，也怕别人以为我冷淡，想让大家知道我只是害羞。",
        receiver="她在自嘲社恐，看见熟人就想躲起来。背后是尴尬和一点不安，希望别人理解她不是不友好。",
        reply="没事，下次我对着壳小声说声嗨就走！你想出来的时候再出来，我们都在。",
    ),
    symbols=("缩头乌龟",),
)
def not_at_home(a: Panel) -> None:
    """A shell that is not at home."""
    things.outdoors(a, 236, "#cfeaf3", "#8cc07a")
    a.pen.blob([(-20, 400), (140, 322), (420, 318), (580, 400)], "#e0cda4")
    RUNNER.draw(a.pen.at(140, 366, 1.6), "happy", "wave")
    a.say("好久不见！", 196, 62, (150, 150), 30)
    shell = a.pen.at(400, 366, 1.5)
    shell.ellipse(-2, -8, 74, 14, "#e9d98f")
    shell.blob([(-74, -10), (-60, -52), (0, -78), (58, -52), (72, -10), (0, -4)], "#7c9a4c")
    for x, y, r in ((0, -46, 18), (-36, -34, 13), (36, -34, 13), (-18, -18, 9), (18, -18, 9)):
        shell.ellipse(x, y, r, r * 0.8, "#a8c46c", width=2)
    a.pen.stroke([(474, 300), (480, 200)], "#8a5a3c", 6)
    a.plate("我不在", 472, 196, 28, "#fff3d6")


@meme(
    114,
    "private_dialogue",
    over("三个人的电影", "我负责照明", 560, 490),
    (receiver("昨晚跟他们看电影，开心吗？"), shares("开心，我发挥了很大作用。")),
    "孤独",
    "长椅上一对情侣甜蜜对视，冒着爱心，中间却夹着一个面无表情的人，头顶亮着一只大灯泡。"
    "文字说三个人的电影，“我”负责照明。“电灯泡”指打扰情侣的第三者，图文合在一起，是单"
    "身的作者自嘲多余。",
    Mockery(
        sender="我夹在一对情侣中间，头顶发光，就是大家说的电灯泡。我说自己负责照明，是把多余的尴"
        "尬讲成有用的工作。其实那晚我有点孤独，想让朋友知道，又不想显得可怜。",
        receiver="他在自嘲单身，和情侣出去只能当电灯泡。玩笑后面是孤独和一点羡慕，他想要的是陪伴。",
        reply="这么亮的灯，不能只照别人呀！下周我们俩去看，爆米花管够，谁也不用发光。",
    ),
    symbols=("电灯泡",),
)
def third_wheel(a: Panel) -> None:
    """A light bulb between two lovers."""
    things.night(a, 31, 0.55)
    props.hills(a, 290, "#3f6a52")
    a.pen.ellipse(280, 150, 150, 110, "#5a5a86", None)
    things.bench(a.pen.at(280, 410, 1.45), 330)
    LINDA.draw(a.pen.at(136, 400, 1.4), "love", "down", "sit", (1, 0))
    COOK.draw(a.pen.at(430, 400, 1.4, True), "love", "down", "sit", (1, 0))
    BOY.draw(a.pen.at(280, 400, 1.4), "bored", "limp", "sit")
    things.bulb(a.pen.at(280, 190, 1.15))
    for x, y in ((190, 170), (376, 176), (212, 210)):
        heart = [(x, y + 10), (x - 11, y - 2), (x - 6, y - 10), (x, y - 4), (x + 6, y - 10)]
        a.pen.shape([*heart, (x + 11, y - 2)], "#e8465a")


@meme(
    115,
    "group_chat",
    pair("我的自拍（第48张）", "同事抓拍（第1张）"),
    (
        other("团建照片出来啦，大家自己找！"),
        other("有一张特别精彩，哈哈。"),
        shares("不用找了，我先自首。"),
    ),
    "尴尬",
    "左图是精心挑选的自拍，笑眼弯弯，脸颊绯红，满屏星光。右图是同事的抓拍，同一个人闭"
    "着眼张大嘴，脸上粘着面条，头发乱飞。标题写明一张是四十八选一，一张只拍了一次。两"
    "相对照，作者自嘲自己的真实长相和形象管理。",
    Mockery(
        sender="我把四十八张里最好看的一张和同事随手拍的摆在一起，先揭自己的短。反正大家都会看到，"
        "不如我自己笑在前面。我有点尴尬，希望大家笑完就删。",
        receiver="她主动晒出自己的丑照，自嘲不修图就原形毕露。背后是尴尬，也有一点在意形象，她想让"
        "气氛轻松过去。",
        reply="抓拍那张才叫有感染力，看着就香！放心，原图我保管，左边那张我先拿去当壁纸。",
    ),
)
def candid(a: Panel, b: Panel) -> None:
    """The same face, twice."""
    a.paint("#fbdce8")
    things.beams(a, 152, 170, "#fde9f1", 16)
    GIRL.draw(a.pen.at(152, 470, 2.5), "proud", "down", "none")
    for x, y, size in ((44, 60, 20), (262, 70, 16), (40, 220, 14), (268, 240, 20), (90, 30, 11)):
        things.sparkle(a.pen.at(x, y), size)
    things.room(b, "#e3dfd2", "#b48a66", 282)
    GIRL.draw(b.pen.at(152, 470, 2.5), Face("shut", "yell", "one"), "down", "none")
    for x, bend in ((140, -8), (152, 6), (164, -4)):
        b.pen.stroke([(x, 216), (x + bend, 246), (x - bend, 290)], "#f2d27a", 6)
    for x, y, lean in ((96, 142, -14), (118, 122, -10), (184, 120, 12), (208, 142, 16)):
        b.pen.stroke([(x, y), (x + lean, y - 26)], GIRL.hair_colour, 5)
    b.pen.ellipse(118, 204, 5, 4, "#57a773")
    b.pen.ellipse(196, 196, 4, 4, "#e8554d")


@meme(
    116,
    "private_dialogue",
    card(500, 470),
    (receiver("你不是学了十年英语吗？出国应该没问题吧！"), shares("这是我跟房东的全部聊天记录。")),
    "羞愧",
    "这是一张聊天截图的样子：外国房东先问好，再说水管坏了，而“我”每次都只会回答那句课"
    "本上的“I'm fine, thank you. And you?”。标题写着学英语第十年。学了十年却只会一句，"
    "文字和处境的错位是在自嘲英语太差。",
    Mockery(
        sender="房东说水管坏了，我还在回答我很好。把聊天记录给朋友看，是拿自己十年只学会一句话来"
        "取笑。我心里挺羞愧的，也有点慌，希望朋友能帮我回一句。",
        receiver="他自嘲学了多年英语只会背课本。玩笑下面是羞愧和求助，他其实需要有人帮他跟房东沟通。",
        reply="发音一定很标准！把聊天发给我，我们一起回，回完你就多会三句了。",
    ),
)
def fine_thank_you(a: Panel) -> None:
    """Ten years of English."""
    chat.header(a, "学英语的第十年", colour="#3f7f8c")
    y = chat.bubble(a, "Hi! How are you?", 78, COOK, "happy")
    y = chat.bubble(a, "I'm fine, thank you. And you?", y, BOY, "proud", mine=True)
    y = chat.bubble(a, "The water pipe is broken!", y, COOK, "worry")
    y = chat.bubble(a, "I'm fine, thank you. And you?", y, BOY, "worry", mine=True)
    chat.bubble(a, "...Are you OK?", y, COOK, "stare")


def sheet(a: Panel) -> None:
    """A classroom with an exam paper that says hello."""
    things.room(a, "#e8e4f3", "#b6a48c", 330)
    paper = a.pen.at(386, 384)
    for side in (-1, 1):
        paper.limb([(side * 30, -30), (side * 32, -6)], "#453f5c", 8)
    paper.limb([(-70, -150), (-104, -136), (-126, -150)], "#fffdf4", 12)
    paper.box(-74, -262, 148, 236, "#fffdf4", 6)
    for y in (-110, -86, -62):
        paper.stroke([(-54, y), (54, y)], "#c3bdb0", 4)
    paper.note_face(0, -176, 44, 36)
    draw_face(paper.at(0, -176, 1.9), mood_face("happy"), gap=11)
    a.sign("试卷", 386, 146, 26)
    a.say("还记得我吗？", 386, 54, (382, 120), 28)


@meme(
    117,
    "private_dialogue",
    bar("考试的时候，这道题我见过，但不熟"),
    (receiver("考完啦？难不难？"), shares("题目都很面善。")),
    "焦虑",
    "一张长着脸的试卷笑眯眯地伸手问“还记得我吗”，对面的学生满头大汗，尴尬地说“面熟”。"
    "标题把题目说成见过却不熟的人。把做不出题画成认不出熟人，图文合在一起，是在自嘲复"
    "习只留下了模糊的印象。",
    Mockery(
        sender="题目好像都见过，可一道也叫不出名字，我就把试卷画成尴尬的熟人。这样说比直接承认没"
        "复习好要轻松。其实我很焦虑，怕成绩出来，想先听一句安慰。",
        receiver="他考得不好，用认不出熟人来自嘲没记住知识点。背后是焦虑和心虚，他需要放松一下，而"
        "不是对答案。",
        reply="面熟也是缘分，说不定蒙的都对了！先不想它，走，去吃碗热汤面压压惊。",
    ),
)
def familiar_face(a: Panel) -> None:
    """An exam paper that says hello."""
    sheet(a)
    GIRL.draw(a.pen.at(150, 382, 1.65), "worry", ((-30, -50), (10, -92)), look=(1, 0))
    a.say("面……面熟。", 128, 76, (152, 150), 28)


@meme(
    118,
    "group_chat",
    bar("我的超能力：站到哪一队，哪一队就停"),
    (other("你去买个奶茶怎么一个小时了？"), shares("不是店慢，是我来了。")),
    "无奈",
    "画面上有两支队伍，一支前面的人跑得飞快，已经买好东西；另一支前面站着一只慢吞吞的"
    "蜗牛，主人公排在它后面，一脸生无可恋。标题把这种倒霉叫作超能力。夸张的对比说明作"
    "者在自嘲运气差，总是选错队。",
    Mockery(
        sender="两支队里我一定站在蜗牛后面那支，于是我把倒霉叫作超能力。说成是自己的本事，就不用"
        "为迟到道歉得太沉重。等了这么久我很无奈，希望群里的人笑一笑别催我。",
        receiver="他在自嘲运气差，排队总选到最慢的。语气好笑，心情是无奈，他希望大家体谅他来晚了。",
        reply="那以后我们专门排你隔壁那队！不着急，位置给你占着，多加一份珍珠算我的。",
    ),
)
def slow_queue(a: Panel) -> None:
    """A queue behind a snail."""
    things.room(a, "#fbe8d2", "#c9a88a", 190)
    for y, colour in ((190, "#5aa9a0"), (330, "#e2725b")):
        props.desk(a.pen.at(486, y + 22), 110, 60, colour)
    a.sign("1号窗口", 486, 178, 22, "white")
    a.sign("2号窗口", 486, 318, 22, "white")
    a.pen.stroke([(0, 246), (420, 246)], "#e9d8c0", 5)
    for x, who in ((150, CLERK), (260, OFFICE_MAN), (370, LINDA)):
        who.draw(a.pen.at(x, 230, 0.95), "glad", "run", "run")
        props.dashes(a.pen.at(x - 38, 150), 26, 3, 14)
    snail(a.pen.at(330, 384, 1.35), "calm")
    BOY.draw(a.pen.at(200, 388, 1.15), "bored", "limp")
    GRANNY.draw(a.pen.at(92, 388, 1.05), "sleep")


MEMES: tuple[Meme, ...] = (
    not_at_home,
    third_wheel,
    candid,
    fine_thank_you,
    familiar_face,
    slow_queue,
)
