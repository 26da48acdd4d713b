"""Draws docs/leaderboard.png and .svg: published values of PixelHumor beside runs of our own, and
docs/leaderboard-narrow.png, three of its tasks below each other, for phones; both in Chinese, too.

Published values come from the package's published.csv, our own from a file of scores, which has to
be of the released data. With DATA the folder of the released annotations (`deadpan data get
pixelhumor --data DATA`; no pictures are needed), in two minutes on two cores:

deadpan run pixelhumor/presence,modality,style,panel,panel_order,panel_text \\
    --model baseline/majority --model baseline/random --data DATA --variant text-only \\
    --reading literal --gate none --store leaderboard --json scores.json
python scripts/leaderboard.py scores.json docs/leaderboard

Without a gate, since half of what a random answer says of modality, styles and panel would be lost
to its own toss for whether the comic is funny; who says yes to all, as the most frequent answer
does and the published models nearly do, scores the same with it.

The same values as a Markdown table go to standard output. Sound effects are left out: what the
paper's table 2 prints of them is on another level than its tables 14 and 15 (`oddities` in
published.json).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import altair as alt
from PIL import Image

import deadpan
from deadpan.core.metric import Metric
from deadpan.core.published import read_published
from deadpan.reports.plot import plot_png, plot_svg
from deadpan.reports.theme import CONFIG, INK

TASKS = ("presence", "modality", "style", "panel", "panel_order", "panel_text")
OURS, THEIRS, GROUND, EDGE, FAINT = "#b8470f", "#1d5fa8", "#fbeee5", "#e3a67f", "#5c626c"
PANEL, ROW, SPACE, LEFT = 214, 24, 28, 146
"""A panel's width and a row's height; the pixels between, and left."""
Look = dict[str, Any]


@dataclass(frozen=True)
class Words:
    """What a picture says in one language."""

    title: str
    long_title: str
    own: Mapping[str, str]
    """What the baselines say; the reading order and the panels' texts have no most frequent answer:
    there it is 1, 2, 3, … and no text."""
    key: tuple[str, str, str]
    caption: str
    between: tuple[str, str]
    """What stands between several, and between the last two."""
    tasks: Mapping[str, str]
    """Titles, where they are not the benchmark's own."""
    metrics: Mapping[str, str]
    licences: Mapping[str, str]


ENGLISH = Words(
    "{}: what models score",
    "{}: what models score, and what needs no model",
    {"baseline/majority": "most frequent answer", "baseline/random": "random answer"},
    (
        "published in the paper, which prints no intervals",
        "our run, with its 95 % interval",
        "reached without looking at the comic",
    ),
    "n = {n:,} comics, all that are released (licence of the annotations: {licence}). Published: "
    "{paper}, tables {tables}. Ours: baselines, asked by text alone. Most frequent answer: by the "
    "released gold; for the reading order 1, 2, 3, …; the texts are empty. What carries the "
    "humour, styles and panel: of all comics, also where a random answer found no humour.",
    (", ", " and "),
    {},
    {},
    {},
)
CHINESE = Words(
    "{}：模型得多少分",
    "{}：模型得多少分，不用模型又能得多少分",
    {"baseline/majority": "最常见的答案", "baseline/random": "随机作答"},
    ("论文发表的结果（论文未给出区间）", "我们的运行，附 95% 置信区间", "不看漫画也能达到"),
    "n = {n:,} 部漫画，即发布的全部数据（标注的许可证：{licence}）。论文结果：{paper}，"
    "表 {tables}。我们的结果：只给文字、不给图片的基线。最常见的答案取自发布的标准答案；"
    "阅读顺序为 1、2、3……；文字为空。笑点靠什么表达、手法和画格：对全部漫画计分，"
    "随机作答认为不好笑的也在内。",
    ("、", "、"),
    {
        "presence": "看懂笑点了吗",
        "modality": "笑点靠什么表达",
        "style": "幽默手法",
        "panel": "最关键的画格",
        "panel_order": "画格的阅读顺序",
        "panel_text": "各画格中的文字",
    },
    {"accuracy": "准确率"},
    {"not stated": "未注明"},
)


