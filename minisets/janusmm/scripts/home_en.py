"""English memes about the household: plants, lists, batteries, cooking, shelves, books."""

from minisets.drawing import props
from minisets.drawing.animals import cat
from minisets.drawing.cast import BOY, COOK, GIRL, LINDA, RUNNER, potted
from minisets.drawing.pen import INK, Pen
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair, stack
from minisets.janusmm.meme import (
    Meme,
    Mockery,
    meme,
    other,
    receiver,
    sender,
    shares,
)
from minisets.janusmm.stage import Panel


def _watering_can(pen: Pen) -> None:
    pen.stroke([(-20, -30), (-44, -26), (-38, -2), (-20, -6)], INK, 5)
    pen.shape([(18, -12), (48, -34), (52, -28), (18, 0)], "#5aa9a0")
    pen.box(-22, -34, 42, 36, "#5aa9a0", 4)
    for x, y in ((58, -22), (64, -12), (56, -8)):
        pen.ellipse(x, y, 3, 4, "#6cb8ea", None)


@meme(
    1,
    "social_media",
    pair('The label: "impossible to kill"', "Me: challenge accepted, apparently"),
    (
        shares("Week two of being a plant parent. Please send the plant flowers."),
        other("What did you DO to it?"),
    ),
    "guilt",
    "The left picture shows a happy, bushy plant with a label that says it cannot be "
    "killed. In the right one the same plant hangs limp and ill while its owner "
    "beams and waters it yet again. The cheerful caption turns a failure into a "
    "contest that nobody wanted to win, so the owner laughs at having no talent for "
    "plants at all.",
    Mockery(
        sender="I show the plant that nobody can ruin, and then what is left of it after two "
        "weeks with me. By calling it a challenge I admit, with a grin, that I am "
        "hopeless at looking after plants. I feel a little guilty and would rather be "
        "laughed with than scolded.",
        receiver="The sender has nearly killed a plant that is sold as indestructible and makes "
        "fun of their own lack of skill. Behind the joke is some guilt, because they "
        "clearly tried and even watered too much.",
        reply="You obviously cared, you just cared it half to death! Give it a dry week, and I "
        "will bring you a cutting of mine.",
    ),
)
def plant_parent(a: Panel, b: Panel) -> None:
    """An unkillable plant, before and after."""
    for panel in (a, b):
        things.room(panel, "#f6e7cf", "#c99f74", 262)
    props.window(a.pen.at(28, 34), 84, 84, "#bfe3f2")
    potted(a.pen.at(165, 318, 1.75), "glad")
    a.plate("LABEL:\nEASY!", 252, 216, 19, "#fffdf4")
    LINDA.draw(b.pen.at(78, 322, 1.45), "happy", ((20, -62), (44, -66)))
    _watering_can(b.pen.at(146, 238))
    potted(b.pen.at(232, 318, 1.3), "sick", True)


@meme(
    2,
    "social_media",
    bar("Resting after a long, productive day"),
    (
        other("So, how much of the flat did you get cleaned today?"),
        shares("I don't want to talk about it, I am exhausted."),
    ),
    "shame",
    "Somebody lies in bed in the middle of the day with a blissful smile, beside a "
    "long to-do list. The only item that is ticked off is writing the list itself. "
    "The caption speaks of a productive day, but the picture shows that nothing was "
    "done, so the sender mocks their own laziness.",
    Mockery(
        sender="My list has five tasks, and the only one I finished is the list. Calling that a "
        "productive day is my way of owning up to being lazy before anybody else points "
        "it out. I feel a bit ashamed and hope that others know such days too.",
        receiver="They got nothing done except a plan and are making fun of how tired that made "
        "them. Under the joke there is a little shame about the wasted day, and the wish "
        "to hear that it is not so bad.",
        reply="Writing the list is the hardest part, so you are basically done. Shall we put "
        "music on and tackle one thing together tomorrow?",
    ),
)
def productive_day(a: Panel) -> None:
    """A to-do list with one thing done."""
    things.room(a, "#dfe8f5", "#b78f6b", 330)
    things.paper(a.pen.at(300, 22), 216, 248)
    a.sign("TO DO", 408, 48, 26, "#c8434f")
    for i, task in enumerate(("Write a list", "Wash dishes", "Do laundry", "Vacuum", "Call mum")):
        y = 88 + i * 38
        a.pen.box(316, y - 11, 22, 22, "white", 4)
        a.sign(task, 428, y, 23)
        if i == 0:
            things.tick(a.pen.at(328, y - 2))
    props.bed(a.pen.at(40, 384, 1.75), 260, "#6c9bd1")
    BOY.head(a.pen.at(250, 300, 1.45, tilt=-90), "proud")


