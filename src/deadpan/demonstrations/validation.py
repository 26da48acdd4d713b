"""The metric that a task is judged by, of replies to validation questions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from deadpan.benchmark import Benchmark, ScoringOptions
from deadpan.errors import DeadpanError
from deadpan.questions import Question, Reply
from deadpan.results import table_of
from deadpan.signature import Signature


def headline(
    benchmark: Benchmark[Any], task: str, questions: Sequence[Question], replies: Sequence[Reply]
) -> tuple[str, float]:
    """The first of the task's metrics that has a value without a judge or a model, and that value;
    where none has, raises."""
    signature = Signature(benchmark.name, task, "0", len(questions), "validation", "validation")
    rows = []
    for question, reply in zip(questions, replies, strict=True):
        grade = benchmark.grade(task, reply, question.language)
        rows.append(
            {
                "benchmark": benchmark.name,
                "task": task,
                "version": "0",
                "model": "validation",
                "item": question.item,
                "epoch": 1,
                "language": question.language,
                "answer": reply.text,
                "parsed": None if grade.parsed is None else _json(grade.parsed),
                "gold": _json(question.gold),
                "outcome": grade.outcome,
                "reason": grade.reason,
                "signature": str(signature),
                **{f"attr.{name}": value for name, value in question.attributes.items()},
            }
        )
    figures = benchmark.figures(table_of(rows), ScoringOptions())
    for metric in benchmark.task(task).metrics:
        for figure in figures:
            named = (figure.task, figure.metric, figure.group) == (task, metric, "all")
            if named and figure.value is not None:
                return metric, figure.value
    raise DeadpanError(
        f"{benchmark.name}/{task} has no metric that can be had without a judge: name the weights "
        "(--weights format=…,classification=…,target=…,explanation=…)"
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