@dataclass(frozen=True)
class Layout:
    """How wide a picture is: its tasks, how many beside each other, where the words of the key
    begin, and how many characters a line of the caption takes."""

    tasks: tuple[str, ...]
    columns: int
    key: tuple[tuple[int, int], ...]
    characters: int
    is_long: bool

    @property
    def width(self) -> int:
        return LEFT + self.columns * PANEL + (self.columns - 1) * SPACE


WIDE = Layout(TASKS, 3, ((6, 0), (342, 0), (572, 0)), 148, True)
NARROW = Layout(("style", "panel", "panel_order"), 1, ((6, 0), (6, 1), (6, 2)), 60, False)


@dataclass(frozen=True)
class Value:
    """A model's score on a task: as published, or of a run of ours, with its interval."""

    task: str
    model: str
    value: float
    printed: str
    low: float | None = None
    high: float | None = None

    @property
    def is_ours(self) -> bool:
        return self.low is not None

    def row(self, words: Words) -> str:
        return words.own[self.model] if self.is_ours else self.model


@dataclass(frozen=True)
class Board:
    """All values that are drawn, and where they are from."""

    loaded: deadpan.LoadedBenchmark
    values: list[Value]
    signature: str
    tables: list[str]

    def rows(self, words: Words) -> list[str]:
        """Published models in the paper's order, then ours."""
        return list(dict.fromkeys(one.row(words) for one in self.values))

    def metric(self, task: str) -> Metric:
        return first_metric(self.loaded, task)

    def title(self, task: str, words: Words = ENGLISH) -> str:
        own = next(spec.title for spec in self.loaded.tasks if spec.name == task)
        return words.tasks.get(task, own)


def first_metric(loaded: deadpan.LoadedBenchmark, task: str) -> Metric:
    return next(spec for spec in loaded.tasks if spec.name == task).metrics[0]


def read_board(scores: Path) -> Board:
    """The board of a file of scores, which have to be of the released data as a whole."""
    loaded = deadpan.load("pixelhumor")
    benchmark, document = loaded.benchmark, json.loads(scores.read_text("utf-8"))
    wanted = f"|n:{benchmark.released_items}|data:{benchmark.released}"
    if document["benchmark"] != loaded.name or wanted not in document["signature"]:
        raise SystemExit(f"{scores}: not of all released data ({wanted})")
    if "|gate:none|" not in document["signature"]:
        raise SystemExit(f"{scores}: scored behind a gate; expected --gate none")
    published = read_published(benchmark.folder)
    assert published is not None
    lead = {(task, first_metric(loaded, task).name) for task in TASKS}
    theirs = [
        row
        for row in published.rows.filter(group="all").iter_rows(named=True)
        if (row["task"], row["metric"]) in lead
    ]
    values = [Value(row["task"], row["model"], row["value"], row["printed"]) for row in theirs]
    for row in document["rows"]:
        if row["group"] == "all" and (row["task"], row["metric"]) in lead:
            printed = f"{row['value']:.{first_metric(loaded, row['task']).decimals}f}"
            ends = row["low"], row["high"]
            values.append(Value(row["task"], row["model"], row["value"], printed, *ends))
    tables = list(dict.fromkeys(row["table"] for row in theirs))
    return Board(loaded, values, document["signature"], tables)


