"""Chinese films in which no spoken word matters: what is written, cut or heard tells it."""

import numpy as np

from minisets.drawing import props
from minisets.drawing.balloons import extent
from minisets.drawing.cast import cloud, sun
from minisets.vimu import foley
from minisets.vimu.film import Film, Line, Shot
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Samples, Track, band, melody, noise, phase_of, times
from minisets.vimu.stage import Stage

DAYS = (("周一", 1.6), ("周二", 1.2), ("周三", 1.0), ("周四", 1.0), ("周五", 1.0), ("周六", 0.2),
        ("周日", 0.2), ("周一", 1.0))  # fmt: skip


def _day(name: str, seconds: float) -> Shot:
    weekend = name in ("周六", "周日")

    def leaf(stage: Stage, t: float) -> None:
        stage.pen.box(190, 50, 260, 260, "#fffdf7", 12)
        stage.pen.box(190, 50, 260, 60, "#57a773" if weekend else "#d64550", 12)
        stage.sign(name, 320, 210, 92)

    return Shot(seconds, leaf, None, "#bfe3f2" if weekend else "#b9b3c6")


def _week_score(track: Track) -> None:
    at = 0.0
    for name, seconds in DAYS:
        # Higher than a rubber stamp, which a speech detector takes for a voice here.
        track.add(at, foley.drum(0.2, 300), 0.8)
        if name not in ("周六", "周日"):
            track.add(at + 0.1, foley.ticking(seconds - 0.1), 0.5)
        at += seconds


WEEK = Film(
    "vimu_900110",
    "zh",
    tuple(_day(name, seconds) for name, seconds in DAYS),
    _week_score,
    Gold(
        question="这段视频说出了人们对一周的什么感受？",
        answer="工作日漫长，周末转眼就没：周一到周五一页页慢慢翻，周六周日一闪而过，马上又是周一。",
        difficulty="medium",
        rubric=(
            "指出工作日显得很长",
            "指出周末一闪而过，又回到周一",
            "没有理解成普通的日历介绍",
        ),
        literal_summary="日历从周一翻到周日再到周一，工作日每页停留很久，周六和周日只闪了一下。",
        intended_meaning="上班的日子过得慢，休息的日子过得快，让人泄气。",
        evidence={
            "text": "日历上依次写着周一到周日，然后又是周一。",
            "editing": "工作日每个镜头一秒以上，周末两个镜头加起来不到半秒。",
        },
        rhetoric=("exaggeration",),
        social=("negative_affect",),
        targets=("上班族",),
    ),
)

CHAT = (
    (0.3, "在吗？", True),
    (1.4, "在！好久不见！", False),
    (2.6, "最近手头宽裕吗？", True),
    (4.0, "不好意思，手机快没电了", False),
)


def _phone(stage: Stage) -> None:
    stage.pen.box(110, -20, 420, 400, "#2b2438", 26)
    stage.pen.box(124, -20, 392, 400, "#ece7df", 12)


def _chat(stage: Stage, t: float) -> None:
    for i, (at, text, theirs) in enumerate(CHAT):
        if t > at:
            half = extent([text], 24)[0] / 2 + 24
            x = 124 + half if theirs else 516 - half
            stage.plate(text, x, 56 + 80 * i, 24, "#fffdf7" if theirs else "#a8e08a")


def _chat_score(track: Track) -> None:
    for at, _, theirs in CHAT:
        track.add(at, foley.ding() if theirs else foley.pop(), 0.8)
    track.add(3.0, foley.typing(0.9, 8), 0.4)


ARE_YOU_THERE = Film(
    "vimu_900111",
    "zh",
    (Shot(5.6, _chat, _phone, "#c3b6d6"),),
    _chat_score,
    Gold(
        question="聊天的两个人各自真正想说的是什么？",
        answer="问的人想借钱，却只说“在吗”“手头宽裕吗”；回的人听懂了，用手机没电来推辞。"
        "两边都没有把借钱和拒绝说出口。",
        difficulty="hard",
        rubric=(
            "指出对方其实想借钱",
            "指出手机没电是婉拒的借口",
            "指出双方都没有明说",
        ),
        literal_summary="聊天界面里，对方问在吗、手头宽裕吗，回答说手机快没电了；旁边的电视在报天气。",
        intended_meaning="“在吗”后面往往跟着借钱，成年人的请求和拒绝都靠暗示。",
        evidence={"text": "四条聊天消息：在吗、好久不见、手头宽裕吗、手机快没电了。"},
        rhetoric=("innuendo", "dog_whistle_or_code"),
        social=("other",),
        targets=("久不联系的熟人",),
    ),
    lines=(Line("明天多云，后天有雨。", 0.9, 4.4, "cmn+f2", 210, 50),),
)


