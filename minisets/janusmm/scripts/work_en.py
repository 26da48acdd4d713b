"""English memes about work and study: code, exams, Mondays, meetings, mail, tasks."""

from minisets.drawing import props
from minisets.drawing.animals import octopus
from minisets.drawing.cast import CLERK, CODER, GIRL, LINDA, OFFICE_MAN, RUNNER, ghost
from minisets.drawing.faces import Face, Mood
from minisets.drawing.pen import INK
from minisets.drawing.people import Person
from minisets.janusmm import things
from minisets.janusmm.layouts import bar, card, over, stack
from minisets.janusmm.meme import (
    Meme,
    Mockery,
    meme,
    other,
    shares,
)
from minisets.janusmm.stage import Panel


@meme(
    7,
    "group_chat",
    over("IT WORKS", "ON MY MACHINE"),
    (
        other("Who deployed on a Friday?"),
        shares("Define 'deployed'."),
        other("The whole site is down."),
    ),
    "embarrassment",
    "A programmer sits at a laptop with a blissful smile and holds up both arms in "
    "triumph. Through the window behind, the server house is on fire. The words "
    "claim that the code works, but only on this one machine, so the author mocks "
    "themselves as the expert who broke everything and noticed last.",
    Mockery(
        sender="I sit there and celebrate while the servers burn behind me. The old excuse that "
        "it works on my machine shows me as the fool of the story, which is what I feel "
        "like now. I want my team to know that I see my mistake, and that I hope not to "
        "be roasted for it.",
        receiver="The sender broke the site and says so by playing the clueless programmer. "
        "Behind the joke is embarrassment in front of the team, and a wish for help more "
        "than for blame.",
        reply="We have all set a server on fire, welcome to the club! Start the rollback, I am "
        "reading the logs with you.",
    ),
)
def works_here(a: Panel) -> None:
    """A happy programmer and a burning server house."""
    things.room(a, "#e3e0ee", "#a79bb8", 356)
    props.window(a.pen.at(300, 86), 220, 168, "#f7c48c")
    a.pen.box(352, 150, 116, 103, "#8f9db0", 3)
    for y in (164, 188, 212):
        a.pen.box(364, y, 92, 15, "#56667a", 3, line=1.8)
    for x, size in ((370, 0.8), (412, 1.15), (450, 0.8)):
        props.flame(a.pen.at(x, 152), size)
    CODER.draw(a.pen.at(150, 420, 1.75), "proud", "cheer", "none")
    props.desk(a.pen.at(190, 420), 330, 62, "#b9794f")
    props.laptop(a.pen.at(196, 350, 1.5))


@meme(
    8,
    "group_chat",
    bar("The only question I was sure about"),
    (
        other("Right, what did everybody put for number four?"),
        other("There was a number four??"),
        shares("I peaked early."),
    ),
    "disappointment",
    "A student throws both arms up among falling confetti, in front of an exam sheet "
    "as tall as a person. The only line that is filled in is the name; all the other "
    "answers are blank. The party for writing one's own name shows that the student "
    "knew nothing else, and that is the joke at their own expense.",
    Mockery(
        sender="I celebrate like a champion because I could fill in my name. The empty lines "
        "below say how the exam really went. I am disappointed in myself, and laughing "
        "about it with the others is easier than comparing answers.",
        receiver="They did badly in the exam and joke that their name was the best answer. They "
        "are disappointed, and they want the group to share the misery, not to count "
        "points.",
        reply="Full marks for the name, and beautiful handwriting too! It was a nasty paper, "
        "let's get ice cream before we look anything up.",
    ),
)
def name_only(a: Panel) -> None:
    """An exam with one answer."""
    things.room(a, "#fdeed2", "#c99f74", 336)
    things.confetti(a, 8, 70, 0.82)
    things.paper(a.pen.at(288, 28), 226, 348)
    a.sign("EXAM", 401, 58, 30)
    a.sign("Name:", 340, 108, 25)
    a.sign("Me!", 432, 106, 30, "#3b6fb5")
    a.pen.stroke([(376, 124), (498, 124)], INK, 2)
    for i in range(4):
        y = 162 + i * 54
        a.sign(f"{i + 1}.", 316, y, 25)
        for line in (8, 30):
            a.pen.stroke([(338, y + line), (496, y + line)], "#c3bdb0", 2.4)
    GIRL.draw(a.pen.at(146, 378, 1.75), "glad", "cheer", "jump")


