"""Chinese films about work: a short meeting, voluntary overtime, fishing at the desk."""

import math
from dataclasses import replace

from minisets.drawing import props
from minisets.drawing.animals import fish
from minisets.drawing.cast import BOSS, CODER, GIRL, OFFICE_MAN, RUNNER, moon, skeleton, sun
from minisets.drawing.faces import Expression, Mood
from minisets.drawing.people import Person
from minisets.vimu import foley, sets
from minisets.vimu.film import Film, Line, Shot, beat, between, talking
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
from minisets.vimu.stage import Stage, View

BEARDED = replace(CODER, hair="beard")
GREY = replace(CODER, hair="beard", hair_colour="#d9d6dc")
GREY_GIRL = replace(GIRL, hair_colour="#d9d6dc")


def _conference(stage: Stage) -> None:
    props.floor(stage, 290, "#b9b3c6")
    stage.plate("短会：5分钟", 470, 58, 34, "#ffcf33")


def _sky(stage: Stage, t: float) -> None:
    """Day and night in turn, two seconds for both."""
    turn = (t % 2.0) / 2.0
    night = turn > 0.55
    props.window(stage.pen.at(180, 40), 150, 110, "#3b3f6e" if night else "#bfe3f2")
    height = 108 - 36 * math.sin(math.pi * (turn / 0.55 if not night else (turn - 0.55) / 0.45))
    if night:
        moon(stage.pen.at(292, height, 0.4), "sleep")
    else:
        sun(stage.pen.at(218, height, 0.4))


def _web(stage: Stage, x: float, y: float) -> None:
    for angle in (10, 35, 60, 82):
        far = (x + 66 * math.cos(math.radians(angle)), y + 66 * math.sin(math.radians(angle)))
        stage.pen.stroke([(x, y), far], "#8f8aa3", 1.6)
    for r in (22, 40, 58):
        ring = [(x + r * math.cos(math.radians(a)), y + r * math.sin(math.radians(a)))
                for a in (10, 35, 60, 82)]  # fmt: skip
        stage.pen.stroke(ring, "#8f8aa3", 1.6)


def _meeting(stage: Stage, t: float) -> None:
    pen = stage.pen
    _sky(stage, t)
    speaking = talking("happy", t, 0.3, 2.0) if t < 3 else talking("happy", t, 4.9, 7.2)
    BOSS.draw(pen.at(80, 340, 1.4), speaking, "point" if beat(t, 1.5) else "shrug")
    moods: tuple[Mood, ...] = ("calm", "bored", "sick", "dizzy")
    stage_of_decay = min(3, int(t / 1.9))
    mood = moods[stage_of_decay]
    for x, people in ((290, (GIRL, GIRL, GREY_GIRL, GREY_GIRL)),
                      (410, (CODER, BEARDED, BEARDED, GREY))):  # fmt: skip
        people[stage_of_decay].draw(pen.at(x, 350, 1.2), mood, "desk", "none", (-0.8, 0))
    if stage_of_decay < 3:
        OFFICE_MAN.draw(pen.at(530, 350, 1.2), mood, "desk", "none", (-0.8, 0))
    else:
        skeleton(pen.at(530, 350, 1.2))
    props.desk(pen.at(420, 390), 400, 96, "#8a5a3c")
    if stage_of_decay >= 2:
        _web(stage, 0, 0)


def _meeting_score(track: Track) -> None:
    track.add(0, foley.ticking(7.4), 0.45)
    for i in range(3):
        track.add(1.1 + 2 * i, foley.crickets(0.9), 0.3)
        track.add(0.05 + 2 * i, foley.birds(0.6), 0.15)


MEETING = Film(
    "vimu_900101",
    "zh",
    (Shot(7.4, _meeting, _conference, "#dfe6ea"),),
    _meeting_score,
    Gold(
        question="这段视频想表达对什么事情的看法？",
        answer="它嘲笑没完没了的会议：老板说只讲五分钟，窗外却日落日出了好几轮，员工熬白了头，"
        "甚至成了白骨，他还要“再补充一点”。",
        difficulty="easy",
        rubric=(
            "指出所谓五分钟的短会实际上长得没有尽头",
            "提到日夜更替或员工变老、变成骷髅等夸张画面",
            "指出对象是开会拖沓的领导或会议文化",
            "没有把画面当成真的死了人",
        ),
        literal_summary="老板站着讲话，墙上写着“短会：5分钟”；窗外昼夜交替三次，员工长出胡子、"
        "头发变白，最后一人变成骷髅。",
        intended_meaning="领导口中的“短会”从来不短，听会的人只能在无奈中耗尽时间。",
        evidence={
            "frames": "窗外太阳和月亮轮流升落，员工变老，角落结了蛛网，一人成了骷髅。",
            "text": "墙上的牌子写着“短会：5分钟”。",
            "transcript": "老板先说只讲五分钟，后来又说最后再补充一点。",
        },
        rhetoric=("exaggeration", "irony"),
        social=("negative_affect",),
        targets=("开会拖沓的领导", "会议文化"),
    ),
    lines=(
        Line("我只讲五分钟。", 0.3, 2.2, "cmn+m3", 230, 45),
        Line("最后，再补充一点。", 4.9, 7.3, "cmn+m3", 235, 45),
    ),
)


