"""`inspect eval … --model local/FOLDER`: models of this machine that see pictures, for Inspect."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import anyio
from inspect_ai import model as chat
from inspect_ai.tool import ToolChoice, ToolInfo

from deadpan.base.errors import DeadpanError
from deadpan.engine.local.engine import LocalEngine
from deadpan.engine.local.provider import LOCAL
from deadpan.engine.requests import Content, Image, Message, Sampling

_AT_ONCE = 64


@chat.modelapi(name="local")
def local() -> type[chat.ModelAPI]:
    """The provider class, as Inspect asks for it."""
    return LocalAPI


class LocalAPI(chat.ModelAPI):
    """Answers with a model of this machine, loaded when first asked."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: chat.GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or chat.GenerateConfig())
        self._engine = LocalEngine(LOCAL + model_name, Sampling(model_args=model_args))

    def max_connections(self) -> int:
        return _AT_ONCE

    async def generate(
        self,
        input: list[chat.ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: chat.GenerateConfig,
    ) -> chat.ModelOutput:
        if tools:
            raise DeadpanError(f"local/{self.model_name} takes no tools")
        names = ("temperature", "top_p", "max_tokens", "seed")
        sampling = Sampling(**{name: getattr(config, name) for name in names})
        messages = await anyio.to_thread.run_sync(lambda: [_message(one) for one in input])
        made = await self._engine.generate(messages, sampling, None)
        reason: chat.StopReason = "stop" if made.stop == "stop" else "max_tokens"
        output = chat.ModelOutput.from_content(self.model_name, made.text, reason)
        read, written = made.input_tokens or 0, made.output_tokens or 0
        usage = {"input_tokens": read, "output_tokens": written, "total_tokens": read + written}
        output.usage = chat.ModelUsage(**usage)
        return output

    async def aclose(self) -> None:
        await self._engine.close()


def _message(message: chat.ChatMessage) -> Message:
    """A message as engines take it; what is neither text nor picture raises."""
    if message.role == "tool":
        raise DeadpanError(f"local/… takes no messages of the role {message.role}")
    content = message.content
    parts = (content,) if isinstance(content, str) else tuple(map(_content, content))
    return Message(message.role, parts)


def _content(content: chat.Content) -> Content:
    """A text, or the picture of a data address or a path."""
    if isinstance(content, chat.ContentText):
        return content.text
    if not isinstance(content, chat.ContentImage):
        raise DeadpanError(f"local/… takes text and pictures only, not {content.type}")
    image = content.image
    try:
        inline = image.startswith("data:")
        data = base64.b64decode(image.partition(",")[2]) if inline else Path(image).read_bytes()
    except (OSError, ValueError) as error:
        raise DeadpanError(f"a picture cannot be read ({error})") from error
    return Image(data, "")
