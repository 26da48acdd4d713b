"""Models of this machine behind the asker: everything that waits is answered side by side."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image as Pillow
from pydantic import BaseModel, JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.engine.calls import CallError, Generated
from deadpan.engine.local import library
from deadpan.engine.local.loaded import LoadedModel, leave_model, use_model
from deadpan.engine.local.models import LoadOptions
from deadpan.engine.local.provider import LOCAL, identity_of
from deadpan.engine.local.talks import Part, Turn
from deadpan.engine.requests import Image, Message, Sampling, Video
from deadpan.media.images import decoding, on_white, open_image

_logger = logging.getLogger("deadpan")

_IN_FLIGHT = 3072
"""Questions that are made ready or answered at once: some more than fit on a large GPU."""
_MOST_TOKENS = 512
"""How long an answer may be where nobody says."""
_NO_SUCH = ("extra_body", "reasoning_effort", "reasoning_tokens")
"""Settings that are for servers."""


class LocalEngine:
    """A model in a folder, or an adapter of ours with its base; it is loaded when first asked."""

    server = ""
    is_embedded = reads_card = False
    is_local = True
    max_connections = _IN_FLIGHT

    def __init__(self, name: str, sampling: Sampling, option: str = "--model") -> None:
        self.name, self.identity = name, identity_of(name)
        _refuse(sampling, f"{option} {name}")
        self._options = LoadOptions.of(sampling.model_args, f"{option} {name}")
        self._option, self._is_too_long = option, False
        self._loaded: LoadedModel | None = None
        self._failure: DeadpanError | None = None
        self._loading = asyncio.Lock()

    async def generate(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue = None,
    ) -> Generated:
        """One reply; the model is asked for no schema."""
        from deadpan.engine.local.prompts import Prompt

        loaded = await self._model()
        turns = tuple(await asyncio.to_thread(lambda: [_turn(message) for message in messages]))
        prompt = Prompt(
            turns,
            sampling.max_tokens or _MOST_TOKENS,
            sampling.temperature,
            sampling.top_p,
            seed=sampling.seed,
        )
        began = time.monotonic()
        reply = await asyncio.wrap_future(loaded.answerer.submit(prompt))
        self._report_long(reply.input_tokens, loaded.context)
        return Generated(
            text=loaded.decode(reply.tokens),
            reasoning=None,
            stop=reply.stop,
            error=None,
            served_model=None,
            input_tokens=reply.input_tokens,
            output_tokens=len(reply.tokens),
            cached_tokens=None,
            seconds=round(time.monotonic() - began, 3),
        )

    def _report_long(self, tokens: int, context: int | None) -> None:
        """Says once where a prompt is longer than the model was made for."""
        if context is not None and tokens > context and not self._is_too_long:
            self._is_too_long = True
            what = "%s: a prompt of %d tokens is longer than the model's context of %d"
            _logger.warning(what, self.name, tokens, context)

    async def load(self, shown: bool = False) -> None:
        """Loads the model; one that cannot be had, or sees no pictures where they are shown,
        raises."""
        if not (await self._model()).sees and shown:
            what = "the model sees no pictures. Name one that does, or ask without pictures"
            raise DeadpanError(f"{self._option} {self.name}: {what}: --variant text-only.")

    async def _model(self) -> LoadedModel:
        """The model, loaded; one that could not be had is not looked for again."""
        async with self._loading:
            if self._failure is not None:
                raise self._failure
            if self._loaded is None:
                library("torch")
                folder = self.name.removeprefix(LOCAL)
                weights = self.identity.rpartition("@")[2]
                try:
                    self._loaded = await asyncio.to_thread(
                        use_model, folder, weights, self._options
                    )
                except DeadpanError as error:
                    self._failure = error
                    raise
            return self._loaded

    def describe(self, error: Exception) -> CallError:
        """What fails here fails again."""
        if isinstance(error, DeadpanError):
            return CallError(str(error), retry=False)
        return CallError(f"{type(error).__name__}: {' '.join(str(error).split())}", retry=False)

    async def reaches(self, seconds: float) -> str | None:
        """Nothing has to be reached."""
        return None

    async def close(self) -> None:
        """Lets the model go; it stays in memory until another one wants its place."""
        if self._loaded is not None:
            leave_model(self._loaded)
            self._loaded = None


def _refuse(sampling: Sampling, who: str) -> None:
    """Raises for settings that no model of this machine follows."""
    for name in _NO_SUCH:
        if getattr(sampling, name) not in (None, {}):
            option = "--" + name.replace("_", "-")
            what = f"{option} has no effect on a model of this machine; leave it out"
            raise DeadpanError(f"{who}: {what}, or run it with --engine vllm")


def _turn(message: Message) -> Turn:
    if message.role == "user":
        return Turn(message.role, tuple(map(_part, message.contents)))
    return Turn(
        message.role, ("\n".join(part for part in message.contents if isinstance(part, str)),)
    )


def _part(content: str | Image | Video) -> Part:
    """A text, or an opened picture; a video raises."""
    if isinstance(content, str):
        return content
    if isinstance(content, Video):
        raise DeadpanError("local/… takes text and pictures only, not video")
    return _picture(content.data)


@lru_cache(maxsize=256)
def _picture(data: bytes) -> Pillow.Image:
    """The picture of these bytes: the same object each time, so that it is made ready once."""
    with open_image(data) as opened, decoding("picture"):
        return on_white(opened)