def _hall(stage: Stage) -> None:
    props.floor(stage, 296, "#c9a27e")
    sets.bunting(stage, 16)
    sun(stage.pen.at(90, 130, 0.8))


def _speech(stage: Stage, t: float) -> None:
    pen = stage.pen
    BOSS.draw(pen.at(330, 330, 1.5), talking("happy", t, 0.4, 2.9), "cheer")
    sets.podium(pen.at(330, 356, 1.3))
    for x, person in ((520, GIRL), (600, OFFICE_MAN)):
        person.draw(pen.at(x, 352, 1.1), "calm", sets.clap(t, 6))


def _locked(stage: Stage) -> None:
    props.floor(stage, 296, "#5f5b78")
    props.window(stage.pen.at(40, 56), 120, 90, "#2f3260")
    moon(stage.pen.at(130, 84, 0.36), "doubt")
    pen = stage.pen
    pen.box(470, 96, 130, 206, "#8a5a3c", 3)
    pen.ellipse(488, 204, 6, 6, "#f2b134", width=2)
    for lean in (-1, 1):
        for k in range(9):
            x = 466 + k * 17
            pen.ellipse(x, 200 + lean * (k - 4) * 14, 10, 6, None, "#c9ced8", 4)
    pen.stroke(_shackle(535, 196), "#c9ced8", 8)
    pen.box(509, 196, 52, 44, "#f2b134", 6)
    pen.ellipse(535, 214, 5, 5, "#2b2438", None)


def _shackle(x: float, y: float) -> list[tuple[float, float]]:
    return [(x - 16, y), (x - 15, y - 22), (x, y - 32), (x + 15, y - 22), (x + 16, y)]


def _night_shift(stage: Stage, t: float) -> None:
    pen = stage.pen
    for x, person in ((80, CODER), (220, GIRL), (360, OFFICE_MAN)):
        person.draw(pen.at(x, 346, 1.2), "sick", sets.clap(t, 2.5), "none")
    for x in (80, 220, 360):
        props.desk(pen.at(x, 384), 130, 86, "#8a5a3c")
        props.laptop(pen.at(x + 34, 292, 0.8))


def _overtime_score(track: Track) -> None:
    proud = [("C4+E4", 1), ("G4", 1), ("E4+G4", 1), ("C5", 1)]
    track.add(0, melody(proud, 0.3, "brass"), 0.15)
    track.add(1.6, foley.applause(1.6, 18), 0.4)
    for i in range(8):
        track.add(3.4 + i * 0.4, foley.applause(0.16, 3, seed=4), 0.55)
    track.add(3.2, foley.drum(0.8, 55), 0.6)


OVERTIME = Film(
    "vimu_900102",
    "zh",
    (
        Shot(3.2, _speech, _hall, "#ffe3b0"),
        Shot(3.6, _night_shift, _locked, "#7b7796"),
    ),
    _overtime_score,
    Gold(
        question="这段视频对老板的话持什么态度？为什么？",
        answer="它讽刺“自愿加班”：老板在台上说加班全凭自愿，镜头一切，深夜的办公室大门上了铁链和"
        "大锁，员工两眼发黑还得机械地鼓掌，根本没有选择。",
        difficulty="medium",
        rubric=(
            "指出“自愿”是假的，员工被迫留下",
            "提到上锁的门、黑眼圈或机械的掌声",
            "指出讽刺的对象是老板或加班文化",
            "没有把员工的鼓掌理解为真心拥护",
        ),
        literal_summary="老板在阳光下的讲台上讲话，众人鼓掌；下一个镜头是深夜，门被铁链锁住，"
        "三名疲惫的员工坐在电脑前慢慢拍手。",
        intended_meaning="职场里的“自愿”常常是强迫，大家心里明白，却只能无奈配合。",
        evidence={
            "frames": "大门被铁链和挂锁锁死，员工带着黑眼圈坐在桌前。",
            "editing": "从阳光下的讲话直接切到深夜上锁的办公室，前后互相拆台。",
            "transcript": "老板说：加班，完全自愿。",
            "audio_tone": "前面掌声热烈，后面只剩稀落而整齐的拍手声。",
        },
        rhetoric=("sarcasm", "contrast"),
        social=("fatalism_or_cynicism", "norm_violation"),
        targets=("老板", "加班文化"),
    ),
    lines=(Line("加班，完全自愿！", 0.5, 2.9, "cmn+m3", 220, 55),),
)


