"""Models that are in memory: whoever asks for the same one gets the same one."""

from __future__ import annotations

import atexit
import gc
import os
import threading
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from deadpan.engine.local import library
from deadpan.engine.local.models import (
    LoadOptions,
    PictureModel,
    answering_model,
    answering_tokenizer,
)
from deadpan.engine.local.processors import TextProcessor

if TYPE_CHECKING:
    from deadpan.engine.local.batching import PromptAnswerer

_lock = threading.Lock()
_models: dict[tuple[str, str, LoadOptions], LoadedModel] = {}


@dataclass(eq=False)
class LoadedModel:
    """What answers by a model, its tokenizer, and how many use it; its weights where they lie in
    this process."""

    answerer: PromptAnswerer
    tokenizer: Any
    model: PictureModel | None = None
    users: int = 0
    context: int | None = None
    """The most tokens that a prompt should have, where that is stated."""
    sees: bool = True
    """Whether it takes pictures, as far as that is known here."""

    def decode(self, tokens: tuple[int, ...]) -> str:
        """The words of an answer."""
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True).strip())


def use_model(name: str, weights: str, options: LoadOptions) -> LoadedModel:
    """The model, loaded where it is not: one process for each GPU where there are several. Those
    that nobody uses any more make room for it, and leave it the base model that both stand on."""
    # Lanes of many sizes come and go: without this, what lies between them is lost.
    os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
    with _lock:
        key = (name, weights, options)
        if key not in _models:
            devices = _devices()
            _close_at_exit()
            idle = _unload_idle()
            if len(devices) > 1:
                from deadpan.engine.local.replicas import Replicas

                tokenizer, context = answering_tokenizer(name)
                replicas = Replicas(name, options, devices)
                _models[key] = LoadedModel(replicas, tokenizer, context=context)
            else:
                _models[key] = load_answerer(name, options, idle)
        _models[key].users += 1
        return _models[key]


def load_answerer(
    name: str, options: LoadOptions, idle: list[PictureModel] | None = None
) -> LoadedModel:
    """The model in this process."""
    from deadpan.engine.local.batching import open_answerer

    model = answering_model(name, options, idle or [])
    answerer = open_answerer(model.network, model.processor, answer_ends(model))
    sees = not isinstance(model.processor, TextProcessor)
    tokenizer = model.processor.tokenizer
    return LoadedModel(answerer, tokenizer, model, context=model.context, sees=sees)


def leave_model(loaded: LoadedModel) -> None:
    """One user less. The model stays until another one wants its place."""
    with _lock:
        loaded.users -= 1


@cache
def _close_at_exit() -> None:
    """Closes everything when the interpreter ends, which a thread inside of torch would abort. It
    is registered after torch, so that it comes before what torch does then."""
    atexit.register(_close_all)


def _close_all() -> None:
    while _models:
        _models.popitem()[1].answerer.close()


def _devices() -> list[str]:
    """The GPUs that may be used, as processes are told."""
    count = library("torch").cuda.device_count()
    named = [one for one in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if one]
    return named[:count] or [str(place) for place in range(count)]


def _unload_idle() -> list[PictureModel]:
    """Closes what nobody uses; the models that were in this process."""
    closed = [_models.pop(key) for key, one in list(_models.items()) if not one.users]
    for one in closed:
        one.answerer.close()
    kept = [one.model for one in closed if one.model is not None]
    del closed
    gc.collect()
    return kept


def answer_ends(model: PictureModel) -> frozenset[int]:
    """The tokens that end an answer: the model's own, and the mark that fine-tuning teaches."""
    stated: Any = model.network.generation_config.eos_token_id
    known = stated if isinstance(stated, list) else [stated]
    found = [*known, model.processor.tokenizer.eos_token_id]
    return frozenset(end for end in found if end is not None)
