"""A stand-in for the package vllm: the calls that the engine makes, with vLLM's own arguments, over
a model that transformers runs, or a script."""

from __future__ import annotations

import base64
import io
import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from itertools import count
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

from PIL import Image

Chat = list[dict[str, Any]]
Script = Callable[[Chat, Any], str]
"""What is answered to a talk, with such settings."""
ARGUMENTS = json.loads(Path(__file__).with_name("vllm_arguments.json").read_text("utf-8"))
"""The arguments of vLLM 0.33.0, as bench/vllm_calls.py read them in its source."""


class VLLMValidationError(Exception):
    """What vLLM raises over a question that it does not take."""


class EngineDeadError(Exception):
    """What vLLM raises once its engine ended."""


def _record(name: str) -> type[SimpleNamespace]:
    """A class that is made from the fields that vLLM's has, and from no other."""

    def __init__(self: SimpleNamespace, **given: Any) -> None:
        if unknown := set(given) - set(ARGUMENTS[name]):
            raise TypeError(f"Unexpected keyword argument '{unknown.pop()}'")
        SimpleNamespace.__init__(self, **given)

    return type(name, (SimpleNamespace,), {"__init__": __init__})


SamplingParams = _record("SamplingParams")
StructuredOutputsParams = _record("StructuredOutputsParams")
LoRARequest = _record("request")


class World:
    """What the tests set, and what they see: every model that was loaded, and all it was asked."""

    def __init__(self) -> None:
        self.script: Script | None = None
        self.loaded: list[LLM] = []
        self.dies_after: int | None = None
        self.longest = 10_000
        self.penalty = 1.0
        self.may_load = threading.Event()
        self.may_load.set()


WORLD = World()


class _Core:
    is_running = True

    def shutdown(self, timeout: float | None = None) -> None:
        self.is_running = False


class _Engine:
    def __init__(self, llm: LLM) -> None:
        self.engine_core = _Core()
        self.llm, self.waiting = llm, dict[str, tuple[Chat, Any, Any]]()
        self.aborted: list[str] = []
        self.in_flight: list[int] = []

    def step(self) -> list[Any]:
        """Answers the question that came last, so that answers come in another order."""
        self.in_flight.append(len(self.waiting))
        if WORLD.dies_after is not None and len(self.in_flight) > WORLD.dies_after:
            raise EngineDeadError("EngineCore encountered an issue.")
        number, asked = self.waiting.popitem()
        return [self.llm.answer(number.partition("-")[0], *asked)]

    def abort_request(self, request_ids: list[str], internal: bool = False) -> None:
        self.aborted += request_ids
        for one in request_ids:
            del self.waiting[one]


