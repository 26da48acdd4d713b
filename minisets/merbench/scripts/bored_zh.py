"""Chinese memes that are bored, with their excited words: tiles, a bird, a carpet, a trip."""

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOY, GIRL, GRANNY, MUM
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.stage import Panel
from minisets.merbench.creatures import bird, panda, wheel
from minisets.merbench.layouts import bar, over, pair
from minisets.merbench.meme import Meme, meme


@meme(
    111,
    "bored",
    "Cartoon_Anime",
    "Negative",
    bar("周日无聊，数瓷砖数到三百", 540, 400, 30),
    ("新纪录！瓷砖数到三百块！",),
    "画面：女孩坐在厨房桌前托着腮，眼皮耷拉，身后是一墙一模一样的瓷砖，连猫都睡着了。\n\n"
    "文字：周日没事做，只好数瓷砖，已经数到三百。时间多得没处花，非常无聊。",
    "让女孩睁大眼睛，举起双手欢呼，周围飘下彩带；瓷砖墙、桌子、猫和标题都不变。",
)
def tiles(a: Panel) -> None:
    """A girl and three hundred tiles."""
    things.kitchen(a, 284)
    GIRL.draw(a.pen.at(210, 436, 2.3), "bored", ((-19, -94), (19, -94)), "none", (0.5, -0.5))
    props.desk(a.pen.at(264, 420), 500, 74, "#b9794f")
    cat(a.pen.at(410, 340, 1.15), "sleep", "loaf", "#8f8a99")
    a.pen.ellipse(86, 332, 36, 8, "#ffffff")
    a.pen.ellipse(78, 318, 17, 16, "#e8554d")
    a.pen.ellipse(100, 320, 16, 15, "#f2b134")


@meme(
    112,
    "bored",
    "Object_Animal_Dominant",
    "Neutral",
    pair("上午：窗外没有鸟", "下午：还是没有鸟", 640, 330, 26),
    ("上午：窗外没有鸟", "下午：它在我头上！"),
    "画面：左右两格里，同一只橘猫趴在窗前发呆，眼皮半垂；右格的猫头上停着一只小黄鸟，猫毫无察觉。\n\n"
    "文字：从上午等到下午，窗外什么也没有，无聊透顶。",
    "右格的猫睁圆眼睛、咧嘴抬头，小鸟张开翅膀；两格的窗户、猫和鸟的位置不变。",
)
def no_birds(a: Panel, b: Panel) -> None:
    """A cat that waits for a bird."""
    for panel, wall, sky in ((a, "#e4efe4", "#bfe3f2"), (b, "#f6e0c4", "#f5c48a")):
        panel.paint(wall)
        props.window(panel.pen.at(52, 34), 204, 150, sky)
        panel.pen.box(-6, 244, 340, 100, "#b9794f")
        panel.pen.box(-6, 236, 340, 16, "#d9a679")
        cat(panel.pen.at(138, 242, 1.75), "bored", "loaf")
    bird(b.pen.at(170, 126, 1.0))


@meme(
    113,
    "bored",
    "Cartoon_Anime",
    "Neutral",
    pair("大人们聊了三个小时", "我在研究地毯的花纹", 640, 330, 24),
    ("大人们聊了三个小时", "我发现地毯是藏宝图！"),
    "画面：左格里两位大人捧着茶杯聊得正欢，男孩坐在旁边发呆；右格里男孩跪在一块花地毯上，眼皮低垂。"
    "\n\n文字：大人聊个没完，小孩只能研究地毯花纹，实在没事可做。",
    "右格的男孩睁大发亮的眼睛，手指指向花纹，旁边闪出星光；两格的人物和地毯都不变。",
)
def carpet(a: Panel, b: Panel) -> None:
    """Grown-ups above, a carpet below."""
    things.room(a, "#fbe2d0", "#c79c84", 268)
    a.pen.box(116, 22, 74, 56, "#f7efe2", 3, line=4)
    a.pen.ellipse(136, 42, 7, 7, "#f2b134", width=1.8)
    a.pen.shape([(120, 74), (146, 46), (160, 62), (170, 52), (186, 74)], "#7fb28a", width=1.8)
    things.sofa(a.pen.at(118, 310, 1.4), 200, "#8f7fb5")
    for x, who in ((66, MUM), (160, GRANNY)):
        who.draw(a.pen.at(x, 330, 1.5), "glad", ((8, -72), (24, -72)), "none")
        a.pen.at(x + 26, 222).shape([(-13, -11), (13, -11), (9, 9), (-9, 9)], "#ffffff")
    a.pen.box(14, 284, 208, 34, "#8f7fb5", 8)
    BOY.draw(a.pen.at(258, 324, 1.2), "bored", "limp", "stand")
    things.room(b, "#f3d9c4", "#d9b48f", 176)
    things.sofa(b.pen.at(150, 190, 0.9), 250, "#8f7fb5")
    for inset, colour in ((0, "#b8434f"), (16, "#e8c07a"), (28, "#b8434f")):
        left, right, low = 14 + inset, 290 - inset, 318 - inset * 0.8
        top = 196 + inset * 0.6
        b.pen.shape([(left + 36, top), (right - 36, top), (right, low), (left, low)], colour)
    for x, y in ((78, 232), (228, 232), (66, 278), (240, 278)):
        things.sparkle(b.pen.at(x, y), 15, "#f2d28a")
    b.pen.stroke([(92, 246), (112, 262), (96, 282), (128, 288)], "#f2d28a", 4)
    b.pen.stroke([(214, 246), (198, 262), (222, 284), (190, 290)], "#f2d28a", 4)
    BOY.draw(b.pen.at(152, 276, 1.5), Face("lids", "flat"), ((2, -40), (30, -40)), "kneel", (0, 1))


@meme(
    114,
    "bored",
    "Template_StylizedMeme",
    "Positive",
    over("本月第三次团建", "我好激动哦", 500, 450, 46),
    ("本月第三次团建", "这次去吃竹子！"),
    "画面：紫色放射状的模板底上，一只熊猫面无表情，眼皮半垂，嘴抿成一条线。\n\n"
    "文字：嘴上说好激动，可这是本月第三次团建，语气和表情都提不起劲，是在说反话。",
    "熊猫的眼睛睁大发亮，嘴巴张开欢呼，前面添一把竹子；放射状的底和上下文字位置不变。",
)
def team_day(a: Panel) -> None:
    """A panda that is thrilled."""
    wheel(a, "#b59ad0", "#8d6fb5")
    panda(a.pen.at(250, 240, 3.5), Face("lids", "flat"))


MEMES: tuple[Meme, ...] = (tiles, no_birds, carpet, team_day)
