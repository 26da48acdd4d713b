"""What Inspect finds through Deadpan's entry point: what is embedded as model providers, and every
benchmark's tasks: `inspect eval deadpan/pixelhumor_style` asks what `deadpan run` asks."""

from __future__ import annotations

import base64
import json
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anyio
from inspect_ai import Task, task
from inspect_ai import model as chat
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolChoice, ToolInfo

from deadpan import benchmarks
from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.questions import Card, MediaOptions, Question, Reply
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES, baselines
from deadpan.engine.endpoints import Limits
from deadpan.engine.inspect_logs import outcome_score
from deadpan.engine.inspect_model import CARD, QUESTION, SHOWN, inspect_messages, response_schema
from deadpan.engine.local.inspect_provider import local
from deadpan.engine.requests import Request, prepare
from deadpan.engine.task_questions import RunSettings, task_questions, task_requests
from deadpan.metrics import lexical

__all__ = ["TASKS", "baseline", "inspect_task", "judge", "local"]

TaskFactory = Callable[..., Task]

TASKS: dict[str, TaskFactory] = {}
"""Inspect task factories by name, such as `pixelhumor_style` for `deadpan/pixelhumor_style`."""


class EmbeddedAPI(chat.ModelAPI):
    """What needs no key and no network: only the names there are can be had, and only Deadpan's own
    questions are answered, from their cards."""

    provider: ClassVar[str]
    names: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: chat.GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or chat.GenerateConfig())
        if model_name not in self.names:
            expected = ", ".join(f"{self.provider}/{name}" for name in self.names)
            raise DeadpanError(f"{self.provider}/{model_name}: expected one of {expected}")
        self.seed = int(model_args.get("seed", 0))

    async def generate(
        self,
        input: list[chat.ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: chat.GenerateConfig,
    ) -> chat.ModelOutput:
        question = next((m for m in reversed(input) if isinstance(m, chat.ChatMessageUser)), None)
        card = (question.metadata or {}).get(CARD) if question else None
        return chat.ModelOutput.from_content(self.model_name, await self.reply(question, card))

    @abstractmethod
    async def reply(self, question: chat.ChatMessageUser | None, card: Any) -> str:
        """What is said to the last question; one that is not Deadpan's own has no card."""


class BaselineAPI(EmbeddedAPI):
    """Answers from the question's card and pictures."""

    provider = "baseline"
    names = baselines.NAMES

    def max_connections(self) -> int:
        return 4

    async def reply(self, question: chat.ChatMessageUser | None, card: Any) -> str:
        if question is None or card is None:
            raise DeadpanError("baseline/… answers Deadpan's own tasks only: no card was given")
        pictures = [
            base64.b64decode(part.image.partition(",")[2])
            for part in question.content
            if isinstance(part, chat.ContentImage)
        ]
        return await anyio.to_thread.run_sync(
            baselines.answer, self.model_name, Card.model_validate(card), pictures, self.seed
        )


class LexicalJudgeAPI(EmbeddedAPI):
    """Grades by shared words; its grades compare with no model's."""

    provider = "judge"
    names = (lexical.NAME,)

    async def reply(self, question: chat.ChatMessageUser | None, card: Any) -> str:
        if not isinstance(card, str):
            raise DeadpanError(f"{lexical.MODEL} grades Deadpan's own tasks only")
        return card


@chat.modelapi(name="baseline")
def baseline() -> type[chat.ModelAPI]:
    """The provider class, as Inspect asks for it."""
    return BaselineAPI


@chat.modelapi(name="judge")
def judge() -> type[chat.ModelAPI]:
    """The provider class, as Inspect asks for it."""
    return LexicalJudgeAPI


def inspect_task(
    benchmark: Benchmark[Any],
    task: str,
    data: str | None = None,
    prompts: str | None = None,
    showing: MediaOptions | None = None,
    fewshot: str | None = None,
) -> Task:
    """The Inspect task of one question type."""
    settings = RunSettings(
        Path("unused"),
        data=Path(data) if data else None,
        prompts=Path(prompts) if prompts else None,
        fewshot=fewshot,
    )
    asked = task_questions(benchmark, task, settings, showing or MediaOptions())
    requests = task_requests(asked, "inspect", settings)
    sampling = requests[0].sampling
    samples = [
        Sample(
            id=question.item,
            input=question.text,
            target=json.dumps(question.gold, ensure_ascii=False),
            metadata={QUESTION: question.model_dump(mode="json")},
        )
        for question in asked.questions
    ]
    version = [str(asked.spec.version), asked.data, asked.wording.checksum]
    version += asked.settings.values()  # data, prompts and how questions are shown change it
    return Task(
        dataset=MemoryDataset(samples, name=f"{benchmark.name}/{task}"),
        solver=ask({request.item: request for request in requests}),
        scorer=outcome(benchmark.name, task),
        config=chat.GenerateConfig(
            **sampling.model_dump(include={"temperature", "top_p", "max_tokens"}),
            max_retries=MAX_RETRIES,
            attempt_timeout=ATTEMPT_SECONDS,
        ),
        version="-".join(version),
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
                "total": asked.total,
            }
        },
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
        return outcome_score(benchmarks.find(benchmark).grade(task, reply, question))

    return score


def _register_task(benchmark: Benchmark[Any], question: str) -> None:
    name = f"{benchmark.name}_{question}"

    @task(name=name)
    def factory(
        data: str | None = None,
        prompts: str | None = None,
        showing: dict[str, Any] | None = None,
        fewshot: str | None = None,
    ) -> Task:
        way = MediaOptions.model_validate(showing or {})
        return inspect_task(benchmark, question, data, prompts, way, fewshot)

    TASKS[name] = factory


for _name in benchmarks.names():
    try:
        for _spec in benchmarks.find(_name).tasks:
            _register_task(benchmarks.find(_name), _spec.name)
    except (AttributeError, TypeError, ValueError) as error:
        if _name in benchmarks.BUILT_IN:
            raise
        benchmarks.leave_out(_name, error)
