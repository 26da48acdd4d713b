"""English pairs about shops, flats and free time: tills, dishes, January, concerts, suppers."""

from minisets.cfms import places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.cast import BOY, CLERK, CODER, GIRL, GRANNY, LINDA, MUM, OFFICE_MAN, RUNNER
from minisets.drawing.pen import Pen
from minisets.janusmm import things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel
from minisets.vimu.sets import plates


def _till(panel: Panel, text: str, colour: str) -> None:
    panel.pen.box(290, 150, 20, 200, "#8f9db0", 3)
    panel.pen.box(210, 50, 240, 130, "#453f5c", 12)
    panel.pen.box(222, 62, 216, 106, colour, 6)
    panel.sign(text, 330, 115, 23)
    panel.pen.box(230, 270, 200, 120, "#c9ced8", 6)
    panel.pen.box(244, 256, 90, 16, "#d64550", 3)


@twins(
    "train",
    "en",
    card(470, 380),
    Biting(
        "Self-checkout: so quick, so easy, no waiting at all.",
        "A self-checkout screen says please wait for help, unexpected item, and a woman with a "
        "basket waits in despair.",
        "self-checkout machines",
        "others",
        "The machine is blocked by an error and the customer has to wait for help. The text "
        "praises how quick and easy it is, which is false, and so mocks self-checkout machines.",
    ),
    Sincere(
        "A self-checkout screen says thank you, done in twelve seconds, and a woman with a bag "
        "leaves with a smile.",
    ),
)
def self_checkout(a: Panel, biting: bool) -> None:
    """A till without a cashier."""
    things.room(a, "#e8f0e4" if biting else "#e4ecf5", "#b9b3c6", 310)
    _till(
        a,
        "UNEXPECTED ITEM\nWAIT FOR HELP" if biting else "THANK YOU!\n12 SECONDS",
        "#f7a8a0" if biting else "#bfe8a6",
    )
    MUM.draw(a.pen.at(110, 368, 1.45), "cry" if biting else "glad", "head" if biting else "wave")
    a.pen.box(150, 330, 60, 40, "#57a773" if biting else "#e0b070", 4)


@twins(
    "train",
    "en",
    card(480, 380),
    Biting(
        "My flatmate has taken care of the dishes again. What a star.",
        "A sink with two leaning towers of dirty plates, a note that says soaking since May, and "
        "a young man beside it with folded arms and a broad smile.",
        "a flatmate who never washes up",
        "interpersonal_relations",
        "The dirty plates have been standing there since May while the flatmate stands by and "
        "smiles. Calling him a star who takes care of them is ironic and mocks his laziness in "
        "the shared home.",
    ),
    Sincere(
        "A sink with one neat row of clean shining plates, a note that says all done, and a young "
        "man beside it with a proud smile.",
    ),
)
def the_dishes(a: Panel, biting: bool) -> None:
    """A kitchen that two people share."""
    things.kitchen(a, 300)
    a.pen.box(-8, 262, 300, 130, "#b9c6cf")
    a.pen.box(-8, 250, 312, 16, "#8f9db0", 3)
    if biting:
        plates(a.pen.at(80, 252, 1), 12, 1)
        plates(a.pen.at(206, 252, 1), 9, 2)
    else:
        for i in range(7):
            a.pen.ellipse(60 + i * 26, 220, 10, 30, "#fbfbf4")
        for x, y in ((70, 170), (150, 150), (230, 178)):
            things.sparkle(a.pen.at(x, y), 12)
    a.plate("SOAKING SINCE MAY" if biting else "ALL DONE!", 346, 56, 24, "#fff59a")
    BOY.draw(
        a.pen.at(380, 368, 1.45), "glad" if biting else "proud", "crossed" if biting else "hips"
    )