def draw_panel(board: Board, task: str, has_names: bool, words: Words) -> alt.LayerChart:
    """A task: a row for each model, and on coloured ground how far the better baseline comes."""
    own = [one for one in board.values if one.task == task]
    marks = [
        {
            "row": one.row(words),
            "value": one.value,
            "low": one.value if one.low is None else one.low,
            "high": one.value if one.high is None else one.high,
            "printed": one.printed,
            "ours": one.is_ours,
        }
        for one in own
    ]
    ours = " || ".join(f"datum.value == '{name}'" for name in words.own.values())
    axis = alt.Axis(
        grid=False,
        labels=has_names,
        labelLimit=LEFT,
        labelFontSize=13.5,
        labelColor={"condition": {"test": ours, "value": OURS}, "value": INK},
    )
    scale = alt.Scale(domain=[0, 1.02], nice=False)
    rows = board.rows(words)
    y = alt.Y("row:N", sort=rows, title=None, axis=axis, scale=alt.Scale(domain=rows))

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", title=None, scale=scale, axis=alt.Axis(**_TICKS))

    base = _chart(marks).encode(y=y)
    reached = _chart([{"from": 0, "to": max(one.value for one in own if one.is_ours)}])
    published = base.transform_filter("!datum.ours").encode(x=x("value"))
    made = base.transform_filter("datum.ours")
    colour = alt.condition("datum.ours", alt.value(OURS), alt.value(INK))
    texts = base.encode(text="printed:N", color=colour)
    roomy, tight = (texts.transform_filter(f"{no}(datum.high > 0.8)") for no in ("!", ""))
    return alt.layer(
        reached.mark_rect(color=GROUND).encode(x=x("from"), x2="to:Q"),
        reached.mark_rule(color=EDGE).encode(x=x("to")),
        made.mark_rule(**_LINE).encode(x=x("low"), x2="high:Q"),
        made.mark_tick(**_END).encode(x=x("low")),
        made.mark_tick(**_END).encode(x=x("high")),
        made.mark_point(**_OURS).encode(x=x("value")),
        published.mark_point(**_THEIRS),
        roomy.mark_text(align="left", dx=9, fontSize=12.5).encode(x=x("high")),
        tight.mark_text(align="right", dx=-9, fontSize=12.5).encode(x=x("low")),
    ).properties(
        width=PANEL,
        height=ROW * len(rows),
        title=alt.TitleParams(
            board.title(task, words),
            subtitle=words.metrics.get(board.metric(task).name, board.metric(task).title),
            anchor="start",
            fontSize=14,
            subtitleFontSize=12,
            subtitleColor=FAINT,
            offset=8,
        ),
    )


_SHORT = "datum.value == 0 ? '0' : datum.value == 1 ? '1' : format(datum.value, '.2f')"
_TICKS: Look = {
    **{"values": [0, 0.25, 0.5, 0.75, 1], "labelExpr": _SHORT},
    **{"labelFontSize": 11.5, "labelFlush": False},
}
_OURS: Look = {"filled": True, "size": 26, "color": OURS, "opacity": 1}
_LINE: Look = {"strokeWidth": 2, "color": OURS}
_END: Look = {"orient": "vertical", "size": 11, "thickness": 1.6, "color": OURS}
_THEIRS: Look = {
    **{"shape": "diamond", "size": 80, "color": THEIRS, "fill": "white"},
    **{"strokeWidth": 2, "opacity": 1},
}


def _chart(marks: list[dict[str, Any]]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=marks))


def draw_key(layout: Layout, words: Words) -> alt.LayerChart:
    """What the marks and the ground mean, above the panels."""
    lines = 1 + max(line for _, line in layout.key)
    scale = alt.Scale(domain=[0, layout.width], range=[-LEFT, layout.width - LEFT], nice=False)
    down = alt.Scale(domain=[lines - 0.5, -0.5], nice=False)
    y = alt.Y("y:Q", scale=down, axis=None)

    def x(field: str) -> alt.X:
        return alt.X(f"{field}:Q", scale=scale, axis=None)

    theirs, run, ground = ([{"at": at, "y": line}] for at, line in layout.key)
    run[0] |= {"low": run[0]["at"] - 10, "high": run[0]["at"] + 10}
    places = zip(layout.key, words.key, strict=True)
    said = _chart([{"at": at + 17, "y": line, "said": text} for (at, line), text in places])
    line = _chart(run).encode(y=y)
    square = _chart(ground).mark_square(size=230, color=GROUND, stroke=EDGE, opacity=1)
    return alt.layer(
        _chart(theirs).mark_point(**_THEIRS).encode(x=x("at"), y=y),
        line.mark_rule(**_LINE).encode(x=x("low"), x2="high:Q"),
        line.mark_tick(**_END).encode(x=x("low")),
        line.mark_tick(**_END).encode(x=x("high")),
        line.mark_point(**_OURS).encode(x=x("at")),
        square.encode(x=x("at"), y=y),
        said.mark_text(align="left", fontSize=13, color=INK).encode(x=x("at"), y=y, text="said:N"),
    ).properties(width=PANEL, height=20 * lines)


