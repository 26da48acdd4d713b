"""Chinese memes that are tense, with their relaxed words: an exam, an interview, a battery."""

from minisets.drawing import props
from minisets.drawing.cast import BOY
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.stage import Panel
from minisets.merbench import rooms
from minisets.merbench.layouts import bar, grid, over
from minisets.merbench.meme import Meme, meme
from minisets.merbench.portrait import Look, Sitter
from minisets.merbench.solids import Photo


@meme(
    108,
    "tense",
    "Cartoon_Anime",
    "Negative",
    grid(("还有三十天：不急", "还有三天：还是不急", "还有三小时：笔呢？", "还有三分钟：完了")),
    ("还有三十天：不急", "还有三天：还是不急", "还有三小时：笔在这", "还有三分钟：开卷！"),
    "画面：四格漫画。男孩先是躺着睡觉，再是悠闲地喝饮料，然后对着一堆书瞪大眼睛，最后坐在考桌前"
    "满头大汗。\n\n文字：考试越来越近，从“不急”一路变成“完了”，紧张感一格比一格强。",
    "后两格的男孩换成轻松的笑脸，去掉汗珠，书本摊开；四格的顺序和每格上方的文字位置不变。",
)
def exam(a: Panel, b: Panel, c: Panel, d: Panel) -> None:
    """Thirty days, three days, three hours, three minutes."""
    things.outdoors(a, 128, "#bfe3f2", "#8cc07a")
    a.pen.ellipse(236, 40, 22, 22, "#ffd24a")
    BOY.draw(a.pen.at(66, 176, 1.0, tilt=82), "sleep", "head")
    things.room(b, "#fdeed2", "#c9a27c", 150)
    things.sofa(b.pen.at(140, 176, 1.05), 220, "#6fa8a0")
    BOY.draw(b.pen.at(130, 196, 1.1), "sly", ((-27, -45), (30, -78)), "none")
    props.glass(b.pen.at(164, 112, 0.8))
    things.room(c, "#e6d9ee", "#a08db5", 150)
    BOY.draw(c.pen.at(142, 214, 1.25), "shock", "head", "none")
    for i, colour in enumerate(("#e2725b", "#5a7fb0", "#7fb28a", "#f2b134")):
        things.book(c.pen.at(48 + (i % 2) * 4, 182 - i * 20), 76, colour, 20)
        things.book(c.pen.at(238 - (i % 2) * 5, 182 - i * 20), 72, colour, 20)
    props.desk(c.pen.at(140, 224), 290, 34, "#b9794f")
    things.room(d, "#f6cfc0", "#b58c7c", 150)
    things.clock(d.pen.at(232, 58, 0.9), 9, 57)
    BOY.draw(d.pen.at(118, 214, 1.3), Face("wide", "wavy", "sad", extra="sweat"), "desk", "none")
    props.desk(d.pen.at(140, 224), 290, 44, "#b9794f")
    things.paper(d.pen.at(172, 160, tilt=8), 54, 18)


@meme(
    109,
    "tense",
    "Photo_RealPerson",
    "Positive",
    bar("面试官说：放轻松，随便聊聊", 500, 360, 26),
    ("面试官说：放轻松，我也是头一回",),
    "画面：一位打领带的年轻人坐在模糊的办公室里，眼睛睁得很大，笑得僵硬，额头和脸上都是汗。\n\n"
    "文字：面试官说放轻松，字面很友好，可他的表情说明他一点也放松不了。",
    "擦掉汗珠，让眼睛和嘴自然地笑，肩膀放低，背景更明亮；人物、领带和标题的位置不变。",
)
def interview(a: Panel) -> None:
    """A young man who has been told to relax."""
    photo = Photo(a.width, a.height)
    rooms.office(photo)
    sitter = Sitter("#e0b08e", "short", "#1c1614", "#454e66", "#f0eeea", "#3f5f8a")
    look = Look(1.45, -0.9, 0.8, 0.9, 0.25, (-0.1, 0), sweat=True)
    sitter.pose(photo, look, (238, 164), 114)
    photo.develop(a.pen, 20)
    a.pen.note_face(238, 174, 76, 100)


@meme(
    110,
    "tense",
    "Object_Animal_Dominant",
    "Neutral",
    over("手机只剩百分之一", "充电器在公司", 500, 450, 42),
    ("手机只剩百分之一", "今晚终于清静了"),
    "画面：夜里的桌上立着一只拟人的手机，屏幕发红，眼睛瞪圆、嘴巴发抖，旁边的电池只剩一丝红色。\n\n"
    "文字：电量只剩百分之一，充电器偏偏不在身边，让人心里发慌。",
    "手机闭上眼睛微笑，屏幕变成柔和的蓝色，旁边添一盏小夜灯；手机和电池的位置不变。",
)
def last_percent(a: Panel) -> None:
    """A phone at one per cent."""
    things.night(a, 21, 0.6)
    a.pen.box(-6, 312, 520, 160, "#6b4a54")
    props.phone(a.pen.at(226, 222, 2.35), Face("wide", "wavy", "sad", extra="sweat"), "#f09a8c")
    things.battery(a.pen.at(390, 274, 1.15), 0.06, "#e8303a")
    a.pen.ellipse(96, 146, 32, 32, "#f7e9b0")
    a.pen.limb([(118, 296), (138, 282), (118, 268)], "#e9e4da", 5)
    a.pen.box(66, 256, 52, 62, "#e9e4da", 6)


MEMES: tuple[Meme, ...] = (exam, interview, last_percent)
