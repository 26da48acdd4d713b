"""Which engine asks a model: by the model's name, and by what was chosen."""

from __future__ import annotations

from dataclasses import replace

from deadpan.base.errors import DeadpanError
from deadpan.engine.calls import CallOptions, Engine
from deadpan.engine.inspect_model import InspectModel
from deadpan.engine.local.engine import LocalEngine
from deadpan.engine.local.provider import LOCAL
from deadpan.engine.requests import Sampling

_AT_ONCE_IN_VLLM = 1024
"""Questions that vLLM is given at once: it batches as many of them as fit into the memory."""


def open_engine(
    name: str, sampling: Sampling, calls: CallOptions, option: str = "--model"
) -> Engine:
    """The engine of a model; one that cannot be had raises. `option` is what named the model."""
    name = calls.model_name(name)
    if calls.engine == "ray":
        from deadpan.engine.ray.engine import RayEngine

        # The settings of vLLM on the nodes are none of the engine's that is opened here.
        plain = Sampling() if sampling.model_args.get("engine") == "vllm" else sampling
        inner = open_engine(name, plain, replace(calls, engine="auto"), option)
        return RayEngine(inner, sampling, calls, option)
    if calls.engine == "vllm" and name.startswith(LOCAL):
        from deadpan.engine.vllm.engine import VllmEngine

        return VllmEngine(name, sampling, calls.at_once(_AT_ONCE_IN_VLLM), option)
    if calls.engine == "vllm" and option == "--model":
        what = "runs models of this machine, local/FOLDER or local/OWNER/NAME"
        raise DeadpanError(f"{option} {name}: --engine vllm {what}; leave --engine out")
    if calls.batch:
        from deadpan.engine.batching import BatchModel, asks_in_batches

        if asks_in_batches(name, option):
            return BatchModel(name, sampling, calls, option)
    if name.startswith(LOCAL):
        return LocalEngine(name, sampling, option)
    return InspectModel(name, sampling, calls.max_connections, calls.timeout, option)