def _lake(stage: Stage) -> None:
    props.hills(stage, 190, "#9cc3a5")
    stage.pen.box(-9, 230, 660, 150, "#8fc3d6")
    sun(stage.pen.at(500, 90, 0.9), "sleep")
    cloud(stage.pen.at(180, 90, 0.9), "sleep")
    stage.plate("静心时间：放空自己", 320, 290, 34, "#fffdf7")


def _meditation_score(track: Track) -> None:
    calm = [("E4", 2), ("G4", 2), ("B4", 2), ("A4", 2)]
    track.add(0, melody(calm, 0.4, "bell"), 0.3)
    for i in range(12):
        track.add(1.6 + 3.6 * (1 - 0.8**i), foley.ding(), 0.9)
    track.add(3.0, foley.typing(2.4, 15, 1.0), 0.9)


MEDITATION = Film(
    "vimu_900112",
    "zh",
    (Shot(5.6, lambda stage, t: None, _lake, "#dcecf2"),),
    _meditation_score,
    Gold(
        question="这段静心视频其实说明了什么？",
        answer="根本静不下来：画面请人放空自己，耳边却是越来越密的消息提示音和飞快的打字声，"
        "人一直在回工作消息。",
        difficulty="hard",
        rubric=(
            "指出提示音和打字声打破了宁静",
            "指出有人在回消息而不是静心",
            "没有理解成真正的放松视频",
        ),
        literal_summary="湖边风景配着“静心时间：放空自己”，琴声里响起越来越多的提示音和打字声。",
        intended_meaning="随时在线的人连五分钟也放空不了。",
        evidence={
            "text": "画面上写着“静心时间：放空自己”。",
            "audio_tone": "琴声被越来越密的提示音和急促的打字声盖住。",
        },
        rhetoric=("irony",),
        social=("negative_affect",),
        targets=("随时在线的人",),
    ),
)


def _bedroom_door(stage: Stage) -> None:
    props.floor(stage, 300, "#4d4a66")
    pen = stage.pen
    pen.box(250, 60, 140, 246, "#6b4d3f", 3)
    pen.box(270, 84, 100, 86, "#5d4236", 2)
    pen.box(270, 190, 100, 94, "#5d4236", 2)
    pen.ellipse(374, 186, 6, 6, "#f2b134", width=2)
    props.window(pen.at(60, 70), 110, 90, "#2f3260")


def _snore(seconds: float, seed: int) -> Samples:
    """A breath drawn in with a rattle and let go with a whistle."""
    t = times(seconds)
    rattle = 0.5 + 0.5 * np.sign(np.sin(2 * np.pi * 28 * t))
    swell = np.sin(np.pi * t / seconds) ** 2
    breath: Samples = band(noise(seconds, seed), 70, 420) * rattle * swell
    return breath


def _engine(seconds: float) -> Samples:
    """An engine that starts and runs faster."""
    t = times(seconds)
    strokes = 0.5 + 0.5 * np.sign(np.sin(phase_of(14 + 10 * t)))
    running: Samples = band(noise(seconds, 21), 1000, 6000) * strokes
    return running


def _snoring_score(track: Track) -> None:
    for i in range(3):
        track.add(0.3 + 1.7 * i, _snore(1.1, i + 1), 0.4 + 0.2 * i)
    track.add(3.9, _engine(1.6), 0.9)
    track.add(4.6, foley.drum(0.9, 40), 0.9)


SNORING = Film(
    "vimu_900113",
    "zh",
    (Shot(5.6, lambda stage, t: None, _bedroom_door, "#3d3a5c"),),
    _snoring_score,
    Gold(
        question="门后面是什么情形？视频是怎样表现的？",
        answer="有人在门后打呼噜，一声比一声响，最后像发动机点火一样轰鸣；视频只用声音把呼噜"
        "夸大成了机器。",
        difficulty="medium",
        rubric=(
            "指出门后有人在打呼噜",
            "指出声音被夸大成发动机一样的轰鸣",
            "没有理解成门后真的有机器或危险",
        ),
        literal_summary="夜里一扇关着的卧室门，一直没有动；门后的呼噜声越来越响，最后变成轰鸣。",
        intended_meaning="家里那位的呼噜响得像开了台发动机，只是打趣，并无恶意。",
        evidence={"audio_tone": "呼噜声一声高过一声，最后接上发动机般的轰鸣和闷响。"},
        rhetoric=("exaggeration",),
        social=("none",),
        targets=("打呼噜的家人",),
    ),
)

FILMS = (WEEK, ARE_YOU_THERE, MEDITATION, SNORING)
