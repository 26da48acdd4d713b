"""Answers that were written by hand for demos: of sources that are called `made-up/…`, so that
nobody takes them for a model's. They are never stored as answers, and no score is made of them.

A benchmark's lie in its `studies/examples.jsonl`; edits are those of the mini-set's own editors.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_file, sha256_of, write_text
from deadpan.base.rows import placed_rows, write_rows
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Reply
from deadpan.core.study.words import Frozen
from deadpan.failures.cases import WrongRow
from deadpan.failures.criteria import read_criteria
from deadpan.failures.finding import find_cases
from deadpan.failures.labels import label_of
from deadpan.pipeline.table import results_of_predictions

MADE_UP = "made-up/"
_FILE = Path("studies/examples.jsonl")
_KEY = ["task", "model", "item"]


class Failure(Frozen):
    """Which type of failure an answer is said to be, and why."""

    type: str
    reason: str


class Example(Frozen):
    """What a source made of an item: a reply to a task; a file of the mini-set in the place of a
    generated picture; or, of an edit that comes with the mini-set, what a judge says of it."""

    item: str
    source: str
    task: str = ""
    reply: str = ""
    picture: str = ""
    judgement: dict[str, JsonValue] | None = None
    failure: Failure | None = None


def read_examples(benchmark: Benchmark[Any]) -> list[Example]:
    """A benchmark's examples; raises where it has none."""
    path = benchmark.folder / _FILE
    if not is_file(path):
        what = f"{benchmark.name} has no example answers to show; answer it with a model first"
        raise DeadpanError(f"{what}, and give them to `deadpan study create … --from`")
    rows = placed_rows(path, Example, lambda row: (row.item, row.source, row.task))
    return [one.row for one in rows]


def example_table(
    benchmark: Benchmark[Any], dataset: Dataset[Any], examples: Sequence[Example]
) -> pl.DataFrame:
    """The examples as results, as templates take them."""
    answered = [one for one in examples if one.task]
    tables = [
        results_of_predictions(benchmark, dataset, predictions, source)
        for source, predictions in _predictions(benchmark, dataset, answered).items()
    ]
    return _judged(pl.concat(tables, how="diagonal_relaxed"), answered)


def _predictions(
    benchmark: Benchmark[Any], dataset: Dataset[Any], examples: Sequence[Example]
) -> dict[str, Predictions]:
    """What each source answered; the mini-set's editors answered with their pictures."""
    if benchmark.edits is not None:
        tasks = list(dict.fromkeys(one.task for one in examples))
        return dict(benchmark.edits.read(None, dataset, (), tasks).answers)
    replies: dict[str, dict[str, dict[str, Reply]]] = {}
    for one in examples:
        own = replies.setdefault(one.source, {}).setdefault(one.task, {})
        own[one.item] = Reply(text=one.reply)
    return {source: Predictions(own) for source, own in replies.items()}


def _judged(table: pl.DataFrame, examples: Iterable[Example]) -> pl.DataFrame:
    """The results with what is said of them in a judge's place; no judge is waited for."""
    judged = {
        (one.task, one.source, one.item): json.dumps([{"parts": one.judgement, "flags": []}])
        for one in examples
        if one.judgement is not None
    }
    said = [judged.get(key) for key in table.select(_KEY).iter_rows()]
    unjudged = pl.col("outcome") == "judge_failed"
    return table.with_columns(
        judgements=pl.Series(said, dtype=pl.String),
        outcome=pl.when(unjudged).then(pl.lit("answered")).otherwise("outcome"),
    )


def write_wrong(path: Path, examples: Iterable[Example]) -> Path:
    """Writes which examples are wrong, as `deadpan failures sample --wrong` reads it."""
    wrong = [one for one in examples if one.failure]
    write_rows(path, [WrongRow(task=one.task, model=one.source, item=one.item) for one in wrong])
    return path


def write_labels(path: Path, table: pl.DataFrame, wrong: Path, examples: Iterable[Example]) -> Path:
    """Writes which types of failure they are said to be, as `deadpan failures label` does."""
    criteria = read_criteria(None)
    said = {(one.task, one.source, one.item): one.failure for one in examples if one.failure}
    judge = f"{MADE_UP}labeller@{criteria.checksum}"
    labels = []
    for case in find_cases(table, [str(wrong)]):
        failure = said[case.task, case.model, case.item]
        about = {"status": "labelled", "by": "judge", "judge": judge}
        labels.append(label_of(case, **about, **failure.model_dump()))
    write_rows(path, labels)
    return path


def write_pictures(folder: Path, data: Path, examples: Iterable[Example]) -> Path:
    """Writes pictures as `deadpan generate` leaves them, a folder for each source."""
    for one in examples:
        if not one.picture:
            continue
        picture, place = data / one.picture, folder / one.source.removeprefix(MADE_UP)
        for name in ("records", "images"):
            (place / name).mkdir(parents=True, exist_ok=True)
        (place / "images" / picture.name).write_bytes(picture.read_bytes())
        record = {"item": one.item, "illustrator": one.source, "ending": "drawn"}
        file = {"file": picture.name, "sha256": sha256_of(picture)}
        write_text(place / "records" / f"{one.item}.json", json.dumps(record | file))
    return folder
