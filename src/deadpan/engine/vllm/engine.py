"""vLLM in process as an engine: as many questions at once as it can batch."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from pydantic import BaseModel, JsonValue

from deadpan.base.errors import DeadpanError, InputError, MissingExtra
from deadpan.engine.calls import CallError, Generated
from deadpan.engine.endpoints import Redactor
from deadpan.engine.local.adapters import ADAPTER, checked_base, is_adapter, read_card
from deadpan.engine.local.provider import LOCAL, identity_of, weights_of
from deadpan.engine.requests import Message, Sampling
from deadpan.engine.vllm.library import ModelLost
from deadpan.engine.vllm.running import Job, Wanted, acquire, release
from deadpan.metrics.neural import locate_model

_LONGEST_REASON = 500
_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
"""The ranks of adapters that vLLM has room for."""
_TOO_LONG = re.compile(r"maximum (?:context|model) length")
_OURS = ("model", "revision")


class VllmEngine:
    """One `local/…` model in this process. Answers are known by the same identity as those of
    transformers, and are told apart by their server."""

    server = "vllm"
    is_embedded = False
    reads_card = False
    is_local = True

    def __init__(
        self, name: str, sampling: Sampling, max_connections: int, option: str = "--model"
    ) -> None:
        self.name, self.max_connections = name, max_connections
        self.identity = identity_of(name)
        if find_spec("vllm") is None:
            raise MissingExtra("--engine vllm", "vllm")
        _refuse(sampling, f"{option} {name}")
        folder = Path(name.removeprefix(LOCAL)).expanduser()
        self._adapter = folder.resolve() if is_adapter(folder) else None
        self._runner = acquire(_wanted(name, self._adapter, sampling))
        self._redact = Redactor()
        self._is_open = True

    async def generate(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue = None,
    ) -> Generated:
        """One reply; raises what vLLM raises over this question."""
        job = Job(tuple(messages), sampling, schema, self._adapter)
        return await asyncio.wrap_future(self._runner.submit(job))

    def describe(self, error: Exception) -> CallError:
        """What an error over one question comes to; a model that is lost ends the run."""
        if isinstance(error, ModelLost):
            raise error
        if isinstance(error, DeadpanError):
            return CallError(str(error), retry=False)
        text = " ".join(f"{type(error).__name__}: {error}".split())
        if _TOO_LONG.search(text):
            # No shorter answer would make room for it.
            numbers = ", ".join(re.findall(r"\d+", text)[:3])
            text = f"the question is longer than the model takes ({numbers} tokens are named)"
        return CallError(self._redact(text)[:_LONGEST_REASON], retry=False)

    async def reaches(self, seconds: float) -> str | None:
        """There is no server to reach."""
        return None

    async def close(self) -> None:
        """Lets go of the model; it stays loaded until another one is, or the process ends."""
        if self._is_open:
            self._is_open = False
            release(self._runner)


def _refuse(sampling: Sampling, who: str) -> None:
    """Raises for settings that vLLM's offline API does not have."""
    for name in ("reasoning_effort", "reasoning_tokens"):
        if getattr(sampling, name) is not None:
            instead = """--extra-body '{"chat_template_kwargs": {…}}' tells the model's template"""
            option = "--" + name.replace("_", "-")
            raise DeadpanError(f"{who}: {option}: vLLM in process has no such setting; {instead}")
    for name in _OURS:
        if name in sampling.model_args:
            raise DeadpanError(f"{who}: -M {name}: the model is the one that was named; leave it")


def _wanted(name: str, adapter: Path | None, sampling: Sampling) -> Wanted:
    """What is to be loaded for a model."""
    own = name.removeprefix(LOCAL)
    base, weights = checked_base(adapter) if adapter else (own, str(weights_of(name)))
    arguments = json.dumps(sampling.model_args, sort_keys=True)
    place = locate_model(base)[0]
    if adapter is None:
        return Wanted(place, weights, arguments)
    card = read_card(adapter)
    vision = bool(card and card.settings.get("vision"))
    return Wanted(place, weights, arguments, _rank(adapter), vision)


def _rank(adapter: Path) -> int:
    """The least of vLLM's ranks that an adapter fits into."""
    path = adapter / ADAPTER
    try:
        rank = int(json.loads(path.read_text("utf-8"))["r"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(path, f"names no rank ({error})", "Train the adapter anew.") from error
    fits = [one for one in _RANKS if one >= rank]
    if not fits:
        fix = "Merge it (deadpan finetune merge), and name the merged model."
        raise InputError(path, f"has rank {rank}; vLLM takes {_RANKS[-1]} at most", fix)
    return fits[0]
