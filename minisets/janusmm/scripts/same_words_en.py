"""English memes with the words of a self-deprecating one over another picture: nobody is mocked."""

from minisets.drawing import props
from minisets.drawing.animals import cat, dog
from minisets.drawing.cast import BOY, CLERK, CODER, COOK, GIRL, GRANNY, LINDA, OFFICE_MAN, RUNNER
from minisets.drawing.faces import Face
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, over, pair
from minisets.janusmm.meme import Meme, meme, other, receiver, shares
from minisets.janusmm.stage import Panel


@meme(
    32,
    "social_media",
    bar("Resting after a long, productive day"),
    (other("So, how much of the flat did you get cleaned today?"), shares("All of it. Look.")),
    "pride",
    "Somebody lies in bed with a blissful smile, beside a to-do list on which every "
    "single item is ticked off. The caption speaks of a productive day, and the list "
    "proves it. Words and picture agree, so the sender is content and mocks nobody.",
)
def all_ticked(a: Panel) -> None:
    """A to-do list with everything done."""
    things.room(a, "#dfe8f5", "#b78f6b", 330)
    things.paper(a.pen.at(300, 22), 216, 248)
    a.sign("TO DO", 408, 48, 26, "#c8434f")
    for i, task in enumerate(("Write a list", "Wash dishes", "Do laundry", "Vacuum", "Call mum")):
        y = 88 + i * 38
        a.pen.box(316, y - 11, 22, 22, "white", 4)
        a.sign(task, 428, y, 23)
        things.tick(a.pen.at(328, y - 2))
    props.bed(a.pen.at(40, 384, 1.75), 260, "#6c9bd1")
    BOY.head(a.pen.at(250, 300, 1.45, tilt=-90), "proud")


@meme(
    33,
    "private_dialogue",
    over("DINNER IS READY", "THE ALARM SAID SO", 560, 490),
    (receiver("Is it nearly done? I'm starving."), shares("To the minute.")),
    "joy",
    "A cook in a clean kitchen holds out a handsome cake, and the alarm clock on the "
    "counter has just rung. The words only say that the timer went off and dinner is "
    "there. Nothing has gone wrong, so it is a cheerful announcement.",
)
def on_the_minute(a: Panel) -> None:
    """A kitchen timer that tells the truth."""
    things.kitchen(a, 352)
    a.pen.box(-6, 292, 210, 200, "#b9c6cf", 6)
    things.clock(a.pen.at(94, 240, 1.2), 7, 0)
    COOK.draw(a.pen.at(300, 430, 1.7), "proud", ((40, -72), (66, -72)))
    things.cake(a.pen.at(418, 304, 1.05))
    for x, y in ((340, 170), (500, 200), (490, 300)):
        things.sparkle(a.pen.at(x, y), 15)
    a.sound("BEEEP!", 120, 142, 34, 8, "#ffcf33")


@meme(
    34,
    "group_chat",
    over("IT WORKS", "ON MY MACHINE"),
    (other("Did the new build start for anybody?"), shares("First try."), other("Here too!")),
    "joy",
    "A programmer at a laptop throws both arms up among confetti, and the servers "
    "outside stand in the sun. Asked whether the new version runs, the sender reports "
    "that it does. It is good news for the team and no joke at the sender's expense.",
)
def works_indeed(a: Panel) -> None:
    """A happy programmer and a healthy server house."""
    things.room(a, "#e3e0ee", "#a79bb8", 356)
    props.window(a.pen.at(300, 86), 220, 168, "#bfe3f2")
    a.pen.box(352, 150, 116, 103, "#8f9db0", 3)
    for y in (164, 188, 212):
        a.pen.box(364, y, 92, 15, "#56667a", 3, line=1.8)
        a.pen.ellipse(444, y + 7, 4, 4, "#7fd08a", None)
    a.pen.ellipse(486, 116, 20, 20, "#ffd24a")
    things.confetti(a, 34, 40, 0.7)
    CODER.draw(a.pen.at(150, 420, 1.75), "proud", "cheer", "none")
    props.desk(a.pen.at(190, 420), 330, 62, "#b9794f")
    props.laptop(a.pen.at(196, 350, 1.5))


