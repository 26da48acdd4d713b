"""English memes about habits: parking, exercise, putting things off, money, going to bed."""

from dataclasses import replace

from minisets.drawing import props
from minisets.drawing.animals import cat, cow, dog, snail
from minisets.drawing.cast import BOSS, BOY, GIRL, GRANNY, LINDA
from minisets.drawing.faces import Expression, Face, draw_face, mood_face
from minisets.drawing.pen import INK, Pen
from minisets.janusmm import chat, things
from minisets.janusmm.layouts import bar, card, over, stack
from minisets.janusmm.meme import Meme, Mockery, meme, other, receiver, shares
from minisets.janusmm.stage import Panel


@meme(
    19,
    "group_chat",
    over("PARKED IT MYSELF", "ONLY TOOK ELEVEN TRIES", 560, 450, 40),
    (
        other("We're all inside already, where are you?"),
        shares("Parking. I have an audience."),
    ),
    "embarrassment",
    "A small car stands at a wild angle in a huge empty parking space, with its nose "
    "in the air. A dog, a cow and an old lady watch it in disbelief. The proud words "
    "beside such a result mock the sender's own skill at parking.",
    Mockery(
        sender="The space is enormous and still I stand crooked in it after eleven tries, with "
        "spectators. I boast about it so that my friends laugh at my parking together "
        "with me when I finally come in late. I feel embarrassed and a little helpless "
        "at the wheel.",
        receiver="They are late because they cannot park, and they mock themselves with a fake "
        "boast. They feel embarrassed in front of strangers and hope that we take it "
        "lightly.",
        reply="Two wheels on the road is half the battle! Come in, we kept your seat, and I "
        "will turn the car round for you later.",
    ),
)
def eleven_tries(a: Panel) -> None:
    """A car in a very large space."""
    a.paint("#bfe3f2")
    props.hills(a, 190, "#8cc07a")
    props.floor(a, 250, "#8d8a99")
    a.pen.box(-6, 228, 580, 24, "#d8d5dc")
    for x in (110, 470):
        a.pen.stroke([(x, 262), (x - 40, 372)], "white", 7)
    things.car(a.pen.at(300, 318, 1.5, tilt=-24), "#e2725b", "proud")
    GRANNY.draw(a.pen.at(56, 246, 0.85), "stare", "hips")
    dog(a.pen.at(150, 242, 0.75), "doubt", look=(1, 0))
    cow(a.pen.at(490, 244, 0.95, True), "stare")


@meme(
    20,
    "group_chat",
    bar("Day 1 of my 30-day workout: I have become the mat"),
    (
        other("Day 1 done! Ten push-ups, who's next?"),
        other("Twelve!"),
        shares("One with the floor."),
    ),
    "shame",
    "A plump cat lies flat as a loaf on a yoga mat, eyes closed, next to dumbbells "
    "that nobody has touched. The caption calls this the first day of a workout and "
    "says that the sender has become the mat. The sleepy cat stands for the sender, "
    "whose big plan ended in lying down, and so they laugh at their own lack of "
    "fitness.",
    Mockery(
        sender="While the others count push-ups I show myself as a cat that melted on its mat. "
        "I make fun of my lack of drive because it is awkward to be the weak one in the "
        "group. I would like to stay in the challenge without being compared.",
        receiver="They did not manage the exercises and say so by joking that they turned into a "
        "mat. There is some shame towards the fitter people in the group, so "
        "encouragement helps more than numbers.",
        reply="Unrolling the mat is the official first exercise, so day 1 counts! Want to do "
        "two slow ones with me tomorrow?",
    ),
)
def become_the_mat(a: Panel) -> None:
    """A workout lying down."""
    things.room(a, "#dff0ea", "#c7a27e", 250)
    props.window(a.pen.at(40, 40), 120, 110, "#bfe3f2")
    a.plate("NO PAIN\nNO GAIN", 424, 92, 30, "#f2b134")
    a.pen.shape([(96, 300), (444, 300), (500, 376), (40, 376)], "#9b72aa")
    cat(a.pen.at(262, 344, 2.4), "sleep", "loaf")
    for x, y in ((34, 288), (452, 284)):
        bell = a.pen.at(x, y)
        bell.limb([(0, 0), (48, 0)], "#8f9db0", 5)
        for end in (0, 48):
            bell.box(end - 9, -19, 18, 38, "#453f5c", 5)
    a.sign("Z z z", 432, 196, 34, "#6c7fb0")