@meme(
    9,
    "group_chat",
    over("MY BODY IS HERE", "THE REST ARRIVES ON WEDNESDAY"),
    (
        other("Morning all, stand-up in five minutes!"),
        shares("Present. Technically."),
    ),
    "exhaustion",
    "A pale ghost in a tie floats at an office desk and stares at a laptop, under a "
    "calendar that says Monday. The words explain that only the body has come and "
    "that the rest will follow in two days. The sender pictures themselves as a "
    "spirit without a mind and so mocks how useless they are on a Monday.",
    Mockery(
        sender="I draw myself as an empty ghost at my desk because that is what I am on "
        "Mondays. The promise to be complete by Wednesday laughs at my own slowness. I "
        "am tired and would like my team to be gentle in this meeting.",
        receiver="They are at work but not awake, and they poke fun at themselves for it. What "
        "they feel is exhaustion after the weekend, nothing worse, and they want a "
        "little patience.",
        reply="Your ghost is better company than most people on a Monday. Grab a coffee, I "
        "will talk first.",
    ),
)
def monday_ghost(a: Panel) -> None:
    """Somebody who is only half at work."""
    things.room(a, "#d9e6ea", "#9fb3b8", 344)
    a.pen.box(60, 110, 120, 112, "#fffdf4", 6)
    a.pen.box(60, 110, 120, 34, "#c8434f", 6)
    a.sign("MONDAY", 120, 128, 22, "white")
    a.sign("08:59", 120, 182, 32)
    ghost(a.pen.at(330, 372, 2.1), "stare")
    a.pen.shape([(324, 254), (336, 254), (342, 318), (330, 332), (318, 318)], "#c8434f")
    props.desk(a.pen.at(320, 420), 400, 66, "#a97850")
    props.laptop(a.pen.at(222, 346, 1.35))
    a.pen.box(430, 312, 34, 36, "#e2725b", 5)
    things.smoke(a.pen.at(447, 298, 0.5), "#eef3f4", 3)


def _colleague(panel: Panel, x: float, y: float, who: Person) -> None:
    panel.pen.box(x, y, 128, 98, "#cfe0ea", 4)
    who.draw(panel.pen.at(x + 64, y + 130, 0.72), "bored", "down", "none")
    panel.pen.box(x, y + 98, 128, 40, "#2b2438", ink=None)
    panel.pen.box(x, y, 128, 98, None, 4)


@meme(
    10,
    "group_chat",
    bar("The best speech of my career"),
    (
        other("Sorry, could you say all of that again?"),
        other("From the start, please."),
        shares("There are no words. Literally."),
    ),
    "embarrassment",
    "On a video call one person gives a passionate speech with both arms up, while "
    "the three others look bored. A red sign over the picture says that the speaker "
    "is muted. The proud caption about the best speech and the muted microphone "
    "together make the speaker the butt of the joke.",
    Mockery(
        sender="I gave everything in that meeting, and nobody heard a word because I was on "
        "mute. Calling it my best speech lets me laugh at how foolish I must have "
        "looked. It is embarrassing, and a joke makes it easier to start again.",
        receiver="The sender talked for minutes with the microphone off and now teases themselves "
        "about it. They feel embarrassed and want the group to laugh kindly and move on.",
        reply="Your hands were very convincing, I would have voted for you! Take your time, we "
        "really want to hear it.",
    ),
)
def on_mute(a: Panel) -> None:
    """A speech that nobody heard."""
    a.paint("#2b2438")
    a.pen.box(16, 16, 344, 366, "#f6e2b8", 6)
    LINDA.draw(
        a.pen.at(188, 462, 2.2), Face("glad", "yell", "up"), ((-62, -112), (62, -118)), "none"
    )
    a.pen.box(0, 383, 360, 40, "#2b2438", ink=None)
    a.plate("YOU ARE ON MUTE", 188, 50, 26, "#e8554d", "white")
    for i, who in enumerate((OFFICE_MAN, RUNNER, CLERK)):
        _colleague(a, 384, 18 + i * 126, who)
    a.pen.box(378, 374, 150, 20, "#2b2438", ink=None)


