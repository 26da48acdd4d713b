"""What is embedded, as Inspect model providers: `--model baseline/majority`, `--judge
judge/lexical`."""

from __future__ import annotations

import base64
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    ContentImage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from deadpan import baselines
from deadpan.benchmarks import find
from deadpan.errors import DeadpanError
from deadpan.judges import lexical
from deadpan.judges.judge import Brief
from deadpan.questions import Card


@modelapi(name="baseline")
def baseline() -> type[ModelAPI]:
    """The provider class, as Inspect asks for it."""
    return BaselineAPI


class BaselineAPI(ModelAPI):
    """Answers from the question's card and pictures with no key and no network."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if model_name not in baselines.NAMES:
            raise DeadpanError(
                f"baseline/{model_name}: expected one of {', '.join(baselines.NAMES)}"
            )
        self.seed = int(model_args.get("seed", 0))

    def max_connections(self) -> int:
        return 4

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        question = next((m for m in reversed(input) if isinstance(m, ChatMessageUser)), None)
        card = (question.metadata or {}).get("card") if question else None
        if question is None or card is None:
            raise DeadpanError("baseline/… answers Deadpan's own tasks only: no card was given")
        pictures = [
            base64.b64decode(part.image.partition(",")[2])
            for part in question.content
            if isinstance(part, ContentImage)
        ]
        text = await anyio.to_thread.run_sync(
            baselines.answer, self.model_name, Card.model_validate(card), pictures, self.seed
        )
        return ModelOutput.from_content(self.model_name, text)


@modelapi(name="judge")
def judge() -> type[ModelAPI]:
    """The provider class, as Inspect asks for it."""
    return LexicalJudgeAPI


class LexicalJudgeAPI(ModelAPI):
    """Grades by shared words with no key and no network; its grades compare with no model's."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if model_name != lexical.NAME:
            raise DeadpanError(f"judge/{model_name}: expected {lexical.MODEL}")

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        for message in input:
            told = message.metadata or {}
            if "brief" in told:
                grader = find(told["benchmark"]).judge(told["task"])
                text = grader.stand_in(Brief.model_validate(told["brief"]))
                return ModelOutput.from_content(self.model_name, text)
        raise DeadpanError(f"{lexical.MODEL} grades Deadpan's own tasks only: no brief was given")