def _flatmate(panel: Panel, share: float, colour: str) -> None:
    things.room(panel, "#e7e0f2", "#9d86b5", 250)
    things.battery(panel.pen.at(152, 44, 1.15), share, colour)


@meme(
    3,
    "private_dialogue",
    pair("My phone after eight hours in bed", "Me after eight hours in bed"),
    (
        receiver("Good morning! Slept well?"),
        shares("See chart."),
    ),
    "exhaustion",
    "Two pictures compare a phone and its owner after the same eight hours. The "
    "phone grins under a full green battery, while the owner has bags under the eyes "
    "and a battery with one red sliver left. Measured against a gadget the sender "
    "comes off worse, and so jokes about being the thing in the house that does not "
    "charge.",
    Mockery(
        sender="I put myself next to my phone: it is full after a night, I am nearly empty. "
        "Comparing myself with a machine and losing is how I say that I am worn out "
        "without sounding pitiful. I want some understanding, and maybe leave to be slow "
        "today.",
        receiver="They slept and still feel drained, and joke that even their phone recharges "
        "better than they do. The feeling behind it is real exhaustion, so a gentle "
        "answer is better than a clever one.",
        reply="Oh no, somebody forgot to plug you in! Take it slowly today, I will bring "
        "coffee and ask nothing difficult before eleven.",
    ),
)
def battery_life(a: Panel, b: Panel) -> None:
    """A phone that charges, and somebody who does not."""
    _flatmate(a, 1.0, "#57b85f")
    _flatmate(b, 0.02, "#e8554d")
    a.sign("100%", 252, 44, 27)
    b.sign("2%", 246, 44, 27)
    props.phone(a.pen.at(152, 204, 2.5), "glad")
    for x, y in ((54, 116), (256, 132), (48, 258)):
        things.sparkle(a.pen.at(x, y), 14)
    GIRL.draw(b.pen.at(152, 330, 1.6), "sick", "limp")


@meme(
    4,
    "private_dialogue",
    over("DINNER IS READY", "THE ALARM SAID SO", 560, 490),
    (
        receiver("Is the lasagne nearly done? I'm starving."),
        shares("About that."),
    ),
    "embarrassment",
    "A cook stands proudly in a kitchen full of smoke and holds out a dish that is "
    "black and shapeless. On the ceiling the smoke alarm shrieks. The words treat "
    "the alarm as a kitchen timer, so the sender admits that burning the food is "
    "what normally happens when they cook.",
    Mockery(
        sender="I present a charred lump as dinner and pretend that the smoke alarm is my "
        "timer. It is easier to laugh at my cooking first than to explain why we will "
        "eat bread again. I am embarrassed, and I hope that the evening is not spoiled.",
        receiver="The lasagne has burnt and they make fun of themselves as a cook whose alarm "
        "rings before the meal. They are embarrassed and want to know that I do not mind.",
        reply="The best chefs work with fire, you are just ahead of the recipe! Open a window, "
        "I am bringing pizza.",
    ),
)
def smoke_alarm(a: Panel) -> None:
    """A kitchen timer on the ceiling."""
    things.kitchen(a, 352)
    a.pen.box(-6, 262, 210, 210, "#b9c6cf", 6)
    a.pen.box(24, 300, 140, 90, "#453f5c", 8)
    props.flame(a.pen.at(94, 386), 1.1)
    for x, y, puffs in ((70, 262, 4), (140, 250, 3), (430, 240, 5)):
        things.smoke(a.pen.at(x, y), "#a5a0ae", puffs)
    COOK.draw(a.pen.at(300, 430, 1.7), "proud", ((40, -72), (66, -72)))
    things.cake(a.pen.at(418, 304, 1.05), True)
    a.pen.ellipse(474, 92, 44, 17, "#ffffff")
    a.pen.ellipse(474, 100, 7, 5, "#e8554d", width=1.8)
    a.sound("BEEEP!", 462, 142, 34, -8, "#e8554d")


