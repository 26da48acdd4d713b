"""CFMS's judge of targets: does the named target mean the same as the annotators' (equation 3)?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar

import polars as pl
from pydantic import Field, JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.cfms.answers import PARSERS
from deadpan.core.answers import Answer, answer_of
from deadpan.core.judge import Brief, Judge, Judged, Judgement
from deadpan.core.questions import Language, Prompts, Reply
from deadpan.core.score import ScoringOptions
from deadpan.metrics.lexical import coverage
from deadpan.parsing.replies import grade_reply

TARGETED = ("joint", "target")
"""The tasks whose answers name a target."""
_ALIKE = 0.5
"""The share of words in common, both ways, from which the stand-in takes two targets for one."""
_PROMPTS = Prompts.read(Path(__file__).parent / "judge_prompts", "target", ("en", "zh"))


class SameMeaning(Judged):
    """The reply: whether both targets mean the same, and why."""

    same_meaning: bool
    reason: Annotated[str, Field(max_length=2000)]


class CfmsTarget(Judge):
    """Says whether a target named by a model means the same as gold."""

    name = "cfms_target"
    version = 1
    reply = SameMeaning
    system: ClassVar = _PROMPTS.system
    user: ClassVar = _PROMPTS.user
    max_tokens = 512

    def check(self, reply: Judged) -> Judgement:
        """The verdict and its reason as given."""
        return Judgement(parts=reply.model_dump())

    def stand_in(self, brief: Brief) -> str:
        """The same where half of the words are in common both ways: spelling, not meaning."""
        wanted, given = brief.fields["target"], brief.fields["given"]
        shared = min(coverage(wanted, given), coverage(given, wanted))
        reply = SameMeaning(same_meaning=shared >= _ALIKE, reason="words shared with the reference")
        return reply.model_dump_json()


CFMS_TARGET = CfmsTarget()


def is_same(judgement: Judgement) -> bool:
    """Whether a judgement finds the target to be gold's."""
    return SameMeaning.model_validate(judgement.parts).same_meaning


def verdicts(answer: Answer) -> tuple[bool, ...]:
    """What each judgement says: does the target mean the same as gold's?"""
    return answer.judged(is_same)


def needs_judge(row: Mapping[str, Any]) -> bool:
    """Whether a judge has to see an answer: one that names a target where gold has one."""
    if row["task"] not in TARGETED or not row["parsed"]:
        return False
    answer = answer_of(row)
    return answer.gold.get("target") is not None and bool((answer.parsed or {}).get("target"))


def rows_to_judge(table: pl.DataFrame, options: ScoringOptions) -> pl.DataFrame:
    """The answers that name a target of a sarcastic pair."""
    return table.filter([needs_judge(row) for row in table.iter_rows(named=True)])


def brief(task: str, gold: JsonValue, answer: str, language: Language) -> Brief:
    """The target named in the answer beside gold's; the judge sees nothing else of it."""
    if task not in TARGETED or not isinstance(gold, dict):
        raise DeadpanError(f"cfms/{task} has no judge")
    fields = {"text": str(gold["question"]), "target": str(gold["target"])}
    grade = grade_reply(Reply(text=answer), PARSERS[task])
    if not isinstance(grade.parsed, dict):
        raise DeadpanError(f"an answer without a target cannot be judged ({grade.reason})")
    fields["given"] = str(grade.parsed.get("target") or "")
    return Brief(language=language, answer=answer, fields=fields)
