"""What a reply is worth: its parts beside those of the ideal answer, as the same parser reads both.

Parts that the ideal answer does not have (a target where nothing is mocked) are left out, and the
others' weights scaled up to sum to one: a reward is always from 0 to 1. A reply that cannot be read
has 0 in all parts; a call that failed has no reward at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.outcomes import LEFT_OUT
from deadpan.core.questions import Question, Reply
from deadpan.engine.fewshot.demonstration import training_of
from deadpan.engine.fewshot.specification import RewardParts
from deadpan.metrics.encoders import lexical_encoder

_TEXTS = ("target", "explanation")
"""The parts that are compared by likeness; all others must be equal."""


@dataclass(frozen=True)
class Likeness:
    """How alike a reply and gold are in meaning, 0 to 1, and what measures it."""

    name: str
    of: Callable[[str, str], float]


def likeness_of(model: str | None) -> Likeness:
    """BERTScore's F1 with a model by resource, folder or hub name, `NAME#LAYER` where its layer is
    not known; else likeness of spelling."""
    if model is None:
        encode = lexical_encoder().encode

        def cosine(said: str, gold: str) -> float:
            return float(np.clip((encode([said]) * encode([gold])).sum(1), 0, 1)[0])

        return Likeness(lexical_encoder().name, cosine)
    from deadpan.metrics.bertscore import bertscore, named_bertscore_model

    scorer = named_bertscore_model(model, "--reward-model ")

    def f1(said: str, gold: str) -> float:
        return min(1.0, max(0.0, bertscore([said], [gold], scorer).f1[0]))

    return Likeness(f"bertscore-{scorer.identity}", f1)


def parts_beside_ideal(
    benchmark: Benchmark[Any], task: str, question: Question, reply: Reply, likeness: Likeness
) -> RewardParts | None:
    """The parts of a reply by comparison with the ideal answer, which is the worded gold as the
    task's parser reads it; None where the call failed. Gold that cannot be read raises."""
    grade = benchmark.parse_answer(task, reply, question)
    if grade.outcome in LEFT_OUT:
        return None
    worded = Reply(text=training_of(benchmark).ideal_answer(task, question))
    ideal = benchmark.parse_answer(task, worded, question)
    if ideal.outcome != "answered":
        where = f"{benchmark.name}/{task}: the ideal answer to {question.item}"
        raise DeadpanError(f"{where} cannot be read ({ideal.reason})")
    answered = grade.outcome == "answered"
    found = grade.parsed if answered else None
    return compare_parts(task, question, ideal.parsed, found, likeness, answered)


def compare_parts(
    task: str,
    question: Question,
    ideal: JsonValue,
    found: JsonValue,
    likeness: Likeness,
    answered: bool,
) -> RewardParts:
    """The parts of an answer beside the ideal one, as the parser reads both."""
    wanted, given = (_by_part(task, question, answer) for answer in (ideal, found))
    values = {"format": float(answered)}
    if "classification" in wanted:
        same = answered and wanted["classification"] == given.get("classification")
        values["classification"] = float(same)
    for part in _TEXTS:
        if isinstance(gold := wanted.get(part), str) and gold.strip():
            said = given.get(part)
            spoken = isinstance(said, str) and bool(said.strip())
            values[part] = likeness.of(str(said), gold) if spoken else 0.0
    return RewardParts(**values)


def compared_texts(benchmark: Benchmark[Any], task: str, questions: Sequence[Question]) -> float:
    """How many texts of gold an answer is compared with, on average; no question raises."""
    found = 0
    for question in questions:
        worded = Reply(text=training_of(benchmark).ideal_answer(task, question))
        ideal = benchmark.parse_answer(task, worded, question)
        parts = _by_part(task, question, ideal.parsed)
        found += sum(bool(parts.get(part)) for part in _TEXTS)
    return found / len(questions)


def _by_part(task: str, question: Question, answer: JsonValue) -> dict[str, JsonValue]:
    """What of an answer belongs to which part; text of a free answer is the task's own part."""
    if isinstance(answer, Mapping):
        labels: JsonValue = {name: value for name, value in answer.items() if name not in _TEXTS}
        texts = {name: answer[name] for name in _TEXTS if name in answer}
        return texts | ({"classification": labels} if labels else {})
    if question.form == "free" and isinstance(answer, str):
        return {"target" if task == "target" else "explanation": answer}
    if question.form == "labels" and isinstance(answer, list):
        return {"classification": sorted(answer, key=str)}
    return {} if answer is None else {"classification": answer}
