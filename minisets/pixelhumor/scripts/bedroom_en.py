"""English comics in and around the bedroom."""

from minisets.drawing import props
from minisets.drawing.cast import BOY, LINDA, MUM, RUNNER, cloud, reaper
from minisets.drawing.faces import draw_face, mood_face
from minisets.drawing.pen import INK, Pen
from minisets.pixelhumor.script import ONE_TWO, ROW3, comic
from minisets.pixelhumor.stage import Strip


@comic("deadpan_17", ROW3, 20)
def snooze(strip: Strip) -> None:
    """Death comes for a late sleeper."""
    a, b, c = strip.grounds("#4d4a78", "#4d4a78", "#5c5488")
    for panel in (a, b, c):
        props.floor(panel, 290, "#3a3558")
        props.window(panel.pen.at(24, 92), 70, 70, "#2c2a55")
    reaper(a.pen.at(264, 322, 1.2), "stare")
    _sleeper(a.pen)
    a.say("IT IS TIME.", 200, 54, (254, 138))
    reaper(b.pen.at(264, 322, 1.2), "shock")
    _sleeper(b.pen)
    b.pen.limb([(112, 272), (150, 208), (222, 178)], "#8f9fd6", 10)
    b.pen.ellipse(226, 176, 8, 8, "#f6c9a6")
    b.sound("BOOP!", 160, 78, 46, 8, "#ffcf33")
    _sleeper(c.pen)
    c.pen.blob([(150, 274), (156, 236), (220, 226), (280, 240), (290, 274)], "#ffffff")
    reaper(c.pen.at(222, 350, 0.95), "sleep", False, True)
    c.pen.blob([(40, 278), (150, 270), (280, 274), (318, 296), (318, 350), (30, 350)], "#5f8fb0")
    c.say("FINE. NINE MORE MINUTES.", 206, 70, (224, 196), 200)


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


def _laundry(pen: Pen) -> None:
    heap = [
        (-190, 0),
        (-130, -70),
        (-80, -90),
        (-30, -170),
        (10, -196),
        (40, -160),
        (90, -100),
        (190, 0),
    ]
    pen.shape(heap, "#b9a3d0")
    socks = [
        (-110, -30, "#e2725b"),
        (-60, -70, "#f2b134"),
        (-20, -120, "#57a773"),
        (30, -100, "#4f8fc0"),
    ]
    socks += [
        (70, -50, "#d9637c"),
        (-10, -40, "#5aa9a0"),
        (120, -24, "#f2b134"),
        (10, -160, "#ffffff"),
    ]
    for i, (x, y, colour) in enumerate(socks):
        turned = pen.at(x, y, 1, tilt=(i * 53) % 90 - 45)
        turned.blob([(-26, -10), (0, -16), (26, -8), (22, 12), (-20, 14)], colour)


@comic("deadpan_20", ONE_TWO, 20)
def base_camp(strip: Strip) -> None:
    """A tidy bedroom, according to the one who lives in it."""
    a, b, c = strip.grounds("#f3e3c9", "#d9e6f2", "#b9d6ef")
    props.floor(a, 262, "#b98f6b")
    MUM.draw(a.pen.at(300, 304, 1.25), "doubt", "hips", look=(1, 0))
    BOY.draw(a.pen.at(520, 304, 1.15), "calm", "shrug", look=(-1, 0))
    a.pen.box(620, 70, 100, 192, "#a9714b", 3)
    a.pen.ellipse(636, 172, 5, 5, "#f2b134")
    a.say("DID YOU TIDY YOUR ROOM?", 230, 56, (286, 112), 170)
    a.say("SPOTLESS.", 520, 80, (520, 126))
    props.floor(b, 292, "#b98f6b")
    _laundry(b.pen.at(270, 318, 0.9))
    MUM.draw(b.pen.at(70, 330, 1.15), "bored", "crossed", look=(1, 0))
    b.say("LOVELY. AND WHO ARE THE CLIMBERS?", 200, 60, (90, 156), 260)
    for x, y in ((272, 172), (318, 214)):
        RUNNER.draw(b.pen.at(x, y, 0.34), "calm", "up", "walk")
    cloud(c.pen.at(70, 250, 1.1))
    cloud(c.pen.at(380, 274, 1.2))
    _laundry(c.pen.at(150, 410, 1.15))
    RUNNER.draw(c.pen.at(166, 192, 0.8), "glad", "wave")
    c.pen.stroke([(122, 194), (122, 92)], INK, 4)
    c.pen.shape([(122, 92), (72, 108), (122, 124)], "#e8554d")
    c.say("BASE CAMP, WE FOUND ONE CLEAN SOCK!", 320, 70, (206, 112), 170)


@comic("deadpan_22", ROW3, 20)
def morning(strip: Strip) -> None:
    """An ordinary morning; nothing is funny about it."""
    a, b, c = strip.grounds("#fdeccb", "#dff0ea", "#f3e3f0")
    for panel in (a, b, c):
        props.floor(panel, 284, "#d2ab82")
    props.window(a.pen.at(190, 110), 110, 100, "#bfe3f2")
    LINDA.draw(a.pen.at(100, 332, 1.25), "calm", "wave")
    a.say("GOOD MORNING.", 170, 62, (106, 142))
    LINDA.draw(b.pen.at(100, 332, 1.25), "calm", "give")
    props.table(b.pen.at(246, 336), 130, 70)
    props.glass(b.pen.at(236, 256, 1.3))
    b.say("I WILL HAVE SOME WATER.", 170, 62, (106, 142), 200)
    LINDA.draw(c.pen.at(100, 332, 1.25), "calm", "down")
    c.pen.box(200, 100, 96, 186, "#a9714b", 3)
    c.pen.ellipse(216, 198, 5, 5, "#f2b134")
    c.say("THEN I GO TO WORK.", 150, 54, (106, 142), 200)


COMICS = (snooze, base_camp, morning)
