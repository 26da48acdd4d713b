"""English memes that are angry, with their calm words: a bowl, a question, a group project."""

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOY, CODER, GIRL, RUNNER
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.stage import Panel
from minisets.merbench import rooms
from minisets.merbench.layouts import bar, over, pair
from minisets.merbench.meme import Meme, meme
from minisets.merbench.portrait import Look, Sitter
from minisets.merbench.solids import Photo


@meme(
    5,
    "angry",
    "Object_Animal_Dominant",
    "Negative",
    over("THE BOWL IS HALF EMPTY", "SOMEBODY WILL PAY", 520, 460, 37),
    ("THE BOWL IS HALF FULL", "LET THE HUMAN SLEEP"),
    "Visual cues: A grey cat sits behind its bowl in a moonlit kitchen and scowls straight at the "
    "reader, brows down, mouth turned down.\n\nText cues: Half a bowl of food is treated as a "
    "crime that calls for revenge. The threat, over nothing, makes the meme angry.",
    "Smooth the brows and half close the eyes into a content look, with a small smile; keep the "
    "cat behind its half-full bowl and the kitchen at night.",
)
def bowl(a: Panel) -> None:
    """A cat and half a bowl of food."""
    things.room(a, "#454c74", "#6e6684", 330)
    a.pen.box(40, 96, 120, 120, "#2d325a", 3, line=4)
    a.pen.ellipse(110, 146, 24, 24, "#f7e9b0", None)
    a.pen.stroke([(100, 96), (100, 216)], "#2b2438", 4)
    a.pen.box(360, 90, 130, 240, "#8fa3b8", 6)
    a.pen.stroke([(360, 180), (490, 180)], "#2b2438", 3)
    for y in (140, 230):
        a.pen.box(372, y, 8, 34, "#d5dde6", 3)
    cat(a.pen.at(258, 392, 2.65), Face("lids", "frown", "angry"), "sit", "#a7a3b4")
    props.bowl(a.pen.at(258, 398, 1.7), "#8a5a3c")


@meme(
    6,
    "angry",
    "Photo_RealPerson",
    "Positive",
    bar("“Quick question” at 5:29 on a Friday. How lovely!", 500, 350, 25),
    ("“Quick question” at 5:29 on a Friday. Monday, then!",),
    "Visual cues: A man in a suit stares past the camera in a blurred office, flushed, brows "
    "pulled together, lips pressed down.\n\nText cues: The words praise a last-minute request, but "
    "nobody with that face means them. The sarcasm is angry.",
    "Take the flush away, part the brows and let the corners of the mouth rise a little; the "
    "office, the suit and the framing stay.",
)
def quick_question(a: Panel) -> None:
    """A man one minute before the weekend."""
    photo = Photo(a.width, a.height)
    rooms.office(photo)
    sitter = Sitter("#d39b7a", "short", "#33241c", "#3a4254", "#e4e2de", "#8a2f38", 0.15)
    look = Look(0.72, 1.5, mouth=-0.9, gaze=(0.5, 0.1), flush=0.7)
    sitter.pose(photo, look, (238, 156), 112)
    photo.develop(a.pen, 9)
    a.pen.note_face(238, 166, 76, 100)


@meme(
    7,
    "angry",
    "Cartoon_Anime",
    "Negative",
    pair("Group project: four names", "Group project: one brain", 640, 320, 22),
    ("Group project: four names", "They did last night. My turn!"),
    "Visual cues: On the left four students pose proudly. On the right three of them sleep on the "
    "table while the fourth hammers on a laptop with bared teeth and steam over his head.\n\nText "
    "cues: Four names, but one does the work. The unfairness is what makes him angry.",
    "On the right let the typing student smile quietly and lose the steam, with a blanket over the "
    "three sleepers; both panels and all four people stay.",
)
def group_project(a: Panel, b: Panel) -> None:
    """Four names, one worker."""
    things.room(a, "#d6ecd9", "#a8b08a", 262)
    a.pen.box(34, 22, 232, 92, "#4f7a63", 4, line=5)
    a.pen.ellipse(92, 66, 24, 24, None, "#d9ecdf", 3)
    a.pen.stroke([(136, 92), (166, 50), (196, 78), (232, 40)], "#d9ecdf", 3, False)
    for x, who in ((62, GIRL), (240, CODER)):
        who.draw(a.pen.at(x, 306, 1.36), "proud", "hips")
    for x, who in ((122, BOY), (184, RUNNER)):
        who.draw(a.pen.at(x, 314, 1.3), "glad", "crossed")
    things.room(b, "#f3d3c6", "#b98f7c", 230)
    props.flame(b.pen.at(216, 84), 0.9)
    CODER.draw(b.pen.at(216, 316, 1.6), "gloat", "desk", "none")
    for x, who in ((40, RUNNER), (88, GIRL), (132, BOY)):
        who.head(b.pen.at(x + 108, 282, 1.12, tilt=-78), "sleep")
    props.desk(b.pen.at(150, 340), 330, 60, "#c99a64")
    props.laptop(b.pen.at(226, 276, 1.15))


MEMES: tuple[Meme, ...] = (bowl, quick_question, group_project)