@meme(
    21,
    "social_media",
    over("NEW PERSONAL BEST", "OVERTAKEN BY ONLY ONE SNAIL", 560, 470, 33),
    (
        shares("Couch to 5k, week one. The couch is winning."),
        other("Which way is the snail running next week?"),
    ),
    "disappointment",
    "A runner with dizzy eyes staggers along a track, and drops of sweat fly off. In "
    "front of the runner a calm snail crosses the finishing line. The words announce "
    "a record, but the record is to have lost against one snail only, so the sender "
    "mocks their own slowness.",
    Mockery(
        sender="I call it a personal best that only one snail passed me. I know that I am slow "
        "and out of breath, and I tell it as a comedy before anybody looks up my time. "
        "What I need is a little applause for having started at all.",
        receiver="They have just begun to run, feel slow and unfit, and turn that into a joke "
        "about a snail. They feel inadequate beside others and hope for encouragement.",
        reply="You are faster than everybody who stayed on the sofa, and that was me! Keep "
        "going, next week you will see that snail in the mirror.",
    ),
)
def one_snail(a: Panel) -> None:
    """A race that was nearly won."""
    a.paint("#cfe8f4")
    props.hills(a, 190, "#8cc07a")
    props.floor(a, 252, "#d9835f")
    for y in (300, 392):
        a.pen.stroke([(0, y), (560, y)], "white", 4)
    for x in (400, 508):
        a.pen.box(x, 96, 10, 170, "#8f9db0", 2)
    for i in range(12):
        a.pen.box(400 + i * 10, 96, 10, 14, "white" if i % 2 else INK, ink=None)
        a.pen.box(400 + i * 10, 110, 10, 14, INK if i % 2 else "white", ink=None)
    a.pen.box(400, 96, 118, 28, None)
    runner = replace(BOSS, coat="", tie="", top="#f2b134")
    runner.draw(a.pen.at(170, 366, 1.5, tilt=10), "dizzy", "run", "run")
    for x, y in ((130, 132), (116, 170), (226, 128)):
        a.pen.blob([(x, y - 9), (x + 5, y + 2), (x, y + 6), (x - 5, y + 2)], "#9fd8f5", width=1.6)
    snail(a.pen.at(452, 372, 1.35), "sly")
    props.dashes(a.pen.at(380, 332), 50, 3, 15)


@meme(
    22,
    "private_dialogue",
    stack("Me: that's a problem for future me", "Future me:"),
    (
        receiver("Isn't your tax thing due soon?"),
        shares("Let me introduce you to somebody I have wronged."),
    ),
    "regret",
    "Above, somebody lounges on a sofa with closed eyes and pushes all trouble off "
    "to their future self. Below, the same person sits behind a mountain of paper "
    "with the clock close to midnight and bursts into tears. Cause and effect side "
    "by side show the sender as their own worst enemy, which is how they mock their "
    "procrastination.",
    Mockery(
        sender="The upper picture is me last month, the lower one is me tonight. I blame past "
        "me as if it were somebody else, because I know that I have only myself to "
        "thank. I regret putting it off and could use some company while I catch up.",
        receiver="They have left their taxes until the last night and laugh at themselves for "
        "always leaving it to later. Behind the joke are regret and stress, and perhaps "
        "a quiet call for help.",
        reply="Past you owes present you a very big cake. I will call at eight, and we sort "
        "that pile together.",
    ),
)
def future_me(a: Panel, b: Panel) -> None:
    """The same person, a month apart."""
    things.room(a, "#f6e7cf", "#b48a66", 200)
    things.sofa(a.pen.at(250, 236, 1.25), 280, "#7fa8c9")
    LINDA.draw(a.pen.at(236, 216, 1.2), "proud", "head", "sit")
    props.glass(a.pen.at(450, 236, 1.5))
    things.room(b, "#3b3f6e", "#2a2c55", 200)
    LINDA.draw(b.pen.at(250, 268, 1.35), "cry", "head", "none")
    things.clock(b.pen.at(62, 74), 11.95, 58)
    for x, count in ((110, 9), (176, 5), (332, 6), (400, 11)):
        for i in range(count):
            things.paper(b.pen.at(x - 32 + (i * 13) % 9 - 4, 228 - i * 11), 66, 13)
    props.desk(b.pen.at(250, 262), 470, 16, "#8a5a3c")


