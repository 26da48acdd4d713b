"""Deadpan questions → an Inspect task: dataset, solver, scorer."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import anyio
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
)
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from deadpan.benchmark import Benchmark, TaskSpec
from deadpan.benchmarks import find
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES
from deadpan.errors import InputError
from deadpan.media.shown import Shown, shown
from deadpan.questions import Question, Reply

QUESTION = "question"
SHOWN = "shown"


def inspect_task(
    benchmark: Benchmark[Any], task: str, data: str | None = None, prompts: str | None = None
) -> Task:
    """The Inspect task of one question type. Its version changes with data and prompts, so that
    a resumed run never mixes answers to different questions."""
    spec = benchmark.task(task)
    dataset = benchmark.read(Path(data) if data else None)
    wording = benchmark.prompts(task, Path(prompts) if prompts else None)
    questions = benchmark.questions(dataset, task, wording)
    _require_pictures(questions, dataset.origin, benchmark.name)
    identity = f"{spec.version}-{dataset.checksum}-{wording.checksum}"
    return Task(
        dataset=MemoryDataset(
            [_sample(question) for question in questions], name=f"{benchmark.name}/{task}"
        ),
        solver=ask(benchmark.name, task),
        scorer=outcome(benchmark.name, task),
        config=_config(spec),
        version=identity,
        fail_on_error=True,
        continue_on_fail=True,
        metadata={
            "deadpan": {
                "benchmark": benchmark.name,
                "task": task,
                "data": dataset.checksum,
                "origin": dataset.origin,
                "prompts": wording.checksum,
            }
        },
    )


def _require_pictures(questions: list[Question], origin: str, name: str) -> None:
    """Raises when not one picture is there: every sample would fail."""
    paths = [picture.path for question in questions for picture in question.pictures]
    if paths and not any(Path(path).is_file() for path in paths):
        fix = f"Fetch them first: deadpan data fetch {name} --data {origin}."
        raise InputError(origin, "has none of the pictures", fix)


def _config(spec: TaskSpec) -> GenerateConfig:
    return GenerateConfig(
        temperature=spec.temperature,
        max_tokens=spec.max_tokens,
        max_retries=MAX_RETRIES,
        attempt_timeout=ATTEMPT_SECONDS,
    )


def _sample(question: Question) -> Sample:
    return Sample(
        id=question.item,
        input=question.text,
        target=json.dumps(question.gold, ensure_ascii=False),
        metadata={QUESTION: question.model_dump(mode="json")},
    )


@solver
def ask(benchmark: str, task: str) -> Solver:
    """Shows the pictures and asks; a picture that cannot be shown fails this sample alone."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = Question.model_validate(state.metadata[QUESTION])
        pictures = [await anyio.to_thread.run_sync(shown, picture) for picture in question.pictures]
        state.metadata[SHOWN] = [
            {"path": item.path, "sha256": item.sha256, "notes": list(item.notes)}
            for item in pictures
        ]
        state.messages = _messages(question, pictures, benchmark, task)
        return await generate(state)

    return solve


def _messages(
    question: Question, pictures: list[Shown], benchmark: str, task: str
) -> list[ChatMessage]:
    content: list[Content] = [
        ContentImage(image=f"data:{item.mime};base64,{base64.b64encode(item.data).decode()}")
        for item in pictures
    ]
    content.append(ContentText(text=question.text))
    card = question.card(benchmark, task).model_dump(mode="json")
    return [
        ChatMessageSystem(content=question.system),
        ChatMessageUser(content=content, metadata={"card": card}),
    ]


@scorer(metrics=[])
def outcome(benchmark: str, task: str) -> Scorer:
    """The outcome and what was understood, for Inspect's own viewer; figures come from results."""

    async def score(state: TaskState, target: Target) -> Score:
        question = Question.model_validate(state.metadata[QUESTION])
        reply = Reply(text=state.output.completion, stop=state.output.stop_reason)
        grade = find(benchmark).grade(task, reply, question.language)
        return Score(
            value=grade.outcome,
            answer=json.dumps(grade.parsed, ensure_ascii=False),
            explanation=grade.reason,
        )

    return score
