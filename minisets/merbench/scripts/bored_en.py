"""English memes that are bored, with their excited words: a meeting, a castle, some paint."""

from minisets.drawing import props
from minisets.drawing.animals import fish
from minisets.drawing.cast import OFFICE_MAN, skeleton
from minisets.janusmm import things
from minisets.janusmm.stage import Panel
from minisets.merbench import rooms
from minisets.merbench.creatures import cell
from minisets.merbench.layouts import bar, over, rows
from minisets.merbench.meme import Meme, meme
from minisets.merbench.portrait import Look, Sitter
from minisets.merbench.solids import Photo


@meme(
    12,
    "bored",
    "Template_StylizedMeme",
    "Neutral",
    rows(3, 540, 190),
    ("Minute 5: hello", "Minute 50: pizza is coming", "Minute 500: it is here!"),
    "Visual cues: Three rows of one template: a man at a meeting table, the same man with heavy "
    "lids, and at last a skeleton in a tie that waves.\n\nText cues: The minutes grow and nothing "
    "else does; he has been bored to the bone.",
    "Keep the three rows, but wake everybody up: bright eyes in the second row, confetti around "
    "the waving skeleton in the third.",
)
def meeting(a: Panel, b: Panel, c: Panel) -> None:
    """A meeting in three states of decay."""
    words = ("Minute 5: hello", "Minute 50: still slide one", "Minute 500: goodbye")
    for panel, wall in ((a, "#fdeed2"), (b, "#e3ddd0"), (c, "#c9c6c4")):
        things.room(panel, wall, "#a58f78", 150)
        props.window(panel.pen.at(298, 26), 62, 54, "#bfe3f2" if panel is a else "#9fb0bc")
    OFFICE_MAN.draw(a.pen.at(420, 196, 1.12), "happy", "wave", "none")
    OFFICE_MAN.draw(b.pen.at(420, 196, 1.12), "bored", "think", "none")
    skeleton(c.pen.at(420, 206, 1.12), wave=True)
    for panel, text in zip((a, b, c), words, strict=True):
        props.desk(panel.pen.at(410, 200), 240, 40, "#9a6b4a")
        cell(panel, text)


@meme(
    13,
    "bored",
    "Object_Animal_Dominant",
    "Negative",
    bar("Day 412. The castle has not moved.", 540, 400, 28),
    ("Day 412. I swear the castle moved!",),
    "Visual cues: A goldfish with heavy lids hangs in a round bowl and looks at a toy castle, the "
    "only other thing in there.\n\nText cues: A diary that counts the days and reports nothing. "
    "Nothing happens, so the fish is bored.",
    "Open the fish's eyes wide, let it grin and dart towards the castle with a trail of bubbles; "
    "bowl, castle and headline stay.",
)
def castle(a: Panel) -> None:
    """A fish and a castle."""
    things.room(a, "#f0e2cc", "#b58a68", 330)
    props.window(a.pen.at(34, 34), 92, 84, "#bfe3f2")
    a.pen.box(430, 262, 62, 66, "#d9774f", 6)
    for x, y in ((446, 226), (462, 206), (478, 230)):
        a.pen.blob([(462, 262), (x - 8, y + 14), (x, y - 12), (x + 8, y + 14)], "#5fae5b")
    props.fishbowl(a.pen.at(258, 206), 184, 156)
    props.castle(a.pen.at(336, 334, 1.25))
    for x, y, r in ((150, 120, 6), (162, 98, 8), (148, 76, 5)):
        a.pen.ellipse(x, y, r, r, "#eaf7fb", width=1.8)
    for x in (140, 158, 176):
        a.pen.stroke([(x, 340), (x - 8, 306), (x + 6, 276), (x - 2, 250)], "#4d9a5a", 6)
    fish(a.pen.at(214, 196, 1.85), "bored", look=(0.9, 0))


@meme(
    14,
    "bored",
    "Photo_RealPerson",
    "Neutral",
    over("WATCHING PAINT DRY", "SEASON TWO", 500, 420, 38),
    ("WATCHING PAINT DRY", "SEASON FINALE TONIGHT!"),
    "Visual cues: A man props his head on his fist in front of a wall that is half green, half "
    "white, a roller beside him; his lids hang low.\n\nText cues: The driest of pastimes is told "
    "like a television series in its second year. He could not be more bored.",
    "Open his eyes, raise his brows and let him grin at the wall as if the best scene were on; "
    "wall, roller and pose stay.",
)
def paint(a: Panel) -> None:
    """A man, a wall, and time."""
    photo = Photo(a.width, a.height)
    rooms.half_painted_wall(photo, 300)
    rooms.roller(photo, 420, 120)
    sitter = Sitter("#d8a685", "short", "#5a3a24", "#8a6a4a", beard=0.55, iris="#5a6a4a")
    sitter.pose(photo, Look(0.35, 0, 0.2, -0.25, gaze=(0.9, 0.1)), (190, 200), 102)
    rooms.hand_on_cheek(photo, 238, 262, sitter.skin, "#7d5f42")
    photo.shade_foot()
    photo.develop(a.pen, 24, 0.98)
    a.pen.note_face(190, 206, 70, 90)


MEMES: tuple[Meme, ...] = (meeting, castle, paint)
