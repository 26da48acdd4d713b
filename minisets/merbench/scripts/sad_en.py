"""English memes that are sad, with their happy words: a plant, a walk, a parcel, some savings."""

from minisets.drawing import balloons, props
from minisets.drawing.animals import dog
from minisets.drawing.cast import BOY, snowman
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.stage import Panel
from minisets.merbench import rooms
from minisets.merbench.creatures import armchair, cell, mouse, puddle
from minisets.merbench.layouts import bar, over, pair, rows
from minisets.merbench.meme import Meme, meme
from minisets.merbench.portrait import Look, Sitter
from minisets.merbench.solids import Photo


@meme(
    1,
    "sad",
    "Photo_RealPerson",
    "Negative",
    over("MY PLANT DIED", "IT WAS MY ONLY ROOMMATE", 500, 420, 35),
    ("MY PLANT LEFT A SEED", "I AM A GRANDFATHER NOW"),
    "Visual cues: A man weeps beside a window with rain on it, his brows drawn up in the middle, "
    "and looks at a pot of brown, hanging leaves.\n\nText cues: He mourns a house plant as if it "
    "had been the only company he had. Loss and loneliness add up to a sad meme.",
    "Let the tears be tears of joy: lift the corners of the mouth and the cheeks, put a small "
    "green shoot into the pot, and let some sun through the window. Man, window and pot stay where "
    "they are.",
)
def plant(a: Panel) -> None:
    """A man, a window and what was a plant."""
    photo = Photo(a.width, a.height)
    rooms.rainy_window(photo, (272, 70, 488, 322))
    rooms.wilted_plant(photo, 404, 332)
    photo.blur(1.2)
    look = Look(0.75, -1.2, mouth=-1, gaze=(0.9, 0.4), tears=True)
    Sitter(beard=0.3, top="#5b6470").pose(photo, look, (160, 196), 100)
    photo.shade_foot()
    photo.develop(a.pen, 1)
    a.pen.note_face(160, 206, 70, 90)


@meme(
    2,
    "sad",
    "Object_Animal_Dominant",
    "Negative",
    bar("He said “walk” on the phone. To somebody else.", 540, 380, 25),
    ("He said “walk” on the phone. He asked if I was free.",),
    "Visual cues: A dog sits alone by the front door with its lead ready, brows up, mouth turned "
    "down; behind the glass it rains.\n\nText cues: The word it waits for all day was meant for "
    "another. Being left out makes the meme sad.",
    "Turn the mouth into a panting smile, let the tail wag and the sun shine through the glass. "
    "Dog, door and lead keep their places.",
)
def walk(a: Panel) -> None:
    """A dog with its lead, ready since noon."""
    things.room(a, "#e9dcc6", "#b58c66", 296)
    a.pen.box(342, 26, 142, 270, "#7f9c8b", 4)
    a.pen.box(366, 50, 94, 110, "#9db4c4", 4)
    for x, y in ((380, 66), (402, 92), (428, 62), (442, 108), (392, 128), (418, 136), (446, 72)):
        a.pen.stroke([(x, y), (x - 6, y + 18)], "#dbe8f0", 2.4)
    a.pen.ellipse(360, 206, 7, 7, "#e9c46a")
    a.pen.box(316, 300, 190, 26, "#8a6f7a", 6)
    a.pen.box(46, 40, 130, 12, "#8a5a3c", 3)
    for x in (66, 110, 154):
        a.pen.stroke([(x, 52), (x, 66), (x + 8, 70)], "#6b4a34", 4)
    a.pen.blob([(98, 66), (128, 66), (140, 176), (112, 186), (88, 176)], "#5a7fb0")
    dog(a.pen.at(236, 356, 2.35), Face("dot", "frown", "sad"), look=(0, 0.6))
    lead = [(290, 322), (250, 340), (214, 326), (180, 350), (130, 338), (110, 350)]
    a.pen.stroke(lead, "#2b2438", 9)
    a.pen.stroke(lead, "#e2574c", 5)
    a.pen.ellipse(98, 348, 15, 11, None, "#2b2438", 9)
    a.pen.ellipse(98, 348, 15, 11, None, "#e2574c", 5)


@meme(
    3,
    "sad",
    "Cartoon_Anime",
    "Neutral",
    pair("I ordered an armchair", "It fits the mouse", 640, 330, 24),
    ("I ordered an armchair", "I got a flatmate"),
    "Visual cues: On the left a boy at his laptop dreams of a big red armchair. On the right he "
    "looks down at a tiny one beside its parcel; a mouse has already sat down in it.\n\nText cues: "
    "Two plain statements, and the gap between them is the letdown. He is the sad one of the two.",
    "Give the boy on the right a wide smile and let him wave to the mouse; keep both panels, the "
    "tiny chair and the parcel.",
)
def parcel(a: Panel, b: Panel) -> None:
    """What was ordered, and what came."""
    things.room(a, "#fdeed2", "#c9a27c", 268)
    balloons.balloon(a.pen, "thought", 190, 82, (120, 84), (116, 156))
    armchair(a.pen.at(190, 128, 0.82))
    BOY.draw(a.pen.at(96, 330, 1.5), "happy", "desk", "none", (0.5, -0.4))
    props.desk(a.pen.at(150, 330), 300, 58)
    props.laptop(a.pen.at(206, 264, 1.2))
    things.room(b, "#dfe6ee", "#a99a90", 268)
    BOY.draw(b.pen.at(92, 312, 1.62), Face("dot", "frown", "sad"), "limp", look=(0.9, 0.9))
    b.pen.box(166, 196, 112, 70, "#c99a64", 3)
    b.pen.shape([(166, 196), (146, 172), (196, 178), (222, 196)], "#dbb07c")
    b.pen.shape([(278, 196), (292, 168), (240, 178), (222, 196)], "#dbb07c")
    armchair(b.pen.at(214, 314, 0.62))
    mouse(b.pen.at(214, 292, 0.72), "sly")


@meme(
    4,
    "sad",
    "Template_StylizedMeme",
    "Negative",
    rows(3, 540, 190),
    ("My worries on payday", "My worries after lunch", "My worries today"),
    "Visual cues: Three rows of one template: a proud snowman, the same one sagging and sweating "
    "in the sun, and at last a puddle with a hat.\n\nText cues: Each row names a later state of "
    "somebody's savings. What melts is the money, and the humour is sad.",
    "Keep the three rows and the melting, but let the snowman enjoy it: a smile in the second row, "
    "and a hat that floats in the puddle under a bright sky in the third.",
)
def savings(a: Panel, b: Panel, c: Panel) -> None:
    """A snowman in three states."""
    words = ("My savings on payday", "My savings after rent", "My savings today")
    for panel, sky, text in zip((a, b, c), ("#bfe0f2", "#f6dfa4", "#f3b46a"), words, strict=True):
        panel.paint(sky)
        panel.pen.ellipse(405, 214, 180, 62, "#f4f8fb" if panel is a else "#b9cf8c")
        cell(panel, text)
    snowman(a.pen.at(405, 176, 1.08), "proud")
    b.pen.ellipse(500, 36, 26, 26, "#ffd24a")
    b.pen.ellipse(405, 172, 78, 14, "#a9d8ee")
    snowman(b.pen.at(405, 178, 0.96, tilt=8), "worry")
    c.pen.ellipse(486, 46, 40, 40, "#ffd24a")
    puddle(c.pen.at(405, 172, 1.1))


MEMES: tuple[Meme, ...] = (plant, walk, parcel, savings)
