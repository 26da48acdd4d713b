"""A first, short question to each endpoint, so that what would fail every time is told at once."""

from __future__ import annotations

import asyncio
import re
from typing import Literal
from urllib.request import getproxies

from deadpan.base.errors import DeadpanError
from deadpan.engine.protocol import CallError, Engine
from deadpan.engine.refusals import fewer_tokens, refuses_schema
from deadpan.engine.requests import Image, Message, Sampling

Kind = Literal["text", "image"]
_CONNECT_SECONDS = 5
_ANSWER_SECONDS = 30
_SIDE = 64
QUESTION = "This is a test of the connection. Reply with the single word OK."
"""What is asked first of every endpoint."""
_VISION = re.compile(
    r"image|vision|multi-?modal|image_url|content.{0,40}(?:must be a )?string|图片|图像", re.I
)


async def probe(
    engine: Engine, sampling: Sampling, kind: Kind, option: str = "--model"
) -> str | None:
    """Asks once, with the kind of content that is to follow. Raises where no question can succeed:
    no connection, a wrong key, an unknown model, no vision. What may pass is returned as a warning;
    None where all is well, or where there is no server to try."""
    if engine.is_local:
        return None
    name = f"{option} {engine.name}"
    where = f" at {engine.server}" if engine.server else ""
    if why := await engine.reaches(_CONNECT_SECONDS):
        raise DeadpanError(
            f"{name}: no server answers{where} ({why}). Start it, or mend the address."
        )
    contents = (*((_picture(),) if kind == "image" else ()), QUESTION)
    asking = engine.generate([Message("user", contents)], sampling, None)
    try:
        await asyncio.wait_for(asking, _ANSWER_SECONDS)
    except TimeoutError:
        return f"{engine.name} has not answered a first short question in {_ANSWER_SECONDS} s"
    except DeadpanError:
        raise
    except Exception as error:  # whatever a provider raises tells about the endpoint
        return _verdict(engine.describe(error), name, where, kind, sampling)
    return None


def _verdict(
    failed: CallError, name: str, where: str, kind: Kind, sampling: Sampling
) -> str | None:
    """Raises for what would fail every time; else what to warn of."""
    said = failed.message
    if failed.status in (401, 403):
        raise DeadpanError(f"{name}: the key is not accepted{where}: {said}")
    if failed.status == 404:
        raise DeadpanError(f"{name}: no such model, or no such address{where}: {said}")
    if failed.unreachable:
        proxies = ", ".join(sorted(f"${one.upper()}_PROXY" for one in getproxies()))
        hint = f". Calls go through a proxy ({proxies}): check it." if proxies else ""
        raise DeadpanError(f"{name}: no server answers{where}: {said}{hint}")
    if failed.status in (400, 415, 422):
        if sampling.max_tokens and fewer_tokens(said, sampling.max_tokens) is not None:
            return None  # the asker asks for less by itself
        if refuses_schema(said):
            return None
        if kind == "image" and _VISION.search(said):
            raise DeadpanError(
                f"{name}: it takes no pictures{where}: {said}. Name a model with vision, or ask "
                "without pictures: --variant text-only."
            )
        raise DeadpanError(f"{name}: the first question was turned down{where}: {said}")
    return f"{name.partition(' ')[2]}: a first short question failed: {said}"


def _picture() -> Image:
    """A small plain picture."""
    from io import BytesIO

    from PIL import Image as Pillow

    stream = BytesIO()
    Pillow.new("RGB", (_SIDE, _SIDE), (250, 210, 80)).save(stream, "PNG")
    return Image(stream.getvalue(), "image/png")
