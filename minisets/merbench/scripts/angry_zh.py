"""Chinese memes that are angry, with their calm words: a kettle, a queue, a printer, a dance."""

from minisets.drawing import props
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.stage import Panel
from minisets.merbench import rooms
from minisets.merbench.creatures import goose, kettle, wheel
from minisets.merbench.layouts import over, pair, stack
from minisets.merbench.meme import Meme, meme
from minisets.merbench.portrait import Look, Sitter
from minisets.merbench.solids import Photo


@meme(
    104,
    "angry",
    "Template_StylizedMeme",
    "Negative",
    pair("我：今天绝不发火", "第三个人踩了我的脚", 600, 330, 24),
    ("我：今天泡壶好茶", "水开了，火候正好"),
    "画面：左边是一只微笑的蓝色水壶，右边同一只水壶烧得通红，竖眉大叫，壶嘴喷着热气。\n\n"
    "文字：先说今天绝不发火，接着被人连踩三脚。前后反差写出了压不住的火气。",
    "右边的水壶改成微笑，热气变得轻柔，旁边摆上茶杯；左右两格和水壶的位置不变。",
)
def boiling(a: Panel, b: Panel) -> None:
    """A kettle, before and after."""
    for panel, light, dark in ((a, "#e3f1f5", "#cfe6ee"), (b, "#ffd9a0", "#f7b46a")):
        wheel(panel, light, dark)
        panel.pen.box(-8, 268, 320, 80, "#b9794f")
    kettle(a.pen.at(134, 276, 1.5), "calm")
    kettle(b.pen.at(116, 276, 1.5), "yell", boiling=True)


@meme(
    105,
    "angry",
    "Template_StylizedMeme",
    "Negative",
    over("排队两小时买包子", "到我，卖完了", 500, 450, 44),
    ("排队两小时买包子", "到我，刚出笼"),
    "画面：红黄放射状的模板底上，一只大白鹅伸着脖子，瞪眼竖眉，张着嘴要吵架。\n\n"
    "文字：排了两个小时的队，轮到自己时包子卖完了。白等一场，怒气全写在脸上。",
    "让鹅的眉毛放平、眼神柔和，嘴边叼一只冒热气的包子，底色换成浅绿；上下文字和构图不变。",
)
def queue(a: Panel) -> None:
    """A goose that has waited long enough."""
    wheel(a, "#f4b04f", "#dd5a3c")
    goose(a.pen.at(250, 330, 2.5), Face("lids", "flat", "angry"))
    a.pen.box(94, 360, 312, 100, "#8a5236")
    a.pen.box(82, 350, 336, 18, "#a8693f", 5)


@meme(
    106,
    "angry",
    "Object_Animal_Dominant",
    "Neutral",
    stack("平时：一切正常", "交稿前一分钟：卡纸", 500, 240, 26),
    ("平时：一切正常", "它也想歇一分钟，好"),
    "画面：上格的打印机面带微笑，吐出一张平整的纸；下格的打印机龇牙冒烟，纸揉成一团卡在里面。\n\n"
    "文字：平时好好的，偏偏在交稿前一分钟卡纸。机器像是故意的，让人火大。",
    "下格的打印机闭眼打盹，烟换成一缕热茶的水汽，皱纸抹平；两格的顺序和机器的位置不变。",
)
def printer(a: Panel, b: Panel) -> None:
    """A printer that knows when."""
    things.room(a, "#dcebe6", "#a9bcb2", 186)
    props.desk(a.pen.at(238, 240), 420, 40, "#c9a27c")
    props.printer(a.pen.at(238, 194, 1.7), "calm")
    things.paper(a.pen.at(356, 146, tilt=4), 70, 44, 3)
    props.window(a.pen.at(40, 34), 84, 76, "#bfe3f2")
    things.room(b, "#f0c4b0", "#b5836c", 186)
    props.desk(b.pen.at(238, 240), 420, 40, "#c9a27c")
    things.smoke(b.pen.at(130, 78, 1.2), "#8f8a99", 4)
    things.smoke(b.pen.at(352, 70, 1.2), "#8f8a99", 3)
    props.printer(b.pen.at(238, 194, 1.7), "gloat")
    crumpled = b.pen.at(238, 44)
    crumpled.shape([(-66, 10), (-58, -22), (-30, -8), (-14, -32), (12, -12), (40, -30), (46, -6),
                    (68, -4), (58, 14), (-20, 18)], "#fffdf4")  # fmt: skip
    crumpled.stroke([(-40, 4), (-16, -12), (8, 6), (34, -8)], "#c3bdb0", 2.4, False)


@meme(
    107,
    "angry",
    "Photo_RealPerson",
    "Negative",
    over("楼上凌晨三点", "还在练踢踏舞", 500, 420, 42),
    ("楼上凌晨三点", "有人在追梦，晚安"),
    "画面：深夜的床上，一位女子把被子拉到下巴，双手攥着被角，皱着眉斜眼瞪向天花板。\n\n"
    "文字：凌晨三点楼上还在跳踢踏舞，吵得人睡不着，满脸都是怒气。",
    "让她眉头舒展、眼睛半闭，嘴角带一点笑，月光更柔；床、被子和人的位置都不变。",
)
def tap_dance(a: Panel) -> None:
    """A woman who cannot sleep."""
    photo = Photo(a.width, a.height)
    rooms.bed(photo)
    sitter = Sitter("#d6a98f", "long", "#1d1614", "#5a6480", lips="#a8555a")
    sitter.pose(photo, Look(0.8, 1.4, mouth=-0.8, gaze=(0.2, -1.2)), (250, 186), 92)
    rooms.duvet(photo, 276)
    for x, mirrored in ((128, False), (372, True)):
        rooms.fingers(photo, x, 284, sitter.skin, mirrored)
    photo.glow("#8fa8e0", 60, 60, 150, 0.16)
    photo.shade_foot()
    photo.develop(a.pen, 14)
    a.pen.note_face(250, 190, 64, 78)


MEMES: tuple[Meme, ...] = (boiling, queue, printer, tap_dance)