def draw_caption(board: Board, layout: Layout, words: Words) -> alt.Chart:
    """How many comics, whose numbers, and the signature of ours."""
    benchmark = board.loaded.benchmark
    licence = benchmark.licence.partition(";")[0]
    comma, last = words.between
    about = words.caption.format(
        n=benchmark.released_items,
        licence=words.licences.get(licence, licence),
        paper=board.loaded.citation,
        tables=last.join((comma.join(board.tables[:-1]), board.tables[-1])),
    )
    signature = board.signature.replace("|", " | ").replace("+", " + ").replace(",", ", ")
    lines = [*wrapped(about, layout.characters), *wrapped(signature, layout.characters)]
    marks = [{"y": -number, "text": line} for number, line in enumerate(lines)]
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[0.5 - len(lines), 0.5], nice=False))
    text = _chart(marks).mark_text(align="left", fontSize=11.5, color=FAINT)
    return text.encode(x=alt.value(-LEFT), y=y, text="text:N").properties(
        width=PANEL, height=16 * len(lines)
    )


_PIECE = re.compile(r"(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef]+)[，。；：、）…]*|\s")
"""A Chinese character or a word, with the marks that may not begin a line; or a space."""


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines; a Chinese character takes the room of two."""
    lines, room = [""], width
    for piece in _PIECE.findall(text):
        wide = sum(2 if letter > "\u2e7f" else 1 for letter in piece)
        if wide > room:
            lines, room = [*lines, ""], width
        lines[-1] += piece
        room -= wide
    return [line.strip() for line in lines]


def draw(board: Board, layout: Layout, words: Words) -> dict[str, Any]:
    """The whole picture as Vega-Lite."""
    panels = [
        draw_panel(board, task, number % layout.columns == 0, words)
        for number, task in enumerate(layout.tasks)
    ]
    grid = alt.ConcatChart(concat=panels, columns=layout.columns, spacing=SPACE)
    parts = [draw_key(layout, words), grid, draw_caption(board, layout, words)]
    chart = alt.VConcatChart(vconcat=parts, spacing=18)
    title, _, _ = board.loaded.title.partition(": ")
    chart = chart.properties(
        title=alt.TitleParams(
            (words.long_title if layout.is_long else words.title).format(title),
            fontSize=19,
            offset=14,
        ),
        background="white",
    )
    return {**chart.to_dict(), "config": CONFIG}


def write_png(spec: dict[str, Any], out: Path) -> None:
    """The picture in few colours, which keeps it small."""
    with Image.open(BytesIO(plot_png(spec))) as drawn:
        drawn.convert("RGB").quantize(96).save(out, optimize=True)


def table(board: Board) -> str:
    """The same values in Markdown."""
    heads = [f"{board.title(task)} ({board.metric(task).title})" for task in TASKS]
    lines = ["| | " + " | ".join(heads) + " |", "| --- |" + " ---: |" * len(TASKS)]
    for row in board.rows(ENGLISH):
        cells = []
        for task in TASKS:
            one = next(own for own in board.values if (own.task, own.row(ENGLISH)) == (task, row))
            places = board.metric(task).decimals
            ends = f" [{one.low:.{places}f}, {one.high:.{places}f}]" if one.is_ours else ""
            cells.append(one.printed + ends)
        whose = "ours" if row in ENGLISH.own.values() else "published"
        lines.append(f"| {row} ({whose}) | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python scripts/leaderboard.py SCORES.json OUT")
    found, out = read_board(Path(sys.argv[1])), Path(sys.argv[2])
    out.with_suffix(".svg").write_text(plot_svg(draw(found, WIDE, ENGLISH)), "utf-8")
    for words, after in ((ENGLISH, ""), (CHINESE, "-zh")):
        for layout, width in ((WIDE, ""), (NARROW, "-narrow")):
            write_png(draw(found, layout, words), out.with_name(f"{out.name}{after}{width}.png"))
    print(table(found))