@twins(
    "train",
    "en",
    card(480, 380),
    Biting(
        "New year, new me. Day nine, and still going strong.",
        "A treadmill is covered with laundry; beside it a young woman sleeps on a sofa with a "
        "calendar page that says January 9.",
        "broken new year's resolutions",
        "individual_behaviour",
        "The treadmill serves as a clothes rack and its owner is asleep on the sofa. The proud "
        "claim that she is still going strong is false and mocks how soon resolutions are dropped.",
    ),
    Sincere(
        "A young woman runs on a treadmill and smiles; a calendar page on the wall says January 9.",
    ),
)
def new_year(a: Panel, biting: bool) -> None:
    """The ninth of January."""
    places.living_room(a, "#e4e2f0" if biting else "#e2f0ea")
    a.plate("JANUARY 9", 250, 56, 30, "#fffdf4", "#c8434f")
    if not biting:
        places.treadmill(a.pen.at(230, 360, 1.6))
        LINDA.draw(a.pen.at(220, 332, 1.4), "glad", "run", "run")
        return
    places.treadmill(a.pen.at(100, 360, 1.1))
    for x, y, colour in ((70, 322, "#e2725b"), (118, 318, "#4f8fc0"), (190, 262, "#f2b134")):
        a.pen.blob(
            [(x - 38, y + 22), (x - 30, y - 22), (x, y - 34), (x + 32, y - 18), (x + 36, y + 22)],
            colour,
        )
    things.sofa(a.pen.at(352, 360, 1.05), 230, "#9b72aa")
    LINDA.head(a.pen.at(412, 296, 1.1, tilt=-84), "sleep")
    a.pen.blob([(316, 330), (320, 280), (370, 270), (444, 288), (450, 330)], "#6c9bd1")


@twins(
    "train",
    "en",
    card(520, 380),
    Biting(
        "Nothing like living in the moment, through four hundred tiny screens.",
        "At a concert a crowd seen from behind holds up phones that all film the singer on the "
        "lit stage.",
        "people who film whole concerts",
        "social_phenomena",
        "Everybody in the crowd watches the concert on a phone instead of looking at the stage. "
        "Speaking of living in the moment is ironic and mocks people who film everything.",
    ),
    Sincere(
        "At a small concert a crowd seen from behind holds up phones that film a child singing on "
        "the lit stage.",
        "Our daughter's first concert! Everybody filmed it, so gran in hospital could watch it "
        "too.",
    ),
)
def concert(a: Panel, biting: bool) -> None:
    """A stage and a crowd."""
    a.paint("#2a2c55" if biting else "#4a3a5e")
    things.beams(a, 260, -60, "#3d4080" if biting else "#64507e", 16)
    a.pen.box(60, 230, 400, 50, "#6b4a34", 4)
    a.plate("LIVE TONIGHT" if biting else "SCHOOL CONCERT", 260, 34, 26, "#ffe9a8")
    star = LINDA if biting else GIRL
    star.draw(a.pen.at(260, 232, 1.05 if biting else 0.75), "gasp", ((-34, -110), (16, -98)))
    things.microphone(a.pen.at(276 if biting else 272, 126 if biting else 156, 0.8))
    for i in range(7):
        x = 36 + i * 75
        _filming(a.pen.at(x, 380 + (i % 2) * 14), ("#1d1829", "#3f2a20", "#16142a")[i % 3])


def _filming(pen: Pen, hair: str) -> None:
    """Somebody from behind with a phone held high."""
    pen.limb([(20, -24), (34, -60), (30, -86)], "#453f5c", 11)
    pen.blob([(-36, 12), (-30, -24), (0, -36), (30, -24), (36, 12)], "#453f5c")
    pen.ellipse(0, -54, 25, 27, hair)
    props.phone(pen.at(28, -112, 0.5, tilt=90), screen="#f7d9ff")


