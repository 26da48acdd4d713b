"""English comics in and around the bedroom."""

from minisets.drawing import props
from minisets.drawing.cast import BOY, LINDA, MUM, reaper
from minisets.drawing.faces import draw_face, mood_face
from minisets.drawing.pen import INK, Pen
from minisets.pixelhumor.script import LEFTWARDS1_2, LEFTWARDS3, RIGHT_LEFT3, comic
from minisets.pixelhumor.stage import Strip


@comic("deadpan_17", RIGHT_LEFT3, 20)
def snooze(strip: Strip) -> None:
    """Death comes for a late sleeper, who takes it for the alarm clock."""
    a, b, c = strip.grounds("#4d4a78", "#4d4a78", "#5c5488")
    for panel in (a, b, c):
        props.floor(panel, 290, "#3a3558")
        props.window(panel.pen.at(24, 92), 70, 70, "#2c2a55")
    reaper(a.pen.at(264, 322, 1.2), "shock")
    _sleeper(a.pen)
    a.pen.limb([(112, 272), (150, 208), (222, 178)], "#8f9fd6", 10)
    a.pen.ellipse(226, 176, 8, 8, "#f6c9a6")
    a.sound("BOINK!", 160, 92, 46, 8, "#ffcf33")
    reaper(b.pen.at(264, 322, 1.2), "stare")
    _sleeper(b.pen)
    b.say("GOOD MORNING. I AM SORRY TO COME SO EARLY IN THE DAY.", 190, 60, (258, 138), 250)
    reaper(c.pen.at(264, 322, 1.2), "bored")
    _sleeper(c.pen)
    c.say("I CAN SEE YOU ARE BUSY. I WILL COME BACK LATER.", 190, 60, (258, 138), 250)


def _sleeper(pen: Pen) -> None:
    pen.box(8, 200, 12, 140, "#8a5a3c", 4)
    pen.box(14, 268, 190, 40, "#f4efe6", 4)
    pen.blob([(22, 274), (28, 238), (70, 228), (112, 240), (116, 274)], "#ffffff")
    pen.ellipse(76, 244, 29, 27, "#f6c9a6")
    pen.note_face(76, 246, 24, 22)
    draw_face(pen.at(76, 248), mood_face("sleep"))
    spikes = [
        (48, 240),
        (38, 222),
        (54, 222),
        (58, 204),
        (72, 216),
        (86, 202),
        (94, 218),
        (110, 214),
    ]
    pen.shape([*spikes, (104, 238), (90, 228), (74, 230), (60, 228)], "#5a3a2a")
    pen.blob([(22, 286), (76, 270), (160, 272), (206, 286), (206, 330), (20, 330)], "#5f8fb0")


@comic("deadpan_20", LEFTWARDS1_2, 20)
def tidy_room(strip: Strip) -> None:
    """A boy has tidied his room; nothing is funny about it."""
    a, b, c = strip.grounds("#f3e3c9", "#d9e6f2", "#d9e6f2")
    props.floor(a, 262, "#b98f6b")
    MUM.draw(a.pen.at(300, 304, 1.25), "calm", "down", look=(1, 0))
    BOY.draw(a.pen.at(520, 304, 1.15), "calm", "down", look=(-1, 0))
    a.pen.box(620, 70, 100, 192, "#a9714b", 3)
    a.pen.ellipse(636, 172, 5, 5, "#f2b134")
    a.say("DID YOU TIDY YOUR ROOM? I HEARD A THUMP.", 240, 52, (286, 112), 260)
    a.say("YES. I MOVED THE SHELF.", 520, 62, (520, 126), 180)
    props.floor(b, 262, "#b98f6b")
    for y in (150, 200):
        b.pen.box(250, y, 140, 10, "#8a5a3c", 2)
        for i, colour in enumerate(("#e2725b", "#4f8fc0", "#57a773", "#f2b134")):
            b.pen.box(262 + i * 26, y - 34, 18, 34, colour, 2)
    BOY.draw(b.pen.at(110, 310, 1.15), "happy", "point")
    b.say("THE BOOKS ARE ON THE SHELF NOW.", 190, 58, (116, 134), 260)
    props.floor(c, 262, "#b98f6b")
    props.window(c.pen.at(286, 90), 100, 90, "#bfe3f2")
    MUM.draw(c.pen.at(110, 312, 1.2), "happy", "down", look=(1, 0))
    BOY.draw(c.pen.at(220, 312, 1.0), "calm", "down", look=(-1, 0))
    c.say("THANK YOU. THAT LOOKS NICE.", 200, 58, (116, 132), 230)


@comic("deadpan_22", LEFTWARDS3, 20)
def morning(strip: Strip) -> None:
    """An ordinary morning; nothing is funny about it."""
    a, b, c = strip.grounds("#fdeccb", "#dff0ea", "#f3e3f0")
    for panel in (a, b, c):
        props.floor(panel, 284, "#d2ab82")
    props.window(a.pen.at(190, 110), 110, 100, "#bfe3f2")
    LINDA.draw(a.pen.at(100, 332, 1.25), "calm", "wave")
    a.say("GOOD MORNING.", 170, 62, (106, 142))
    a.pen.box(216, 268, 70, 70, "#b9794f", 3)
    a.pen.ellipse(250, 252, 17, 16, "#e2725b")
    a.pen.ellipse(250, 252, 11, 10, "#fdf3e0", width=1.6)
    a.pen.stroke([(250, 246), (250, 252), (255, 254)], INK, 2)
    a.sound("RING RING", 236, 304, 28, 6, "#e8554d")
    LINDA.draw(b.pen.at(100, 332, 1.25), "calm", "give")
    props.table(b.pen.at(246, 336), 130, 70)
    props.glass(b.pen.at(236, 256, 1.3))
    b.say("I WILL HAVE SOME WATER.", 170, 62, (106, 142), 200)
    LINDA.draw(c.pen.at(100, 332, 1.25), "calm", "down")
    c.pen.box(200, 100, 96, 186, "#a9714b", 3)
    c.pen.ellipse(216, 198, 5, 5, "#f2b134")
    c.say("THEN I GO TO WORK.", 150, 54, (106, 142), 200)


COMICS = (snooze, tidy_room, morning)
