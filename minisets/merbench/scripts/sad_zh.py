"""Chinese memes that are sad, with their happy words: one like, a promise, a birthday."""

from minisets.drawing import props
from minisets.drawing.animals import cat_head
from minisets.drawing.cast import GIRL
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.stage import Panel
from minisets.merbench import rooms
from minisets.merbench.creatures import wheel
from minisets.merbench.layouts import bar, film, over
from minisets.merbench.meme import Meme, meme
from minisets.merbench.portrait import Look, Sitter
from minisets.merbench.solids import Photo

WOMAN = Sitter("#e3b596", "long", "#1f1715", "#6d4a5c", lips="#b0575a")


@meme(
    101,
    "sad",
    "Template_StylizedMeme",
    "Negative",
    over("发了朋友圈", "只有我妈点赞", 500, 440, 46),
    ("发了朋友圈", "我妈秒点赞"),
    "画面：模板式的放射状蓝灰底上，一只橘猫含着眼泪看向镜头，眉毛和嘴角都往下垂。\n\n"
    "文字：发了动态，点赞的只有妈妈一个人。被冷落的感觉让这张图显得难过。",
    "把眼泪换成弯弯的笑眼，嘴角上扬，底色换成暖黄；猫头仍在画面正中，上下两行字的位置不变。",
)
def one_like(a: Panel) -> None:
    """A cat that checks its phone."""
    wheel(a, "#8fa6bd", "#6f88a3")
    cat_head(a.pen.at(250, 244, 3.9), Face("dot", "frown", "sad", extra="tear"), "#f0a04b")


@meme(
    102,
    "sad",
    "Photo_RealPerson",
    "Negative",
    film(("他说：在忙，晚点聊", "三年了，还没忙完"), 480, 262, 30),
    ("他说：在忙，晚点聊", "原来在给我煮面"),
    "画面：上图里一位长发女子在昏暗的房间里看手机，神情黯淡；下图是她的近景，两行眼泪挂在脸上。"
    "\n\n文字：对方说晚点再聊，结果三年没有下文。等待落空，情绪是伤心。",
    "让下图的眼泪变成感动的泪，嘴角带笑，桌上冒出热气，灯光调暖；两格的顺序和字幕位置保持不变。",
)
def busy(a: Panel, b: Panel) -> None:
    """A message, and three years later."""
    for panel, look, at, size in (
        (a, Look(0.7, -0.7, mouth=-0.5, gaze=(0.3, 0.9)), (200, 108), 72),
        (b, Look(0.7, -1.2, mouth=-1, tears=True), (240, 112), 94),
    ):
        photo = Photo(panel.width, panel.height, (0.25, 0.35, 0.82))
        rooms.night_room(photo)
        WOMAN.pose(photo, look, at, size)
        if panel is a:
            rooms.phone(photo, 368, 118)
        photo.shade_foot()
        photo.develop(panel.pen, 6, 1.25)
        panel.pen.note_face(at[0], at[1] + 6, size * 0.6, size * 0.8)


@meme(
    103,
    "sad",
    "Cartoon_Anime",
    "Negative",
    bar("又是一个人过生日", 540, 400, 30),
    ("又是一个人过生日", "蛋糕全归我！"),
    "画面：女孩独自坐在桌前，戴着生日帽，对着一只点了蜡烛的大蛋糕，眉毛和嘴角都垂着。\n\n"
    "文字：又是一个人过生日，对白问有没有人来。孤单让画面显得难过。",
    "让女孩举起叉子笑起来，烛光更亮，背景加几条彩带；人、蛋糕、气泡和标题都留在原处。",
)
def birthday(a: Panel) -> None:
    """A girl, a cake and nobody else."""
    things.room(a, "#d9d3ea", "#b5a9cc", 262)
    props.window(a.pen.at(40, 44), 104, 96, "#3c4374")
    GIRL.draw(a.pen.at(170, 424, 1.95), Face("dot", "frown", "sad"), "desk", "none", (0.7, 0.3))
    a.pen.shape([(146, 142), (194, 142), (170, 82)], "#f2b134")
    a.pen.ellipse(170, 80, 8, 8, "#e8554d")
    props.desk(a.pen.at(264, 420), 400, 92, "#c08a5e")
    things.cake(a.pen.at(366, 322, 1.5))
    for x in (327, 366, 405):
        a.pen.box(x - 4, 168, 8, 28, "#ffffff", 2, line=1.8)
        props.flame(a.pen.at(x, 167), 0.3)
    a.say("有人来吗？", 386, 74, (216, 172), 27)


MEMES: tuple[Meme, ...] = (one_like, busy, birthday)
