"""Messages and settings as vLLM's offline chat takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2.exceptions import TemplateError
from pydantic import BaseModel, JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.engine.requests import Image, Message, Sampling

Chat = list[dict[str, Any]]
"""A talk in OpenAI's form."""
TEMPLATE_SETTINGS = "chat_template_kwargs"
"""The one key of `--extra-body` that goes to the chat template; all others are settings."""
_MOST_TOKENS = 512
"""How long an answer may be where nobody says."""
_BREAK = "\u200b"
"""What is put into a word that would else be taken for one of the model's marks."""
_TRIED = "Answer in one word."


@dataclass(frozen=True)
class ChatForm:
    """What a model's tokenizer says of talks: its marks, and whether its template takes a system's
    words."""

    marks: tuple[str, ...]
    takes_system: bool

    def chat(self, messages: Sequence[Message]) -> Chat:
        """The messages in OpenAI's form. A caption opens no turn and shows no picture; what a
        template does not take of the system goes to the user's first."""
        chat: Chat = [{"role": one.role, "content": self._content(one)} for one in messages]
        said = [part for one in chat if one["role"] == "system" for part in one["content"]]
        others = [one for one in chat if one["role"] != "system"]
        if self.takes_system or not said or not others:
            return chat
        text = "\n\n".join(part["text"] for part in said) + "\n\n"
        first = {**others[0], "content": [_text(text), *others[0]["content"]]}
        return [first, *others[1:]]

    def _content(self, message: Message) -> list[dict[str, Any]]:
        parts = []
        for part in message.contents:
            if isinstance(part, str):
                parts.append(_text(self._harmless(part)))
            elif isinstance(part, Image):
                parts.append({"type": "image_url", "image_url": {"url": part.address}})
            else:
                raise DeadpanError("local/… takes text and pictures only, not video")
        return parts

    def _harmless(self, text: str) -> str:
        for mark in self.marks:
            text = text.replace(mark, f"{mark[0]}{_BREAK}{mark[1:]}")
        return text


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def chat_form(tokenizer: Any) -> ChatForm:
    """What a tokenizer says of talks."""
    added = getattr(tokenizer, "added_tokens_decoder", {}).values()
    marks = {str(token.content) for token in added if token.special}
    marks |= {str(token) for token in tokenizer.all_special_tokens}
    ordered = sorted((mark for mark in marks if len(mark) > 1), key=len, reverse=True)
    return ChatForm(tuple(ordered), _takes_system(tokenizer))


def _takes_system(tokenizer: Any) -> bool:
    """Whether the chat template writes what a system says; where the tokenizer has no template,
    the model's processor has one, which vLLM goes by."""
    if not getattr(tokenizer, "chat_template", None):
        return True
    talk = [{"role": "system", "content": _TRIED}, {"role": "user", "content": "Which?"}]
    for content in (str, lambda words: [_text(words)]):
        tried = [{"role": one["role"], "content": content(one["content"])} for one in talk]
        try:
            text = tokenizer.apply_chat_template(tried, tokenize=False)
        except (TemplateError, TypeError):
            continue
        if _TRIED in str(text):
            return True
    return False


def sampling_params(
    vllm: Any, sampling: Sampling, schema: type[BaseModel] | None, penalty: float
) -> Any:
    """The settings of one question. The likeliest words where no temperature is named, and the
    model's own penalty on repetition: as transformers has it."""
    given: dict[str, JsonValue] = {
        "temperature": sampling.temperature or 0.0,
        "top_p": 1.0 if sampling.top_p is None else sampling.top_p,
        "max_tokens": most_tokens(sampling),
        "seed": sampling.seed,
        "repetition_penalty": penalty,
        **{key: value for key, value in sampling.extra_body.items() if key != TEMPLATE_SETTINGS},
    }
    if schema is None:
        return vllm.SamplingParams(**given)
    form = vllm.sampling_params.StructuredOutputsParams(json=_json_schema(schema))
    return vllm.SamplingParams(**given, structured_outputs=form)


@cache
def _json_schema(schema: type[BaseModel]) -> dict[str, Any]:
    return schema.model_json_schema()


def most_tokens(sampling: Sampling) -> int:
    """How many tokens an answer may take."""
    return sampling.max_tokens or _MOST_TOKENS


def template_settings(sampling: Sampling) -> dict[str, Any] | None:
    """What the chat template is told, such as whether the model thinks first."""
    given = sampling.extra_body.get(TEMPLATE_SETTINGS)
    return dict(given) if isinstance(given, dict) else None
