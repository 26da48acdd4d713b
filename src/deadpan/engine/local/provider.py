"""`--model local/FOLDER`: models of this machine that see pictures, as an Inspect provider."""

from __future__ import annotations

import base64
import json
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

import anyio
from inspect_ai import model as chat
from inspect_ai.tool import ToolChoice, ToolInfo

from deadpan.base.errors import DeadpanError
from deadpan.base.version import __version__
from deadpan.core.judge import Judge
from deadpan.engine.local import library
from deadpan.engine.local.adapters import CARD, weights_name
from deadpan.engine.local.models import Part, PictureModel, Turn, answering_model, prompt_inputs
from deadpan.media.images import decoding, on_white, open_image

_MOST_TOKENS = 512
"""How long an answer may be where nobody says."""
LOCAL = "local/"
"""How the names of models in a folder begin; one answers a question at a time."""
EMBEDDED = ("baseline/", "judge/")
"""How the names of what needs no server and no key begin."""
_HUGGING_FACE = "hf/"


def resolve_provider(model: str, shown: bool = True) -> str:
    """`hf/NAME` as `local/NAME` where pictures are or could be shown: Inspect's takes none."""
    name = model.removeprefix(_HUGGING_FACE)
    return LOCAL + name if name != model and (shown or _sees(Path(name))) else model


def _sees(folder: Path) -> bool:
    """Whether a folder holds an adapter of ours, or a model with a part for pictures."""
    if (folder / CARD).is_file():
        return True
    try:
        config = json.loads((folder / "config.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(config, dict) and "vision_config" in config


def weights_of(model: str) -> str | None:
    """What names the weights of a `local/…` model, None for every other; a missing one raises."""
    return weights_name(model.removeprefix(LOCAL)) if model.startswith(LOCAL) else None


def identity_of(model: str) -> str:
    """The model's name with what may change under it: a folder's weights, our own version."""
    if model.startswith(EMBEDDED):
        return f"{model}@deadpan-{__version__}"
    weights = weights_of(model)
    return model if weights is None else f"{model}@{weights}"


def judge_identity(judge: Judge, model: str) -> str:
    """The judge's wording, with the weights of the model that sits where these lie in a folder."""
    weights = weights_of(model)
    return judge.identity if weights is None else f"{judge.identity}.{weights}"


@chat.modelapi(name="local")
def local() -> type[chat.ModelAPI]:
    """The provider class, as Inspect asks for it."""
    return LocalAPI


class LocalAPI(chat.ModelAPI):
    """Answers with a model of this machine, loaded when first asked, one question at a time."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: chat.GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or chat.GenerateConfig())
        self._weights = weights_name(model_name)
        self._failure: DeadpanError | None = None
        self._lock = threading.Lock()

    def max_connections(self) -> int:
        return 1

    async def generate(
        self,
        input: list[chat.ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: chat.GenerateConfig,
    ) -> chat.ModelOutput:
        if tools:
            raise DeadpanError(f"local/{self.model_name} takes no tools")
        return await anyio.to_thread.run_sync(self._answer, input, config)

    def _answer(
        self, messages: list[chat.ChatMessage], config: chat.GenerateConfig
    ) -> chat.ModelOutput:
        with self._lock:
            model = self._model()
            ids, given = _generate(model, [_turn(message) for message in messages], config)
        text = model.processor.tokenizer.decode(ids, skip_special_tokens=True).strip()
        reason: chat.StopReason = "stop" if ids and ids[-1] in _ends(model) else "max_tokens"
        made, total = len(ids), given + len(ids)
        output = chat.ModelOutput.from_content(self.model_name, text, reason)
        output.usage = chat.ModelUsage(input_tokens=given, output_tokens=made, total_tokens=total)
        return output

    def _model(self) -> PictureModel:
        """The model, loaded; one that could not be had is not looked for again."""
        if self._failure is not None:
            raise self._failure
        try:
            return _load(self.model_name, self._weights)
        except DeadpanError as error:
            self._failure = error
            raise


@lru_cache(maxsize=1)
def _load(name: str, weights: str) -> PictureModel:
    return answering_model(name)


def _generate(
    model: PictureModel, turns: list[Turn], config: chat.GenerateConfig
) -> tuple[list[int], int]:
    """The tokens of an answer, and how many tokens were asked with."""
    torch = library("torch")
    if config.seed is not None:
        torch.manual_seed(config.seed)
    network = model.network
    asked = prompt_inputs(model.processor, turns).items()
    inputs = {name: values.to(network.device) for name, values in asked}
    length = inputs["input_ids"].shape[1]
    sampled = bool(config.temperature)
    likeliest = 1.0 if config.top_p is None else config.top_p
    with torch.inference_mode():
        made = network.generate(
            **inputs,
            temperature=config.temperature if sampled else None,
            top_p=likeliest if sampled else None,
            top_k=config.top_k or 0 if sampled else None,
            do_sample=sampled,
            max_new_tokens=config.max_tokens or _MOST_TOKENS,
            eos_token_id=_ends(model) or None,
            pad_token_id=model.processor.tokenizer.pad_token_id,
        )
    return made[0, length:].tolist(), length


def _ends(model: PictureModel) -> list[int]:
    """The tokens that end an answer: the model's own, and the mark that fine-tuning teaches."""
    stated = model.network.generation_config.eos_token_id
    known = stated if isinstance(stated, list) else [stated]
    found = [*known, model.processor.tokenizer.eos_token_id]
    return list(dict.fromkeys(end for end in found if end is not None))


def _turn(message: chat.ChatMessage) -> Turn:
    """A message as a turn; what is neither text nor picture raises."""
    if message.role == "tool":
        raise DeadpanError(f"local/… takes no messages of the role {message.role}")
    content = message.content
    parts = (content,) if isinstance(content, str) else tuple(map(_part, content))
    return Turn(message.role, parts)


def _part(content: chat.Content) -> Part:
    """A text, or the picture of a data address or a path."""
    if isinstance(content, chat.ContentText):
        return content.text
    if not isinstance(content, chat.ContentImage):
        raise DeadpanError(f"local/… takes text and pictures only, not {content.type}")
    image = content.image
    try:
        inline = image.startswith("data:")
        source = base64.b64decode(image.partition(",")[2]) if inline else Path(image)
    except ValueError as error:
        raise DeadpanError(f"a picture cannot be read ({error})") from error
    with open_image(source) as opened, decoding("picture"):
        return on_white(opened)
