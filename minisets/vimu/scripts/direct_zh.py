"""Chinese films that say what they want: no litter, no strangers."""

from minisets.drawing import props
from minisets.drawing.cast import cloud
from minisets.vimu import foley
from minisets.vimu.film import Film, Line, Shot, nothing
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
from minisets.vimu.stage import Stage


def _park(stage: Stage) -> None:
    props.hills(stage, 210, "#9cc987")
    pen = stage.pen
    cloud(pen.at(150, 80, 0.9))
    for x, scale in ((110, 1.0), (540, 1.2)):
        tree = pen.at(x, 290, scale)
        tree.box(-10, -90, 20, 90, "#8a5a3c")
        tree.ellipse(0, -120, 62, 56, "#5fae5b")
    pen.box(240, 262, 170, 12, "#b9794f", 3)
    for x in (256, 382):
        pen.box(x, 274, 10, 40, "#8a5a3c")


def _park_score(track: Track) -> None:
    track.add(0, melody([("G4", 1), ("C5", 1)], 0.25, "bell"), 0.4)
    track.add(0, foley.birds(5.0), 0.1)


LITTER = Film(
    "vimu_900114",
    "zh",
    (Shot(5.0, nothing, _park, "#cfe8f3"),),
    _park_score,
    Gold(
        question="这段视频想告诉观众什么？",
        answer="就是一则公园广播：乱扔垃圾是不文明行为，违者罚款。没有别的意思。",
        difficulty="easy",
        rubric=(
            "说明是在提醒不要乱扔垃圾",
            "提到这种行为违规、会被罚款",
            "没有编造言外之意",
        ),
        literal_summary="公园里的树和长椅，广播说乱扔垃圾不文明，违者罚款。",
        intended_meaning="乱扔垃圾违反规定。",
        evidence={"transcript": "广播说：乱扔垃圾不文明，违者罚款。"},
        rhetoric=("literal_only",),
        social=("norm_violation",),
        targets=("乱扔垃圾的人",),
    ),
    lines=(Line("乱扔垃圾不文明，违者罚款。", 0.9, 4.8, "cmn+f2", 210, 50),),
)


def _gate(stage: Stage) -> None:
    props.floor(stage, 300, "#b9b3c6")
    pen = stage.pen
    for x in (120, 484):
        pen.box(x, 90, 36, 220, "#a8543c", 2)
    pen.box(156, 120, 328, 12, "#56667a", 2)
    for x in range(168, 480, 24):
        pen.box(x, 132, 7, 172, "#56667a")
    pen.box(156, 286, 328, 12, "#56667a", 2)


def _gate_score(track: Track) -> None:
    track.add(0.1, foley.slam(), 0.6)
    track.add(0.6, foley.crickets(4.4), 0.1)


GATE = Film(
    "vimu_900115",
    "zh",
    (Shot(5.0, nothing, _gate, "#dfe6ea"),),
    _gate_score,
    Gold(
        question="这段视频对来人说了什么？",
        answer="外地人不欢迎，一律不许进。话说得很直接，没有别的意思。",
        difficulty="easy",
        rubric=(
            "指出外地人被拒之门外",
            "指出话是直说的，没有言外之意",
            "没有理解成欢迎或玩笑",
        ),
        literal_summary="一扇关着的铁门，一个声音说这里不欢迎外地人，请回去。",
        intended_meaning="外地人不许进来。",
        evidence={"transcript": "那个声音说：这里不欢迎外地人，请回。"},
        rhetoric=("literal_only",),
        social=("exclusion", "discrimination_or_prejudice"),
        targets=("外地人",),
    ),
    lines=(Line("这里不欢迎外地人，请回。", 0.9, 4.6, "cmn+m1", 210, 35),),
)

FILMS = (LITTER, GATE)
