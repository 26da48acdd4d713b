"""English memes that look like self-deprecating ones, but praise the sender or tease another."""

from minisets.drawing import props
from minisets.drawing.animals import cat, cow, dog
from minisets.drawing.cast import BOY, GRANNY, RUNNER, robot
from minisets.drawing.pen import INK
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair, stack
from minisets.janusmm.meme import Meme, meme, other, receiver, shares
from minisets.janusmm.scripts import habits_en, home_en
from minisets.janusmm.stage import Panel


@meme(
    41,
    "private_dialogue",
    over("MY BODY IS HERE", "THE REST ARRIVES ON WEDNESDAY"),
    (receiver("Has the kitchen robot been delivered?"), shares("It says hello.")),
    "amusement",
    "A robot without legs stands between two parcels under a calendar that says "
    "Monday. The words let the robot explain that its other parts come later. The joke "
    "is about the delivery service; the sender is not the one who is incomplete.",
)
def half_a_robot(a: Panel) -> None:
    """A delivery in parts."""
    things.room(a, "#d9e6ea", "#9fb3b8", 344)
    a.pen.box(60, 110, 120, 112, "#fffdf4", 6)
    a.pen.box(60, 110, 120, 34, "#c8434f", 6)
    a.sign("MONDAY", 120, 128, 22, "white")
    a.sign("08:59", 120, 182, 32)
    robot(a.pen.at(310, 400, 1.5), "happy", ((-34, -36), (40, -90)))
    a.pen.box(232, 336, 160, 60, "#c99a64", 4)
    a.pen.stroke([(312, 338), (312, 394)], "#b0804c", 10)
    a.pen.box(440, 300, 96, 92, "#c99a64", 4)
    a.pen.stroke([(488, 302), (488, 390)], "#b0804c", 8)


@meme(
    42,
    "group_chat",
    over("PARKED IT MYSELF", "ONLY TOOK ONE TRY", 560, 450, 40),
    (other("We're all inside already, where are you?"), shares("Parking. I have an audience.")),
    "pride",
    "A small car stands exactly in the middle of its space, and a dog, a cow and an "
    "old lady look on with delight. The words say that one try was enough. Picture and "
    "text praise the driver, so the sender boasts and does not mock themselves.",
)
def one_try(a: Panel) -> None:
    """A car that is parked as it should be."""
    a.paint("#bfe3f2")
    props.hills(a, 190, "#8cc07a")
    props.floor(a, 250, "#8d8a99")
    a.pen.box(-6, 228, 580, 24, "#d8d5dc")
    for x in (170, 390):
        a.pen.stroke([(x, 262), (x, 372)], "white", 7)
    things.car(a.pen.at(280, 366, 1.4), "#e2725b", "proud")
    GRANNY.draw(a.pen.at(56, 246, 0.85), "glad", "cheer")
    dog(a.pen.at(150, 242, 0.75), "glad", look=(1, 0))
    cow(a.pen.at(490, 244, 0.95, True), "happy")


@meme(
    43,
    "social_media",
    over("NEW PERSONAL BEST", "OVERTAKEN BY ABSOLUTELY NO ONE", 560, 470, 33),
    (shares("Five kilometres, and it did not even rain."), other("You were flying!")),
    "pride",
    "A runner with raised arms breaks the tape under the finishing arch, and the track "
    "behind is empty. The words report a record and that nobody came past. It is an "
    "honest boast about a good run.",
)
def nobody_passed(a: Panel) -> None:
    """A finish without a snail."""
    a.paint("#cfe8f4")
    props.hills(a, 190, "#8cc07a")
    props.floor(a, 252, "#d9835f")
    for y in (300, 392):
        a.pen.stroke([(0, y), (560, y)], "white", 4)
    for x in (330, 508):
        a.pen.box(x, 96, 10, 220, "#8f9db0", 2)
    for i in range(18):
        a.pen.box(332 + i * 10, 96, 10, 14, "white" if i % 2 else INK, ink=None)
        a.pen.box(332 + i * 10, 110, 10, 14, INK if i % 2 else "white", ink=None)
    a.pen.box(332, 96, 180, 28, None)
    RUNNER.draw(a.pen.at(426, 376, 1.4), "glad", "cheer", "run")
    a.pen.stroke([(340, 300), (426, 290), (510, 300)], "#e8465a", 7)
    props.dashes(a.pen.at(300, 290), 60, 4, 18)


