"""English memes that are not self-deprecating: pride, joy, teasing others, plain statements."""

from minisets.drawing import props
from minisets.drawing.animals import cat, dog, snail
from minisets.drawing.cast import CLERK, GIRL, GRANNY, LINDA, OFFICE_MAN, RUNNER, sun
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair
from minisets.janusmm.meme import Meme, meme, other, receiver, shares
from minisets.janusmm.stage import Panel


@meme(
    25,
    "social_media",
    over("FIRST PLACE.", "AGAIN."),
    (shares("Third year in a row. Just saying."), other("Leave some cups for the rest of us!")),
    "pride",
    "A runner stands in golden light and lifts a large cup, with two more beside the "
    "feet. The words say that this is one more victory. Picture and text agree with "
    "each other and praise the sender, so this is bragging and not self-mockery.",
)
def first_again(a: Panel) -> None:
    """A champion with three cups."""
    a.paint("#fbdf9a")
    things.beams(a, 280, 230, "#fdeec2", 18)
    things.confetti(a, 25, 50, 0.9)
    things.trophy(a.pen.at(110, 420, 1.25))
    things.trophy(a.pen.at(450, 420, 1.25))
    RUNNER.draw(a.pen.at(280, 400, 1.55), "proud", ((-24, -148), (24, -148)))
    things.trophy(a.pen.at(280, 166, 0.85))


@meme(
    26,
    "group_chat",
    bar('Tom: "I\'m five minutes away"'),
    (
        other("Has anybody heard from Tom?"),
        shares("Live footage."),
        other("Tom, we love you, but hurry up."),
    ),
    "amusement",
    "A snail with a little suitcase crawls along a road past a sign that says two "
    "hundred miles. The caption quotes a friend who claims to be almost there. The "
    "joke is about Tom and his lateness; the sender teases somebody else and does "
    "not belittle themselves.",
)
def toms_five_minutes(a: Panel) -> None:
    """A friend who is nearly there."""
    a.paint("#fbe3c4")
    props.hills(a, 214, "#a8c987")
    props.floor(a, 282, "#8d8a99")
    for x in range(20, 560, 90):
        a.pen.box(x, 336, 50, 8, "white", ink=None)
    snail(a.pen.at(230, 366, 2.1), "calm")
    props.suitcase(a.pen.at(214, 268, 1), 52, 38, "#e2725b")
    a.pen.box(436, 150, 10, 140, "#8f9db0", 2)
    a.plate("PARTY\n200 MILES", 440, 120, 26, "#57a773", "white")


@meme(
    27,
    "private_dialogue",
    over("SUNSHINE. PARK. BALL.", "BEST DAY EVER", 560, 450, 40),
    (receiver("How is your day off?"), shares("Exactly like this.")),
    "joy",
    "A dog grins in a green park beside a red ball while the sun smiles down on it. "
    "The words list the simple things that make the day perfect. Everything in "
    "picture and text is happy, nobody is put down, so this is plain joy.",
)
def best_day(a: Panel) -> None:
    """A dog, a ball, the sun."""
    things.outdoors(a, 270, "#a9dcf2", "#7fbf6a")
    sun(a.pen.at(460, 146, 1.15), "glad")
    dog(a.pen.at(230, 386, 1.9), "glad")
    a.pen.ellipse(390, 356, 34, 34, "#e8554d")
    a.pen.stroke([(364, 336), (392, 348), (418, 338)], "white", 4)
    for x, y in ((60, 330), (110, 400), (500, 320), (480, 400)):
        for dx, dy in ((-7, 0), (7, 0), (0, -7), (0, 7)):
            a.pen.ellipse(x + dx, y + dy, 5, 5, "white", width=1.4)
        a.pen.ellipse(x, y, 4, 4, "#f2c230", None)


