"""What CFMS's judge is told, and which answers it has to see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.cfms import answers, scoring
from deadpan.benchmarks.cfms.metrics import text_said
from deadpan.core.answers import answer_of
from deadpan.core.judge import Brief
from deadpan.core.questions import Language, Reply
from deadpan.core.scoring_options import ScoringOptions
from deadpan.parsing.replies import graded


def needs_judge(row: Mapping[str, Any]) -> bool:
    """Whether a judge has to see an answer: one that names a target where gold has one."""
    if row["task"] not in scoring.TARGETED or not row["parsed"]:
        return False
    answer = answer_of(row)
    return answer.gold.get("target") is not None and bool(text_said(answer, "target"))


def rows_to_judge(table: pl.DataFrame, options: ScoringOptions) -> pl.DataFrame:
    """The answers that name a target of a sarcastic pair."""
    return table.filter([needs_judge(row) for row in table.iter_rows(named=True)])


def brief(task: str, gold: JsonValue, answer: str, language: Language) -> Brief:
    """The target named in the answer beside gold's; the judge sees nothing else of it."""
    if task not in scoring.TARGETED or not isinstance(gold, dict):
        raise DeadpanError(f"cfms/{task} has no judge")
    told = {
        "text": str(gold["question"]),
        "target": str(gold["target"]),
        "given": _target_in(task, answer),
    }
    return Brief(language=language, answer=answer, told=told)


def _target_in(task: str, answer: str) -> str:
    grade = graded(Reply(text=answer), answers.PARSERS[task])
    if not isinstance(grade.parsed, dict):
        raise DeadpanError(f"an answer without a target cannot be judged ({grade.reason})")
    return str(grade.parsed.get("target") or "")
