"""A results table of two models with wrong, right, refused, invalid and failed answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.core.signature import Signature
from deadpan.pipeline.table_files import table_of, write_table

BENCHMARK = "proverbs"
SIGNATURE = str(Signature(BENCHMARK, "meaning", "1", 40, "0", "x"))


def row(item: str, model: str = "loud", language: str = "en", **more: Any) -> dict[str, Any]:
    return {
        "benchmark": BENCHMARK,
        "task": "meaning",
        "version": "1",
        "model": model,
        "item": item,
        "epoch": 1,
        "language": language,
        "question": f"What is meant by {item}?",
        "answer": f"{model} says {item}",
        "parsed": json.dumps("no"),
        "gold": json.dumps("yes"),
        "outcome": "answered",
        "signature": SIGNATURE,
        **more,
    }


def a_table() -> pl.DataFrame:
    """`loud`: 20 English and 10 Chinese failures, 2 refusals; `meek`: 3 failures."""
    rows = [row(f"en{n:02}") for n in range(20)]
    rows += [row(f"zh{n:02}", language="zh") for n in range(10)]
    refused = {"outcome": "refused", "parsed": None, "answer": "I can't help with that."}
    rows += [row("ref1", **refused), row("ref2", **refused)]
    rows += [row("right", parsed=json.dumps("yes"))]
    rows += [row("lost", outcome="failed", parsed=None, answer=None, reason="timeout")]
    rows += [row(f"en{n:02}", "meek") for n in range(2)]
    rows += [row("garbled", "meek", outcome="invalid", parsed=None, answer="???")]
    return table_of(rows)


def a_table_file(folder: Path) -> Path:
    path = folder / "table.jsonl"
    write_table(a_table(), path)
    return path


def edited(path: Path, field: str, values: list[Any]) -> None:
    """Fills a field of the first rows of a JSON-lines file, as a person would."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for one, value in zip(rows, values, strict=False):
        one[field] = value
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
    path.write_text(text, "utf-8")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
