"""English memes about other people: dates, small talk, haircuts, singing, directions, sport."""

from dataclasses import replace

from minisets.drawing import props
from minisets.drawing.animals import cat, dog
from minisets.drawing.cast import BOY, CLERK, CODER, GIRL, LINDA, RUNNER, alien, potted
from minisets.drawing.faces import Face
from minisets.drawing.pen import INK, Pen
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair
from minisets.janusmm.meme import (
    Meme,
    Mockery,
    meme,
    other,
    receiver,
    shares,
)
from minisets.janusmm.stage import Panel


@meme(
    13,
    "social_media",
    over("DATE NIGHT WITH SOMEBODY", "WHO WON'T RUN AWAY", 560, 470, 38),
    (
        other("Who's the lucky one tonight?"),
        shares("Tall, quiet, a good listener."),
    ),
    "loneliness",
    "Somebody sits at a table laid for two, with a candle and a rose, and gazes "
    "lovingly at the guest opposite: a potted plant. The words praise a partner who "
    "will not run away, and a plant with roots indeed cannot. The romantic scene and "
    "the rooted date together mock the sender's own life as a single.",
    Mockery(
        sender="I dress up my lonely evening as a date with a plant and boast that it stays. It "
        "says that nobody else is coming, in a way that people can laugh at. I am lonely "
        "tonight and would like somebody to notice without pitying me.",
        receiver="They are alone this evening and make a comedy of being single. Underneath is "
        "loneliness, so what they want is company and not advice about dating.",
        reply="You two look great together, but a plant never shares dessert! Come round on "
        "Saturday, there is always a chair for you here.",
    ),
)
def date_night(a: Panel) -> None:
    """A candlelit dinner with a plant."""
    things.room(a, "#5b3f5e", "#3f2c46", 350)
    a.pen.ellipse(60, 130, 22, 22, "#f7c46a", "#3f2c46")
    RUNNER.draw(a.pen.at(126, 430, 1.7), "love", ((10, -70), (48, -62)), "none", (1, 0))
    potted(a.pen.at(436, 346, 1.35), "proud")
    props.desk(a.pen.at(284, 440), 400, 84, "#f4efe6")
    a.pen.box(276, 300, 12, 46, "#fff3d6", 3)
    props.flame(a.pen.at(282, 302), 0.45)
    a.pen.stroke([(340, 346), (346, 318)], "#3f8a4a", 4)
    a.pen.ellipse(348, 310, 10, 10, "#e8465a")
    for x in (206, 380):
        a.pen.ellipse(x, 346, 30, 6, "white")


@meme(
    14,
    "private_dialogue",
    bar("Brain at 3 a.m.: remember this?"),
    (receiver("You're up late, everything all right?"), shares("It has been six weeks.")),
    "embarrassment",
    "In a dark bedroom somebody lies wide awake under the blanket. A thought bubble "
    "replays a scene in which a waiter says enjoy your meal and the sender answers "
    "you too. That such a small slip still keeps them awake weeks later is how the "
    "sender mocks their own awkwardness.",
    Mockery(
        sender="I told a waiter to enjoy his meal too, and weeks later my head still plays it "
        "to me at night. Showing it as a big event makes fun of how awkward I am and how "
        "long I worry. I want to hear that nobody else remembers it.",
        receiver="A tiny slip of the tongue still embarrasses them, and they laugh at themselves "
        "for lying awake over it. They feel embarrassed and a bit silly, and they look "
        "for reassurance.",
        reply="The waiter has heard that a thousand times and probably smiled. I once said "
        "love you to my dentist, so sleep well!",
    ),
)
def you_too(a: Panel) -> None:
    """A slip that will not be forgotten."""
    things.room(a, "#2f3260", "#262849", 336)
    props.stars(a, 3, 0.3, 12)
    bubble = [(40, 40), (150, 18), (290, 14), (430, 20), (510, 50), (514, 160), (470, 214)]
    a.pen.blob([*bubble, (300, 236), (110, 230), (40, 180)], "#fff8e8")
    for x, y, r in ((122, 244, 10), (112, 268, 7)):
        a.pen.ellipse(x, y, r, r * 0.8, "#fff8e8")
    CLERK.draw(a.pen.at(170, 218, 0.85), "happy", "give")
    GIRL.draw(a.pen.at(372, 218, 0.85), "happy", "wave")
    a.say("Enjoy your meal!", 170, 56, (172, 108), 21)
    a.say("You too!", 392, 56, (378, 108), 24)
    props.bed(a.pen.at(40, 384, 1.55), 300, "#6c5fa0")
    GIRL.head(a.pen.at(232, 314, 1.25, tilt=-90), "stare")