@meme(
    44,
    "group_chat",
    over("EVERY TEAM NEEDS A STAR", "I AM HERE FOR THE ORANGES", 560, 490, 36),
    (other("Great win today, everybody!"), shares("A word from Rex, who came along.")),
    "amusement",
    "A dog sits on the substitutes' bench and gazes with love at a big bowl of "
    "oranges, while the ball flies past far behind. The words are put into the dog's "
    "mouth. The sender teases the greedy pet and says nothing against themselves.",
    symbols=("oranges at half-time",),
)
def bench_dog(a: Panel) -> None:
    """A mascot with an appetite."""
    things.outdoors(a, 236, "#bfe3f2", "#7fbf6a")
    a.pen.ellipse(470, 160, 20, 20, "white")
    a.pen.shape([(462, 154), (470, 148), (478, 154), (475, 164), (465, 164)], INK, None)
    props.dashes(a.pen.at(440, 152), 50, 2, 16)
    things.bench(a.pen.at(280, 404, 1.3), 330)
    dog(a.pen.at(200, 330, 1.35), "love", look=(1, 0.3))
    for x, y in ((316, 268), (342, 266), (368, 270), (330, 248), (356, 250)):
        a.pen.ellipse(x, y, 16, 16, "#f58e2b")
    a.pen.shape([(288, 274), (398, 274), (376, 316), (310, 316)], "#6c9bd1")


@meme(
    45,
    "private_dialogue",
    stack("Ben: that's a problem for future Ben", "Future Ben's sister:"),
    (receiver("Didn't your brother do his taxes?"), shares("He asked me to help. Tonight.")),
    "anger",
    "Above, somebody rests on a sofa without a care; below, somebody sits in tears "
    "between towers of paper just before midnight. The captions name Ben, who put it "
    "off, and the sister who has to pay for it. The reproach goes to the brother, and "
    "the sender has done nothing foolish.",
)
def future_ben(a: Panel, b: Panel) -> None:
    """Somebody else's taxes."""
    things.room(a, "#f6e7cf", "#b48a66", 200)
    things.sofa(a.pen.at(250, 236, 1.25), 280, "#7fa8c9")
    BOY.draw(a.pen.at(236, 216, 1.2), "proud", "head", "sit")
    props.glass(a.pen.at(450, 236, 1.5))
    habits_en.future_me.draw(Panel(a.width, a.height, a.ground), b)


@meme(
    46,
    "private_dialogue",
    bar("When you ask the cash machine for your balance"),
    (receiver("Cinema and dinner on Friday?"), shares("My treat.")),
    "joy",
    "A cash machine beams all over its screen and tells the young man that he will "
    "like the number. He throws up his arms. He has money for once and invites his "
    "friend, so the meme shares joy.",
)
def good_balance(a: Panel) -> None:
    """A machine with good news."""
    things.room(a, "#f2e6da", "#a8a0b0", 340)
    habits_en.machine(a.pen.at(400, 384, 0.98), "glad")
    BOY.draw(a.pen.at(140, 384, 1.6), "glad", "cheer", "jump")
    a.say("You will like\nthis number!", 170, 50, (318, 130), 25)


@meme(
    47,
    "social_media",
    stack('"I can put up a shelf. How hard can it be?"', "A shelf. And a seat. For cats."),
    (shares("Handmade. One of a kind."), other("Did you use the spirit level?")),
    "pride",
    "Above, somebody with a hammer and a confident face lines up a plank. Below, the "
    "shelf hangs perfectly straight with its books in a row, and a cat rests on it. "
    "The work has turned out well, and the sender is proud of it.",
)
def straight_shelf(a: Panel, b: Panel) -> None:
    """A shelf that is straight."""
    home_en.cat_slide.draw(a, Panel(b.width, b.height, b.ground))
    things.room(b, "#dcefe8", "#b48a66", 206)
    b.pen.box(170, 128, 280, 14, "#c98d5a", 3)
    for i, colour in enumerate(("#e2725b", "#57a773", "#6c7fb0", "#f2b134")):
        b.pen.box(186 + i * 24, 66, 22, 62, colour, 3)
    cat(b.pen.at(370, 130, 0.9), "glad", "loaf")
    RUNNER.draw(b.pen.at(84, 242, 1.2), "proud", "hips")


@meme(
    48,
    "social_media",
    pair('The label: "impossible to kill"', "My neighbour: challenge accepted"),
    (shares("She has looked after my plant for two weeks."), other("What did she DO to it?")),
    "anger",
    "The left picture shows a happy, bushy plant with a label that says it cannot be "
    "killed; in the right one a beaming woman waters what is left of it. The caption "
    "names the neighbour. The sender laughs at her with some annoyance, and not at "
    "themselves.",
)
def neighbours_care(a: Panel, b: Panel) -> None:
    """A plant in other hands."""
    home_en.plant_parent.draw(a, b)


MEMES: tuple[Meme, ...] = (
    half_a_robot,
    one_try,
    nobody_passed,
    bench_dog,
    future_ben,
    good_balance,
    straight_shelf,
    neighbours_care,
)
