"""English memes that are tense, with their relaxed words: an email, a chair, a drill, Gran."""

from minisets.drawing import props
from minisets.drawing.cast import LINDA
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.stage import Panel
from minisets.merbench import rooms
from minisets.merbench.creatures import hamster, laundry_chair, wheel
from minisets.merbench.layouts import bar, film, over, pair
from minisets.merbench.meme import Meme, meme
from minisets.merbench.portrait import Look, Sitter
from minisets.merbench.solids import Photo

PATIENT = Sitter("#8f6046", "short", "#17110f", "#b58a3a", lips="#8a4a44", iris="#2e1c12")


@meme(
    8,
    "tense",
    "Template_StylizedMeme",
    "Negative",
    over("SENT THE EMAIL", "FORGOT THE ATTACHMENT", 500, 450, 37),
    ("SENT THE EMAIL", "NO ONE OPENS ATTACHMENTS"),
    "Visual cues: A hamster on the pie-cut ground of a template, eyes wide, brows up, mouth "
    "trembling, a drop of sweat beside its head.\n\nText cues: The mail has gone, what it was "
    "about has not. The moment of noticing is a tense one.",
    "Close the eyes to happy arcs, take the sweat away and let the mouth smile; keep the hamster "
    "in the middle and use a softer green for the ground.",
)
def attachment(a: Panel) -> None:
    """A hamster that has just noticed."""
    wheel(a, "#5fa8b8", "#3d7f9a")
    hamster(a.pen.at(250, 226, 3.5), "worry")


@meme(
    9,
    "tense",
    "Object_Animal_Dominant",
    "Negative",
    pair("2 am: somebody is sitting there", "7 am: the laundry. Again.", 640, 340, 22),
    ("2 am: somebody is watching over me", "7 am: the laundry. Good lad."),
    "Visual cues: On the left a dark shape with glowing eyes crouches on a chair at night. On the "
    "right, in daylight, it is a chair under a heap of clothes.\n\nText cues: A fright at two, an "
    "explanation at seven, and the word that says it will happen again. The night is tense.",
    "Give the night a warm lamp, and the shape round friendly eyes and a scarf like a guard's; "
    "both panels, the chair and the heap stay as they are.",
)
def laundry(a: Panel, b: Panel) -> None:
    """The same chair, by night and by day."""
    things.room(a, "#2b2f57", "#1f2142", 276)
    props.window(a.pen.at(30, 40), 92, 96, "#3c4374")
    a.pen.ellipse(94, 74, 15, 15, "#f7e9b0", None)
    laundry_chair(a.pen.at(190, 310, 1.25), night=True)
    things.room(b, "#fbeed2", "#cfa67e", 276)
    props.window(b.pen.at(30, 40), 92, 96, "#bfe3f2")
    b.pen.ellipse(94, 74, 15, 15, "#ffd24a", None)
    laundry_chair(b.pen.at(190, 310, 1.25))


@meme(
    10,
    "tense",
    "Photo_RealPerson",
    "Negative",
    film(("Dentist: “This won't hurt.”", "Dentist, to the drill: “Sorry.”"), 480, 262, 27),
    ("Dentist: “This won't hurt.”", "Dentist: “Done. You may breathe.”"),
    "Visual cues: Two stills of a man in a dentist's chair: first with a thin, doubtful smile, "
    "then close up with huge eyes, open mouth and sweat as a drill comes in from the "
    "right.\n\nText cues: A promise, and an apology that breaks it, to the wrong party. The "
    "patient is tense.",
    "In the second still lower the lids, loosen the mouth into a smile and turn the drill away; "
    "keep both stills, the chair and the lamp.",
)
def dentist(a: Panel, b: Panel) -> None:
    """A promise, and an apology."""
    for panel, look, at, size, glare in (
        (a, Look(1.1, -0.6, 0.3, 0.5, gaze=(0.7, -0.3)), (210, 106), 74, 0.3),
        (b, Look(1.5, -1.0, 1.0, -0.3, 1.0, (0.9, 0.3), sweat=True), (196, 108), 92, 0.5),
    ):
        photo = Photo(panel.width, panel.height, (0.3, -0.6, 0.72))
        rooms.treatment_room(photo, glare)
        PATIENT.pose(photo, look, at, size)
        if panel is b:
            rooms.drill(photo, 270, 150)
        photo.shade_foot()
        photo.develop(panel.pen, 17, 1.0)
        panel.pen.note_face(at[0], at[1], size * 0.65, size * 0.85)


@meme(
    11,
    "tense",
    "Cartoon_Anime",
    "Neutral",
    bar("Gran has been typing for ten minutes", 540, 400, 27),
    ("Gran has been typing for ten minutes", "It's the long cake recipe. Yum."),
    "Visual cues: A woman sits up in bed at night and holds her phone with both hands, eyes wide, "
    "brows up, sweating in its light.\n\nText cues: The headline only reports the waiting; the "
    "thought beside her jumps to the worst. Not knowing keeps her tense.",
    "Lower her shoulders, half close her eyes and let her smile at the phone; bed, phone, thought "
    "and headline keep their places.",
)
def typing(a: Panel) -> None:
    """A woman, a phone and ten minutes."""
    things.night(a, 18, 0.5)
    a.pen.box(-6, 292, 560, 120, "#282b55")
    a.pen.box(60, 170, 230, 150, "#7a553c", 18)
    a.pen.blob([(86, 300), (96, 214), (180, 200), (262, 214), (272, 300)], "#f4efe6")
    a.pen.shape([(258, 268), (96, 150), (270, 120)], "#4a5698", None)
    face = Face("wide", "wavy", "sad", extra="sweat")
    LINDA.draw(a.pen.at(172, 410, 1.85), face, ((30, -62), (46, -62)), "none", (0.6, 0.4))
    a.pen.blob([(-20, 420), (-10, 318), (120, 306), (300, 312), (440, 330), (560, 420)], "#6a5fa3")
    a.pen.at(252, 292, 0.8, tilt=-12).box(-24, -42, 48, 84, "#453f5c", 8)
    a.pen.ellipse(276, 296, 12, 12, LINDA.skin, width=2)
    a.say("She has sold\nthe house.", 404, 112, (226, 196), 27, "thought")


MEMES: tuple[Meme, ...] = (attachment, laundry, dentist, typing)