@meme(
    5,
    "social_media",
    stack('"I can put up a shelf. How hard can it be?"', "Not a shelf. A slide. For cats."),
    (
        shares("Handmade. One of a kind. For a reason."),
        other("Did you use the spirit level?"),
        sender("I used my spirit."),
    ),
    "embarrassment",
    "Above, somebody with a hammer and a confident face lines up a plank. Below, the "
    "shelf hangs at a steep angle, the books lie on the floor, and a cat rides down "
    "it with delight. Renaming the crooked shelf a slide for cats makes fun of the "
    "sender's own clumsy handiwork.",
    Mockery(
        sender="First I show how sure of myself I was, then the crooked thing that I hung on "
        "the wall. I call it a cat slide because I would rather be the one who makes the "
        "joke about my two left hands. I hope for laughter in place of advice.",
        receiver="Their do-it-yourself project went wrong and they laugh at the gap between their "
        "confidence and their skill. They are a bit embarrassed but also proud of having "
        "tried.",
        reply="The cat gives it five stars, and the cat is the customer. Next time I come over "
        "with a level and biscuits.",
    ),
)
def cat_slide(a: Panel, b: Panel) -> None:
    """A shelf that is not straight."""
    for panel in (a, b):
        things.room(panel, "#dcefe8", "#b48a66", 206)
    RUNNER.draw(a.pen.at(140, 242, 1.35), "proud", ((-26, -46), (44, -112)))
    a.pen.limb([(196, 96), (204, 60)], "#b9794f", 6)
    a.pen.box(184, 44, 44, 20, "#8f9db0", 4)
    a.pen.box(320, 110, 130, 12, "#c98d5a", 3)
    a.pen.stroke([(330, 90), (440, 90)], "#9aa1b0", 2)
    plank = b.pen.at(300, 128, 1, tilt=24)
    plank.box(-130, 0, 260, 14, "#c98d5a", 3)
    cat(plank.at(12, 0, 0.95), "glad", "up")
    props.dashes(plank.at(-60, -60), 44, 3, 18)
    for x, colour in ((60, "#e2725b"), (400, "#57a773"), (455, "#6c7fb0")):
        things.book(b.pen.at(x, 240), 64, colour)
    RUNNER.draw(b.pen.at(84, 234, 0.95), "stare", "head")


@meme(
    6,
    "private_dialogue",
    bar("Books bought this year: 14. Read: the receipt."),
    (
        receiver("You should really read this one, I'll lend it to you."),
        shares("I must stop you there."),
    ),
    "guilt",
    "A huge wobbling tower of books stands beside a sofa on which the owner sleeps, "
    "with a long shop receipt in hand. The caption counts fourteen books bought and "
    "says that only the receipt was read. The tall pile and the sleeper together "
    "mock the sender's habit of collecting books in place of reading them.",
    Mockery(
        sender="The tower is everything that I bought and never opened, and I fell asleep over "
        "the bill. By saying that the receipt is all I have read I confess my bad habit "
        "before I get one more book. I feel guilty about it and want my friend to smile "
        "and let me off.",
        receiver="They tell me that they buy more than they will ever read and laugh at "
        "themselves for it. There is some guilt in it, and the wish not to disappoint me "
        "by leaving my book unread.",
        reply="A well-kept receipt is literature too. Keep my book as long as you like, it "
        "will enjoy the company up there.",
    ),
)
def unread_tower(a: Panel) -> None:
    """Fourteen books and a nap."""
    things.room(a, "#f3e2d4", "#a87c5c", 330)
    colours = ("#e2725b", "#57a773", "#6c7fb0", "#f2b134", "#9b72aa", "#5aa9a0")
    for i in range(14):
        width = 124 - (i * 37) % 46
        things.book(a.pen.at(118 + (i * 29) % 17 - 8, 372 - i * 24), width, colours[i % 6], 24)
    things.sofa(a.pen.at(370, 380, 1.35), 210, "#8fb3a3")
    LINDA.draw(a.pen.at(360, 346, 1.35), "sleep", ((-30, -62), (24, -52)), "sit")
    a.pen.shape([(306, 250), (334, 246), (344, 364), (336, 358), (328, 368), (318, 360)], "#fffdf4")
    for y in range(264, 350, 14):
        a.pen.stroke([(316, y), (332, y - 1)], "#b8b2a5", 2.4)
    a.sign("Z z z", 436, 148, 32, "#6c7fb0")


MEMES: tuple[Meme, ...] = (
    plant_parent,
    productive_day,
    battery_life,
    smoke_alarm,
    cat_slide,
    unread_tower,
)