def _crooked(pen: Pen) -> None:
    """A fringe that was cut at home."""
    zigzag = [(-28, -112), (-24, -128), (-17, -124), (-12, -138), (-4, -127), (3, -141), (11, -130)]
    pen.shape([*zigzag, (16, -139), (22, -128), (28, -112), (25, -138), (0, -149), (-25, -138)],
              LINDA.hair_colour)  # fmt: skip


@meme(
    15,
    "private_dialogue",
    pair('The video: "cut your own fringe in 5 easy steps"', "Me: found a sixth step"),
    (receiver("So? Did you do it? Show me!"), shares("I would like to be alone with my hat.")),
    "regret",
    "On the left a woman admires her perfect hair in front of a sparkling mirror. On "
    "the right she holds scissors, her fringe is a jagged zigzag, and her eyes are "
    "wide with horror. The video promised five easy steps and she claims to have "
    "found a sixth, so she laughs at herself for ruining her own hair.",
    Mockery(
        sender="I show the hair I was promised and the zigzag I gave myself. A sixth step that "
        "nobody asked for means that I managed to spoil something easy. I regret it, and "
        "if I make the joke first it will hurt less when others see me.",
        receiver="The home haircut failed, and they mock their own confidence and skill with the "
        "scissors. They feel regret and fear of looking silly, so they need comfort more "
        "than criticism.",
        reply="Jagged is very fashionable, you are simply early! My cousin cuts hair, we can "
        "go to her tomorrow, and it will grow.",
    ),
)
def own_fringe(a: Panel, b: Panel) -> None:
    """Hair, before and after."""
    for panel, wall in ((a, "#fbe3ec"), (b, "#e6e3ee")):
        things.room(panel, wall, "#b8a0a8", 286)
        panel.pen.ellipse(152, 160, 118, 138, "#d9eef3", width=5)
    LINDA.draw(a.pen.at(152, 372, 1.75), "proud", "hips", "none")
    for x, y in ((48, 60), (262, 74), (256, 222)):
        things.sparkle(a.pen.at(x, y), 15)
    LINDA.draw(b.pen.at(152, 372, 1.75), "gasp", ((-24, -46), (58, -92)), "none")
    b.pen.ellipse(152, 142, 40, 16, LINDA.skin, None)
    _crooked(b.pen.at(152, 372, 1.75))
    scissors = b.pen.at(256, 196, 1.2)
    for side in (-1, 1):
        scissors.stroke([(side * 8, 12), (-side * 9, -34)], "#8f9db0", 5)
        scissors.ellipse(side * 9, 19, 8, 8, None, "#e8554d", 4)
    for x, y in ((70, 300), (112, 316), (214, 308), (190, 322)):
        b.pen.stroke([(x, y), (x + 10, y + 5)], "#7a3b2e", 4)


@meme(
    16,
    "social_media",
    pair("My voice in the shower", "My voice at karaoke"),
    (
        shares("Thank you to everybody who stayed until the second verse."),
        other("I left during the first."),
    ),
    "embarrassment",
    "On the left a singer under the shower feels like a star, with sparkles and a "
    "spotlight all around. On the right the same singer holds a microphone while a "
    "dog howls and a cat flees in horror. The contrast between the dream and the "
    "reaction of the animals mocks the sender's own singing.",
    Mockery(
        sender="Alone in the shower I am a star, but with a microphone even the dog joins in "
        "the complaint. I post it so that the others know I heard myself too. I am a bit "
        "embarrassed about last night and want to be teased kindly, not avoided.",
        receiver="They know that their karaoke was bad and make themselves the joke. Behind it is "
        "embarrassment about the evening, and the hope to be asked along again.",
        reply="The dog only howls for real artists! You had more fun than anybody up there, so "
        "please sign us up for a duet.",
    ),
)
def shower_star(a: Panel, b: Panel) -> None:
    """Two concerts."""
    things.kitchen(a, 300)
    things.beams(a, 152, 40, "#fff6d0", 14)
    a.pen.limb([(292, 40), (240, 34), (206, 44)], "#b8c4cc", 6)
    a.pen.shape([(186, 44), (226, 44), (236, 62), (176, 62)], "#b8c4cc")
    for x in (190, 206, 222):
        a.pen.stroke([(x, 70), (x - 4, 110)], "#8fd0ea", 3)
    BOY.draw(a.pen.at(140, 346, 1.55), Face("shut", "yell", "up"), ((-46, -110), (20, -88)), "none")
    a.pen.box(-6, 276, 330, 80, "#ffffff")
    a.pen.box(-6, 264, 330, 18, "#ffffff")
    for x, y, r in ((40, 262, 16), (64, 268, 11), (222, 258, 15), (248, 266, 18), (274, 268, 10)):
        a.pen.ellipse(x, y, r, r, "#eaf7fb", width=1.8)
    for x, y in ((44, 92), (60, 214), (262, 176)):
        things.sparkle(a.pen.at(x, y), 15)
    things.room(b, "#4a3b66", "#33284c", 262)
    things.beams(b, 90, -10, "#5a4a7c", 12)
    BOY.draw(b.pen.at(92, 322, 1.5), Face("shut", "yell", "up"), ((-46, -110), (22, -92)))
    things.microphone(b.pen.at(124, 170))
    dog(b.pen.at(196, 284, 0.85), Face("shut", "yell", "up"))
    cat(b.pen.at(244, 338, 0.8), "gasp", "walk")
    b.sound("LAAA!", 214, 90, 44, -8, "#e8554d")