def machine(pen: Pen, mood: Expression) -> None:
    """A cash machine with a face, standing on the pen's origin."""
    pen.box(-110, -330, 220, 330, "#7fa8a0", 14)
    pen.box(-88, -306, 176, 126, "#dff3ee", 8)
    pen.note_face(0, -252, 50, 40)
    draw_face(pen.at(0, -254, 2.1), mood_face(mood), gap=12)
    pen.box(-70, -158, 140, 16, "#2b2438", 4)
    for i in range(9):
        pen.box(-46 + i % 3 * 34, -124 + i // 3 * 30, 24, 20, "#e9eef2", 4)


@meme(
    23,
    "private_dialogue",
    bar("When you ask the cash machine for your balance"),
    (receiver("Cinema and dinner on Friday?"), shares("Let me check something first.")),
    "worry",
    "A cash machine with a face sweats, raises its brows in pity and asks whether "
    "the customer really wants to see the number. The customer in front of it looks "
    "sheepish and holds an empty purse turned inside out. That even the machine "
    "feels sorry mocks the sender's own empty account.",
    Mockery(
        sender="Even the cash machine does not dare to show me my balance, so I need not say "
        "the number. I joke about being broke because it is awkward to refuse an "
        "invitation over money. I worry a bit and hope that my friend suggests something "
        "cheap.",
        receiver="They have no money left this month and make fun of it with a machine that "
        "pities them. Behind it are worry and some embarrassment about not being able to "
        "go out.",
        reply="Then the machine and I agree that Friday is on my sofa, with popcorn and no "
        "entrance fee. Bring only yourself!",
    ),
)
def cash_machine(a: Panel) -> None:
    """A machine with tact."""
    things.room(a, "#f2e6da", "#a8a0b0", 340)
    machine(a.pen.at(400, 384, 0.98), "worry")
    BOY.draw(
        a.pen.at(140, 384, 1.6), Face("dot", "wavy", "sad", extra="blush"), ((-44, -74), (40, -70))
    )
    a.pen.blob([(180, 268), (206, 258), (232, 268), (224, 300), (188, 300)], "#9b5a3c")
    for x in (190, 224):
        a.pen.blob([(x - 8, 262), (x, 240), (x + 10, 262)], "#f4efe6")
    a.say("Are you sure\nyou want to know?", 170, 62, (318, 130), 25)


@meme(
    24,
    "private_dialogue",
    card(480, 520),
    (
        receiver("You look tired. Did you go to bed early like you promised?"),
        shares("There were negotiations."),
    ),
    "guilt",
    "The card shows a chat in which both sides have the same face and the same name. "
    "One side orders bedtime at ten, the other asks for one more episode, and by "
    "four in the morning the sensible side has given up and asks what happens next. "
    "The sender plays both parts to mock their own lack of willpower.",
    Mockery(
        sender="I argue with myself about bedtime, and the wrong half wins at four in the "
        "morning. Showing it as a chat makes fun of my weak will. I feel guilty because "
        "I had promised, and I hope to be forgiven with a laugh.",
        receiver="They stayed up all night against their own promise and turn the inner struggle "
        "into a comic chat. They feel guilty and tired, so there is no need to add to it.",
        reply="Sounds like a tough debate, and the series must be good! Have a nap at lunch, I "
        "will guard the door.",
    ),
)
def negotiations(a: Panel) -> None:
    """A chat with oneself."""
    chat.header(a, "Me, myself and I")
    y = chat.bubble(a, "It is 10 p.m. Bed. Now.", 78, GIRL, "angry")
    y = chat.bubble(a, "One more episode", y, GIRL, "sly", mine=True)
    y = chat.bubble(a, "It is 4 a.m.!", y, GIRL, "sick")
    y = chat.bubble(a, "So nearly breakfast", y, GIRL, "sly", mine=True)
    y = chat.bubble(a, "...", y, GIRL, "bored")
    chat.bubble(a, "Fine. Does he get the girl?", y, GIRL, "stare")


MEMES: tuple[Meme, ...] = (
    eleven_tries,
    become_the_mat,
    one_snail,
    future_me,
    cash_machine,
    negotiations,
)
