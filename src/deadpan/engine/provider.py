"""What is embedded, as Inspect model providers: `--model baseline/majority`, `--judge
judge/lexical`."""

from __future__ import annotations

import base64
from abc import abstractmethod
from typing import Any, ClassVar

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

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Card
from deadpan.engine import baselines
from deadpan.engine.inspect_model import CARD
from deadpan.metrics import lexical


class EmbeddedAPI(ModelAPI):
    """What needs no key and no network: only the names there are can be had."""

    provider: ClassVar[str]
    names: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if model_name not in self.names:
            expected = ", ".join(f"{self.provider}/{name}" for name in self.names)
            raise DeadpanError(f"{self.provider}/{model_name}: expected one of {expected}")
        self.seed = int(model_args.get("seed", 0))

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        return ModelOutput.from_content(self.model_name, await self.reply(input))

    @abstractmethod
    async def reply(self, messages: list[ChatMessage]) -> str:
        """What is said to the messages."""


@modelapi(name="baseline")
def baseline() -> type[ModelAPI]:
    """The provider class, as Inspect asks for it."""
    return BaselineAPI


class BaselineAPI(EmbeddedAPI):
    """Answers from the question's card and pictures."""

    provider = "baseline"
    names = baselines.NAMES

    def max_connections(self) -> int:
        return 4

    async def reply(self, messages: list[ChatMessage]) -> str:
        question = next((m for m in reversed(messages) if isinstance(m, ChatMessageUser)), None)
        card = (question.metadata or {}).get(CARD) if question else None
        if question is None or card is None:
            raise DeadpanError("baseline/… answers Deadpan's own tasks only: no card was given")
        pictures = [
            base64.b64decode(part.image.partition(",")[2])
            for part in question.content
            if isinstance(part, ContentImage)
        ]
        return await anyio.to_thread.run_sync(
            baselines.answer, self.model_name, Card.model_validate(card), pictures, self.seed
        )


@modelapi(name="judge")
def judge() -> type[ModelAPI]:
    """The provider class, as Inspect asks for it."""
    return LexicalJudgeAPI


class LexicalJudgeAPI(EmbeddedAPI):
    """Grades by shared words; its grades compare with no model's."""

    provider = "judge"
    names = (lexical.NAME,)

    async def reply(self, messages: list[ChatMessage]) -> str:
        said = [(message.metadata or {}).get(CARD) for message in messages]
        found = next((text for text in said if isinstance(text, str)), None)
        if found is None:
            raise DeadpanError(f"{lexical.MODEL} grades Deadpan's own tasks only")
        return found