@twins(
    "train",
    "en",
    card(480, 400),
    Biting(
        "They were so sorry to miss me. I was only waiting behind the door all day.",
        "A card on a front door says sorry we missed you, nobody home at 10:00; through the "
        "window beside it a man waits in an armchair.",
        "couriers who do not ring",
        "individual_behaviour",
        "The card claims that nobody was at home, yet the man sat right behind the door all day. "
        "Repeating how sorry they were mocks couriers who leave a card without ringing.",
    ),
    Sincere(
        "A card on a front door says sorry we missed you, your parcel is next door; the window "
        "beside it is empty.",
        "They missed me while I was at work, but the neighbour has the parcel. All good!",
    ),
)
def missed_you(a: Panel, biting: bool) -> None:
    """A front door."""
    a.paint("#d9a58c" if biting else "#c2b59b")
    for row in range(9):
        for x in range(-30 * (row % 2), 480, 60):
            a.pen.box(x, row * 42, 60, 42, None, ink="#b98a72" if biting else "#a89a80", line=1.6)
    props.floor(a, 376, "#9a98a8")
    a.pen.box(240, 60, 200, 318, "#4f7f6b" if biting else "#7a4f5b", 4)
    a.pen.ellipse(262, 270, 8, 8, "#f2c230")
    end = "NOBODY HOME\nAT 10:00" if biting else "PARCEL IS\nNEXT DOOR"
    a.pen.box(262, 90, 158, 146, "#fffdf4", 4)
    a.sign("SORRY WE\nMISSED YOU", 341, 128, 23, "#c8434f")
    a.sign(end, 341, 196, 20)
    a.pen.box(40, 100, 160, 170, "#f7efe2", 4)
    a.pen.box(50, 110, 140, 150, "#fff3c4" if biting else "#8fa3b8", 2)
    if biting:
        OFFICE_MAN.draw(a.pen.at(120, 270, 1.0), "happy", ((-20, -62), (20, -62)), "none")
        a.pen.box(44, 228, 152, 38, "#c75b5b", 8)
    a.pen.box(30, 268, 180, 14, "#f7efe2", 4)


@twins(
    "validation",
    "en",
    card(480, 380),
    Biting(
        "My smart speaker understands me so well.",
        "A woman asks for some jazz, and the round speaker on the table answers that it orders "
        "forty hats.",
        "smart speakers that mishear",
        "others",
        "She asks for jazz and the speaker orders forty hats, so it has understood nothing. The "
        "praise for how well it understands her is ironic and mocks clumsy smart devices.",
    ),
    Sincere(
        "A woman asks for some jazz, and the round speaker on the table answers that it plays "
        "jazz; she dances.",
    ),
)
def smart_speaker(a: Panel, biting: bool) -> None:
    """A talk with a thing."""
    places.living_room(a, "#dfeee6" if biting else "#f5e6ee")
    CLERK.draw(
        a.pen.at(120, 370, 1.4), "shock" if biting else "glad", "shrug" if biting else "cheer"
    )
    props.table(a.pen.at(350, 370), 170, 80)
    a.pen.box(318, 204, 64, 76, "#56667a", 22)
    a.pen.ellipse(350, 206, 30, 9, "#8fd0ea", width=2)
    a.say("PLAY SOME JAZZ", 250, 56, (138, 178), 25)
    a.say("ORDERING 40 HATS" if biting else "PLAYING JAZZ", 338, 140, (348, 202), 25)


@twins(
    "test",
    "en",
    card(520, 380),
    Biting(
        "So nice to have a hot meal together and really talk.",
        "Three friends at a table all hold phones over the bowl of noodles and take pictures; a "
        "plate says Friday, 7 pm.",
        "photographing food at every meal",
        "social_phenomena",
        "All three photograph the noodles in place of eating, so the food gets cold and "
        "nobody talks. The warm words say the opposite and mock the habit of posting every meal.",
    ),
    Sincere(
        "Three friends at a table laugh and talk over a steaming bowl of noodles; no phone is to "
        "be seen, and a plate says Friday, 7 pm.",
    ),
)
def hot_meal(a: Panel, biting: bool) -> None:
    """A supper with friends."""
    places.living_room(a, "#e4e2f0" if biting else "#fbe3c4")
    a.plate("FRIDAY, 7 PM", 310, 50, 26, "#ffffff")
    people = (RUNNER, GRANNY, CODER) if not biting else (GIRL, OFFICE_MAN, LINDA)
    for i, who in enumerate(people):
        x = 100 + i * 160
        pen = a.pen.at(x, 336, 1.25)
        if biting:
            who.draw(pen, "happy", ((-14, -84), (14, -84)), "none")
            props.phone(a.pen.at(x, 238, 0.5, tilt=90))
        else:
            who.draw(pen, "glad", "desk" if i != 1 else "cheer", "none")
    a.pen.box(20, 290, 480, 18, "#b9794f", 5)
    a.pen.box(50, 308, 420, 90, "#a0673f")
    places.noodles(a.pen.at(260, 312, 0.62), "#d64550")
    if not biting:
        places.steam(a.pen.at(190, 284, 0.8))
        places.steam(a.pen.at(330, 284, 0.8))


TWINS: tuple[Twins, ...] = (
    self_checkout,
    the_dishes,
    new_year,
    concert,
    missed_you,
    smart_speaker,
    hot_meal,
)