def _open_plan(stage: Stage) -> None:
    props.floor(stage, 170, "#b9b3c6")
    props.window(stage.pen.at(250, 16), 140, 70, "#bfe3f2")


SEATS = ((110, CODER), (320, GIRL), (530, RUNNER))


def _busy(stage: Stage, t: float) -> None:
    pen = stage.pen
    x = between(t, 0.0, 2.2, -70, 214)
    step = t < 2.2 and beat(t, 5)
    BOSS.draw(pen.at(x, 226, 1.2), talking("doubt", t, 0.9, 2.6), "hips",
              "walk" if step else "stand", (1, 0))  # fmt: skip
    for i, (seat, person) in enumerate(SEATS):
        _seated(stage, seat, person, "calm" if t < 2.9 else talking("happy", t + i * 0.1, 2.9, 4.3))
        pen.box(seat - 88, 232, 176, 150, "#a8754f")
        pen.box(seat - 96, 222, 192, 14, "#8a5a3c", 3)


def _secret(stage: Stage, t: float) -> None:
    for i, (seat, person) in enumerate(SEATS):
        _seated(stage, seat, person, "glad" if beat(t + i, 1) else "calm")
        stage.pen.box(seat - 96, 222, 192, 14, "#8a5a3c", 3)
        for leg in (-88, 80):
            stage.pen.box(seat + leg, 236, 8, 140, "#8a5a3c")
        _bowl(stage, seat, t + i, person.skin)


def _seated(stage: Stage, x: float, person: Person, mood: Expression) -> None:
    stage.pen.box(x - 40, 180, 80, 150, "#6c7fb0", 12)
    person.draw(stage.pen.at(x, 308, 1.15), mood, ((-20.0, -60.0), (20.0, -60.0)), "none")
    props.laptop(stage.pen.at(x - 62, 224, 0.75))


def _bowl(stage: Stage, x: float, t: float, skin: str) -> None:
    pen = stage.pen
    props.fishbowl(pen.at(x, 306), 62, 46)
    mood: Mood = "glad" if beat(t, 1.5) else "love"
    fish(pen.at(x + 6 * math.sin(t * 3), 308, 0.85), mood)
    pat = 10 * math.sin(t * 6)
    pen.limb([(x - 30, 246), (x - 26 + pat * 0.5, 266), (x - 12 + pat, 284)], skin, 9)
    for i in range(3):
        rise = (t * 0.8 + i / 3) % 1
        pen.ellipse(x + 40 - 6 * i, 326 - 44 * rise, 3, 3, "#ffffff", width=1.2)


def _fishing_score(track: Track) -> None:
    track.add(0, foley.typing(4.4, 8), 0.35)
    for i in range(14):
        track.add(4.5 + i * 0.19, foley.pop(), 0.35)
    calm = [("E4", 1), ("G4", 1), ("B4", 1), ("G4", 1), ("A4", 2)]
    track.add(4.6, melody(calm, 0.35, "bell"), 0.25)


FISHING = Film(
    "vimu_900103",
    "zh",
    (
        Shot(4.4, _busy, _open_plan, "#e3e8f3"),
        Shot(2.8, _secret, _open_plan, "#e3e8f3", lambda t: View(320, 250, 1 + 0.04 * t)),
    ),
    _fishing_score,
    Gold(
        question="这段视频想借这间办公室说什么？",
        answer="他们在“摸鱼”，也就是上班偷懒：嘴上对老板说在忙，桌子下面却真的在摸鱼缸里的鱼。"
        "视频把这句职场暗语拍成了实景，善意地调侃打工人的小反抗。",
        difficulty="hard",
        rubric=(
            "说出“摸鱼”指上班偷懒",
            "指出嘴上说忙与桌下摸鱼的不一致",
            "指出这是打工人之间心照不宣的说法",
            "没有理解成公司真的在养鱼或卖鱼",
        ),
        literal_summary="老板巡视时问员工在忙什么，三人齐声说在忙；镜头一切，每个人都在桌下抚摸"
        "鱼缸里的鱼。",
        intended_meaning="表面勤奋、背后偷闲是打工人共同的默契，也是对瞎忙的小小抵抗。",
        evidence={
            "frames": "桌子下面三个人都把手伸进鱼缸摸鱼。",
            "editing": "先拍有挡板的桌子，再切到没有挡板的同一画面，露出桌下的秘密。",
            "transcript": "老板问在忙什么，员工回答在忙在忙。",
        },
        rhetoric=("dog_whistle_or_code", "absurdism"),
        social=("norm_violation", "anti_mainstream_value"),
        targets=("打工人", "形式上的忙碌"),
    ),
    lines=(
        Line("大家在忙什么？", 0.9, 2.8, "cmn+m3", 235, 40),
        Line("在忙，在忙！", 2.9, 4.4, "cmn+f3", 230, 65),
    ),
)

FILMS = (MEETING, OVERTIME, FISHING)