@meme(
    35,
    "group_chat",
    bar("The only question I was sure about"),
    (other("Any news from you two?"), shares("She said yes!"), other("Congratulations!")),
    "joy",
    "On a meadow a young man kneels and holds out a ring, while the woman before him "
    "throws up her arms with hearts in her eyes. The only sure question is his "
    "proposal. The meme shares happiness, and nobody is made small.",
)
def she_said_yes(a: Panel) -> None:
    """A proposal."""
    things.outdoors(a, 250, "#bfe3f2", "#8cc07a")
    a.pen.ellipse(470, 70, 36, 36, "#ffd24a")
    BOY.draw(a.pen.at(170, 386, 1.6), "proud", ((20, -60), (52, -78)), "sit", (1, -0.5))
    a.pen.ellipse(260, 252, 12, 12, None, "#f2c230", 5)
    things.sparkle(a.pen.at(260, 232), 14)
    LINDA.draw(a.pen.at(384, 380, 1.6), "love", "cheer", "dress")
    for x, y in ((300, 110), (470, 170), (90, 150)):
        heart = [(x, y + 14), (x - 15, y - 3), (x - 8, y - 14), (x, y - 6), (x + 8, y - 14)]
        a.pen.shape([*heart, (x + 15, y - 3)], "#e8465a")


@meme(
    36,
    "group_chat",
    bar("The best speech of my career"),
    (other("How did the conference go?"), shares("They stood up.")),
    "pride",
    "A speaker with raised arms stands in a spotlight, and the colleagues in front "
    "cheer with their hands in the air. The caption calls it the best speech so far, "
    "and the applause confirms it. The sender is proud and says so openly.",
)
def they_stood_up(a: Panel) -> None:
    """A speech that everybody heard."""
    a.paint("#4a3b66")
    things.beams(a, 268, -20, "#5d4c80", 14)
    a.pen.box(120, 250, 300, 40, "#8a5a3c", 4)
    LINDA.draw(a.pen.at(268, 252, 1.3), Face("glad", "yell", "up"), "cheer")
    things.confetti(a, 36, 50, 0.5)
    for x, who in ((80, OFFICE_MAN), (204, RUNNER), (330, CLERK), (456, CODER)):
        who.draw(a.pen.at(x, 420, 1.15), "glad", "cheer")


@meme(
    37,
    "social_media",
    over("DATE NIGHT WITH SOMEBODY", "WHO WON'T RUN AWAY", 560, 470, 38),
    (other("Who's the lucky one tonight?"), shares("Twelve years married today.")),
    "joy",
    "Two people sit at a table with a candle and a rose and look at each other with "
    "hearts in their eyes. The words praise a partner who stays. It is an anniversary, "
    "said with a smile, and not a joke about being alone.",
)
def anniversary(a: Panel) -> None:
    """A candlelit dinner for two."""
    things.room(a, "#5b3f5e", "#3f2c46", 350)
    a.pen.ellipse(60, 130, 22, 22, "#f7c46a", "#3f2c46")
    RUNNER.draw(a.pen.at(126, 430, 1.7), "love", ((10, -70), (48, -62)), "none", (1, 0))
    GIRL.draw(a.pen.at(436, 430, 1.7, True), "love", ((10, -70), (48, -62)), "none", (1, 0))
    props.desk(a.pen.at(284, 440), 400, 84, "#f4efe6")
    a.pen.box(276, 300, 12, 46, "#fff3d6", 3)
    props.flame(a.pen.at(282, 302), 0.45)
    a.pen.stroke([(320, 346), (324, 318)], "#3f8a4a", 4)
    a.pen.ellipse(325, 310, 10, 10, "#e8465a")


