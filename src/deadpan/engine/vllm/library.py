"""vLLM itself: whether it is there and new enough, and the models that it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from deadpan.base.errors import DeadpanError, MissingExtra
from deadpan.engine.vllm import OLDEST


class ModelLost(DeadpanError):
    """A model that cannot be loaded, or whose engine ended: no question can be answered."""

    exit_code = 1


def library() -> Any:
    """vLLM; where it is not installed, or too old, that is told."""
    try:
        vllm = importlib.import_module("vllm")
    except ModuleNotFoundError as error:
        if error.name != "vllm":
            raise
        raise MissingExtra("--engine vllm", "vllm") from None
    if not hasattr(vllm.LLM, "enqueue_chat"):
        raise ModelLost(
            f"--engine vllm needs vLLM {OLDEST} or later, and {vllm.__version__} is installed: "
            'pip install -U "deadpan[vllm]"'
        )
    return vllm


def revision_of(name: str) -> str:
    """The very revision of a model on the hub that its identity names."""
    config = importlib.import_module("transformers").AutoConfig.from_pretrained(name)
    return str(config._commit_hash)
