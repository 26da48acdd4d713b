"""The toy's panel texts as open answers that a judge graded, about videos with contact sheets."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl
from PIL import Image, ImageDraw

from deadpan.core.score import ScoringOptions
from deadpan.reports import Section
from tests.reports.toy import MODELS, Toy, toy_published, toy_table

JUDGE = "openai/gpt-4.1"
QUESTION = "What does the video mean beneath what it shows?\n\nTRANSCRIPT\n" + "Well, well. " * 60
READING: Mapping[str, int | str] = {
    "core_intent": 3,
    "implicit_signal": 1,
    "target_or_social_meaning": 1,
    "hallucination_penalty": 0,
    "literal_only_penalty": 1,
    "total": 4,
    "verdict": "partial",
    "reason": "It sees the mockery and misses whom it is aimed at.",
}


def contact_sheet(path: Path) -> str:
    """Eight numbered frames in two rows, 1320 pixels wide."""
    sheet = Image.new("RGB", (1320, 428), "white")
    pen = ImageDraw.Draw(sheet)
    for index in range(8):
        left, top = 8 + index % 4 * 328, 8 + index // 4 * 210
        pen.rectangle((left, top, left + 320, top + 180), fill=("#7aa6d8", "#e0b070")[index % 2])
        pen.text((left, top + 183), f"0:0{index}.5", "black", font_size=15)
    sheet.save(path)
    return str(path)


def judgement_cell(*flags: str, **parts: int | str) -> str:
    """A table's cell with one judgement."""
    return json.dumps([{"parts": {**READING, **parts}, "flags": list(flags)}])


def judged_table(
    folder: Path, cells: Sequence[str | None] = (), models: Sequence[str] = MODELS
) -> pl.DataFrame:
    """The toy table with every panel text graded; `cells` take turns as the judgements."""
    table = toy_table(folder, items=6, models=models)
    given = list(cells or [judgement_cell("the total differed from its parts (5, not 4)")])
    judged = pl.col("task") == "panel_text"
    turns = pl.Series([given[i % len(given)] for i in range(len(table))], dtype=pl.String)
    sheet = contact_sheet(folder / "sheet.png")
    when = judged & (pl.col("outcome") == "answered")
    signature = pl.col("signature")
    return table.with_columns(
        picture=pl.when(judged).then(pl.lit(sheet)).otherwise("picture"),
        question=pl.when(judged).then(pl.lit(QUESTION)).otherwise(pl.lit("Which style is it?")),
        judge=pl.when(when).then(pl.lit(JUDGE)),
        judgements=pl.when(when).then(turns),
        judge_input_tokens=pl.when(when).then(900),
        judge_output_tokens=pl.when(when).then(100),
        signature=pl.when(judged)
        .then(signature.str.replace("judge:none", f"judge:{JUDGE}@toy.1.0a1b2c3d", literal=True))
        .otherwise(signature),
    )


def judged_section(folder: Path, table: pl.DataFrame | None = None) -> Section:
    """A section over the judged table."""
    table = judged_table(folder) if table is None else table
    toy = Toy()
    scores = toy.score(table, ScoringOptions())
    return Section(toy, table, scores, toy_published(), picture_folders=(folder,))