@meme(
    28,
    "social_media",
    bar("New at the corner shop: open on Sundays, 9 to 5"),
    (shares("Good news from the shop next door."), other("Finally, thank you!")),
    "trust",
    "A friendly shop assistant stands behind a counter with a sleeping cat on it, "
    "under a sign with the word open. The caption states the new opening hours. It "
    "is plain information with a cosy picture; there is no joke at anybody's expense.",
)
def opening_hours(a: Panel) -> None:
    """A shop with a cat."""
    things.room(a, "#e9f2e4", "#c7a27e", 320)
    for y in (90, 170):
        a.pen.box(30, y, 180, 10, "#8a5a3c", 2)
        for i, colour in enumerate(("#e2725b", "#f2b134", "#57a773", "#6c7fb0", "#c75b8f")):
            a.pen.box(40 + i * 34, y - 38, 24, 38, colour, 4)
    a.plate("OPEN", 420, 66, 34, "#57a773", "white")
    CLERK.draw(a.pen.at(270, 372, 1.55), "happy", "wave", "none")
    props.desk(a.pen.at(268, 400), 500, 80, "#b9794f")
    cat(a.pen.at(430, 310, 1.15), "sleep", "loaf")


@meme(
    29,
    "group_chat",
    over("THE OFFICE PRINTER", "SMELLS DEADLINES", 560, 460),
    (other("Printing the contract now, we leave in ten minutes."), shares("Oh no.")),
    "anger",
    "A printer with a malicious grin has chewed up a sheet of paper, while a worried "
    "man in a tie holds his head. The words give the machine a nose for deadlines. "
    "The printer is mocked as the villain; the sender does not make fun of "
    "themselves.",
)
def evil_printer(a: Panel) -> None:
    """A machine that knows when to jam."""
    things.room(a, "#e6dfee", "#a59bb8", 340)
    props.desk(a.pen.at(360, 430), 300, 80, "#a97850")
    things.paper(a.pen.at(318, 128, 1, tilt=6), 84, 80, 3)
    props.printer(a.pen.at(360, 342, 1.75), "gloat")
    a.pen.shape([(316, 318), (336, 326), (352, 318), (372, 328), (400, 318), (404, 356), (386, 346),
                 (366, 358), (344, 346), (322, 356)], "#fffdf4")  # fmt: skip
    OFFICE_MAN.draw(a.pen.at(118, 408, 1.6), "gasp", "head")


@meme(
    30,
    "private_dialogue",
    bar("YOU DID IT!"),
    (receiver("I passed! I actually passed!"), shares("I knew it. So proud of you!")),
    "joy",
    "A grandmother and a girl throw their arms up among confetti, and the girl wears "
    "a graduate's cap. The caption congratulates the receiver. The praise goes to "
    "somebody else and is meant as it is said, so there is no self-mockery in it.",
)
def you_did_it(a: Panel) -> None:
    """A graduate and her grandmother."""
    things.room(a, "#d9ecf5", "#b9a58c", 324)
    things.confetti(a, 30, 80, 0.85)
    GRANNY.draw(a.pen.at(160, 384, 1.65), "glad", "cheer")
    GIRL.draw(a.pen.at(376, 384, 1.65), "glad", "cheer", "jump")
    a.pen.shape([(300, 148), (376, 118), (452, 148), (376, 176)], "#2b2438")
    a.pen.stroke([(440, 150), (448, 184)], "#f2c230", 4)
    a.pen.ellipse(448, 188, 5, 7, "#f2c230", None)


@meme(
    31,
    "group_chat",
    pair("What the weather app said", "What the weather did"),
    (other("It said no rain until the evening!"), shares("It said.")),
    "surprise",
    "The left picture shows a smiling sun over a woman in a light dress; in the "
    "right one she stands in pouring rain under a broken umbrella. The captions "
    "compare the forecast with the facts. The joke blames the app, and the woman has "
    "done nothing foolish, so it is not aimed at the sender.",
)
def weather_app(a: Panel, b: Panel) -> None:
    """A forecast and a downpour."""
    things.outdoors(a, 250, "#bfe3f2", "#8cc07a")
    sun(a.pen.at(236, 76, 0.95), "happy")
    LINDA.draw(a.pen.at(132, 326, 1.45), "happy", "hips", "dress")
    things.outdoors(b, 250, "#7d8a9c", "#6f9a6a")
    LINDA.draw(b.pen.at(152, 330, 1.45), "stare", ((-27, -45), (34, -88)), "dress")
    props.umbrella(b.pen.at(202, 206, 1.25), "#f2b134", True)
    props.rain(b, "#c3d6e4", 9)


MEMES: tuple[Meme, ...] = (
    first_again,
    toms_five_minutes,
    best_day,
    opening_hours,
    evil_printer,
    you_did_it,
    weather_app,
)