@meme(
    11,
    "group_chat",
    card(500, 500),
    (
        other("Hi, I think the report was missing?"),
        shares("Here is the full history of my professionalism."),
    ),
    "embarrassment",
    "The picture shows an outbox with four messages sent within four minutes. The "
    "first forgets the attachment, the second forgets it again, the third attaches a "
    "picture of a cat, and the last apologises for the cat. The calm list of one "
    "blunder after another mocks the sender's own scatterbrained way of writing mail.",
    Mockery(
        sender="My outbox tells the story by itself: I needed four messages and one cat to send "
        "a single file. I show it to everybody because I would rather mock my own chaos "
        "than have it whispered about. I feel embarrassed and hope for a laugh.",
        receiver="They keep botching a simple mail and put their own clumsiness on display. It is "
        "embarrassment wrapped as comedy, and they hope that nobody thinks less of them.",
        reply="The cat was the clearest part of the whole report! No hurry with the file, and "
        "please keep the cat on the list.",
    ),
)
def attachment(a: Panel) -> None:
    """Four messages and one file."""
    a.paint("#eef1f6")
    a.pen.box(-5, -5, 510, 61, "#4f7fb0")
    a.sign("SENT", 250, 29, 27, "white")
    mails: tuple[tuple[str, str, str, Mood], ...] = (
        ("09:00", "Report attached!", "(nothing attached)", "happy"),
        ("09:01", "NOW it is attached", "(nothing attached)", "calm"),
        ("09:02", "Sorry! Here it is", "fluffy_in_a_box.png", "worry"),
        ("09:03", "Please ignore the cat", "(nothing attached)", "sick"),
    )
    for i, (time, subject, note, mood) in enumerate(mails):
        y = 74 + i * 104
        a.pen.box(18, y, 464, 90, "white", 10)
        a.pen.ellipse(60, y + 45, 27, 27, "#fff3d6")
        OFFICE_MAN.head(a.pen.at(60, y + 118, 0.6), mood)
        a.sign(subject, 236, y + 28, 25)
        a.sign(note, 236, y + 62, 21, "#8f5a5a" if "(" in note else "#3b6fb5")
        a.sign(time, 440, y + 28, 20, "#8f8aa3")


@meme(
    12,
    "social_media",
    stack("Multitasking: how I imagine it", "Multitasking: started nine things, finished none"),
    (
        other("How do you manage to do so much at once?"),
        shares("Glad you asked."),
    ),
    "frustration",
    "In the upper picture an octopus proudly juggles a phone, a laptop, a glass and "
    "a cake with its many arms. In the lower one it sits dizzy among the same "
    "things, dropped, spilled and burnt. The second line counts nine starts and no "
    "finish, so the sender admits that their famous multitasking is plain chaos.",
    Mockery(
        sender="In my head I am the elegant octopus of the first picture, in truth I am the "
        "dizzy one in the puddle. I answer praise with this because I feel like a fraud "
        "when people say that I manage a lot. I would like to be allowed to do one thing "
        "at a time.",
        receiver="They turn a compliment into a confession that nothing gets finished. Behind it "
        "are frustration and the feeling of being swamped, so they need relief more than "
        "admiration.",
        reply="Even an octopus puts things down now and then. Hand me two of the nine and let "
        "the rest wait!",
    ),
)
def octopus_tasks(a: Panel, b: Panel) -> None:
    """Many arms, no results."""
    for panel, wall in ((a, "#d8eef5"), (b, "#f5dcd8")):
        things.room(panel, wall, "#b9a58c", 200)
    for reach in ([(300, 150), (356, 150), (408, 116)], [(196, 150), (140, 168), (96, 158)]):
        a.pen.limb(reach, "#c75b8f", 15)
    octopus(a.pen.at(248, 236, 1.75), "proud")
    props.phone(a.pen.at(88, 150, 0.95))
    props.laptop(a.pen.at(408, 200, 1.2))
    things.cake(a.pen.at(408, 110, 0.7))
    props.glass(a.pen.at(146, 218, 1.3))
    for x, y in ((40, 60), (148, 56), (340, 50), (460, 180)):
        things.sparkle(a.pen.at(x, y), 13)
    octopus(b.pen.at(250, 240, 1.75), "dizzy")
    props.phone(b.pen.at(74, 206, 0.95, tilt=72))
    props.laptop(b.pen.at(400, 216, 1.2, tilt=-24))
    props.glass(b.pen.at(118, 150, 1.3, tilt=115))
    things.cake(b.pen.at(410, 130, 0.7), True)
    things.smoke(b.pen.at(410, 92, 0.8), "#a5a0ae", 3)
    b.pen.blob([(120, 236), (150, 226), (188, 234), (170, 244), (130, 244)], "#8fd0ea", None)


MEMES: tuple[Meme, ...] = (works_here, name_only, monday_ghost, on_mute, attachment, octopus_tasks)