class LLM:
    """Answers by the script where there is one, else as transformers does."""

    def __init__(self, model: str, **given: Any) -> None:
        if unknown := set(given) - set(ARGUMENTS["LLM"]):
            raise TypeError(f"__init__() got an unexpected keyword argument '{unknown.pop()}'")
        WORLD.may_load.wait(timeout=10)
        self.model, self.given = model, given
        self.llm_engine = _Engine(self)
        self.asked: list[tuple[Chat, Any, Any]] = []
        self._numbers = count()
        WORLD.loaded.append(self)

    def get_tokenizer(self) -> Any:
        if WORLD.script is not None:
            return SimpleNamespace(all_special_tokens=["<|im_start|>", "<|im_end|>"])
        return self._network(None).processor.tokenizer

    def get_default_sampling_params(self) -> Any:
        return SamplingParams(repetition_penalty=WORLD.penalty)

    def enqueue_chat(
        self,
        messages: Sequence[Chat],
        sampling_params: Any = None,
        use_tqdm: bool = True,
        lora_request: Any = None,
        priority: Any = None,
        chat_template: str | None = None,
        chat_template_content_format: str = "auto",
        add_generation_prompt: bool = True,
        continue_final_message: bool = False,
        tools: Any = None,
        chat_template_kwargs: dict[str, Any] | None = None,
        tokenization_kwargs: dict[str, Any] | None = None,
        mm_processor_kwargs: dict[str, Any] | None = None,
    ) -> list[str]:
        numbers = []
        for chat in messages:
            length = sum(len(part.get("text", "")) for turn in chat for part in turn["content"])
            if length > WORLD.longest:
                raise VLLMValidationError(
                    f"This model's maximum context length is {WORLD.longest} tokens. However, your "
                    f"prompt contains {length} input tokens, which exceeds this limit."
                )
            for part in (part for turn in chat for part in turn["content"]):
                _picture(part)
            numbers.append(f"{next(self._numbers)}-0a1b2c3d")
            self.asked.append((chat, sampling_params, lora_request))
            self.llm_engine.waiting[numbers[-1]] = self.asked[-1]
        return numbers

    def answer(self, number: str, chat: Chat, params: Any, lora: Any) -> Any:
        """One finished output."""
        if WORLD.script is not None:
            text, ids, given = WORLD.script(chat, params), [1, 2, 3], [1] * 7
            reason = "length" if text.endswith("…") else "error" if text == "!" else "stop"
        else:
            text, ids, given, reason = self._generated(chat, params, lora)
        made = SimpleNamespace(text=text, token_ids=ids, finish_reason=reason)
        return SimpleNamespace(
            request_id=number,
            finished=True,
            outputs=[made],
            prompt_token_ids=given,
            num_cached_tokens=0,
        )

    def _network(self, lora: Any) -> Any:
        from deadpan.engine.local.models import answering_model

        return answering_model(lora.lora_path if lora else self.model)

    def _generated(self, chat: Chat, params: Any, lora: Any) -> tuple[str, list[int], Any, str]:
        from deadpan.engine.local.talks import Turn, prompt_inputs

        model = self._network(lora)
        parts = [tuple(map(_picture, turn["content"])) for turn in chat]
        turns = [Turn(turn["role"], own) for turn, own in zip(chat, parts, strict=True)]
        inputs = prompt_inputs(model.processor, turns)
        length = inputs["input_ids"].shape[1]
        made = model.network.generate(**inputs, do_sample=False, max_new_tokens=params.max_tokens)
        ids = made[0, length:].tolist()
        tokenizer = model.processor.tokenizer
        text = tokenizer.decode(ids, skip_special_tokens=True)
        reason = "stop" if ids[-1] == tokenizer.eos_token_id else "length"
        return text, ids, [0] * length, reason


def _picture(part: dict[str, Any]) -> Any:
    """A text, or the picture of a data address; a broken one raises as vLLM does."""
    if part["type"] == "text":
        return part["text"]
    data = base64.b64decode(part["image_url"]["url"].partition(",")[2])
    return Image.open(io.BytesIO(data)).convert("RGB")


@contextmanager
def installed() -> Iterator[World]:
    """The stand-in in the package's place; models are closed in the end."""
    parts = {
        "vllm": {"LLM": LLM, "SamplingParams": SamplingParams, "__version__": "0.33.0"},
        "vllm.sampling_params": {"StructuredOutputsParams": StructuredOutputsParams},
        "vllm.lora.request": {"LoRARequest": LoRARequest},
        "vllm.v1.engine.exceptions": {"EngineDeadError": EngineDeadError},
    }
    modules = {name: ModuleType(name) for name in parts}
    for name, module in modules.items():
        module.__spec__ = ModuleSpec(name, None)
        vars(module).update(parts[name])
    cast(Any, modules["vllm"]).sampling_params = modules["vllm.sampling_params"]
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    WORLD.__init__()  # type: ignore[misc]
    try:
        yield WORLD
    finally:
        from deadpan.engine.vllm.running import close_all

        close_all()
        for name, module_before in before.items():
            if module_before is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module_before
