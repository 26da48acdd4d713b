"""Small CFMS folders, and results tables made from them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
from PIL import Image

from deadpan.benchmarks.cfms import CFMS
from deadpan.benchmarks.cfms.records import Pairs, read_pairs
from deadpan.core.capabilities import Predictions
from deadpan.core.questions import Reply
from deadpan.pipeline.table import results_of_predictions

Row = dict[str, Any]
GOLD_TARGET = "unpaid overtime"
GOLD_EXPLANATION = "The caption praises the boss while the staff sleep at their desks at midnight."


def row(name: str = "p1", **changes: Any) -> Row:
    """A whole English, sarcastic test record, with the given fields changed."""
    return {
        "id": name,
        "image": f"images/{name}.png",
        "text": f"What a generous boss, says {name}",
        "ocr_text": "23:59",
        "language": "en",
        "split": "test",
        "sarcastic": True,
        "target": GOLD_TARGET,
        "target_type": "institutional_rules",
        "explanation": GOLD_EXPLANATION,
        "metaphor": None,
    } | changes


def plain_row(name: str = "p2", **changes: Any) -> Row:
    """A record that is not sarcastic."""
    nothing = dict.fromkeys(("target", "target_type", "explanation"))
    return row(name, **{"sarcastic": False, "text": f"Lunch with {name}"} | nothing | changes)


def chinese_row(name: str = "p3", **changes: Any) -> Row:
    """A whole Chinese, sarcastic test record."""
    return row(
        name,
        **{
            "language": "zh",
            "text": f"老板真大方{name}",
            "ocr_text": "免费加班餐",
            "target": "加班文化",
            "target_type": "social_phenomena",
            "explanation": "用免费加班餐的夸奖反衬员工深夜还在工作，讽刺公司的加班文化。",
        }
        | changes,
    )


def write(folder: Path, rows: list[Row], images: bool = True) -> Path:
    """The rows as a data folder, each with a picture of its own."""
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    (folder / "pairs.jsonl").write_text(text, "utf-8")
    if images:
        for number, one in enumerate(rows):
            Image.new("RGB", (8, 8), (number, 0, 0)).save(folder / one["image"])
    return folder


def data(folder: Path, rows: list[Row]) -> Pairs:
    """The rows, written and read."""
    return read_pairs(write(folder, rows))


def answered(
    dataset: Pairs, answers: Mapping[str, Mapping[str, str | None]], model: str = "m"
) -> pl.DataFrame:
    """The table of answers per task and pair; None is a failed call, a missing one unanswered."""
    replies = {
        task: {
            item: Reply(error="timeout") if text is None else Reply(text=text)
            for item, text in of_task.items()
        }
        for task, of_task in answers.items()
    }
    return results_of_predictions(CFMS, dataset, Predictions(replies), model)


def judged(table: pl.DataFrame, same: Mapping[str, tuple[bool, ...]]) -> pl.DataFrame:
    """The table as a judge leaves it that finds these items' targets the same or not."""
    rows = []
    for one in table.iter_rows(named=True):
        said = same.get(one["item"])
        if said is not None and one["parsed"]:
            parts = [{"parts": {"same_meaning": yes, "reason": "…"}, "flags": []} for yes in said]
            one |= {"judgements": json.dumps(parts), "outcome": "answered"}
        rows.append(one)
    return pl.DataFrame(rows, schema=table.schema)
