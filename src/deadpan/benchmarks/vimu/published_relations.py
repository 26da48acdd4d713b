"""What ties the printed numbers of ViMU's paper together."""

from __future__ import annotations

from collections.abc import Iterator

from deadpan.benchmarks.vimu.metrics import AVERAGES
from deadpan.core.relations import Relation, Sheet
from deadpan.metrics.arithmetic.claims import above, largest, quoted
from deadpan.metrics.arithmetic.formulas import LARGEST, MEAN, Formula
from deadpan.metrics.arithmetic.rules import AtMost, Follows


def relations(sheet: Sheet) -> Iterator[Relation]:
    """The averages of table 1, the questions of the videos, and what section 4 says of table 1."""
    for model in sheet.values("model", table="1"):
        scores = {one.task: one for one in sheet.select(table="1", model=model, metric="score")}
        for metric, tasks in AVERAGES:
            average = sheet.find(table="1", model=model, task="summary", metric=metric.name)
            if average is not None:
                parts = tuple(scores[task] for task in tasks)
                yield Follows((average,), parts, MEAN, kind="average")
    yield from _claims(sheet)


def _claims(sheet: Sheet) -> Iterator[Relation]:
    yield from quoted(sheet)
    data = {"table": "section 3", "model": "gold", "task": "data"}
    videos = sheet.cell(**data, metric="videos")
    four = Formula("four questions to each of {} videos", lambda count: 4 * count, rises=True)
    yield Follows((sheet.cell(**data, metric="questions"),), (videos,), four, kind="product")
    for task in ("oe", "eg"):
        column = sheet.select(table="1", task=task, metric="score")
        best = sheet.cell(table="1", model="GPT-5.2", task=task, metric="score")
        yield largest(best, column, "section 4")
    averages = {one.model: one for one in sheet.select(table="1", metric="all_avg")}
    for lower in ("GPT-4.1-nano", "Claude-3-Haiku"):
        yield above(averages["Qwen3.5-27B"], averages[lower], "section 4")
    limit = sheet.cell(table="section 1", model="every model", task="summary", metric="all_avg")
    words = "the largest All-Avg is below it, says section 1"
    yield AtMost(limit, tuple(averages.values()), LARGEST, at_least=True, words=words)
