"""`inspect eval deadpan/…`: a benchmark's task as Inspect runs it, a thin adapter to what
`deadpan run` asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.core.questions import Question, Reply, Showing
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES
from deadpan.engine.endpoints import Limits
from deadpan.engine.inspect_model import inspect_messages
from deadpan.engine.requests import Request, prepare
from deadpan.engine.schema import response_schema
from deadpan.engine.task_questions import RunSettings, TaskQuestions, task_questions, task_requests

QUESTION = "question"
SHOWN = "shown"


def inspect_task(
    benchmark: Benchmark[Any],
    task: str,
    data: str | None = None,
    prompts: str | None = None,
    showing: Showing | None = None,
    fewshot: str | None = None,
) -> Task:
    """The Inspect task of one question type."""
    settings = RunSettings(
        Path("unused"),
        data=Path(data) if data else None,
        prompts=Path(prompts) if prompts else None,
        fewshot=fewshot,
    )
    asked = task_questions(benchmark, task, settings, showing or Showing())
    requests = task_requests(asked, "inspect", settings)
    sampling = requests[0].sampling
    return Task(
        dataset=MemoryDataset([_sample(question) for question in asked.questions], name=asked.name),
        solver=ask({request.item: request for request in requests}),
        scorer=outcome(benchmark.name, task),
        config=GenerateConfig(
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            max_tokens=sampling.max_tokens,
            max_retries=MAX_RETRIES,
            attempt_timeout=ATTEMPT_SECONDS,
        ),
        version=_version(asked),
        fail_on_error=True,
        continue_on_fail=True,
        metadata={
            "deadpan": {
                "benchmark": benchmark.name,
                "task": task,
                "data": asked.data,
                "origin": asked.origin,
                "prompts": asked.wording.checksum,
                "settings": {**asked.settings, **sampling.signature},
            }
        },
    )


def _version(asked: TaskQuestions) -> str:
    """Changes with data, prompts, and how questions are shown."""
    parts = [str(asked.spec.version), asked.data, asked.wording.checksum]
    return "-".join([*parts, *asked.settings.values()])


def _sample(question: Question) -> Sample:
    return Sample(
        id=question.item,
        input=question.text,
        target=json.dumps(question.gold, ensure_ascii=False),
        metadata={QUESTION: question.model_dump(mode="json")},
    )


@solver
def ask(requests: dict[str, Request]) -> Solver:
    """Asks each sample's question; a provider that takes less than was meant is asked again with
    less, and what cannot be shown fails this sample alone."""
    limits = Limits()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        request = requests[str(state.sample_id)]
        while True:
            made = await anyio.to_thread.run_sync(prepare, request.turns, limits.images)
            state.messages = inspect_messages(made.messages, request.card)
            state.metadata[SHOWN] = [dict(one) for one in made.shown]
            schema = request.schema if limits.schema else None
            try:
                return await generate(state, response_schema=response_schema(schema))
            except Exception as error:
                if not limits.learn(str(error), made.clip_frames, schema is not None, None):
                    raise

    return solve


@scorer(metrics=[])
def outcome(benchmark: str, task: str) -> Scorer:
    """The outcome and what was understood, for Inspect's own viewer; scores come from results."""

    async def score(state: TaskState, target: Target) -> Score:
        question = Question.model_validate(state.metadata[QUESTION])
        reply = Reply(text=state.output.completion, stop=state.output.stop_reason)
        grade = find(benchmark).parse(task, reply, question.language)
        return Score(
            value=grade.outcome,
            answer=json.dumps(grade.parsed, ensure_ascii=False),
            explanation=grade.reason,
        )

    return score