@meme(
    38,
    "social_media",
    pair("My voice in the shower", "My voice at karaoke"),
    (shares("First prize last night!"), other("You deserved it, I had goose bumps.")),
    "pride",
    "On the left a singer under the shower feels like a star, and on the right the "
    "same singer with a microphone really is one: dog and cat listen in love, and a "
    "cup stands ready. Both pictures are equally splendid. The sender shows off and "
    "does not laugh at themselves.",
)
def karaoke_prize(a: Panel, b: Panel) -> None:
    """Two triumphs."""
    things.kitchen(a, 300)
    things.beams(a, 152, 40, "#fff6d0", 14)
    BOY.draw(a.pen.at(140, 346, 1.55), Face("shut", "yell", "up"), ((-46, -110), (20, -88)), "none")
    a.pen.box(-6, 264, 330, 92, "#ffffff")
    for x, y, r in ((40, 262, 16), (64, 268, 11), (222, 258, 15), (248, 266, 18), (274, 268, 10)):
        a.pen.ellipse(x, y, r, r, "#eaf7fb", width=1.8)
    things.room(b, "#4a3b66", "#33284c", 262)
    things.beams(b, 90, -10, "#5a4a7c", 12)
    things.confetti(b, 38, 40, 0.6)
    BOY.draw(b.pen.at(92, 322, 1.5), Face("shut", "yell", "up"), ((-46, -110), (22, -92)))
    things.microphone(b.pen.at(124, 170))
    things.trophy(b.pen.at(254, 250, 0.8))
    dog(b.pen.at(190, 322, 0.85), "love")
    cat(b.pen.at(256, 338, 0.85), "love")
    b.sound("LAAA!", 224, 90, 44, -8, "#ffcf33")


@meme(
    39,
    "social_media",
    bar("Asked for directions on my way home"),
    (shares("She made it to her train."), other("That was kind of you.")),
    "trust",
    "An old lady with a suitcase looks up, and a helpful young woman points the way "
    "to the station. The caption says that she was asked for directions. It is a small "
    "story of helping somebody, told as it was.",
)
def showed_the_way(a: Panel) -> None:
    """A traveller and somebody who knows the way."""
    things.outdoors(a, 250, "#cfeaf3", "#8cc07a")
    a.pen.blob([(-20, 400), (140, 330), (420, 326), (580, 400)], "#e0cda4")
    GRANNY.draw(a.pen.at(150, 378, 1.5), "happy", "down", look=(1, 0))
    props.suitcase(a.pen.at(76, 380, 1.1), 60, 56, "#9b72aa")
    GIRL.draw(a.pen.at(300, 378, 1.55), "happy", "point", look=(1, 0))
    a.pen.box(450, 180, 10, 190, "#8f9db0", 2)
    a.plate("STATION", 452, 160, 26, "#57a773", "white")


@meme(
    40,
    "private_dialogue",
    pair("My phone after eight hours in bed", "Me after eight hours in bed"),
    (receiver("Good morning! Slept well?"), shares("See chart.")),
    "joy",
    "Two pictures compare a phone and its owner after the same eight hours. Both grin "
    "under a full green battery. The owner has slept as well as the phone has charged, "
    "so this is plain good mood and no self-mockery.",
)
def both_charged(a: Panel, b: Panel) -> None:
    """A phone and somebody, both at a hundred."""
    for panel in (a, b):
        things.room(panel, "#e7f2e0", "#a5b586", 250)
        things.battery(panel.pen.at(152, 44, 1.15), 1.0, "#57b85f")
        panel.sign("100%", 252, 44, 27)
        for x, y in ((54, 116), (256, 132), (48, 258)):
            things.sparkle(panel.pen.at(x, y), 14)
    props.phone(a.pen.at(152, 204, 2.5), "glad")
    GIRL.draw(b.pen.at(152, 330, 1.6), "glad", "cheer")


MEMES: tuple[Meme, ...] = (
    all_ticked,
    on_the_minute,
    works_indeed,
    she_said_yes,
    they_stood_up,
    anniversary,
    karaoke_prize,
    showed_the_way,
    both_charged,
)
