"""The English metaphor part, second half: the sarcastic version is meant literally."""

from minisets.cfms import places
from minisets.cfms.pair import Biting, Sincere, Twins, twins
from minisets.drawing import props
from minisets.drawing.cast import (
    BOY,
    CODER,
    LINDA,
    RUNNER,
    cloud,
    potted,
)
from minisets.janusmm import things
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel


@twins(
    "metaphor",
    "en",
    card(480, 380),
    Biting(
        "The room has a sea view, exactly as promised.",
        "Through a hotel window one sees a brick wall with a small torn poster of the sea; a "
        "guest with a suitcase stares at it.",
        "hotels with false adverts",
        "others",
        "The window faces a brick wall, and the only sea is a small poster stuck on it. Saying "
        "that the promise was kept is ironic and mocks hotels that advertise falsely.",
        False,
    ),
    Sincere(
        "Through a hotel window one sees the sea, a sail and the sun; a guest with a suitcase "
        "throws up her arms.",
        metaphor=False,
    ),
)
def sea_view(a: Panel, biting: bool) -> None:
    """A hotel window."""
    things.room(a, "#f3ead8", "#c99d74", 310)
    a.pen.box(216, 50, 228, 200, "#f7efe2", 3)
    if biting:
        a.pen.box(226, 60, 208, 180, "#b5705a")
        for row in range(6):
            a.pen.stroke([(226, 60 + row * 30), (434, 60 + row * 30)], "#8f5242", 1.6)
            for x in range(252 + 26 * (row % 2), 434, 52):
                a.pen.stroke([(x, 60 + row * 30), (x, 90 + row * 30)], "#8f5242", 1.6)
        a.pen.at(330, 150, 1, tilt=-6).box(-48, -36, 96, 72, "#6fb3e0", 2)
        a.pen.ellipse(356, 132, 9, 9, "#ffd24a", width=2)
        a.pen.shape([(312, 160), (312, 128), (334, 158)], "white")
        a.pen.shape([(302, 162), (340, 162), (332, 172), (310, 172)], "#d64550")
    else:
        a.pen.box(226, 60, 208, 180, "#bfe3f2")
        a.pen.box(226, 160, 208, 80, "#4f8fc0", ink=None)
        a.pen.ellipse(390, 100, 22, 22, "#ffd24a")
        a.pen.shape([(290, 166), (290, 100), (330, 160)], "white")
        a.pen.shape([(268, 168), (340, 168), (326, 186), (282, 186)], "#d64550")
    a.plate("ROOM 12: SEA VIEW", 330, 24, 22, "#4f6f9c", "white")
    LINDA.draw(
        a.pen.at(110, 370, 1.4), "stare" if biting else "glad", "limp" if biting else "cheer"
    )
    props.suitcase(a.pen.at(190, 372), 64, 70, "#f2b134")


@twins(
    "metaphor",
    "en",
    card(440, 400),
    Biting(
        "Fresh hot coffee at work, the best start to the day.",
        "An office coffee machine with a dark screen smokes over a cup that has tipped over; the "
        "man before it has bags under his eyes.",
        "the broken coffee machine at work",
        "others",
        "The machine has burnt out, so there is no coffee at all and the man can hardly stand. "
        "Praising the fresh hot coffee is ironic and mocks broken equipment at work.",
        False,
    ),
    Sincere(
        "An office coffee machine fills a steaming cup; the man before it beams.",
        metaphor=False,
    ),
)
def coffee(a: Panel, biting: bool) -> None:
    """A coffee machine at nine in the morning."""
    places.office(a, "#efe6dc", "#b5a692")
    props.desk(a.pen.at(300, 380), 220, 70)
    a.pen.box(210, 90, 180, 210, "#56506b", 12)
    a.pen.box(226, 106, 148, 64, "#8f8aa3" if biting else "#bfe8a6", 6)
    a.sign("COFFEE", 300, 138, 26)
    a.pen.box(240, 200, 120, 90, "#2b2438", 6)
    a.pen.box(290, 192, 20, 22, "#c9ced8", 3)
    if biting:
        places.cup(a.pen.at(316, 276, 0.9, tilt=96))
        for x in (230, 350):
            things.smoke(a.pen.at(x, 84, 0.8), "#6f6a7a", 3)
    else:
        places.cup(a.pen.at(296, 288, 0.9))
        places.steam(a.pen.at(298, 244, 0.7), "#ffffff")
    CODER.draw(a.pen.at(100, 388, 1.4), "sick" if biting else "glad", "limp" if biting else "cheer")