@meme(
    17,
    "social_media",
    bar("Asked for directions on my way home"),
    (shares("I have lived here for nine years."), other("In this galaxy?")),
    "bewilderment",
    "A person with a phone map looks lost on a path, and a small green alien beside "
    "its flying saucer politely points the way. A sign with the word home stands "
    "just behind the person's back. That a visitor from space knows the area better "
    "mocks the sender's own terrible sense of direction.",
    Mockery(
        sender="I lose my way in my own street, so I let an alien explain it to me while the "
        "sign stands behind me. The picture blows my poor sense of direction up until it "
        "is funny. I feel a little stupid about it and like it better when we laugh "
        "together.",
        receiver="They got lost close to home again and mock themselves with a stranger from "
        "space who knows better. They are embarrassed about it but in good spirits, and "
        "they invite friendly teasing.",
        reply="At least you always meet interesting people! Share your location next time and "
        "I will play the saucer.",
    ),
)
def lost_again(a: Panel) -> None:
    """An alien that knows the way."""
    things.night(a, 12, 0.5)
    props.hills(a, 250, "#4f7a5c")
    a.pen.blob([(180, 420), (250, 320), (240, 262), (300, 262), (330, 320), (420, 420)], "#c9b48c")
    props.saucer(a.pen.at(420, 92, 1.1))
    a.pen.box(66, 210, 10, 150, "#8a5a3c", 2)
    a.pen.shape([(40, 176), (140, 176), (140, 222), (40, 222), (12, 199)], "#fff3d6")
    a.sign("HOME", 86, 199, 25)
    CODER.draw(a.pen.at(218, 384, 1.45), "worry", ((-22, -60), (30, -76)), look=(1, 0))
    props.phone(a.pen.at(258, 264, 0.52))
    alien(a.pen.at(400, 376, 1.45), "happy")
    a.pen.limb([(380, 306), (352, 300), (330, 292)], "#7cc48a", 8)
    a.say("Left, then left.", 424, 172, (408, 220), 22)


@meme(
    18,
    "group_chat",
    over("EVERY TEAM NEEDS A STAR", "I AM HERE FOR THE ORANGES", 560, 490, 36),
    (
        other("Great win today, everybody!"),
        other("Couldn't have done it without you all."),
        shares("You could have."),
    ),
    "insecurity",
    "A player in a spotless kit sits on the substitutes' bench and hugs a big bowl "
    "of oranges with pure joy, while the ball flies past far behind. The first line "
    "speaks of the star of the team, the second says that the sender only comes for "
    "the snacks. The happy bench and the words together mock the sender's own "
    "uselessness in sport.",
    Mockery(
        sender="My shirt is clean because I never play, and I pretend that the fruit is my real "
        "job. I say it before anybody else can, since I know that I am the weakest "
        "player. I would like to hear that I belong to the team all the same.",
        receiver="They make light of sitting on the bench and call themselves useless to the "
        "team. Under the joke they feel inadequate and want to know whether we want them "
        "there.",
        reply="Morale is a position, and you are the best we have ever had in it. No oranges, "
        "no second half, so see you on Thursday!",
    ),
    symbols=("oranges at half-time",),
)
def bench_player(a: Panel) -> None:
    """A substitute with fruit."""
    things.outdoors(a, 236, "#bfe3f2", "#7fbf6a")
    a.pen.ellipse(470, 160, 20, 20, "white")
    a.pen.shape([(462, 154), (470, 148), (478, 154), (475, 164), (465, 164)], INK, None)
    props.dashes(a.pen.at(440, 152), 50, 2, 16)
    things.bench(a.pen.at(280, 404, 1.3), 330)
    player = replace(RUNNER, top="#f2b134", legs="#ffffff")
    player.draw(a.pen.at(210, 398, 1.55), "love", ((30, -66), (60, -66)), "sit")
    for x, y in ((296, 268), (322, 266), (348, 270), (310, 248), (336, 250)):
        a.pen.ellipse(x, y, 16, 16, "#f58e2b")
    a.pen.shape([(268, 274), (378, 274), (356, 316), (290, 316)], "#6c9bd1")


MEMES: tuple[Meme, ...] = (
    date_night,
    you_too,
    own_fringe,
    shower_star,
    lost_again,
    bench_player,
)
