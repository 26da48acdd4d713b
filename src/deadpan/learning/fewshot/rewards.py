"""What a reply is worth: its form, its label, its target and its explanation, weighted.

A reply is compared with the ideal answer as the same parser reads it. Parts that the ideal answer
does not have (a target where nothing is mocked) are left out, and the others' weights scaled up to
sum to one: a reward is always from 0 to 1. A reply that cannot be read has 0 in all parts; a call
that failed has no reward at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import JsonValue, ValidationError

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.questions import Question, Reply
from deadpan.engine.fewshot.reward import PARTS, RewardParts, Weights
from deadpan.engine.fewshot.teaching import training_of
from deadpan.metrics.encoders import lexical_encoder


@dataclass(frozen=True)
class Likeness:
    """How alike a reply and gold are in meaning, 0 to 1, and what measures it."""

    name: str
    of: Callable[[str, str], float]


def parts_beside_ideal(
    benchmark: Benchmark[Any], task: str, question: Question, reply: Reply, likeness: Likeness
) -> RewardParts | None:
    """The parts of a reply by comparison with the ideal answer; None where the call failed."""
    grade = benchmark.parse(task, reply, question.language)
    if grade.outcome in ("failed", "judge_failed"):
        return None
    ideal = ideal_answer(benchmark, task, question)
    answered = grade.outcome == "answered"
    return compare_parts(
        task, question, ideal, grade.parsed if answered else None, likeness, answered
    )


def ideal_answer(benchmark: Benchmark[Any], task: str, question: Question) -> JsonValue:
    """The worded gold as the task's parser reads it; gold that it cannot read raises."""
    worded = Reply(text=training_of(benchmark).ideal_answer(task, question))
    grade = benchmark.parse(task, worded, question.language)
    if grade.outcome != "answered":
        where = f"{benchmark.name}/{task}: the ideal answer to {question.item}"
        raise DeadpanError(f"{where} cannot be read ({grade.reason})")
    return grade.parsed


def compare_parts(
    task: str,
    question: Question,
    ideal: JsonValue,
    found: JsonValue,
    likeness: Likeness,
    answered: bool,
) -> RewardParts:
    """The parts of an answer beside the ideal one, as the parser reads both: `target` and
    `explanation` by likeness, whatever else by equality."""
    wanted = _by_part(task, question, ideal)
    given = _by_part(task, question, found)
    values: dict[str, float] = {"format": float(answered)}
    if "classification" in wanted:
        same = answered and wanted["classification"] == given.get("classification")
        values["classification"] = float(same)
    for part in ("target", "explanation"):
        if isinstance(gold := wanted.get(part), str) and gold.strip():
            said = given.get(part)
            spoken = isinstance(said, str) and bool(said.strip())
            values[part] = likeness.of(str(said), gold) if spoken else 0.0
    return RewardParts(**values)


def _by_part(task: str, question: Question, answer: JsonValue) -> dict[str, JsonValue]:
    """What of an answer belongs to which part; text of a free answer is the task's own part."""
    if isinstance(answer, Mapping):
        own = ("target", "explanation")
        labels: JsonValue = {name: value for name, value in answer.items() if name not in own}
        texts = {name: answer[name] for name in own if name in answer}
        return texts | ({"classification": labels} if labels else {})
    if question.form == "free" and isinstance(answer, str):
        return {"target" if task == "target" else "explanation": answer}
    if question.form == "labels" and isinstance(answer, list):
        return {"classification": sorted(answer, key=str)}
    return {} if answer is None else {"classification": answer}


def likeness_of(model: str | None) -> Likeness:
    """BERTScore's F1 with a model by resource, folder or hub name; without one, the cosine of
    character n-grams, which is likeness of spelling."""
    if model is None:
        return Likeness(lexical_encoder().name, _spelling_likeness)
    from deadpan.metrics.bertscore import bertscore, bertscore_model

    scorer = bertscore_model(model)

    def f1(said: str, gold: str) -> float:
        return min(1.0, max(0.0, bertscore([said], [gold], scorer).f1[0]))

    return Likeness(f"bertscore-{scorer.identity}", f1)


def _spelling_likeness(said: str, gold: str) -> float:
    left, right = (lexical_encoder().encode([text]) for text in (said, gold))
    return float(np.clip((left * right).sum(1), 0, 1)[0])


def weights_of(text: str) -> Weights:
    """The weights that `--weights format=0.1,classification=0.5,…` names; what is left out is 0."""
    pairs = [part.partition("=")[::2] for part in text.split(",")]
    try:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a part is named twice")
        given = {name: float(value) for name, value in pairs}
        return Weights(**{**dict.fromkeys(PARTS, 0.0), **given})
    except ValueError as error:
        reason = str(error)
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False)[0]
            where = "".join(f"{place}: " for place in first["loc"])
            reason = where + first["msg"].removeprefix("Value error, ")
        expected = f"expected {','.join(f'{name}=W' for name in PARTS)} with a sum of 1"
        raise DeadpanError(f"--weights {text}: {expected} ({reason})") from None