@twins(
    "metaphor",
    "en",
    card(480, 400),
    Biting(
        "What a thoughtful bike lane. Somebody really cares about cyclists.",
        "A green bike lane runs straight into two lamp posts and a bin; a cyclist with a helmet "
        "stands before them, dizzy.",
        "badly planned bike lanes",
        "institutional_rules",
        "The lane is blocked by posts and a bin, so nobody can ride there. Calling it thoughtful "
        "and caring is ironic and mocks careless planning of bike lanes.",
        False,
    ),
    Sincere(
        "A green bike lane is wide and clear, with the lamp posts and the bin beside it; a cyclist "
        "with a helmet cheers.",
        metaphor=False,
    ),
)
def bike_lane(a: Panel, biting: bool) -> None:
    """A lane with things in it, or beside it."""
    a.paint("#cfe9f5")
    props.floor(a, 210, "#a8a4b4")
    a.pen.shape([(180, 212), (300, 212), (420, 400), (60, 400)], "#7fb28a", None)
    a.plate("BIKE LANE", 106, 60, 30, "#4f8fc0", "white")
    for x, foot, tall in ((216, 260, 190), (310, 330, 250)) if biting else (
        (350, 260, 190), (430, 330, 250),
    ):  # fmt: skip
        a.pen.box(x - 6, foot - tall, 12, tall, "#6b6a80", 3)
        a.pen.ellipse(x, foot - tall, 16, 12, "#ffe27a")
    x = 260 if biting else 448
    a.pen.shape([(x - 26, 316), (x + 26, 316), (x + 20, 374), (x - 20, 374)], "#57606f")
    RUNNER.draw(
        a.pen.at(120, 386, 1.35), "dizzy" if biting else "glad", "shrug" if biting else "cheer"
    )
    a.pen.shape([(84, 214), (90, 190), (120, 178), (150, 190), (156, 214)], "#f2b134")


@twins(
    "metaphor",
    "en",
    card(440, 380),
    Biting(
        "A little care every month, and look at it now.",
        "A brown wilted plant with a sad face stands on a table beside a dry watering can and a "
        "note that says year one.",
        "careless plant sitters",
        "interpersonal_relations",
        "The plant is brown and limp, so hardly anybody can have looked after it. Praising the "
        "care is ironic and mocks somebody who did not keep the promise to water it.",
        False,
    ),
    Sincere(
        "A fresh green plant with a happy face bears gold coins like fruit; it stands on a table "
        "beside a watering can and a note that says year one.",
        metaphor=True,
    ),
)
def potted_plant(a: Panel, biting: bool) -> None:
    """A plant on a table, withered or bearing coins."""
    things.room(a, "#e8e2d4" if biting else "#e2f0e4", "#c99d74", 300)
    props.window(a.pen.at(40, 40), 100, 96, "#bfe3f2")
    props.table(a.pen.at(240, 370), 360, 70)
    potted(a.pen.at(130, 290, 1.3), "sad" if biting else "happy", biting)
    if not biting:
        for x, y in ((86, 146), (120, 110), (160, 128), (186, 160), (104, 184), (150, 178)):
            a.pen.ellipse(x, y, 14, 14, "#f2c230")
            a.pen.stroke([(x, y - 6), (x, y + 6)], "#b0804c", 3)
        for i in range(4):
            a.pen.ellipse(230, 296 - i * 8, 20, 7, "#f2c230", width=1.8)
    a.pen.limb([(372, 262), (392, 220)], "#8fa9c9", 7)
    a.pen.shape([(310, 230), (360, 230), (368, 290), (302, 290)], "#6fb3c9")
    a.plate("YEAR 1", 316, 150, 24, "#fff59a")


@twins(
    "metaphor",
    "en",
    card(480, 390),
    Biting(
        "An open-air wedding in November. What could possibly go wrong?",
        "A wedding couple stands in heavy rain under a dark cloud, soaked, under a banner that "
        "says just married, outdoors.",
        "a badly planned outdoor wedding",
        "individual_behaviour",
        "The couple is soaked because they married outdoors in the rainy season. The innocent "
        "question is ironic, since the picture shows what went wrong, and mocks their careless "
        "planning.",
        False,
    ),
    Sincere(
        "A couple stands under a small cloud that moves away, the sun behind it, under a banner "
        "that says one year on.",
        "Last year was a cloud that followed us everywhere. Today we saw the first blue.",
        True,
    ),
)
def cloud_over_us(a: Panel, biting: bool) -> None:
    """Two people and a cloud."""
    things.outdoors(a, 290, "#9aa6b8" if biting else "#bfe3f2", "#7fa86f" if biting else "#8cc07a")
    if not biting:
        a.pen.ellipse(380, 126, 40, 40, "#ffd24a")
    LINDA.draw(a.pen.at(180, 376, 1.4), "cry" if biting else "glad", "down", "dress")
    BOY.draw(a.pen.at(296, 376, 1.4), "sick" if biting else "glad", "down")
    if biting:
        a.pen.blob([(140, 372), (156, 292), (204, 292), (222, 372)], "#fffdf4")
        cloud(a.pen.at(240, 124, 1.5), None, "#6f7688")
        props.rain(a, "#dbe6f2", 12)
    else:
        cloud(a.pen.at(410, 150, 0.9), None, "#eef3f7")
    a.plate("JUST MARRIED, OUTDOORS" if biting else "ONE YEAR ON", 240, 36, 27, "#fffdf4")


TWINS: tuple[Twins, ...] = (
    sea_view,
    coffee,
    bike_lane,
    potted_plant,
    cloud_over_us,
)
