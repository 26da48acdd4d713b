"""A toy benchmark with drawn pictures, three models, both languages and all outcomes."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
from PIL import Image, ImageDraw
from pydantic import BaseModel

from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import Report, TableLayout
from deadpan.core.dataset import Dataset
from deadpan.core.metric import Metric
from deadpan.core.outcomes import COUNTED_AS_WRONG, LEFT_OUT, OUTCOMES, Coverage
from deadpan.core.plots import AnyPlot, PlotSpec
from deadpan.core.published import Published, published_rows
from deadpan.core.questions import Grade, Language, Prompts, Question, Reply
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import Signature
from deadpan.reports import Section

MODELS = ("vllm/laugh-track-7b", "openai/straight-face", "baseline/majority")
STYLES = ("Pun", "Sarcasm", "Surprise", "Dark")
SOURCES = ("tabby", "margins", "夜猫")
CHINESE = "这是一个自嘲的笑话：我不是懒，只是在省电模式。"
SKILL = {MODELS[0]: 0.62, MODELS[1]: 0.78, MODELS[2]: 0.45}


F1 = Metric("f1", "F1", range=(0, 1))
WER = Metric("wer", "WER", better="lower")


class Toy(Benchmark[BaseModel]):
    """Two choice-like tasks and one of labels."""

    name = "toy"
    title = "Toy Comics"
    released = "0a1b2c3d"
    citation = "The Toy authors. Toy Comics: a benchmark of nothing. 2031."
    languages = ("en", "zh")
    folder = Path(__file__).parent
    tasks = (
        Task("presence", "Humour presence", 1, (F1,), graded_by=("f1",)),
        Task("style", "Humour style", 2, (F1, Metric("recall")), graded_by=("f1",)),
        Task("panel_text", "Panel text", 1, (WER, Metric("accuracy"))),
    )
    _tables: tuple[TableLayout, ...] = (
        TableLayout(
            "Recognition",
            "2",
            (
                ("F1", "presence", "f1", "all"),
                ("Recall", "presence", "recall", "all"),
                ("F1", "style", "f1", "all"),
                ("Recall", "style", "recall", "all"),
                ("Accuracy", "panel_text", "accuracy", "all"),
                ("WER", "panel_text", "wer", "all"),
            ),
        ),
        TableLayout(
            "Recall per style",
            "3",
            tuple((style, "style", "recall", f"style={style}") for style in (*STYLES, "Silliness")),
        ),
    )
    _plots: tuple[AnyPlot, ...] = (
        PlotSpec("Presence by number of panels", "presence", "f1", "panels"),
        PlotSpec("Style by source", "style", "f1", "source"),
    )
    report = Report(_tables, _plots)

    def read(self, data: Path | None) -> Dataset[BaseModel]:
        raise NotImplementedError

    def questions(self, dataset: Dataset[BaseModel], task: str, prompts: Prompts) -> list[Question]:
        raise NotImplementedError

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        raise NotImplementedError

    def score(self, table: pl.DataFrame, options: ScoringOptions) -> list[Score]:
        """Shares of exact answers under several metric names: numbers to print, no more."""
        made: list[Score] = []
        for (model, task), rows in table.group_by(["model", "task"], maintain_order=True):
            signature = rows["signature"][0]
            for metric in ("f1", "recall", "wer", "accuracy"):
                made.append(_score(str(model), str(task), metric, "all", rows, signature))
            for key in ("source", "panels", "style"):
                column = f"attr.{key}"
                for (value,), part in rows.group_by([column], maintain_order=True):
                    group = f"{key}={value}"
                    made += [
                        _score(str(model), str(task), m, group, part, signature)
                        for m in ("f1", "recall")
                    ]
        return made


def _score(
    model: str, task: str, metric: str, group: str, rows: pl.DataFrame, signature: str
) -> Score:
    coverage = Coverage.of(rows["outcome"])
    scored = rows.filter(~pl.col("outcome").is_in(list(LEFT_OUT)))
    right = int((scored["parsed"] == scored["gold"]).fill_null(False).sum())
    share = right / len(scored) if len(scored) else None
    value = None if share is None else 1 - share if metric == "wer" else share
    return Score.over(
        coverage,
        model=model,
        task=task,
        metric=metric,
        group=group,
        value=value,
        signature=signature,
    )


def draw(path: Path, number: int, panels: int) -> str:
    """A small comic of coloured panels with a face in each."""
    rng = random.Random(number)
    image = Image.new("RGB", (260 * panels + 20, 320), "white")
    pen = ImageDraw.Draw(image)
    for panel in range(panels):
        left = 20 + 260 * panel
        shade = tuple(rng.randint(170, 245) for _ in range(3))
        pen.rectangle((left, 20, left + 240, 300), fill=shade, outline="black", width=3)
        pen.ellipse((left + 70, 110, left + 170, 210), fill="#ffe9a8", outline="black", width=3)
        for eye in (100, 140):
            pen.ellipse((left + eye - 6, 140, left + eye + 6, 152), fill="black")
        pen.line((left + 95, 182, left + 145, 182), fill="black", width=4)
        pen.text((left + 12, 30), str(panel + 1), fill="black", font_size=28)
    image.save(path)
    return str(path)


def toy_table(
    folder: Path, items: int = 24, models: Sequence[str] = MODELS, seed: int = 5
) -> pl.DataFrame:
    """The tidy table of a run that never happened; every outcome occurs for every model."""
    rng = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for number in range(items):
        panels = 1 + number % 4
        name = f"{SOURCES[number % 3]}-{number:03d}"
        picture = draw(folder / f"{number:03d}.png", number, panels)
        language: Language = "zh" if number % 4 == 3 else "en"
        for task in Toy.tasks:
            gold = _gold(task.name, number, language)
            for model in models:
                ends_badly = (number * 7 + len(model)) % 9 == 0
                outcome = OUTCOMES[1 + (number + 1) % 5] if ends_badly else "answered"
                parsed = _parsed(gold, outcome, rng.random() < SKILL.get(model, 0.5))
                rows.append(
                    {
                        "benchmark": "toy",
                        "task": task.name,
                        "version": str(task.version),
                        "model": model,
                        "item": name,
                        "epoch": 1,
                        "language": language,
                        "answer": _answer(parsed, outcome, language),
                        "gold": json.dumps(gold),
                        "parsed": None if parsed is None else json.dumps(parsed),
                        "outcome": outcome,
                        "reason": _reason(outcome),
                        "picture": picture,
                        "input_tokens": 700,
                        "output_tokens": 12,
                        "seconds": 0.8,
                        "signature": str(
                            Signature(
                                "toy", task.name, str(task.version), items, "0a1b2c3d", "4e5f6a7b"
                            )
                        ),
                        "score.f1": None if outcome in LEFT_OUT else float(parsed == gold),
                        "attr.source": SOURCES[number % 3],
                        "attr.panels": panels,
                        "attr.style": STYLES[number % 4],
                    }
                )
    return pl.DataFrame(rows)


def _gold(task: str, number: int, language: str) -> Any:
    if task == "presence":
        return ["Yes" if number % 5 else "No"]
    if task == "style":
        return sorted({STYLES[number % 4], STYLES[number % 3]})
    return CHINESE if language == "zh" else "1: Monday again. 2: It was always Monday."


def _parsed(gold: Any, outcome: str, right: bool) -> Any:
    if outcome in COUNTED_AS_WRONG or outcome == "failed":
        return None
    return gold if right else (["Pun", "Yes"] if isinstance(gold, list) else "something else")


def _answer(parsed: Any, outcome: str, language: str) -> str | None:
    if outcome == "failed":
        return None
    if outcome == "refused":
        return "抱歉，我不能回答。" if language == "zh" else "I'm sorry, I can't help with that."
    if parsed is None:
        return "Well, it depends on what you call a joke."
    text = ", ".join(parsed) if isinstance(parsed, list) else str(parsed)
    return f"答案：{text}" if language == "zh" else f"Answer: {text}"


def _reason(outcome: str) -> str | None:
    return {
        "invalid": "no option of the vocabulary was found",
        "truncated": "the reply was cut off at the token limit",
        "refused": "refusal text",
        "failed": "TimeoutError: no reply within 120 s",
        "judge_failed": "the reply broke the schema",
    }.get(outcome)


def toy_published() -> Published:
    """Two published models with scores for every layout and plot of the toy."""
    rng = random.Random(1)
    rows: list[dict[str, str | float]] = []
    for model in ("GPT-4o", "Qwen2-VL-72B"):
        for layout in Toy.report.tables:
            rows += [
                {
                    "table": layout.published,
                    "model": model,
                    "task": task,
                    "metric": metric,
                    "group": group,
                    "value": round(rng.uniform(0.4, 0.9), 3),
                }
                for _, task, metric, group in layout.columns
            ]
        rows += [
            {
                "table": "15",
                "model": model,
                "task": task,
                "metric": "f1",
                "group": group,
                "value": round(rng.uniform(0.4, 0.9), 3),
            }
            for task, group in [
                *(("presence", f"panels={n}") for n in range(1, 5)),
                *(("style", f"source={name}") for name in SOURCES),
            ]
        ]
    return Published(
        published_rows(rows),
        "Toy authors 2031",
        "https://example.org/toy",
        {"2": "Recognition"},
        {"2": "the recall is as printed"},
        ["Table 3: the row of GPT-4o sums to more than it can."],
    )


def toy_section(folder: Path, table: pl.DataFrame | None = None, **kwargs: Any) -> Section:
    """A section over the toy table, with published scores."""
    table = toy_table(folder, **kwargs) if table is None else table
    toy = Toy()
    scores = toy.score(table, ScoringOptions())
    return Section(toy, table, scores, toy_published(), picture_folders=(folder,))


def sure(section: Section) -> Section:
    """The section with an interval of every score: 0.1 below, and 0.2 above."""
    scores = [
        score
        if score.value is None
        else score.model_copy(
            update={"low": score.value - 0.1, "high": score.value + 0.2, "interval": "bootstrap"}
        )
        for score in section.scores
    ]
    return replace(section, scores=scores)
